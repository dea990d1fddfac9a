//! Strategies: a reply for each position that can arise when one side plays by them, so that this side cannot lose.
//!
//! A certificate holds positions; a strategy holds only the numbers of the replies, as a static function that does not
//! store the positions ([`retrieval`]). So it answers everywhere, and its answer means something only where play by the
//! strategy itself can lead. [`Strategy::reply`] follows a game there. `docs/certificate.md` has the format.

pub mod code;
pub mod retrieval;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use self::code::Code;
use self::retrieval::Retrieval;
use super::certificate::{Node, Record, require_rules, require_tables};
use crate::board::{Move, Side};
use crate::container::{Checksum, ContainerError, Format};
use crate::notation::parse_fen;
use crate::random::split_mix;
use crate::rules::{Game, Rules, legal_moves, parse_rules};
use crate::tablebase::Tablebases;

/// The files of strategies.
pub const FORMAT: Format = Format {
    name: "a strategy",
    magic: *b"VATOSTRA",
    version: 1,
    checksum: Checksum::Sha256,
    max_bytes: 1 << 30,
};

/// The strategy for the standard game; five megabytes, which a page loads when they are wanted ([`Strategy::provide`]).
#[cfg(not(target_arch = "wasm32"))]
const BUILT_IN: Option<&[u8]> = Some(include_bytes!("standard.strategy"));
#[cfg(target_arch = "wasm32")]
const BUILT_IN: Option<&[u8]> = None;

/// The strategy in the program, once it has been read.
static STRATEGY: OnceLock<Arc<Strategy>> = OnceLock::new();

/// Positions with this many moves or more share a code.
pub const MOST_CODES: usize = 32;

/// A position from which a side cannot lose by the strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// The position as a FEN.
    pub fen: String,
    /// The side that cannot lose: `White` or `Black`.
    pub holds: String,
}

/// The header of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyHeader {
    /// The rules string, every key written out.
    pub rules: String,
    /// Where it begins.
    pub roots: Vec<Root>,
    /// The most stones of the tables that it leads to.
    pub stones: u32,
    /// Their digest, as in a certificate.
    pub tables: String,
    /// The number of positions with a reply.
    pub positions: u64,
    /// The codes of the replies in positions with 2, 3, … moves; the last is for those with more, too.
    pub codes: Vec<Code>,
}

/// A strategy in memory.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The header.
    pub header: StrategyHeader,
    /// The rules of the header.
    pub rules: Rules,
    /// The positions of the header's roots, and the side that holds.
    pub roots: Vec<(Node, Side)>,
    replies: Retrieval,
}

/// The moves of a position in the order in which strategies number them: those that capture more first, then by
/// [`Move::bits`].
pub fn numbered_moves(rules: &Rules, node: &Node) -> Vec<Move> {
    let mut moves = legal_moves(rules, &node.position()).to_vec();
    moves.sort_unstable_by_key(|mv| (!mv.captured().count(), mv.bits()));
    moves
}

/// The place of the code for positions with this many moves, two at least.
pub fn code_of(moves: usize) -> usize {
    moves.min(MOST_CODES + 1) - 2
}

/// The key of a position; that of a bit of its code word is the SplitMix64 of this plus the bit's place.
pub fn key(node: &Node) -> u64 {
    let [first, second] = Record::key(node);
    split_mix(split_mix(first) ^ second)
}

/// The key of a bit of the code word of a position with this key.
pub fn bit_key(key: u64, place: u8) -> u64 {
    split_mix(key.wrapping_add(place.into()))
}

impl Strategy {
    /// The name of the strategy in the program, wherever a file is expected. (A file of this name is `./proof`.)
    pub const BUILT_IN: &str = "proof";

    /// The strategy of a file, or the one in the program.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another format, or is damaged, or the program has none.
    pub fn open(path: &Path) -> Result<Arc<Strategy>, ContainerError> {
        if Strategy::is_built_in(path) {
            let missing = || ContainerError::content(path)("this program has no proof built in");
            return Strategy::built_in().cloned().ok_or_else(missing);
        }
        let bytes = FORMAT.load(path)?;
        let strategy = Strategy::from_bytes(&bytes).map_err(ContainerError::content(path))?;
        Ok(Arc::new(strategy))
    }

    /// The strategy in the program: for the standard game, from its start, for both sides. `None` as long as a page has
    /// not loaded it.
    pub fn built_in() -> Option<&'static Arc<Strategy>> {
        if STRATEGY.get().is_none() {
            // Another thread may have been faster.
            let _ = Strategy::provide(BUILT_IN?);
        }
        STRATEGY.get()
    }

    /// From now on this is the strategy in the program, unless it has one.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a strategy's file.
    pub fn provide(bytes: &[u8]) -> Result<(), String> {
        let strategy = Strategy::from_bytes(bytes)?;
        STRATEGY.get_or_init(|| Arc::new(strategy));
        Ok(())
    }

    /// Whether a path is the name of the strategy in the program.
    pub fn is_built_in(path: &Path) -> bool {
        path == Path::new(Strategy::BUILT_IN)
    }

    /// Whether a path is that name, or a file that begins with the magic of strategies.
    pub fn is_one(path: &Path) -> bool {
        Strategy::is_built_in(path) || FORMAT.is_one(path)
    }

    /// Reads a strategy from the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are of another format, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Strategy, String> {
        let (header, body): (StrategyHeader, _) = FORMAT.decode(bytes, |_| None)?;
        let rules = parse_rules(&header.rules)?;
        require_rules(&rules)?;
        if header.codes.len() > MOST_CODES {
            return Err(format!("more than {MOST_CODES} codes"));
        }
        header.codes.iter().try_for_each(code::check)?;
        if header.roots.is_empty() {
            return Err("no roots".to_owned());
        }
        let root = |root: &Root| {
            let position = parse_fen(&root.fen, rules.board)?;
            let side = Side::BOTH
                .into_iter()
                .find(|side| side.to_string() == root.holds);
            let side = side.ok_or_else(|| format!("no side '{}'", root.holds))?;
            Ok((rules.canonical(&position).0, side))
        };
        Ok(Strategy {
            rules,
            roots: header
                .roots
                .iter()
                .map(root)
                .collect::<Result<_, String>>()?,
            replies: Retrieval::decode(body)?,
            header,
        })
    }

    /// Checks that `tables` include those that the strategy leads to.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn require_tables(&self, tables: &Tablebases) -> Result<(), String> {
        require_tables(tables, &self.rules, self.header.stones, &self.header.tables)
    }

    /// The reply in a position that play by the strategy leads to. Elsewhere any move, or none.
    fn reply_at(&self, node: &Node) -> Option<Move> {
        let moves = numbered_moves(&self.rules, node);
        let number = match moves.len() {
            0 | 1 => 0,
            count => {
                let (key, code) = (key(node), self.header.codes.get(code_of(count))?);
                code::read(code, |place| self.replies.bit(bit_key(key, place)))?
            }
        };
        moves.get(usize::from(number)).copied()
    }

    /// For White and Black, whether the side has played by the strategy since a root, so that it cannot lose. Once a game
    /// has come to the tables, these decide, and nothing is said here.
    pub fn holds(&self, game: &Game) -> [bool; 2] {
        let (rules, mut position) = (&self.rules, *game.start());
        let mut holds = [false; 2];
        if game.rules() != rules {
            return holds;
        }
        let mut moves = game.moves().iter();
        loop {
            let node = rules.canonical(&position).0;
            for (_, side) in self.roots.iter().filter(|(root, _)| *root == node) {
                holds[*side as usize] = true;
            }
            let Some(&mv) = moves.next() else {
                return holds;
            };
            let after = position.play(mv);
            if mv.is_capture() && after.occupied().count() <= self.header.stones {
                return [false; 2];
            }
            let side = position.side() as usize;
            holds[side] = holds[side] && self.child(&node) == Some(rules.canonical(&after).0);
            position = after;
        }
    }

    /// The reply in the current position of a game, if the side to move has [held](Strategy::holds).
    pub fn reply(&self, game: &Game) -> Option<Move> {
        let position = game.position();
        let child = match self.holds(game)[position.side() as usize] {
            true => self.child(&self.rules.canonical(position).0)?,
            false => return None,
        };
        let leads = |mv: &&Move| self.rules.canonical(&position.play(**mv)).0 == child;
        legal_moves(&self.rules, position)
            .iter()
            .find(leads)
            .copied()
    }

    /// The position after the reply.
    pub fn child(&self, node: &Node) -> Option<Node> {
        let mv = self.reply_at(node)?;
        Some(self.rules.canonical(&node.position().play(mv)).0)
    }
}

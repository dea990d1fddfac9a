//! Strategies: a reply for each position that can arise when one side plays by them, so that this side cannot lose.
//!
//! A certificate holds positions; a strategy holds only the numbers of the replies, as a static function that does not
//! store the positions ([`retrieval`]). So it answers everywhere, and its answer means something only where play by the
//! strategy itself can lead. [`Strategy::verify`] goes there, and by the rules and the tables alone checks that nothing
//! is lost; [`Strategy::replies`] follows a game. `docs/certificate.md` has the format.

mod code;
mod make;
mod retrieval;
mod walk;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use self::code::Code;
use self::retrieval::Retrieval;
use super::certificate::{Record, require_tables};
use super::tree::{Node, require_rules};
use crate::board::{Move, Side};
use crate::container::{Checksum, ContainerError, Format};
use crate::notation::parse_fen;
use crate::random::split_mix;
use crate::rules::{Game, Rules, legal_moves, parse_rules};
use crate::tablebase::Tablebases;

pub use self::walk::StrategyReport;

const FORMAT: Format = Format {
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
const MOST_CODES: usize = 32;

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
    /// How the numbers of the replies are written in positions with 2, 3, … moves; the last code is for those with more,
    /// too.
    codes: Vec<Code>,
}

/// A strategy in memory.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The header.
    pub header: StrategyHeader,
    /// The rules of the header.
    pub rules: Rules,
    roots: Vec<(Node, Side)>,
    replies: Retrieval,
}

/// The moves of a position in the order in which strategies number them: those that capture more first, then by
/// [`Move::bits`].
fn numbered_moves(rules: &Rules, node: &Node) -> Vec<Move> {
    let mut moves = legal_moves(rules, &node.position()).to_vec();
    moves.sort_unstable_by_key(|mv| (!mv.captured().count(), mv.bits()));
    moves
}

/// The place of the code for positions with this many moves, two at least.
fn code_of(moves: usize) -> usize {
    moves.min(MOST_CODES + 1) - 2
}

/// The key of a position; that of a bit of its code word is the SplitMix64 of this plus the bit's place.
fn key(node: &Node) -> u64 {
    let [first, second] = Record::key(node);
    split_mix(split_mix(first) ^ second)
}

fn bit_key(key: u64, place: u8) -> u64 {
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

    fn from_bytes(bytes: &[u8]) -> Result<Strategy, String> {
        let (header, body): (StrategyHeader, _) = FORMAT.decode(bytes, |_| None)?;
        let rules = parse_rules(&header.rules).map_err(|error| error.to_string())?;
        require_rules(&rules)?;
        if header.codes.len() > MOST_CODES {
            return Err(format!("more than {MOST_CODES} codes"));
        }
        header.codes.iter().try_for_each(code::check)?;
        if header.roots.is_empty() {
            return Err("no roots".to_owned());
        }
        let root = |root: &Root| {
            let position = parse_fen(&root.fen, rules.board).map_err(|error| error.to_string())?;
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
    fn child(&self, node: &Node) -> Option<Node> {
        let mv = self.reply_at(node)?;
        Some(self.rules.canonical(&node.position().play(mv)).0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::solver::{Answer, CertificateFile, Claim, Solver};

    /// The certificates of dimy, a draw, and their tables.
    static PROOF: LazyLock<([CertificateFile; 2], Arc<Tablebases>)> = LazyLock::new(|| {
        let rules = parse_rules("dimy").expect("rules");
        let tables = Tablebases::solve(&rules, 6, 1 << 20, &|| true).expect("tables");
        let tables = Arc::new(tables);
        let folder = tempfile::tempdir().expect("a folder");
        let files = Side::BOTH.map(|attacker| {
            let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
            let (game, stop) = (Game::new(rules), AtomicBool::new(false));
            let answer = solver.can_win(&game, attacker, u64::MAX, &stop, &mut |_| ());
            let Ok(Answer::Settled(certificate)) = answer else {
                panic!("{answer:?}");
            };
            let path = folder.path().join(attacker.to_string());
            certificate.write(&path).expect("written");
            CertificateFile::open(&path).expect("a certificate")
        });
        (files, tables)
    });

    /// A strategy for both sides, and the bytes of its file.
    fn ending_at(stones: u32) -> (Strategy, Vec<u8>) {
        let (files, tables) = &*PROOF;
        let bytes = Strategy::make(files, tables, stones).expect("closed");
        (Strategy::from_bytes(&bytes).expect("its own bytes"), bytes)
    }

    #[test]
    fn a_strategy_is_made_checked_and_followed() {
        // To tables of fewer stones than those of the certificates, too.
        for leaf_stones in [5, 6] {
            let (strategy, bytes) = ending_at(leaf_stones);
            let report = strategy.verify(&PROOF.1).expect("its tables");
            assert_eq!(report.faults.count, 0, "{:?}", report.faults);
            assert_eq!(report.replies, strategy.header.positions);
            assert!(report.positions > report.replies && report.replies > 500);
            assert!(bytes.len() < 6_000, "{} bytes", bytes.len());
            let start = Game::new(strategy.rules);
            assert_eq!(strategy.holds(&start), [true; 2], "from the start");
        }
    }

    #[test]
    fn who_plays_by_it_does_not_lose() {
        let (strategy, _) = ending_at(6);
        for (holder, salt) in Side::BOTH
            .into_iter()
            .flat_map(|side| (0..40).map(move |salt| (side, salt)))
        {
            let mut game = Game::new(strategy.rules);
            while game.outcome().is_none() && game.position().occupied().count() > 6 {
                let side = game.position().side();
                let mv = match side == holder {
                    true => strategy.reply(&game).expect("it has held"),
                    false => {
                        let moves = legal_moves(game.rules(), game.position());
                        moves[(split_mix(game.position().key() ^ salt) % moves.len() as u64)
                            as usize]
                    }
                };
                game.play(mv).expect("legal");
            }
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            assert_ne!(winner, Some(!holder));
            if game.outcome().is_none() {
                let value = PROOF.1.outcome(game.position()).expect("in the tables");
                let holds = Claim::of_outcome(value, game.position().side(), !holder);
                assert_eq!(holds, Claim::CannotWin);
            }
        }
    }

    #[test]
    fn nothing_is_said_of_other_games() {
        let (strategy, _) = ending_at(6);
        let start = Game::new(strategy.rules);
        let reply = strategy.reply(&start).expect("White holds");
        let mut others = 0;
        for &mv in &*legal_moves(start.rules(), start.position()) {
            let mut game = start.clone();
            game.play(mv).expect("legal");
            let [white, black] = strategy.holds(&game);
            let child = |mv| strategy.rules.canonical(&start.position().play(mv)).0;
            assert_eq!(white, child(mv) == child(reply));
            assert!(black, "Black has not moved");
            others += u32::from(!white);
        }
        assert!(others > 0);
        let elsewhere = Game::new(Rules {
            limit: 50,
            ..strategy.rules
        });
        assert_eq!(strategy.holds(&elsewhere), [false; 2]);
    }

    #[test]
    fn faults_are_found() {
        let (strategy, bytes) = ending_at(6);
        let with = |change: &dyn Fn(&mut Strategy)| {
            let mut other = strategy.clone();
            change(&mut other);
            other.verify(&PROOF.1)
        };
        let other_code = with(&|other| {
            other.header.codes[2]
                .iter_mut()
                .for_each(|(number, _)| *number ^= 1)
        });
        assert!(other_code.expect("the same tables").faults.count > 0);
        let other_count = with(&|other| other.header.positions += 1);
        assert_eq!(other_count.expect("the same tables").faults.count, 1);
        assert!(with(&|other| other.header.tables.clear()).is_err());
        for place in [0, 9, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            assert!(Strategy::from_bytes(&damaged).is_err(), "byte {place}");
        }
        assert!(Strategy::from_bytes(&bytes[..bytes.len() - 40]).is_err());
    }
}

//! Making strategies of what certificates prove, and checking them.

mod encode;
mod walk;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use vato_engine::board::{Move, Position, Side};
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::proofs::strategy::code::Code;
use vato_engine::proofs::strategy::{FORMAT, MOST_CODES, bit_key, code_of, key, numbered_moves};
use vato_engine::proofs::{CertificateFile, Claim, Node, Root, StrategyHeader};
use vato_engine::rules::{MoveList, Rules, legal_moves, position_outcome};
use vato_engine::tablebase::{Tablebases, Wdl};

use crate::tree::{Child, Tree};

pub use self::walk::{StrategyReport, verify_strategy};

/// The certificates may begin so many plies after the start of the rules.
const ROOT_PLIES: u32 = 2;

/// A reply: its number, and how many moves there are.
type Reply = (u16, usize);

/// The bytes of the file of a strategy that holds wherever one of the certificates says that the attacker cannot win,
/// and from the start of the rules if that follows. Where the certificates end in `tables`, it goes on to positions of at
/// most `leaf_stones`.
///
/// # Errors
///
/// If a certificate claims a win, is for other rules or other tables, or does not form a closed set.
pub fn make_strategy(
    certificates: &[CertificateFile],
    tables: &Arc<Tablebases>,
    leaf_stones: u32,
) -> Result<Vec<u8>, String> {
    let first = certificates.first().ok_or("no certificate")?;
    let rules = first.rules;
    for file in certificates {
        if file.header.claim != Claim::CannotWin || file.rules != rules {
            return Err(
                "expected certificates of the same rules that say who cannot win".to_owned(),
            );
        }
        file.require_tables(tables)?;
    }
    let (mut replies, mut roots) = (FxHashMap::default(), Vec::new());
    for holder in Side::BOTH {
        let proofs = certificates.iter().filter(|file| file.attacker != holder);
        let mut maker = Maker {
            tree: Tree {
                leaf_stones,
                ..Tree::new(&rules, tables, !holder)
            },
            proofs: proofs.collect(),
            replies: FxHashMap::default(),
            others: FxHashSet::default(),
        };
        for position in maker.roots()? {
            let fen = format_fen(&position, rules.board);
            roots.push(Root {
                fen,
                holds: holder.to_string(),
            });
            maker.collect(rules.canonical(&position).0)?;
        }
        replies.extend(maker.replies);
    }
    let tables = tables.digest(leaf_stones);
    encode(&rules, (leaf_stones, tables), roots, &replies)
}

fn encode(
    rules: &Rules,
    (stones, tables): (u32, String),
    roots: Vec<Root>,
    replies: &FxHashMap<Node, Reply>,
) -> Result<Vec<u8>, String> {
    let written = || replies.iter().filter(|(_, (_, count))| *count > 1);
    let mut frequencies = vec![Vec::<u64>::new(); MOST_CODES];
    for (_, &(number, count)) in written() {
        let (of, number) = (&mut frequencies[code_of(count)], usize::from(number));
        of.resize(of.len().max(number + 1), 0);
        of[number] += 1;
    }
    let codes: Vec<Code> = frequencies.iter().map(|of| encode::best(of)).collect();
    let mut bits = Vec::new();
    for (node, &(number, count)) in written() {
        let (key, word) = (key(node), encode::word(&codes[code_of(count)], number));
        let (word, length) = word.ok_or("a reply without a code word")?;
        let bit = |place| word >> (length - 1 - place) & 1 == 1;
        bits.extend((0..length).map(|place| (bit_key(key, place), bit(place))));
    }
    let header = StrategyHeader {
        rules: format!("{rules:#}"),
        roots,
        stones,
        tables,
        positions: replies.len() as u64,
        codes,
    };
    FORMAT.encode(
        &header,
        &encode::encode(bits).ok_or("two positions have the same key")?,
    )
}

/// Collects the positions that one side leads to.
struct Maker<'a> {
    tree: Tree,
    proofs: Vec<&'a CertificateFile>,
    replies: FxHashMap<Node, Reply>,
    /// Positions with the attacker to move.
    others: FxHashSet<Node>,
}

impl Maker<'_> {
    /// The start of the rules, if what is proven reaches up to it, else the roots of the certificates.
    fn roots(&self) -> Result<Vec<Position>, String> {
        if self.proofs.is_empty() {
            return Ok(Vec::new());
        }
        let (rules, start) = (&self.tree.rules, self.tree.rules.start());
        if self.reaches(&rules.canonical(&start).0, ROOT_PLIES) {
            return Ok(vec![start]);
        }
        let root = |file: &&CertificateFile| parse_fen(&file.header.root, rules.board);
        self.proofs.iter().map(root).collect()
    }

    /// Whether what is proven lies at most this many plies below, whatever the attacker plays.
    fn reaches(&self, node: &Node, plies: u32) -> bool {
        let rules = &self.tree.rules;
        let after = |mv| rules.canonical(&node.position().play(mv)).0;
        let mut children = numbered_moves(rules, node).into_iter().map(after);
        self.is_in_proof(node)
            || plies > 0
                && match node.side == self.tree.attacker {
                    true => children.all(|child| self.reaches(&child, plies - 1)),
                    false => children.any(|child| self.reaches(&child, plies - 1)),
                }
    }

    /// Whether a certificate or the tables say that the attacker does not win.
    fn holds(&self, node: &Node) -> bool {
        self.is_in_proof(node) || {
            let position = node.position();
            self.tree.tables.covers(&self.tree.rules, &position)
                && (self.tree.tables.outcome(&position)).is_some_and(|outcome| {
                    Claim::of_outcome(outcome, node.side, self.tree.attacker) == Claim::CannotWin
                })
        }
    }

    fn is_in_proof(&self, node: &Node) -> bool {
        self.proofs.iter().any(|file| file.find(node).is_some())
    }

    fn collect(&mut self, root: Node) -> Result<(), String> {
        let not_closed = |node: &Node| {
            let fen = format_fen(&node.position(), self.tree.rules.board);
            format!("the certificates do not say how to hold {fen}")
        };
        let (mut moves, mut children, mut open) = (MoveList::new(), Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            children.clear();
            if let Some(end) = position_outcome(&self.tree.rules, &node.position()) {
                match end.winner == Some(self.tree.attacker) {
                    true => return Err(not_closed(&node)),
                    false => continue,
                }
            }
            self.tree.expand(&node, &mut moves, &mut children);
            if node.side == self.tree.attacker {
                for child in &children {
                    match child.terminal {
                        Some(Claim::Wins) => return Err(not_closed(&node)),
                        Some(Claim::CannotWin) => {}
                        None => open.push(child.node),
                    }
                }
            } else if !self.replies.contains_key(&node) {
                let chosen = self.choose(&node, &mut moves);
                let (reply, child) = chosen.ok_or_else(|| not_closed(&node))?;
                self.replies.insert(node, reply);
                open.extend(child.filter(|&child| self.others.insert(child)));
            }
        }
        Ok(())
    }

    /// The reply that adds the fewest positions: one that ends in the tables, won, or drawn with the fewest moves that
    /// hold for the opponent; one that leads to what is there already; or else by what is proven, before what larger
    /// tables say. The second is the position to go on from.
    fn choose(&self, node: &Node, moves: &mut MoveList) -> Option<(Reply, Option<Node>)> {
        let (rules, position) = (&self.tree.rules, node.position());
        let list = numbered_moves(rules, node);
        let reply = |number: usize| (number as u16, list.len());
        let (mut drawn, mut inner) = (Vec::new(), Vec::new());
        for (number, &mv) in list.iter().enumerate() {
            let child = rules.canonical(&position.play(mv)).0;
            let terminal = mv.is_capture().then(|| self.tree.terminal(&child));
            match terminal.flatten() {
                Some(Claim::Wins) => {}
                Some(Claim::CannotWin)
                    if self.tree.tables.outcome(&child.position()) == Some(Wdl::Loss) =>
                {
                    return Some((reply(number), None));
                }
                Some(Claim::CannotWin) => drawn.push((number, child)),
                None => inner.push((number, child)),
            }
        }
        if let Some((number, _)) = drawn
            .iter()
            .min_by_key(|(_, child)| self.holding_moves(child))
        {
            return Some((reply(*number), None));
        }
        let known = inner.iter().find(|(_, child)| self.others.contains(child));
        let (number, child) = known.copied().or_else(|| {
            inner.retain(|(_, child)| self.holds(child));
            inner
                .into_iter()
                .min_by_key(|(_, child)| (!self.is_in_proof(child), self.added(child, moves)))
        })?;
        Some((reply(number), Some(child)))
    }

    /// How many moves of a position in the tables do not lose: the fewer, the more often the opponent errs.
    fn holding_moves(&self, node: &Node) -> usize {
        let (rules, position) = (&self.tree.rules, node.position());
        let holds = |mv: &&Move| {
            let after = position.play(**mv);
            after.own().is_empty() || self.tree.tables.outcome(&after) != Some(Wdl::Win)
        };
        legal_moves(rules, &position).iter().filter(holds).count()
    }

    /// How many positions a position of the attacker adds at once.
    fn added(&self, node: &Node, moves: &mut MoveList) -> usize {
        let mut children = Vec::new();
        self.tree.expand(node, moves, &mut children);
        let is_new =
            |child: &&Child| child.terminal.is_none() && !self.replies.contains_key(&child.node);
        children.iter().filter(is_new).count()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{Answer, Solver};
    use vato_engine::proofs::Strategy;
    use vato_engine::random::split_mix;
    use vato_engine::rules::{Game, parse_rules};

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
        let bytes = make_strategy(files, tables, stones).expect("closed");
        (Strategy::from_bytes(&bytes).expect("its own bytes"), bytes)
    }

    #[test]
    fn a_strategy_is_made_checked_and_followed() {
        // To tables of fewer stones than those of the certificates, too.
        for leaf_stones in [5, 6] {
            let (strategy, bytes) = ending_at(leaf_stones);
            let report = verify_strategy(&strategy, &PROOF.1).expect("its tables");
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
        for number in 0..80_u64 {
            let (holder, salt) = (Side::BOTH[number as usize % 2], number / 2);
            let mut game = Game::new(strategy.rules);
            while game.outcome().is_none() && game.position().occupied().count() > 6 {
                let side = game.position().side();
                let mv = match side == holder {
                    true => strategy.reply(&game).expect("it has held"),
                    false => {
                        let moves = legal_moves(game.rules(), game.position());
                        let random = split_mix(game.position().key() ^ salt);
                        moves[random as usize % moves.len()]
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
        let mut elsewhere = strategy.rules;
        elsewhere.limit = 50;
        assert_eq!(strategy.holds(&Game::new(elsewhere)), [false; 2]);
    }

    #[test]
    fn faults_are_found() {
        let (strategy, bytes) = ending_at(6);
        let with = |change: &dyn Fn(&mut Strategy)| {
            let mut other = strategy.clone();
            change(&mut other);
            verify_strategy(&other, &PROOF.1)
        };
        let other_code = with(&|other| {
            let numbers = other.header.codes[2].iter_mut();
            numbers.for_each(|(number, _)| *number ^= 1)
        });
        assert!(other_code.expect("the same tables").faults.count > 0);
        let other_count = with(&|other| other.header.positions += 1);
        assert_eq!(other_count.expect("the same tables").faults.count, 1);
        let lost = parse_fen("5/5/5/5/w4 w 0 2", strategy.rules.board).expect("a FEN");
        let lost = strategy.rules.canonical(&lost).0;
        let lost_root = with(&|other| {
            other.roots = vec![(lost, Side::Black)];
            other.header.positions = 0;
        });
        let faults = lost_root.expect("the same tables").faults;
        assert!(faults.named[0].starts_with("Black has lost"), "{faults:?}");
        assert!(with(&|other| other.header.tables.clear()).is_err());
        assert!(Strategy::from_bytes(&bytes[..bytes.len() - 40]).is_err());
    }
}

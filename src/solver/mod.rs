//! The solver: proves whether a side can force a win, and hands the proof out.
//!
//! A [`Solver`] answers one kind of question: can this side, the *attacker*, force a win from this position?
//! Two of them give the value of a position. It searches by proof numbers, with endgame tables at the leaves
//! (a position of the tree reaches them by a capture), and takes an answer for true only once its proof has
//! closed in memory: a [`Certificate`], which [`CertificateFile::verify`] checks by the rules and the tables
//! alone. Play that never ends is no win, so repetition helps the defender; the no-capture limit does, too,
//! and a win is one only if it keeps the limit.
//!
//! Rules without tables (`tie=count`, the vela) and `repeat=1` are refused.

mod certificate;
mod checkpoint;
mod file;
mod first_numbers;
mod groups;
mod proof_table;
mod search;
mod tree;
mod verify;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use thiserror::Error;

pub use self::certificate::{Certificate, CertificateHeader, Claim};
pub use self::file::CertificateFile;
pub use self::verify::Faults;

use self::certificate::certify;
use self::search::{Shared, Status, Worker};
use self::tree::{Node, Tree};
use crate::board::{Move, Position, Side};
use crate::container::ContainerError;
use crate::rules::{Game, Rules};
use crate::tablebase::{Tablebases, Wdl};

/// Bytes of stack of a thread that solves, which recurses as deep as the longest line: a page is taken only
/// when it is touched.
const STACK_BYTES: usize = 1 << 29;

/// Why there is no solver.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The tables are for other rules.
    #[error("the tables are not for these rules")]
    Tables,
    /// Every position would end the game.
    #[error("repeat=1 is not supported: every position ends the game")]
    Repeat,
    /// A win in the tables may take longer than the no-capture limit.
    #[error("the tables have conversions of {longest} plies, more than limit={limit} allows")]
    Limit {
        /// The longest.
        longest: u32,
        /// The limit of the rules.
        limit: u16,
    },
    /// No memory for the table.
    #[error("no memory for a table of {0} MiB")]
    Memory(usize),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A checkpoint cannot be read or written, or is of something else.
    #[error(transparent)]
    Checkpoint(#[from] ContainerError),
}

/// How far a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes searched for it.
    pub nodes: u64,
    /// Proof number of the root: the least number of leaves that would have to be won for a win.
    pub proof: u32,
    /// Disproof number: the same for the defender.
    pub disproof: u32,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The attacker wins, or cannot win: the claim of the certificate.
    Settled(Certificate),
    /// The tables know the position itself.
    Known(Claim),
    /// Not settled before the end, or a win that cannot be shown to keep the no-capture limit.
    Unknown,
}

impl Answer {
    /// What was proved, if anything was.
    #[must_use]
    pub fn claim(&self) -> Option<Claim> {
        match self {
            Answer::Settled(certificate) => Some(certificate.header.claim),
            Answer::Known(claim) => Some(*claim),
            Answer::Unknown => None,
        }
    }
}

/// Answers questions; what it has learned for one helps with the next ones about the same attacker.
pub struct Solver {
    rules: Rules,
    tables: Arc<Tablebases>,
    threads: usize,
    shared: Shared,
}

impl Solver {
    /// A solver with a table of `hash_mib` MiB and so many threads (1 to 1,024).
    ///
    /// # Errors
    ///
    /// As [`SolveError`] says.
    pub fn new(
        rules: &Rules,
        tables: Arc<Tablebases>,
        hash_mib: usize,
        threads: usize,
    ) -> Result<Solver, SolveError> {
        if !tables.fit(rules) {
            return Err(SolveError::Tables);
        }
        if rules.repeat == 1 {
            return Err(SolveError::Repeat);
        }
        let longest = tables.longest();
        if rules.limit != 0 && longest > u32::from(rules.limit) {
            let limit = rules.limit;
            return Err(SolveError::Limit { longest, limit });
        }
        let threads = threads.clamp(1, 1024);
        let shared = Shared::new(rules, hash_mib, threads).ok_or(SolveError::Memory(hash_mib))?;
        Ok(Solver {
            rules: *rules,
            tables,
            threads,
            shared,
        })
    }

    /// Nodes searched for all questions so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Whether `attacker` can force a win from the current position of `game`, until about `limit` nodes have been
    /// searched for it or `stop` is set. `tell` is told now and then how far it is. With one thread the nodes do not
    /// depend on the clock unless `stop` is set.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn can_win(
        &self,
        game: &Game,
        attacker: Side,
        limit: u64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Answer, SolveError> {
        let position = game.position();
        let tree = Tree {
            rules: self.rules,
            tables: Arc::clone(&self.tables),
            attacker,
        };
        if let Some(claim) = self.known(position, attacker) {
            return Ok(Answer::Known(claim));
        }
        let root = Node::of(&self.rules, position);
        let (shared, threads) = (&self.shared, self.threads);
        shared.stop.store(false, Ordering::Relaxed);
        shared
            .limit
            .store(self.nodes().saturating_add(limit), Ordering::Relaxed);
        let certificate = thread::scope(|scope| {
            let mut workers = Vec::new();
            for thread in 0..self.threads {
                let tree = &tree;
                let work = move || {
                    let mut worker = Worker::new(shared, tree, thread);
                    let claim = match worker.settle(root) {
                        Status::Open { .. } => return None,
                        Status::Won { .. } => Claim::Wins,
                        Status::Held(_) => Claim::CannotWin,
                    };
                    // Only the first that comes here walks the proof; the others end.
                    if shared.stop.swap(true, Ordering::Relaxed) {
                        return None;
                    }
                    Some(claim)
                };
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                workers.push(
                    builder
                        .spawn_scoped(scope, work)
                        .map_err(SolveError::Thread)?,
                );
            }
            while !workers.iter().all(|worker| worker.is_finished()) {
                thread::park_timeout(Duration::from_millis(5));
                if stop.load(Ordering::Relaxed) {
                    shared.stop.store(true, Ordering::Relaxed);
                }
                self.tell_now_and_then(tell);
            }
            let claims = workers
                .into_iter()
                .filter_map(|worker| worker.join().ok().flatten());
            let Some(claim) = claims.last() else {
                return Ok::<_, SolveError>(None);
            };
            // Entries that were replaced are searched again, as deep as before.
            shared.stop.store(false, Ordering::Relaxed);
            shared.limit.store(u64::MAX, Ordering::Relaxed);
            let tree = &tree;
            let walk = move || {
                let mut worker = Worker::new(shared, tree, threads);
                certify(&mut worker, tree, position, claim)
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let walking = builder
                .spawn_scoped(scope, walk)
                .map_err(SolveError::Thread)?;
            while !walking.is_finished() {
                thread::park_timeout(Duration::from_millis(5));
                if stop.load(Ordering::Relaxed) {
                    shared.stop.store(true, Ordering::Relaxed);
                }
                self.tell_now_and_then(tell);
            }
            Ok(walking.join().ok().flatten())
        })?;
        Ok(match certificate {
            Some(certificate) if self.fits(&certificate, &root, game) => {
                Answer::Settled(certificate)
            }
            _ => Answer::Unknown,
        })
    }

    fn tell_now_and_then(&self, tell: &mut dyn FnMut(Progress)) {
        let [proof, disproof] = [0, 1].map(|place| self.shared.root[place].load(Ordering::Relaxed));
        tell(Progress {
            nodes: self.nodes(),
            proof,
            disproof,
        });
    }

    /// What tables or rules say of a position without a search.
    fn known(&self, position: &Position, attacker: Side) -> Option<Claim> {
        let won = if position.own().is_empty() || position.enemy().is_empty() {
            position.stones(!attacker).is_empty()
        } else {
            if !self.tables.covers(&self.rules, position) {
                return None;
            }
            let value = self.tables.value(position)?;
            let late = value.exceeds_limit(position.halfmove_clock(), self.rules.limit);
            let winner = match value.wdl {
                Wdl::Win => Some(position.side()),
                Wdl::Loss => Some(!position.side()),
                Wdl::Draw => None,
            };
            !late && winner == Some(attacker)
        };
        Some(match won {
            true => Claim::Wins,
            false => Claim::CannotWin,
        })
    }

    /// Whether a win keeps the no-capture limit, and none of its positions would end the game by repetition
    /// because it occurred before.
    fn fits(&self, certificate: &Certificate, root: &Node, game: &Game) -> bool {
        if certificate.header.claim == Claim::CannotWin {
            return true;
        }
        let limit = u32::from(self.rules.limit);
        let first = certificate.rank_of(root).unwrap_or(u32::MAX);
        let first = first.saturating_add(game.position().halfmove_clock().into());
        let in_time = limit == 0 || certificate.longest_rank() <= limit && first <= limit;
        in_time && !self.repeats(certificate, game)
    }

    /// Whether a position of the certificate has occurred since the last capture, and coming there again ends
    /// the game. (Within the certificate nothing is repeated.)
    fn repeats(&self, certificate: &Certificate, game: &Game) -> bool {
        let (rules, played) = (&self.rules, game.moves().len());
        let since = game.keys_since_capture().len() - 1;
        let earlier = (played - since..played).map(|plies| game.truncated(plies));
        let mut earlier: Vec<Position> = earlier.map(|game| *game.position()).collect();
        earlier.push(*game.position());
        earlier.iter().any(|position| {
            let key = rules.key(position);
            let times = earlier
                .iter()
                .filter(|other| rules.key(other) == key)
                .count();
            let ends = rules.repeat != 0 && times + 1 >= usize::from(rules.repeat);
            let is_root = key == rules.key(game.position());
            ends && !is_root && certificate.record(&Node::of(rules, position)).is_some()
        })
    }

    /// A line of play by the certificate: the side with the choice plays its moves, the other one those that take
    /// longest. Ends at the tables, and where a position comes again.
    #[must_use]
    pub fn line(&self, certificate: &Certificate, position: &Position) -> Vec<Move> {
        certificate.line(&self.rules, position)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::container;
    use crate::rules::parse_rules;

    fn tables(rules: &Rules, stones: u32) -> Arc<Tablebases> {
        Arc::new(Tablebases::solve(rules, stones, 1 << 20).expect("tables"))
    }

    fn can_win(solver: &Solver, position: &Position, attacker: Side) -> Answer {
        let stop = AtomicBool::new(false);
        solver
            .can_win(
                &Game::from_position(solver.rules, *position),
                attacker,
                u64::MAX,
                &stop,
                &mut |_| (),
            )
            .expect("threads")
    }

    fn faults(path: &Path, tables: &Arc<Tablebases>) -> Faults {
        let file = CertificateFile::open(path).expect("a certificate");
        file.verify(tables, &|_| ()).expect("the right tables")
    }

    /// Published, and counted by retrograde analysis: White wins on 3x3 and 5x3, 5x5 is a draw.
    #[test]
    fn small_boards_have_their_values() {
        let folder = tempfile::tempdir().expect("a folder");
        for (board, stones, white_wins) in [
            ("3x3", 2, true),
            ("3x3", 4, true),
            ("5x3", 4, true),
            ("3x5", 4, true),
            ("5x5", 4, false),
        ] {
            let rules = parse_rules(&format!("board={board}")).expect("rules");
            let tables = tables(&rules, stones);
            for threads in [1, 2] {
                let solver =
                    Solver::new(&rules, Arc::clone(&tables), 16, threads).expect("a solver");
                for side in Side::BOTH {
                    let wins = white_wins && side == Side::White;
                    let Answer::Settled(certificate) = can_win(&solver, &rules.start(), side)
                    else {
                        panic!("{board}, {side}");
                    };
                    let claim = if wins { Claim::Wins } else { Claim::CannotWin };
                    assert_eq!(certificate.header.claim, claim, "{board}, {side}");
                    let path = folder.path().join("proof");
                    certificate.write(&path).expect("room");
                    assert_eq!(faults(&path, &tables), Faults::default(), "{board}, {side}");
                    assert!(!solver.line(&certificate, &rules.start()).is_empty());
                }
            }
        }
    }

    /// Random positions of three to five stones with White to move.
    fn positions(rules: &Rules, count: usize) -> Vec<Position> {
        let points: Vec<_> = rules.board.points().into_iter().collect();
        let mut number = 1_u64;
        let mut found = Vec::new();
        while found.len() < count {
            number = crate::random::split_mix(number);
            let mut stones = [crate::board::Bitboard::EMPTY; 2];
            for shift in 0..5 {
                let point = points[(number >> (8 * shift)) as usize % 256 % points.len()];
                stones[(number >> (50 + shift)) as usize & 1] |= point.into();
            }
            let position = Position::new(stones, Side::White, 0, 2);
            let is_over = position.own().is_empty() || position.enemy().is_empty();
            if !is_over && !stones[0].intersects(stones[1]) && position.occupied().count() >= 3 {
                found.push(position);
            }
        }
        found
    }

    /// What larger tables say.
    fn expected(tables: &Tablebases, position: &Position, attacker: Side) -> Claim {
        let wins = if attacker == Side::White {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        match tables.value(position).expect("covered").wdl == wins {
            true => Claim::Wins,
            false => Claim::CannotWin,
        }
    }

    /// With small tables at the leaves, positions of more stones have the values of larger tables.
    #[test]
    fn values_are_those_of_larger_tables() {
        for rules in [
            "board=3x3",
            "board=3x3 blocked=draw",
            "board=5x3 chain=full",
            "board=3x5 capture=free",
            "board=3x3 chain=single direction=any",
            "board=5x3",
        ] {
            let rules = parse_rules(rules).expect("rules");
            let (few, many) = (tables(&rules, 2), tables(&rules, 5));
            let solver = Solver::new(&rules, few, 16, 1).expect("a solver");
            for position in positions(&rules, 60) {
                for side in Side::BOTH {
                    let claim = can_win(&solver, &position, side).claim();
                    let expected = expected(&many, &position, side);
                    assert_eq!(claim, Some(expected), "{rules} {position:?} {side}");
                }
            }
        }
    }

    /// Without groups, what is held because it repeats a position of the path would spoil the table: sets do
    /// not close, and won positions count as held.
    #[test]
    fn history_cannot_be_ignored() {
        let rules = parse_rules("board=5x3 capture=free").expect("rules");
        let (few, many) = (tables(&rules, 2), tables(&rules, 5));
        let wrong = |is_naive| {
            let mut solver = Solver::new(&rules, Arc::clone(&few), 16, 1).expect("a solver");
            solver.shared.is_naive = is_naive;
            let asked = positions(&rules, 300).into_iter();
            let asked = asked.flat_map(|position| Side::BOTH.map(|side| (position, side)));
            let wrong = asked.filter(|(position, side)| {
                can_win(&solver, position, *side).claim() != Some(expected(&many, position, *side))
            });
            wrong.count()
        };
        assert_eq!(wrong(false), 0);
        assert!(wrong(true) > 0);
    }

    #[test]
    fn a_limit_of_nodes_holds() {
        let rules = parse_rules("board=5x5").expect("rules");
        let tables = tables(&rules, 2);
        let searched = || {
            let solver = Solver::new(&rules, Arc::clone(&tables), 16, 1).expect("a solver");
            let (game, stop) = (Game::new(rules), AtomicBool::new(false));
            let answer = solver.can_win(&game, Side::White, 1_000, &stop, &mut |_| ());
            assert!(answer.expect("a thread").claim().is_none());
            solver.nodes()
        };
        assert!((1_000..1_512).contains(&searched()), "{}", searched());
        assert_eq!(searched(), searched());
    }

    #[test]
    fn other_tables_and_damaged_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("proof");
        let rules = parse_rules("board=3x3").expect("rules");
        let tables_of = |stones| tables(&rules, stones);
        let solver = Solver::new(&rules, tables_of(4), 1, 1).expect("a solver");
        let Answer::Settled(proof) = can_win(&solver, &rules.start(), Side::White) else {
            panic!("it is won");
        };
        proof.write(&path).expect("room");
        let file = CertificateFile::open(&path).expect("a certificate");
        let error = file
            .verify(&tables_of(3), &|_| ())
            .expect_err("fewer stones");
        assert_eq!(error, "tables of 3 stones, expected 4");
        let dimy = parse_rules("dimy").expect("rules");
        assert!(file.verify(&tables(&dimy, 2), &|_| ()).is_err());
        let mut bytes = std::fs::read(&path).expect("there");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        container::save(&path, &bytes).expect("room");
        assert!(CertificateFile::open(&path).is_err());
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let rules = parse_rules("board=3x3").expect("rules");
        let new = |text: &str| {
            let rules = parse_rules(text).expect("rules");
            Solver::new(
                &rules,
                tables(&parse_rules("board=3x3").expect("rules"), 2),
                1,
                1,
            )
            .map(drop)
        };
        assert!(matches!(
            new("board=3x3 tie=count"),
            Err(SolveError::Tables)
        ));
        assert!(matches!(new("board=3x3 repeat=1"), Err(SolveError::Repeat)));
        assert!(matches!(
            new("board=3x3 limit=1"),
            Err(SolveError::Limit { .. })
        ));
        // Stopped before it begins, nothing is settled.
        let solver = Solver::new(&rules, tables(&rules, 2), 1, 1).expect("a solver");
        let stop = AtomicBool::new(true);
        let answer = solver.can_win(&Game::new(rules), Side::White, u64::MAX, &stop, &mut |_| ());
        assert!(answer.is_ok());
    }
}

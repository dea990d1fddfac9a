//! Checkpoints: the entries of large subtrees in a file.
//!
//! The body is pairs of words, little-endian: the key and the entry of a node in the proof table. Disproofs that depend
//! on the path of a running search are left out.

use std::path::Path;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::{SolveError, Solver};
use crate::conditions::other_conditions;
use crate::files::save;
use vato_engine::container::{Checksum, ContainerError, Format};
use vato_engine::notation::format_fen;
use vato_engine::rules::Game;

/// The most entries of a checkpoint, 16 bytes each: half a gigabyte.
const MOST_ENTRIES: usize = 32_000_000;
/// If more than one in so many entries has no room, the table is too small.
const LOST_PART: usize = 8;
/// Entries of fewer nodes are left out: searching them again is fast.
const LEAST_NODES: u64 = 32;

const FORMAT: Format = Format {
    name: "a checkpoint of the solver",
    magic: *b"VATOSOLV",
    version: 2,
    checksum: Checksum::Crc32,
    max_bytes: 1 << 29,
};

/// What the work is for, and how much of it is done. The entries are valid for the rules and the tables.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// The rules string, every key written out.
    rules: String,
    /// The FEN of the position that the questions are about.
    position: String,
    /// The most stones of the tables at the leaves.
    stones: u32,
    tables: String,
    nodes: u64,
    seconds: f64,
}

impl Solver {
    /// Writes the entries of large subtrees, replacing a checkpoint at this path. The work is for the current position of
    /// `game`; `time` is that spent so far, in seconds.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_checkpoint(&self, path: &Path, game: &Game, time: f64) -> Result<(), SolveError> {
        // No thread has this number, so groups on a path are void.
        let is_confirmed = |group| self.shared.groups.dependence(group, usize::MAX).is_some();
        let table = &self.shared.table;
        let entries = table.largest(MOST_ENTRIES, LEAST_NODES, is_confirmed);
        let mut entries = entries.map_err(|error| ContainerError::write(path)(error.into()))?;
        for word in entries.as_flattened_mut() {
            *word = word.to_le();
        }
        let bytes = FORMAT.encode(&self.header(game, time), bytemuck::cast_slice(&entries));
        Ok(save(path, &bytes.map_err(ContainerError::content(path))?)?)
    }

    /// Reads a checkpoint into the table. Returns the time spent for it in seconds; its nodes are added to
    /// [`Solver::nodes`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, is for another position, other rules or tables, or has far more entries than
    /// the table.
    pub fn read_checkpoint(&self, path: &Path, game: &Game) -> Result<f64, SolveError> {
        let bytes = FORMAT.load(path)?;
        let (header, body): (Header, _) = FORMAT
            .decode(&bytes, |_| None)
            .map_err(ContainerError::content(path))?;
        let mut own = Header {
            nodes: header.nodes,
            ..self.header(game, header.seconds)
        };
        if (&header.rules, header.stones) != (&own.rules, own.stones) {
            // Which have other tables.
            own.tables.clone_from(&header.tables);
        }
        if let Some(all) = other_conditions(&header, &own) {
            let what = format!("begun with other settings: {all}");
            return Err(ContainerError::content(path)(what).into());
        }
        let (words, _) = body.as_chunks::<8>();
        let pairs = words.chunks_exact(2);
        let (count, mut lost) = (pairs.len(), 0);
        for pair in pairs {
            let pair = [pair[0], pair[1]].map(u64::from_le_bytes);
            lost += usize::from(self.shared.table.restore(pair));
        }
        // The next checkpoint will lack these entries.
        let what = format!("{lost} of {count} entries do not fit into the table (--hash)");
        if lost > count / LOST_PART {
            return Err(ContainerError::content(path)(what).into());
        }
        if lost > 0 {
            log::warn!("{}: {what}", path.display());
        }
        self.shared.nodes.fetch_add(header.nodes, Ordering::Relaxed);
        Ok(header.seconds)
    }

    fn header(&self, game: &Game, seconds: f64) -> Header {
        Header {
            rules: format!("{:#}", self.rules),
            position: format_fen(game.position(), self.rules.board),
            stones: self.tables.stones(),
            tables: self.tables.digest(self.tables.stones()),
            nodes: self.nodes(),
            seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::Answer;
    use crate::proof_table::{Entry, Status};
    use vato_engine::board::Side;
    use vato_engine::proofs::Claim;
    use vato_engine::random::split_mix;
    use vato_engine::rules::parse_rules;
    use vato_engine::tablebase::Tablebases;

    fn solver(rules: &str, stones: u32) -> Solver {
        let rules = parse_rules(rules).expect("rules");
        let tables = Tablebases::solve(&rules, stones, 1 << 20, &|| true).expect("tables");
        Solver::new(&rules, Arc::new(tables), 16, 1).expect("a solver")
    }

    fn ask(solver: &Solver) -> Result<Answer, SolveError> {
        let (game, stop) = (Game::new(solver.rules), AtomicBool::new(false));
        solver.can_win(&game, Side::White, u64::MAX, &stop, &mut |_| ())
    }

    #[test]
    fn what_is_settled_is_not_searched_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let nodes = |solver: &Solver| {
            let before = solver.nodes();
            let claim = ask(solver).expect("a thread").claim();
            assert_eq!(claim, Some(Claim::CannotWin));
            solver.nodes() - before
        };
        let first = solver("board=5x5", 3);
        let start = Game::new(first.rules);
        let searched = nodes(&first);
        first.write_checkpoint(&path, &start, 1.5).expect("room");
        let second = solver("board=5x5", 3);
        assert_eq!(
            second.read_checkpoint(&path, &start).expect("the same"),
            1.5
        );
        assert_eq!(second.nodes(), first.nodes());
        // The root is in the table; the small subtrees of its proof are searched again.
        let again = nodes(&second);
        assert!(again < searched / 2, "{again} of {searched} nodes");

        for (other, what) in [
            (solver("board=5x5", 2), "settings: stones 3 there, 2 here"),
            (solver("board=5x5 blocked=draw", 3), "blocked=draw"),
        ] {
            let game = Game::new(other.rules);
            let error = other.read_checkpoint(&path, &game);
            let error = error.expect_err(what).to_string();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let large = solver("board=3x3", 2);
        let start = Game::new(large.rules);
        let small = Solver::new(&large.rules, Arc::clone(&large.tables), 1, 1).expect("a solver");
        for (count, fits) in [(20_000, true), (40_000, true), (100_000, false)] {
            for key in 0..count {
                let entry = Entry::new(Status::Disproven(None), 100);
                large.shared.table.put(split_mix(key), entry);
            }
            large.write_checkpoint(&path, &start, 1.5).expect("room");
            large.read_checkpoint(&path, &start).expect("it is its own");
            match small.read_checkpoint(&path, &start) {
                Ok(_) => assert!(fits, "{count}"),
                Err(error) => {
                    assert!(!fits && error.to_string().contains("--hash"), "{error}");
                }
            }
        }
    }

    /// The checksum detects truncated and changed files, as the container's tests have it; wrong entries in a file with a
    /// valid checksum cause no wrong proof.
    #[test]
    fn damaged_checkpoints_do_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let first = solver("board=5x3", 3);
        let start = Game::new(first.rules);
        let Ok(Answer::Settled(proof)) = ask(&first) else {
            panic!("it is solved");
        };
        assert_eq!(proof.header.claim, Claim::Wins);
        first.write_checkpoint(&path, &start, 1.5).expect("room");
        let whole = std::fs::read(&path).expect("written");
        std::fs::write(&path, &whole[..whole.len() - 1]).expect("room");
        let error = first.read_checkpoint(&path, &start).expect_err("damaged");
        assert!(matches!(error, SolveError::Checkpoint(_)), "{error}");

        let (_, body): (Header, &[u8]) = FORMAT.decode(&whole, |_| None).expect("whole");
        let (mut closed, mut open) = (0, 0);
        for seed in 0..30_u64 {
            let mut body = body.to_vec();
            let odd = 1 + seed % 10;
            for (place, entry) in (seed << 32..).zip(body.as_chunks_mut::<16>().0) {
                let random = split_mix(place);
                if random.is_multiple_of(odd) {
                    entry[8..].copy_from_slice(&split_mix(random).to_le_bytes());
                }
            }
            body.truncate(body.len() - seed as usize % 20);
            let second = solver("board=5x3", 3);
            let bytes = FORMAT
                .encode(&second.header(&start, 0.0), &body)
                .expect("short");
            std::fs::write(&path, bytes).expect("room");
            let read = second.read_checkpoint(&path, &start);
            read.expect("the checksum is right");
            match ask(&second) {
                Ok(Answer::Settled(proof)) => {
                    assert_eq!(proof.header.claim, Claim::Wins, "{seed}");
                    closed += 1;
                }
                Err(SolveError::Open) => open += 1,
                other => panic!("{seed}: {other:?}"),
            }
        }
        println!("{closed} proofs, {open} that do not close");
        assert!(closed > 0 && open > 0);
    }
}

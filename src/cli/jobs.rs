//! `vato solve --split`, `--job` and `--join`: a question divided among machines.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vato_engine::board::{Position, Side};
use vato_engine::counted;
use vato_engine::files::{self, read_text, with_extension};
use vato_engine::notation::{format_fen, read_position};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::solver::{CertificateFile, Solver};

use super::support::failure::Failure;

/// The fewest nodes of a job: a second or two.
const LEAST_NODES: u64 = 1 << 20;

/// A line of a file of jobs: a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    /// The results: NAME.work, a checkpoint, and once it is settled NAME.white or NAME.black, a certificate.
    pub(super) name: PathBuf,
    pub(super) rules: String,
    pub(super) fen: String,
    /// The side that wants to win, as in `--attacker`.
    pub(super) attacker: String,
    /// It ends after about this many nodes.
    pub(super) nodes: u64,
    /// The checkpoint of the whole question, with which it begins.
    pub(super) from: PathBuf,
}

impl Job {
    /// Reads a line; an error names what is wrong.
    pub(super) fn parse(line: &str) -> Result<Job, String> {
        let job: Job = serde_json::from_str(line)
            .map_err(|error| format!("{error}; expected a line of a file of jobs"))?;
        job.question().map(|_| job)
    }

    pub(super) fn question(&self) -> Result<(Rules, Position, Side), String> {
        let is_attacker = |side: &Side| side.to_string().to_lowercase() == self.attacker;
        let attacker = Side::BOTH.into_iter().find(is_attacker);
        let attacker = attacker.ok_or("attacker: expected white or black")?;
        let rules = parse_rules(&self.rules).map_err(|error| error.to_string())?;
        let position = read_position(&self.fen, rules.board).map_err(|error| error.to_string())?;
        Ok((rules, position, attacker))
    }

    pub(super) fn checkpoint(&self) -> PathBuf {
        with_extension(&self.name, "work")
    }
}

/// Jobs that have been joined.
#[derive(Default)]
pub(super) struct Joined {
    /// Those without a result.
    missing: Vec<Job>,
    /// The number of the last one.
    last: u64,
}

/// Puts the results of jobs into the table of `solver`, and tells how many there are.
pub(super) fn join(path: &Path, solver: &Solver) -> Result<Joined, Failure> {
    let text = read_text(path).map_err(Failure::cannot_read(path.display()))?;
    let (mut joined, mut settled, mut open) = (Joined::default(), 0_u64, 0_u64);
    for (number, line) in (1_usize..).zip(text.lines()) {
        let job = Job::parse(line)
            .map_err(|error| Failure::Error(format!("{}:{number}: {error}", path.display())))?;
        let last = job.name.to_string_lossy();
        let last = last.rsplit('-').next().and_then(|last| last.parse().ok());
        joined.last = joined.last.max(last.unwrap_or(0));
        let (work, proof) = (job.checkpoint(), with_extension(&job.name, &job.attacker));
        let [has_work, has_proof] = [&work, &proof].map(|path| path.exists());
        if has_work {
            solver.read_checkpoint(&work, true)?;
        }
        if has_proof {
            let file = CertificateFile::open(&proof)?;
            let failure = |error| Failure::Error(format!("{}: {error}", proof.display()));
            solver.read_certificate(&file).map_err(failure)?;
        }
        match (has_proof, has_work) {
            (true, _) => settled += 1,
            (false, true) => open += 1,
            (false, false) => joined.missing.push(job),
        }
    }
    let missing = joined.missing.len();
    let settled = counted(settled, "job", "jobs");
    let told = format!("{settled} settled, {open} open, {missing} without a result");
    // With standard error closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{}: {told}", path.display());
    Ok(joined)
}

/// Checks that jobs can be written to `out`; a file of other contents is not replaced.
pub(super) fn require_room(out: &Path) -> Result<(), Failure> {
    files::replaceable(out, br#"{"name":"#)
        .and_then(|()| fs::metadata(files::folder_of(out)).map(drop))
        .map_err(Failure::cannot_write(out))
}

/// Adds jobs to those without a result: the positions that matter most to the question of `like`, whose name the new ones
/// have with a number. Writes all of them to the file of that name, and returns how many there are.
pub(super) fn write(
    like: &Job,
    joined: Joined,
    solver: &Solver,
    count: usize,
) -> Result<usize, Failure> {
    let (rules, position, attacker) = like.question().map_err(Failure::Error)?;
    let nodes = LEAST_NODES.max(solver.nodes() / count as u64);
    let mut jobs = joined.missing;
    let frontier = solver.frontier(&position, attacker, count);
    for (number, position) in (joined.last + 1..).zip(frontier) {
        let fen = format_fen(&position, rules.board);
        if jobs.iter().all(|job| job.fen != fen) {
            let name = PathBuf::from(format!("{}-{number}", like.name.display()));
            jobs.push(Job {
                name,
                fen,
                nodes,
                ..like.clone()
            });
        }
    }
    let mut text = String::new();
    for job in &jobs {
        text += &(serde_json::to_string(job)? + "\n");
    }
    files::replace(&like.name, |file| file.write_all(text.as_bytes()))
        .map_err(Failure::cannot_write(&like.name))?;
    Ok(jobs.len())
}

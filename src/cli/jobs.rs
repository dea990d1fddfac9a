//! `vato solve --split`, `--job` and `--join`: a question divided among machines.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use vato_engine::board::{Position, Side};
use vato_engine::container::ContainerError;
use vato_engine::counted;
use vato_engine::files::{self, Lock, read_text, with_extension};
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
    /// The search ends after about this many nodes.
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

/// Puts the results of jobs into the table of `solver`, and tells how many there are. Returns the jobs without one.
pub(super) fn join(path: &Path, solver: &Solver) -> Result<Vec<Job>, Failure> {
    let text = read_text(path).map_err(Failure::cannot_read(path.display()))?;
    let (mut missing, mut settled, mut open) = (Vec::new(), 0_u64, 0_u64);
    let lines = (1_usize..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let job = Job::parse(line)
            .map_err(|error| Failure::Error(format!("{}:{number}: {error}", path.display())))?;
        let (work, proof) = (job.checkpoint(), with_extension(&job.name, &job.attacker));
        let is_settled = proof.exists();
        if is_settled {
            let file = CertificateFile::open(&proof)?;
            let failure = |error| Failure::Error(format!("{}: {error}", proof.display()));
            solver.read_certificate(&file, &job.fen).map_err(failure)?;
        }
        let read = match work.exists().then(|| Lock::take(&work)).transpose() {
            Ok(lock) => lock.map(|_lock| solver.read_checkpoint(&work, true)),
            // A job that runs has locked it.
            Err(ContainerError::Content(..)) => None,
            Err(_) if is_settled => None,
            Err(error) => {
                let expected =
                    "results are locked while they are read, so their folder has to be writable";
                return Err(Failure::Error(format!("{error}; {expected}")));
            }
        };
        if let Some(Err(error)) = &read {
            let _ = writeln!(io::stderr(), "left out: {error}");
        }
        match (is_settled, read) {
            (true, _) => settled += 1,
            (false, Some(Ok(_))) => open += 1,
            _ => missing.push(job),
        }
    }
    let missed = missing.len();
    let settled = counted(settled, "job", "jobs");
    let told = format!("{settled} settled, {open} open, {missed} without a result");
    // With standard error closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{}: {told}", path.display());
    Ok(missing)
}

/// Checks that jobs can be written to `out`; a file of other contents is not replaced.
pub(super) fn require_room(out: &Path) -> Result<(), Failure> {
    files::replaceable(out, br#"{"name":"#)
        .and_then(|()| fs::metadata(files::folder_of(out)).map(drop))
        .map_err(Failure::cannot_write(out))
}

/// Adds jobs to those without a result: the positions that matter most to the question of `like`, whose name the new ones
/// have, with two numbers. Writes all of them to the file of that name, and returns how many there are.
pub(super) fn write(
    like: &Job,
    mut jobs: Vec<Job>,
    solver: &mut Solver,
    count: usize,
) -> Result<usize, Failure> {
    let (rules, position, attacker) = like.question().map_err(Failure::Error)?;
    let nodes = LEAST_NODES.max(solver.nodes() / count as u64);
    let frontier = solver.frontier(&position, attacker, count);
    for (number, position) in (1_u64..).zip(frontier) {
        let fen = format_fen(&position, rules.board);
        if jobs.iter().all(|job| job.fen != fen) {
            // No later round has as many nodes.
            let name = format!("{}-{}-{number}", like.name.display(), solver.nodes());
            let name = PathBuf::from(name);
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

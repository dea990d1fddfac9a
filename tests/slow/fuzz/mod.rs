//! Random sessions against the built binary: bytes that mean nothing, commands
//! in every order, good and bad.
//!
//! Whatever a session does, the engine must not crash or hang, must answer each
//! `go` with exactly one `bestmove`, must print nothing malformed, must be alive
//! at the end and leave with status 0. What it answers is tested elsewhere.
//!
//! A session is made from its seed alone. When one fails, its script and its
//! transcript are written to a file in the directory for temporary test files,
//! and the seed is printed; `VATO_FUZZ_SEED=… cargo test --test slow fuzz::short` runs
//! that session again. The long run is ignored by default:
//!
//! ```text
//! cargo test --release --test slow fuzz -- --ignored --nocapture
//! ```
//!
//! It lasts `VATO_FUZZ_SECONDS` (600 by default) and begins at `VATO_FUZZ_SEED`
//! or, without that, at a seed taken from the clock.
//!
//! Files of tablebases are input too; they are damaged in [`tablebase`], in short
//! and long runs of the same kind.

mod grammar;
mod script;
mod session;
mod tablebase;

use std::env;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grammar::Book;

/// Runs sessions for some time, from one seed on; stops at the first failure.
fn fuzz(first_seed: u64, time: Duration) {
    let book = Book::learn();
    let start = Instant::now();
    let mut seed = first_seed;
    let mut searches = 0;
    while seed == first_seed || start.elapsed() < time {
        match session::run(seed, &book) {
            Ok(count) => searches += count,
            Err(failure) => report(seed, &failure),
        }
        seed += 1;
    }
    println!(
        "{} sessions with {searches} searches, seeds {first_seed} to {}",
        seed - first_seed,
        seed - 1
    );
}

/// Writes a failure to a file and panics.
fn report(seed: u64, failure: &session::Failure) -> ! {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{seed}.txt"));
    let text = format!(
        "seed {seed}: {}\n\nscript:\n{}\ntranscript:\n{}",
        failure.what, failure.script, failure.transcript
    );
    let kept = match fs::write(&path, text) {
        Ok(()) => format!("see {}", path.display()),
        Err(error) => format!("{} cannot be written: {error}", path.display()),
    };
    let lines: Vec<&str> = failure.transcript.lines().collect();
    let tail: Vec<String> = lines[lines.len().saturating_sub(30)..]
        .iter()
        .map(|line| line.chars().take(200).collect())
        .collect();
    panic!(
        "session with seed {seed}: {}; {kept}\n{}",
        failure.what,
        tail.join("\n")
    );
}

/// The number that the environment has under this name, or a default.
fn env_or(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect(name))
}

/// How long a short run lasts: a single case when a seed is given.
fn short(seconds: u64) -> Duration {
    match env::var("VATO_FUZZ_SEED") {
        Ok(_) => Duration::ZERO,
        Err(_) => Duration::from_secs(seconds),
    }
}

/// The first seed of a long run, and how long it lasts.
fn long() -> (u64, Duration) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let clock = now.map_or(1, |time| time.as_secs() * 1000);
    let seed = env_or("VATO_FUZZ_SEED", clock);
    println!("first seed {seed}");
    let seconds = env_or("VATO_FUZZ_SECONDS", 600);
    (seed, Duration::from_secs(seconds))
}

#[test]
fn short_random_sessions() {
    fuzz(env_or("VATO_FUZZ_SEED", 1), short(10));
}

#[test]
#[ignore = "takes ten minutes"]
fn long_random_sessions() {
    let (seed, time) = long();
    fuzz(seed, time);
}

#[test]
fn short_damage_to_tablebases() {
    tablebase::fuzz(env_or("VATO_FUZZ_SEED", 1), short(1));
}

#[test]
#[ignore = "takes ten minutes"]
fn long_damage_to_tablebases() {
    let (seed, time) = long();
    tablebase::fuzz(seed, time);
}

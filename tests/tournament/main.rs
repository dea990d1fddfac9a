//! `vato match` against engines that do everything wrong.
//!
//! The engines are this binary itself: started with `--play-as` it is one
//! ([`engine`]), else it runs the tests. They look at the match from outside
//! only: at its files, its output, its exit code, and at the processes that it
//! leaves behind.
//!
//! Times in these tests are of two kinds. What an engine is given to misbehave
//! in is short, and nothing depends on how long it really took. What an honest
//! engine has is long enough for a machine that is busy with something else,
//! where that does not make the test long. Where it does the test is a
//! [`timed_trial`]: it is tried again if the machine stood still meanwhile.

// Processes and signals are looked at where that can be done; elsewhere something is left unused.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

/// Trials of a topic that are called as their functions.
macro_rules! trials {
    ($trial:ident, $topic:literal, $($(#[$only:meta])* $test:ident),+ $(,)?) => {
        vec![$($(#[$only])* $trial(
            concat!($topic, ": ", stringify!($test)).replace('_', " "),
            $test,
        )),+]
    };
}

mod engine;
mod runner;

mod busy;
mod checks;
mod flooding;
mod honest;
mod interrupting;
// Elsewhere nobody can read what another process has locked, not even these tests.
#[cfg(unix)]
mod killing;
#[cfg(target_os = "linux")]
mod leaving;
mod losing;
// The worker's own systems, and scripts as engines.
#[cfg(unix)]
mod openbench;
mod pondering;
mod record_files;
mod rules;
#[path = "../support/schema.rs"]
mod schema;
mod shards;
#[path = "../support/standstill.rs"]
mod standstill;
mod starting;
mod time_controls;
mod together;
mod torn_records;
mod tournaments;

use std::process::ExitCode;
use std::sync::{PoisonError, RwLock};

use libtest_mimic::{Arguments, Trial};
use standstill::unless_at_a_standstill;

/// Most tests wait for something most of the time.
const THREADS: usize = 4;

/// Shared by the tests that may run beside others.
static COMPANY: RwLock<()> = RwLock::new(());

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some(engine::PLAY_AS) {
        return engine::play_as(words);
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(THREADS);
    let trials = [
        honest::trials(),
        losing::trials(),
        flooding::trials(),
        checks::trials(),
        starting::trials(),
        rules::trials(),
        time_controls::trials(),
        busy::trials(),
        pondering::trials(),
        #[cfg(target_os = "linux")]
        leaving::trials(),
        interrupting::trials(),
        record_files::trials(),
        torn_records::trials(),
        tournaments::trials(),
        shards::trials(),
        together::trials(),
        #[cfg(unix)]
        killing::trials(),
        #[cfg(unix)]
        openbench::trials(),
    ];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}

/// A test that fails by a panic.
fn trial(name: impl Into<String>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        let _shared = COMPANY.read().unwrap_or_else(PoisonError::into_inner);
        test();
        Ok(())
    })
}

/// The same for a test in which somebody honest has little time.
fn timed_trial(name: impl Into<String>, test: impl Fn() + Send + 'static) -> Trial {
    let name = name.into();
    trial(name.clone(), move || unless_at_a_standstill(&name, test))
}

/// The same for a test that no other may run beside: they would disturb each other.
fn lonely_trial(name: impl Into<String>, test: impl Fn() + Send + 'static) -> Trial {
    let name = name.into();
    Trial::test(name.clone(), move || {
        let _alone = COMPANY.write().unwrap_or_else(PoisonError::into_inner);
        unless_at_a_standstill(&name, test);
        Ok(())
    })
}

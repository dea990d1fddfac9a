//! `vato match`: engine against engine.

mod arguments;
mod crosstable;
mod help;
mod merge;
mod missing;
mod outcome;
mod progress;
mod summary;
mod summary_json;
mod tournament_arguments;

use std::io::{self, IsTerminal, Write};

use vato::stop::StopSignal;
use vato::tournament::{Ending, Match, MatchError};

pub use self::arguments::Arguments;
use self::arguments::MatchCommand;
use self::outcome::Outcome;
use self::progress::Progress;
use super::failure::Failure;
use super::signals;

/// Plays a match, or goes on with one, and prints how it ended; or joins parts of one.
///
/// # Errors
///
/// If the match cannot begin or go on, or output fails.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(MatchCommand::Merge(arguments)) = &arguments.command {
        return merge::run(arguments);
    }
    let stop = StopSignal::new();
    signals::watch(&stop, "games")?;
    let opened = match &arguments.resume {
        Some(state) => {
            let log = arguments.log.as_deref();
            Match::resume(state, arguments.concurrency(), log, &stop)
        }
        None => {
            let settings = arguments.settings()?;
            let log = arguments.log.as_deref();
            Match::begin(settings, &arguments.record_name(), log, &stop)
        }
    };
    let mut contest = match opened {
        Ok(contest) => contest,
        Err(error @ MatchError::Stopped) => return Err(Failure::Stopped(Some(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
    let quiet = arguments.quiet || arguments.json;
    let mut progress = Progress::new(&contest, quiet, io::stderr().is_terminal());
    let ending = contest.run(&mut |event| progress.show(&event));
    progress.finish();
    let ending = match ending {
        Ok(ending) => ending,
        Err(error) => {
            if contest.state().standings().games > 0 {
                // What was played is not lost, and the error does not hide it.
                print(arguments, &contest, Ending::Stopped)?;
                if error.can_be_resumed() {
                    // With standard error closed there is nobody to tell.
                    let _ = writeln!(io::stderr(), "{}", how_to_go_on(&contest));
                }
            }
            return Err(error.into());
        }
    };
    print(arguments, &contest, ending)?;
    match ending {
        Ending::Complete | Ending::Decided => Ok(()),
        Ending::Stopped => Err(Failure::Stopped(Some(how_to_go_on(&contest)))),
    }
}

/// The result on standard output.
fn print(arguments: &Arguments, contest: &Match, ending: Ending) -> Result<(), Failure> {
    let outcome = Outcome {
        state: contest.state(),
        ending,
        record: Some(contest.record()),
        missing: None,
    };
    outcome.print(arguments.json)
}

/// The command that goes on with a match that was stopped.
fn how_to_go_on(contest: &Match) -> String {
    let state = contest.record().state_path().display().to_string();
    let state = shell_words::quote(&state);
    format!("stopped; go on with: vato match --resume {state}")
}

//! `vato match watch`: a match on several machines while it runs.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use console::Term;
use vato_tools::tournament::{Ending, Together};

use super::arguments::ResultArguments;
use super::summary::Summary;
use super::{print_result, tables};
use crate::cli::support::failure::{Failure, print};
use crate::cli::support::present::csv_of;

/// How often the text is renewed.
const EVERY: Duration = Duration::from_secs(2);

/// Show a match on several machines: the whole, and a row for each machine
///
/// On a terminal the text is refreshed until the match ends. With --csv only the rows of the machines are printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato match watch /shared/test
  vato match watch /shared/test --csv

Exit codes: 0 the match is decided or whole, 1 failed, 2 wrong usage, 3 it is running")]
pub struct WatchArguments {
    /// The folder of the records: that of --together, or any with the parts of a match
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    result: ResultArguments,
}

pub fn watch(arguments: &WatchArguments) -> Result<(), Failure> {
    let mut together = Together::watch(&arguments.folder)?;
    let result = &arguments.result;
    result.check(&together.whole.settings)?;
    let terminal = Term::stdout();
    let is_live = terminal.is_term() && !(result.json || result.csv);
    loop {
        let summary = Summary::of_machines(&together, None);
        if is_live {
            terminal.clear_screen()?;
        }
        match result.csv && !(result.superiority || result.by_opening) {
            true => print(csv_of(&tables::machines(summary.machines))?)?,
            false => print_result(&summary, result)?,
        }
        match summary.ending {
            Ending::Complete | Ending::Decided => return Ok(()),
            Ending::Stopped if !is_live => return Err(Failure::Stopped(None)),
            Ending::Stopped => thread::sleep(EVERY),
        }
        together.look()?;
    }
}

//! `vato analyse --pgn`: whole games, several at a time.

mod annotate;
mod arguments;
mod better_line;
mod json;
mod output;
mod played;
mod player_table;
mod reading;
mod results;
mod selection;
mod session;
mod summary;
mod table;
mod tables;

use std::path::Path;

use indicatif::ProgressBar;
use vato::review::{Event, in_order};
use vato::search::Control;
use vato::stop::StopSignal;

pub use self::arguments::GameArguments;
use self::output::Output;
use self::reading::{Item, count_positions, read_ahead};
use self::results::Results;
use self::selection::Selection;
pub use self::session::Session;
use crate::cli::failure::{Context, Failure};
use crate::cli::pgn::GameRecords;
use crate::cli::progress::{progress_bar, progress_counter};
use crate::cli::signals;

/// Analyses the games of the file and writes what there is to say of them, in the order of the file.
///
/// # Errors
///
/// If the file cannot be read, memory or threads cannot be had, output fails, or a game is not right.
pub fn run(arguments: &GameArguments, path: &Path, session: &Session<'_>) -> Result<(), Failure> {
    let stop = StopSignal::new();
    signals::watch(&stop, "games")?;
    let GameRecords { input, name } = GameRecords::open(path)?;
    let output = Output::new(arguments.pgn_out.as_ref(), session.outputs)?;
    let selection = arguments.selection();
    let items = read_ahead(input, selection.clone())?;
    let control = Control::new();
    let bar = progress(path, &selection, &stop)?;
    let mut results = Results::new(output, &name, bar.clone(), &stop, selection);
    let is_all = in_order(
        items,
        arguments.games_at_a_time(session.resources.threads),
        &|| !stop.is_given(),
        &|item: Item| (item.number, session.analyse(item, &name, &control, &bar)),
        &mut |event| match event {
            Event::Done((number, analysed)) => results.take(number, analysed),
            Event::Tick if stop.is_now() => control.stop(),
            Event::Tick => {}
        },
    )
    .context("cannot start threads")?;
    results.finish(is_all)
}

/// A bar as long as the file has positions; for input that can be read only once, a counter.
fn progress(path: &Path, selection: &Selection, stop: &StopSignal) -> Result<ProgressBar, Failure> {
    if !path.is_file() {
        return Ok(progress_counter("positions"));
    }
    let bar = progress_bar(0, "positions");
    // Where nobody sees it nothing is counted.
    if !bar.is_hidden() {
        let GameRecords { input, .. } = GameRecords::open(path)?;
        bar.set_length(count_positions(input, selection, &|| !stop.is_given()));
        bar.reset_eta();
    }
    Ok(bar)
}

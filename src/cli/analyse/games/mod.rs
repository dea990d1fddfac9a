//! `vato analyse --pgn`: whole games, several at a time.

mod annotate;
mod arguments;
mod json;
mod output;
mod player_table;
mod reading;
mod selection;
mod session;
mod summary;
mod table;
mod tables;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use indicatif::ProgressBar;
use vato::arbiter::StopSignal;
use vato::review::{Event, in_order};
use vato::search::Control;

pub use self::arguments::GameArguments;
use self::output::Output;
use self::reading::{Item, read_ahead};
pub use self::session::Session;
use self::session::{Analysed, WrongGame};
use self::summary::Summary;
use crate::cli::failure::Failure;
use crate::cli::game_records::GameRecords;
use crate::cli::progress::progress_bar;
use crate::cli::{STOPPED, signals};

/// Analyses the games of the file and writes what there is to say of them, in the order of the file.
///
/// # Errors
///
/// If the file cannot be read, memory or threads cannot be had, output fails, or a game is not right.
pub fn run(
    arguments: &GameArguments,
    path: &Path,
    session: &Session<'_>,
) -> Result<ExitCode, Failure> {
    let stop = StopSignal::new();
    signals::watch(&stop, "games").map_err(Failure::Signals)?;
    let GameRecords { input, name } = GameRecords::open(path)?;
    let output = Output::new(arguments.pgn_out.as_ref(), session.outputs)?;
    let selection = arguments.selection();
    let nothing = match selection.is_all() {
        true => "no games",
        false => "no game is selected",
    };
    let items = read_ahead(input, selection)?;
    let control = Control::new();
    let mut results = Results {
        output,
        name: &name,
        bar: progress_bar(0, "positions"),
        stop: &stop,
        summary: Summary::default(),
        done: 0,
        wrong: 0,
        failure: None,
    };
    let bar = results.bar.clone();
    in_order(
        items,
        arguments.games_at_a_time(session.resources.threads),
        &|| !stop.is_given(),
        &|item: Item| session.analyse(item, &name, &control, &bar),
        &mut |event| match event {
            Event::Done(analysed) => results.take(analysed),
            Event::Tick if stop.is_now() => control.stop(),
            Event::Tick => {}
        },
    )
    .map_err(Failure::Threads)?;
    results.finish(nothing)
}

/// What has come of the games so far, and where it goes.
struct Results<'a> {
    output: Output<'a>,
    /// What the input is called.
    name: &'a str,
    bar: ProgressBar,
    stop: &'a StopSignal,
    /// How all have played.
    summary: Summary,
    /// Games that were analysed.
    done: u64,
    /// Games that are not right.
    wrong: u64,
    /// What has ended the analysis.
    failure: Option<Failure>,
}

impl Results<'_> {
    /// Takes the next result.
    fn take(&mut self, analysed: Analysed) {
        let written = match analysed {
            Analysed::Done { texts, players } => {
                self.done += 1;
                self.summary.add(*players);
                self.bar.suspend(|| self.output.write(&texts))
            }
            Analysed::Wrong(game) => {
                self.wrong += 1;
                self.bar.suspend(|| complain(self.name, &game));
                Ok(())
            }
            Analysed::BrokenOff => Ok(()),
            Analysed::Failed(failure) => Err(failure),
        };
        if let Err(failure) = written {
            // The first failure is the one to be told; what follows may come from it.
            self.failure.get_or_insert(failure);
            self.stop.now();
        }
    }

    /// The end of it: how all have played in all games that were analysed, whether these are all or not.
    fn finish(mut self, nothing: &str) -> Result<ExitCode, Failure> {
        self.bar.finish_and_clear();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let is_stopped = self.stop.is_given();
        self.output
            .write_summary(&self.summary, self.done, self.wrong, is_stopped)?;
        let games = self.done + self.wrong;
        // With standard error closed there is nobody to tell.
        if is_stopped {
            let noun = if games == 1 { "game" } else { "games" };
            let _ = writeln!(io::stderr(), "stopped after {games} {noun}");
            return Ok(ExitCode::from(STOPPED));
        }
        if games == 0 {
            let _ = writeln!(io::stderr(), "{}: {nothing}", self.name);
        }
        match self.wrong {
            0 => Ok(ExitCode::SUCCESS),
            wrong => Err(Failure::WrongGames { wrong, games }),
        }
    }
}

fn complain(name: &str, game: &WrongGame) {
    let WrongGame {
        number,
        line,
        players,
        problem,
    } = game;
    // With standard error closed there is nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "{name}:{line}: game {number} ({players}): {problem}"
    );
}

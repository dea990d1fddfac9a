//! What has come of the games so far, in their order, and where it goes.

use std::io::{self, Write};

use indicatif::ProgressBar;
use vato::counted;
use vato::stop::StopSignal;

use super::output::{Output, Texts};
use super::selection::Selection;
use super::session::{Analysed, WrongGame};
use super::summary::Summary;
use crate::cli::failure::Failure;
use crate::cli::pgn::invalid_games;

/// Takes what becomes of the games, and writes it.
pub(super) struct Results<'a> {
    output: Output<'a>,
    /// What the input is called.
    name: &'a str,
    bar: ProgressBar,
    stop: &'a StopSignal,
    selection: Selection,
    /// How all have played.
    summary: Summary,
    /// Games that were analysed.
    done: u64,
    /// Games that are not right.
    wrong: u64,
    /// The games with lower numbers are through.
    next: u64,
    /// A game was broken off, or something has failed: nothing is written that comes after it, so that
    /// the work can go on there.
    is_over: bool,
    /// A game that was begun is not written.
    is_cut: bool,
    /// What has ended the analysis.
    failure: Option<Failure>,
}

impl<'a> Results<'a> {
    /// Of games that are yet to come, from the input of this name.
    pub(super) fn new(
        output: Output<'a>,
        name: &'a str,
        bar: ProgressBar,
        stop: &'a StopSignal,
        selection: Selection,
    ) -> Results<'a> {
        Results {
            output,
            name,
            bar,
            stop,
            selection,
            summary: Summary::default(),
            done: 0,
            wrong: 0,
            next: 1,
            is_over: false,
            is_cut: false,
            failure: None,
        }
    }

    /// Takes what has become of the next game, which has this number.
    pub(super) fn take(&mut self, number: u64, analysed: Analysed) {
        if self.is_over {
            self.is_cut = true;
            return;
        }
        let written = match analysed {
            Analysed::Done { texts, players } => {
                self.done += 1;
                self.summary.add(*players);
                let bar = self.bar.clone();
                bar.suspend(|| self.write(number, &texts))
            }
            Analysed::Wrong(game) => {
                self.wrong += 1;
                self.bar.suspend(|| complain(self.name, number, &game));
                Ok(())
            }
            Analysed::BrokenOff => {
                self.is_over = true;
                self.is_cut = true;
                return;
            }
            Analysed::Failed(failure) => Err(failure),
        };
        match written {
            Ok(()) => self.next = number + 1,
            Err(failure) => {
                self.failure = Some(failure);
                self.is_over = true;
                self.is_cut |= self.next <= number;
                self.stop.now();
            }
        }
        let games = self.done + self.wrong;
        self.bar
            .set_message(format!(", {}", counted(games, "game", "games")));
    }

    /// Writes a game. What is in the file is done, even if it cannot be shown.
    fn write(&mut self, number: u64, texts: &Texts) -> Result<(), Failure> {
        self.output.file(&texts.filed)?;
        if self.output.has_filed() {
            self.next = number + 1;
        }
        self.output.show(&texts.shown)
    }

    /// The end of it: how all have played in all games that were analysed. `is_all` says whether these are
    /// all that the input has; whoever wanted to stop when the last one was begun has them all.
    ///
    /// # Errors
    ///
    /// What has ended the analysis before, or that a game is not right, or that output fails.
    pub(super) fn finish(mut self, is_all: bool) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let is_stopped = self.is_cut || !is_all;
        let written = match self.failure.take() {
            Some(failure) => Err(failure),
            None => self
                .output
                .write_summary(&self.summary, self.done, self.wrong, is_stopped),
        };
        if let Err(failure) = written {
            return Err(self.with_rest(failure, is_stopped));
        }
        let games = self.done + self.wrong;
        if is_stopped {
            return Err(Failure::Stopped(Some(self.stopped())));
        }
        if games == 0 {
            let nothing = match self.selection.is_all() {
                true => "no games",
                false => "no game is selected",
            };
            // With standard error closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "{}: {nothing}", self.name);
        }
        match self.wrong {
            0 => Ok(()),
            wrong => Err(invalid_games(wrong, games)),
        }
    }

    /// A failure, and how to go on after it if there is more to do: the file has games that nobody wants
    /// to analyse again.
    fn with_rest(&self, failure: Failure, is_stopped: bool) -> Failure {
        match (failure, self.selection.from(self.next)) {
            (Failure::Error(message), Some(rest)) if is_stopped && self.output.has_filed() => {
                Failure::Error(format!("{message}; go on with --games {rest}"))
            }
            (failure, _) => failure,
        }
    }

    /// How far it has come, and how to go on.
    fn stopped(&self) -> String {
        let done = self.done + self.wrong;
        let mut text = format!("stopped after {}", counted(done, "game", "games"));
        if self.wrong > 0 {
            text += &format!(", {} of them invalid", self.wrong);
        }
        if let Some(rest) = self.selection.from(self.next) {
            text += &format!("; go on with --games {rest}");
        }
        text
    }
}

fn complain(name: &str, number: u64, game: &WrongGame) {
    let WrongGame {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::cli::analyse::games::arguments::Format;
    use crate::cli::analyse::games::output::Outputs;

    fn done(number: u64) -> Analysed {
        Analysed::Done {
            texts: Texts {
                shown: String::new(),
                filed: format!("game {number}\n"),
            },
            players: Box::default(),
        }
    }

    fn wrong() -> Analysed {
        Analysed::Wrong(WrongGame {
            line: 1,
            players: "A – B".to_owned(),
            problem: "a test".to_owned(),
        })
    }

    /// A file in which games are missing would be taken for a whole one.
    #[test]
    fn nothing_is_written_after_a_gap() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        let outputs = Outputs {
            shown: Format::Pgn,
            writes_file: true,
        };
        let output = Output::new(Some(&path), outputs).expect("a new file");
        let stop = StopSignal::new();
        let selection = Selection::new("2-5,8-".parse().ok(), None);
        let bar = ProgressBar::hidden();
        let mut results = Results::new(output, "a test", bar, &stop, selection);
        stop.now();
        for (number, analysed) in [
            (2, done(2)),
            (3, wrong()),
            (4, Analysed::BrokenOff),
            (5, done(5)),
            (8, wrong()),
        ] {
            results.take(number, analysed);
        }
        assert_eq!(
            results.stopped(),
            "stopped after 2 games, 1 of them invalid; go on with --games 4-5,8-"
        );
        let ended = results.finish(true);
        assert!(matches!(ended, Err(Failure::Stopped(_))), "{ended:?}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("game 2\n"));
    }

    /// Whoever wants to stop during the last game gets it, and nothing is left to go on with.
    #[test]
    fn what_is_finished_is_not_stopped() {
        for is_all in [true, false] {
            let outputs = Outputs {
                shown: Format::Pgn,
                writes_file: false,
            };
            let output = Output::new(None, outputs).expect("no file");
            let stop = StopSignal::new();
            let selection = Selection::new(None, None);
            let bar = ProgressBar::hidden();
            let mut results = Results::new(output, "a test", bar, &stop, selection);
            stop.after_running_games();
            results.take(1, done(1));
            match results.finish(is_all) {
                Ok(()) => assert!(is_all),
                Err(Failure::Stopped(_)) => assert!(!is_all),
                Err(failure) => panic!("{failure:?}"),
            }
        }
    }
}

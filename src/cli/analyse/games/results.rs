//! Writes the analysed games in their order, and the summary.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use vato_engine::counted;
use vato_engine::files::AppendFile;
use vato_engine::stop::StopSignal;
use vato_tools::pages::{Report, ReportGame};

use super::report::{MOVE_COLUMNS, Summary};
use super::selection::Selection;
use super::{Analysed, Format, Texts};
use crate::cli::csv;
use crate::cli::failure::{Failure, stdout};
use crate::cli::pgn::invalid_games;
use crate::cli::tell;

/// Receives the results of the games and writes them.
pub(super) struct Results<'a> {
    output: Output,
    /// The name of the input.
    name: &'a str,
    bar: ProgressBar,
    stop: &'a StopSignal,
    selection: Selection,
    /// The summary of all players.
    summary: Summary,
    /// The number of games analysed.
    done: u64,
    /// The number of invalid games.
    invalid: u64,
    /// All games with lower numbers are done.
    next: u64,
    /// A game was stopped or something failed: no later game is written, so that the analysis can be
    /// continued from here.
    is_over: bool,
    /// A game that was started is not written.
    is_cut: bool,
    /// The error that ended the analysis.
    failure: Option<Failure>,
}

impl<'a> Results<'a> {
    /// Without any games yet; `name` is that of the input.
    pub(super) fn new(
        output: Output,
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
            invalid: 0,
            next: 1,
            is_over: false,
            is_cut: false,
            failure: None,
        }
    }

    /// Takes the result of the next game and its number.
    pub(super) fn take(&mut self, number: u64, analysed: Result<Analysed, Failure>) {
        if self.is_over {
            self.is_cut = true;
            return;
        }
        let written = match analysed {
            Ok(Analysed::Done {
                texts,
                players,
                page,
            }) => {
                self.done += 1;
                self.summary.add(*players);
                self.output.add_to_report(page);
                let bar = self.bar.clone();
                bar.suspend(|| self.write(number, &texts))
            }
            Ok(Analysed::Invalid {
                line,
                players,
                problem,
            }) => {
                self.invalid += 1;
                let name = self.name;
                let text = format_args!("{name}:{line}: game {number} ({players}): {problem}");
                self.bar.suspend(|| tell(text));
                Ok(())
            }
            Ok(Analysed::BrokenOff) => {
                self.is_over = true;
                self.is_cut = true;
                return;
            }
            Err(failure) => Err(failure),
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
        let games = self.done + self.invalid;
        self.bar
            .set_message(format!(", {}", counted(games, "game", "games")));
    }

    /// Writes a game: first to the file, which counts as done even if standard output fails.
    fn write(&mut self, number: u64, texts: &Texts) -> Result<(), Failure> {
        self.output.file(&texts.filed)?;
        if self.output.has_filed() {
            self.next = number + 1;
        }
        self.output.show(&texts.shown)
    }

    /// Writes the summary. `is_all` tells whether the input has no further games; a stop during the last
    /// game leaves nothing undone.
    pub(super) fn finish(mut self, is_all: bool) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let is_stopped = self.is_cut || !is_all;
        let written = match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.write_summary(is_stopped),
        };
        let reported = self.output.write_report(&self.summary, self.invalid);
        let written = written.and(reported);
        if let Err(failure) = written {
            return Err(self.with_rest(failure, is_stopped));
        }
        let games = self.done + self.invalid;
        if is_stopped {
            return Err(Failure::Stopped(Some(self.stopped())));
        }
        if games == 0 {
            if !self.selection.is_all() {
                let what = "no game is selected by --games and --player";
                return Err(Failure::new(format_args!("{}: {what}", self.name)));
            }
            tell(format_args!("{}: no games", self.name));
        }
        match self.invalid {
            0 => Ok(()),
            invalid => Err(invalid_games(invalid, games)),
        }
    }

    /// Writes the summary; as a table only if there are several games.
    fn write_summary(&mut self, is_stopped: bool) -> Result<(), Failure> {
        let text = match self.output.shown {
            Format::Text if self.done > 1 => self.summary.table(self.done),
            Format::Json => self.summary.object(self.done, self.invalid, is_stopped)?,
            Format::Text | Format::Pgn | Format::Csv => return Ok(()),
        };
        self.output.show(&text)
    }

    /// A failure with the options to continue, if games are left: those in the file need no second
    /// analysis.
    fn with_rest(&self, failure: Failure, is_stopped: bool) -> Failure {
        match (failure, self.selection.from(self.next)) {
            (Failure::Error(message), Some(rest)) if is_stopped && self.output.has_filed() => {
                Failure::Error(format!("{message}; go on with --games {rest}"))
            }
            (failure, _) => failure,
        }
    }

    /// How many games are done, and the options to continue.
    fn stopped(&self) -> String {
        let done = self.done + self.invalid;
        let mut text = format!("stopped after {}", counted(done, "game", "games"));
        if self.invalid > 0 {
            text += &format!(", {} of them invalid", self.invalid);
        }
        if let Some(rest) = self.selection.from(self.next) {
            text += &format!("; go on with --games {rest}");
        }
        text
    }
}

/// Standard output, and the files of annotated games and of the report if there are any.
pub(super) struct Output {
    file: Option<AppendFile>,
    report: Option<(AppendFile, Report)>,
    shown: Format,
    is_first: bool,
    /// Whether the reader of standard output has closed it.
    is_closed: bool,
}

impl Output {
    /// Creates the files, which must not exist. The report is about the games of `input`.
    pub(super) fn new(
        games: Option<&PathBuf>,
        report: Option<&PathBuf>,
        input: &str,
        shown: Format,
    ) -> Result<Output, Failure> {
        let create = |path: &PathBuf| AppendFile::create(path);
        let title = Path::new(input).file_name().unwrap_or_default();
        let title = title.to_string_lossy().into_owned();
        let empty = Report {
            title,
            ..Report::default()
        };
        Ok(Output {
            file: games.map(create).transpose()?,
            report: report.map(create).transpose()?.map(|file| (file, empty)),
            shown,
            is_first: true,
            is_closed: false,
        })
    }

    /// Writes a game to the file, if there is one, at once: after an interruption it holds all that was
    /// done.
    fn file(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => Ok(file.append(text.as_bytes())?),
            None => Ok(()),
        }
    }

    /// Whether anything is written to files.
    fn has_files(&self) -> bool {
        self.file.is_some() || self.report.is_some()
    }

    /// Whether there is a file with games in it.
    fn has_filed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.length() > 0)
    }

    /// Adds a game to the report, if there is one.
    fn add_to_report(&mut self, page: Option<Box<ReportGame>>) {
        if let (Some((_, report)), Some(page)) = (&mut self.report, page) {
            report.games.push(*page);
        }
    }

    /// Writes the report, if there is one and it has games. `invalid` games are not in it.
    fn write_report(&mut self, summary: &Summary, invalid: u64) -> Result<(), Failure> {
        match &mut self.report {
            Some((file, report)) if !report.games.is_empty() => {
                report.players = summary.report_players();
                report.left_out = invalid;
                Ok(file.append(report.html()?.as_bytes())?)
            }
            _ => Ok(()),
        }
    }

    /// Writes to standard output. If its reader has closed it, the files are still completed.
    fn show(&mut self, text: &str) -> Result<(), Failure> {
        if self.is_closed {
            return Ok(());
        }
        match self.print(text) {
            Err(error) if self.has_files() && error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            printed => Ok(printed?),
        }
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        let mut out = stdout();
        if self.shown == Format::Text && !self.is_first {
            writeln!(out)?;
        }
        if self.shown == Format::Csv && self.is_first {
            out.write_all(csv::headings(MOVE_COLUMNS).as_bytes())?;
        }
        self.is_first = false;
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn done(number: u64) -> Result<Analysed, Failure> {
        Ok(Analysed::Done {
            texts: Texts {
                shown: String::new(),
                filed: format!("game {number}\n"),
            },
            players: Box::default(),
            page: None,
        })
    }

    fn invalid() -> Result<Analysed, Failure> {
        Ok(Analysed::Invalid {
            line: 1,
            players: "A – B".to_owned(),
            problem: "a test".to_owned(),
        })
    }

    /// A file with missing games could be mistaken for a complete one.
    #[test]
    fn nothing_is_written_after_a_gap() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        let output = Output::new(Some(&path), None, "a test", Format::Pgn).expect("a new file");
        let stop = StopSignal::new();
        let selection = Selection::new("2-5,8-".parse().ok(), None);
        let bar = ProgressBar::hidden();
        let mut results = Results::new(output, "a test", bar, &stop, selection);
        stop.now();
        for (number, analysed) in [
            (2, done(2)),
            (3, invalid()),
            (4, Ok(Analysed::BrokenOff)),
            (5, done(5)),
            (8, invalid()),
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

    /// A stop during the last game finishes it; nothing is left to continue.
    #[test]
    fn what_is_finished_is_not_stopped() {
        for is_all in [true, false] {
            let output = Output::new(None, None, "a test", Format::Pgn).expect("no file");
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

//! Writes the analysed games in their order, and the summary.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use vato_engine::counted;
use vato_engine::files::AppendFile;
use vato_engine::stop::StopSignal;
use vato_tools::pages::{Report, ReportGame};

use super::report::{AnalysedGame, Summary};
use super::selection::Selection;
use super::{Analysed, Texts};
use crate::cli::failure::{Failure, stdout};
use crate::cli::in_order::{Batch, Missing};
use crate::cli::pgn::invalid_games;
use crate::cli::present::{self, Format};
use crate::cli::tell;

/// Receives the results of the games and writes them.
pub(super) struct Results<'a> {
    output: Output,
    /// The name of the input.
    name: &'a str,
    bar: ProgressBar,
    batch: Batch<'a>,
    selection: Selection,
    /// The summary of all players.
    summary: Summary,
    /// The number of games analysed.
    done: u64,
    /// All games with lower numbers are done.
    next: u64,
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
            batch: Batch::new(bar.clone(), stop),
            bar,
            selection,
            summary: Summary::default(),
            done: 0,
            next: 1,
        }
    }

    /// Takes the result of the next game and its number.
    pub(super) fn take(&mut self, number: u64, analysed: Result<Analysed, Missing>) {
        if let Some(analysed) = self.batch.take(analysed) {
            self.done += 1;
            self.summary.add(*analysed.players);
            self.output.add_to_report(analysed.page);
            let bar = self.bar.clone();
            if let Err(failure) = bar.suspend(|| self.write(number, &analysed.texts)) {
                self.batch.is_cut |= self.next <= number;
                self.batch.fail(failure);
            }
        }
        if !self.batch.is_over {
            self.next = number + 1;
        }
        let games = counted(self.games(), "game", "games");
        self.bar.set_message(format!(", {games}"));
    }

    /// How many games are done, valid or not.
    fn games(&self) -> u64 {
        self.done + self.batch.invalid
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
        let is_stopped = self.batch.is_cut || !is_all;
        let written = match self.batch.failure.take() {
            Some(failure) => Err(failure),
            None => self.write_summary(is_stopped),
        };
        let invalid = self.batch.invalid;
        let reported = self.output.write_report(&self.summary, invalid);
        let written = written.and(reported);
        if let Err(failure) = written {
            return Err(self.with_rest(failure, is_stopped));
        }
        let games = self.games();
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
        match invalid {
            0 => Ok(()),
            _ => Err(invalid_games(invalid, games)),
        }
    }

    /// Writes the summary; as a table only if there are several games.
    fn write_summary(&mut self, is_stopped: bool) -> Result<(), Failure> {
        let text = match self.output.shown {
            Format::Text if self.done > 1 => self.summary.table(self.done),
            Format::Json => {
                let object = self
                    .summary
                    .object(self.done, self.batch.invalid, is_stopped);
                present::record(Format::Json, &object, AnalysedGame::ROWS)?
            }
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
        let mut text = format!("stopped after {}", counted(self.games(), "game", "games"));
        if self.batch.invalid > 0 {
            text += &format!(", {} of them invalid", self.batch.invalid);
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
                report.players = summary.ranked();
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
        if self.is_first {
            out.write_all(AnalysedGame::ROWS.headings(self.shown).as_bytes())?;
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

    fn done(number: u64) -> Result<Analysed, Missing> {
        Ok(Analysed {
            texts: Texts {
                shown: String::new(),
                filed: format!("game {number}\n"),
            },
            players: Box::default(),
            page: None,
        })
    }

    fn invalid() -> Result<Analysed, Missing> {
        Err(Missing::Invalid("a test".to_owned()))
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
            (4, Err(Missing::BrokenOff)),
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

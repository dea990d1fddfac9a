//! Writes the analysed games in their order, and the summary.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use vato_engine::counted;
use vato_solver::files::AppendFile;
use vato_tools::{pages::Report, stop::StopSignal};

use super::Analysed;
use super::report::{AnalysedGame, Summary};
use super::selection::Selection;
use crate::cli::pgn::invalid_games;
use crate::cli::support::failure::{Failure, stdout};
use crate::cli::support::in_order::{Batch, Missing};
use crate::cli::support::present::{self, Format};
use crate::cli::tell;

/// Receives the results of the games and writes them: to standard output, and to the files of annotated games and of the
/// report if there are any.
pub(super) struct Results<'a> {
    name: &'a str,
    /// With a hidden bar at first.
    pub(super) batch: Batch<'a>,
    selection: Selection,
    summary: Summary,
    done: u64,
    /// All games with lower numbers are done.
    next: u64,
    file: Option<AppendFile>,
    report: Option<(AppendFile, Report)>,
    shown: Format,
    is_first: bool,
    /// Whether the reader of standard output has closed it.
    is_closed: bool,
}

impl<'a> Results<'a> {
    /// Without any games yet; `name` is that of the input. The files, of games and of the report, must not exist.
    pub(super) fn new(
        name: &'a str,
        shown: Format,
        files: [Option<&PathBuf>; 2],
        stop: &'a StopSignal,
        selection: Selection,
    ) -> Result<Results<'a>, Failure> {
        let create = |path: Option<&PathBuf>| path.map(|path| AppendFile::create(path)).transpose();
        let title = Path::new(name).file_name().unwrap_or_default();
        let report = Report {
            title: title.to_string_lossy().into_owned(),
            ..Report::default()
        };
        Ok(Results {
            name,
            batch: Batch::new(ProgressBar::hidden(), stop),
            selection,
            summary: Summary::default(),
            done: 0,
            next: 1,
            file: create(files[0])?,
            report: create(files[1])?.map(|file| (file, report)),
            shown,
            is_first: true,
            is_closed: false,
        })
    }

    pub(super) fn take(&mut self, number: u64, analysed: Result<Analysed, Missing>) {
        if let Some(analysed) = self.batch.take(analysed) {
            self.done += 1;
            let bar = self.batch.bar.clone();
            if let Err(failure) = bar.suspend(|| self.write(number, analysed)) {
                self.batch.is_cut |= self.next <= number;
                self.batch.fail(failure);
            }
        }
        if !self.batch.is_over {
            self.next = number + 1;
        }
        let games = counted(self.games(), "game", "games");
        self.batch.bar.set_message(format!(", {games}"));
    }

    /// How many games are done, valid or not.
    fn games(&self) -> u64 {
        self.done + self.batch.invalid
    }

    /// Writes a game: first to the file, at once, so that it holds all that was done after an interruption; it counts as
    /// done then even if standard output fails.
    fn write(&mut self, number: u64, analysed: Analysed) -> Result<(), Failure> {
        self.summary.add(analysed.players);
        if let Some((_, report)) = &mut self.report {
            report.games.extend(analysed.page);
        }
        if let Some(file) = &mut self.file {
            file.append(analysed.filed.as_bytes())?;
        }
        if self.has_filed() {
            self.next = number + 1;
        }
        self.show(&analysed.shown)
    }

    fn has_filed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.length() > 0)
    }

    /// Writes the summary. `is_all` tells whether the input has no further games; a stop during the last
    /// game leaves nothing undone.
    pub(super) fn finish(mut self, is_all: bool) -> Result<(), Failure> {
        self.batch.bar.finish_and_clear();
        let is_stopped = self.batch.is_cut || !is_all;
        let written = match self.batch.failure.take() {
            Some(failure) => Err(failure),
            None => self.write_summary(is_stopped),
        };
        let invalid = self.batch.invalid;
        if let Err(mut failure) = written.and(self.write_report()) {
            // Games that are in the file need no second analysis.
            if let (Failure::Error(message), Some(rest)) =
                (&mut failure, self.selection.from(self.next))
                && is_stopped
                && self.has_filed()
            {
                *message += &format!("; continue with --games {rest}");
            }
            return Err(failure);
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
        let (summary, wrong) = (&self.summary, self.batch.invalid);
        let text = match self.shown {
            Format::Text if self.done > 1 => summary.table(self.done),
            Format::Json => {
                let object = summary.object(self.done, wrong, is_stopped);
                present::record(Format::Json, &object, AnalysedGame::ROWS)?
            }
            Format::Text | Format::Pgn | Format::Csv => return Ok(()),
        };
        self.show(&text)
    }

    /// How many games are done, and the options to continue.
    fn stopped(&self) -> String {
        let mut text = format!("stopped after {}", counted(self.games(), "game", "games"));
        if self.batch.invalid > 0 {
            text += &format!(", {} of them invalid", self.batch.invalid);
        }
        if let Some(rest) = self.selection.from(self.next) {
            text += &format!("; continue with --games {rest}");
        }
        text
    }

    /// Writes the report, if there is one and it has games. Invalid ones are not in it.
    fn write_report(&mut self) -> Result<(), Failure> {
        match &mut self.report {
            Some((file, report)) if !report.games.is_empty() => {
                report.players = self.summary.ranked();
                report.left_out = self.batch.invalid;
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
        let before = match (std::mem::take(&mut self.is_first), self.shown) {
            (true, format) => AnalysedGame::ROWS.headings(format),
            (false, Format::Text) => "\n".to_owned(),
            (false, _) => String::new(),
        };
        let mut out = stdout();
        let printed = out.write_all((before + text).as_bytes());
        match printed.and_then(|()| out.flush()) {
            Err(error)
                if error.kind() == io::ErrorKind::BrokenPipe
                    && (self.file.is_some() || self.report.is_some()) =>
            {
                self.is_closed = true;
                Ok(())
            }
            printed => Ok(printed?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn done(number: u64) -> Result<Analysed, Missing> {
        Ok(Analysed {
            filed: format!("game {number}\n"),
            ..Analysed::default()
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
        let stop = StopSignal::new();
        let selection = Selection::new("2-5,8-".parse().ok(), None);
        let results = Results::new("a test", Format::Pgn, [Some(&path), None], &stop, selection);
        let mut results = results.expect("a new file");
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
            "stopped after 2 games, 1 of them invalid; continue with --games 4-5,8-"
        );
        let ended = results.finish(true);
        assert!(matches!(ended, Err(Failure::Stopped(_))), "{ended:?}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("game 2\n"));
    }

    /// A stop during the last game finishes it; nothing is left to continue.
    #[test]
    fn what_is_finished_is_not_stopped() {
        for is_all in [true, false] {
            let stop = StopSignal::new();
            let selection = Selection::new(None, None);
            let results = Results::new("a test", Format::Pgn, [None; 2], &stop, selection);
            let mut results = results.expect("no file");
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

//! Takes the analysed games in their order and writes what there is to write of them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use vato::counted;
use vato::stop::StopSignal;

use super::report::Summary;
use super::selection::Selection;
use super::{Analysed, Format, Texts};
use crate::cli::failure::Failure;
use crate::cli::pgn::invalid_games;
use crate::cli::tell;

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
    /// Games that are invalid.
    invalid: u64,
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
    /// Of no games yet, of the input of this name.
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
            invalid: 0,
            next: 1,
            is_over: false,
            is_cut: false,
            failure: None,
        }
    }

    /// Takes what has become of the next game, which has this number.
    pub(super) fn take(&mut self, number: u64, analysed: Result<Analysed, Failure>) {
        if self.is_over {
            self.is_cut = true;
            return;
        }
        let written = match analysed {
            Ok(Analysed::Done { texts, players }) => {
                self.done += 1;
                self.summary.add(*players);
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

    /// Writes a game. What is in the file is done, even if it cannot be shown.
    fn write(&mut self, number: u64, texts: &Texts) -> Result<(), Failure> {
        self.output.file(&texts.filed)?;
        if self.output.has_filed() {
            self.next = number + 1;
        }
        self.output.show(&texts.shown)
    }

    /// Ends with how all have played in all games. `is_all` says whether these are all that the input has;
    /// whoever wanted to stop when the last one was begun has them all.
    pub(super) fn finish(mut self, is_all: bool) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let is_stopped = self.is_cut || !is_all;
        let written = match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.write_summary(is_stopped),
        };
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

    /// Writes how all have played in all games; for people, if there are several.
    fn write_summary(&mut self, is_stopped: bool) -> Result<(), Failure> {
        let text = match self.output.shown {
            Format::Text if self.done > 1 => self.summary.table(self.done),
            Format::Json => self.summary.object(self.done, self.invalid, is_stopped)?,
            Format::Text | Format::Pgn => return Ok(()),
        };
        self.output.show(&text)
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

/// Standard output, and the file of annotated games if there is one.
pub(super) struct Output<'a> {
    file: Option<NewFile<'a>>,
    shown: Format,
    is_first: bool,
    /// Whether the reader of standard output has gone away.
    is_closed: bool,
}

/// A file that was not there before, and is not there afterwards unless something was written to it: the
/// same command can be given again.
struct NewFile<'a> {
    path: &'a Path,
    file: File,
    /// The bytes of what was written as a whole.
    length: u64,
}

impl<'a> NewFile<'a> {
    fn create(path: &'a PathBuf) -> Result<NewFile<'a>, Failure> {
        let file = File::create_new(path).map_err(Failure::cannot_write(path))?;
        Ok(NewFile {
            path,
            file,
            length: 0,
        })
    }

    /// Writes a game, or nothing of it.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Half a game would be taken for a wrong one; that it may stay all the same changes nothing.
            let _ = self.file.set_len(self.length);
            return Err(Failure::cannot_write(self.path)(error));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if self.length == 0 {
            // An empty file that stays is a pity, and no more.
            let _ = fs::remove_file(self.path);
        }
    }
}

impl<'a> Output<'a> {
    /// Creates the file, which must not exist.
    pub(super) fn new(path: Option<&'a PathBuf>, shown: Format) -> Result<Output<'a>, Failure> {
        Ok(Output {
            file: path.map(NewFile::create).transpose()?,
            shown,
            is_first: true,
            is_closed: false,
        })
    }

    /// Writes a game to the file, if there is one, at once: whoever breaks the work off has all that was
    /// done.
    fn file(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => Ok(()),
        }
    }

    /// Whether there is a file, and games in it.
    fn has_filed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.length > 0)
    }

    /// Writes to standard output. That its reader has seen enough is no reason to leave the file unfinished.
    fn show(&mut self, text: &str) -> Result<(), Failure> {
        if self.is_closed {
            return Ok(());
        }
        match self.print(text) {
            Err(error) if self.file.is_some() && error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            printed => Ok(printed?),
        }
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.shown == Format::Text && !self.is_first {
            writeln!(out)?;
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
        })
    }

    fn invalid() -> Result<Analysed, Failure> {
        Ok(Analysed::Invalid {
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
        let output = Output::new(Some(&path), Format::Pgn).expect("a new file");
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

    /// Whoever wants to stop during the last game gets it, and nothing is left to go on with.
    #[test]
    fn what_is_finished_is_not_stopped() {
        for is_all in [true, false] {
            let output = Output::new(None, Format::Pgn).expect("no file");
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

    #[test]
    fn a_file_that_takes_nothing_does_not_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        let mut file = NewFile::create(&path).expect("a new file");
        file.file = File::open(&path).expect("for reading only");
        file.write("a game").expect_err("it cannot be written to");
        drop(file);
        assert!(!path.exists());
        let mut file = NewFile::create(&path).expect("a new file");
        file.write("a game").expect("there is room");
        drop(file);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"a game"[..]));
    }
}

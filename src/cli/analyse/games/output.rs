//! Where the analysed games go.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::arguments::Format;
use super::summary::Summary;
use crate::cli::failure::Failure;

/// What is to be written of a game.
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    /// What goes to standard output.
    pub shown: Format,
    /// Whether the annotated record goes to a file.
    pub writes_file: bool,
}

/// What there is to write of a game.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// For standard output.
    pub(super) shown: String,
    /// For the file of annotated games.
    pub(super) filed: String,
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
    is_empty: bool,
}

impl<'a> NewFile<'a> {
    fn create(path: &'a PathBuf) -> Result<NewFile<'a>, Failure> {
        let file = File::create_new(path).map_err(|error| unwritable(path, error))?;
        Ok(NewFile {
            path,
            file,
            is_empty: true,
        })
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.is_empty = false;
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| unwritable(self.path, error))
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if self.is_empty {
            // An empty file that stays is a pity, and no more.
            let _ = fs::remove_file(self.path);
        }
    }
}

impl<'a> Output<'a> {
    /// Makes the file, which is a new one.
    ///
    /// # Errors
    ///
    /// If it is there already, or cannot be made.
    pub(super) fn new(path: Option<&'a PathBuf>, outputs: Outputs) -> Result<Output<'a>, Failure> {
        Ok(Output {
            file: path.map(NewFile::create).transpose()?,
            shown: outputs.shown,
            is_first: true,
            is_closed: false,
        })
    }

    /// Writes a game at once: whoever breaks the work off has all that was done.
    ///
    /// # Errors
    ///
    /// If the file or standard output does not take it.
    pub(super) fn write(&mut self, texts: &Texts) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.write(&texts.filed)?;
        }
        self.show(&texts.shown)
    }

    /// Writes what there is to say of so many games together; for people, if there are several.
    ///
    /// # Errors
    ///
    /// If standard output does not take it.
    pub(super) fn write_summary(
        &mut self,
        summary: &Summary,
        games: u64,
        wrong: u64,
        is_stopped: bool,
    ) -> Result<(), Failure> {
        match self.shown {
            Format::Text if games > 1 => self.show(&summary.table(games)),
            Format::Json => self.show(&summary.object(games, wrong, is_stopped)?),
            Format::Text | Format::Pgn => Ok(()),
        }
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

fn unwritable(path: &Path, error: io::Error) -> Failure {
    Failure::OutputFile {
        path: path.to_owned(),
        error,
    }
}

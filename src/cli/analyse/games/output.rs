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

    /// Writes a game to the file, if there is one, at once: whoever breaks the work off has all that was
    /// done.
    ///
    /// # Errors
    ///
    /// If the file does not take it.
    pub(super) fn file(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => Ok(()),
        }
    }

    /// Whether there is a file, and games in it.
    pub(super) fn has_filed(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.length > 0)
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
    ///
    /// # Errors
    ///
    /// If standard output does not take it.
    pub(super) fn show(&mut self, text: &str) -> Result<(), Failure> {
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
    use super::*;

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

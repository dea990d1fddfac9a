//! Where the analysed games go.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

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
    file: Option<(&'a PathBuf, File)>,
    shown: Format,
    is_first: bool,
}

impl<'a> Output<'a> {
    /// Makes the file, which is a new one.
    pub(super) fn new(path: Option<&'a PathBuf>, outputs: Outputs) -> Result<Output<'a>, Failure> {
        let create = |path: &'a PathBuf| match File::create_new(path) {
            Ok(file) => Ok((path, file)),
            Err(error) => Err(unwritable(path, error)),
        };
        Ok(Output {
            file: path.map(create).transpose()?,
            shown: outputs.shown,
            is_first: true,
        })
    }

    /// Writes a game at once: whoever breaks the work off has all that was done.
    pub(super) fn write(&mut self, texts: &Texts) -> Result<(), Failure> {
        if let Some((path, file)) = &mut self.file {
            file.write_all(texts.filed.as_bytes())
                .map_err(|error| unwritable(path, error))?;
        }
        self.show(&texts.shown)
    }

    /// Writes what there is to say of so many games together; for people, if there are several.
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

    fn show(&mut self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.shown == Format::Text && !self.is_first {
            writeln!(out)?;
        }
        self.is_first = false;
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }
}

fn unwritable(path: &std::path::Path, error: io::Error) -> Failure {
    Failure::OutputFile {
        path: path.to_owned(),
        error,
    }
}

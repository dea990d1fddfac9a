//! New files for results: an existing one is never touched, but to go on with it.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;

/// Parses the path of a file that cannot be standard output: `-` is refused.
pub fn named_file(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path == Path::new("-") {
        true => Err("expected the name of a file"),
        false => Ok(path),
    }
}

/// A new file, removed again if nothing was written to it, so that the same command can be repeated.
#[derive(Debug)]
pub struct NewFile<'a> {
    path: &'a Path,
    file: File,
    /// The bytes written completely.
    length: u64,
}

impl<'a> NewFile<'a> {
    /// Creates the file, which must not exist.
    pub fn create(path: &'a Path) -> Result<NewFile<'a>, Failure> {
        let file = File::create_new(path).map_err(Failure::cannot_write(path))?;
        file.try_lock()
            .map_err(|error| Failure::cannot_write(path)(error.into()))?;
        Ok(NewFile {
            path,
            file,
            length: 0,
        })
    }

    /// Opens a file of which the first `length` bytes stay; nobody else may be writing to it.
    pub fn go_on(path: &'a Path, length: u64) -> Result<NewFile<'a>, Failure> {
        let open = || {
            let mut file = File::options().write(true).open(path)?;
            file.try_lock()?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(Failure::cannot_write(path))?;
        Ok(NewFile { path, file, length })
    }

    /// Appends a text completely or not at all.
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Half a text would be read as an invalid one. If truncating fails, it stays.
            let _ = self.file.set_len(self.length);
            return Err(Failure::cannot_write(self.path)(error));
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Whether anything was written to it.
    pub fn has_content(&self) -> bool {
        self.length > 0
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if self.length == 0 {
            // If removing fails, an empty file stays.
            let _ = fs::remove_file(self.path);
        }
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

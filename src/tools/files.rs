//! New files, and append-only ones.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use vato_engine::container::ContainerError;
use vato_engine::files::require_regular;
use vato_solver::files::{folder_of, open_locked, require_new, write_temporary};

/// Writes a new file atomically, as [`replace`](vato_solver::files::replace) does.
///
/// # Errors
///
/// If `path` exists ([`ErrorKind::AlreadyExists`]), which is left unchanged, or the file cannot be
/// written.
pub fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    require_new(path)?;
    Ok(write_temporary(path, write)?.persist_noclobber(path)?)
}

/// The canonical path of a file, which need not exist.
pub fn canonical(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    let canonical = path.canonicalize().ok().or_else(in_folder);
    canonical.unwrap_or_else(|| path.to_owned())
}

/// An append-only file, locked for this process. A new file is removed at the end if it is empty, so that the same
/// command can be repeated.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: File,
    length: u64,
    /// Whether it is kept if it is empty.
    is_kept: bool,
}

impl AppendFile {
    /// Creates a file; an existing one is an error.
    pub fn create(path: &Path) -> Result<AppendFile, ContainerError> {
        require_new(path).map_err(ContainerError::write(path))?;
        AppendFile::with(path, OpenOptions::new().create_new(true), false)
    }

    /// Opens a regular file, or creates one if there is none and `may_create`. A file in use is an error.
    pub fn open(path: &Path, may_create: bool) -> Result<AppendFile, ContainerError> {
        match require_regular(path) {
            Err(error) if !may_create || error.kind() != ErrorKind::NotFound => {
                Err(ContainerError::write(path)(error))
            }
            is_there => AppendFile::with(
                path,
                OpenOptions::new().create(may_create),
                is_there.is_ok(),
            ),
        }
    }

    fn with(
        path: &Path,
        options: &mut OpenOptions,
        is_kept: bool,
    ) -> Result<AppendFile, ContainerError> {
        options.read(true).write(true);
        // On Windows a lock would prevent other processes from reading the file.
        let file = match cfg!(windows) {
            true => options.open(path),
            false => open_locked(path, options),
        };
        let opened = file.and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = opened.map_err(ContainerError::write(path))?;
        Ok(AppendFile {
            path: path.to_owned(),
            file,
            length,
            is_kept,
        })
    }

    /// Keeps the file even if it is empty.
    pub fn kept(mut self) -> AppendFile {
        self.is_kept = true;
        self
    }

    /// Appends all of the bytes or none, in one system call if possible.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        let seek = self.file.seek(SeekFrom::Start(self.length));
        if let Err(error) = seek.and_then(|_| self.file.write_all(bytes)) {
            // A partial record would be invalid, and the next one would be appended to it.
            if let Err(error) = self.file.set_len(self.length) {
                let path = self.path.display();
                log::error!("{path}: cannot remove a partial record at the end: {error}");
            }
            return Err(ContainerError::write(&self.path)(error));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Truncates the file to `length` bytes.
    pub fn cut(&mut self, length: u64) -> Result<(), ContainerError> {
        let cut = self.file.set_len(length);
        cut.map_err(ContainerError::write(&self.path))?;
        self.length = length;
        Ok(())
    }

    /// Flushes the content to the disk.
    pub fn sync(&self) -> Result<(), ContainerError> {
        (self.file.sync_data()).map_err(ContainerError::write(&self.path))
    }

    /// The file, to be read from `place` on.
    pub fn read_from(&mut self, place: u64) -> Result<&File, ContainerError> {
        let at = self.file.seek(SeekFrom::Start(place));
        at.map_err(ContainerError::read(&self.path))?;
        Ok(&self.file)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl Drop for AppendFile {
    fn drop(&mut self) {
        if self.length == 0 && !self.is_kept {
            // If removing fails, an empty file stays.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_takes_the_place_of_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b");
        create(&path, |_| Err(io::Error::other("no more"))).expect_err("no more");
        assert!(!path.exists());
        create(&path, |file| file.write_all(b"one")).expect("there is room");
        let error = create(&path, |file| file.write_all(b"two")).expect_err("it is there");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"one"[..]));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_that_takes_nothing_does_not_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        let mut file = AppendFile::create(&path).expect("a new file");
        file.file = File::open(&path).expect("for reading only");
        file.append(b"a game").expect_err("it cannot be written to");
        drop(file);
        assert!(!path.exists());
        let mut file = AppendFile::create(&path).expect("a new file");
        file.append(b"a game").expect("there is room");
        drop(file);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"a game"[..]));
        AppendFile::create(&path).expect_err("it is there");
        drop(AppendFile::open(&path, false).expect("it is there"));
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"a game"[..]));
    }

    #[test]
    fn one_writer_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.pgn");
        let mut file = AppendFile::open(&path, true).expect("a new file");
        file.append(b"a game").expect("there is room");
        let error = AppendFile::open(&path, true).expect_err("in use");
        assert!(error.to_string().contains("in use"), "{error}");
        file.cut(1).expect("it is longer");
        file.append(b" b").expect("there is room");
        drop(file);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"a b"[..]));
    }
}

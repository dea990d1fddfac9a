//! Files that are written as a whole, or not at all, append-only ones, and locks.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;
use vato_engine::container::ContainerError;
use vato_engine::files::require_regular;

/// Writes a file atomically; an existing one is replaced only if it has the same magic.
///
/// # Errors
///
/// If it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), ContainerError> {
    replaceable(path, &bytes[..bytes.len().min(8)])
        .and_then(|()| replace(path, |file| file.write_all(bytes)))
        .map_err(ContainerError::write(path))
}

/// Writes a temporary file in the same folder and renames it to `path`: at any time there is a complete
/// file, the old or the new one. If `path` is a symbolic link, its target is replaced.
///
/// # Errors
///
/// If the file cannot be written, or `path` is not a regular file (see [`destination`]); the temporary
/// file is removed then.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let path = destination(path)?;
    Ok(write_temporary(&path, write)?.persist(&path)?)
}

/// Checks that a file can be created at `path`: nothing is there, and the folder exists. For checks before long work.
pub fn require_new(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::metadata(folder_of(path)).map(drop)
        }
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::new(
            ErrorKind::AlreadyExists,
            "it exists already; remove it, or choose another name",
        )),
    }
}

/// A complete temporary file in the folder of `path`.
fn write_temporary(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<TempPath> {
    let mut builder = tempfile::Builder::new();
    // Such as `.vtb.part`, so that a build of tables can remove its own files only.
    let mut suffix = OsString::new();
    let kind = path.extension().filter(|kind| kind.len() < 9);
    for part in kind.into_iter().chain([OsStr::new("part")]) {
        suffix.push(".");
        suffix.push(part);
    }
    builder.prefix(".vato-").suffix(&suffix);
    // The default mode of new files, instead of that of temporary ones, which only their owner can read.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let (file, temporary) = builder.tempfile_in(folder_of(path))?.into_parts();
    let mut file = BufWriter::new(file);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(temporary)
}

/// The file that writing to `path` replaces: `path`, or its target if it is a symbolic link. The file need not exist.
///
/// # Errors
///
/// If it exists and is not a regular file: a folder ([`ErrorKind::IsADirectory`]), a pipe, a device, a
/// dangling link; or if its type cannot be determined.
pub fn destination(path: &Path) -> io::Result<PathBuf> {
    let is_link = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_symlink(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path.to_owned()),
        Err(error) => return Err(error),
    };
    match require_regular(path) {
        Ok(()) if is_link => fs::canonicalize(path),
        Ok(()) => Ok(path.to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(io::Error::other("a symbolic link to a missing file"))
        }
        Err(error) => Err(error),
    }
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// `name` with `.extension` appended; dots in the name are kept.
pub fn with_extension(name: &Path, extension: &str) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

/// Checks that the file at `path` may be replaced: it begins with `magic`, is empty, or does not exist.
pub fn replaceable(path: &Path, magic: &[u8]) -> io::Result<()> {
    let path = destination(path)?;
    let mut start = Vec::new();
    if path.exists() {
        (File::open(path)?.take(magic.len() as u64)).read_to_end(&mut start)?;
    }
    match start.is_empty() || start == magic {
        true => Ok(()),
        false => Err(io::Error::new(
            ErrorKind::AlreadyExists,
            "a file of another kind, which is not replaced: move or remove it first",
        )),
    }
}

/// A lock of a file that is replaced on every write, by a lock on `PATH.lock`; or of a folder, by the lock of a file in
/// it. The lock file is removed at the end if it is empty.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Locks the file at `path` for this process.
    pub fn take(path: &Path) -> Result<Lock, ContainerError> {
        let file = destination(path).map_err(ContainerError::write(path))?;
        let beside = with_extension(&file, "lock");
        // Opening a pipe would wait for a reader.
        destination(&beside).map_err(ContainerError::write(&beside))?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        match open_locked(&beside, &options) {
            Ok(file) => Ok(Lock { path: beside, file }),
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                Err(ContainerError::content(path)(error))
            }
            Err(error) => Err(ContainerError::write(&beside)(error)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Before it is unlocked: `open_locked` of another process then sees that the file was removed.
        if cfg!(unix) && self.file.metadata().is_ok_and(|file| file.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file and locks it for this process. If another process has locked it: [`ErrorKind::ResourceBusy`]. On file
/// systems without locks the file is opened without one.
fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let mut tries = 0;
    loop {
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            // A killed owner's children may hold it until their programs begin.
            Err(TryLockError::WouldBlock) if tries < 20 => {
                tries += 1;
                thread::sleep(Duration::from_millis(10));
                continue;
            }
            Err(TryLockError::WouldBlock) => {
                let what = "in use: another process is writing to it";
                return Err(io::Error::new(ErrorKind::ResourceBusy, what));
            }
            Err(TryLockError::Error(error)) => {
                log::debug!("{}: no lock: {error}", path.display());
            }
        }
        // The last owner of the lock may have removed the file meanwhile.
        tries += 1;
        if tries == 100 || is_at(&file, path)? {
            return Ok(file);
        }
    }
}

/// Whether an open file still is the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let file = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|at| (at.dev(), at.ino()) == (file.dev(), file.ino())))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Writes a new file atomically, as [`replace`] does.
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
    use std::sync::atomic::Ordering;

    use super::*;

    /// A new folder, paths in it, and how many entries it has.
    fn folder<const N: usize>(names: [&str; N]) -> (tempfile::TempDir, [PathBuf; N]) {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = names.map(|name| folder.path().join(name));
        (folder, paths)
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    fn content(path: &Path) -> String {
        fs::read_to_string(path).expect("it is there")
    }

    #[test]
    fn what_fails_on_the_way_leaves_the_old_file() {
        let (folder, [path, nowhere]) = folder(["a.b", "no/such"]);
        replace(&path, |file| file.write_all(b"one")).expect("there is room");
        let failed = replace(&path, |file| {
            file.write_all(b"half of")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(content(&path), "one");
        save(&nowhere, b"").expect_err("no folder");
        // A new file takes the place of none.
        let error = create(&path, |file| file.write_all(b"two")).expect_err("it is there");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        fs::remove_file(&path).expect("it is there");
        create(&path, |_| Err(io::Error::other("no more"))).expect_err("no more");
        assert_eq!(count(folder.path()), 0);
        create(&path, |file| file.write_all(b"three")).expect("there is room");
        assert_eq!(
            (content(&path).as_str(), count(folder.path())),
            ("three", 1)
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_lead_to_the_new_file() {
        use std::os::unix::fs::symlink;

        let (folder, [inner, link, next]) = folder(["inner", "link", "next"]);
        fs::create_dir(&inner).expect("another one");
        let file = inner.join("a.b");
        symlink("inner/a.b", &link).expect("a link");
        symlink("link", &next).expect("a link");
        let error = replace(&next, |_| Ok(())).expect_err("it leads nowhere");
        assert!(error.to_string().contains("missing file"), "{error}");
        fs::write(&file, "old").expect("there is room");
        replace(&next, |file| file.write_all(b"new")).expect("there is room");
        assert_eq!(content(&file), "new");
        assert!(link.is_symlink() && next.is_symlink() && !file.is_symlink());
        assert_eq!((count(&inner), count(folder.path())), (1, 3));
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_replaced() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let (folder, [pipe, link, inner]) = folder(["pipe", "link", "inner"]);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        symlink("pipe", &link).expect("a link");
        fs::create_dir(&inner).expect("another one");
        for path in [&pipe, &link] {
            let error = replace(path, |_| Ok(())).expect_err("a pipe");
            assert_eq!(error.to_string(), "not a regular file");
        }
        let error = replace(&inner, |_| Ok(())).expect_err("a folder");
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
        let metadata = fs::metadata(&pipe).expect("it is there");
        assert!(metadata.file_type().is_fifo() && link.is_symlink());
        assert_eq!(count(folder.path()), 3);
    }

    /// Existing files with the temporary names are not touched.
    #[test]
    fn files_of_others_stay_as_they_are() {
        let (folder, [path, part, part1]) = folder(["a.b", "a.b.part", "a.b.part1"]);
        for other in [&part, &part1] {
            fs::write(other, "somebody's").expect("there is room");
        }
        replace(&path, |file| file.write_all(b"two")).expect("there is room");
        replace(&path, |_| Err(io::Error::other("no more"))).expect_err("no more");
        let contents = [&path, &part, &part1].map(|path| content(path));
        assert_eq!(contents, ["two", "somebody's", "somebody's"]);
        assert_eq!(count(folder.path()), 3);
    }

    #[test]
    fn another_kind_is_not_replaced() {
        let (_folder, [path]) = folder(["a.net"]);
        let [empty, own] = [("", true), ("VATONET!x", true)];
        for (content, is_right) in [empty, own, ("<svg", false), ("V", false)] {
            replaceable(&path, b"VATONET!").expect("none is there");
            fs::write(&path, content).expect("there is room");
            let checked = replaceable(&path, b"VATONET!");
            assert_eq!(checked.is_ok(), is_right, "{content}");
            fs::remove_file(&path).expect("it is there");
        }
    }

    #[test]
    fn one_at_a_time_and_nothing_stays() {
        let (_folder, [path, beside]) = folder(["a.book", "a.book.lock"]);
        let lock = Lock::take(&path).expect("free");
        let error = Lock::take(&path).expect_err("taken").to_string();
        assert!(error.contains("a.book: in use: "), "{error}");
        drop(lock);
        assert_eq!(beside.exists(), cfg!(windows));
        fs::write(&beside, "somebody's").expect("there is room");
        drop(Lock::take(&path).expect("free"));
        assert_eq!(content(&beside), "somebody's");
    }

    /// A lock of a removed lock file does not count.
    #[test]
    fn many_at_once_and_one_at_a_time() {
        let (_folder, [path]) = folder(["a.book"]);
        let holders = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        if let Ok(lock) = Lock::take(&path) {
                            let others = holders.fetch_add(1, Ordering::SeqCst);
                            assert_eq!(others, 0);
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn a_file_that_takes_nothing_does_not_stay() {
        let (_folder, [path]) = folder(["a.pgn"]);
        let mut file = AppendFile::create(&path).expect("a new file");
        file.file = File::open(&path).expect("for reading only");
        file.append(b"a game").expect_err("it cannot be written to");
        drop(file);
        assert!(!path.exists());
        let mut file = AppendFile::open(&path, true).expect("a new file");
        file.append(b"a game").expect("there is room");
        let error = AppendFile::open(&path, true).expect_err("in use");
        assert!(error.to_string().contains("in use"), "{error}");
        drop(file);
        AppendFile::create(&path).expect_err("it is there");
        drop(AppendFile::open(&path, false).expect("it is there"));
        assert_eq!(content(&path), "a game");
        let mut file = AppendFile::open(&path, true).expect("it is there");
        file.cut(1).expect("it is longer");
        file.append(b" b").expect("there is room");
        drop(file);
        assert_eq!(content(&path), "a b");
    }
}

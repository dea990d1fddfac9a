//! Reading files, atomic writes, and locks.

mod write;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

pub use write::{
    Lock, destination, folder_of, replace, replaceable, require_new, with_extension,
    write_temporary,
};

/// The largest file that [`read`] accepts, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Checks that `path` is a regular file, as pipes and devices may be endless. A folder gives
/// [`ErrorKind::IsADirectory`].
pub fn require_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)? {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a regular file")),
    }
}

/// Opens a file for reading. Pipes are refused, as opening one waits for its writer, maybe for ever; except those that
/// are already open in this process, such as `/dev/stdin` or a shell's `<(command)`.
pub fn open(path: &Path) -> io::Result<File> {
    let is_open = ["/dev/stdin", "/dev/fd", "/proc/self/fd"]
        .iter()
        .any(|open| path.starts_with(open));
    if !is_open {
        require_regular(path)?;
    }
    File::open(path)
}

/// Reads a file of at most 1 GiB into memory.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, "more than 1 GiB")),
        false => Ok(bytes),
    }
}

/// Reads a UTF-8 text as [`read`] does.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "not a UTF-8 text");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// Opens a file and locks it for this process. If another process has locked it: [`ErrorKind::ResourceBusy`]. On file
/// systems without locks the file is opened without one.
pub fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<File> {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_an_end_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let [pipe, text] = ["pipe", "text"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        for path in [&pipe, Path::new("/dev/zero")] {
            let error = read(path).expect_err("no regular file");
            assert_eq!(error.to_string(), "not a regular file");
        }
        let error = read(folder.path()).expect_err("a folder");
        assert_eq!(error.kind(), ErrorKind::IsADirectory);
        fs::write(&text, b"a\xff").expect("there is room");
        assert_eq!(read(&text).ok().as_deref(), Some(&b"a\xff"[..]));
        assert!(read_text(&text).is_err());
    }
}

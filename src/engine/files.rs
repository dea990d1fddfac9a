//! Reading files.

use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

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

/// The folder for what the program keeps for the user, whether it exists or not: `vato` in `$XDG_DATA_HOME` or
/// `~/.local/share`, on Windows in `%APPDATA%`, on macOS in `~/Library/Application Support`. `None` without a home folder.
pub fn of_the_user() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let below_home = |folder| env::home_dir().map(|home| home.join(folder));
    let data = match env::consts::OS {
        "windows" => set("APPDATA"),
        "macos" => below_home("Library/Application Support"),
        _ => set("XDG_DATA_HOME").or_else(|| below_home(".local/share")),
    };
    Some(data?.join("vato"))
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

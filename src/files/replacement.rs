//! Files that are written as a whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

/// Writes a file under a temporary name beside `path`, then gives it its own: whatever happens on the
/// way, there is a whole file or the one before. A symbolic link stays, and its file is replaced.
///
/// # Errors
///
/// If the file cannot be written, or there is something else than a file (see [`destination`]); nothing
/// temporary is left then.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let path = destination(path)?;
    write_beside(&path, write, |temporary| fs::rename(temporary, &path))
}

/// The file to replace when `path` is written: `path` itself, or where it leads to if it is a symbolic
/// link. There need not be a file as yet.
///
/// # Errors
///
/// If a file in place of what is there would be a loss: a folder ([`ErrorKind::IsADirectory`]), a pipe, a
/// device, a link that leads nowhere. If the system does not tell what is there.
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
            Err(io::Error::other("a symbolic link that leads to no file"))
        }
        Err(error) => Err(error),
    }
}

/// Requires that there is a file to read: pipes and devices may have no end.
///
/// # Errors
///
/// If there is something else, such as a folder ([`ErrorKind::IsADirectory`]), or nothing.
pub(crate) fn require_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)? {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(not_regular()),
    }
}

/// What to say of a pipe or a device where a file is wanted.
fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

/// Writes a new file, whole or not at all, as [`replace`] does.
///
/// # Errors
///
/// If there is something of that name ([`ErrorKind::AlreadyExists`]), which stays as it is, or the file
/// cannot be written; nothing is left of it then.
pub fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    write_beside(path, write, |temporary| {
        // A name can be taken by a new file only, and by a file that is whole only in place of another
        // one: this one, which nobody else has written, and which is empty for no longer than that.
        drop(File::create_new(path)?);
        fs::rename(temporary, path).inspect_err(|_| {
            // An empty file is of no use.
            let _ = fs::remove_file(path);
        })
    })
}

/// Writes a file under a temporary name beside `path`; `finish` gives it another.
fn write_beside(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    finish: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let (temporary, file) = create_beside(path)?;
    let write = || {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()
    };
    let written = write().and_then(|()| finish(&temporary));
    if written.is_err() {
        // What is left of it is of no use; that it may not go away either changes nothing.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file beside `path`: `PATH.part`, or the first of `PATH.part1`, `PATH.part2` and so on that is
/// free. What has such a name already may be anybody's.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number: u64 = 0;
    loop {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".part");
        if number > 0 {
            temporary.push(number.to_string());
        }
        let temporary = PathBuf::from(temporary);
        match File::create_new(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_fails_on_the_way_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b");
        replace(&path, |file| file.write_all(b"one")).expect("there is room");
        let failed = replace(&path, |file| {
            file.write_all(b"half of")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"one"[..]));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(replace(&folder.path().join("no/such"), |_| Ok(())).is_err());
    }

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

    #[cfg(unix)]
    #[test]
    fn links_stay_and_lead_to_the_new_file() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("a folder");
        let [inner, link, next] = ["inner", "link", "next"].map(|name| folder.path().join(name));
        fs::create_dir(&inner).expect("another one");
        let file = inner.join("a.b");
        symlink("inner/a.b", &link).expect("a link");
        symlink("link", &next).expect("a link");
        let error = replace(&next, |_| Ok(())).expect_err("it leads nowhere");
        assert!(error.to_string().contains("leads to no file"), "{error}");
        fs::write(&file, "old").expect("there is room");
        replace(&next, |file| file.write_all(b"new")).expect("there is room");
        assert_eq!(fs::read(&file).ok().as_deref(), Some(&b"new"[..]));
        assert!(link.is_symlink() && next.is_symlink() && !file.is_symlink());
        assert_eq!(fs::read_dir(&inner).expect("a folder").count(), 1);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_replaced() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [pipe, link, inner] = ["pipe", "link", "inner"].map(|name| folder.path().join(name));
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
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }

    /// Files that happen to have the temporary names are not ours.
    #[test]
    fn files_of_others_stay_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b");
        let others = ["a.b.part", "a.b.part1"].map(|name| folder.path().join(name));
        for other in &others {
            fs::write(other, "somebody's").expect("there is room");
        }
        create(&path, |file| file.write_all(b"one")).expect("there is room");
        replace(&path, |file| file.write_all(b"two")).expect("there is room");
        replace(&path, |_| Err(io::Error::other("no more"))).expect_err("no more");
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"two"[..]));
        for other in &others {
            let bytes = fs::read(other).expect("it is there");
            assert_eq!(bytes, b"somebody's", "{}", other.display());
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }
}

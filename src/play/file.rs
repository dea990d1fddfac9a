//! Games in files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files;
use crate::notation::pgn::{GameRecord, PgnError, PgnProblem, PgnReader};

/// Why a game could not be written or read.
#[derive(Debug, Error)]
pub enum FileError {
    /// There is such a file, and it was not to be replaced.
    #[error("{path} exists", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It cannot be read.
    #[error("cannot read {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Its first game cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        error: PgnError,
    },
    /// It has no game.
    #[error("{path} has no game", path = path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Writes a record to a file of its own. Whatever goes wrong, a file that was there stays as it was. Where
/// a symbolic link leads to a file, that file is written.
///
/// # Errors
///
/// If there is such a file and `replace` does not allow to replace it, there is something else, such as a
/// folder or a pipe, or it cannot be written.
pub fn save(path: &Path, record: &GameRecord, replace: bool) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::Write {
        path: path.to_owned(),
        error,
    };
    // Nobody needs to be asked whether a folder or a device may be replaced.
    files::destination(path).map_err(failed)?;
    let write = |file: &mut BufWriter<File>| write!(file, "{record}");
    if replace {
        return files::replace(path, write).map_err(failed);
    }
    files::create(path, write).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => FileError::Exists {
            path: path.to_owned(),
        },
        _ => failed(error),
    })
}

/// Reads the first game of a file, and how many it has.
///
/// # Errors
///
/// If the file or its first game cannot be read, or there is none.
pub fn open(path: &Path) -> Result<(GameRecord, u64), FileError> {
    let unreadable = |error| FileError::Read {
        path: path.to_owned(),
        error,
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut games = PgnReader::new(BufReader::new(file));
    match games.next() {
        Some(Ok(record)) => Ok((record, 1 + games.count() as u64)),
        Some(Err(PgnError {
            problem: PgnProblem::Input(error),
            ..
        })) => Err(unreadable(error)),
        Some(Err(error)) => Err(FileError::Game {
            path: path.to_owned(),
            error,
        }),
        None => Err(FileError::Empty {
            path: path.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::Rules;

    #[test]
    fn files_are_not_replaced_by_accident() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.pgn");
        let rules = Rules::STANDARD;
        let empty = GameRecord::new(&rules, &rules.start());
        let mut played = empty.clone();
        played.push_move("f2-e3A", None).expect("a move");
        save(&path, &empty, false).expect("written");
        let again = save(&path, &played, false).expect_err("it exists");
        assert!(matches!(again, FileError::Exists { .. }));
        assert_eq!(open(&path).expect("read"), (empty, 1));
        save(&path, &played, true).expect("replaced");
        assert_eq!(open(&path).expect("read"), (played, 1));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        fs::create_dir(&path).expect("another one");
        for replace in [false, true] {
            let error = save(&path, &GameRecord::default(), replace).expect_err("a folder");
            assert_eq!(
                error.to_string(),
                format!("cannot write {}: is a directory", path.display())
            );
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    /// Nobody is asked whether something may be replaced that cannot be.
    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_pipes_refused() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, pipe] = ["game", "link", "pipe"].map(|name| folder.path().join(name));
        let record = GameRecord::default();
        fs::write(&file, "old").expect("written");
        symlink("game", &link).expect("a link");
        let error = save(&link, &record, false).expect_err("it exists");
        assert!(matches!(error, FileError::Exists { path } if path == link));
        save(&link, &record, true).expect("written");
        assert!(link.is_symlink());
        assert_eq!(open(&file).expect("read"), (record.clone(), 1));

        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        for replace in [false, true] {
            let error = save(&pipe, &record, replace).expect_err("a pipe");
            assert_eq!(
                error.to_string(),
                format!("cannot write {}: not a regular file", pipe.display())
            );
        }
        let metadata = fs::metadata(&pipe).expect("it is there");
        assert!(metadata.file_type().is_fifo());
    }

    /// Where the part that is written first has no place: its name is too long.
    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("g".repeat(254));
        let record = GameRecord::default();
        save(&path, &record, false).expect_err("no place");
        assert!(!path.exists());
        fs::write(&path, "old").expect("written");
        save(&path, &record, true).expect_err("no place");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("old"));
    }

    #[test]
    fn what_goes_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none").join("game.pgn");
        let record = GameRecord::default();
        for replace in [false, true] {
            let error = save(&missing, &record, replace).expect_err("no folder");
            assert!(error.to_string().starts_with("cannot write "), "{error}");
        }
        let error = open(&missing).expect_err("no file");
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        let path = folder.path().join("bad.pgn");
        fs::write(&path, "").expect("written");
        assert!(matches!(open(&path), Err(FileError::Empty { .. })));
        fs::write(&path, "[White \"x\"]\n\n1. f2-e3A }").expect("written");
        let error = open(&path).expect_err("no game").to_string();
        assert!(error.contains("line 3: unexpected '}'"), "{error}");
        let error = open(folder.path()).expect_err("a folder").to_string();
        let begin = format!("cannot read {}: ", folder.path().display());
        assert!(
            error.starts_with(&begin) && !error.contains("line"),
            "{error}"
        );
    }
}

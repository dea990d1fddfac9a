//! Files of game records, and standard input in place of one.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::failure::Failure;

/// How much is read at once, in bytes.
const BUFFER: usize = 1 << 16;

/// An open text of game records, and what to call it.
pub struct GameRecords {
    /// The text.
    pub input: Box<dyn BufRead + Send>,
    /// The file's name as it was given, or `standard input`.
    pub name: String,
}

impl GameRecords {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> Result<GameRecords, Failure> {
        if path == Path::new("-") {
            return Ok(GameRecords {
                input: Box::new(BufReader::with_capacity(BUFFER, io::stdin())),
                name: "standard input".to_owned(),
            });
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(GameRecords {
                input: Box::new(BufReader::with_capacity(BUFFER, file)),
                name,
            }),
            Err(error) => Err(Failure::Input { name, error }),
        }
    }
}

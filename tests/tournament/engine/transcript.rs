//! What the engine was told, in a file for each process.

use std::fs::File;
use std::io::Write;
use std::path::Path;

/// A file that commands are written to as they come.
#[derive(Debug)]
pub(super) struct Transcript(File);

impl Transcript {
    /// A new file in `folder`, named after this process.
    pub(super) fn create(folder: &Path) -> Transcript {
        let path = folder.join(format!("{}.txt", std::process::id()));
        Transcript(File::create_new(&path).expect("a new file in the test's folder"))
    }

    pub(super) fn add(&mut self, line: &str) {
        // One write for a line, so that a killed process leaves whole ones.
        let written = self.0.write_all(format!("{line}\n").as_bytes());
        written.expect("the test's folder can be written to");
    }
}

//! The files of a match, in a folder that goes away with the test.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::contender::Contender;
use super::match_run::{Ended, MatchRun};
use super::pgn::assert_pgn_agrees;
use super::record::Record;

/// The name of every match.
const NAME: &str = "bout";

/// Where a match is recorded.
#[derive(Debug)]
pub struct MatchFiles(TempDir);

impl MatchFiles {
    pub fn new() -> MatchFiles {
        MatchFiles(tempfile::tempdir().expect("a temporary folder"))
    }

    /// The same files in a folder of their own.
    pub fn copy(&self) -> MatchFiles {
        let copy = MatchFiles::new();
        for (from, to) in [
            (self.state(), copy.state()),
            (self.pgn(), copy.pgn()),
            (self.toml(), copy.toml()),
        ] {
            fs::copy(&from, to).expect("the file can be copied");
        }
        copy
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The value of `--out`.
    pub fn name(&self) -> PathBuf {
        self.folder().join(NAME)
    }

    /// The value of `--resume`.
    pub fn state(&self) -> PathBuf {
        self.name().with_extension("jsonl")
    }

    pub fn pgn(&self) -> PathBuf {
        self.name().with_extension("pgn")
    }

    pub fn toml(&self) -> PathBuf {
        self.name().with_extension("toml")
    }

    /// A new folder beside the record.
    pub fn subfolder(&self, name: &str) -> PathBuf {
        let path = self.folder().join(name);
        fs::create_dir(&path).expect("a new folder");
        path
    }

    /// Plays a match of these engines, recorded here, to its good end.
    pub fn play<'a>(
        &self,
        engines: impl IntoIterator<Item = &'a Contender>,
        options: &str,
    ) -> (Record, Ended) {
        let ended = MatchRun::new(self, engines).args(options).play_well();
        assert_pgn_agrees(self);
        (self.record(), ended)
    }

    /// The lines of all transcripts of `folder`, a list for each process that played: one that was
    /// only tried has had no new game.
    pub fn transcripts(&self, folder: &Path) -> Vec<Vec<String>> {
        let read = |path: PathBuf| -> Vec<String> {
            let text = fs::read_to_string(path).expect("a transcript");
            text.lines().map(str::to_owned).collect()
        };
        fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| read(entry.expect("a file").path()))
            .filter(|lines| lines.iter().any(|line| line.ends_with("newgame")))
            .collect()
    }

    /// The state as it is now. A line that is being written counts as not there.
    pub fn record(&self) -> Record {
        Record::read(&self.state())
    }

    /// Lines of the state that are finished, the head included; 0 while there is no file.
    pub fn lines(&self) -> usize {
        let text = fs::read(self.state()).unwrap_or_default();
        text.iter().filter(|&&byte| byte == b'\n').count()
    }

    pub fn assert_no_game(&self) {
        assert!(self.lines() <= 1, "a game in the record");
        let pgn = fs::read_to_string(self.pgn()).unwrap_or_default();
        assert_eq!(pgn, "", "a game in the PGN");
    }
}

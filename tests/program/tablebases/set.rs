//! Sets of tables, each in a folder of its own that goes away with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use vato_engine::rules::Rules;
use vato_engine::tablebase::{Slice, Tablebases};

use crate::support::command_line::{run, stdout};

/// The files of a set with at most three stones.
pub const THREE_STONES: [&str; 3] = ["1v1.vtb", "1v2.vtb", "2v1.vtb"];

/// A folder for the tables of some rules.
pub struct Set {
    folder: TempDir,
    rules: String,
}

impl Set {
    /// A folder without tables.
    pub fn empty(rules: &str) -> Set {
        Set {
            folder: tempfile::tempdir().expect("a folder"),
            rules: rules.to_owned(),
        }
    }

    /// The tables of all positions with at most `stones` stones, built by the program.
    pub fn build(rules: &str, stones: u32) -> Set {
        let set = Set::empty(rules);
        set.build_up_to(stones);
        set
    }

    /// Builds what is missing; what the program says of it.
    pub fn build_up_to(&self, stones: u32) -> String {
        let stones = stones.to_string();
        stdout(&self.build_arguments(&stones))
    }

    /// The command that builds what is missing.
    pub fn build_arguments<'a>(&'a self, stones: &'a str) -> Vec<&'a str> {
        let mut arguments = vec!["tablebase", "build", "--threads", "2"];
        arguments.extend(["--rules", &self.rules, "--stones", stones]);
        arguments.extend(["--out", self.text()]);
        arguments
    }

    /// A folder with the same files.
    pub fn copy(&self) -> Set {
        let copy = Set::empty(&self.rules);
        for (name, bytes) in self.files() {
            copy.write(&name, &bytes);
        }
        copy
    }

    pub fn rules(&self) -> Rules {
        self.rules.parse().unwrap_or_else(|_| {
            let preset: vato_engine::rules::Preset = self.rules.parse().expect("rules");
            preset.rules().expect("a preset of its own")
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path as the command line takes it.
    pub fn text(&self) -> &str {
        self.path().to_str().expect("UTF-8")
    }

    /// What is said first of a position, behind the diagram, of a game under `rules`, which may differ in what tables ignore.
    pub fn probe(&self, rules: &str, fen: &str) -> String {
        let text = stdout(&[
            "tablebase",
            "probe",
            "--dir",
            self.text(),
            "--rules",
            rules,
            "--fen",
            fen,
        ]);
        behind_the_diagram(&text)[0].to_owned()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).expect("a file of the set")
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.file(name), bytes).expect("a folder that can be written to");
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.file(name)).expect("a file of the set");
    }

    /// All files with their names.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path()).expect("the folder");
        entries
            .map(|entry| {
                let name = entry.expect("an entry").file_name();
                let name = name.to_str().expect("UTF-8").to_owned();
                let bytes = self.read(&name);
                (name, bytes)
            })
            .collect()
    }

    pub fn open(&self) -> Tablebases {
        match Tablebases::open(
            &[self.path()],
            &self.rules(),
            Tablebases::DEFAULT_CACHE_BYTES,
        ) {
            Ok(tables) => tables,
            Err(error) => panic!("{error}"),
        }
    }

    /// Why the set does not open.
    pub fn error(&self) -> vato_engine::tablebase::TablebaseError {
        match Tablebases::open(
            &[self.path()],
            &self.rules(),
            Tablebases::DEFAULT_CACHE_BYTES,
        ) {
            Ok(_) => panic!("the set opens"),
            Err(error) => error,
        }
    }

    /// Lets the program check every value.
    pub fn expect_right(&self) {
        let text = stdout(&["tablebase", "verify", self.text(), "--threads", "2"]);
        assert!(text.ends_with(" values, valid\n"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }

    /// Lets the program check every value, which must end with exit code 1; all that it says.
    pub fn complaints_of_verify(&self) -> String {
        let output = run(&["tablebase", "verify", self.text(), "--threads", "2"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let [told, error] = [output.stdout, output.stderr].map(|bytes| {
            let text = String::from_utf8(bytes);
            text.expect("UTF-8")
        });
        assert!(error.starts_with("error: "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        told + &error
    }
}

/// The slices of a set with at most so many stones.
pub fn slices(rules: &Rules, stones: u32) -> Vec<Slice> {
    Slice::all_up_to(stones, rules.board).collect()
}

/// The lines of `vato tablebase probe` behind the diagram, the FEN and the rules.
pub fn behind_the_diagram(text: &str) -> Vec<&str> {
    let (_, answer) = text.split_once("\n\n").expect("an empty line");
    answer.lines().collect()
}

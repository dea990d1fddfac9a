//! Sets of tables, each in a folder of its own that goes away with it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Child;

use vato_engine::rules::Rules;
use vato_engine::tablebase::{Slice, TablebaseError, Tablebases};

use crate::support::command_line::{Folder, run, stdout};

/// The files of a set with at most three stones.
pub const THREE_STONES: [&str; 3] = ["1v1.vtb", "1v2.vtb", "2v1.vtb"];

/// A folder for the tables of some rules.
pub struct Set {
    folder: Folder,
    path: String,
    rules: String,
}

impl Set {
    /// A folder without tables.
    pub fn empty(rules: &str) -> Set {
        let folder = Folder::new();
        Set {
            path: folder.name(""),
            folder,
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
        stdout(&self.build_line(stones))
    }

    /// The command that builds what is missing.
    pub fn build_line(&self, stones: impl Display) -> String {
        let (rules, out) = (&self.rules, self.text());
        format!("tablebase build --threads 2 --rules '{rules}' --stones '{stones}' --out {out}")
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
        Path::new(&self.path)
    }

    /// The path as the command line takes it.
    pub fn text(&self) -> &str {
        &self.path
    }

    /// What is said first of a position, behind the diagram, of a game under `rules`, which may differ in what tables ignore.
    pub fn probe(&self, rules: &str, fen: &str) -> String {
        let text = stdout(&format!(
            "tablebase probe --dir {} --rules '{rules}' --fen '{fen}'",
            self.path
        ));
        behind_the_diagram(&text)[0].to_owned()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        self.folder.bytes(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        self.folder.write(name, bytes);
    }

    pub fn remove(&self, name: &str) {
        self.folder.remove(name);
    }

    /// Waits until a build has begun to write a file.
    pub fn wait_for(&self, build: &mut Child, name: &str) {
        self.folder.wait_for(build, name);
    }

    /// All files with their names.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = self.folder.names().into_iter();
        names.map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// The tables, or why they do not open.
    fn try_open(&self) -> Result<Tablebases, TablebaseError> {
        let cache = Tablebases::DEFAULT_CACHE_BYTES;
        Tablebases::open(&[self.path()], &self.rules(), cache)
    }

    pub fn open(&self) -> Tablebases {
        self.try_open().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Why the set does not open.
    pub fn error(&self) -> TablebaseError {
        self.try_open().expect_err("the set does not open")
    }

    /// Lets the program check every value.
    pub fn expect_right(&self) {
        let text = stdout(&self.verify_line());
        assert!(text.ends_with(" values, valid\n"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }

    fn verify_line(&self) -> String {
        format!("tablebase verify {} --threads 2", self.path)
    }

    /// Lets the program check every value, which must end with exit code 1; all that it says.
    pub fn complaints_of_verify(&self) -> String {
        let run = run(&self.verify_line());
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.err.starts_with("error: "), "{run:?}");
        assert_eq!(run.err.lines().count(), 1, "{run:?}");
        run.out + &run.err
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

//! An engine of a match, as `--engine` has it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::engine::PLAY_AS;

/// The language that an engine is spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proto {
    Ugi,
    Uci,
}

impl Proto {
    pub const BOTH: [Proto; 2] = [Proto::Ugi, Proto::Uci];

    pub fn name(self) -> &'static str {
        match self {
            Proto::Ugi => "ugi",
            Proto::Uci => "uci",
        }
    }
}

/// This binary as an engine.
#[derive(Clone, Debug)]
pub struct Contender {
    program: PathBuf,
    arguments: Vec<String>,
    keys: Vec<String>,
}

impl Contender {
    /// An engine with this name and behaviour.
    pub fn new(name: &str, behaviour: &str) -> Contender {
        Contender::nameless(behaviour).with(&format!("name={name}"))
    }

    /// An engine that is called what it calls itself.
    pub fn nameless(behaviour: &str) -> Contender {
        Contender {
            program: std::env::current_exe().expect("this program is somewhere"),
            arguments: vec![PLAY_AS.to_owned(), behaviour.to_owned()],
            keys: Vec::new(),
        }
    }

    /// Another program in place of this one.
    pub fn program(mut self, program: &Path) -> Contender {
        self.program = program.to_owned();
        self
    }

    /// Draws its moves by `seed`.
    pub fn seed(self, seed: u64) -> Contender {
        self.argument("seed", seed)
    }

    /// Carries `tag` on its command line.
    pub fn tag(self, tag: &str) -> Contender {
        self.argument("tag", tag)
    }

    /// Counts its starts by files in `folder`.
    pub fn starts(self, folder: &Path) -> Contender {
        self.argument("starts", folder.display())
    }

    /// Writes down what it is told, in `folder`.
    pub fn transcripts(self, folder: &Path) -> Contender {
        self.argument("transcripts", folder.display())
    }

    fn argument(mut self, key: &str, value: impl Display) -> Contender {
        self.arguments.push(format!("{key}={value}"));
        self
    }

    pub fn proto(self, proto: Proto) -> Contender {
        self.with(&format!("proto={}", proto.name()))
    }

    /// More keys, as `--engine` has them.
    pub fn with(mut self, keys: &str) -> Contender {
        self.keys.push(keys.to_owned());
        self
    }

    /// The value of `--engine`.
    pub fn text(&self) -> String {
        format!(
            "cmd=\"{}\",args=\"{}\",{}",
            self.program.display(),
            shell_words::join(&self.arguments),
            self.keys.join(",")
        )
    }

    /// The values of `-engine`.
    pub fn words(&self) -> Vec<String> {
        let program = format!("cmd={}", self.program.display());
        let arguments = format!("args={}", shell_words::join(&self.arguments));
        let keys = self
            .keys
            .iter()
            .flat_map(|keys| keys.split(','))
            .map(str::to_owned);
        [program, arguments].into_iter().chain(keys).collect()
    }
}

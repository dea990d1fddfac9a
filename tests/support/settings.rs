//! What a match is played with: engines, rules, limits, clocks, openings.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use super::command_line::engine;

/// One of the two engines of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    A,
    B,
}

impl Who {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// An engine as it enters a match.
#[derive(Debug, Clone)]
pub struct Contestant {
    pub path: PathBuf,
    pub options: Vec<(String, String)>,
}

impl Contestant {
    /// The binary under test, with its default options.
    pub fn built() -> Self {
        Self {
            path: PathBuf::from(engine()),
            options: Vec::new(),
        }
    }

    /// The engine that `VATO_MATCH_A` or `VATO_MATCH_B` names, with the options
    /// of `VATO_MATCH_OPTIONS_A` or `_B` (`Name=Value;Name=Value`); where they
    /// are not set, the binary under test.
    pub fn from_env(who: Who) -> Self {
        let mut contestant = Self::built();
        if let Ok(path) = env::var(format!("VATO_MATCH_{who:?}")) {
            // Engines run in another directory, so the path must not be relative.
            contestant.path = fs::canonicalize(&path).unwrap_or_else(|_| PathBuf::from(path));
        }
        if let Ok(options) = env::var(format!("VATO_MATCH_OPTIONS_{who:?}")) {
            let items = options.split(';').filter(|item| !item.trim().is_empty());
            for item in items {
                let (name, value) = item
                    .split_once('=')
                    .unwrap_or_else(|| panic!("`{item}` is not of the form Name=Value"));
                contestant.set(name.trim(), value.trim());
            }
        }
        contestant
    }

    /// Both engines, as the environment names them.
    pub fn both_from_env() -> [Self; 2] {
        Who::BOTH.map(Self::from_env)
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.options.push((name.to_owned(), value.to_owned()));
    }
}

/// The rules of a match.
#[derive(Debug, Clone)]
pub enum Rules {
    Preset(String),
    Custom(String),
}

impl Rules {
    pub const PRESETS: [&str; 9] = [
        "tsivy",
        "dimy",
        "telo",
        "riatra",
        "first-turns",
        "single-step",
        "full-chain",
        "free-capture",
        "vela",
    ];

    /// Every board but the standard one.
    pub const SMALL_BOARDS: [&str; 11] = [
        "5x5", "3x3", "3x5", "5x3", "7x3", "3x7", "9x3", "3x9", "7x5", "5x7", "5x9",
    ];

    pub fn preset(name: &str) -> Self {
        Self::Preset(name.to_owned())
    }

    pub fn board(size: &str) -> Self {
        Self::Custom(format!("board={size}"))
    }

    /// The options that select these rules.
    pub fn options(&self) -> Vec<(String, String)> {
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        match self {
            Self::Preset(name) => vec![option("UCI_Variant", name)],
            Self::Custom(rules) => {
                vec![option("UCI_Variant", "custom"), option("Rules", rules)]
            }
        }
    }
}

impl From<String> for Rules {
    /// A word is the name of a preset, `key=value` pairs are a rules string.
    fn from(text: String) -> Self {
        if text.contains('=') {
            Self::Custom(text)
        } else {
            Self::Preset(text)
        }
    }
}

/// How long an engine may think.
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// Milliseconds for the game and for each move.
    Clock {
        time: i64,
        inc: i64,
    },
    Movetime(u64),
    Nodes(u64),
    Depth(u64),
}

impl Limit {
    /// The clocks at the start of a game, where there are any.
    pub fn clocks(self) -> Option<Clocks> {
        match self {
            Self::Clock { time, inc } => Some(Clocks {
                left: [time, time],
                inc,
            }),
            _ => None,
        }
    }

    /// The `go` command.
    pub fn go(self, clocks: Option<&Clocks>) -> String {
        match self {
            Self::Clock { time, inc } => {
                let [p1, p2] = clocks.map_or([time, time], |clocks| clocks.left);
                format!("go p1time {p1} p2time {p2} p1inc {inc} p2inc {inc}")
            }
            Self::Movetime(time) => format!("go movetime {time}"),
            Self::Nodes(nodes) => format!("go nodes {nodes}"),
            Self::Depth(depth) => format!("go depth {depth}"),
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    /// `nodes N`, `movetime MS`, `depth N` or `clock MS+MS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |_| format!("`{text}`: the number is wrong");
        match text.split_once(' ') {
            Some(("nodes", value)) => value.parse().map(Self::Nodes).map_err(wrong),
            Some(("movetime", value)) => value.parse().map(Self::Movetime).map_err(wrong),
            Some(("depth", value)) => value.parse().map(Self::Depth).map_err(wrong),
            Some(("clock", value)) => {
                let (time, inc) = value.split_once('+').unwrap_or((value, "0"));
                Ok(Self::Clock {
                    time: time.parse().map_err(wrong)?,
                    inc: inc.parse().map_err(wrong)?,
                })
            }
            _ => Err(format!(
                "`{text}` is none of `nodes N`, `movetime MS`, `depth N`, `clock MS+MS`"
            )),
        }
    }
}

/// The clocks of both players, in whole milliseconds as they are sent.
#[derive(Debug, Clone)]
pub struct Clocks {
    left: [i64; 2],
    inc: i64,
}

impl Clocks {
    /// Takes a move's time from the clock of a player (0 or 1). `false` when it
    /// has run out: at or below 0, without a margin.
    pub fn charge(&mut self, player: usize, spent: Duration) -> bool {
        let spent = i64::try_from(spent.as_millis()).unwrap_or(i64::MAX);
        self.left[player] = self.left[player].saturating_sub(spent);
        let in_time = self.left[player] > 0;
        if in_time {
            self.left[player] += self.inc;
        }
        in_time
    }

    /// What is left for a player before the increment of its last move.
    pub fn left(&self, player: usize) -> i64 {
        self.left[player]
    }
}

/// Where a game starts.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// `None` for the start of the rules.
    pub fen: Option<String>,
    pub moves: Vec<String>,
}

impl Opening {
    pub fn fen(fen: &str) -> Self {
        Self {
            fen: Some(fen.to_owned()),
            moves: Vec::new(),
        }
    }

    pub fn moves(moves: &str) -> Self {
        Self {
            fen: None,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// The `position` command for this opening and the moves played since.
    pub fn position(&self, played: &[String]) -> String {
        let mut text = match &self.fen {
            None => "position startpos".to_owned(),
            Some(fen) => format!("position fen {fen}"),
        };
        if !self.moves.is_empty() || !played.is_empty() {
            text.push_str(" moves");
        }
        for turn in self.moves.iter().chain(played) {
            text.push(' ');
            text.push_str(turn);
        }
        text
    }
}

/// The value of an environment variable, or a default.
pub fn env_or<T: FromStr>(name: &str, default: T) -> T
where
    T::Err: std::fmt::Display,
{
    match env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|error| panic!("{name}={text}: {error}")),
        Err(_) => default,
    }
}

/// How many games to play at a time: only one engine of a game thinks, so one
/// for each core.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

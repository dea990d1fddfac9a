//! `NAME.jsonl`, read with no knowledge of the program that wrote it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// The state of a match.
#[derive(Clone, Debug)]
pub struct Record {
    /// The first line.
    pub head: Value,
    /// The other lines, in their order.
    pub games: Vec<Game>,
}

/// A finished game.
#[derive(Clone, Debug, Deserialize)]
pub struct Game {
    pub game: u32,
    pub pair: u32,
    pub place: Option<Place>,
    pub rules: Option<String>,
    pub white: String,
    pub black: String,
    pub opening: Opening,
    pub result: String,
    pub winner: Option<String>,
    pub termination: String,
    pub reason: String,
    pub line: Option<String>,
    pub plies: usize,
    pub moves: Vec<Move>,
    #[serde(default)]
    pub checks: Vec<Finding>,
    pub pgn_bytes: u64,
}

/// Where a game belongs in a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Place {
    pub round: u32,
    pub encounter: u32,
    pub game: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Opening {
    pub name: String,
    pub fen: Option<String>,
    pub moves: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Move {
    #[serde(rename = "move")]
    pub text: String,
    #[serde(default)]
    pub book: bool,
    pub time_ms: Option<f64>,
    #[serde(default)]
    pub pondered: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    pub engine: String,
    pub check: String,
    pub count: usize,
    pub example: String,
}

impl Record {
    /// Reads the finished lines of the file.
    pub fn read(path: &Path) -> Record {
        let text = fs::read_to_string(path).expect("the state is there");
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..end].lines();
        let head = serde_json::from_str(lines.next().expect("a head")).expect("the head is JSON");
        let game =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        // Settings that were changed have a head of their own.
        let games = lines.filter(|line| !line.starts_with("{\"match\""));
        Record {
            head,
            games: games.map(game).collect(),
        }
    }

    /// The games by their numbers, each of which may come once.
    pub fn by_number(&self) -> BTreeMap<u32, &Game> {
        let games: BTreeMap<u32, &Game> = self.games.iter().map(|game| (game.game, game)).collect();
        assert_eq!(games.len(), self.games.len(), "a game comes twice");
        games
    }

    /// What the games are but for the time that they took, in the order of their numbers.
    pub fn essences(&self) -> Vec<String> {
        let games = self.by_number().into_values();
        games.map(|game| format!("{:?}", game.essence())).collect()
    }

    /// Requires games 1 to `number`, each once.
    pub fn assert_games(&self, number: u32) {
        let games: Vec<u32> = self.by_number().into_keys().collect();
        assert_eq!(games, (1..=number).collect::<Vec<u32>>());
    }

    /// Requires that the rules ended all games, and tells why others ended.
    pub fn assert_faultless(&self) {
        for game in &self.games {
            assert_eq!(
                game.termination, "normal",
                "game {}: {}",
                game.game, game.reason
            );
        }
    }

    /// How often the check failed in all games.
    pub fn check_count(&self, engine: &str, check: &str) -> usize {
        let games = self.games.iter();
        games.map(|game| game.check_count(engine, check)).sum()
    }
}

impl Game {
    /// The moves that an engine of this name has played itself.
    pub fn moves_of<'a>(&'a self, engine: &str) -> impl Iterator<Item = &'a Move> {
        let fen = self.opening.fen.as_deref().unwrap_or_default();
        let black_begins = fen.split_whitespace().nth(1) == Some("b");
        let parity = usize::from(black_begins != (engine != self.white));
        let moves = self.moves.iter().skip(parity).step_by(2);
        moves.filter(|mv| !mv.book)
    }

    /// How often the check failed.
    pub fn check_count(&self, engine: &str, check: &str) -> usize {
        let is_it = |finding: &&Finding| finding.engine == engine && finding.check == check;
        self.checks
            .iter()
            .filter(is_it)
            .map(|finding| finding.count)
            .sum()
    }

    /// What a game is but for the time that it took.
    pub fn essence(&self) -> impl PartialEq + std::fmt::Debug + '_ {
        let moves: Vec<&str> = self.moves.iter().map(|mv| mv.text.as_str()).collect();
        (
            (self.game, self.pair, &self.white, &self.black),
            (&self.rules, &self.opening, moves),
            (&self.result, &self.winner, &self.termination, &self.reason),
        )
    }
}

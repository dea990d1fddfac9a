//! The command `go`: what a search is told.

use std::fmt;
use std::time::Duration;

use super::command_error::{CommandError, and_more};
use super::command_parser::PERFT_DEPTHS;
use super::words::Words;
use super::{Dialect, MAX_PERFT_DEPTH};
use crate::board::{Move, Side};
use crate::notation::parse_turn;
use crate::rules::{Game, legal_moves};
use crate::search::{Clock, Limits};
use crate::text::excerpt;

/// Times from outside are held to this many milliseconds (about 35 years), so that sums of them
/// cannot overflow.
const LONGEST_TIME: u64 = 1 << 40;

/// What is said once for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerPlayer<T> {
    /// Player 1, White: `p1…` or `w…`.
    pub white: T,
    /// Player 2, Black: `p2…` or `b…`.
    pub black: T,
}

impl<T> PerPlayer<T> {
    /// What is said for `side`.
    pub fn of(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

/// The parameters of `go`. Without any the search runs until `stop`. Times are milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Time left: `p1time p2time` or `wtime btime`; zero or less counts as nothing left.
    pub time: PerPlayer<Option<i64>>,
    /// Time added after each move: `p1inc p2inc` or `winc binc`.
    pub increment: PerPlayer<Option<u64>>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Deepest iteration.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Stop when the end of the game, won or lost, is proved to be at most so many plies (UGI) or
    /// moves (UCI) away.
    pub mate: Option<u32>,
    /// Count turns to this depth first.
    pub perft: Option<u32>,
    /// Hold the answer back until `stop`.
    pub infinite: bool,
    /// Hold the answer back until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Moves to search, as text; empty means all.
    pub searchmoves: Vec<String>,
}

/// The words that have a meaning after `go`.
const KEYWORDS: [&str; 17] = [
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

impl GoCommand {
    /// Reads what follows the word `go`.
    ///
    /// A parameter that is wrong is reported to `complaints` and left out; the others hold. If
    /// nothing is left that ends the search, its depth is 1: a slip never starts an endless search.
    pub(super) fn parse(words: Words<'_>, complaints: &mut Vec<CommandError>) -> GoCommand {
        let mut parser = Parser {
            words,
            complaints: Vec::new(),
            unknown: Unknown::default(),
        };
        let mut go = GoCommand::default();
        while let Some(word) = parser.words.next() {
            go.parameter(word, &mut parser);
        }
        if let Some(first) = parser.unknown.first {
            parser.complaints.push(CommandError::GoWords {
                first: excerpt(first),
                more: parser.unknown.more,
            });
        }
        if !parser.complaints.is_empty() && !go.infinite && !go.has_limit() {
            go.depth = Some(1);
        }
        complaints.append(&mut parser.complaints);
        go
    }

    fn parameter<'a>(&mut self, word: &'a str, parser: &mut Parser<'a>) {
        match word {
            "p1time" | "wtime" => parser.time("p1time", &mut self.time.white),
            "p2time" | "btime" => parser.time("p2time", &mut self.time.black),
            "p1inc" | "winc" => parser.number("p1inc", &mut self.increment.white),
            "p2inc" | "binc" => parser.number("p2inc", &mut self.increment.black),
            "movestogo" => parser.small_number("movestogo", &mut self.movestogo),
            "movetime" => parser.number("movetime", &mut self.movetime),
            "depth" => parser.small_number("depth", &mut self.depth),
            "nodes" => parser.number("nodes", &mut self.nodes),
            "mate" => parser.small_number("mate", &mut self.mate),
            "perft" => {
                let mut depth = self.perft;
                parser.small_number("perft", &mut depth);
                match depth {
                    Some(depth) if depth > MAX_PERFT_DEPTH => {
                        parser.complain("perft", depth.to_string());
                    }
                    _ => self.perft = depth,
                }
            }
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "searchmoves" => {
                while let Some(word) = parser.words.peek().filter(|word| !is_keyword(word)) {
                    self.searchmoves.push(word.to_owned());
                    parser.words.next();
                }
            }
            _ => parser.unknown.add(word),
        }
    }

    /// Whether anything but `infinite` and `ponder` says when to stop.
    #[must_use]
    pub fn has_limit(&self) -> bool {
        self.has_clock()
            || self.movetime.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.perft.is_some()
    }

    /// Whether anything was said of clocks, for either player.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        let PerPlayer { white, black } = self.time;
        let increment = self.increment;
        white.is_some()
            || black.is_some()
            || increment.white.is_some()
            || increment.black.is_some()
            || self.movestogo.is_some()
    }

    /// Whether the search ends by `stop` (or `ponderhit`) only.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !self.has_limit()
    }

    /// The limits that are meant at the current position of `game`, and what there is to say about parts of
    /// the command that cannot be had.
    pub(super) fn limits(&self, game: &Game, dialect: Dialect) -> (Limits, Vec<String>) {
        let mut notes = Vec::new();
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(milliseconds),
            mate: self.mate.map(|mate| dialect.plies_of_mate(mate)),
            infinite: self.infinite || !(self.ponder || self.has_limit()),
            ponder: self.ponder,
            searchmoves: searchmoves(&self.searchmoves, game, &mut notes),
            ..Limits::default()
        };
        let side = game.position().side();
        match self.time.of(side).map(u64::try_from) {
            Some(Ok(remaining)) if remaining > 0 => {
                limits.clock = Some(Clock {
                    remaining: milliseconds(remaining),
                    increment: milliseconds(self.increment.of(side).unwrap_or(0)),
                    moves_to_go: self.movestogo.filter(|&moves| moves > 0),
                });
            }
            // No time left: the least that gives a move.
            Some(_) => limits.depth = Some(1),
            None => {}
        }
        if limits.mate == Some(0) {
            limits.depth = Some(1);
        }
        let is_limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.clock.is_some()
            || limits.mate.is_some();
        if !is_limited && self.has_limit() && !self.infinite {
            let note = format!("go: no time is given for {side}, so the search is short");
            notes.push(note);
            limits.depth = Some(1);
        }
        (limits, notes)
    }

    /// Writes the command with the words of `dialect`.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, dialect: Dialect) -> fmt::Result {
        let [white_time, black_time, white_increment, black_increment] = match dialect {
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
        };
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_parameter(f, white_time, self.time.white)?;
        write_parameter(f, black_time, self.time.black)?;
        write_parameter(f, white_increment, self.increment.white)?;
        write_parameter(f, black_increment, self.increment.black)?;
        write_parameter(f, "movestogo", self.movestogo)?;
        write_parameter(f, "movetime", self.movetime)?;
        write_parameter(f, "depth", self.depth)?;
        write_parameter(f, "nodes", self.nodes)?;
        write_parameter(f, "mate", self.mate)?;
        write_parameter(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            for mv in &self.searchmoves {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}

fn write_parameter(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name} {value}"),
        None => Ok(()),
    }
}

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

struct Parser<'a> {
    words: Words<'a>,
    complaints: Vec<CommandError>,
    unknown: Unknown<'a>,
}

/// Words that `go` does not know: a line may have very many.
#[derive(Default)]
struct Unknown<'a> {
    first: Option<&'a str>,
    more: usize,
}

impl<'a> Unknown<'a> {
    fn add(&mut self, word: &'a str) {
        if self.first.is_none() {
            self.first = Some(word);
        } else {
            self.more += 1;
        }
    }
}

impl<'a> Parser<'a> {
    /// The word after a parameter's name, unless that is the next parameter.
    fn value(&mut self, name: &'static str) -> Option<&'a str> {
        let value = self.words.peek().filter(|word| !is_keyword(word));
        match value {
            Some(_) => {
                self.words.next();
            }
            None => self.complain(name, String::new()),
        }
        value
    }

    /// One complaint for each parameter, however often it is wrong.
    fn complain(&mut self, name: &'static str, value: String) {
        let wanted = match name {
            "perft" => PERFT_DEPTHS,
            _ => "a whole number",
        };
        let again = self.complaints.iter().any(
            |complaint| matches!(complaint, CommandError::GoValue { name: other, .. } if *other == name),
        );
        if !again {
            self.complaints.push(CommandError::GoValue {
                name,
                value,
                wanted,
            });
        }
    }

    /// A whole number; one that is too large counts as the largest.
    fn number(&mut self, name: &'static str, place: &mut Option<u64>) {
        let Some(value) = self.value(name) else {
            return;
        };
        match whole_number(value) {
            Some(number) => *place = Some(number),
            None => self.complain(name, excerpt(value)),
        }
    }

    fn small_number(&mut self, name: &'static str, place: &mut Option<u32>) {
        let mut wide = None;
        self.number(name, &mut wide);
        if let Some(number) = wide {
            *place = Some(u32::try_from(number).unwrap_or(u32::MAX));
        }
    }

    /// A time left on a clock: managers send negative ones too.
    fn time(&mut self, name: &'static str, place: &mut Option<i64>) {
        let Some(value) = self.value(name) else {
            return;
        };
        let (negative, digits) = match value.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, value),
        };
        match whole_number(digits) {
            Some(number) => {
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                *place = Some(if negative { -number } else { number });
            }
            None => self.complain(name, excerpt(value)),
        }
    }
}

/// Digits and nothing else; numbers that are too large count as the largest.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(LONGEST_TIME))
}

/// The legal ones among the moves to search.
fn searchmoves(words: &[String], game: &Game, notes: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut first_error = None;
    let mut errors = 0;
    for word in words {
        match parse_turn(word, game.rules(), game.position()) {
            Ok((_, mv)) => moves.push(mv),
            Err(error) => {
                errors += 1;
                first_error.get_or_insert((word, error));
            }
        }
    }
    if let Some((word, error)) = first_error {
        let rest = if moves.is_empty() {
            ", so all moves are searched"
        } else {
            ""
        };
        notes.push(format!(
            "searchmoves: '{}' is dropped: {error}{}{rest}",
            excerpt(word),
            and_more(errors - 1),
        ));
    }
    if moves.is_empty() && !words.is_empty() {
        moves = legal_moves(game.rules(), game.position()).to_vec();
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Settings};
    use crate::rules::Rules;
    use crate::search::Strength;

    fn parse(text: &str) -> (GoCommand, Vec<String>) {
        let mut complaints = Vec::new();
        let go = GoCommand::parse(Words::new(text), &mut complaints);
        let complaints = complaints.iter().map(ToString::to_string).collect();
        (go, complaints)
    }

    #[test]
    fn parameters_in_any_order() {
        let (go, complaints) =
            parse("movestogo 7 btime 5 searchmoves d3-e3A e2e3a infinite wtime -3");
        assert_eq!(complaints, [""; 0]);
        assert_eq!((go.time.white, go.time.black), (Some(-3), Some(5)));
        assert_eq!(go.movestogo, Some(7));
        assert_eq!(go.searchmoves, ["d3-e3A", "e2e3a"]);
        assert!(go.infinite && go.is_endless());
        assert!(parse("").0.is_endless());
        assert!(parse("searchmoves d3-e3A").0.is_endless());
        assert!(!parse("depth 3").0.is_endless());
    }

    #[test]
    fn what_is_wrong_is_left_out() {
        let (go, complaints) = parse("depth abc nodes 5 movetime");
        assert_eq!((go.depth, go.nodes, go.movetime), (None, Some(5), None));
        assert_eq!(
            complaints,
            [
                "go: depth 'abc', want a whole number",
                "go: movetime has no value, want a whole number"
            ]
        );
        let (go, complaints) = parse("p1time p2time 70");
        assert_eq!((go.time.white, go.time.black), (None, Some(70)));
        assert_eq!(complaints.len(), 1);
    }

    #[test]
    fn a_slip_is_no_endless_search() {
        for text in [
            "depth abc",
            "banana",
            "ponder depth abc",
            "perft",
            "perft 1000",
            "searchmoves a1 mate x",
        ] {
            let (go, complaints) = parse(text);
            assert_eq!((go.depth, complaints.len()), (Some(1), 1), "{text}");
        }
        let (go, complaints) = parse("infinite banana banana split");
        assert_eq!((go.depth, go.infinite), (None, true));
        assert_eq!(complaints, ["go: unknown word 'banana' (and 2 more)"]);
        let many = "depth x ".repeat(1000);
        assert_eq!(parse(&many).1.len(), 1);
    }

    #[test]
    fn large_numbers_count_as_the_largest() {
        let nines = "9".repeat(40);
        let (go, complaints) = parse(&format!(
            "depth {nines} nodes {nines} p1time {nines} p2time -{nines}"
        ));
        assert_eq!(complaints, [""; 0]);
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(u64::MAX)));
        assert_eq!(
            (go.time.white, go.time.black),
            (Some(i64::MAX), Some(-i64::MAX))
        );
    }

    fn plan(text: &str, dialect: Dialect) -> (Limits, Vec<String>) {
        let words = text.strip_prefix("go").expect("a go");
        let go = GoCommand::parse(Words::new(words), &mut Vec::new());
        go.limits(&Game::new(Rules::STANDARD), dialect)
    }

    #[test]
    fn clocks_of_the_side_to_move() {
        let (limits, notes) = plan("go wtime 5000 btime 7 winc 30 movestogo 0", Dialect::Uci);
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.remaining, Duration::from_secs(5));
        assert_eq!(clock.increment, Duration::from_millis(30));
        assert_eq!((clock.moves_to_go, limits.depth), (None, None));
        assert!(!limits.infinite && notes.is_empty());
    }

    #[test]
    fn no_time_is_a_short_search() {
        for text in [
            "p1time 0 p2time 9",
            "p1time -5",
            "p2time 9",
            "p1inc 5",
            "movestogo 3",
            "mate 0",
        ] {
            let (limits, _) = plan(&format!("go {text}"), Dialect::Ugi);
            assert_eq!((limits.depth, limits.clock), (Some(1), None), "{text}");
            assert!(!limits.infinite, "{text}");
        }
        let (limits, notes) = plan("go p2time 9 movetime 100", Dialect::Ugi);
        assert_eq!((limits.depth, notes.len()), (None, 0));
    }

    #[test]
    fn searches_without_end() {
        for text in [
            "go",
            "go infinite",
            "go searchmoves d3-e3A",
            "go infinite p2time 9",
        ] {
            let (limits, _) = plan(text, Dialect::Ugi);
            assert!(limits.infinite && limits.depth.is_none(), "{text}");
        }
        let (limits, _) = plan("go ponder", Dialect::Ugi);
        assert!(limits.ponder && !limits.infinite && limits.depth.is_none());
    }

    #[test]
    fn mates_are_counted_in_the_dialect() {
        assert_eq!(plan("go mate 3", Dialect::Ugi).0.mate, Some(3));
        assert_eq!(plan("go mate 3", Dialect::Uci).0.mate, Some(6));
    }

    #[test]
    fn illegal_searchmoves_are_dropped() {
        let (limits, notes) = plan("go searchmoves zz d3-e3A a1-a2 d3e3a", Dialect::Ugi);
        assert_eq!((limits.searchmoves.len(), notes.len()), (1, 1));
        assert!(
            notes
                .iter()
                .any(|note| note.contains("'zz'") && note.contains("(and 1 more)"))
        );
        let (limits, notes) = plan("go depth 1 searchmoves zz", Dialect::Ugi);
        let start = Game::new(Rules::STANDARD);
        let all = legal_moves(start.rules(), start.position());
        assert_eq!(limits.searchmoves.len(), all.len());
        assert!(notes.iter().any(|note| note.contains("all moves")));
    }

    #[test]
    fn times_are_held_to_what_can_be_added_up() {
        let go = GoCommand {
            time: PerPlayer {
                white: Some(i64::MAX),
                black: None,
            },
            movetime: Some(u64::MAX),
            ..GoCommand::default()
        };
        let game = Game::new(Rules::STANDARD);
        let (limits, _) = go.limits(&game, Dialect::Ugi);
        assert!(limits.movetime < Some(Duration::from_secs(1 << 32)));
        assert!(
            limits
                .clock
                .is_some_and(|clock| clock.remaining < Duration::from_secs(1 << 32))
        );
    }

    #[test]
    fn analysis_has_all_the_strength_there_is() {
        let mut settings = Settings::default();
        settings.skill.level = 3;
        let strength = |text: &str, settings: &Settings| {
            let engine = Engine::new(settings.clone());
            let (limits, _) = plan(text, Dialect::Ugi);
            engine.with_options(limits).strength
        };
        let limited = Strength::from_level(3).elo();
        for text in ["go wtime 9", "go nodes 9", "go ponder", "go depth x"] {
            assert_eq!(strength(text, &settings).elo(), limited, "{text}");
        }
        for text in [
            "go",
            "go infinite",
            "go infinite wtime 9",
            "go mate 3",
            "go mate 0",
        ] {
            assert!(strength(text, &settings).is_full(), "{text}");
        }
        settings.analyse_mode = true;
        assert!(strength("go nodes 9", &settings).is_full());
    }
}

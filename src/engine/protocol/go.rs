//! The command `go`: limits of a search.

use std::time::Duration;

use super::words::{ParseError, Words, field, joined, some};
use super::{Dialect, MAX_PERFT_DEPTH};
use crate::board::Move;
use crate::notation::parse_turn;
use crate::rules::{Game, legal_moves};
use crate::search::{Clock, Limits};
use crate::text::excerpt;

/// Expected argument of perft, for error messages.
pub(super) const PERFT_DEPTHS: &str = "a depth from 0 to 99";

/// Times from input are clamped to this many milliseconds (about 35 years), so that sums cannot overflow.
const LONGEST_TIME: u64 = 1 << 40;

/// The parameters of `go`. Without a limit the search runs until `stop`. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Remaining time of White and Black: `p1time p2time` or `wtime btime`; zero or less counts as none.
    pub time: [Option<i64>; 2],
    /// Time added after each move: `p1inc p2inc` or `winc binc`.
    pub increment: [Option<u64>; 2],
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Maximum depth.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Stop when a win or loss within this many plies (UGI) or moves (UCI) is proved.
    pub mate: Option<u32>,
    /// Run perft to this depth first.
    pub perft: Option<u32>,
    /// Hold the result back until `stop`.
    pub infinite: bool,
    /// Hold the result back until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Moves to search, separated by white space; empty means all.
    pub searchmoves: String,
}

const KEYWORDS: &str = "p1time p2time p1inc p2inc wtime btime winc binc movestogo movetime \
     depth nodes mate perft infinite ponder searchmoves";

impl GoCommand {
    /// Parses the text after the word `go`.
    ///
    /// An invalid parameter is reported to `complaints` and ignored; the others apply. If no limit
    /// remains, the depth is 1: an input error never starts an endless search.
    pub(super) fn parse(words: &mut Words<'_>, complaints: &mut Vec<ParseError>) -> GoCommand {
        let mut go = GoCommand::default();
        let mut numbers = Numbers {
            words,
            wrong: Vec::new(),
            complaints: Vec::new(),
        };
        let mut unknown = (None, 0);
        while let Some(word) = numbers.words.next() {
            match word {
                "p1time" | "wtime" => numbers.read("p1time", &mut go.time[0], clock_time),
                "p2time" | "btime" => numbers.read("p2time", &mut go.time[1], clock_time),
                "p1inc" | "winc" => numbers.read("p1inc", &mut go.increment[0], number),
                "p2inc" | "binc" => numbers.read("p2inc", &mut go.increment[1], number),
                "movestogo" => numbers.read("movestogo", &mut go.movestogo, small_number),
                "movetime" => numbers.read("movetime", &mut go.movetime, number),
                "depth" => numbers.read("depth", &mut go.depth, small_number),
                "nodes" => numbers.read("nodes", &mut go.nodes, number),
                "mate" => numbers.read("mate", &mut go.mate, small_number),
                "perft" => numbers.read("perft", &mut go.perft, perft_depth),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    let moves = joined(numbers.words.until(KEYWORDS));
                    match moves.is_empty() {
                        true => numbers.complain("searchmoves", "has no value"),
                        false => go.searchmoves = moves,
                    }
                }
                _ => unknown = (unknown.0.or(Some(word)), unknown.1 + 1),
            }
        }
        if let (Some(first), count) = unknown {
            let (first, more) = (excerpt(first), and_more(count - 1));
            let complaint = format!("go: unknown word '{first}'{more}");
            numbers.complaints.push(ParseError::Wrong(complaint));
        }
        if !numbers.complaints.is_empty() && !go.infinite && !go.has_limit() {
            go.depth = Some(1);
        }
        complaints.append(&mut numbers.complaints);
        go
    }

    /// Whether there is a limit besides `infinite` and `ponder`.
    pub fn has_limit(&self) -> bool {
        let limits = GoCommand {
            infinite: false,
            ponder: false,
            searchmoves: String::new(),
            ..self.clone()
        };
        limits != GoCommand::default()
    }

    /// Whether only `stop` (or `ponderhit`) ends the search.
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !self.has_limit()
    }

    /// The limits at the current position of `game`, and notes on ignored parts of the command.
    pub(super) fn limits(&self, game: &Game, dialect: Dialect) -> (Limits, Vec<String>) {
        let mut notes = Vec::new();
        let side = game.position().side();
        let time = self.time.get(side.index()).copied().flatten();
        let increment = self.increment.get(side.index()).copied().flatten();
        let clock = time.map(|time| Clock {
            remaining: milliseconds(time.max(0).unsigned_abs()),
            increment: milliseconds(increment.unwrap_or(0)),
            moves_to_go: self.movestogo.filter(|&moves| moves > 0),
        });
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(milliseconds),
            clock: clock.filter(|clock| !clock.remaining.is_zero()),
            mate: self.mate.map(|mate| dialect.plies_of_mate(mate)),
            infinite: self.infinite || !(self.ponder || self.has_limit()),
            ponder: self.ponder,
            searchmoves: searchmoves(&self.searchmoves, game, &mut notes),
            ..Limits::default()
        };
        // No time or plies left: minimum search.
        if clock != limits.clock || limits.mate == Some(0) {
            limits.depth = Some(1);
        }
        if self.perft.is_some() {
            // Only the counts were requested; the short search supplies the `bestmove`.
            limits.depth = Some(1);
            limits.multipv = 1;
            limits.analyse = true;
        }
        let is_limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.clock.is_some()
            || limits.mate.is_some();
        if !is_limited && self.has_limit() && !self.infinite {
            limits.depth = Some(1);
            let whose = match self.time == [None; 2] {
                true => String::new(),
                false => format!(" for {side}"),
            };
            notes.push(format!(
                "go: no time is given{whose}, so the search is short"
            ));
        }
        (limits, notes)
    }

    pub(super) fn in_dialect(&self, dialect: Dialect) -> String {
        let [white_time, black_time, white_increment, black_increment] = match dialect {
            Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
            Dialect::Uci => ["wtime", "btime", "winc", "binc"],
        };
        [
            if self.ponder { "go ponder" } else { "go" },
            &field(white_time, self.time[0]),
            &field(black_time, self.time[1]),
            &field(white_increment, self.increment[0]),
            &field(black_increment, self.increment[1]),
            &field("movestogo", self.movestogo),
            &field("movetime", self.movetime),
            &field("depth", self.depth),
            &field("nodes", self.nodes),
            &field("mate", self.mate),
            &field("perft", self.perft),
            if self.infinite { " infinite" } else { "" },
            &some("searchmoves", &self.searchmoves),
        ]
        .concat()
    }
}

struct Numbers<'a, 'line> {
    words: &'a mut Words<'line>,
    /// Invalid parameters already reported: one error for each.
    wrong: Vec<&'static str>,
    complaints: Vec<ParseError>,
}

impl Numbers<'_, '_> {
    /// Parses a parameter's value: the next word, unless it is a keyword. An error of `read` is the
    /// excerpt to report.
    fn read<T>(
        &mut self,
        name: &'static str,
        place: &mut Option<T>,
        read: fn(&str) -> Result<T, String>,
    ) {
        let error = match self.words.next_unless(KEYWORDS).map(read) {
            Some(Ok(number)) => {
                *place = Some(number);
                return;
            }
            Some(Err(shown)) => format!("'{shown}'"),
            None => "has no value".to_owned(),
        };
        self.complain(name, &error);
    }

    fn complain(&mut self, name: &'static str, error: &str) {
        if !self.wrong.contains(&name) {
            self.wrong.push(name);
            let wanted = match name {
                "perft" => PERFT_DEPTHS,
                "searchmoves" => "moves",
                _ => "a whole number",
            };
            let complaint = format!("go: {name} {error}, expected {wanted}");
            self.complaints.push(ParseError::Wrong(complaint));
        }
    }
}

/// A number of decimal digits only; values too large count as the maximum.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

fn number(text: &str) -> Result<u64, String> {
    whole_number(text).ok_or_else(|| excerpt(text))
}

fn small_number(text: &str) -> Result<u32, String> {
    Ok(u32::try_from(number(text)?).unwrap_or(u32::MAX))
}

fn perft_depth(text: &str) -> Result<u32, String> {
    let depth = small_number(text)?;
    (depth <= MAX_PERFT_DEPTH)
        .then_some(depth)
        .ok_or_else(|| excerpt(text))
}

/// A remaining time, which may be negative: some managers send such values.
fn clock_time(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = whole_number(digits).ok_or_else(|| excerpt(text))?;
    let time = i64::try_from(number).unwrap_or(i64::MAX);
    Ok(if digits == text { time } else { -time })
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(LONGEST_TIME))
}

fn and_more(more: usize) -> String {
    match more {
        0 => String::new(),
        _ => format!(" (and {more} more)"),
    }
}

/// The legal moves of `searchmoves`.
fn searchmoves(words: &str, game: &Game, notes: &mut Vec<String>) -> Vec<Move> {
    let (mut moves, mut errors) = (Vec::new(), (None, 0));
    for word in words.split_whitespace() {
        match parse_turn(word, game.rules(), game.position()) {
            Ok((_, mv)) if moves.contains(&mv) => {}
            Ok((_, mv)) => moves.push(mv),
            Err(error) => errors = (errors.0.or(Some((word, error))), errors.1 + 1),
        }
    }
    if let (Some((word, error)), count) = errors {
        let rest = match moves.is_empty() {
            true => ", so all moves are searched",
            false => "",
        };
        let (word, more) = (excerpt(word), and_more(count - 1));
        notes.push(format!(
            "searchmoves: '{word}' is dropped: {error}{more}{rest}"
        ));
    }
    if moves.is_empty() && !words.is_empty() {
        moves = legal_moves(game.rules(), game.position()).to_vec();
    }
    moves.sort_unstable();
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
        let go = GoCommand::parse(&mut Words::new(text), &mut complaints);
        let complaints = complaints.iter().map(ToString::to_string).collect();
        (go, complaints)
    }

    #[test]
    fn parameters_in_any_order() {
        let (go, complaints) =
            parse("movestogo 7 btime 5 searchmoves d3-e3A e2e3a infinite wtime -3");
        assert_eq!(complaints, [""; 0]);
        assert_eq!(go.time, [Some(-3), Some(5)]);
        assert_eq!(go.movestogo, Some(7));
        assert_eq!(go.searchmoves, "d3-e3A e2e3a");
        assert!(go.infinite && go.is_endless());
        assert!(parse("").0.is_endless());
        assert!(parse("searchmoves d3-e3A").0.is_endless());
        assert!(!parse("depth 3").0.is_endless());
    }

    /// The transcript `session_go` has the sentences.
    #[test]
    fn what_is_wrong_is_left_out() {
        let (go, complaints) = parse("depth abc nodes 5 movetime");
        assert_eq!((go.depth, go.nodes, go.movetime), (None, Some(5), None));
        assert_eq!(complaints.len(), 2);
        let (go, complaints) = parse("p1time p2time 70");
        assert_eq!(go.time, [None, Some(70)]);
        assert_eq!(complaints.len(), 1);
        // A slip is no endless search.
        let slips =
            "depth abc;banana;ponder depth abc;perft;perft 1000;searchmoves a1 mate x;searchmoves";
        for text in slips.split(';') {
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
        let all =
            format!("depth {nines} nodes {nines} movetime {nines} p1time {nines} p2time -{nines}");
        let (go, complaints) = parse(&all);
        assert_eq!(complaints, [""; 0]);
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(u64::MAX)));
        assert_eq!(go.time, [Some(i64::MAX), Some(-i64::MAX)]);
        // Times are held to what can be added up.
        let (limits, _) = go.limits(&Game::new(Rules::STANDARD), Dialect::Ugi);
        let most = Duration::from_secs(1 << 32);
        assert!(limits.movetime.expect("a time") < most);
        assert!(limits.clock.expect("a clock").remaining < most);
    }

    fn plan(text: &str, dialect: Dialect) -> (Limits, Vec<String>) {
        let words = text.strip_prefix("go").expect("a go");
        let go = GoCommand::parse(&mut Words::new(words), &mut Vec::new());
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
        // No time is a short search, and so is no mate; mates are counted in the dialect.
        for text in ["go p1time 0 p2time 9", "go mate 0"] {
            let (limits, notes) = plan(text, Dialect::Ugi);
            assert_eq!((limits.depth, limits.clock), (Some(1), None), "{text}");
            assert!(!limits.infinite && notes.is_empty(), "{text}");
        }
        let mates = [Dialect::Ugi, Dialect::Uci].map(|dialect| plan("go mate 3", dialect).0.mate);
        assert_eq!(mates, [Some(3), Some(6)]);
    }

    /// Every combination of parameters, good, bad and without a value: what ends the search is what is documented.
    #[test]
    fn every_combination_ends_as_documented() {
        const PARAMETERS: [(&str, &str); 12] = [
            ("p1time 5000", "clock"),
            ("p1time -3", "short"),
            ("p2time 70", "other"),
            ("p1inc 5", "other"),
            ("movestogo 5", "other"),
            ("movetime 90", "limit"),
            ("depth 9", "limit"),
            ("mate 3", "limit"),
            ("perft 2", "perft"),
            ("searchmoves", "wrong"),
            ("infinite", "infinite"),
            ("ponder", "ponder"),
        ];
        for set in 0..1 << PARAMETERS.len() {
            let chosen = (0..PARAMETERS.len()).filter(|place| set >> place & 1 == 1);
            let chosen: Vec<_> = chosen.map(|place| PARAMETERS[place]).collect();
            let text: String = chosen.iter().map(|(text, _)| format!(" {text}")).collect();
            let has = |kind: &str| chosen.iter().any(|(_, of)| *of == kind);
            let (go, complaints) = parse(&text);
            let (limits, notes) = go.limits(&Game::new(Rules::STANDARD), Dialect::Ugi);
            // `p1time -3` comes later, and counts.
            let clock = has("clock") && !has("short");
            assert_eq!(complaints.len(), usize::from(has("wrong")), "{text}");
            let is_infinite = has("infinite") || chosen.is_empty();
            let found = (limits.infinite, limits.ponder);
            assert_eq!(found, (is_infinite, has("ponder")), "{text}");
            assert_eq!(limits.clock.is_some(), clock, "{text}");
            let is_bare = !clock && !has("limit");
            let is_other = has("other") || has("wrong");
            let is_short = has("short") || has("perft") || is_bare && !has("infinite") && is_other;
            let depth = match (is_short, text.contains("depth")) {
                (true, _) => Some(1),
                (false, true) => Some(9),
                (false, false) => None,
            };
            assert_eq!(limits.depth, depth, "{text}");
            let ends = ["short", "infinite", "perft"].into_iter().any(has);
            let is_told = is_bare && !ends && has("other");
            assert_eq!(notes.len(), usize::from(is_told), "{text}: {notes:?}");
        }
    }

    /// And contempt is for games at full strength.
    #[test]
    fn analysis_has_all_the_strength_there_is() {
        let mut settings = Settings {
            contempt: 9,
            ..Settings::default()
        };
        let planned = |text: &str, settings: &Settings| {
            let (limits, _) = plan(text, Dialect::Ugi);
            let limits = Engine::new(settings.clone()).with_options(limits);
            (limits.strength, limits.contempt)
        };
        assert_eq!(planned("go wtime 9", &settings).1, 9);
        settings.skill.level = 3;
        let limited = Strength::from_level(3).elo();
        for text in ["go wtime 9", "go nodes 9", "go ponder", "go depth x"] {
            let (strength, contempt) = planned(text, &settings);
            assert_eq!((strength.elo(), contempt), (limited, 0), "{text}");
        }
        for text in "go;go infinite;go infinite wtime 9;go mate 3;go mate 0".split(';') {
            let (strength, contempt) = planned(text, &settings);
            assert!(strength.is_full() && contempt == 0, "{text}");
        }
        settings.analyse_mode = true;
        assert!(planned("go nodes 9", &settings).0.is_full());
    }
}

//! Suites of positions with known answers, and how many of them an engine finds.
//!
//! [`parse_suite`] reads the positions, [`Examiner`] asks an engine for its move in each.
//!
//! # The built-in suites
//!
//! In each position of `winning` one move wins, in each of `holding` one move does not lose; all others are proved
//! not to. `bench/suites.rs` makes them, and says how.

mod examiner;

use std::collections::HashMap;
use std::str::FromStr;

pub use examiner::{Examiner, Solution, Verdict};

use super::settings::split_unquoted;
use vato_engine::board::{Move, Position};
use vato_engine::notation::{format_move, parse_fen, parse_turn};
use vato_engine::protocol::{Dialect, InfoScore, ScoreValue};
use vato_engine::rules::{Game, Rules, parse_rules};
use vato_engine::search::Bound;
use vato_engine::text::{excerpt, printable};

/// The most bad lines that an error names.
const MOST_NAMED: usize = 10;

/// The built-in suites, by their names.
const BUILT_IN: [(&str, &str); 2] = [
    ("winning", include_str!("winning.epd")),
    ("holding", include_str!("holding.epd")),
];

/// The text of a built-in suite; `None` if no suite has this name.
pub fn built_in_suite(name: &str) -> Option<&'static str> {
    let mut suites = BUILT_IN.iter();
    suites.find(|suite| suite.0 == name).map(|&(_, text)| text)
}

/// Reads a suite, at least one position, all with ids of their own: a position a line, as [`Question::parse`] reads it.
/// Blank lines and lines that begin with `#` are skipped, and so are, with a warning, positions of which nothing is
/// asked. Lines without rules of their own are played under `rules`; those without an id are named by their number.
///
/// # Errors
///
/// The bad lines with their numbers, one on each line of the error; ids that are there twice; a text without
/// positions.
pub fn parse_suite(text: &str, rules: &Rules) -> Result<Vec<Question>, String> {
    let mut questions = Vec::new();
    let mut lines_of = HashMap::new();
    let mut errors = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = Question::parse(line, number, rules).and_then(|question| {
            match lines_of.insert(question.id.clone(), number) {
                Some(first) => Err(format!("the id '{}' is that of line {first}", question.id)),
                None => Ok(question),
            }
        });
        match read {
            Ok(question) => questions.push(question),
            Err(error) if error == NOTHING_ASKED => {
                log::warn!("line {number}: {error}; left out");
            }
            Err(error) => errors.push(format!("line {number}: {error}")),
        }
    }
    let more = errors.len().saturating_sub(MOST_NAMED);
    errors.truncate(MOST_NAMED);
    if more > 0 {
        errors.push(format!("and {more} more"));
    }
    match (errors.is_empty(), questions.is_empty()) {
        (false, _) => Err(errors.join("\n")),
        (_, true) => Err("no positions".to_owned()),
        _ => Ok(questions),
    }
}

/// The furthest that a score may be from `ce 0`, in centi-stones.
const LEVEL: i32 = 20;

/// The most characters of an id or a tag.
const LONGEST_NAME: usize = 80;

const OPERATIONS: &str = "bm, am, pv, ce, dm, id, tags, rules, or c0 to c9";

/// A position and what is asked of it: at least one of moves, score and distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its name, one line.
    pub id: String,
    /// Groups that it is counted in.
    pub tags: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The position; the game is not over.
    pub position: Position,
    best: Vec<Move>,
    avoided: Vec<Move>,
    line: Vec<Move>,
    score: Option<i32>,
    win_within: Option<u32>,
}

/// Why a line is left out of a suite.
const NOTHING_ASKED: &str = "nothing is asked, expected bm, am, ce or dm";

impl Question {
    /// Reads a line: a FEN, then operations, each ended by `;`, in the syntax of EPD:
    ///
    /// | operation | meaning |
    /// |---|---|
    /// | `bm MOVE…` | one of these moves is to be played |
    /// | `am MOVE…` | none of these moves is to be played |
    /// | `pv MOVE…` | a line that begins with a best move; it is not asked for |
    /// | `ce N` | the score, in centi-stones for the side to move, is at least N if N is above 0, at most N if below, else within 20 of 0 |
    /// | `dm N` | the score is a win within N plies |
    /// | `id NAME` | the name, by default `number` |
    /// | `tags WORD…` | groups that it is counted in |
    /// | `rules RULES` | the rules, by default `rules` |
    ///
    /// Between moves and words there may be commas. Operands may stand between double quotation marks. The comments
    /// `c0` to `c9` are skipped.
    ///
    /// # Errors
    ///
    /// What is wrong, and what was expected.
    pub fn parse(line: &str, number: usize, rules: &Rules) -> Result<Question, String> {
        // The counters of a FEN begin with digits, operations with letters. The side to move may be missing.
        let (mut fields, mut rest) = (Vec::new(), line.trim_start());
        while let Some(word) = rest.split_whitespace().next()
            && (fields.is_empty()
                || fields.len() == 1 && !is_operation(word)
                || word.starts_with(|c: char| c.is_ascii_digit()))
        {
            fields.push(word);
            rest = rest[word.len()..].trim_start();
        }
        let fen = fields.join(" ");
        let fen = fen.trim_end_matches(';');
        let operations = operations(rest)?;
        let operand = |name: &str| operations.get(name).map(String::as_str);
        let is_between = |c: char| c == ',' || c.is_whitespace();
        let words = |name: &str| {
            let words = operand(name)
                .into_iter()
                .flat_map(move |text| text.split(is_between));
            words.filter(|word| !word.is_empty())
        };
        let rules = match operand("rules") {
            Some(text) => parse_rules(text).map_err(|error| format!("rules: {error}"))?,
            None => *rules,
        };
        let position = parse_fen(fen, rules.board).map_err(|error| error.to_string())?;
        if let Some(outcome) = Game::from_position(rules, position).outcome() {
            return Err(format!("the game is over ({outcome})"));
        }
        let moves = |name: &str| -> Result<Vec<Move>, String> {
            let read = words(name).map(|word| match parse_turn(word, &rules, &position) {
                Ok((_, mv)) => Ok(mv),
                Err(error) => Err(format!("{name} {}: {error}", excerpt(word))),
            });
            read.collect()
        };
        let mut game = Game::from_position(rules, position);
        let line = words("pv").map(|word| {
            let read = parse_turn(word, &rules, game.position());
            let played = read.map_err(|error| error.to_string());
            let played = played.and_then(|(_, mv)| {
                game.play(mv).map_err(|error| error.to_string())?;
                Ok(mv)
            });
            played.map_err(|error| format!("pv {}: {error}", excerpt(word)))
        });
        let line: Vec<Move> = line.collect::<Result<_, _>>()?;
        let question = Question {
            id: operand("id").map_or_else(|| number.to_string(), name),
            tags: words("tags").map(name).collect(),
            rules,
            position,
            best: moves("bm")?,
            avoided: moves("am")?,
            line,
            score: number_of("ce", operand("ce"), "a whole number in range")?,
            win_within: number_of("dm", operand("dm"), "a number of plies")?,
        };
        let mut best = question.best.iter();
        if let Some(mv) = best.find(|mv| question.avoided.contains(mv)) {
            let mv = format_move(&rules, &position, *mv).unwrap_or_default();
            return Err(format!("{mv} is both best and to be avoided"));
        }
        if let Some(mv) = question.line.first()
            && !question.best.contains(mv)
        {
            return Err("pv does not begin with a best move".to_owned());
        }
        let moves = question.best.is_empty() && question.avoided.is_empty();
        match moves && question.score.is_none() && question.win_within.is_none() {
            true => Err(NOTHING_ASKED.to_owned()),
            false => Ok(question),
        }
    }

    /// The moves of which one is to be played; none if something else is asked.
    pub fn best(&self) -> &[Move] {
        &self.best
    }

    /// The line from the position on, both sides' moves; empty if none is given.
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    /// Whether a move, with the last score reported before it, is what was asked for.
    fn is_answered_by(&self, mv: &str, score: Option<InfoScore>, dialect: Dialect) -> bool {
        let Ok((_, mv)) = parse_turn(mv, &self.rules, &self.position) else {
            return false;
        };
        let wins = |wanted| wins_within(score, wanted, dialect);
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoided.contains(&mv)
            && self.score.is_none_or(|wanted| reaches(score, wanted))
            && self.win_within.is_none_or(wins)
    }

    /// The answer that was expected, as the line has it: `d3-e3A`, `not d3-e3A`, `ce 100`, `dm 5`.
    pub fn expected(&self) -> String {
        let text = |&mv: &Move| format_move(&self.rules, &self.position, mv);
        let moves = |word: &str, moves: &[Move]| {
            let moves: Vec<String> = moves.iter().filter_map(text).collect();
            (!moves.is_empty()).then(|| word.to_owned() + &moves.join(" or "))
        };
        let parts = [
            moves("", &self.best),
            moves("not ", &self.avoided),
            self.score.map(|score| format!("ce {score}")),
            self.win_within.map(|plies| format!("dm {plies}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A name as it can be shown.
fn name(text: &str) -> String {
    printable(text, LONGEST_NAME)
}

fn is_operation(name: &str) -> bool {
    let is_comment = matches!(name.as_bytes(), [b'c', b'0'..=b'9']);
    is_comment || ["bm", "am", "pv", "ce", "dm", "id", "tags", "rules"].contains(&name)
}

/// The operations and their operands, without quotation marks.
fn operations(text: &str) -> Result<HashMap<&str, String>, String> {
    let parts = split_unquoted(text, ';').ok_or("a quotation mark is not closed")?;
    let parts = parts.into_iter().map(str::trim);
    let mut found = HashMap::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let (operation, operand) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        if !is_operation(operation) {
            let operation = excerpt(operation);
            return Err(format!(
                "unknown operation '{operation}', expected {OPERATIONS}"
            ));
        }
        let operand = operand.replace('"', "").trim().to_owned();
        if operand.is_empty() {
            return Err(format!("{operation} has no operand"));
        }
        if found.insert(operation, operand).is_some() {
            return Err(format!("{operation} is given twice"));
        }
    }
    Ok(found)
}

fn number_of<T: FromStr>(
    name: &str,
    operand: Option<&str>,
    expected: &str,
) -> Result<Option<T>, String> {
    let read = operand.map(|text| {
        let wrong = |_| format!("{name} '{}', expected {expected}", excerpt(text));
        text.parse().map_err(wrong)
    });
    read.transpose()
}

/// Whether a score is what `ce` asks for.
fn reaches(score: Option<InfoScore>, wanted: i32) -> bool {
    let Some(InfoScore { value, bound }) = score else {
        return false;
    };
    let value = match value {
        ScoreValue::CentiStones(value) => value,
        ScoreValue::Mate(distance) if distance > 0 => i32::MAX,
        ScoreValue::Mate(_) => i32::MIN,
    };
    match wanted {
        1.. => value >= wanted && bound != Bound::Upper,
        0 => (-LEVEL..=LEVEL).contains(&value) && bound == Bound::Exact,
        _ => value <= wanted && bound != Bound::Lower,
    }
}

/// Whether a score is what `dm` asks for.
fn wins_within(score: Option<InfoScore>, plies: u32, dialect: Dialect) -> bool {
    let Some(InfoScore {
        value: ScoreValue::Mate(distance @ 1..),
        bound,
    }) = score
    else {
        return false;
    };
    dialect.plies_from_mate(distance).unsigned_abs() <= plies && bound != Bound::Upper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        let good = "9/9/3w1b3/9/9 w bm d3-e3A; id a;";
        let bad = format!("\u{feff}# all\n\n{good}\n9/9 w bm d3-e3A;\n{good}\n9/9/3w1b3/9/9 w;");
        let error = |text: &str| parse_suite(text, &Rules::STANDARD).expect_err("bad lines");
        let named = error(&bad);
        let [fen, id] = named.lines().collect::<Vec<_>>()[..] else {
            panic!("{named}");
        };
        assert!(fen.starts_with("line 4: fen: "), "{named}");
        assert_eq!(id, "line 5: the id 'a' is that of line 3");
        // A position of which nothing is asked is left out; commas may stand between moves.
        let text = "9/9/3w1b3/9/9 w;\n9/9/3w1b3/9/9 w bm d3-e3A, d3-e3A;\n";
        let suite = parse_suite(text, &Rules::STANDARD).expect("a suite");
        assert_eq!((suite.len(), suite[0].best().len()), (1, 2));
        let many = error(&"x\n".repeat(100));
        assert_eq!(many.lines().count(), MOST_NAMED + 1);
        assert!(many.ends_with("\nand 90 more"), "{many}");
        assert_eq!(error("\n#\n"), "no positions");
    }

    #[test]
    fn built_in_suites_are_large_and_right() {
        for (name, text) in BUILT_IN {
            assert_eq!(built_in_suite(name), Some(text));
            let suite = parse_suite(text, &Rules::STANDARD).expect(name);
            assert!(suite.len() >= 200, "{name}");
        }
        assert!(built_in_suite("drawing").is_none());
    }

    const FEN: &str = "9/9/3w1b3/9/9 w";

    fn read(operations: &str) -> Result<Question, String> {
        Question::parse(&format!("{FEN} {operations}"), 7, &Rules::STANDARD)
    }

    #[test]
    fn all_operations_are_read() {
        let line = "9/9/3w4b/9/9 w 3 9 bm d3-e3 d3d2;am d3-d4 ; id \"a; b\"; tags end  \"two words\"; c0 x; ce +5; dm 1;";
        let question = Question::parse(line, 1, &Rules::STANDARD);
        let question = question.expect("right");
        assert_eq!(question.id, "a; b");
        assert_eq!(question.tags, ["end", "two", "words"]);
        let position = &question.position;
        assert_eq!((position.halfmove_clock(), position.move_number()), (3, 9));
        assert_eq!((question.best.len(), question.avoided.len()), (2, 1));
        assert_eq!((question.score, question.win_within), (Some(5), Some(1)));
        assert_eq!(read("bm d3-e3A").expect("right").id, "7");
        let other = "bbb/b1w/www w rules telo; bm a1-b2A;";
        let other = Question::parse(other, 1, &Rules::STANDARD).expect("right");
        assert_eq!(other.rules, parse_rules("telo").expect("a preset"));
        assert_eq!(other.expected(), "a1-b2A");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let nothing = "nothing is asked, expected bm, am, ce or dm";
        let both = "d3-e3A is both best and to be avoided";
        for (operations, begins) in [
            ("bm d3-d9;", "bm d3-d9: "),
            ("bm d3-e3A; bm d3-e2;", "bm is given twice"),
            ("bm d3-e3A; am d3e3a;", both),
            ("bm;", "bm has no operand"),
            ("mb d3-e3A;", "unknown operation 'mb', expected "),
            ("id \"a;", "a quotation mark is not closed"),
            ("ce high;", "ce 'high', expected a whole number in range"),
            ("dm -3;", "dm '-3', expected a number of plies"),
            ("rules tsiwy;", "rules: "),
            ("", nothing),
            (";", nothing),
            ("id a;", nothing),
            ("bm d3-e3A; pv d3-e3A e3-e4;", "pv e3-e4: "),
            ("am d3-e3A; pv d3-e3A;", "pv does not begin with a best "),
        ] {
            let error = read(operations).expect_err(operations);
            assert!(error.starts_with(begins), "{operations} {error}");
        }
        let no_side = "9/9/3w1b3/9/9 bm d3-e3A;";
        let error = Question::parse(no_side, 1, &Rules::STANDARD).expect_err(no_side);
        assert_eq!(error, "fen: the side to move (w or b) is missing");
        let over = Question::parse("9/9/4w4/9/9 b bm a1-a2;", 1, &Rules::STANDARD);
        let over = over.expect_err("over");
        assert!(over.starts_with("the game is over (White wins"), "{over}");
    }

    #[test]
    fn moves_are_told_in_any_notation() {
        for (operations, mv, wanted) in [
            ("bm d3-e3A;", "d3-e3A", true),
            ("bm d3-e3A;", "d3e3a", true),
            ("am d3-e3A;", "d3e3a", false),
            // A score is missing; an illegal move is never right.
            ("ce 1;", "d3e3a", false),
            ("am d3-e3A;", "a1-a2", false),
        ] {
            let question = read(operations).expect(operations);
            let found = question.is_answered_by(mv, None, Dialect::Ugi);
            assert_eq!(found, wanted, "{operations} {mv}");
        }
    }

    #[test]
    fn scores_reach_what_is_asked() {
        let is_right = |operations: &str, score: &str, dialect| {
            let info = crate::answers::read_answer(&format!("info score {score}")).expect(score);
            let vato_engine::protocol::Answer::Info(info) = info else {
                panic!("{score}");
            };
            let question = read(operations).expect(operations);
            question.is_answered_by("d3-e3A", info.score, dialect)
        };
        for (operations, right, wrong) in [
            ("ce 100;", "cp 100, mate 3", "cp 99, cp 300 upperbound"),
            ("ce -100;", "cp -100, mate -3", "cp 0"),
            ("ce 0;", "cp -20", "cp 21"),
            ("dm 3;", "mate 3", "mate 4, mate -3, cp 30000"),
        ] {
            for (scores, wanted) in [(right, true), (wrong, false)] {
                for score in scores.split(", ") {
                    let found = is_right(operations, score, Dialect::Ugi);
                    assert_eq!(found, wanted, "{operations} {score}");
                }
            }
        }
        assert!(is_right("dm 3;", "mate 2", Dialect::Uci));
        assert!(!is_right("dm 3;", "mate 3", Dialect::Uci));
    }
}

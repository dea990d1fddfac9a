//! Conditions on games: `player = "A" and plies > 40 and not (result = 1/2-1/2)`.

use std::cmp::Ordering;
use std::str::FromStr;

use thiserror::Error;

use super::{Field, Shape, Subject};
use crate::game_formats::is_foreign;
use vato_engine::rules::{Preset, parse_rules};
use vato_engine::text::{excerpt, named_enum};
use vato_records::pgn::{PgnError, RecordResult};

/// A condition on games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// All of them.
    All(Vec<Condition>),
    /// One of them at least.
    Any(Vec<Condition>),
    /// Not this one.
    Not(Box<Condition>),
    /// A value of the field compares so with a text.
    Compare(Field, Comparison, String),
    /// A position of the game is of this shape.
    Reaches(Shape),
}

named_enum! {
    /// How a field compares: in the order of [`compare`]. What is unknown of a value is neither less nor greater than
    /// anything. Each sign is before those that it begins with.
    pub enum Comparison {
        /// No value is equal.
        NotEqual = "!=",
        /// At most.
        AtMost = "<=",
        /// At least.
        AtLeast = ">=",
        /// Equal.
        Equal = "=",
        /// Less.
        Less = "<",
        /// Greater.
        Greater = ">",
        /// The value contains the text.
        Contains = "~",
    }
}

type ParseShape = fn(&str) -> Result<Shape, String>;

/// The maximum depth of parentheses and `not`.
const MAX_DEPTH: usize = 64;

/// An invalid condition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("character {}: {problem}\n  {text}\n  {}^", .at + 1, " ".repeat(*.at))]
pub struct ConditionError {
    at: usize,
    text: String,
    problem: String,
}

impl Condition {
    /// Whether the condition holds for this game.
    ///
    /// # Errors
    ///
    /// A part of the condition needs the game replayed, which cannot be; whatever the other parts say. So does a game in
    /// another notation: one with an illegal turn cannot be written as PGN.
    pub fn holds(&self, subject: &Subject) -> Result<bool, PgnError> {
        if self.needs_replay() || is_foreign(&subject.record) {
            subject.game()?;
        }
        self.evaluate(subject)
    }

    fn needs_replay(&self) -> bool {
        match self {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().any(Condition::needs_replay)
            }
            Condition::Not(inner) => inner.needs_replay(),
            Condition::Compare(field, ..) => matches!(field, Field::Ending | Field::Opening),
            Condition::Reaches(_) => true,
        }
    }

    fn evaluate(&self, subject: &Subject) -> Result<bool, PgnError> {
        let (parts, decisive) = match self {
            Condition::All(parts) => (parts, false),
            Condition::Any(parts) => (parts, true),
            Condition::Not(inner) => return Ok(!inner.evaluate(subject)?),
            Condition::Compare(field, comparison, text) => {
                return comparison.holds(subject, field, text);
            }
            Condition::Reaches(shape) => return Ok(subject.reaches(shape)?.is_some()),
        };
        for part in parts {
            if part.evaluate(subject)? == decisive {
                return Ok(decisive);
            }
        }
        Ok(!decisive)
    }
}

impl Comparison {
    /// Whether the comparison of a field with this text holds for a game.
    ///
    /// # Errors
    ///
    /// The game would have to be replayed, and cannot be.
    pub fn holds(self, subject: &Subject, field: &Field, text: &str) -> Result<bool, PgnError> {
        if self == Comparison::NotEqual {
            return Ok(!Comparison::Equal.holds(subject, field, text)?);
        }
        let mut values = subject.values(field)?;
        if self == Comparison::Equal && values.iter().all(|value| is_unknown(value)) {
            values.push("unknown".into());
        }
        if *field == Field::Opening {
            // `opening = "d3-e3A d5-d4A"`: as many moves as there are words.
            // A FEN before them has four words.
            let words = text.split_ascii_whitespace().count();
            let fen = if text.contains('/') { 4 } else { 0 };
            let plies = words.saturating_sub(fen);
            values.push(subject.first_moves(plies)?.into());
        }
        Ok(self.any(&values, text))
    }

    fn any(self, values: &[impl AsRef<str>], text: &str) -> bool {
        values.iter().any(|value| {
            let value = value.as_ref();
            let known = |holds: fn(Ordering) -> bool| known_order(value, text).is_some_and(holds);
            match self {
                Comparison::Contains => value.to_lowercase().contains(&text.to_lowercase()),
                Comparison::Equal | Comparison::NotEqual => compare(value, text).is_eq(),
                Comparison::Less => known(Ordering::is_lt),
                Comparison::AtMost => known(Ordering::is_le),
                Comparison::Greater => known(Ordering::is_gt),
                Comparison::AtLeast => known(Ordering::is_ge),
            }
        })
    }
}

/// The order of two values: as text without regard to case, but runs of digits as numbers. `R2` is less than `R10`,
/// and a value less than a longer one that it begins.
pub fn compare(first: &str, second: &str) -> Ordering {
    // A number and what follows it. Without leading zeros the longer number is the greater one.
    fn number(text: &str) -> ((usize, &str), &str) {
        let rest = text.trim_start_matches(|next: char| next.is_ascii_digit());
        let digits = text[..text.len() - rest.len()].trim_start_matches('0');
        ((digits.len(), digits), rest)
    }
    let (first, second) = (first.to_lowercase(), second.to_lowercase());
    let (mut first, mut second) = (&*first, &*second);
    loop {
        let ((one, after), (other, behind)) = (number(first), number(second));
        let order = if after.len() < first.len() && behind.len() < second.len() {
            (first, second) = (after, behind);
            one.cmp(&other)
        } else {
            let (mut characters, mut others) = (first.chars(), second.chars());
            let order = characters.next().cmp(&others.next());
            (first, second) = (characters.as_str(), others.as_str());
            order
        };
        if order.is_ne() || first.is_empty() && second.is_empty() {
            return order;
        }
    }
}

/// Whether a value says nothing: it is empty, or has only `?`, `-`, dots and spaces, as in `????.??.??`.
pub fn is_unknown(value: &str) -> bool {
    value.chars().all(|character| "?-. ".contains(character))
}

/// The order in which games are sorted by what is known of a value; what is unknown comes last in either direction.
pub fn sort_order(first: Option<&str>, second: Option<&str>, descending: bool) -> Ordering {
    match (first, second) {
        (Some(first), Some(second)) if descending => compare(second, first),
        (Some(first), Some(second)) => compare(first, second),
        _ => first.is_none().cmp(&second.is_none()),
    }
}

/// The order of a value and a bound, of which what stands from `?` on is unknown; `None` if what is known does not tell.
fn known_order(value: &str, bound: &str) -> Option<Ordering> {
    if is_unknown(value) || is_unknown(bound) || bound.eq_ignore_ascii_case("unknown") {
        return None;
    }
    let [[least, most], [low, high]] = [value, bound].map(|text| match text.split_once('?') {
        None => [text.to_owned(), text.to_owned()],
        Some((known, _)) => {
            // Of a number of which a digit is unknown nothing is known. What is known is followed by anything.
            let known = known.trim_end_matches(|last: char| last.is_ascii_digit());
            [known.to_owned(), format!("{known}{}", char::MAX)]
        }
    });
    let order = compare(&least, &high);
    (order == compare(&most, &low)).then_some(order)
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        if text.trim() == "all" {
            return Ok(Condition::All(Vec::new()));
        }
        let mut parser = Parser { text, at: 0 };
        let condition = parser.any(0)?;
        match parser.rest().is_empty() {
            true => Ok(condition),
            false => Err(parser.error("expected and, or, or the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    /// The rest, without white space before it.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn error(&self, problem: impl ToString) -> ConditionError {
        ConditionError {
            at: self.text[..self.at].chars().count(),
            text: self.text.replace(char::is_control, " "),
            problem: problem.to_string(),
        }
    }

    fn takes(&mut self, word: &str) -> bool {
        let taken = self.word() == word;
        if taken {
            self.at += word.len();
        }
        taken
    }

    /// The next word: up to white space, a parenthesis or a sign of comparison.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |character: char| character.is_whitespace() || "()=!<>~\"".contains(character);
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    fn any(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        let mut parts = Vec::new();
        while parts.is_empty() || self.takes("or") {
            let mut all = Vec::new();
            while all.is_empty() || self.takes("and") {
                all.push(self.single(depth)?);
            }
            parts.push(Condition::All(all));
        }
        Ok(Condition::Any(parts))
    }

    fn single(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        if depth > MAX_DEPTH {
            return Err(self.error(format_args!("nested more than {MAX_DEPTH} deep")));
        }
        if self.takes("not") {
            return Ok(Condition::Not(Box::new(self.single(depth + 1)?)));
        }
        if self.rest().starts_with('(') {
            self.at += 1;
            let inner = self.any(depth + 1)?;
            if !self.rest().starts_with(')') {
                return Err(self.error("expected and, or, or )"));
            }
            self.at += 1;
            return Ok(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Condition, ConditionError> {
        let name = self.word();
        let shape: Option<ParseShape> = match name {
            "position" => Some(Shape::position),
            "material" => Some(Shape::material),
            "pattern" => Some(Shape::pattern),
            "" => return Err(self.error("expected a field, not or (")),
            _ => None,
        };
        let field = match shape {
            None => Field::from_str(name).map_err(|problem| {
                let known =
                    problem.replacen(": expected ", ": expected position, material, pattern, ", 1);
                self.error(known)
            })?,
            Some(_) => Field::Result,
        };
        self.at += name.len();
        let rest = self.rest();
        let mut signs = Comparison::ALL.into_iter();
        let Some(comparison) = signs.find(|sign| rest.starts_with(sign.name())) else {
            return Err(self.error(format_args!(
                "expected =, !=, <, <=, >, >= or ~ after {name}"
            )));
        };
        if shape.is_some() && !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Err(self.error(format_args!("expected = or != after {name}")));
        }
        self.at += comparison.name().len();
        self.rest();
        let begins = self.at;
        let value = self.value()?;
        let ends = std::mem::replace(&mut self.at, begins);
        let condition = match shape {
            Some(parse) => {
                let shape = parse(&value).map_err(|problem| self.error(problem))?;
                match comparison {
                    Comparison::NotEqual => Condition::Not(Box::new(Condition::Reaches(shape))),
                    _ => Condition::Reaches(shape),
                }
            }
            None => {
                let value = self.checked(&field, value)?;
                Condition::Compare(field, comparison, value)
            }
        };
        self.at = ends;
        Ok(condition)
    }

    fn checked(&self, field: &Field, value: String) -> Result<String, ConditionError> {
        match field {
            _ if value.eq_ignore_ascii_case("unknown") => Ok(value),
            Field::Plies | Field::Elo if value.parse::<u64>().is_err() => {
                let value = excerpt(&value);
                Err(self.error(format_args!("expected a whole number, not '{value}'")))
            }
            Field::Result => {
                let result: Result<RecordResult, _> = value.parse();
                result.map_err(|error| self.error(error)).map(|_| value)
            }
            Field::Rules => {
                let rules = parse_rules(&value).map_err(|error| self.error(error))?;
                Ok(Preset::name_of(&rules))
            }
            _ => Ok(value),
        }
    }

    /// A text in double quotes (with `\"` and `\\`), or a word.
    fn value(&mut self) -> Result<String, ConditionError> {
        let rest = self.rest();
        let Some(quoted) = rest.strip_prefix('"') else {
            let ends = |character: char| character.is_whitespace() || "()\"".contains(character);
            let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
            if word.is_empty() {
                return Err(self.error("expected a value"));
            }
            self.at += word.len();
            return Ok(word.to_owned());
        };
        let mut value = String::new();
        let mut characters = quoted.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.at += at + 2;
                    return Ok(value);
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                other => value.push(other),
            }
        }
        Err(self.error("the text that begins here is not closed with \""))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use vato_records::pgn::PgnReader;

    const GAME: &str = "[White \"Rabe\"]\n[Black \"Soa\"]\n[WhiteElo \"1900\"]\n[Date \"2026.05.01\"]\n\n\
                        1. d2-e3A c3-d2A 1-0";

    fn holds_for(game: &str, condition: &str) -> bool {
        let record = PgnReader::new(game.as_bytes()).next();
        let record = record.expect("one").expect("good");
        let condition: Condition = condition.parse().unwrap_or_else(|error| panic!("{error}"));
        condition.holds(&Subject::new(record)).expect("legal")
    }

    #[test]
    fn games_are_told_apart() {
        let right = r#"
            player = rabe
            winner ~ AB
            plies > 1 and plies <= 2 and elo >= 1900
            result = 1-0 and not result = *
            opening = havia
            opening = "d2-e3A c3-d2A"
            rules = tsivy and rules != dimy
            Date >= 2026.05 and Date < 2027
            Event = x or (player = x or player = Soa)
            player = x and player = x or plies = 2
            material = 20v22
            ending = unknown and Event = Unknown
            position = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w"
            position = "bbbbbbbbb/bbbbbbbbb/wbwb1wbwb/wwwwwwwww/wwwwwwwww w"
            pattern = "*/*/????.????/*/*"
            pattern = "*/*/????w????/???.?????/* b"
            pattern = "*/?????.???/????w????/*/* b"
        "#;
        let wrong = r#"
            player="Soa" and winner = Soa
            player != Rabe
            elo < 1900
            elo = unknown or plies = unknown or rules = unknown or result = unknown
            Date < unknown or plies <= unknown or Date > "-"
            opening = d3-e3A
            ending = repetition
            ending != unknown or White = unknown
            material = 22v20 and material != 22v22
            material = 19v20
            position = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b"
            pattern = "*/*/????b????/*/* w"
        "#;
        for (conditions, expected) in [(right, true), (wrong, false)] {
            for condition in conditions.trim().lines().map(str::trim) {
                assert_eq!(holds_for(GAME, condition), expected, "{condition}");
            }
        }
    }

    /// The same move of another position is another opening.
    #[test]
    fn an_opening_begins_with_its_start() {
        let game = |fen: &str| format!("[FEN \"{fen}\"]\n\n1. c3-c4 *");
        let [one, other] = ["9/9/2w6/9/8b w 0 2", "9/9/2w6/9/7b1 w 0 2"];
        for (start, is_one) in [(one, true), (other, false)] {
            let found = holds_for(&game(start), &format!("opening = \"{one} c3-c4\""));
            assert_eq!(found, is_one, "{start}");
            assert!(!holds_for(&game(start), "opening = c3-c4"), "{start}");
        }
    }

    #[test]
    fn the_unknown_is_neither_less_nor_greater() {
        let bounds = "Date < 2026.05, Date >= 2026.05, Date <= 2027, Date > 2025.12.31";
        let parts = "Date < 2026.??.??, Date >= 2026.0?.??, Date < 2027.??.??, Date > 2025.??.??";
        let rating = "elo < 9999, elo >= 0, elo = unknown, WhiteElo <= 9999, WhiteElo > 0";
        for (name, values, conditions, expected) in [
            ("Date", "????.??.?? ? 20??.??.??", bounds, "----"),
            ("Date", "2026.??.?? 2026.0?.??", bounds, "--++"),
            ("Date", "2026.5.1", bounds, "-+++"),
            ("Date", "2026.05.01 2026.??.??", parts, "--++"),
            ("WhiteElo", "? -", rating, "--+--"),
            ("Round", "-", "Round < 3, Round > 0, Round = -", "--+"),
            ("Round", "1.10", "Round > 1.9, Round = 1.010", "++"),
            ("Date", "", bounds, "----"),
            ("WhiteElo", "", rating, "--+--"),
        ] {
            for value in values.split(' ') {
                let game = format!("[{name} \"{value}\"]\n\n1. d2-e3A *");
                let held = conditions
                    .split(", ")
                    .map(|condition| holds_for(&game, condition));
                let held: String = held.map(|holds| if holds { '+' } else { '-' }).collect();
                assert_eq!(held, expected, "{name} {value}");
            }
        }
    }

    /// Of a damaged game it does not depend on the order of a condition whether it is left out.
    #[test]
    fn what_needs_a_replay_needs_it_always() {
        let mut games = PgnReader::new(&b"[White \"A\"]\n\n1. a1-a9 *"[..]);
        let record = games.next().expect("one").expect("good");
        let subject = Subject::new(record);
        for condition in [
            "White = A or ending = blocked",
            "ending = blocked or White = A",
        ] {
            let condition: Condition = condition.parse().expect("a condition");
            assert!(condition.holds(&subject).is_err());
        }
        let condition: Condition = "White = A and rules = tsivy".parse().expect("a condition");
        assert_eq!(condition.holds(&subject), Ok(true));
    }

    #[test]
    fn errors_point_at_the_place() {
        let text = "the text that begins here";
        let [unknown, rank] =
            ["unknown point 'x'", "expected a rank"].map(|what| format!("invalid pattern: {what}"));
        for (condition, at, problem) in [
            ("", 0, "expected a field"),
            ("plyes > 4", 0, "unknown field 'plyes': expected position, "),
            ("é = 4", 0, "unknown field"),
            ("plies 4", 6, "expected =, "),
            ("plies > x", 8, "expected a whole number"),
            ("plies >", 7, "expected a value"),
            ("(plies > 4", 10, "expected and, or, or )"),
            ("plies > 4 player = A", 10, "expected and"),
            ("player = \"é\" and Event = \"x", 25, text),
            ("result = 2-0", 9, "invalid result '2-0'"),
            ("rules = no", 8, ""),
            ("position = 9/9", 11, "no board has 9 columns"),
            ("position > 9/9", 9, "expected = or !="),
            ("material = 4-3", 11, "invalid material"),
            ("pattern = x??/*/*", 10, &unknown),
            ("pattern = */*/*", 10, &rank),
        ] {
            let error = condition.parse::<Condition>().expect_err(condition);
            assert_eq!(error.at, at, "{error}");
            assert!(error.problem.starts_with(problem), "{error}");
        }
        let deep = "(".repeat(100_000);
        assert!(deep.parse::<Condition>().is_err());
        let long = format!("plies >{}", " ".repeat(70_000)).parse::<Condition>();
        assert!(long.expect_err("no value").to_string().ends_with(" ^"));
        let error = "plies > x".parse::<Condition>().expect_err("no number");
        let text = "character 9: expected a whole number, not 'x'\n  plies > x\n          ^";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn runs_of_digits_are_numbers() {
        let (less, equal) = (Ordering::Less, Ordering::Equal);
        let [big, bigger] = ["99999999999999999998", "99999999999999999999"];
        for (one, order, other) in [
            ("1.1.2", less, "1.1.10"),
            ("R2", less, "r10"),
            ("", less, "0"),
            ("9", less, "10"),
            (big, less, bigger),
            ("2026.05.01", less, "2026.??.??"),
            ("a", less, "A b"),
            ("007", equal, "7"),
            ("É", equal, "é"),
            ("", equal, ""),
            ("1.10", equal, "1.010"),
        ] {
            assert_eq!(compare(one, other), order, "{one} {other}");
        }
    }

    /// Values of tags, whole and broken.
    fn values() -> impl Strategy<Value = String> {
        prop_oneof![
            "[0-9]{0,3}([.-][0-9]{1,3}){0,2}",
            "(19|20)?[0-9?]{2}\\.[0-9?]{2}\\.[0-9?]{1,2}",
            "[?.-]{0,3}|nan|inf|-1|1e3|½|1/2-1/2",
            "[0-9aAbBéÉ?. -]{0,6}",
            "\\PC{0,4}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// For every key of `sort`, which has no other orders, and whatever the values are.
        #[test]
        fn sorting_is_a_total_order(
            values in prop::collection::vec(prop::option::weighted(0.9, values()), 3),
            descending: bool,
        ) {
            let order = |first: usize, second: usize| {
                sort_order(values[first].as_deref(), values[second].as_deref(), descending)
            };
            for (first, second, third) in [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)] {
                prop_assert_eq!(order(first, first), Ordering::Equal);
                prop_assert_eq!(order(first, second), order(second, first).reverse());
                if order(first, second).is_le() && order(second, third).is_le() {
                    prop_assert!(order(first, third).is_le());
                    let is_same = order(first, second).is_eq() && order(second, third).is_eq();
                    prop_assert_eq!(order(first, third).is_eq(), is_same);
                }
            }
        }

        /// A known value is less than a bound, equal or greater; an unknown one none of them.
        #[test]
        fn conditions_agree(value in values(), bound in values()) {
            let held = |sign: Comparison| sign.any(std::slice::from_ref(&value), &bound);
            let [less, equal, greater] =
                [Comparison::Less, Comparison::Equal, Comparison::Greater].map(held);
            let [at_most, at_least] = [Comparison::AtMost, Comparison::AtLeast].map(held);
            prop_assert!(!(less && greater));
            if is_unknown(&value) || is_unknown(&bound) {
                prop_assert!(!(less || greater || at_most || at_least));
            } else if value.contains('?') || bound.contains('?') {
                prop_assert_eq!((less, greater), (at_most, at_least));
            } else {
                prop_assert_eq!([less, equal, greater].iter().filter(|&&held| held).count(), 1);
                prop_assert_eq!((at_most, at_least), (less || equal, greater || equal));
            }
        }
    }
}

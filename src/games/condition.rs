//! Conditions on games: `player = "A" and plies > 40 and not (result = 1/2-1/2)`.

use std::cmp::Ordering;
use std::str::FromStr;

use thiserror::Error;

use super::{Damage, Field, Shape, Subject};
use crate::notation::pgn::RecordResult;
use crate::rules::{Preset, parse_rules};
use crate::text::excerpt;

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

/// How a field compares. Numbers compare as numbers, other values as text without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`: no value is equal.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `~`: the value contains the text.
    Contains,
}

/// The signs, each before those that it begins with.
const SIGNS: [(&str, Comparison); 7] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("~", Comparison::Contains),
];

/// Whether something holds, if that is known.
type Answer<E> = Result<Option<bool>, E>;

type ParseShape = fn(&str) -> Result<Shape, String>;

/// The maximum depth of parentheses and `not`.
const MAX_DEPTH: usize = 64;

/// An invalid condition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("character {place}: {problem}\n  {text}\n  {mark:>place$}", place = .at + 1, mark = "^")]
pub struct ConditionError {
    at: usize,
    text: String,
    problem: String,
}

impl Condition {
    /// Whether the condition holds for a game, if that is known. `reaches` says whether the game has a
    /// position of a shape, `compare` whether a comparison holds; `None` is unknown.
    ///
    /// # Errors
    ///
    /// Those of the functions.
    pub fn evaluate<E>(
        &self,
        reaches: &mut dyn FnMut(&Shape) -> Answer<E>,
        compare: &mut dyn FnMut(&Field, Comparison, &str) -> Answer<E>,
    ) -> Answer<E> {
        let (parts, decisive) = match self {
            Condition::All(parts) => (parts, false),
            Condition::Any(parts) => (parts, true),
            Condition::Not(inner) => {
                return Ok(inner.evaluate(reaches, compare)?.map(|holds| !holds));
            }
            Condition::Compare(field, comparison, text) => {
                return compare(field, *comparison, text);
            }
            Condition::Reaches(shape) => return reaches(shape),
        };
        let mut result = Some(!decisive);
        for part in parts {
            match part.evaluate(reaches, compare)? {
                Some(holds) if holds == decisive => return Ok(Some(decisive)),
                Some(_) => {}
                None => result = None,
            }
        }
        Ok(result)
    }

    /// Whether the condition holds for this game.
    ///
    /// # Errors
    ///
    /// The game would have to be replayed, and cannot be.
    pub fn holds(&self, subject: &Subject) -> Result<bool, Damage> {
        let result = self.evaluate(
            &mut |shape| subject.reaches(shape).map(|ply| Some(ply.is_some())),
            &mut |field, comparison, text| comparison.holds(subject, field, text).map(Some),
        )?;
        Ok(result == Some(true))
    }

    /// Adds the shapes of the condition.
    pub fn shapes<'a>(&'a self, shapes: &mut Vec<&'a Shape>) {
        match self {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| part.shapes(shapes));
            }
            Condition::Not(inner) => inner.shapes(shapes),
            Condition::Compare(..) => {}
            Condition::Reaches(shape) => shapes.push(shape),
        }
    }
}

impl Comparison {
    /// Whether the comparison of a field with this text holds for a game.
    ///
    /// # Errors
    ///
    /// The game would have to be replayed, and cannot be.
    pub fn holds(self, subject: &Subject, field: &Field, text: &str) -> Result<bool, Damage> {
        let mut values = subject.values(field)?;
        if *field == Field::Opening {
            // `opening = "d3-e3A d5-d4A"`: as many moves as there are words.
            let plies = text.split_ascii_whitespace().count();
            values.push(subject.first_moves(plies)?.into());
        }
        if self == Comparison::NotEqual {
            return Ok(!Comparison::Equal.any(&values, text));
        }
        Ok(self.any(&values, text))
    }

    fn any(self, values: &[impl AsRef<str>], text: &str) -> bool {
        values.iter().any(|value| {
            let value = value.as_ref();
            if self == Comparison::Contains {
                return value.to_lowercase().contains(&text.to_lowercase());
            }
            let order = compare(value, text);
            match self {
                Comparison::Less => order == Ordering::Less,
                Comparison::AtMost => order != Ordering::Greater,
                Comparison::Greater => order == Ordering::Greater,
                Comparison::AtLeast => order != Ordering::Less,
                Comparison::Equal | Comparison::NotEqual | Comparison::Contains => {
                    order == Ordering::Equal
                }
            }
        })
    }
}

/// The order of two values: as numbers if both are, else as text without regard to case.
#[must_use]
pub fn compare(first: &str, second: &str) -> Ordering {
    let numbers = first.parse::<f64>().ok().zip(second.parse::<f64>().ok());
    let ordered = numbers.and_then(|(first, second)| first.partial_cmp(&second));
    ordered.unwrap_or_else(|| first.to_lowercase().cmp(&second.to_lowercase()))
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
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

    /// Consumes a word if it is next.
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
        let mut parts = vec![self.all(depth)?];
        while self.takes("or") {
            parts.push(self.all(depth)?);
        }
        Ok(Condition::Any(parts))
    }

    fn all(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        let mut parts = vec![self.single(depth)?];
        while self.takes("and") {
            parts.push(self.single(depth)?);
        }
        Ok(Condition::All(parts))
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
        let found = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        let Some(&(sign, comparison)) = found else {
            return Err(self.error(format_args!(
                "expected =, !=, <, <=, >, >= or ~ after {name}"
            )));
        };
        if shape.is_some() && !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return Err(self.error(format_args!("expected = or != after {name}")));
        }
        self.at += sign.len();
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

    /// A value that the field can have.
    fn checked(&self, field: &Field, value: String) -> Result<String, ConditionError> {
        match field {
            Field::Plies | Field::Elo if value.parse::<f64>().is_err() => {
                let value = excerpt(&value);
                Err(self.error(format_args!("expected a number, not '{value}'")))
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
    use super::*;
    use crate::notation::pgn::PgnReader;

    const GAME: &str = "[White \"Rabe\"]\n[Black \"Soa\"]\n[WhiteElo \"1900\"]\n[Date \"2026.05.01\"]\n\n\
                        1. d2-e3A c3-d2A 1-0";

    fn holds(condition: &str) -> bool {
        let record = PgnReader::new(GAME.as_bytes())
            .next()
            .expect("one")
            .expect("good");
        let condition: Condition = condition.parse().unwrap_or_else(|error| panic!("{error}"));
        condition.holds(&Subject::new(record)).expect("legal")
    }

    #[test]
    fn games_are_told_apart() {
        for (condition, expected) in [
            ("player = rabe", true),
            ("player=\"Soa\" and winner = Soa", false),
            ("winner ~ AB", true),
            ("player != Rabe", false),
            ("plies > 1 and plies <= 2 and elo >= 1900", true),
            ("elo < 1900", false),
            ("result = 1-0 and not result = *", true),
            ("opening = havia", true),
            ("opening = \"d2-e3A c3-d2A\"", true),
            ("opening = d3-e3A", false),
            ("rules = tsivy and rules != dimy", true),
            ("Date >= 2026.05 and Date < 2027", true),
            ("Event = x or (player = x or player = Soa)", true),
            ("player = x and player = x or plies = 2", true),
            ("ending = repetition", false),
            ("material = 22v20 and material != 22v22", false),
            ("material = 20v22", true),
            ("material = 19v20", false),
        ] {
            let found = holds(condition);
            assert_eq!(found, expected, "{condition}");
        }
    }

    #[test]
    fn positions_are_found_in_every_orientation() {
        for symmetry in [
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w",
            "bbbbbbbbb/bbbbbbbbb/wbwb1wbwb/wwwwwwwww/wwwwwwwww w",
        ] {
            assert!(holds(&format!("position = \"{symmetry}\"")));
            assert!(!holds(&format!(
                "position = \"{}b\"",
                &symmetry[..symmetry.len() - 1]
            )));
        }
        assert!(holds("pattern = \"*/*/????.????/*/*\""));
        assert!(holds("pattern = \"*/*/????w????/???.?????/* b\""));
        assert!(holds("pattern = \"*/?????.???/????w????/*/* b\""));
        assert!(!holds("pattern = \"*/*/????b????/*/* w\""));
    }

    #[test]
    fn errors_point_at_the_place() {
        for (condition, at, problem) in [
            ("", 0, "expected a field"),
            ("plyes > 4", 0, "unknown field 'plyes': expected position, "),
            ("é = 4", 0, "unknown field"),
            ("plies 4", 6, "expected =, "),
            ("plies > x", 8, "expected a number"),
            ("plies >", 7, "expected a value"),
            ("(plies > 4", 10, "expected and, or, or )"),
            ("plies > 4 player = A", 10, "expected and"),
            (
                "player = \"é\" and Event = \"x",
                25,
                "the text that begins here",
            ),
            ("result = 2-0", 9, "invalid result '2-0'"),
            ("rules = no", 8, ""),
            ("position = 9/9", 11, "no board has 9 columns"),
            ("position > 9/9", 9, "expected = or !="),
            ("material = 4-3", 11, "invalid material"),
            (
                "pattern = x??/*/*",
                10,
                "invalid pattern: unknown point 'x'",
            ),
            ("pattern = */*/*", 10, "invalid pattern: expected a rank"),
        ] {
            let error = condition.parse::<Condition>().expect_err(condition);
            assert_eq!(error.at, at, "{error}");
            assert!(error.problem.starts_with(problem), "{error}");
        }
        let deep = "(".repeat(100_000);
        assert!(deep.parse::<Condition>().is_err());
        let error = "plies > x".parse::<Condition>().expect_err("no number");
        let text = "character 9: expected a number, not 'x'\n  plies > x\n          ^";
        assert_eq!(error.to_string(), text);
    }
}

//! Options as an engine declares them, and values as a manager sets them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::answer::AnswerError;
use super::words::Words;
use crate::excerpt::excerpt;

/// The text that stands for an empty string.
pub const EMPTY: &str = "<empty>";

/// An option: what follows the word `option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, of one or several words.
    pub name: String,
    /// Which values it takes.
    pub kind: OptionKind,
}

/// Which values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// The value unless set.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The value unless set.
        default: i64,
        /// The smallest and the largest value.
        range: RangeInclusive<i64>,
    },
    /// `combo`: one of several words.
    Combo {
        /// The value unless set.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// `string`: any text.
    Text {
        /// The value unless set.
        default: String,
    },
    /// `button`: no value, something is done.
    Button,
}

/// A value that fits an option's kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// Of a `check`.
    Flag(bool),
    /// Of a `spin`.
    Number(i64),
    /// Of a `combo` (written as declared) or a `string` (without `<empty>`).
    Text(String),
    /// Of a `button`.
    Pressed,
}

/// Why a value does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option '{0}'")]
    UnknownName(String),
    /// The word `value` is missing, or nothing follows it.
    #[error("option {name}: the value is missing, want {wanted}")]
    NoValue {
        /// The option.
        name: String,
        /// What it takes.
        wanted: String,
    },
    /// The value does not fit.
    #[error("option {name}: '{value}', want {wanted}")]
    BadValue {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes.
        wanted: String,
    },
}

impl OptionKind {
    /// The word after `type`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            OptionKind::Check { .. } => "check",
            OptionKind::Spin { .. } => "spin",
            OptionKind::Combo { .. } => "combo",
            OptionKind::Text { .. } => "string",
            OptionKind::Button => "button",
        }
    }

    /// What values there are, in words.
    fn wanted(&self) -> String {
        match self {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { range, .. } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionKind::Text { .. } => format!("text, or {EMPTY}"),
            OptionKind::Button => "no value".to_owned(),
        }
    }

    fn value(&self, text: &str) -> Option<OptionValue> {
        match self {
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => {
                Some(OptionValue::Flag(true))
            }
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => {
                Some(OptionValue::Flag(false))
            }
            OptionKind::Check { .. } => None,
            OptionKind::Spin { range, .. } => text
                .parse()
                .ok()
                .filter(|number| range.contains(number) && !text.starts_with('+'))
                .map(OptionValue::Number),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .map(|choice| OptionValue::Text(choice.clone())),
            OptionKind::Text { .. } if text == EMPTY => Some(OptionValue::Text(String::new())),
            OptionKind::Text { .. } => Some(OptionValue::Text(text.to_owned())),
            OptionKind::Button => Some(OptionValue::Pressed),
        }
    }
}

impl OptionDeclaration {
    /// Reads a value for this option; `None` if `setoption` has no word `value`.
    ///
    /// # Errors
    ///
    /// If there is no value, or it does not fit.
    pub fn value(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        let wanted = || self.kind.wanted();
        let name = || self.name.clone();
        let no_value = || OptionError::NoValue {
            name: name(),
            wanted: wanted(),
        };
        let text = match (&self.kind, text) {
            (OptionKind::Button, _) => return Ok(OptionValue::Pressed),
            (_, None) => return Err(no_value()),
            (OptionKind::Text { .. }, Some(text)) => text,
            (_, Some("")) => return Err(no_value()),
            (_, Some(text)) => text,
        };
        self.kind.value(text).ok_or_else(|| OptionError::BadValue {
            name: name(),
            value: excerpt(text),
            wanted: wanted(),
        })
    }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type {}", self.name, self.kind.name())?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, " default {default}"),
            OptionKind::Spin { default, range } => write!(
                f,
                " default {default} min {} max {}",
                range.start(),
                range.end()
            ),
            OptionKind::Combo { default, choices } => {
                write!(f, " default {default}")?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Text { default } if default.is_empty() => write!(f, " default {EMPTY}"),
            OptionKind::Text { default } => write!(f, " default {default}"),
            OptionKind::Button => Ok(()),
        }
    }
}

impl FromStr for OptionDeclaration {
    type Err = AnswerError;

    /// Reads what follows the word `option`.
    fn from_str(text: &str) -> Result<OptionDeclaration, AnswerError> {
        let mut words = Words::new(text);
        match words.next() {
            Some("name") => {}
            Some(other) => return Err(AnswerError::unexpected("option", other, "name")),
            None => return Err(AnswerError::missing("option", "name")),
        }
        let mut name = Vec::new();
        loop {
            match words.next() {
                Some("type") => break,
                Some(word) => name.push(word),
                None => return Err(AnswerError::missing("option", "type")),
            }
        }
        if name.is_empty() {
            return Err(AnswerError::missing("option", "the name"));
        }
        let kind = words
            .next()
            .ok_or(AnswerError::missing("option", "the type"))?;
        Ok(OptionDeclaration {
            name: name.join(" "),
            kind: parse_kind(kind, words)?,
        })
    }
}

fn parse_kind(kind: &str, mut words: Words<'_>) -> Result<OptionKind, AnswerError> {
    if kind == "string" {
        let default = match words.next() {
            Some("default") if words.rest() != EMPTY => words.rest().to_owned(),
            _ => String::new(),
        };
        return Ok(OptionKind::Text { default });
    }
    let attributes = Attributes::parse(words);
    match kind {
        "check" => Ok(OptionKind::Check {
            default: attributes.default.eq_ignore_ascii_case("true"),
        }),
        "spin" => Ok(OptionKind::Spin {
            default: number("option default", &attributes.default)?,
            range: number("option min", &attributes.min)?..=number("option max", &attributes.max)?,
        }),
        "combo" => Ok(OptionKind::Combo {
            default: attributes.default,
            choices: attributes.choices,
        }),
        "button" => Ok(OptionKind::Button),
        _ => Err(AnswerError::unexpected(
            "option type",
            kind,
            "check, spin, combo, string or button",
        )),
    }
}

fn number(what: &'static str, text: &str) -> Result<i64, AnswerError> {
    text.parse()
        .map_err(|_| AnswerError::unexpected(what, text, "a whole number"))
}

/// What follows the type; values may have several words.
#[derive(Default)]
struct Attributes {
    default: String,
    min: String,
    max: String,
    choices: Vec<String>,
}

impl Attributes {
    fn parse(mut words: Words<'_>) -> Attributes {
        let mut attributes = Attributes::default();
        while let Some(word) = words.next() {
            let mut value = Vec::new();
            while let Some(part) = words
                .peek()
                .filter(|word| !["default", "min", "max", "var"].contains(word))
            {
                value.push(part);
                words.next();
            }
            let value = value.join(" ");
            match word {
                "default" => attributes.default = value,
                "min" => attributes.min = value,
                "max" => attributes.max = value,
                "var" => attributes.choices.push(value),
                _ => {}
            }
        }
        attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> OptionDeclaration {
        text.parse().expect(text)
    }

    #[test]
    fn declarations_round_trip() {
        for text in [
            "name Clear Hash type button",
            "name Ponder type check default true",
            "name Hash type spin default 16 min 1 max 1048576",
            "name UCI_Variant type combo default free capture var tsivy var free capture",
            "name Log File type string default <empty>",
            "name Log File type string default /a b/min max 3",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        for text in [
            "",
            "x",
            "name x",
            "name type spin",
            "name x type",
            "name x type y",
            "name x type spin default a min 0 max 3",
            "name x type spin default 1",
        ] {
            assert!(text.parse::<OptionDeclaration>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_that_fit_and_values_that_do_not() {
        let value = |declaration: &str, text: Option<&str>| {
            let value = read(declaration).value(text);
            value.map_err(|error| error.to_string())
        };
        let hash = "name Hash type spin default 16 min 1 max 99";
        assert_eq!(value(hash, Some("7")), Ok(OptionValue::Number(7)));
        for wrong in ["0", "100", "x", "+7", "1.5", "--1", "99999999999999999999"] {
            let error = value(hash, Some(wrong)).expect_err(wrong);
            assert_eq!(
                error,
                format!("option Hash: '{wrong}', want a number from 1 to 99")
            );
        }
        for missing in [None, Some("")] {
            let error = value(hash, missing).expect_err("missing");
            assert_eq!(
                error,
                "option Hash: the value is missing, want a number from 1 to 99"
            );
        }
        let flag = "name Ponder type check default false";
        assert_eq!(value(flag, Some("True")), Ok(OptionValue::Flag(true)));
        assert!(value(flag, Some("1")).is_err());
        let combo = "name V type combo default a var a var Bc";
        assert_eq!(
            value(combo, Some("bC")),
            Ok(OptionValue::Text("Bc".to_owned()))
        );
        assert!(value(combo, Some("d")).is_err());
        let text = "name T type string default <empty>";
        assert_eq!(
            value(text, Some("<empty>")),
            Ok(OptionValue::Text(String::new()))
        );
        assert_eq!(value(text, Some("")), Ok(OptionValue::Text(String::new())));
        assert!(value(text, None).is_err());
        assert_eq!(value("name B type button", None), Ok(OptionValue::Pressed));
    }
}

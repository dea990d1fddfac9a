//! Declarations of options: what follows the word `option`.

use std::fmt;
use std::str::FromStr;

use super::answer::AnswerError;
use super::words::Words;
use crate::engine::{EMPTY, OptionDeclaration, OptionKind};

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
    use crate::engine::OptionValue;

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

//! Rules strings: `key=value` pairs, or the name of a preset.

use std::fmt;
use std::str::FromStr;

use super::{
    Blocked, CaptureRule, ChainRule, DirectionRule, Eating, OpeningRule, Preset, Rules, Tie, Vela,
};
use crate::board::BoardSize;
use crate::text::excerpt;

struct Key {
    name: &'static str,
    get: fn(&Rules) -> String,
    /// Sets the value; an error describes what is wrong with it.
    set: fn(&mut Rules, &str) -> Result<(), String>,
}

/// A key with named values.
macro_rules! named {
    ($field:ident: $type:ident) => {
        Key {
            name: stringify!($field),
            get: |rules| rules.$field.name().to_owned(),
            set: |rules, value| {
                let found = $type::from_name(value);
                rules.$field = found.ok_or_else(|| {
                    let names: Vec<_> = $type::ALL.iter().map(|value| value.name()).collect();
                    cannot_be(stringify!($field), value, &names.join(", "))
                })?;
                Ok(())
            },
        }
    };
}

/// A key whose value is a number of plies or positions.
macro_rules! number {
    ($field:ident) => {
        Key {
            name: stringify!($field),
            get: |rules| rules.$field.to_string(),
            set: |rules, value| {
                // Digits only: `parse` would accept "+1".
                let digits = Some(value).filter(|value| !value.starts_with('+'));
                rules.$field = digits.and_then(|value| value.parse().ok()).ok_or_else(|| {
                    let wanted = "a number from 0 to 65535, 0 = never";
                    cannot_be(stringify!($field), value, wanted)
                })?;
                Ok(())
            },
        }
    };
}

/// All keys, in the order in which they are printed.
const KEYS: [Key; 11] = [
    Key {
        name: "board",
        get: |rules| rules.board.to_string(),
        set: |rules, value| {
            rules.board = value.parse()?;
            Ok(())
        },
    },
    named!(capture: CaptureRule),
    named!(chain: ChainRule),
    named!(direction: DirectionRule),
    named!(opening: OpeningRule),
    named!(blocked: Blocked),
    named!(tie: Tie),
    number!(repeat),
    number!(limit),
    named!(vela: Vela),
    named!(eating: Eating),
];

fn cannot_be(key: &str, value: &str, wanted: &str) -> String {
    format!("'{key}' cannot be '{}': expected {wanted}", excerpt(value))
}

impl FromStr for Rules {
    type Err = String;

    /// Parses `key=value` pairs separated by white space; missing keys keep their default, so the empty
    /// string is the standard game.
    fn from_str(text: &str) -> Result<Rules, String> {
        let mut rules = Rules::STANDARD;
        let mut seen = Vec::new();
        for (index, pair) in text.split_whitespace().enumerate() {
            set(&mut rules, pair, &mut seen)
                .map_err(|what| format!("rules, word {}: {what}", index + 1))?;
        }
        if rules.vela == Vela::Off {
            // There is no eater.
            rules.eating = Eating::Free;
        }
        Ok(rules)
    }
}

/// Sets the parameter of one pair; its key must not be in `seen`.
fn set<'a>(rules: &mut Rules, pair: &'a str, seen: &mut Vec<&'a str>) -> Result<(), String> {
    let (name, value) = pair
        .split_once('=')
        .ok_or_else(|| format!("'{}' is not of the form key=value", excerpt(pair)))?;
    let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| {
        let known = KEYS.map(|key| key.name).join(", ");
        format!("unknown key '{}' (known: {known})", excerpt(name))
    })?;
    (key.set)(rules, value)?;
    if seen.contains(&name) {
        return Err(format!("'{name}' is given twice"));
    }
    seen.push(name);
    Ok(())
}

impl fmt::Display for Rules {
    /// Prints the parameters that differ from the standard game, in a fixed order; nothing for the
    /// standard game itself. The alternate form (`{:#}`) prints every parameter, that of the eater only in a vela, so that
    /// other rules are written as they were before there was this key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_effect = |name| name != "eating" || self.vela != Vela::Off;
        let shown: Vec<String> = KEYS
            .iter()
            .map(|key| (key.name, (key.get)(self), (key.get)(&Rules::STANDARD)))
            .filter(|(name, own, default)| f.alternate() && has_effect(*name) || own != default)
            .map(|(name, own, _)| format!("{name}={own}"))
            .collect();
        f.write_str(&shown.join(" "))
    }
}

/// Parses rules as users write them: a preset's name, a rules string, or a board alone, `5x5`.
///
/// # Errors
///
/// Names the word of the string that is wrong; a single word without `=` is reported as an unknown
/// preset.
pub fn parse_rules(text: &str) -> Result<Rules, String> {
    if let Ok(preset) = text.trim().parse::<Preset>()
        && let Some(rules) = preset.rules()
    {
        return Ok(rules);
    }
    let mut words = text.split_whitespace();
    if let (Some(word), None) = (words.next(), words.next())
        && !word.contains('=')
    {
        if word.parse::<BoardSize>().is_ok() {
            return format!("board={word}").parse();
        }
        let (word, presets) = (excerpt(word), Preset::names(true));
        return Err(format!(
            "'{word}' is neither a preset ({presets}) nor a rules string"
        ));
    }
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_game_is_the_empty_string() {
        assert_eq!("".parse(), Ok(Rules::STANDARD));
        assert_eq!(Rules::STANDARD.to_string(), "");
        assert_eq!(
            format!("{:#}", Rules::STANDARD),
            "board=9x5 capture=forced chain=free direction=change opening=free blocked=loss \
             tie=draw repeat=3 limit=100 vela=off"
        );
    }

    #[test]
    fn a_board_may_stand_alone() {
        let rules = parse_rules(" 5x7 ").map(|rules| rules.to_string());
        assert_eq!(rules.as_deref(), Ok("board=5x7"));
        assert_eq!(parse_rules("DIMY"), parse_rules("5x5"));
        // The transcripts `session_options` and `refused` have the sentences.
        let wrong = "5x6;5x;5x5 board=7x5;limit=-1;limit=+1;limit=;custom;chain=full x";
        for wrong in wrong.split(';') {
            assert!(parse_rules(wrong).is_err(), "{wrong}");
        }
    }
}

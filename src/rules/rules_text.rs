//! Rules strings: `key=value` pairs, or the name of a preset.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{
    Blocked, CaptureRule, ChainRule, DirectionRule, OpeningRule, Preset, Rules, Tie, Vela,
};
use crate::board::BoardSizeError;
use crate::excerpt::excerpt;

/// What is wrong with a rules string, and where (`word` counts the pairs from 1).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseRulesError {
    /// A word that is not `key=value`.
    #[error("rules, word {word}: '{text}' is not of the form key=value")]
    NotAPair {
        /// Which word, from 1.
        word: usize,
        /// The word.
        text: String,
    },
    /// A key that does not exist.
    #[error(
        "rules, word {word}: unknown key '{key}' (known: board, capture, chain, direction, \
         opening, blocked, tie, repeat, limit, vela)"
    )]
    UnknownKey {
        /// Which word, from 1.
        word: usize,
        /// The key.
        key: String,
    },
    /// A key that came before.
    #[error("rules, word {word}: '{key}' is given twice")]
    Twice {
        /// Which word, from 1.
        word: usize,
        /// The key.
        key: String,
    },
    /// A value that the key does not have.
    #[error("rules, word {word}: '{key}' cannot be '{value}' (want {wanted})")]
    BadValue {
        /// Which word, from 1.
        word: usize,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The values that the key has.
        wanted: String,
    },
    /// A board that does not exist.
    #[error("rules, word {word}: {error}")]
    BadBoard {
        /// Which word, from 1.
        word: usize,
        /// What is wrong with the board.
        error: BoardSizeError,
    },
    /// Neither a preset's name nor a rules string.
    #[error("'{0}' is neither a preset ({presets}) nor a rules string", presets = Preset::names())]
    NeitherPresetNorRules(String),
}

/// A parameter whose values are named.
macro_rules! named {
    ($type:ident, $word:expr, $key:expr, $value:expr) => {
        $type::from_name($value).ok_or_else(|| {
            let names: Vec<_> = $type::ALL.iter().map(|value| value.name()).collect();
            bad_value($word, $key, $value, &names.join(", "))
        })?
    };
}

fn bad_value(word: usize, key: &str, value: &str, wanted: &str) -> ParseRulesError {
    ParseRulesError::BadValue {
        word,
        key: key.to_owned(),
        value: excerpt(value),
        wanted: wanted.to_owned(),
    }
}

fn number(word: usize, key: &str, value: &str) -> Result<u16, ParseRulesError> {
    let digits_only = value.bytes().all(|byte| byte.is_ascii_digit());
    value
        .parse()
        .ok()
        .filter(|_| digits_only)
        .ok_or_else(|| bad_value(word, key, value, "a number from 0 to 65535, 0 = never"))
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    /// Parses `key=value` pairs separated by white space; keys that are missing keep their default,
    /// so the empty string is the standard game.
    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let mut rules = Rules::STANDARD;
        let mut seen = Vec::new();
        for (index, pair) in text.split_whitespace().enumerate() {
            let word = index + 1;
            let Some((key, value)) = pair.split_once('=') else {
                return Err(ParseRulesError::NotAPair {
                    word,
                    text: excerpt(pair),
                });
            };
            match key {
                "board" => {
                    rules.board = value
                        .parse()
                        .map_err(|error| ParseRulesError::BadBoard { word, error })?;
                }
                "capture" => rules.capture = named!(CaptureRule, word, key, value),
                "chain" => rules.chain = named!(ChainRule, word, key, value),
                "direction" => rules.direction = named!(DirectionRule, word, key, value),
                "opening" => rules.opening = named!(OpeningRule, word, key, value),
                "blocked" => rules.blocked = named!(Blocked, word, key, value),
                "tie" => rules.tie = named!(Tie, word, key, value),
                "repeat" => rules.repeat = number(word, key, value)?,
                "limit" => rules.limit = number(word, key, value)?,
                "vela" => rules.vela = named!(Vela, word, key, value),
                _ => {
                    return Err(ParseRulesError::UnknownKey {
                        word,
                        key: excerpt(key),
                    });
                }
            }
            if seen.contains(&key) {
                return Err(ParseRulesError::Twice {
                    word,
                    key: key.to_owned(),
                });
            }
            seen.push(key);
        }
        Ok(rules)
    }
}

impl fmt::Display for Rules {
    /// Prints the parameters that differ from the standard game, in a fixed order: nothing at all
    /// for the standard game. The alternate form (`{:#}`) prints every parameter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standard = Rules::STANDARD;
        let pairs = |rules: &Rules| {
            [
                ("board", rules.board.to_string()),
                ("capture", rules.capture.name().to_owned()),
                ("chain", rules.chain.name().to_owned()),
                ("direction", rules.direction.name().to_owned()),
                ("opening", rules.opening.name().to_owned()),
                ("blocked", rules.blocked.name().to_owned()),
                ("tie", rules.tie.name().to_owned()),
                ("repeat", rules.repeat.to_string()),
                ("limit", rules.limit.to_string()),
                ("vela", rules.vela.name().to_owned()),
            ]
        };
        let shown: Vec<String> = pairs(self)
            .into_iter()
            .zip(pairs(&standard))
            .filter(|(own, default)| f.alternate() || own != default)
            .map(|((key, value), _)| format!("{key}={value}"))
            .collect();
        f.write_str(&shown.join(" "))
    }
}

/// Rules from what a person writes: a preset's name, or a rules string.
///
/// # Errors
///
/// Says which word of the string is wrong; a single word without `=` is reported as an unknown
/// preset.
pub fn parse_rules(text: &str) -> Result<Rules, ParseRulesError> {
    if let Ok(preset) = text.trim().parse::<Preset>()
        && let Some(rules) = preset.rules()
    {
        return Ok(rules);
    }
    let mut words = text.split_whitespace();
    if let (Some(word), None) = (words.next(), words.next())
        && !word.contains('=')
    {
        return Err(ParseRulesError::NeitherPresetNorRules(excerpt(word)));
    }
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_prints_what_it_parses() {
        for preset in Preset::ALL {
            let Some(rules) = preset.rules() else {
                continue;
            };
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(format!("{rules:#}").parse(), Ok(rules));
            assert_eq!(parse_rules(preset.name()), Ok(rules));
            assert_eq!(parse_rules(&preset.name().to_uppercase()), Ok(rules));
        }
    }

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
    fn errors_name_the_word() {
        let message = |text: &str| parse_rules(text).expect_err(text).to_string();
        assert!(message("chain=full board=9x6").contains("word 2"));
        assert!(message("chain=ful").contains("free, full, single"));
        assert!(message("chain=full chain=full").contains("given twice"));
        assert!(message("limit=-1").contains("0 to 65535"));
        assert!(message("limit=+1").contains("0 to 65535"));
        assert!(message("limit=").contains("0 to 65535"));
        assert!(message("chess").contains("neither a preset"));
        assert!(message("chain=full x").contains("word 2"));
        assert!(message("colour=red").contains("unknown key 'colour'"));
    }
}

//! When a game is ended before the rules end it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::key_values::{self, SettingError};

/// The highest score of an adjudication, in stones: more than any engine says.
pub(super) const MOST_SCORE: f64 = 1e6;

/// An engine that has said often enough that it is lost, has lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignSettings {
    /// How many moves in a row it has to say so.
    #[serde(default = "three")]
    pub moves: u32,
    /// How far behind it has to be at least, in stones as the engine counts them (1.0 is `cp 100`).
    pub score: f64,
    /// Whether the opponent has to agree, by as much and as often.
    #[serde(default)]
    pub two_sided: bool,
}

/// A game that nobody expects to be decided any more is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSettings {
    /// Before this move (of both sides) no draw is ruled.
    #[serde(default = "thirty")]
    pub number: u32,
    /// How many moves in a row, without a capture.
    #[serde(default = "eight")]
    pub moves: u32,
    /// How far from zero the scores may be at most, in stones as the engine counts them.
    pub score: f64,
    /// Whether both engines have to say so; else either of them will do.
    #[serde(default = "yes")]
    pub two_sided: bool,
}

/// Reads `tablebase=DIR`: the folder of tablebases that decide games.
///
/// # Errors
///
/// If it is anything else.
pub fn tablebase_from_pairs(text: &str) -> Result<PathBuf, SettingError> {
    let mut folder = None;
    for (key, value) in key_values::pairs(text)? {
        match key.as_str() {
            "tablebase" if value.is_empty() => {
                return Err(SettingError::bad_value(&key, &value, "a folder"));
            }
            "tablebase" => folder = Some(PathBuf::from(value)),
            _ => {
                return Err(SettingError::UnknownKey {
                    key,
                    known: "tablebase",
                });
            }
        }
    }
    folder.ok_or(SettingError::Missing("tablebase"))
}

/// A score of an adjudication.
fn score(key: &str, value: &str) -> Result<f64, SettingError> {
    key_values::number(key, value)
        .ok()
        .filter(|score| (0.0..=MOST_SCORE).contains(score))
        .ok_or_else(|| SettingError::bad_value(key, value, "a number from 0 to 1000000"))
}

fn three() -> u32 {
    3
}

fn eight() -> u32 {
    8
}

fn thirty() -> u32 {
    30
}

fn yes() -> bool {
    true
}

impl ResignSettings {
    /// Reads `moves=3,score=6,two-sided=true`; only the score has to be there.
    ///
    /// # Errors
    ///
    /// If a part is not a pair, a key or a value is wrong, or the score is missing.
    pub fn from_pairs(text: &str) -> Result<ResignSettings, SettingError> {
        let (mut moves, mut score, mut two_sided) = (three(), None, false);
        for (key, value) in key_values::pairs(text)? {
            match key.as_str() {
                "moves" => moves = key_values::positive(&key, &value)?,
                "score" => score = Some(self::score(&key, &value)?),
                "two-sided" => two_sided = key_values::flag(&key, &value)?,
                _ => {
                    return Err(SettingError::UnknownKey {
                        key,
                        known: "moves, score, two-sided",
                    });
                }
            }
        }
        Ok(ResignSettings {
            moves,
            score: score.ok_or(SettingError::Missing("score"))?,
            two_sided,
        })
    }
}

impl DrawSettings {
    /// Reads `number=30,moves=8,score=0.2,two-sided=false`; only the score has to be there.
    ///
    /// # Errors
    ///
    /// If a part is not a pair, a key or a value is wrong, or the score is missing.
    pub fn from_pairs(text: &str) -> Result<DrawSettings, SettingError> {
        let (mut number, mut moves, mut score, mut two_sided) = (thirty(), eight(), None, true);
        for (key, value) in key_values::pairs(text)? {
            match key.as_str() {
                "number" => number = key_values::positive(&key, &value)?,
                "moves" => moves = key_values::positive(&key, &value)?,
                "score" => score = Some(self::score(&key, &value)?),
                "two-sided" => two_sided = key_values::flag(&key, &value)?,
                _ => {
                    return Err(SettingError::UnknownKey {
                        key,
                        known: "number, moves, score, two-sided",
                    });
                }
            }
        }
        Ok(DrawSettings {
            number,
            moves,
            score: score.ok_or(SettingError::Missing("score"))?,
            two_sided,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let resign = ResignSettings::from_pairs("score=6").expect("right");
        assert_eq!((resign.moves, resign.two_sided), (3, false));
        let draw = DrawSettings::from_pairs("score=0.2,number=10,two-sided=false").expect("right");
        assert_eq!((draw.number, draw.moves, draw.two_sided), (10, 8, false));
        assert_eq!(
            ResignSettings::from_pairs("moves=3"),
            Err(SettingError::Missing("score"))
        );
        assert_eq!(tablebase_from_pairs("tablebase=a/b"), Ok("a/b".into()));
        for wrong in ["", "tablebase=", "a/b", "table=a"] {
            assert!(tablebase_from_pairs(wrong).is_err(), "{wrong}");
        }
        for wrong in ["-1", "1e9", "NaN", "much"] {
            let pairs = format!("score={wrong}");
            let wanted = format!("score: '{wrong}', want a number from 0 to 1000000");
            let draw = DrawSettings::from_pairs(&pairs).expect_err(wrong);
            assert_eq!(draw.to_string(), wanted);
            let resign = ResignSettings::from_pairs(&pairs).expect_err(wrong);
            assert_eq!(resign.to_string(), wanted);
        }
        assert!(DrawSettings::from_pairs("score=1,movecount=3").is_err());
    }
}

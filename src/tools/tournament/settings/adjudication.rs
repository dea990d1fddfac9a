//! Settings of adjudication.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pairs::{SettingsError, from_pairs, pairs};

/// The highest score of an adjudication, in stones: more than any engine says.
const MOST_SCORE: f64 = 1e6;

/// Adjudication of a loss by scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignSettings {
    /// How many of its moves in a row must have such a score.
    #[serde(default = "number::<3>")]
    pub moves: u32,
    /// How far behind it must be at least, in stones (1.0 is `cp 100`).
    pub score: f64,
    /// Whether the opponent's scores must agree.
    #[serde(default, rename = "two-sided")]
    pub two_sided: bool,
}

/// Adjudication of a level game by scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSettings {
    /// Before this move (of both sides) no game is level; 0 as 1: from the first move on.
    #[serde(default = "number::<30>")]
    pub number: u32,
    /// How many moves in a row, without a capture.
    #[serde(default = "number::<8>")]
    pub moves: u32,
    /// How far from zero the scores may be at most, in stones as the engine counts them.
    pub score: f64,
    /// Whether both engines have to say so; else either of them will do.
    #[serde(default = "yes", rename = "two-sided")]
    pub two_sided: bool,
}

/// Adjudication by tablebases: a game that reaches them is decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseSettings {
    /// Their folder.
    pub tablebase: PathBuf,
}

impl FromStr for TablebaseSettings {
    type Err = SettingsError;

    /// Reads `tablebase=DIR`.
    fn from_str(text: &str) -> Result<TablebaseSettings, SettingsError> {
        match pairs(text)?.as_slice() {
            [(key, folder)] if key == "tablebase" && !folder.is_empty() => Ok(TablebaseSettings {
                tablebase: folder.into(),
            }),
            _ => Err(SettingsError::value(
                "adjudication",
                text,
                "tablebase=FOLDER",
            )),
        }
    }
}

fn number<const NUMBER: u32>() -> u32 {
    NUMBER
}

fn yes() -> bool {
    true
}

/// Adjudication by scores: `moves=3,score=6,…`; only the score has to be there.
macro_rules! by_scores {
    ($($settings:ident),+) => {$(
        impl $settings {
            pub(super) fn validate(&self) -> Result<(), SettingsError> {
                SettingsError::unless(1.., "moves", self.moves, "at least 1")?;
                let expected = format_args!("a number from 0 to {MOST_SCORE}");
                SettingsError::unless(0.0..=MOST_SCORE, "score", self.score, expected)
            }
        }

        impl FromStr for $settings {
            type Err = SettingsError;

            fn from_str(text: &str) -> Result<$settings, SettingsError> {
                let settings: $settings = from_pairs(pairs(text)?)?;
                settings.validate().map(|()| settings)
            }
        }
    )+};
}

by_scores!(ResignSettings, DrawSettings);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let resign: ResignSettings = "score=6".parse().expect("right");
        assert_eq!((resign.moves, resign.two_sided), (3, false));
        for (text, wanted) in [
            ("score=0.2,number=10,two-sided=false", (10, 8, false)),
            ("number=0,moves=2,score=0.1", (0, 2, true)),
        ] {
            let draw: DrawSettings = text.parse().expect(text);
            assert_eq!((draw.number, draw.moves, draw.two_sided), wanted);
        }
        let tables: TablebaseSettings = "tablebase=a/b".parse().expect("right");
        assert_eq!(tables.tablebase, PathBuf::from("a/b"));
        for wrong in ["", "tablebase=", "a/b", "table=a"] {
            assert!(wrong.parse::<TablebaseSettings>().is_err(), "{wrong}");
        }
        for wrong in [
            "-1",
            "1e9",
            "NaN",
            "much",
            "1,moves=0",
            "1,number=-1",
            "1,movecount=3",
        ] {
            let pairs = format!("score={wrong}");
            assert!(pairs.parse::<DrawSettings>().is_err(), "{wrong}");
            assert!(pairs.parse::<ResignSettings>().is_err(), "{wrong}");
        }
        assert!("moves=3".parse::<ResignSettings>().is_err(), "no score");
    }
}

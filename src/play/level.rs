//! How strong the engine plays, by the levels of [`Strength::from_level`], which are those of the
//! protocol's option `Skill Level`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::excerpt::excerpt;
use crate::search::Strength;

/// The strength of the engine, from 0 to [`Level::FULL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no level, want a number from 0 to {full}", full = Level::FULL)]
pub struct LevelError(String);

impl Level {
    /// Full strength.
    pub const FULL: Level = Level(Strength::FULL_LEVEL as u8);

    /// The strength of a search at this level, in a game with this seed.
    #[must_use]
    pub fn strength(self, seed: u64) -> Strength {
        Strength::from_level(u32::from(self.0)).with_seed(seed)
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        text.parse()
            .ok()
            .filter(|&number| number <= Level::FULL.0)
            .map(Level)
            .ok_or_else(|| LevelError(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_below() {
        let elo = |level| Level(level).strength(3).elo();
        assert!((1..20).all(|level| elo(level) > elo(level - 1)));
        assert_eq!(Level(19).strength(3).seed(), Some(3));
        assert!(Level::FULL.strength(3).is_full());
    }

    #[test]
    fn levels_read() {
        for text in ["0", "7", "20"] {
            assert_eq!(text.parse::<Level>().expect(text).to_string(), text);
        }
        for text in ["", "21", "-1", "1.5", "x"] {
            let error = text.parse::<Level>().expect_err(text).to_string();
            let wanted = format!("'{text}' is no level, want a number from 0 to 20");
            assert_eq!(error, wanted);
        }
    }
}

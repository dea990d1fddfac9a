//! What ratings are measured from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TournamentError;
use crate::excerpt::excerpt;

/// The engine that ratings are measured from. As text `NAME=ELO`, or `NAME` for 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// Its name.
    pub name: String,
    /// Its rating, in Elo.
    pub elo: f64,
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.elo)
    }
}

impl FromStr for Anchor {
    type Err = TournamentError;

    fn from_str(text: &str) -> Result<Anchor, TournamentError> {
        let wrong = || TournamentError::Anchor(excerpt(text));
        // Names may have equals signs of their own.
        let (name, elo) = match text.rsplit_once('=') {
            None => (text, 0.0),
            Some((name, elo)) => (name, elo.trim().parse().map_err(|_| wrong())?),
        };
        if name.trim().is_empty() || !(-1e6..=1e6).contains(&elo) {
            return Err(wrong());
        }
        Ok(Anchor {
            name: name.trim().to_owned(),
            elo,
        })
    }
}

impl Serialize for Anchor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Anchor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Anchor, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_read_as_they_are_written() {
        let anchor = |text: &str| text.parse::<Anchor>();
        for text in ["A=2000", "a=b c=-12.5"] {
            assert_eq!(anchor(text).expect(text).to_string(), text);
        }
        assert_eq!(anchor("A").expect("0 Elo").elo, 0.0);
        for text in ["", "=3", "A=", "A=x", "A=inf", "A=nan", "A=1e9"] {
            assert!(anchor(text).is_err(), "{text}");
        }
    }
}

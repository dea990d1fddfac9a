//! A part of a match, to be played by itself.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TournamentError;
use crate::excerpt::excerpt;

/// A part of a schedule that is played by itself: `number` of `count` parts. As text `2/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// Which part, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many parts there are, at least 1.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// How many of the numbers below `count` the part has.
    pub(in crate::tournament) fn share_of(self, count: u64) -> u64 {
        let (parts, before) = (u64::from(self.count), u64::from(self.number - 1));
        count / parts + u64::from(count % parts > before)
    }

    /// Whether the part has the encounter (or pair, or set, or pair of rounds) with this number, from 0.
    #[must_use]
    pub const fn has(self, index: u32) -> bool {
        index % self.count == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = TournamentError;

    fn from_str(text: &str) -> Result<Shard, TournamentError> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(number, count)| {
            Some((number.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        });
        numbers
            .filter(|(number, count)| (1..=*count).contains(number))
            .map(|(number, count)| Shard { number, count })
            .ok_or_else(|| TournamentError::Shard(excerpt(text)))
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_read_as_they_are_written() {
        for text in ["1/1", "3/7", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().expect(text).to_string(), text);
        }
        for text in [
            "0/1",
            "2/1",
            "1",
            "1/0",
            "a/b",
            "",
            "/",
            "-1/2",
            "1/2/3",
            "1/4294967296",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn everything_is_in_one_part() {
        for count in [1, 2, 3, 7] {
            for index in 0..50 {
                let parts = (1..=count).map(|number| Shard { number, count });
                assert_eq!(parts.filter(|part| part.has(index)).count(), 1);
            }
            for number in 1..=count {
                let part = Shard { number, count };
                for total in 0..50 {
                    let share = (0..total).filter(|&index| part.has(index)).count();
                    assert_eq!(part.share_of(total.into()), share as u64);
                }
            }
        }
    }
}

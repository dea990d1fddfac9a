//! Which sides people play.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Side;

/// Which sides people play; the engine plays the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Person {
    /// A person plays White.
    #[default]
    White,
    /// A person plays Black.
    Black,
    /// Two people play.
    Both,
    /// The engine plays itself, and people watch.
    Neither,
}

/// A text that names nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("want white, black, both or none")]
pub struct UnknownPerson;

impl Person {
    /// All of them.
    pub const ALL: [Person; 4] = [Person::White, Person::Black, Person::Both, Person::Neither];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Person::White => "white",
            Person::Black => "black",
            Person::Both => "both",
            Person::Neither => "none",
        }
    }

    /// Whether a person plays `side`.
    #[must_use]
    pub const fn plays(self, side: Side) -> bool {
        match self {
            Person::White => matches!(side, Side::White),
            Person::Black => matches!(side, Side::Black),
            Person::Both => true,
            Person::Neither => false,
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Person {
    type Err = UnknownPerson;

    fn from_str(text: &str) -> Result<Person, UnknownPerson> {
        Person::ALL
            .into_iter()
            .find(|person| person.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownPerson)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for person in Person::ALL {
            assert_eq!(person.to_string().parse(), Ok(person));
        }
        assert_eq!("me".parse::<Person>(), Err(UnknownPerson));
        assert_eq!(
            Side::BOTH.map(|side| Person::Black.plays(side)),
            [false, true]
        );
    }
}

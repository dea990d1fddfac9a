//! The systems by which engines are paired.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::TournamentError;
use crate::excerpt::excerpt;

/// The system by which engines are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TournamentFormat {
    /// Two engines play every opening twice, with colours swapped.
    Pairs,
    /// Every engine against every other.
    RoundRobin,
    /// The first engine against all others.
    Gauntlet,
    /// Round by round, engines with as many points as each other meet, and no two twice.
    Swiss,
    /// Whoever loses an encounter is out.
    Knockout,
    /// Sets of ten games over the five openings; every engine against every other.
    Riatra,
    /// Rounds of a normal game and its revenge; every engine against every other.
    Vela,
}

impl TournamentFormat {
    /// All formats.
    pub const ALL: [TournamentFormat; 7] = [
        TournamentFormat::Pairs,
        TournamentFormat::RoundRobin,
        TournamentFormat::Gauntlet,
        TournamentFormat::Swiss,
        TournamentFormat::Knockout,
        TournamentFormat::Riatra,
        TournamentFormat::Vela,
    ];

    /// The name, as settings have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TournamentFormat::Pairs => "pairs",
            TournamentFormat::RoundRobin => "roundrobin",
            TournamentFormat::Gauntlet => "gauntlet",
            TournamentFormat::Swiss => "swiss",
            TournamentFormat::Knockout => "knockout",
            TournamentFormat::Riatra => "riatra",
            TournamentFormat::Vela => "vela",
        }
    }

    /// Whether who plays whom depends on results, so that no part can be played by itself.
    #[must_use]
    pub const fn depends_on_results(self) -> bool {
        matches!(self, TournamentFormat::Swiss | TournamentFormat::Knockout)
    }

    /// Whether `games` says something, and if so, how many there are unless it does.
    pub(super) const fn default_games(self) -> Option<u32> {
        match self {
            TournamentFormat::Pairs => Some(100),
            TournamentFormat::Riatra | TournamentFormat::Vela => None,
            _ => Some(2),
        }
    }

    /// Whether `rounds` says something, and if so, how many there are unless it does.
    pub(super) fn default_rounds(self, engines: usize) -> Option<u32> {
        match self {
            TournamentFormat::Pairs | TournamentFormat::Knockout => None,
            TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => Some(1),
            // As many as a knockout would take: then one engine at most has won everything.
            TournamentFormat::Swiss => Some(engines.max(2).next_power_of_two().ilog2()),
            TournamentFormat::Riatra => Some(1),
            TournamentFormat::Vela => Some(10),
        }
    }
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TournamentFormat {
    type Err = TournamentError;

    fn from_str(text: &str) -> Result<TournamentFormat, TournamentError> {
        TournamentFormat::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| TournamentError::UnknownFormat(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_read_as_they_are_written() {
        for format in TournamentFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let json = serde_json::to_string(&format).expect("a name");
            assert_eq!(json, format!("\"{format}\""));
        }
        assert!("Swiss".parse::<TournamentFormat>().is_err());
    }
}

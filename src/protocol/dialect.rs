//! The two languages that a session may be held in, and where they differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// UGI or UCI. Both vocabularies are understood at any time; the dialect decides how decided scores
/// are counted and what `bestmove` may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Universal Game Interface: `score mate` and `go mate` count plies, `bestmove` has two words.
    #[default]
    Ugi,
    /// Universal Chess Interface: `score mate` and `go mate` count moves, `bestmove` may name the
    /// reply that is expected.
    Uci,
}

impl Dialect {
    /// The word that opens a session: `ugi` or `uci`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }

    /// The figure of `score mate` for a game that is decided in `plies` plies (negative if the side
    /// to move loses).
    #[must_use]
    pub const fn mate_from_plies(self, plies: i32) -> i32 {
        match self {
            Dialect::Ugi => plies,
            // 1 or 2 plies are 1 move, for the winner as for the loser.
            Dialect::Uci if plies >= 0 => (plies + 1) / 2,
            Dialect::Uci => (plies - 1) / 2,
        }
    }

    /// The plies that the figure of `score mate` stands for, the longest that it may (negative if the
    /// side to move loses).
    #[must_use]
    pub const fn plies_from_mate(self, mate: i32) -> i32 {
        match self {
            Dialect::Ugi => mate,
            Dialect::Uci if mate > 0 => mate.saturating_mul(2).saturating_sub(1),
            Dialect::Uci => mate.saturating_mul(2),
        }
    }

    /// The most plies that a win in `mate` (the figure of `go mate`) can take.
    #[must_use]
    pub const fn plies_of_mate(self, mate: u32) -> u32 {
        match self {
            Dialect::Ugi => mate,
            Dialect::Uci => mate.saturating_mul(2),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_in_plies_and_in_moves() {
        for (plies, moves) in [
            (0, 0),
            (1, 1),
            (2, 1),
            (3, 2),
            (7, 4),
            (-2, -1),
            (-1, -1),
            (-4, -2),
        ] {
            assert_eq!(Dialect::Ugi.mate_from_plies(plies), plies);
            assert_eq!(Dialect::Uci.mate_from_plies(plies), moves, "{plies}");
        }
        for mate in -9..9 {
            for dialect in [Dialect::Ugi, Dialect::Uci] {
                let plies = dialect.plies_from_mate(mate);
                assert_eq!(dialect.mate_from_plies(plies), mate);
            }
        }
        assert_eq!(Dialect::Ugi.plies_of_mate(3), 3);
        assert_eq!(Dialect::Uci.plies_of_mate(2), 4);
        assert_eq!(Dialect::Uci.plies_of_mate(u32::MAX), u32::MAX);
    }
}

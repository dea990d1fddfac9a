//! The two dialects of a session, and their differences.

use serde::{Deserialize, Serialize};

use crate::text::named_enum;

named_enum! {
    /// UGI or UCI. Both vocabularies are accepted at any time; the dialect determines the unit of mate
    /// scores and the form of `bestmove`.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Dialect {
        /// Universal Game Interface: `score mate` and `go mate` count plies, `bestmove` has two words.
        #[default]
        Ugi = "ugi",
        /// Universal Chess Interface: `score mate` and `go mate` count moves, `bestmove` may include the
        /// expected reply.
        Uci = "uci",
    }
}

impl Dialect {
    /// The `score mate` value of a game decided in `plies` plies (negative if the side to move loses).
    pub const fn mate_from_plies(self, plies: i32) -> i32 {
        match self {
            Dialect::Ugi => plies,
            // 1 or 2 plies are 1 move, for winner and loser.
            Dialect::Uci if plies >= 0 => (plies + 1) / 2,
            Dialect::Uci => (plies - 1) / 2,
        }
    }

    /// The maximum number of plies of a `score mate` value (negative if the side to move loses).
    pub const fn plies_from_mate(self, mate: i32) -> i32 {
        match self {
            Dialect::Ugi => mate,
            Dialect::Uci if mate > 0 => mate.saturating_mul(2).saturating_sub(1),
            Dialect::Uci => mate.saturating_mul(2),
        }
    }

    /// The maximum number of plies of a win in `mate`, the value of `go mate`.
    pub const fn plies_of_mate(self, mate: u32) -> u32 {
        match self {
            Dialect::Ugi => mate,
            Dialect::Uci => mate.saturating_mul(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_in_plies_and_in_moves() {
        let negative = [(-2, -1), (-1, -1), (-4, -2)];
        for (plies, moves) in [(0, 0), (1, 1), (2, 1), (3, 2), (7, 4)]
            .into_iter()
            .chain(negative)
        {
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

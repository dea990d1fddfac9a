//! The five openings of the 9x5 board, by their traditional names.

use std::fmt;

/// One of White's five first moves on 9x5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// From the front.
    Vakiloha,
    /// Diagonally, from the right.
    Havanana,
    /// Diagonally, from the left.
    Havia,
    /// From the side, capturing ahead.
    Fohy,
    /// From the side, capturing behind.
    Kobaka,
}

impl Opening {
    /// All five, in the order in which a riatra set plays them.
    pub const ALL: [Opening; 5] = [
        Opening::Vakiloha,
        Opening::Havanana,
        Opening::Havia,
        Opening::Fohy,
        Opening::Kobaka,
    ];

    /// The traditional name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Opening::Vakiloha => "vakiloha",
            Opening::Havanana => "havanana",
            Opening::Havia => "havia",
            Opening::Fohy => "fohy",
            Opening::Kobaka => "kobaka",
        }
    }

    /// The first move, as it is written.
    #[must_use]
    pub const fn first_move(self) -> &'static str {
        match self {
            Opening::Vakiloha => "e2-e3A",
            Opening::Havanana => "f2-e3A",
            Opening::Havia => "d2-e3A",
            Opening::Fohy => "d3-e3A",
            Opening::Kobaka => "d3-e3W",
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::format_path;
    use crate::rules::{Rules, legal_paths};

    #[test]
    fn the_five_openings_are_all_first_moves() {
        let rules = Rules::STANDARD;
        let mut legal: Vec<String> = legal_paths(&rules, &rules.start())
            .iter()
            .map(|(path, _)| format_path(path, rules.board))
            .collect();
        let mut named = Opening::ALL.map(Opening::first_move);
        legal.sort();
        named.sort();
        assert_eq!(legal, named);
    }
}

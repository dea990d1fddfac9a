//! Judgements of moves by number: the numeric annotation glyphs of the standard.

use std::fmt;

/// A numeric annotation glyph (NAG), such as `$4` for a blunder. The standard gives 0 to 139 a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// A good move: `$1`, `!`.
    pub const GOOD: Nag = Nag(1);
    /// A poor move, a mistake: `$2`, `?`.
    pub const MISTAKE: Nag = Nag(2);
    /// A very good move: `$3`, `!!`.
    pub const BRILLIANT: Nag = Nag(3);
    /// A very poor move, a blunder: `$4`, `??`.
    pub const BLUNDER: Nag = Nag(4);
    /// A move that is worth looking at: `$5`, `!?`.
    pub const SPECULATIVE: Nag = Nag(5);
    /// A questionable move: `$6`, `?!`.
    pub const DUBIOUS: Nag = Nag(6);

    /// The glyphs of moves, with the signs that people write for them.
    const SIGNS: [(Nag, &'static str); 6] = [
        (Nag::GOOD, "!"),
        (Nag::MISTAKE, "?"),
        (Nag::BRILLIANT, "!!"),
        (Nag::BLUNDER, "??"),
        (Nag::SPECULATIVE, "!?"),
        (Nag::DUBIOUS, "?!"),
    ];

    /// The sign that people write for it behind a move, if there is one: `??` for `$4`.
    #[must_use]
    pub fn sign(self) -> Option<&'static str> {
        Nag::SIGNS
            .iter()
            .find(|(nag, _)| *nag == self)
            .map(|(_, sign)| *sign)
    }

    /// The glyph for a sign; `None` for what is no sign, such as `!!!`.
    pub(super) fn from_sign(sign: &str) -> Option<Nag> {
        Nag::SIGNS
            .iter()
            .find(|(_, known)| *known == sign)
            .map(|(nag, _)| *nag)
    }
}

impl fmt::Display for Nag {
    /// As records have it: `$4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_numbers_belong_together() {
        for (nag, sign) in Nag::SIGNS {
            assert_eq!(nag.sign(), Some(sign));
            assert_eq!(Nag::from_sign(sign), Some(nag));
        }
        assert_eq!(Nag::from_sign("!!!"), None);
        assert_eq!(Nag(7).sign(), None);
        assert_eq!(Nag::BLUNDER.to_string(), "$4");
    }
}

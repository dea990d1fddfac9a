//! Signs of the board beside those of a diagram.

use vato::notation::Charset;

/// What is drawn on empty points.
pub(super) struct Signs {
    /// A stone that was captured.
    pub(super) captured: char,
    /// Where the stone came from.
    pub(super) origin: char,
    /// A point that the stone can go to without a capture.
    pub(super) paika: char,
    /// A capture by approach.
    pub(super) approach: char,
    /// A capture by withdrawal.
    pub(super) withdrawal: char,
    /// A capture by either.
    pub(super) either: char,
}

/// The signs that a set of characters has.
pub(super) const fn signs(charset: Charset) -> Signs {
    match charset {
        Charset::Unicode => Signs {
            captured: '×',
            origin: '∙',
            paika: '◇',
            approach: 'A',
            withdrawal: 'W',
            either: '?',
        },
        // Stones are capitals there.
        Charset::Ascii => Signs {
            captured: 'x',
            origin: ',',
            paika: 'o',
            approach: 'a',
            withdrawal: 'w',
            either: '?',
        },
    }
}

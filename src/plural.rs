//! Counted things, in the singular or the plural.

use std::fmt::Display;

/// So many things: `1 game`, `12 games`. What one is called, and what several are called, is said.
///
/// ```
/// assert_eq!(vato::counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(vato::counted(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, several: &str) -> String {
    let shown = count.to_string();
    format!("{shown} {}", plural(count, one, several))
}

/// The word, or words, for so many things: `one` for 1, else `several`.
#[must_use]
pub fn plural<'a, N: PartialEq + From<u8>>(count: N, one: &'a str, several: &'a str) -> &'a str {
    if count == N::from(1) { one } else { several }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let games = |count: u64| counted(count, "game", "games");
        assert_eq!(games(0), "0 games");
        assert_eq!(games(1), "1 game");
        assert_eq!(games(21), "21 games");
        assert_eq!(counted(1.0, "stone", "stones"), "1 stone");
        assert_eq!(counted(0.1, "stone", "stones"), "0.1 stones");
        assert_eq!(plural(1_u32, "game has", "games have"), "game has");
    }
}

//! What engine tournaments write behind a move.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A score from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreEntry {
    /// Hundredths of a stone.
    CentiStones(i32),
    /// The game is decided: plies to its end, negative (or zero) if the mover loses.
    PliesToEnd(i32),
}

impl fmt::Display for ScoreEntry {
    /// As engine tournaments write it: `+0.35` in stones, `+M5` for a win and `-M4` for a loss in so many
    /// plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ScoreEntry::CentiStones(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            ScoreEntry::PliesToEnd(plies) if plies > 0 => write!(f, "+M{plies}"),
            ScoreEntry::PliesToEnd(plies) => write!(f, "-M{}", plies.unsigned_abs()),
        }
    }
}

/// The comment on a move: `+0.35/12 0.840s`, score in stones from the mover's view (`+M5` if the game is
/// decided: plies to its end), depth, seconds.
#[must_use]
pub fn move_comment(score: Option<ScoreEntry>, depth: Option<u32>, seconds: f64) -> String {
    let score = score.map_or(String::new(), |score| score.to_string());
    let depth = depth.map_or(String::new(), |depth| format!("/{depth}"));
    let space = if score.is_empty() && depth.is_empty() {
        ""
    } else {
        " "
    };
    format!("{score}{depth}{space}{seconds:.3}s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_as_tournaments_write_them() {
        let comment = |score| move_comment(Some(score), Some(12), 0.8404);
        assert_eq!(comment(ScoreEntry::CentiStones(35)), "+0.35/12 0.840s");
        assert_eq!(comment(ScoreEntry::PliesToEnd(-4)), "-M4/12 0.840s");
        assert_eq!(move_comment(None, None, 0.8404), "0.840s");
    }
}

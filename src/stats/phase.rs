//! Phases of the game, told by the stones on the board.

use std::fmt;

use serde::{Serialize, Serializer};

/// A phase of the game: so many stones on the board.
///
/// The game opens with 44 stones and a storm of captures; after some ten turns there are a dozen left,
/// and most of the game is played with those. Smaller boards begin in a later phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase {
    /// The fewest stones, of both sides together.
    pub least: u32,
    /// The most.
    pub most: u32,
}

impl Phase {
    /// All phases, from the start of the game to its end.
    pub const ALL: [Phase; 7] = [
        Phase::new(40, 45),
        Phase::new(30, 39),
        Phase::new(20, 29),
        Phase::new(13, 19),
        Phase::new(8, 12),
        Phase::new(5, 7),
        Phase::new(0, 4),
    ];

    const fn new(least: u32, most: u32) -> Phase {
        Phase { least, most }
    }

    /// The place in [`Phase::ALL`] of positions with so many stones.
    #[must_use]
    pub fn index_of(stones: u32) -> usize {
        Phase::ALL
            .iter()
            .position(|phase| stones >= phase.least)
            .unwrap_or(Phase::ALL.len() - 1)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.least, self.most) {
            (least, 45) => format!("{least}+"),
            (0, most) => format!("1-{most}"),
            (least, most) => format!("{least}-{most}"),
        };
        f.pad(&text)
    }
}

impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_stones_has_its_phase() {
        for stones in 0..=45 {
            let phase = Phase::ALL[Phase::index_of(stones)];
            assert!((phase.least..=phase.most).contains(&stones), "{stones}");
        }
    }
}

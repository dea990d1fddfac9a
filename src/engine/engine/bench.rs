//! The benchmark: fixed positions searched to a fixed depth. Its node count is the signature of the search.

use std::time::Duration;

use crate::memory::ResourceError;
use crate::notation::parse_fen;
use crate::rules::{Game, Rules};
use crate::search::{Control, Limits, SearchSettings, Searcher, nodes_per_second};

/// The start, then positions with fewer and fewer stones from games of self-play; then other boards and rules: a FEN,
/// and behind ` ; ` the rules string where it is not that of the standard game.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// A benchmark run.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Depth of each search, in plies.
    pub depth: u32,
    /// What it searches with.
    pub search: SearchSettings,
}

/// Totals of a benchmark run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// Nodes over all positions.
    pub nodes: u64,
    /// Time over all positions.
    pub time: Duration,
}

impl BenchTotal {
    /// Nodes a second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

impl Default for Bench {
    /// The arguments of the signature.
    fn default() -> Bench {
        Bench {
            depth: 15,
            search: SearchSettings::default(),
        }
    }
}

impl Bench {
    /// The signatures of the search: node counts of the default benchmark with the network and with the
    /// hand-made evaluation. A functional change of the search changes them.
    pub const SIGNATURES: [(&str, u64); 2] = [("network", 5_511_715), ("classical", 5_336_890)];

    /// Searches every position, with the searcher cleared before each. `progress` is called after each with its
    /// number (from 1), the number of positions, its FEN and the total so far. Ends early if `control` is stopped.
    ///
    /// # Errors
    ///
    /// If memory or threads are not available.
    pub fn run(
        &self,
        control: &Control,
        progress: &mut dyn FnMut(usize, usize, &str, &BenchTotal),
    ) -> Result<BenchTotal, ResourceError> {
        let mut searcher = Searcher::new();
        let limits = Limits {
            depth: Some(self.depth),
            ..Limits::default()
        };
        let mut total = BenchTotal::default();
        let count = POSITIONS.lines().count();
        for (number, line) in (1..).zip(POSITIONS.lines()) {
            if control.is_stopped() {
                break;
            }
            let (fen, game) = game(line);
            searcher.clear();
            let result = searcher.search(&self.search, &game, &limits, control, &mut |_| {})?;
            total.nodes += result.nodes;
            total.time += result.time;
            progress(number, count, fen, &total);
        }
        Ok(total)
    }
}

/// The FEN and the game of a listed position. A test parses them all, so this cannot fail.
fn game(line: &str) -> (&str, Game) {
    let (fen, rules) = line.split_once(" ; ").unwrap_or((line, ""));
    let rules: Rules = rules.parse().expect("a rules string of the list");
    let position = parse_fen(fen, rules.board).expect("a position of the list");
    (fen, Game::from_position(rules, position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::has_move;

    #[test]
    fn the_positions_are_good_ones() {
        assert!(POSITIONS.lines().count() >= 40);
        for (fen, game) in POSITIONS.lines().map(game) {
            assert!(has_move(game.rules(), game.position()), "{fen}");
            assert_eq!(game.outcome(), None, "{fen}");
        }
    }
}

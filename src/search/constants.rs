//! The fixed numbers of the search. Scores are units of the search, depths plies.

use std::time::Duration;

/// How many times as wide the aspiration window gets each time the score lies outside.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Half-width beyond which the window is thrown open.
pub(super) const ASPIRATION_MOST: i32 = 1_000;
/// Depth from which iterations begin with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 4;
/// Moves that are always searched to the full depth.
pub(super) const UNREDUCED_MOVES: usize = 2;
/// The same at the root.
pub(super) const ROOT_UNREDUCED_MOVES: usize = 3;
/// Deepest node at which what the table knows of the next move is fetched while one is searched: above
/// that it would be gone again before it is needed.
pub(super) const PREFETCH_DEPTH: i32 = 3;
/// Largest value in the history tables.
pub(super) const HISTORY_MOST: i32 = 16_384;

/// What a tie that `tie=count` would win is worth where it is in sight but not reached.
pub(super) const TIE_IN_SIGHT: i32 = 20_000;

/// The most moves that the time left is divided by.
pub(super) const MOST_MOVES: u32 = 48;
/// The most that a move may take of the time left.
pub(super) const MOVE_MOST: f64 = 0.35;
/// The same where the next move has new time.
pub(super) const LAST_MOVE_MOST: f64 = 0.8;
/// With less left than so many times the overhead, moves are hurried.
pub(super) const COMFORTABLE_OVERHEADS: u32 = 16;
/// The part of its time that a hurried move gets at least.
pub(super) const LEAST_HASTE: f64 = 0.04;
/// With only so many times the overhead left it gets no more than that.
pub(super) const BARE_OVERHEADS: u32 = 4;
/// The least time for a move that is worth waking other threads for.
pub(super) const WORTH_HELP: Duration = Duration::from_millis(2);
/// How far the time for a move is stretched when the best move has just changed, and after each
/// iteration that has kept it.
pub(super) const TIME_SCALE: [f64; 6] = [1.6, 1.3, 1.1, 1.0, 0.9, 0.8];
/// The drop of the score that doubles the time for a move.
pub(super) const TIME_DOUBLING_DROP: i32 = 100;
/// The part of all nodes from which on the best move counts as far ahead of the others.
pub(super) const FAR_AHEAD: f64 = 0.8;
/// What is left of the time for the move where all nodes went into it.
pub(super) const FAR_AHEAD_SCALE: f64 = 0.6;

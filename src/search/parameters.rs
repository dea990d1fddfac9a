//! The tunable numbers of the search, with their names. Scores are units of the search, depths plies.

use std::time::Duration;

/// Half-width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: i32 = 25;
/// By how much the window grows each time the score lies outside.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Half-width beyond which the window is thrown open.
pub(super) const ASPIRATION_MOST: i32 = 1_000;
/// Depth from which iterations begin with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// Deepest node at which a quiet position far above beta is cut by its static evaluation.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 6;
/// How far above, per ply of depth.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 70;
/// Stones on the board below which zugzwang makes static cuts unsafe.
pub(super) const ZUGZWANG_STONES: u32 = 8;

/// Deepest node at which late paikas are left out.
pub(super) const LATE_MOVE_PRUNING_DEPTH: i32 = 4;
/// Moves that are searched at depth 0 before late ones are left out; grows with depth squared.
pub(super) const LATE_MOVE_PRUNING_BASE: usize = 6;

/// Depth from which late moves are searched less deep.
pub(super) const REDUCTION_DEPTH: i32 = 3;
/// Reduction = (base + ln(depth) * ln(number) * factor), in plies.
pub(super) const REDUCTION_BASE: f64 = 0.40;
/// See [`REDUCTION_BASE`].
pub(super) const REDUCTION_FACTOR: f64 = 0.65;

/// How much further paikas are reduced, in plies: hardly one of the late ones ever proves better than
/// what was found before.
pub(super) const PAIKA_REDUCTION: i32 = 1;

/// Depth from which a node without a hash move is searched a ply less deep.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 5;

/// What having to capture is supposed to be worth where quiescence stands pat, beyond the static
/// evaluation.
pub(super) const STAND_PAT_BONUS: i32 = 40;

/// What each captured stone is supposed to be worth at most where quiescence decides which captures are
/// worth a look (delta pruning).
pub(super) const DELTA_STONE: i32 = 100;
/// What a capture may be worth beyond its stones.
pub(super) const DELTA_MARGIN: i32 = 80;

/// Moves that are always searched to the full depth.
pub(super) const UNREDUCED_MOVES: usize = 2;
/// The same at the root.
pub(super) const ROOT_UNREDUCED_MOVES: usize = 3;
/// A history value of this much makes or unmakes a ply of reduction.
pub(super) const HISTORY_PER_PLY: i32 = HISTORY_MOST / 2;

/// Largest value in the history tables.
pub(super) const HISTORY_MOST: i32 = 16_384;
/// What a move that refutes a node is given, times the depth squared.
pub(super) const HISTORY_BONUS: i32 = 32;
/// The most that it is given at once.
pub(super) const HISTORY_BONUS_MOST: i32 = HISTORY_MOST / 8;

/// What a tie that `tie=count` would win is worth where it is in sight but not reached.
pub(super) const TIE_IN_SIGHT: i32 = 20_000;

/// Moves that a game without moves-to-go is expected to last from any position on.
pub(super) const EXPECTED_MOVES: u32 = 24;
/// The most moves that the time left is divided by.
pub(super) const MOST_MOVES: u32 = 48;
/// How much of the increment is spent at once.
pub(super) const INCREMENT_SHARE: f64 = 0.75;
/// The time meant for a move, in even shares of the time left.
pub(super) const OPTIMUM_SHARES: f64 = 0.7;
/// The most that it may take, in even shares.
pub(super) const MAXIMUM_SHARES: f64 = 4.0;
/// The most that it may take of the time left.
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
/// The drop of the score that doubles it.
pub(super) const TIME_DOUBLING_DROP: i32 = 100;
/// How far beyond its time an iteration is carried, in times of it.
pub(super) const ITERATION_MOST: f64 = 2.5;
/// The part of all nodes from which on the best move counts as far ahead of the others.
pub(super) const FAR_AHEAD: f64 = 0.8;
/// What is left of the time for the move where all nodes went into it.
pub(super) const FAR_AHEAD_SCALE: f64 = 0.6;

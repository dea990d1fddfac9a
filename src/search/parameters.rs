//! Every tunable number of the search, with its name. Scores are centi-stones, depths plies.

/// Half-width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: i32 = 25;
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
pub(super) const REDUCTION_FACTOR: f64 = 0.45;

/// Depth from which a node without a hash move is searched a ply less deep.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 5;

/// What having to capture is supposed to be worth where quiescence stands pat, beyond the static
/// evaluation.
pub(super) const STAND_PAT_BONUS: i32 = 40;

/// Moves that are always searched to the full depth.
pub(super) const UNREDUCED_MOVES: usize = 2;
/// A history value of this much makes or unmakes a ply of reduction.
pub(super) const HISTORY_PER_PLY: i32 = HISTORY_MOST / 2;

/// Largest value in the history tables.
pub(super) const HISTORY_MOST: i32 = 16_384;

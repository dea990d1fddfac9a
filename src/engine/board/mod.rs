//! The board: points, sets of points, the geometry of every size, positions, hashing, symmetry.
//!
//! Independent of the rules: [`Position::play`] carries out any move it is given.
//!
//! # One lattice for every size
//!
//! Every board is a window on one *lattice*: the 9x5 board with an empty tenth column, so that
//! point `(column, row)` has the index `10 * row + column` (0 to 48). A line in a given direction is
//! the same shift on every board, the gap column keeps shifts from wrapping round, and sizes differ
//! only in the mask of their points. Boards taller than they are wide (3x9, 5x7, …) are stored
//! transposed; [`BoardSize`] converts between points and files and ranks.

mod bitboard;
mod direction;
mod moves;
mod point;
mod position;
mod size;
mod symmetry;

pub use bitboard::{Bitboard, Points};
pub use direction::{DIAGONALS, EAST, OFFSETS, WEST, opposite, shift};
pub use moves::Move;
pub use point::Point;
pub use position::{FIRST_TURN_KEY, Position, Side};
pub use size::BoardSize;
pub(crate) use symmetry::Shape;
pub use symmetry::{Canonical, Symmetry};

//! Text in and out: positions, moves, diagrams, names of openings.
//!
//! Strict readers whose errors name what is wrong and where; writers whose output the readers take
//! back. Knows the rules.

mod diagram;
mod fen;
mod move_text;
mod opening_names;
pub mod pgn;

pub use diagram::{Charset, Glyphs, diagram, diagram_with_values};
pub use fen::{FenError, format_fen, parse_fen};
pub use move_text::{MoveTextError, format_move, format_path, parse_path, parse_turn};
pub use opening_names::OPENING_NAMES;

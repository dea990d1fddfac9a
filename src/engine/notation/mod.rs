//! Text formats: FEN, moves, diagrams.
//!
//! Strict readers whose errors name what is wrong and where; what the writers write, the readers accept.
//! Depends on the rules.

mod diagram;
mod fen;
mod move_text;

pub use diagram::{Charset, diagram, diagram_with_values};
pub use fen::{format_fen, parse_fen, read_position, without_operations};
pub use move_text::{
    MoveReader, MoveTextError, PASS, SHOWN, format_line, format_move, format_path, parse_path,
    parse_turn,
};

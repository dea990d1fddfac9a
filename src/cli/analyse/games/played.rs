//! The moves of a record as they were played.

use vato::board::BoardSize;
use vato::notation::pgn::{GameRecord, RecordedMove};
use vato::notation::{format_path, parse_path};

/// The move at `ply` by the way that the record has it, for the same move may be made by several; with
/// the hyphens and letters of this program.
pub(super) fn played(record: &GameRecord, ply: usize, board: BoardSize) -> String {
    let text = record.moves().get(ply).map_or("", RecordedMove::text);
    match parse_path(text, board) {
        Ok(path) => format_path(&path, board),
        Err(_) => text.to_owned(),
    }
}

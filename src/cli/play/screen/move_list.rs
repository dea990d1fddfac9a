//! The moves played, as lines that fit into a column.

use vato::board::Side;
use vato::play::Model;

use super::super::person_text::turn_text;

/// The moves with their numbers, in lines of at most `width` characters.
pub(super) fn move_lines(model: &Model, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, turn) in model.turns().iter().enumerate() {
        let number = turn.before.move_number();
        let text = turn_text(model, turn);
        let numbered = match turn.before.side() {
            Side::White => format!("{number:>2}. {text}"),
            Side::Black if index == 0 => format!("{number:>2}... {text}"),
            Side::Black => text,
        };
        match lines.last_mut() {
            Some(line)
                if turn.before.side() == Side::Black
                    && line.chars().count() + 1 + numbered.len() <= width =>
            {
                line.push(' ');
                line.push_str(&numbered);
            }
            // What goes on on a line of its own stands under the moves.
            Some(_) if turn.before.side() == Side::Black => {
                push_cut(&mut lines, &format!("    {numbered}"), width);
            }
            _ => push_cut(&mut lines, &numbered, width),
        }
    }
    lines
}

/// Adds a text in pieces of at most `width` characters: the longest turns fit into no column.
fn push_cut(lines: &mut Vec<String>, text: &str, width: usize) {
    let characters: Vec<char> = text.chars().collect();
    for (index, piece) in characters.chunks(width.max(8)).enumerate() {
        let piece: String = piece.iter().collect();
        lines.push(match index {
            0 => piece,
            _ => piece.trim_start().to_owned(),
        });
    }
}

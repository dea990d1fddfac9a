//! Board diagrams for terminals: stones, lines, strong and weak points told apart.

use crate::board::{BoardSize, Position, Side};

/// The characters that a diagram may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Round stones and box-drawing lines.
    Unicode,
    /// Plain ASCII: stones `W` and `B`, strong points `*`, weak points `+`.
    Ascii,
}

struct Glyphs {
    stones: [char; 2],
    strong: char,
    weak: char,
    horizontal: &'static str,
    vertical: char,
    rising: char,
    falling: char,
}

impl Charset {
    const fn glyphs(self) -> Glyphs {
        match self {
            Charset::Unicode => Glyphs {
                stones: ['○', '●'],
                strong: '╋',
                weak: '┼',
                horizontal: "───",
                vertical: '│',
                rising: '╱',
                falling: '╲',
            },
            Charset::Ascii => Glyphs {
                stones: ['W', 'B'],
                strong: '*',
                weak: '+',
                horizontal: "---",
                vertical: '|',
                rising: '/',
                falling: '\\',
            },
        }
    }
}

/// Draws the position, highest rank first, with files and ranks named; ends with a line break.
///
/// Empty strong points (eight lines) and weak points (four) have signs of their own.
#[must_use]
pub fn diagram(position: &Position, board: BoardSize, charset: Charset) -> String {
    let glyphs = charset.glyphs();
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        text.push_str(&format!("{} ", rank + 1));
        for file in 0..board.columns() {
            if file > 0 {
                text.push_str(glyphs.horizontal);
            }
            text.push(point_glyph(position, board, &glyphs, file, rank));
        }
        text.push('\n');
        if rank == 0 {
            break;
        }
        text.push_str("  ");
        for file in 0..board.columns() {
            if file > 0 {
                // Of the four corners of a cell two are strong, and its diagonal joins them.
                let rises = (file - 1 + rank - 1).is_multiple_of(2);
                let diagonal = if rises { glyphs.rising } else { glyphs.falling };
                text.push_str(&format!(" {diagonal} "));
            }
            text.push(glyphs.vertical);
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in 0..board.columns() {
        if file > 0 {
            text.push_str("   ");
        }
        text.push(char::from(b'a' + file));
    }
    text.push('\n');
    text
}

fn point_glyph(position: &Position, board: BoardSize, glyphs: &Glyphs, file: u8, rank: u8) -> char {
    let Some(point) = board.point(file, rank) else {
        return ' ';
    };
    for side in Side::BOTH {
        if position.stones(side).contains(point) {
            return glyphs.stones[side.index()];
        }
    }
    if point.is_strong() {
        glyphs.strong
    } else {
        glyphs.weak
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_board_in_ascii() {
        let board = BoardSize::new(3, 3).expect("a board");
        assert_eq!(
            diagram(&board.start(), board, Charset::Ascii),
            "3 B---B---B\n  | \\ | / |\n2 B---*---W\n  | / | \\ |\n1 W---W---W\n  a   b   c\n"
        );
    }
}

//! Board diagrams for terminals, with stones, lines, and strong and weak points.

use crate::board::{BoardSize, Point, Position, Side};

/// The character set of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// Round stones and box-drawing lines.
    Unicode,
    /// Plain ASCII: stones `W` and `B`, strong points `*`, weak points `+`.
    Ascii,
}

/// The characters of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// The stones, White's first.
    pub stones: [char; 2],
    /// An empty strong point.
    pub strong: char,
    /// An empty weak point.
    pub weak: char,
    /// A line along a rank.
    pub horizontal: char,
    /// A line along a file.
    pub vertical: char,
    /// A diagonal that rises to the right.
    pub rising: char,
    /// A diagonal that falls to the right.
    pub falling: char,
}

impl Glyphs {
    /// The line between two neighbours on a rank.
    fn link(&self) -> String {
        self.horizontal.to_string().repeat(3)
    }
}

impl Charset {
    /// The characters of a diagram in this set.
    #[must_use]
    pub const fn glyphs(self) -> Glyphs {
        match self {
            Charset::Unicode => Glyphs {
                stones: ['○', '●'],
                strong: '╋',
                weak: '┼',
                horizontal: '─',
                vertical: '│',
                rising: '╱',
                falling: '╲',
            },
            Charset::Ascii => Glyphs {
                stones: ['W', 'B'],
                strong: '*',
                weak: '+',
                horizontal: '-',
                vertical: '|',
                rising: '/',
                falling: '\\',
            },
        }
    }
}

/// Draws the position with the value of each point below it, given in hundredths and shown as stones
/// (`+0.35`), where `value` has one; ends with a line break.
#[must_use]
pub fn diagram_with_values(
    position: &Position,
    board: BoardSize,
    charset: Charset,
    value: impl Fn(Point) -> Option<i32>,
) -> String {
    let glyphs = charset.glyphs();
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        let mut stones = format!("{} ", rank + 1);
        let mut values = "  ".to_owned();
        for file in 0..board.columns() {
            if file > 0 {
                stones.push_str(&glyphs.link());
                stones.push_str(&glyphs.link());
            }
            stones.push(point_glyph(position, board, &glyphs, file, rank));
            let value = board.point(file, rank).and_then(&value);
            let value = value.map(|value| format!("{:+.2}", f64::from(value) / 100.0));
            values.push_str(&format!("{:<7}", value.unwrap_or_default()));
        }
        text.push_str(&format!("{stones}\n{}\n", values.trim_end()));
    }
    text.push(' ');
    for file in 0..board.columns() {
        text.push_str(&format!(" {:<6}", char::from(b'a' + file)));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Draws the position, highest rank first, with file letters and rank digits; ends with a line break.
///
/// Empty strong points (eight lines) and weak points (four) have different signs.
#[must_use]
pub fn diagram(position: &Position, board: BoardSize, charset: Charset) -> String {
    let glyphs = charset.glyphs();
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        text.push_str(&format!("{} ", rank + 1));
        for file in 0..board.columns() {
            if file > 0 {
                text.push_str(&glyphs.link());
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
    fn values_stand_under_their_points() {
        let board = BoardSize::new(3, 3).expect("a board");
        let value = |point| (board.point(1, 0) == Some(point)).then_some(-35);
        assert_eq!(
            diagram_with_values(&board.start(), board, Charset::Ascii, value),
            "3 B------B------B\n\n2 B------*------W\n\n1 W------W------W\n         -0.35\n  a      b      c\n"
        );
    }

    #[test]
    fn the_small_board_in_ascii() {
        let board = BoardSize::new(3, 3).expect("a board");
        assert_eq!(
            diagram(&board.start(), board, Charset::Ascii),
            "3 B---B---B\n  | \\ | / |\n2 B---*---W\n  | / | \\ |\n1 W---W---W\n  a   b   c\n"
        );
    }
}

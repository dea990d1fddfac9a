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

impl Charset {
    /// The characters of a diagram in this set.
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
pub fn diagram_with_values(
    position: &Position,
    board: BoardSize,
    charset: Charset,
    value: impl Fn(Point) -> Option<i32>,
) -> String {
    draw(position, board, &charset.glyphs(), 6, |rank| {
        let mut values = "  ".to_owned();
        for file in 0..board.columns() {
            let value = board.point(file, rank).and_then(&value);
            let value = value.map(|value| format!("{:+.2}", f64::from(value) / 100.0));
            values.push_str(&format!("{:<7}", value.unwrap_or_default()));
        }
        format!("{}\n", values.trim_end())
    })
}

/// Draws the position, highest rank first, with file letters and rank digits; ends with a line break.
///
/// Empty strong points (eight lines) and weak points (four) have different signs.
pub fn diagram(position: &Position, board: BoardSize, charset: Charset) -> String {
    let glyphs = charset.glyphs();
    draw(position, board, &glyphs, 3, |rank| {
        if rank == 0 {
            return String::new();
        }
        let mut lines = format!("  {}", glyphs.vertical);
        for file in 1..board.columns() {
            // Of the four corners of a cell two are strong, and its diagonal joins them.
            let rises = (file - 1 + rank - 1).is_multiple_of(2);
            let diagonal = if rises { glyphs.rising } else { glyphs.falling };
            lines.push_str(&format!(" {diagonal} {}", glyphs.vertical));
        }
        lines + "\n"
    })
}

/// The ranks, with so many characters between two points, each with the lines `below` it; then the letters of the files.
fn draw(
    position: &Position,
    board: BoardSize,
    glyphs: &Glyphs,
    width: usize,
    below: impl Fn(u8) -> String,
) -> String {
    let joined = |glyph: &dyn Fn(u8) -> char, gap: char| {
        let glyphs: Vec<String> = (0..board.columns())
            .map(|file| glyph(file).to_string())
            .collect();
        glyphs.join(&gap.to_string().repeat(width))
    };
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        let point = |file| point_glyph(position, board, glyphs, file, rank);
        let points = joined(&point, glyphs.horizontal);
        text += &format!("{} {points}\n{}", rank + 1, below(rank));
    }
    let files = joined(&|file| char::from(b'a' + file), ' ');
    text + &format!("  {files}\n")
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

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

impl Charset {
    /// White's stone, Black's, an empty strong point, a weak one; the lines along ranks and files, the diagonals that rise
    /// and fall to the right.
    const fn glyphs(self) -> [char; 8] {
        match self {
            Charset::Unicode => ['○', '●', '╋', '┼', '─', '│', '╱', '╲'],
            Charset::Ascii => ['W', 'B', '*', '+', '-', '|', '/', '\\'],
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
    draw(position, board, charset, 6, |rank| {
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
    let [.., vertical, rising, falling] = charset.glyphs();
    draw(position, board, charset, 3, |rank| {
        if rank == 0 {
            return String::new();
        }
        let mut lines = format!("  {vertical}");
        for file in 1..board.columns() {
            // Of the four corners of a cell two are strong, and its diagonal joins them.
            let rises = (file + rank).is_multiple_of(2);
            let diagonal = if rises { rising } else { falling };
            lines.push_str(&format!(" {diagonal} {vertical}"));
        }
        lines + "\n"
    })
}

/// The ranks, with so many characters between two points, each with the lines `below` it; then the letters of the files.
fn draw(
    position: &Position,
    board: BoardSize,
    charset: Charset,
    width: usize,
    below: impl Fn(u8) -> String,
) -> String {
    let [white, black, strong, weak, horizontal, ..] = charset.glyphs();
    let glyph = |point| match Side::BOTH.map(|side| position.stones(side).contains(point)) {
        [true, _] => white,
        [_, true] => black,
        _ if point.is_strong() => strong,
        _ => weak,
    };
    let joined = |glyph: &dyn Fn(u8) -> char, gap: char| {
        let glyphs: Vec<String> = (0..board.columns())
            .map(|file| glyph(file).to_string())
            .collect();
        glyphs.join(&gap.to_string().repeat(width))
    };
    let mut text = String::new();
    for rank in (0..board.rows()).rev() {
        let point = |file| board.point(file, rank).map_or(' ', glyph);
        text += &format!(
            "{} {}\n{}",
            rank + 1,
            joined(&point, horizontal),
            below(rank)
        );
    }
    let files = joined(&|file| char::from(b'a' + file), ' ');
    text + &format!("  {files}\n")
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
}

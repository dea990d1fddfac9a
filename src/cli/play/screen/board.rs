//! The board on the screen: geometry, points, lines, stones and marks.

use crossterm::style::{ContentStyle, Stylize};
use vato_engine::board::{Bitboard, BoardSize, Move, Point, Side};
use vato_engine::notation::Charset;
use vato_engine::rules::Capture;
use vato_tools::play::{Hand, PlayedTurn, Target};

use super::Screen;
use super::frame::Frame;

/// Columns to the left of the first file: the rank number and a mark.
const LEFT: u16 = 2;
/// Columns to the right of the last file: a mark.
const RIGHT: u16 = 1;

/// Geometry of a board on the screen: points are 4 columns and 2 rows apart, times a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub(super) board: BoardSize,
    /// The top left corner, including the coordinates.
    pub(super) column: u16,
    pub(super) row: u16,
    pub(super) scale: u16,
    pub(super) flipped: bool,
}

impl Geometry {
    /// The columns and rows of a board with its coordinates.
    pub(super) fn size(board: BoardSize, scale: u16) -> (u16, u16) {
        let width = 4 * scale * u16::from(board.columns() - 1) + 1;
        let height = 2 * scale * u16::from(board.rows() - 1) + 1;
        (LEFT + width + RIGHT, height + 1)
    }

    /// The rows of the board with its coordinates.
    pub(super) fn height(&self) -> u16 {
        Geometry::size(self.board, self.scale).1
    }

    /// The column and the row of a point.
    pub(super) fn cell(&self, point: Point) -> (u16, u16) {
        let (file, rank) = self.board.file_and_rank(point);
        let (right, down) = match self.flipped {
            false => (file, self.board.rows() - 1 - rank),
            true => (self.board.columns() - 1 - file, rank),
        };
        (
            self.column + LEFT + 4 * self.scale * u16::from(right),
            self.row + 2 * self.scale * u16::from(down),
        )
    }

    /// The point nearest to a cell of the screen, if near enough.
    pub(super) fn point_at(&self, column: u16, row: u16) -> Option<Point> {
        let [wide, high] = [4 * self.scale, 2 * self.scale];
        self.board.points().into_iter().find(|&point| {
            let (x, y) = self.cell(point);
            // A cell halfway between two points belongs to neither.
            column.abs_diff(x) < wide / 2 && row.abs_diff(y) < high / 2 + high % 2
        })
    }
}

/// Marks on empty points: captured stones, the origin of the last move, and the kind of a possible step: paika,
/// approach, withdrawal, either capture.
pub(super) const fn signs(charset: Charset) -> [char; 6] {
    match charset {
        Charset::Unicode => ['×', '∙', '◇', 'A', 'W', '?'],
        // In ASCII, stones are capital letters.
        Charset::Ascii => ['x', ',', 'o', 'a', 'w', '?'],
    }
}

pub(super) struct BoardView<'a> {
    pub(super) screen: &'a Screen,
    pub(super) geometry: Geometry,
}

impl BoardView<'_> {
    pub(super) fn draw(&self, frame: &mut Frame) {
        self.draw_lines(frame);
        self.draw_points(frame);
        self.draw_coordinates(frame);
        if let Some(ground) = self.screen.theme.ground {
            let Geometry { column, row, .. } = self.geometry;
            let (width, height) = Geometry::size(self.geometry.board, self.geometry.scale);
            frame.paint((column + 1, row), (width - 1, height - 1), ground);
        }
    }

    fn draw_points(&self, frame: &mut Frame) {
        for point in self.geometry.board.points() {
            let (column, row) = self.geometry.cell(point);
            let (sign, style) = self.sign(point);
            put(frame, column, row, sign, style);
            if let Some((left, right, style)) = self.brackets(point) {
                put(frame, column - 1, row, left, style);
                put(frame, column + 1, row, right, style);
            }
        }
    }

    /// Draws the lines from each point to the right, down, and diagonally down.
    fn draw_lines(&self, frame: &mut Frame) {
        let (glyphs, style) = (self.screen.charset.glyphs(), self.screen.theme.line);
        let Geometry { board, scale, .. } = self.geometry;
        let (wide, high) = (4 * scale, 2 * scale);
        let points = board.points().into_iter();
        let corner = points.map(|point| self.geometry.cell(point)).max();
        let (right, bottom) = corner.unwrap_or_default();
        for point in board.points() {
            let (x, y) = self.geometry.cell(point);
            if x < right {
                (1..wide).for_each(|step| put(frame, x + step, y, glyphs.horizontal, style));
            }
            if y < bottom {
                (1..high).for_each(|step| put(frame, x, y + step, glyphs.vertical, style));
            }
            if x < right && y < bottom {
                // Two opposite corners of the cell are strong points, and its diagonal joins them.
                for step in 1..high {
                    let (x, glyph) = match point.is_strong() {
                        true => (x + 2 * step, glyphs.falling),
                        false => (x + wide - 2 * step, glyphs.rising),
                    };
                    put(frame, x, y + step, glyph, style);
                }
            }
        }
    }

    fn draw_coordinates(&self, frame: &mut Frame) {
        let style = self.screen.theme.quiet;
        let board = self.geometry.board;
        let bottom = self.geometry.row + self.geometry.height() - 1;
        for point in board.points() {
            let (file, rank) = board.file_and_rank(point);
            let (column, row) = self.geometry.cell(point);
            let number = char::from(b'1' + rank);
            put(frame, self.geometry.column, row, number, style);
            put(frame, column, bottom, char::from(b'a' + file), style);
        }
    }

    /// The last turn, unless another one is in progress.
    fn last_turn(&self) -> Option<&PlayedTurn> {
        let hand = self.screen.model.hand();
        let under_way = hand.is_some_and(|hand| !hand.turn.steps().is_empty());
        let last = self.screen.model.turns.last();
        last.filter(|turn| !under_way && turn.mv != Move::PASS)
    }

    fn sign(&self, point: Point) -> (char, ContentStyle) {
        let (model, theme) = (&self.screen.model, self.screen.theme);
        let glyphs = self.screen.charset.glyphs();
        let [captured, origin, paika, approach, withdrawal, either] = signs(self.screen.charset);
        for side in Side::BOTH {
            if model.stones(side).contains(point) {
                let style = self.stone_style(point);
                return match theme.stones {
                    // On the board's own background both sides are discs.
                    Some(colours) if self.screen.charset == Charset::Unicode => (
                        glyphs.stones[Side::Black.index()],
                        style.with(colours[side.index()]),
                    ),
                    _ => (glyphs.stones[side.index()], style),
                };
            }
        }
        if let Some(hand) = model.hand() {
            let target = hand.targets().into_iter().find(|(to, _)| *to == point);
            if let Some((_, target)) = target {
                let sign = match target {
                    Target::Paika => paika,
                    Target::Capture(Capture::Approach) => approach,
                    Target::Capture(Capture::Withdrawal) => withdrawal,
                    Target::Either => either,
                };
                return (sign, theme.target);
            }
        }
        // Of the turn in the hand, and of the last one, unless that has begun.
        let hand = model.hand().map(|hand| &hand.turn);
        let hand = hand.map(|turn| (turn.captured(), turn.from()));
        let last = self.last_turn();
        let last = last.map(|turn| (turn.mv.captured(), turn.mv.from()));
        for (lost, from) in hand.into_iter().chain(last) {
            if lost.contains(point) {
                return (captured, theme.last_turn);
            }
            if from == point {
                return (origin, theme.last_turn);
            }
        }
        let sign = match point.is_strong() {
            true => glyphs.strong,
            false => glyphs.weak,
        };
        (sign, theme.line)
    }

    fn stone_style(&self, point: Point) -> ContentStyle {
        let (model, theme) = (&self.screen.model, self.screen.theme);
        match model.hand() {
            Some(hand) if hand.turn.at() == point => theme.taken_up,
            Some(_) if self.threatened().contains(point) => theme.threatened,
            None if model.movable().contains(point) => theme.movable,
            _ => theme.plain,
        }
    }

    /// The stones at stake in the choice between two captures.
    fn threatened(&self) -> Bitboard {
        let asked = |hand: &Hand| {
            let to = hand.asking?;
            let [one, other] = [Capture::Approach, Capture::Withdrawal]
                .map(|capture| hand.would_capture(to, capture));
            Some(one | other)
        };
        self.screen.model.hand().and_then(asked).unwrap_or_default()
    }

    fn brackets(&self, point: Point) -> Option<(char, char, ContentStyle)> {
        let (model, theme) = (&self.screen.model, self.screen.theme);
        if model.is_players_turn() && model.cursor == point {
            return Some(('[', ']', theme.cursor));
        }
        if model.hand().is_some_and(|hand| hand.turn.at() == point) {
            return Some(('<', '>', theme.cursor));
        }
        if matches!(&model.hint, Some(hint) if hint.path.from == point) {
            return Some(('*', '*', theme.hint));
        }
        if self.last_turn().is_some_and(|turn| turn.mv.to() == point) {
            return Some(('(', ')', theme.last_turn));
        }
        None
    }
}

/// Writes a character if the cell exists.
fn put(frame: &mut Frame, column: u16, row: u16, sign: char, style: ContentStyle) {
    frame.print(column, row, sign.encode_utf8(&mut [0; 4]), style);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_points_agree() {
        for board in BoardSize::ALL {
            for scale in [1, 2] {
                for flipped in [false, true] {
                    let geometry = Geometry {
                        board,
                        column: 3,
                        row: 1,
                        scale,
                        flipped,
                    };
                    let (width, height) = Geometry::size(board, scale);
                    for point in board.points() {
                        let (column, row) = geometry.cell(point);
                        assert!(column + RIGHT < geometry.column + width);
                        assert!(row + 1 < geometry.row + height);
                        for near in [column - 1, column, column + 1] {
                            assert_eq!(geometry.point_at(near, row), Some(point));
                        }
                        assert_eq!(geometry.point_at(column + 2 * scale, row), None);
                    }
                    assert_eq!(geometry.point_at(0, 0), None);
                    assert_eq!(geometry.point_at(u16::MAX - 50, 500), None);
                    assert_eq!(geometry.point_at(u16::MAX, u16::MAX), None);
                    assert_eq!(geometry.point_at(geometry.column + LEFT, u16::MAX), None);
                }
            }
        }
    }
}

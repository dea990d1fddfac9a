//! The board: points, lines, stones, and what is marked on them.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use vato::board::{Bitboard, Point, Side};
use vato::notation::Charset;
use vato::play::{Model, PlayedTurn, Target};
use vato::rules::Capture;

use super::geometry::Geometry;
use super::signs::signs;
use super::theme::Theme;

/// What is drawn on a point: a sign, and brackets around it.
struct Look {
    sign: char,
    style: Style,
    brackets: Option<(char, char, Style)>,
}

/// Draws boards.
pub(super) struct BoardView<'a> {
    pub(super) model: &'a Model,
    pub(super) geometry: Geometry,
    pub(super) charset: Charset,
    pub(super) theme: Theme,
}

impl BoardView<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer) {
        self.draw_lines(buffer);
        for point in self.geometry.board.points() {
            let (column, row) = self.geometry.cell(point);
            let look = self.look(point);
            put(buffer, column, row, look.sign, look.style);
            if let Some((left, right, style)) = look.brackets {
                put(buffer, column - 1, row, left, style);
                put(buffer, column + 1, row, right, style);
            }
        }
        self.draw_coordinates(buffer);
    }

    /// The lines from each point to the right, down and down to both sides.
    fn draw_lines(&self, buffer: &mut Buffer) {
        let glyphs = self.charset.glyphs();
        let style = self.theme.line();
        let Geometry {
            board,
            scale,
            column,
            row,
            ..
        } = self.geometry;
        let (files, ranks) = (u16::from(board.columns()), u16::from(board.rows()));
        let (wide, high) = (4 * scale, 2 * scale);
        for right in 0..files {
            for down in 0..ranks {
                let (x, y) = (column + 2 + wide * right, row + high * down);
                if right + 1 < files {
                    (1..wide).for_each(|step| put(buffer, x + step, y, glyphs.horizontal, style));
                }
                if down + 1 < ranks {
                    (1..high).for_each(|step| put(buffer, x, y + step, glyphs.vertical, style));
                }
                if right + 1 < files && down + 1 < ranks {
                    // Of the four corners of a cell two are strong, and its diagonal joins them.
                    // Boards have odd sizes: corners are strong, and turning changes nothing.
                    let falls = (right + down).is_multiple_of(2);
                    for step in 1..high {
                        let (x, glyph) = match falls {
                            true => (x + 2 * step, glyphs.falling),
                            false => (x + wide - 2 * step, glyphs.rising),
                        };
                        put(buffer, x, y + step, glyph, style);
                    }
                }
            }
        }
    }

    fn draw_coordinates(&self, buffer: &mut Buffer) {
        let style = self.theme.quiet();
        let board = self.geometry.board;
        for file in 0..board.columns() {
            for rank in 0..board.rows() {
                let Some(point) = board.point(file, rank) else {
                    continue;
                };
                let (column, row) = self.geometry.cell(point);
                let number = char::from(b'1' + rank);
                put(buffer, self.geometry.column, row, number, style);
                let bottom = self.geometry.row + self.geometry.height() - 1;
                put(buffer, column, bottom, char::from(b'a' + file), style);
            }
        }
    }

    /// The last turn, unless another one is under way.
    fn last_turn(&self) -> Option<&PlayedTurn> {
        let under_way = self
            .model
            .hand()
            .is_some_and(|hand| !hand.turn().steps().is_empty());
        self.model.turns().last().filter(|_| !under_way)
    }

    fn look(&self, point: Point) -> Look {
        let (sign, style) = self.sign(point);
        Look {
            sign,
            style,
            brackets: self.brackets(point),
        }
    }

    fn sign(&self, point: Point) -> (char, Style) {
        let (model, theme) = (self.model, self.theme);
        let glyphs = self.charset.glyphs();
        let signs = signs(self.charset);
        for side in Side::BOTH {
            if model.stones(side).contains(point) {
                return (glyphs.stones[side.index()], self.stone_style(point));
            }
        }
        if let Some(hand) = model.hand() {
            let target = hand.targets().into_iter().find(|(to, _)| *to == point);
            if let Some((_, target)) = target {
                let sign = match target {
                    Target::Paika => signs.paika,
                    Target::Capture(Capture::Approach) => signs.approach,
                    Target::Capture(Capture::Withdrawal) => signs.withdrawal,
                    Target::Either => signs.either,
                };
                return (sign, theme.target());
            }
            if hand.turn().captured().contains(point) {
                return (signs.captured, theme.last_turn());
            }
            if hand.turn().from() == point {
                return (signs.origin, theme.last_turn());
            }
        }
        if let Some(turn) = self.last_turn() {
            if turn.mv.captured().contains(point) {
                return (signs.captured, theme.last_turn());
            }
            if turn.mv.from() == point {
                return (signs.origin, theme.last_turn());
            }
        }
        let sign = match point.is_strong() {
            true => glyphs.strong,
            false => glyphs.weak,
        };
        (sign, theme.line())
    }

    fn stone_style(&self, point: Point) -> Style {
        let (model, theme) = (self.model, self.theme);
        match model.hand() {
            Some(hand) if hand.turn().at() == point => theme.taken_up(),
            Some(_) if self.threatened().contains(point) => theme.threatened(),
            None if model.movable().contains(point) => theme.movable(),
            _ => theme.stone(),
        }
    }

    /// The stones that the two captures between which the person has to choose would take.
    fn threatened(&self) -> Bitboard {
        let asked = |hand: &vato::play::Hand| {
            let to = hand.asking()?;
            let [one, other] = [Capture::Approach, Capture::Withdrawal]
                .map(|capture| hand.would_capture(to, capture));
            Some(one | other)
        };
        self.model.hand().and_then(asked).unwrap_or_default()
    }

    fn brackets(&self, point: Point) -> Option<(char, char, Style)> {
        let (model, theme) = (self.model, self.theme);
        if model.persons_turn() && model.cursor() == point {
            return Some(('[', ']', theme.cursor()));
        }
        if model.hand().is_some_and(|hand| hand.turn().at() == point) {
            return Some(('<', '>', theme.cursor()));
        }
        if model.hint().is_some_and(|hint| hint.path.from == point) {
            return Some(('*', '*', theme.hint()));
        }
        if self.last_turn().is_some_and(|turn| turn.mv.to() == point) {
            return Some(('(', ')', theme.last_turn()));
        }
        None
    }
}

/// Writes a character, if there is such a cell.
fn put(buffer: &mut Buffer, column: u16, row: u16, sign: char, style: Style) {
    if let Some(cell) = buffer.cell_mut((column, row)) {
        cell.set_char(sign).set_style(style);
    }
}

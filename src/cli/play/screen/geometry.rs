//! Where the points of the board are on the screen.

use ratatui::layout::{Rect, Size};
use vato::board::{BoardSize, Point};

/// Columns to the left of the first file: the number of the rank, and a mark.
const LEFT: u16 = 2;
/// Columns to the right of the last file: a mark.
const RIGHT: u16 = 1;

/// A board on the screen: 4 columns and 2 rows from point to point, times a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub(super) board: BoardSize,
    /// The top left corner of the board with its coordinates.
    pub(super) column: u16,
    pub(super) row: u16,
    pub(super) scale: u16,
    /// Whether Black sits at the bottom.
    pub(super) flipped: bool,
}

impl Geometry {
    /// The size on the screen of a board with its coordinates.
    pub(super) fn size(board: BoardSize, scale: u16) -> Size {
        let width = 4 * scale * u16::from(board.columns() - 1) + 1;
        let height = 2 * scale * u16::from(board.rows() - 1) + 1;
        Size::new(LEFT + width + RIGHT, height + 1)
    }

    /// Rows of the board with its coordinates.
    pub(super) fn height(&self) -> u16 {
        Geometry::size(self.board, self.scale).height
    }

    /// A board at the top left of `area`.
    pub(super) fn new(board: BoardSize, area: Rect, scale: u16, flipped: bool) -> Geometry {
        Geometry {
            board,
            column: area.x,
            row: area.y,
            scale,
            flipped,
        }
    }

    /// The file and the rank that are drawn so many points to the right and so many down.
    fn file_and_rank(&self, right: u8, down: u8) -> (u8, u8) {
        let (files, ranks) = (self.board.columns(), self.board.rows());
        match self.flipped {
            false => (right, ranks - 1 - down),
            true => (files - 1 - right, down),
        }
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

    /// The point nearest to a cell of the screen, if one is near.
    pub(super) fn point_at(&self, column: u16, row: u16) -> Option<Point> {
        let [wide, high] = [4 * self.scale, 2 * self.scale];
        // A terminal may tell of any cell, however far out.
        let right = column
            .saturating_add(wide / 2)
            .checked_sub(self.column + LEFT)?
            / wide;
        let down = row.saturating_add(high / 2).checked_sub(self.row)? / high;
        let right = u8::try_from(right)
            .ok()
            .filter(|&right| right < self.board.columns())?;
        let down = u8::try_from(down)
            .ok()
            .filter(|&down| down < self.board.rows())?;
        let (file, rank) = self.file_and_rank(right, down);
        let point = self.board.point(file, rank)?;
        let (x, y) = self.cell(point);
        // Halfway between two points nobody can tell which of them is meant.
        let near = column.abs_diff(x) < wide / 2 && row.abs_diff(y) < high / 2 + high % 2;
        near.then_some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_points_agree() {
        for board in BoardSize::ALL {
            for scale in [1, 2] {
                for flipped in [false, true] {
                    let area = Rect::new(3, 1, 200, 100);
                    let geometry = Geometry::new(board, area, scale, flipped);
                    let size = Geometry::size(board, scale);
                    for point in board.points() {
                        let (column, row) = geometry.cell(point);
                        assert!(column + RIGHT < area.x + size.width);
                        assert!(row + 1 < area.y + size.height);
                        for near in [column - 1, column, column + 1] {
                            assert_eq!(geometry.point_at(near, row), Some(point));
                        }
                        assert_eq!(geometry.point_at(column + 2 * scale, row), None);
                    }
                    assert_eq!(geometry.point_at(0, 0), None);
                    assert_eq!(geometry.point_at(u16::MAX - 50, 500), None);
                    assert_eq!(geometry.point_at(u16::MAX, u16::MAX), None);
                    assert_eq!(geometry.point_at(area.x + LEFT, u16::MAX), None);
                }
            }
        }
    }
}

//! The state of the analysis: a cell of one byte for each position, and blocks of cells with the same placement of
//! the small group.

use crate::tablebase::value::{Value, Wdl};

/// Cells up to this are *open*: the number of quiet moves not yet known to lose. (A position where a
/// capture draws has one more, so that it is never lost.) Cells that are open at the end are draws.
pub(super) const MOST_OPEN: u8 = 95;
/// The outcome is that of the best capture, as captures are forced.
pub(super) const CAPTURE_WIN: u8 = 96;
pub(super) const CAPTURE_LOSS: u8 = 97;
pub(super) const CAPTURE_DRAW: u8 = 98;
/// A final draw: the side to move is blocked, or has only captures, the best of which draws.
pub(super) const DRAW: u8 = 99;
/// Cells from this on are decided: two codes for each number of plies, first the win, then the loss.
const DECIDED: u8 = 100;
/// *Late*: decided in more plies than a cell can encode; the plies are stored separately.
pub(super) const LATE_WIN: u8 = 254;
pub(super) const LATE_LOSS: u8 = 255;
/// The most plies that a cell can encode.
const MOST_PLIES: u32 = (LATE_WIN - DECIDED) as u32 / 2 - 1;

/// Whether the outcome of the position is not yet known.
#[inline(always)]
pub(super) const fn is_open(cell: u8) -> bool {
    cell <= MOST_OPEN
}

/// Whether the plies of a decided cell are stored separately.
#[inline(always)]
pub(super) const fn is_late(cell: u8) -> bool {
    cell >= LATE_WIN
}

/// Whether the outcome is that of a forced capture, which is not stored.
#[inline(always)]
pub(super) const fn is_decided_by_capture(cell: u8) -> bool {
    matches!(cell, CAPTURE_WIN | CAPTURE_LOSS | CAPTURE_DRAW)
}

/// The cell of a position decided in `plies` plies.
#[inline]
pub(super) const fn decided(wdl: Wdl, plies: u32) -> u8 {
    let loses = matches!(wdl, Wdl::Loss);
    if plies > MOST_PLIES {
        LATE_WIN + loses as u8
    } else {
        DECIDED + 2 * plies as u8 + loses as u8
    }
}

/// The value of a cell when its slice is solved; without the plies of late ones.
pub(super) const fn value(cell: u8) -> Value {
    match cell {
        CAPTURE_WIN => Value::new(Wdl::Win, 1),
        CAPTURE_LOSS => Value::new(Wdl::Loss, 1),
        LATE_WIN => Value::new(Wdl::Win, 0),
        LATE_LOSS => Value::new(Wdl::Loss, 0),
        DECIDED.. if (cell - DECIDED).is_multiple_of(2) => {
            Value::new(Wdl::Win, (cell - DECIDED) as u32 / 2)
        }
        DECIDED.. => Value::new(Wdl::Loss, (cell - DECIDED) as u32 / 2),
        _ => Value::DRAW,
    }
}

/// A position decided in more plies than a cell can encode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// Its place within its block.
    pub(super) place: u32,
    pub(super) plies: u32,
}

/// The cells of a block, by the number of the large group's placement.
#[derive(Debug)]
pub(super) struct Block<'c> {
    pub(super) cells: &'c mut [u8],
    /// In the order in which they were decided, fewer plies first.
    pub(super) late: Vec<Late>,
    /// For even and odd numbers of plies: whether positions have been decided since the last [`Block::decided_in`].
    pub(super) has_new: [bool; 2],
}

impl<'c> Block<'c> {
    pub(super) fn new(cells: &'c mut [u8]) -> Block<'c> {
        Block {
            cells,
            late: Vec::new(),
            has_new: [false; 2],
        }
    }

    /// Decides an open position.
    #[inline]
    pub(super) fn decide(&mut self, place: usize, wdl: Wdl, plies: u32) {
        let cell = decided(wdl, plies);
        self.cells[place] = cell;
        self.has_new[plies as usize & 1] = true;
        if is_late(cell) {
            self.late.push(Late {
                place: place as u32,
                plies,
            });
        }
    }

    /// A quiet move leads to a position that the opponent wins: this position is lost in `plies` plies if no other move
    /// is left.
    #[inline(always)]
    pub(super) fn move_loses(&mut self, place: usize, plies: u32) {
        let cell = self.cells[place];
        if is_open(cell) {
            if cell <= 1 {
                self.decide(place, Wdl::Loss, plies);
            } else {
                self.cells[place] = cell - 1;
            }
        }
    }

    /// A quiet move leads to a position that the opponent loses: this position is won in `plies` plies.
    #[inline(always)]
    pub(super) fn move_wins(&mut self, place: usize, plies: u32) {
        if is_open(self.cells[place]) {
            self.decide(place, Wdl::Win, plies);
        }
    }

    /// Appends the places of the positions that are won and lost in exactly `plies` plies.
    pub(super) fn decided_in(&mut self, plies: u32, wins: &mut Vec<u32>, losses: &mut Vec<u32>) {
        if !std::mem::take(&mut self.has_new[plies as usize & 1]) {
            return;
        }
        let [win, loss] = [Wdl::Win, Wdl::Loss].map(|wdl| decided(wdl, plies));
        let mut add = |place: u32, is_win: bool| match is_win {
            true => wins.push(place),
            false => losses.push(place),
        };
        if is_late(win) {
            let first = self.late.partition_point(|late| late.plies < plies);
            let late = self.late[first..].iter();
            for late in late.take_while(|late| late.plies == plies) {
                add(late.place, self.cells[late.place as usize] == LATE_WIN);
            }
            return;
        }
        let mut find = |win: u8, loss: u8| {
            for place in memchr::memchr2_iter(win, loss, self.cells) {
                add(place as u32, self.cells[place] == win);
            }
        };
        find(win, loss);
        if plies == 1 {
            find(CAPTURE_WIN, CAPTURE_LOSS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_was_put_in() {
        for wdl in [Wdl::Win, Wdl::Loss] {
            for plies in 0..=MOST_PLIES {
                let cell = decided(wdl, plies);
                assert_eq!(value(cell), Value { wdl, plies });
                assert!(!is_open(cell) && !is_late(cell) && !is_decided_by_capture(cell));
            }
            let cell = decided(wdl, MOST_PLIES + 1);
            assert!(is_late(cell));
            assert_eq!(value(cell).wdl, wdl);
        }
        for cell in [0, MOST_OPEN, CAPTURE_DRAW, DRAW] {
            assert_eq!(value(cell), Value::DRAW);
        }
    }

    /// Cells of positions with two quiet moves each.
    fn cells<const N: usize>() -> [u8; N] {
        [2; N]
    }

    fn found(block: &mut Block<'_>, plies: u32) -> [Vec<u32>; 2] {
        let mut lists = [Vec::new(), Vec::new()];
        let [wins, losses] = &mut lists;
        block.decided_in(plies, wins, losses);
        lists
    }

    /// Plies beyond a cell's codes are stored separately and found again.
    #[test]
    fn long_ways_are_kept() {
        let mut cells = cells::<9>();
        let mut block = Block::new(&mut cells);
        block.move_wins(7, 90);
        assert_eq!(found(&mut block, 90), [vec![7], vec![]]);
        block.move_loses(5, 299);
        block.move_wins(0, 300);
        block.move_loses(5, 300);
        assert_eq!(found(&mut block, 300), [vec![0], vec![5]]);
        block.move_wins(3, 301);
        assert_eq!(found(&mut block, 301), [vec![3], vec![]]);
        let late: Vec<_> = block.late;
        let late: Vec<_> = late.iter().map(|late| (late.place, late.plies)).collect();
        assert_eq!(late, [(7, 90), (0, 300), (5, 300), (3, 301)]);
        assert_eq!(cells[5], LATE_LOSS);
    }
}

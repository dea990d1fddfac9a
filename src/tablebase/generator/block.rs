//! The positions of a slice in which the small group stands in one place.

use super::cell;
use super::solved::Late;
use crate::tablebase::value::Wdl;

/// The cells of a block, by the number of the large group's placement.
#[derive(Debug)]
pub(super) struct Block<'c> {
    pub(super) cells: &'c mut [u8],
    /// In the order in which they were decided, fewer plies first.
    late: Vec<Late>,
    /// Whether a position has been decided in an even or odd number of plies since the last look.
    fresh: [bool; 2],
}

impl<'c> Block<'c> {
    pub(super) fn new(cells: &'c mut [u8]) -> Block<'c> {
        Block {
            cells,
            late: Vec::new(),
            fresh: [false; 2],
        }
    }

    /// What its cells cannot say.
    pub(super) fn into_late(self) -> Vec<Late> {
        self.late
    }

    /// Settles an open position.
    #[inline]
    pub(super) fn decide(&mut self, place: usize, wdl: Wdl, plies: u32) {
        let cell = cell::decided(wdl, plies);
        self.cells[place] = cell;
        self.fresh[plies as usize & 1] = true;
        if cell::is_late(cell) {
            self.late.push(Late {
                place: place as u32,
                plies,
            });
        }
    }

    /// Notes that there is something to look at among those decided in `plies` plies.
    pub(super) fn freshen(&mut self, plies: u32) {
        self.fresh[plies as usize & 1] = true;
    }

    /// A quiet move leads to a position that the opponent wins; `plies` are those of this position.
    #[inline(always)]
    pub(super) fn move_loses(&mut self, place: usize, plies: u32) {
        let cell = self.cells[place];
        if cell::is_open(cell) {
            if cell <= 1 {
                self.decide(place, Wdl::Loss, plies);
            } else {
                self.cells[place] = cell - 1;
            }
        }
    }

    /// A quiet move leads to a position that the opponent loses; `plies` are those of this position.
    #[inline(always)]
    pub(super) fn move_wins(&mut self, place: usize, plies: u32) {
        if cell::is_open(self.cells[place]) {
            self.decide(place, Wdl::Win, plies);
        }
    }

    /// Adds the places of the positions that are won and lost in exactly `plies` plies.
    pub(super) fn decided_in(&mut self, plies: u32, wins: &mut Vec<u32>, losses: &mut Vec<u32>) {
        if !std::mem::take(&mut self.fresh[plies as usize & 1]) {
            return;
        }
        let (win, loss) = (
            cell::decided(Wdl::Win, plies),
            cell::decided(Wdl::Loss, plies),
        );
        if cell::is_late(win) {
            let first = self.late.partition_point(|late| late.plies < plies);
            for late in self.late[first..]
                .iter()
                .take_while(|late| late.plies == plies)
            {
                let list = match self.cells[late.place as usize] {
                    cell::LATE_WIN => &mut *wins,
                    _ => &mut *losses,
                };
                list.push(late.place);
            }
            return;
        }
        let mut find = |win: u8, loss: u8| {
            for place in memchr::memchr2_iter(win, loss, self.cells) {
                let list = if self.cells[place] == win {
                    &mut *wins
                } else {
                    &mut *losses
                };
                list.push(place as u32);
            }
        };
        find(win, loss);
        if plies == 1 {
            find(cell::CAPTURE_WIN, cell::CAPTURE_LOSS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::tablebase::value::Value;

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

    #[test]
    fn one_winning_move_wins_and_all_losing_moves_lose() {
        let mut cells = cells::<4>();
        let mut block = Block::new(&mut cells);
        block.move_wins(1, 5);
        block.move_loses(2, 5);
        assert_eq!(found(&mut block, 5), [vec![1], vec![]]);
        block.move_loses(2, 6);
        // What is decided stays as it is.
        block.move_loses(1, 6);
        block.move_wins(2, 6);
        assert_eq!(found(&mut block, 6), [vec![], vec![2]]);
        // Nothing new since.
        assert!(found(&mut block, 6).iter().all(Vec::is_empty));
        let values = cells.map(cell::value);
        let value = |wdl, plies| Value { wdl, plies };
        assert_eq!(
            values,
            [
                Value::DRAW,
                value(Wdl::Win, 5),
                value(Wdl::Loss, 6),
                Value::DRAW
            ]
        );
    }

    #[test]
    fn captures_are_decided_in_one_ply() {
        let mut cells = cells::<5>();
        let mut block = Block::new(&mut cells);
        block.cells[1] = cell::CAPTURE_WIN;
        block.cells[2] = cell::CAPTURE_LOSS;
        block.cells[3] = cell::CAPTURE_DRAW;
        block.move_wins(4, 1);
        block.move_wins(3, 1);
        let [mut wins, losses] = found(&mut block, 1);
        wins.sort_unstable();
        assert_eq!((wins, losses), (vec![1, 4], vec![2]));
    }

    /// More plies than a cell can say are kept apart, and found again.
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
        let late: Vec<_> = block.into_late();
        let late: Vec<_> = late.iter().map(|late| (late.place, late.plies)).collect();
        assert_eq!(late, [(7, 90), (0, 300), (5, 300), (3, 301)]);
        assert_eq!(cells[5], cell::LATE_LOSS);
    }
}

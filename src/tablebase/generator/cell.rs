//! What is known of a position while its slice is solved, in one byte.

use crate::tablebase::value::{Value, Wdl};

/// Up to here a cell is *open*: so many quiet moves are not yet known to lose. (A position where a
/// capture draws has one more, so that it never counts as lost.) Those left open at the end are draws.
pub(super) const MOST_OPEN: u8 = 95;
/// Decided or drawn by a capture, where captures are forced.
pub(super) const CAPTURE_WIN: u8 = 96;
pub(super) const CAPTURE_LOSS: u8 = 97;
pub(super) const CAPTURE_DRAW: u8 = 98;
/// Drawn for good: the player to move is blocked, or has nothing better than a capture that draws.
pub(super) const DRAW: u8 = 99;
/// From here on decided: two codes for each number of plies, first the win, then the loss.
const DECIDED: u8 = 100;
/// Decided in more plies than have a code; how many is kept apart.
pub(super) const LATE_WIN: u8 = 254;
pub(super) const LATE_LOSS: u8 = 255;
/// The most plies that have codes.
const MOST_PLIES: u32 = (LATE_WIN - DECIDED) as u32 / 2 - 1;

/// Whether the position is not decided yet.
#[inline(always)]
pub(super) const fn is_open(cell: u8) -> bool {
    cell <= MOST_OPEN
}

/// Whether the plies of a decided cell are kept apart.
#[inline(always)]
pub(super) const fn is_late(cell: u8) -> bool {
    cell >= LATE_WIN
}

/// Whether a capture settles the position, and no table keeps it.
#[inline(always)]
pub(super) const fn is_settled_by_capture(cell: u8) -> bool {
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

/// What a cell says once its slice is solved; the plies of late ones are 0.
pub(super) const fn value(cell: u8) -> Value {
    let (wdl, plies) = match cell {
        CAPTURE_WIN => (Wdl::Win, 1),
        CAPTURE_LOSS => (Wdl::Loss, 1),
        LATE_WIN => (Wdl::Win, 0),
        LATE_LOSS => (Wdl::Loss, 0),
        DECIDED.. => (
            if (cell - DECIDED).is_multiple_of(2) {
                Wdl::Win
            } else {
                Wdl::Loss
            },
            (cell - DECIDED) as u32 / 2,
        ),
        _ => (Wdl::Draw, 0),
    };
    Value { wdl, plies }
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
                assert!(!is_open(cell) && !is_late(cell) && !is_settled_by_capture(cell));
            }
            let cell = decided(wdl, MOST_PLIES + 1);
            assert!(is_late(cell));
            assert_eq!(value(cell).wdl, wdl);
        }
        for cell in [0, MOST_OPEN, CAPTURE_DRAW, DRAW] {
            assert_eq!(value(cell), Value::DRAW);
        }
    }
}

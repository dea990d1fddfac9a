//! Whose result counts when several threads have searched.

use std::sync::Arc;

use super::root_moves::Found;
use super::{Limits, Score};

/// What the vote with the lowest score counts.
const VOTE_FLOOR: i32 = 100;

/// What a better score adds to that at most, in units of the search: not so much that it makes up for a ply. A
/// search that is less deep is an older opinion, and a high score may be what the deeper one refuted.
const VOTE_MOST: i32 = 99;

/// What a vote is worth for each ply that its search was less deep.
const VOTE_PER_PLY: f64 = 0.5;

/// The one of `all` whose result counts. Each votes for its move, the deeper and the better its score
/// the more (after Stockfish); among those that chose the winner, the deepest speaks. A proven win goes
/// before everything.
///
/// The first of `all`, of which there is one at least, is that of the first thread. It speaks in case of
/// a tie, and where several lines are wanted.
pub(super) fn vote<'a>(all: &'a [Arc<Found>], limits: &Limits) -> &'a Found {
    if all.len() == 1 || limits.multipv > 1 {
        return &all[0];
    }
    let lines = || all.iter().map(|found| &found.lines[0]);
    let lowest = lines().map(|line| line.score).min().unwrap_or(0);
    let deepest = lines().map(|line| line.depth).max().unwrap_or(0);
    let votes = |found: &Found| -> f64 {
        let choice = found.lines[0].line.first();
        lines()
            .filter(|line| line.line.first() == choice)
            .map(|line| {
                f64::from(VOTE_FLOOR + (line.score - lowest).min(VOTE_MOST))
                    * VOTE_PER_PLY.powi(deepest - line.depth)
            })
            .sum()
    };
    let standing = |found: &Found| {
        let line = &found.lines[0];
        let won = line.score > 0 && Score::from_raw(line.score).is_decided();
        // Where a depth is asked for, it is given.
        let depth = limits.depth.map(|_| line.depth);
        let win = if won { line.score } else { 0 };
        (depth, win, votes(found), line.depth)
    };
    let mut best: &Found = &all[0];
    for found in &all[1..] {
        if standing(found) > standing(best) {
            best = found;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Move, Point};
    use crate::search::Bound;
    use crate::search::root_moves::RootLine;

    fn found(to: u8, score: i32, depth: i32) -> Arc<Found> {
        let point = |column: u8, row: u8| Point::at(column, row).expect("a point");
        let mv = Move::new(point(0, 0), point(to, 1), Bitboard::EMPTY);
        Arc::new(Found {
            lines: vec![RootLine {
                score,
                bound: Bound::Exact,
                depth,
                seldepth: 0,
                complete: true,
                line: vec![mv],
            }],
        })
    }

    /// The place of the winner.
    fn winner(all: &[Arc<Found>], limits: &Limits) -> usize {
        let best = vote(all, limits);
        all.iter()
            .position(|found| std::ptr::eq(&**found, best))
            .expect("one of them")
    }

    #[test]
    fn the_deeper_of_two_speaks() {
        let limits = Limits::default();
        assert_eq!(winner(&[found(1, 30, 9), found(2, 0, 10)], &limits), 1);
        assert_eq!(winner(&[found(1, 30, 9), found(1, 0, 10)], &limits), 1);
        // That it found the move of the other refuted is why they differ.
        assert_eq!(winner(&[found(1, 130, 9), found(2, 0, 10)], &limits), 1);
        let loss = Score::loss_in(8).raw();
        assert_eq!(winner(&[found(1, 50, 9), found(1, loss, 10)], &limits), 1);
        assert_eq!(winner(&[found(1, 0, 9), found(2, 0, 9)], &limits), 0);
    }

    #[test]
    fn many_outvote_one() {
        let limits = Limits::default();
        let all = [
            found(1, 0, 10),
            found(2, 10, 10),
            found(2, 0, 10),
            found(1, 0, 7),
        ];
        assert_eq!(winner(&all, &limits), 1);
    }

    #[test]
    fn a_win_goes_before_everything() {
        let win = Score::win_in(11).raw();
        let all = [found(1, 80, 12), found(1, 80, 12), found(2, win, 4)];
        assert_eq!(winner(&all, &Limits::default()), 2);
    }

    #[test]
    fn what_was_asked_for_is_given() {
        let win = Score::win_in(11).raw();
        let limits = Limits {
            depth: Some(10),
            ..Limits::default()
        };
        assert_eq!(winner(&[found(2, win, 9), found(1, 0, 10)], &limits), 1);
        let limits = Limits {
            multipv: 2,
            ..Limits::default()
        };
        assert_eq!(winner(&[found(2, 0, 9), found(1, 50, 10)], &limits), 0);
    }
}

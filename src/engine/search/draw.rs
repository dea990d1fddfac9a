//! Draws: terminal positions, repetition, the no-capture limit, and scaling of the evaluation towards a
//! draw near that limit.

use super::Score;
use super::worker::Worker;
use crate::board::Position;
use crate::eval::Evaluator;
use crate::rules::{Rules, Tie, Variant, blocked_winner, has_move, tie_winner};

/// Score of a tie in the tree, not yet reached, that `tie=count` would make a win.
const TIE_IN_SIGHT: i32 = 20_000;

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The score of a position without stones of the side to move, or one ended by repetition or the
    /// no-capture limit; `None` if the game continues.
    #[inline]
    pub(super) fn ending(&self, position: &Position, ply: usize) -> Option<i32> {
        if position.own().is_empty() {
            return Some(Score::loss_in(ply as u32).raw());
        }
        let quiet = usize::from(position.halfmove_clock());
        if quiet >= 4
            && let Some(ends) = self.repetition(quiet)
        {
            // Only at the root's moves: deeper, it depends on the way there, and the table would take it for a proof.
            return Some(match ends && ply <= 1 {
                true => self.tie_score(position, Score::win_in(ply as u32).raw()),
                false => self.tie_in_sight(position),
            });
        }
        let limit = self.rules.limit;
        if limit != 0 && position.halfmove_clock() >= limit || self.rules.repeat == 1 {
            return Some(if has_move(self.rules, position) {
                self.tie_score(position, Score::win_in(ply as u32).raw())
            } else {
                self.blocked_score(position, ply)
            });
        }
        None
    }

    /// Whether the current position ends the game by repetition; `None` if it repeats nothing. (One repetition in the
    /// tree is enough, though the game continues: the play from the first occurrence can be repeated.)
    #[inline]
    fn repetition(&self, halfmove_clock: usize) -> Option<bool> {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let oldest = last.saturating_sub(halfmove_clock);
        let repeat = usize::from(self.rules.repeat);
        let mut occurrences = 1;
        let mut in_tree = None;
        let mut index = last;
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == key {
                occurrences += 1;
                if occurrences == repeat {
                    return Some(true);
                }
                if index + 1 >= self.game_keys {
                    in_tree = Some(false);
                }
            }
        }
        in_tree
    }

    /// The score, for the side to move, of a tie, where a win is worth `win`.
    #[cold]
    fn tie_score(&self, position: &Position, win: i32) -> i32 {
        match tie_winner(self.rules, position) {
            None => Score::DRAW.raw(),
            Some(side) if side == position.side() => win,
            Some(_) => -win,
        }
    }

    /// The score of a tie in the tree that has not ended the game yet.
    #[cold]
    fn tie_in_sight(&self, position: &Position) -> i32 {
        match self.rules.repeat == 0 && self.rules.limit == 0 {
            true => Score::DRAW.raw(),
            false => self.tie_score(position, TIE_IN_SIGHT),
        }
    }

    /// The score, for the side to move, of having no legal move.
    #[inline]
    pub(super) fn blocked_score(&self, position: &Position, ply: usize) -> i32 {
        match blocked_winner(self.rules, position) {
            Some(_) => Score::loss_in(ply as u32).raw(),
            None => Score::DRAW.raw(),
        }
    }
}

/// Scales the evaluation towards a draw as the no-capture counter grows: where ties are draws, it shrinks linearly,
/// by `percent` per cent (0 to 100) at the limit. Where the limit counts stones, an advantage keeps its value.
#[inline(always)]
pub(super) fn damped(rules: &Rules, position: &Position, evaluation: i32, percent: i32) -> i32 {
    let limit = i64::from(rules.limit);
    let quiet = i64::from(position.halfmove_clock()).min(limit);
    // Fast path without a division: most positions of a search follow a capture.
    if quiet == 0 || rules.tie == Tie::Count {
        return evaluation;
    }
    // 64 bits: with a long limit the product overflows 32.
    let lost = i64::from(evaluation) * quiet * i64::from(percent);
    evaluation - (lost / (limit * 100)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::parse_rules;

    /// The damped value of 20,000, the largest evaluation, after this number of quiet plies.
    fn left(rules: &str, halfmove_clock: u16) -> i32 {
        let rules = parse_rules(rules).expect(rules);
        let fen = format!("9/3b4b/6b2/2w1w4/3w5 w {halfmove_clock} 40000");
        let position = parse_fen(&fen, rules.board).expect("a position");
        let value = damped(&rules, &position, 20_000, 50);
        assert_eq!(damped(&rules, &position, -20_000, 50), -value);
        value
    }

    #[test]
    fn advantages_shrink_towards_a_draw_unless_stones_are_counted() {
        for (rules, halfmove_clock, value) in [
            ("limit=100", 0, 20_000),
            ("limit=100", 40, 16_000),
            ("limit=100", 100, 10_000),
            ("limit=100", 60_000, 10_000),
            ("limit=65535", 60_000, 10_845),
            ("limit=0", 60_000, 20_000),
            ("tie=count limit=100", 99, 20_000),
            ("tie=count limit=65535", 99, 20_000),
        ] {
            assert_eq!(left(rules, halfmove_clock), value, "{rules}");
        }
    }
}

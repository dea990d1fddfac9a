//! Draws: terminal positions, repetition and the no-capture limit, and the scaling of the evaluation
//! towards a draw as that limit comes near.

use super::Score;
use super::worker::Worker;
use crate::board::Position;
use crate::eval::Evaluator;
use crate::rules::{Blocked, Rules, Tie, Variant, has_move, tie_winner};

/// What a tie that `tie=count` would win is worth where it is in sight but not reached.
const TIE_IN_SIGHT: i32 = 20_000;

/// How a position has occurred before.
enum Repetition {
    /// As often as the rules allow: the game ends.
    Ends,
    /// Within the tree, but the game goes on.
    InTree,
}

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The score of a position without stones of the side to move, or one that repetition or the
    /// no-capture limit ends; `None` if play goes on.
    #[inline]
    pub(super) fn ending(&self, position: &Position, ply: usize) -> Option<i32> {
        if position.own().is_empty() {
            return Some(Score::loss_in(ply as u32).raw());
        }
        let quiet = usize::from(position.halfmove_clock());
        if quiet >= 4
            && let Some(repetition) = self.repetition(quiet)
        {
            return Some(match repetition {
                Repetition::Ends => self.tie_score(position, ply),
                Repetition::InTree => self.tie_in_sight(position),
            });
        }
        if self.rules.limit != 0 && position.halfmove_clock() >= self.rules.limit {
            return Some(if has_move(self.rules, position) {
                self.tie_score(position, ply)
            } else {
                self.blocked_score(ply)
            });
        }
        None
    }

    /// Whether the current position has occurred before, so that the line need not be followed. (Once
    /// in the tree is enough: what was good the first time will be so again.)
    #[inline]
    fn repetition(&self, halfmove_clock: usize) -> Option<Repetition> {
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
                    return Some(Repetition::Ends);
                }
                if index + 1 >= self.game_keys {
                    in_tree = Some(Repetition::InTree);
                }
            }
        }
        in_tree
    }

    /// What a tie is worth for the side to move when it ends the game.
    #[cold]
    fn tie_score(&self, position: &Position, ply: usize) -> i32 {
        match tie_winner(self.rules, position) {
            None => Score::DRAW.raw(),
            Some(side) if side == position.side() => Score::win_in(ply as u32).raw(),
            Some(_) => Score::loss_in(ply as u32).raw(),
        }
    }

    /// What a tie is worth that neither side avoids, but that has not ended the game yet.
    #[cold]
    fn tie_in_sight(&self, position: &Position) -> i32 {
        if self.rules.repeat == 0 && self.rules.limit == 0 {
            return Score::DRAW.raw();
        }
        match tie_winner(self.rules, position) {
            None => Score::DRAW.raw(),
            Some(side) if side == position.side() => TIE_IN_SIGHT,
            Some(_) => -TIE_IN_SIGHT,
        }
    }

    /// What having no legal move is worth for the side to move.
    #[inline]
    pub(super) fn blocked_score(&self, ply: usize) -> i32 {
        match self.rules.blocked {
            Blocked::Loss => Score::loss_in(ply as u32).raw(),
            Blocked::Draw => Score::DRAW.raw(),
        }
    }
}

/// What is left of a static evaluation after plies without a capture: where ties are draws, an advantage
/// shrinks towards the one that the no-capture limit brings, by `percent` hundredths of itself (0 to 100)
/// at the limit. Where the limit counts stones, an advantage is as good there as before it.
#[inline(always)]
pub(super) fn damped(rules: &Rules, position: &Position, evaluation: i32, percent: i32) -> i32 {
    let limit = i64::from(rules.limit);
    let quiet = i64::from(position.halfmove_clock()).min(limit);
    // Most positions of a search follow a capture: no division for them.
    if quiet == 0 || rules.tie == Tie::Count {
        return evaluation;
    }
    // Limits may be long: the product does not always have room in 32 bits.
    let lost = i64::from(evaluation) * quiet * i64::from(percent);
    evaluation - (lost / (limit * 100)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::parse_rules;

    /// An evaluation of 20,000, the largest that there is, after so many quiet plies.
    fn left(rules: &str, halfmove_clock: u16) -> i32 {
        let rules = parse_rules(rules).expect(rules);
        let fen = format!("9/3b4b/6b2/2w1w4/3w5 w {halfmove_clock} 40000");
        let position = parse_fen(&fen, rules.board).expect("a position");
        let value = damped(&rules, &position, 20_000, 50);
        assert_eq!(damped(&rules, &position, -20_000, 50), -value);
        value
    }

    #[test]
    fn advantages_shrink_towards_a_draw() {
        assert_eq!(left("limit=100", 0), 20_000);
        assert_eq!(left("limit=100", 40), 16_000);
        assert_eq!(left("limit=100", 100), 10_000);
        assert_eq!(left("limit=100", 60_000), 10_000);
        assert_eq!(left("limit=65535", 60_000), 10_845);
        assert_eq!(left("limit=0", 60_000), 20_000);
    }

    #[test]
    fn where_stones_are_counted_nothing_shrinks() {
        for rules in ["tie=count limit=100", "tie=count limit=65535"] {
            assert_eq!(left(rules, 99), 20_000);
        }
    }
}

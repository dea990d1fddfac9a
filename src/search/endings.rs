//! Positions in which the game ends, or in which it might as well.

use super::Score;
use super::constants::TIE_IN_SIGHT;
use super::worker::Worker;
use crate::board::Position;
use crate::eval::Evaluator;
use crate::rules::{Blocked, Variant, tie_winner};

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
            return Some(if crate::rules::has_move(self.rules, position) {
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

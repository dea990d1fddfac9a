//! Moves ranked by tablebase value, and the best lines.

use std::cmp::Reverse;

use super::probe::{Tablebases, ended};
use super::value::{Value, Wdl};
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, legal_moves};

/// A move and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The outcome for the side that moves, and the plies to the next conversion with this move as the
    /// first one: 1 if it captures or ends the game.
    pub value: Value,
    /// The value for the side that moves next after this move. (After a capture a new way to the next
    /// conversion begins.)
    pub next: Value,
    /// Whether the no-capture limit comes before the conversion, so that the game is drawn.
    pub is_late: bool,
    /// Of the opponent's answers to a drawing move, the share that lose, in thousandths.
    trap: u32,
}

impl RankedMove {
    /// What comes first is played: wins, wins that come too late, draws, losses that come too late,
    /// losses. Among wins the shortest way to a conversion, then the shortest to the one after it;
    /// among losses the longest; among draws the one with the most losing replies.
    fn key(&self) -> impl Ord + use<> {
        let class = match (self.value.wdl, self.is_late) {
            (Wdl::Win, false) => 0,
            (Wdl::Win, true) => 1,
            (Wdl::Draw, _) => 2,
            (Wdl::Loss, true) => 3,
            (Wdl::Loss, false) => 4,
        };
        let way = (self.value.plies, self.next.plies);
        let (shortest, longest) = if self.value.wdl == Wdl::Win {
            (way, Reverse((0, 0)))
        } else {
            ((0, 0), Reverse(way))
        };
        (class, shortest, longest, Reverse(self.trap))
    }

    /// The outcome, the no-capture limit considered.
    #[must_use]
    pub fn outcome(&self) -> Wdl {
        if self.is_late {
            Wdl::Draw
        } else {
            self.value.wdl
        }
    }
}

impl Tablebases {
    /// The legal moves of a position of a game under `rules`, the best first, at least one; `None` if
    /// the position is not covered ([`Tablebases::covers`]), has no legal move, or a value cannot be
    /// read.
    #[must_use]
    pub fn rank(&self, rules: &Rules, position: &Position) -> Option<Vec<RankedMove>> {
        if !self.covers(rules, position) {
            return None;
        }
        let mut moves = legal_moves(rules, position)
            .iter()
            .map(|&mv| self.look_at(rules, position, mv))
            .collect::<Option<Vec<RankedMove>>>()?;
        if moves.iter().all(|ranked| ranked.value.wdl != Wdl::Win) {
            let draws = moves.iter_mut();
            for ranked in draws.filter(|ranked| ranked.value.wdl == Wdl::Draw) {
                ranked.trap = self.trap(rules, &position.play(ranked.mv));
            }
        }
        moves.sort_by_cached_key(RankedMove::key);
        (!moves.is_empty()).then_some(moves)
    }

    fn look_at(&self, rules: &Rules, position: &Position, mv: Move) -> Option<RankedMove> {
        let after = position.play(mv);
        let over = ended(rules, &after);
        let next = match over {
            Some(value) => value,
            None => self.value(&after)?,
        };
        let value = next.before(mv.is_capture() || over.is_some());
        Some(RankedMove {
            mv,
            value,
            next,
            is_late: value.exceeds_limit(position.halfmove_clock(), rules.limit),
            trap: 0,
        })
    }

    /// The share of moves at `position` that lose, in thousandths.
    fn trap(&self, rules: &Rules, position: &Position) -> u32 {
        let moves = legal_moves(rules, position);
        let loses = |&&mv: &&Move| {
            let next = position.play(mv);
            !next.own().is_empty() && self.outcome(&next) == Some(Wdl::Win)
        };
        let losing = moves.iter().filter(loses).count();
        (1_000 * losing / moves.len().max(1)) as u32
    }

    /// The best moves of both sides from the current position of `game` on: to the end of a decided
    /// game, or to the next capture of a drawn one; at most `most` moves.
    #[must_use]
    pub fn line(&self, game: &Game, most: usize) -> Vec<Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while line.len() < most && game.outcome().is_none() {
            let ranking = self.rank(game.rules(), game.position());
            let Some(&best) = ranking.as_deref().and_then(<[RankedMove]>::first) else {
                break;
            };
            if game.play(best.mv).is_err() {
                break;
            }
            line.push(best.mv);
            if best.outcome() == Wdl::Draw {
                break;
            }
        }
        line
    }

    /// The plies from `start` to the first conversion in the tables along `line`, and on from its end, where the
    /// side to move at `start` has `outcome` there; `None` if the line does not reach the tables, or not with that
    /// outcome.
    #[must_use]
    pub fn conversion(
        &self,
        rules: &Rules,
        start: &Position,
        line: &[Move],
        outcome: Wdl,
    ) -> Option<u32> {
        let (mut position, mut wanted) = (*start, outcome);
        for (plies, mv) in (0..).zip(line) {
            let converts = mv.is_capture() && self.covers(rules, &position);
            position = position.play(*mv);
            wanted = -wanted;
            if self.covers(rules, &position) {
                let value = self.value(&position).filter(|value| value.wdl == wanted)?;
                return Some(plies + if converts { 1 } else { 1 + value.plies });
            }
        }
        None
    }
}

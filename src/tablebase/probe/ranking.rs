//! The moves of a position by what the tables say of them.

use std::cmp::Reverse;

use super::{Tablebases, ended};
use crate::board::{Move, Position};
use crate::rules::{Rules, legal_moves};
use crate::tablebase::value::{Value, Wdl};

/// A move and what it achieves.
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
    /// Whether the no-capture limit comes before the conversion, which makes a draw of it.
    pub is_late: bool,
    /// Of the opponent's answers to a drawing move, the share that lose, in thousandths.
    trap: u32,
}

impl RankedMove {
    /// What comes first is played: wins, wins that come too late, draws, losses that come too late,
    /// losses. Among wins the shortest way to a conversion, then the shortest to the one after it;
    /// among losses the longest; among draws what leaves the opponent most ways to go wrong.
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

/// All moves of a position, the best first.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The moves; at least one.
    pub moves: Vec<RankedMove>,
}

impl Ranking {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> &RankedMove {
        &self.moves[0]
    }
}

impl Tablebases {
    /// Ranks the legal moves of a position of a game under `rules`; `None` if the position is not
    /// covered ([`Tablebases::covers`]), has no legal move, or a value cannot be read.
    #[must_use]
    pub fn rank(&self, rules: &Rules, position: &Position) -> Option<Ranking> {
        if !self.covers(rules, position) {
            return None;
        }
        let list = legal_moves(rules, position);
        let mut moves = Vec::with_capacity(list.len());
        for &mv in &list {
            moves.push(self.look_at(rules, position, mv)?);
        }
        if moves.iter().all(|ranked| ranked.value.wdl != Wdl::Win) {
            let draws = moves.iter_mut();
            for ranked in draws.filter(|ranked| ranked.value.wdl == Wdl::Draw) {
                ranked.trap = self.trap(rules, &position.play(ranked.mv));
            }
        }
        moves.sort_by_cached_key(RankedMove::key);
        (!moves.is_empty()).then_some(Ranking { moves })
    }

    fn look_at(&self, rules: &Rules, position: &Position, mv: Move) -> Option<RankedMove> {
        let after = position.play(mv);
        let over = ended(rules, &after);
        let next = match over {
            Some(value) => value,
            None => self.value(&after)?,
        };
        let wdl = -next.wdl;
        let plies = match wdl {
            Wdl::Draw => 0,
            _ if mv.is_capture() || over.is_some() => 1,
            _ => next.plies + 1,
        };
        let value = Value { wdl, plies };
        Some(RankedMove {
            mv,
            value,
            next,
            is_late: value.exceeds_limit(position.quiet_plies(), rules.limit),
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
}

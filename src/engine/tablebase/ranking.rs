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
    /// The value for the side that moves. The distance counts from before this move: it is 1 if the move
    /// captures or ends the game.
    pub value: Value,
    /// The value for the opponent after this move. (After a capture the distance is that to the next conversion.)
    pub next: Value,
    /// Whether the game is drawn by the no-capture limit before the conversion.
    pub is_late: bool,
    /// After a drawing move: the share of replies that lose, in thousandths.
    trap: u32,
}

impl RankedMove {
    /// The best first: wins, wins too late for the limit, draws, losses too late for the limit, losses.
    /// Wins are ordered by the shortest distance, then by the shortest after the conversion; losses by the longest;
    /// draws by the share of losing replies.
    fn key(&self) -> impl Ord + use<> {
        let class = match (self.value.wdl, self.is_late) {
            (Wdl::Win, false) => 0,
            (Wdl::Win, true) => 1,
            (Wdl::Draw, _) => 2,
            (Wdl::Loss, true) => 3,
            (Wdl::Loss, false) => 4,
        };
        let sign = if self.value.wdl == Wdl::Win { 1 } else { -1 };
        let distances = [self.value.plies, self.next.plies].map(|plies| sign * i64::from(plies));
        (class, distances, Reverse(self.trap))
    }

    /// The outcome under the no-capture limit.
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
    pub fn rank(&self, rules: &Rules, position: &Position) -> Option<Vec<RankedMove>> {
        if !self.covers(rules, position) {
            return None;
        }
        let mut moves = legal_moves(rules, position)
            .iter()
            .map(|&mv| self.ranked(rules, position, mv))
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

    fn ranked(&self, rules: &Rules, position: &Position, mv: Move) -> Option<RankedMove> {
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

    /// The best moves of both sides from the current position of `game`, at most `most`: to the end of a decided game;
    /// one move of a drawn one.
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

    /// The plies from `start` to the first conversion after `line` reaches the tables, if it reaches them with
    /// `outcome` for the side to move at `start`; otherwise `None`.
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

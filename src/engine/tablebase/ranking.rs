//! Moves ranked by tablebase value, and the best lines.

use std::cmp::Reverse;

use super::probe::{Tablebases, ended};
use super::repetition::Avoidance;
use super::value::{Value, Wdl};
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, Tie, legal_moves, tie_winner};

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
    /// What this move comes to by repetition of positions of its game, if that is not what the tables say.
    repetition: Option<Wdl>,
    /// After a drawing move: the share of replies that lose, in thousandths.
    trap: u32,
}

impl RankedMove {
    /// The best first: wins, wins too late for the limit or repeated, draws, losses too late or repeated, losses.
    /// Wins are ordered by the shortest distance, then by the shortest after the conversion; losses by the longest;
    /// draws by the share of losing replies.
    fn key(&self) -> impl Ord + use<> {
        let class = match (self.outcome(), self.value.wdl) {
            (Wdl::Win, _) => 0,
            (Wdl::Draw, Wdl::Win) => 1,
            (Wdl::Draw, Wdl::Draw) => 2,
            (Wdl::Draw, Wdl::Loss) => 3,
            (Wdl::Loss, _) => 4,
        };
        let sign = if self.value.wdl == Wdl::Win { 1 } else { -1 };
        let distances = [self.value.plies, self.next.plies].map(|plies| sign * i64::from(plies));
        (class, distances, Reverse(self.trap))
    }

    /// The outcome under the no-capture limit and by repetition.
    pub fn outcome(&self) -> Wdl {
        let late = self.is_late.then_some(Wdl::Draw);
        self.repetition.or(late).unwrap_or(self.value.wdl)
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

    /// The same for the position of a game, in which moves may come to something else by repetition ([`RankedMove::outcome`]).
    /// `None` also where too many positions would have to be tried out for that.
    pub fn rank_in(&self, game: &Game) -> Option<Vec<RankedMove>> {
        let (rules, seen) = (game.rules(), game.keys_since_capture());
        let mut moves = self.rank(rules, game.position())?;
        // A position of a side to move comes at every second ply.
        if rules.repeat == 0 || seen.len() + 3 < 2 * usize::from(rules.repeat) {
            return Some(moves);
        }
        // For the side to move in `position`.
        let repeated = |position: &Position| {
            let key = rules.key(position);
            let count = 1 + seen.iter().filter(|&&before| before == key).count();
            let winner = || tie_winner(rules, position).map(|winner| winner == position.side());
            (count >= usize::from(rules.repeat)).then(|| match winner() {
                None => Wdl::Draw,
                Some(true) => Wdl::Win,
                Some(false) => Wdl::Loss,
            })
        };
        for ranked in &mut moves {
            let after = game.position().play(ranked.mv);
            let replies = || {
                let replies = legal_moves(rules, &after);
                let ends = replies
                    .iter()
                    .filter_map(|&reply| repeated(&after.play(reply)));
                ends.min().filter(|&end| end < ranked.outcome())
            };
            ranked.repetition = repeated(&after).map(|end| -end).or_else(replies);
        }
        let is_asked =
            |ranked: &RankedMove| ranked.value.plies > 1 && ranked.outcome() != Wdl::Draw;
        if rules.tie == Tie::Draw
            && moves.iter().any(is_asked)
            && let Some(mut wins) = Avoidance::of(self, game)
        {
            let mut losses = wins.clone();
            for ranked in moves.iter_mut().filter(|ranked| is_asked(ranked)) {
                let after = game.position().play(ranked.mv);
                let mut plies = |way: usize| match ranked.outcome() {
                    Wdl::Win => wins[way].loses(&after),
                    _ => losses[way].wins(&after),
                };
                // The shortest way first, which is soon tried out.
                let after = match plies(0) {
                    Some(Some(plies)) => Some(plies),
                    _ => plies(1)?,
                };
                match after {
                    Some(plies) => {
                        let clock = game.position().halfmove_clock();
                        ranked.value.plies = 1 + plies;
                        ranked.is_late = ranked.value.exceeds_limit(clock, rules.limit);
                    }
                    None => ranked.repetition = Some(Wdl::Draw),
                }
            }
        }
        moves.sort_by_cached_key(RankedMove::key);
        Some(moves)
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
            repetition: None,
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
            // What repetition changes is looked at for the moves of the root alone: a line ends before it is a draw.
            let ranking = self.rank(game.rules(), game.position());
            let Some(&best) = ranking.as_deref().and_then(<[RankedMove]>::first) else {
                break;
            };
            let is_draw = best.outcome() == Wdl::Draw;
            let ends_drawn = |game: &Game| game.outcome().is_some_and(|end| end.winner.is_none());
            if game.play(best.mv).is_err() || !is_draw && ends_drawn(&game) {
                break;
            }
            line.push(best.mv);
            if is_draw {
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

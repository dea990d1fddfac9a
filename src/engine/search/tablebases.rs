//! Tablebase probing in the search.
//!
//! Within the tree, outcomes are enough. A position is probed right after a capture (a quiet move leads from one
//! table position to another, so every line in the tables entered them by a capture or began there at the root),
//! where the no-capture counter is zero, and only where the side to move has no capture: positions with one are not
//! in the tables, and the search resolves them. A root in the tables is not searched: the distances give the move.

use std::sync::Arc;

use super::{Limits, Line, Score, SearchSettings};
use crate::board::{Move, Position};
use crate::rules::{Game, Rules, Variant, can_capture};
use crate::tablebase::{RankedMove, Tablebases, Wdl};

#[derive(Clone, Debug)]
pub(super) struct Probe {
    tables: Arc<Tablebases>,
    stones: u32,
    depth: i32,
    /// Whether a conversion may take longer than the no-capture limit.
    checks_limit: bool,
}

impl Probe {
    /// Tablebases for a game under these rules; `None` if they are for other rules, if a win has to be
    /// proved to the end, which tables do not do, or with limited strength.
    pub(super) fn new(settings: &SearchSettings, rules: &Rules, limits: &Limits) -> Option<Probe> {
        let tables = settings.tablebases.as_ref()?;
        let wanted = limits.mate.is_none() && limits.strength.is_full();
        (wanted && tables.fit(rules)).then(|| Probe {
            stones: tables.stones_within(rules.limit).min(settings.probe_stones),
            depth: settings.probe_depth.min(i32::MAX as u32) as i32,
            checks_limit: rules.limit != 0 && tables.longest() > u32::from(rules.limit),
            tables: Arc::clone(tables),
        })
    }

    /// The score of a position `ply` plies from the root with remaining depth `depth`; `None` if it is
    /// not probed or not in the tables.
    #[inline]
    pub(super) fn score<V: Variant>(
        &self,
        variant: &V,
        rules: &Rules,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let stones = position.occupied().count();
        if position.halfmove_clock() != 0
            || stones > self.stones
            || depth < self.depth && stones == self.tables.stones()
        {
            return None;
        }
        self.look_up(variant, rules, position, ply)
    }

    fn look_up<V: Variant>(
        &self,
        variant: &V,
        rules: &Rules,
        position: &Position,
        ply: usize,
    ) -> Option<i32> {
        if rules.is_special_first_turn(position)
            || self.tables.rules().captures_are_forced() && can_capture(variant, position)
        {
            return None;
        }
        let outcome = if self.checks_limit {
            let value = self.tables.value(position)?;
            match value.exceeds_limit(0, rules.limit) {
                true => Wdl::Draw,
                false => value.wdl,
            }
        } else {
            self.tables.stored_outcome(position)?
        };
        Some(score(outcome, ply as u32).raw())
    }

    /// The best root moves by the tables, with their lines; `None` if the root is not in the tables.
    pub(super) fn root(&self, game: &Game, limits: &Limits) -> Option<Vec<Line>> {
        let position = game.position();
        if position.occupied().count() > self.stones {
            return None;
        }
        let mut moves = self.tables.rank_in(game)?;
        limits.retain_searchmoves(&mut moves, |ranked| ranked.mv);
        moves.truncate(limits.multipv.max(1));
        let line = |ranked: &RankedMove| {
            let mut after = game.clone();
            after.play(ranked.mv).ok()?;
            let mut line = vec![ranked.mv];
            line.extend(self.tables.line(&after, MOST_LINE));
            // A move that ends the game needs no table.
            let winner = after.outcome().and_then(|outcome| outcome.winner);
            let score = match winner {
                Some(winner) if winner == position.side() => Score::win_in(1),
                Some(_) => Score::loss_in(1),
                None => score(ranked.outcome(), ranked.value.plies),
            };
            Some(Line::of(line, score))
        };
        moves.iter().map(line).collect()
    }

    /// Extends a line that has reached the tables by optimal play of both sides.
    pub(super) fn extend(&self, game: &Game, line: &mut Vec<Move>) {
        let mut end = game.clone();
        if line.iter().all(|&mv| end.play(mv).is_ok())
            && end.outcome().is_none()
            && end.position().occupied().count() <= self.stones
        {
            line.extend(self.tables.line(&end, MOST_LINE.saturating_sub(line.len())));
        }
    }
}

/// Maximum length of a reported line.
const MOST_LINE: usize = 250;

fn score(outcome: Wdl, plies: u32) -> Score {
    match outcome {
        Wdl::Win => Score::tablebase_win(plies),
        Wdl::Draw => Score::DRAW,
        Wdl::Loss => -Score::tablebase_win(plies),
    }
}

//! The main search: principal variation search with reductions and pruning.
//!
//! Sources: <https://www.chessprogramming.org/Principal_Variation_Search>,
//! <https://www.chessprogramming.org/Late_Move_Reductions>,
//! <https://www.chessprogramming.org/Futility_Pruning> (late move pruning as well),
//! <https://www.chessprogramming.org/Reverse_Futility_Pruning>,
//! <https://www.chessprogramming.org/Internal_Iterative_Reductions>.

use super::movepick::MovePicker;
use super::params::{PREFETCH_DEPTH, UNREDUCED_MOVES};
use super::tt::{TtData, TtMove};
use super::worker::{MAX_PLY, Worker};
use super::{Bound, Score};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Variant, generate_into};

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The score of `position`, `ply` plies from the root, searched `depth` plies deep within `alpha` and
    /// `beta`. Scores outside the window are bounds (fail-soft). Meaningless once the search is stopped.
    ///
    /// `PV` is set at nodes with an open window; elsewhere `beta` is `alpha + 1`.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        self.data.frames[ply].pv.clear();
        if self.poll(0) {
            return 0;
        }
        if let Some(score) = self.ending(position, ply) {
            return score;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(position, ply);
        }
        // Mate distance pruning: a win found nearer to the root cannot be improved from here.
        alpha = alpha.max(Score::loss_in(ply as u32).raw());
        beta = beta.min(Score::win_in(ply as u32 + 1).raw());
        if alpha >= beta {
            return alpha;
        }

        let key = self.table_key(position, ply);
        let tt = self.probe(key, position, ply);
        if !PV
            && let Some(tt) = tt
            && tt.cuts(depth, alpha, beta)
        {
            return tt.score;
        }
        let tt_move = tt.map_or(TtMove::default(), |tt| tt.mv);
        let proven = tt.filter(TtData::is_proof).map_or(0, |tt| tt.score);
        if let Some(score) = self.tablebase_score(position, depth, ply) {
            return score;
        }

        generate_into(&self.variant, position, &mut self.data.frames[ply].moves);
        let moves = &self.data.frames[ply].moves;
        let (move_count, has_capture) = (moves.len(), moves.has_capture());
        if self.poll(move_count / 32) {
            return 0;
        }
        if move_count == 0 {
            return self.blocked_score(position, ply);
        }
        let params = self.params.values();
        let mut evaluation = tt.and_then(|tt| tt.evaluation);
        let mut adjusted = None;
        if !has_capture {
            let value = self.static_evaluation(position, ply, evaluation);
            evaluation = Some(value);
            adjusted = Some(self.adjusted(position, value, ply));
        }
        // Futility bound: no quiet move is expected to exceed this.
        let mut futile = None;
        if !PV
            && let Some(value) = adjusted
            // Unsafe where zugzwang is likely.
            && position.occupied().count() >= params.zugzwang_stones.unsigned_abs()
            && !Score::from_raw(alpha).counts_plies()
            && !Score::from_raw(beta).counts_plies()
        {
            // Far above beta and no capture: assumed to fail high.
            if depth <= params.reverse_futility_depth
                && value - params.reverse_futility_margin * depth >= beta
            {
                return value;
            }
            let most = value + params.futility_base + params.futility_margin * depth;
            if depth <= params.futility_depth && most <= alpha {
                futile = Some(most);
            }
        }
        if depth >= params.internal_reduction_depth && !tt_move.is_some() {
            depth -= 1;
        }

        let before = |back| self.data.frames[ply.checked_sub(back)?].current;
        let previous = [before(1), before(2)];
        let mut picker = MovePicker::new(&mut self.data.frames[ply], tt_move);
        self.data.frames[ply + 1].killers = [None; 2];

        let old_alpha = alpha;
        let mut best_score = -Score::INFINITE.raw();
        let mut best_move = tt_move;
        let mut index = 0;
        while let Some(mv) = self.next_move(&mut picker, position, previous, ply) {
            let quiet = !mv.is_capture();
            // Where every move so far loses, the next may be the one that does not: nothing is pruned.
            if !PV && quiet && best_score > -Score::TABLEBASE.raw() {
                let enough = params.late_move_base + params.late_move_factor * depth * depth;
                let late = depth <= params.late_move_depth && index as i32 * 100 >= enough;
                if late || futile.is_some() {
                    // Quiet moves come last, so all remaining moves are pruned.
                    best_score = best_score.max(futile.unwrap_or(best_score));
                    break;
                }
            }
            let next = self.make(position, mv, ply);
            if depth <= PREFETCH_DEPTH {
                self.prefetch_next(&mut picker, position, ply);
            }
            let mut score;
            if index == 0 {
                score = -self.search::<PV>(&next, -beta, -alpha, depth - 1, ply + 1);
            } else {
                let reduction = self.reduction::<PV>(position, mv, depth, index);
                let (low, high) = (-alpha - 1, -alpha);
                score = -self.search::<false>(&next, low, high, depth - 1 - reduction, ply + 1);
                if reduction > 0 && score > alpha {
                    score = -self.search::<false>(&next, low, high, depth - 1, ply + 1);
                }
                if PV && score > alpha && score < beta {
                    score = -self.search::<true>(&next, -beta, -alpha, depth - 1, ply + 1);
                }
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = TtMove::of(mv);
                    if PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= beta {
                        self.update_history(position, previous, index, depth, ply);
                        break;
                    }
                    alpha = score;
                }
            }
            index += 1;
        }

        // A bound on the near side of the evaluation says nothing about its error. Scores of the tables do: without them the
        // search lost a normalised 21 ± 18 over 1,455 games of 20,000 nodes a move.
        if let Some(value) = adjusted
            && !Score::from_raw(best_score).is_decided()
            && !(best_score >= beta && best_score <= value)
            && !(best_score <= old_alpha && best_score >= value)
        {
            let (history, last) = (&mut self.data.history, previous[0]);
            history.correct(position, last, depth, best_score - value);
        }

        // What has been proved stays so, though this search did not see it again.
        if proven > best_score.max(0) || proven < best_score.min(0) {
            best_score = proven;
            let frame = &mut self.data.frames[ply];
            if PV && let Some(first) = frame.scored.first() {
                frame.pv.clear();
                frame.pv.push(first.mv);
            }
        }
        let data = TtData {
            mv: best_move,
            score: best_score,
            evaluation,
            depth,
            bound: Bound::of(best_score, old_alpha, beta),
        };
        self.table.store(key, ply, data);
        best_score
    }

    /// The reduction of the move at `index`, in plies.
    #[inline(always)]
    fn reduction<const PV: bool>(
        &self,
        position: &Position,
        mv: Move,
        depth: i32,
        index: usize,
    ) -> i32 {
        let params = self.params.values();
        if depth < params.reduction_depth || index < UNREDUCED_MOVES {
            return 0;
        }
        let mut hundredths = self.params.reduction(depth, index);
        if PV {
            hundredths -= params.variation_reduction;
        }
        if !mv.is_capture() {
            hundredths += params.paika_reduction;
        }
        hundredths -= self.data.history.value(position, mv) * 100 / params.history_per_ply;
        (hundredths / 100).clamp(0, depth - 2)
    }

    /// Sets the principal variation at `ply`: `mv`, then that of the next ply.
    pub(super) fn update_pv(&mut self, mv: Move, ply: usize) {
        if let [frame, next, ..] = &mut self.data.frames[ply..] {
            frame.pv.clear();
            frame.pv.push(mv);
            frame.pv.extend_from_slice(&next.pv);
        }
    }

    /// Updates the statistics after a cutoff by the move at `index`; the moves before it get a malus.
    fn update_history(
        &mut self,
        position: &Position,
        previous: [Option<Move>; 2],
        index: usize,
        depth: i32,
        ply: usize,
    ) {
        let params = self.params.values();
        let bonus = (params.history_bonus * depth * depth).min(params.history_bonus_most);
        let malus = -bonus * params.history_malus / 100;
        let history = &mut self.data.history;
        let frame = &mut self.data.frames[ply];
        let mv = frame.scored[index].mv;
        for tried in frame.scored[..index].iter().map(|scored| scored.mv) {
            if tried.is_capture() == mv.is_capture() {
                history.update(position, tried, malus);
                if !mv.is_capture() {
                    history.update_continuations(position, previous, tried, malus);
                }
            }
        }
        history.update(position, mv, bonus);
        if !mv.is_capture() {
            if frame.killers[0] != Some(mv) {
                frame.killers = [Some(mv), frame.killers[0]];
            }
            history.set_countermove(position, previous[0], mv);
            history.update_continuations(position, previous, mv, bonus);
        }
    }
}

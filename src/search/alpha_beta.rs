//! The main search: principal variation search with reductions and pruning.
//!
//! Where the ideas come from: <https://www.chessprogramming.org/Principal_Variation_Search>,
//! <https://www.chessprogramming.org/Late_Move_Reductions>,
//! <https://www.chessprogramming.org/Futility_Pruning> (late move pruning as well),
//! <https://www.chessprogramming.org/Reverse_Futility_Pruning>,
//! <https://www.chessprogramming.org/Internal_Iterative_Reductions>.

use super::Score;
use super::constants::{PREFETCH_DEPTH, UNREDUCED_MOVES};
use super::ordering::Ordering;
use super::stored::{MoveSignature, Stored, StoredBound};
use super::worker::{MAX_PLY, Worker};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Variant, generate_into};

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The score of `position`, `ply` plies from the root, searched `depth` plies deep within
    /// `alpha` and `beta`. Scores outside the window are bounds. Meaningless once the search is
    /// stopped.
    ///
    /// `PV` is set where the score may lie within an open window; elsewhere `beta` is `alpha + 1`.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        self.memory.frames[ply].variation.clear();
        if self.poll(0) {
            return 0;
        }
        if let Some(score) = self.ending(position, ply) {
            self.count(position, depth, |node| {
                node.main_nodes += 1;
                node.ended += 1;
            });
            return score;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        self.count(position, depth, |node| node.main_nodes += 1);
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(position, ply);
        }
        // A win already found nearer to the root cannot be bettered from here.
        alpha = alpha.max(Score::loss_in(ply as u32).raw());
        beta = beta.min(Score::win_in(ply as u32 + 1).raw());
        if alpha >= beta {
            return alpha;
        }

        let parameters = self.parameters;
        let key = self.table_key(position, ply);
        let stored = self.table.probe(key, ply);
        self.count(position, depth, |node| {
            node.table_probes += 1;
            node.table_hits += u64::from(stored.is_some());
        });
        if let Some(stored) = stored
            && !PV
            && stored.depth >= depth
            && stored.settles(alpha, beta)
        {
            self.count(position, depth, |node| node.table_cutoffs += 1);
            return stored.score;
        }
        let hash_move = stored.map_or(MoveSignature::default(), |stored| stored.best);
        if let Some(score) = self.tablebase_score(position, depth, ply) {
            return score;
        }

        generate_into(&self.variant, position, &mut self.memory.frames[ply].moves);
        let count = self.memory.frames[ply].moves.len();
        if self.poll(count / 32) {
            return 0;
        }
        if count == 0 {
            return self.blocked_score(ply);
        }
        let has_capture = self.memory.frames[ply].moves.has_capture();
        // Evaluating is the dearest part of a node: it is done only where the value counts.
        let mut evaluation = stored.and_then(|stored| stored.evaluation);
        // The most that paikas are worth, where that is not enough.
        let mut futile = None;
        // Unsafe where having to move may be a burden.
        let is_safe = position.occupied().count() >= parameters.zugzwang_stones.unsigned_abs();
        if !PV
            && !has_capture
            && is_safe
            && !Score::from_raw(alpha).is_decided()
            && !Score::from_raw(beta).is_decided()
            && depth
                <= parameters
                    .reverse_futility_depth
                    .max(parameters.futility_depth)
        {
            let value = self.static_evaluation(position, depth, ply, evaluation);
            evaluation = Some(value);
            let value = self.damped(position, value);
            // Far above beta and nothing hangs: the opponent will not allow it.
            if depth <= parameters.reverse_futility_depth
                && value - parameters.reverse_futility_margin * depth >= beta
            {
                self.count(position, depth, |node| node.static_cutoffs += 1);
                return value;
            }
            let most = value + parameters.futility_base + parameters.futility_margin * depth;
            if depth <= parameters.futility_depth && most <= alpha {
                futile = Some(most);
            }
        }
        self.count(position, depth, |node| {
            node.expanded += 1;
            node.moves += count as u64;
            node.capture_nodes += u64::from(has_capture);
            node.hash_moves += u64::from(hash_move.is_some());
        });
        let nominal_depth = depth;
        if depth >= parameters.internal_reduction_depth && !hash_move.is_some() {
            self.count(position, nominal_depth, |node| {
                node.internal_reductions += 1
            });
            depth -= 1;
        }

        let before = [1, 2].map(|back| {
            let above = ply.checked_sub(back)?;
            self.memory.frames[above].current
        });
        let staged = self.memory.frames[ply].begin(hash_move);
        let mut complete = false;
        self.memory.frames[ply + 1].killers = [None; 2];

        let old_alpha = alpha;
        let mut best_score = -Score::INFINITE.raw();
        let mut best_move = None;
        for index in 0..count {
            if !complete && index == staged {
                self.complete(position, before, ply);
                complete = true;
            }
            let mv = self.memory.frames[ply].pick(index);
            let quiet = !mv.is_capture();
            let is_hash_move = MoveSignature::of(mv) == hash_move;
            if index == 0 && hash_move.is_some() && !is_hash_move {
                self.count(position, nominal_depth, |node| node.foreign_hash_moves += 1);
            }
            if !PV && quiet && best_score > -Score::DECIDED.raw() {
                let enough =
                    parameters.late_move_base + parameters.late_move_factor * depth * depth;
                let late = depth <= parameters.late_move_depth && index as i32 * 100 >= enough;
                if late || futile.is_some() {
                    // Where there is a paika, all moves are, or the captures came first.
                    self.count(position, nominal_depth, |node| {
                        node.pruned += (count - index) as u64
                    });
                    best_score = best_score.max(futile.unwrap_or(best_score));
                    break;
                }
            }
            self.count(position, nominal_depth, |node| node.searched += 1);
            let next = self.enter(position, mv, ply);
            if complete && depth <= PREFETCH_DEPTH {
                self.prefetch_next(position, index, ply);
            }
            let mut score;
            if index == 0 {
                score = -self.search::<PV>(&next, -beta, -alpha, depth - 1, ply + 1);
            } else {
                let mut less = 0;
                if depth >= parameters.reduction_depth && index >= UNREDUCED_MOVES {
                    less = self.reductions.get(depth, index);
                    if PV {
                        less -= parameters.variation_reduction;
                    }
                    if quiet {
                        less += parameters.paika_reduction;
                    }
                    let value = self.memory.history.value(position, mv);
                    less -= value * 100 / parameters.history_per_ply;
                    less = (less / 100).clamp(0, depth - 2);
                }
                if less > 0 {
                    self.count(position, nominal_depth, |node| node.reduced += 1);
                }
                let (low, high) = (-alpha - 1, -alpha);
                score = -self.search::<false>(&next, low, high, depth - 1 - less, ply + 1);
                if score > alpha && less > 0 {
                    self.count(position, nominal_depth, |node| node.researched += 1);
                    score = -self.search::<false>(&next, low, high, depth - 1, ply + 1);
                }
                if PV && score > alpha && score < beta {
                    score = -self.search::<true>(&next, -beta, -alpha, depth - 1, ply + 1);
                }
            }
            self.leave();
            if self.stopped {
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_variation(mv, ply);
                    }
                    if score >= beta {
                        self.count(position, nominal_depth, |node| {
                            node.cutoffs += 1;
                            node.first_move_cutoffs += u64::from(index == 0);
                            node.hash_move_cutoffs += u64::from(is_hash_move);
                            node.cutoffs_with_hash_move += u64::from(hash_move.is_some());
                            node.cutoff_places += index as u64;
                        });
                        self.reward(position, before, index, depth, ply);
                        break;
                    }
                    alpha = score;
                }
            }
        }

        self.store(
            key,
            ply,
            Stored {
                best: best_move.map_or(hash_move, MoveSignature::of),
                score: best_score,
                evaluation,
                depth,
                bound: StoredBound::of(best_score, old_alpha, beta),
            },
        );
        best_score
    }

    /// Makes candidates of all moves at `ply`.
    fn complete(&mut self, position: &Position, before: [Option<Move>; 2], ply: usize) {
        let frame = &mut self.memory.frames[ply];
        let ordering = Ordering {
            history: &self.memory.history,
            position,
            parameters: self.parameters,
            before,
            killers: frame.killers,
        };
        frame.complete(&ordering);
    }

    /// The best line from `ply` is now `mv` and what was found to follow it.
    pub(super) fn extend_variation(&mut self, mv: Move, ply: usize) {
        let (upper, lower) = self.memory.frames.split_at_mut(ply + 1);
        let (Some(frame), Some(next)) = (upper.last_mut(), lower.first()) else {
            return;
        };
        let line = &mut frame.variation;
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        let follows = &next.variation[..next.variation.len().min(room)];
        // Cannot fail: no longer than the room left.
        let _ = line.try_extend_from_slice(follows);
    }

    /// Remembers that the move at `index` refuted the position, and that those before did not.
    fn reward(
        &mut self,
        position: &Position,
        before: [Option<Move>; 2],
        index: usize,
        depth: i32,
        ply: usize,
    ) {
        let parameters = self.parameters;
        let bonus = (parameters.history_bonus * depth * depth).min(parameters.history_bonus_most);
        let malus = -bonus * parameters.history_malus / 100;
        let frame = &mut self.memory.frames[ply];
        let mv = frame.candidate(index);
        for tried in (0..index).map(|index| frame.candidate(index)) {
            if tried.is_capture() == mv.is_capture() {
                self.memory.history.update(position, tried, malus);
                if !mv.is_capture() {
                    let history = &mut self.memory.history;
                    history.update_continuations(position, before, tried, malus);
                }
            }
        }
        self.memory.history.update(position, mv, bonus);
        if !mv.is_capture() {
            if frame.killers[0] != Some(mv) {
                frame.killers = [Some(mv), frame.killers[0]];
            }
            self.memory.history.set_reply(position, before[0], mv);
            let history = &mut self.memory.history;
            history.update_continuations(position, before, mv, bonus);
        }
    }
}

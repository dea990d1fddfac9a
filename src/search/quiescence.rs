//! Quiescence: captures are followed until the side to move has none.
//!
//! A position is quiet exactly when the side to move has no capture: where it has one, it must (or,
//! under some rules, may) capture. Following all captures to the end is out of the question: from the
//! start of the game a search of depth 1 would visit more than 30 million nodes, so long is the storm
//! of captures that opens a game. So a side that can capture may *stand pat* on the static evaluation
//! and a bonus, as if it were safe to suppose that some capture does it no harm; captures are followed
//! where they promise more than that. Those whose stones cannot bring the score up to alpha are left
//! out (*delta pruning*, <https://www.chessprogramming.org/Delta_Pruning>). Where the supposition
//! fails, a deeper search finds out: in the main search captures are as compulsory as they are on the
//! board. In a match of 100 games at 20 ms a move, making captures compulsory on the first ply of
//! quiescence as well lost 42 Elo (10 to 74).

use super::Score;
use super::ordering::Ordering;
use super::stored::{MoveSignature, Stored, StoredBound};
use super::worker::{MAX_PLY, Worker};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Variant, can_capture, generate_into, has_move};

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The score of `position` when only captures are played, within `alpha` and `beta`.
    ///
    /// Neither repetition nor the limit has ended the game.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.memory.frames[ply].variation.clear();
        if self.poll(0) {
            return 0;
        }
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        self.count(position, 0, |node| node.quiescence_nodes += 1);
        if position.own().is_empty() {
            return Score::loss_in(ply as u32).raw();
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(position, ply);
        }
        let key = self.table_key(position, ply);
        let stored = self.table.probe(key, ply);
        self.count(position, 0, |node| {
            node.quiescence_table_hits += u64::from(stored.is_some());
        });
        if let Some(stored) = stored
            && !PV
            && stored.settles(alpha, beta)
        {
            self.count(position, 0, |node| node.quiescence_table_cutoffs += 1);
            return stored.score;
        }
        let known = stored.and_then(|stored| stored.evaluation);
        if !can_capture(&self.variant, position) {
            self.count(position, 0, |node| node.quiescence_quiet += 1);
            if let Some(score) = self.tablebase_score(position, 0, ply) {
                return score;
            }
            return if has_move(self.rules, position) {
                let value = self.static_evaluation(position, 0, ply, known);
                self.damped(position, value)
            } else {
                self.blocked_score(ply)
            };
        }
        let value = self.static_evaluation(position, 0, ply, known);
        let evaluation = self.damped(position, value);
        let old_alpha = alpha;
        let mut best_score = evaluation + self.parameters.stand_pat_bonus;
        if best_score >= beta {
            self.count(position, 0, |node| node.stand_pats += 1);
            return best_score;
        }
        alpha = alpha.max(best_score);
        generate_into(&self.variant, position, &mut self.memory.frames[ply].moves);
        let count = self.memory.frames[ply].moves.len();
        if self.poll(count / 32) {
            return 0;
        }
        self.count(position, 0, |node| {
            node.quiescence_expanded += 1;
            node.quiescence_moves += count as u64;
        });
        let hash_move = stored.map_or(MoveSignature::default(), |stored| stored.best);
        let parameters = self.parameters;
        // So few stones cannot bring the score up to alpha, unless they are the last ones.
        let promise = |stones: u32| {
            evaluation + parameters.delta_stone * stones as i32 + parameters.delta_margin
        };
        let promises = |mv: Move, alpha: i32| {
            PV || promise(mv.captured().count()) > alpha || mv.captured() == position.enemy()
        };
        let frame = &mut self.memory.frames[ply];
        let ordering = Ordering {
            history: &self.memory.history,
            position,
            parameters,
            before: [None; 2],
            killers: [None; 2],
        };
        frame.begin(hash_move);
        let (largest, left_out) = frame.complete_captures(&ordering, |mv| promises(mv, alpha));
        if left_out > 0 {
            best_score = best_score.max(promise(largest));
        }
        let count = frame.candidates.len();
        self.count(position, 0, |node| node.quiescence_pruned += left_out);
        let mut best_move = hash_move;
        let mut searched = 0;
        for index in 0..count {
            let mv = self.memory.frames[ply].pick(index);
            if !mv.is_capture() {
                continue;
            }
            if !promises(mv, alpha) {
                self.count(position, 0, |node| node.quiescence_pruned += 1);
                best_score = best_score.max(promise(mv.captured().count()));
                continue;
            }
            self.count(position, 0, |node| node.quiescence_searched += 1);
            searched += 1;
            let next = self.enter(position, mv, ply);
            self.prefetch_next(position, index, ply);
            let score = -self.quiescence::<PV>(&next, -beta, -alpha, ply + 1);
            self.leave();
            if self.stopped {
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = MoveSignature::of(mv);
                    if PV {
                        self.extend_variation(mv, ply);
                    }
                    if score >= beta {
                        self.count(position, 0, |node| {
                            node.quiescence_cutoffs += 1;
                            node.quiescence_first_cutoffs += u64::from(searched == 1);
                        });
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
                best: best_move,
                score: best_score,
                evaluation: Some(value),
                depth: 0,
                bound: StoredBound::of(best_score, old_alpha, beta),
            },
        );
        best_score
    }
}

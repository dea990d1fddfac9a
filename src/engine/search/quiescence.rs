//! Quiescence search: captures only, until the side to move has none.
//!
//! A position is quiet exactly when the side to move has no capture: where it has one, it must (or, under some
//! rules, may) capture. Following all captures is too expensive: from the start of the game, where capture
//! sequences are long, a search of depth 1 would visit more than 30 million nodes. So a side that can capture
//! may *stand pat* on the static evaluation plus a bonus, assuming that some capture does no harm, and only
//! captures that promise more are searched. Captures whose stones cannot raise the score to alpha are pruned
//! (*delta pruning*, <https://www.chessprogramming.org/Delta_Pruning>). The main search, where captures are as
//! compulsory as on the board, corrects the assumption where it fails. In a match of 100 games at 20 ms a move,
//! making captures compulsory on the first ply of quiescence as well lost 42 Elo (10 to 74).

use super::movepick::{MovePicker, MoveScorer};
use super::tt::{TtData, TtMove};
use super::worker::{MAX_PLY, Worker};
use super::{Bound, Score};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Variant, can_capture, can_move, generate_into};

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The quiescence score of `position` within `alpha` and `beta`.
    ///
    /// Repetition and the no-capture limit have been ruled out.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.data.frames[ply].pv.clear();
        if self.poll(0) {
            return 0;
        }
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        if position.own().is_empty() {
            return Score::loss_in(ply as u32).raw();
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(position, ply);
        }
        let key = self.table_key(position, ply);
        let tt = self.probe(key, position, ply);
        if let Some(tt) = tt
            && (!PV && tt.settles(alpha, beta) || tt.is_proof())
        {
            return tt.score;
        }
        let known = tt.and_then(|tt| tt.evaluation);
        if !can_capture(&self.variant, position) {
            if let Some(score) = self.tablebase_score(position, 0, ply) {
                return score;
            }
            return if can_move(&self.variant, position) {
                let value = self.static_evaluation(position, ply, known);
                self.adjusted(position, value, ply)
            } else {
                self.blocked_score(position, ply)
            };
        }
        let value = self.static_evaluation(position, ply, known);
        let evaluation = self.adjusted(position, value, ply);
        let params = self.params.values();
        let old_alpha = alpha;
        let mut best_score = evaluation + params.stand_pat_bonus;
        if best_score >= beta {
            return best_score;
        }
        alpha = alpha.max(best_score);
        generate_into(&self.variant, position, &mut self.data.frames[ply].moves);
        let move_count = self.data.frames[ply].moves.len();
        if self.poll(move_count / 32) {
            return 0;
        }
        // Delta pruning: captures of too few stones to raise the score to alpha, unless they take the last ones.
        let promise =
            |stones: u32| evaluation + params.delta_stone * stones as i32 + params.delta_margin;
        let promises = |mv: Move, alpha: i32| {
            PV || promise(mv.captured().count()) > alpha || mv.captured() == position.enemy()
        };
        let mut best_move = tt.map_or(TtMove::default(), |tt| tt.mv);
        let history = &self.data.history;
        let scorer = MoveScorer::new(history, position, params, [None; 2], [None; 2]);
        let (mut picker, largest, left_out) =
            MovePicker::promising_captures(&mut self.data.frames[ply], best_move, &scorer, |mv| {
                promises(mv, alpha)
            });
        if left_out > 0 {
            best_score = best_score.max(promise(largest));
        }
        while let Some(mv) = self.next_move(&mut picker, position, [None; 2], ply) {
            if !promises(mv, alpha) {
                best_score = best_score.max(promise(mv.captured().count()));
                continue;
            }
            let next = self.make(position, mv, ply);
            self.prefetch_next(&mut picker, position, ply);
            let score = -self.quiescence::<PV>(&next, -beta, -alpha, ply + 1);
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
                        break;
                    }
                    alpha = score;
                }
            }
        }
        let data = TtData {
            mv: best_move,
            score: best_score,
            evaluation: Some(value),
            depth: 0,
            bound: Bound::of(best_score, old_alpha, beta),
        };
        self.table.store(key, ply, data);
        best_score
    }
}

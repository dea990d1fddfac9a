//! The root: its moves, and the search among them.

use std::cmp::Reverse;
use std::time::Duration;

use super::constants::*;
use super::ordering::Ordering;
use super::root_moves::{Root, RootLine, RootMove};
use super::stored::{MoveSignature, Stored, StoredBound};
use super::worker::Worker;
use super::{Bound, Report, Score};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Variant, generate_into};

/// From this time on the move that is searched is told.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// From this time on scores outside the aspiration window are told.
const BOUNDS_AFTER: Duration = Duration::from_millis(300);

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// The moves at the root, in the order in which they are first tried.
    pub(super) fn root<'p>(&mut self, position: &'p Position) -> Root<'p> {
        let frame = &mut self.memory.frames[0];
        frame.variation.clear();
        generate_into(&self.variant, position, &mut frame.moves);
        let stored = self.table.probe(self.table_key(position, 0), 0);
        let hash_move = stored.map_or(MoveSignature::default(), |stored| stored.best);
        let frames = &mut self.memory.frames;
        frames[1].killers = [None; 2];
        let killers = frames[0].killers;
        let history = &self.memory.history;
        let ordering = Ordering {
            history,
            position,
            parameters: self.parameters,
            before: [None; 2],
            killers,
        };
        frames[0].begin(hash_move);
        frames[0].complete(&ordering);
        let mut rated: Vec<(Move, i32)> = frames[0].rated().collect();
        rated.sort_by_key(|&(_, rating)| Reverse(rating));
        let mut moves: Vec<RootMove> = rated
            .into_iter()
            .map(|(mv, _)| RootMove {
                mv,
                score: None,
                settled: None,
                bound: Bound::Exact,
                line: Vec::new(),
                seldepth: 0,
                nodes: 0,
            })
            .collect();
        let wanted = &self.shared.limits.searchmoves;
        if moves.iter().any(|root_move| wanted.contains(&root_move.mv)) {
            moves.retain(|root_move| wanted.contains(&root_move.mv));
        }
        let multipv = self.shared.limits.multipv.clamp(1, moves.len().max(1));
        Root {
            position,
            moves,
            multipv,
            risen: None,
            taken_over: false,
        }
    }

    /// What there is to say before anything was searched.
    pub(super) fn guess(&mut self, root: &Root<'_>) -> RootLine {
        let line = root.moves.first().map(|first| first.mv);
        RootLine {
            score: self.evaluator.evaluate(root.position, 0),
            bound: Bound::Exact,
            depth: 1,
            seldepth: 1,
            complete: false,
            line: line.into_iter().collect(),
        }
    }

    /// Searches for the move of this rank, in a window that opens until the score lies within.
    pub(super) fn aspire(&mut self, root: &mut Root<'_>, rank: usize, depth: i32) {
        let infinite = Score::INFINITE.raw();
        root.risen = None;
        let mut width = self.parameters.aspiration_window;
        let (mut alpha, mut beta) = match root.moves[rank].settled {
            Some(score) if depth >= ASPIRATION_DEPTH && !Score::from_raw(score).is_decided() => {
                (score - width, score + width)
            }
            _ => (-infinite, infinite),
        };
        loop {
            let score = self.search_root(root, rank, alpha, beta, depth);
            if self.stopped {
                return;
            }
            self.memory.counters.root(|root| {
                root.windows += 1;
                root.failed_low += u64::from(score <= alpha && alpha > -infinite);
                root.failed_high += u64::from(score >= beta && beta < infinite);
            });
            let bound = if score <= alpha && alpha > -infinite {
                // The window opens downwards, and its other side comes nearer.
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-infinite);
                if rank == 0
                    && let Some(main) = &mut self.main
                {
                    main.clock.see_through();
                }
                Bound::Upper
            } else if score >= beta && beta < infinite {
                beta = (score + width).min(infinite);
                root.risen = Some(root.moves[rank].root_line(depth));
                Bound::Lower
            } else {
                return;
            };
            if self.tells_bounds() && root.multipv == 1 {
                let mut line = root.moves[rank].root_line(depth);
                line.score = score;
                line.bound = bound;
                let line = self.line(&line, rank);
                self.report(&Report::Line(line));
            }
            width *= ASPIRATION_GROWTH;
            if width > ASPIRATION_MOST || Score::from_raw(score).is_decided() {
                (alpha, beta) = match bound {
                    Bound::Upper => (-infinite, beta),
                    _ => (alpha, infinite),
                };
            }
        }
    }

    /// Whether scores outside the window are told: by the first thread, once the search takes long.
    fn tells_bounds(&self) -> bool {
        self.elapsed().is_some_and(|time| time >= BOUNDS_AFTER)
    }

    /// Searches the root moves from `rank` on, and sorts them.
    fn search_root(
        &mut self,
        root: &mut Root<'_>,
        rank: usize,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        for root_move in &mut root.moves[rank..] {
            root_move.score = None;
        }
        let old_alpha = alpha;
        let mut best_score = -Score::INFINITE.raw();
        for index in rank..root.moves.len() {
            if self.poll(0) {
                break;
            }
            let mv = root.moves[index].mv;
            if self
                .elapsed()
                .is_some_and(|time| time >= CURRENT_MOVE_AFTER)
            {
                self.report(&Report::CurrentMove {
                    depth: depth as u32,
                    current: mv,
                    number: index + 1,
                });
            }
            let nodes = self.nodes;
            let next = self.enter(root.position, mv, 0);
            let mut score = 0;
            let mut full = index == rank;
            if !full {
                let late = index - rank;
                let less =
                    if depth >= self.parameters.reduction_depth && late >= ROOT_UNREDUCED_MOVES {
                        (self.reductions.get(depth, late) / 100 - 1).clamp(0, depth - 2)
                    } else {
                        0
                    };
                score = -self.search::<false>(&next, -alpha - 1, -alpha, depth - 1 - less, 1);
                if score > alpha && less > 0 {
                    score = -self.search::<false>(&next, -alpha - 1, -alpha, depth - 1, 1);
                }
                full = score > alpha;
            }
            if full && !self.stopped {
                score = -self.search::<true>(&next, -beta, -alpha, depth - 1, 1);
            }
            self.leave();
            root.moves[index].nodes += self.nodes - nodes;
            if self.stopped {
                break;
            }
            if index == rank || score > alpha {
                let seldepth = self.seldepth;
                self.extend_variation(mv, 0);
                let root_move = &mut root.moves[index];
                root_move.score = Some(score);
                root_move.seldepth = seldepth;
                root_move.line = self.memory.frames[0].variation.to_vec();
                root_move.bound = if score >= beta {
                    Bound::Lower
                } else if score <= old_alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
            }
            best_score = best_score.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        root.sort_from(rank);
        if !self.stopped {
            let best = &mut root.moves[rank];
            best.settled = best.score.or(best.settled);
            if rank == 0 {
                self.store_root(
                    root.position,
                    &root.moves[0],
                    best_score,
                    old_alpha,
                    beta,
                    depth,
                );
            }
        }
        best_score
    }

    fn store_root(
        &mut self,
        position: &Position,
        best: &RootMove,
        score: i32,
        alpha: i32,
        beta: i32,
        depth: i32,
    ) {
        let stored = Stored {
            best: MoveSignature::of(best.mv),
            score,
            evaluation: None,
            depth,
            bound: StoredBound::of(score, alpha, beta),
        };
        // A search among some of the moves only knows nothing of the position as a whole.
        if self.shared.limits.searchmoves.is_empty() {
            self.store(self.table_key(position, 0), 0, stored);
        }
    }
}

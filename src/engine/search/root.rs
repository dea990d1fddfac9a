//! The root: iterative deepening, aspiration windows, and the search of the root moves.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use super::movepick::{MovePicker, MoveScorer, ScoredMove};
use super::params::*;
use super::time::Stability;
use super::tt::{TtData, TtMove};
use super::worker::{MainThread, Shared, ThreadData, Worker};
use super::{Bound, Line, MAX_DEPTH, Report, Score};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Tie, Variant, generate_into};

/// Search time from which the current root move is reported.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// Search time from which fail-highs and fail-lows of the aspiration window are reported.
const BOUNDS_AFTER: Duration = Duration::from_millis(300);

/// Replaces the lines found by those of a deeper iteration. What has been proved of the position stays first.
fn replace(found: &mut Vec<Line>, deeper: Vec<Line>) {
    let first = std::mem::replace(found, deeper).swap_remove(0);
    if first.score.counts_plies() && !found[0].score.counts_plies() {
        let (depth, count) = (found[0].depth, found.len());
        put_first(found, Line { depth, ..first }, count);
    }
}

/// Puts a line before the others, of which at most `count - 1` stay.
pub(super) fn put_first(found: &mut Vec<Line>, line: Line, count: usize) {
    found.retain(|other| other.pv.first() != line.pv.first());
    found.insert(0, line);
    found.truncate(count);
}

#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in the current iteration; `None` if not searched yet, or not above alpha.
    pub(super) score: Option<i32>,
    /// Its last score as the best move of its rank.
    pub(super) settled: Option<i32>,
    /// Its last principal variation, with bound and maximum ply.
    pub(super) line: Line,
    /// Nodes spent on it, in all iterations.
    pub(super) nodes: u64,
}

/// State kept across iterations.
pub(super) struct Root<'p> {
    pub(super) position: &'p Position,
    pub(super) moves: Vec<RootMove>,
    pub(super) multipv: usize,
    /// How many moves were searched in this iteration; those after them have not been.
    pub(super) searched: usize,
    /// A move that failed high in this iteration, in case the re-search is not completed.
    pub(super) fail_high_line: Option<Line>,
    /// Whether the best move was adopted from another thread.
    pub(super) adopted: bool,
}

impl RootMove {
    /// Its line in an iteration of this depth, which may not be completed.
    pub(super) fn line(&self, depth: i32) -> Line {
        Line {
            depth: depth as u32,
            complete: false,
            score: Score::from_raw(self.score.or(self.settled).unwrap_or(0)),
            ..self.line.clone()
        }
    }
}

impl<'p> Root<'p> {
    /// The root moves, in their initial order.
    fn new(shared: &'p Shared, data: &mut ThreadData, tt_move: TtMove) -> Root<'p> {
        let position = shared.game.position();
        data.frames[1].killers = [None; 2];
        let frame = &mut data.frames[0];
        frame.pv.clear();
        generate_into(shared.game.rules(), position, &mut frame.moves);
        MovePicker::new(frame, tt_move);
        let (parameters, killers) = (shared.params.values(), frame.killers);
        let scorer = MoveScorer::new(&data.history, position, parameters, [None; 2], killers);
        frame.score_rest(&scorer, |_| true);
        frame.scored.sort_by_key(|scored| Reverse(scored.score));
        let of = |scored: &ScoredMove| RootMove {
            mv: scored.mv,
            score: None,
            settled: None,
            line: Line::of(vec![scored.mv], Score::DRAW),
            nodes: 0,
        };
        let mut moves: Vec<RootMove> = frame.scored.iter().map(of).collect();
        let limits = &shared.limits;
        limits.retain_searchmoves(&mut moves, |root_move| root_move.mv);
        let after = |root_move: &RootMove| position.play(root_move.mv);
        limits.strength.retain_seen(&mut moves, after);
        let multipv = limits.multipv.clamp(1, moves.len().max(1));
        Root {
            position,
            moves,
            multipv,
            searched: 0,
            fail_high_line: None,
            adopted: false,
        }
    }

    /// The share of all nodes spent on the best move, from 0 to 1; 0 if it was adopted from another
    /// thread, whose node counts are not known here.
    pub(super) fn effort(&self) -> f64 {
        if self.adopted {
            return 0.0;
        }
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        let best = self.moves.first().map_or(0, |best| best.nodes);
        best as f64 / all.max(1) as f64
    }

    pub(super) fn adopt(&mut self, line: &Line) {
        let is_best = |root_move: &RootMove| Some(&root_move.mv) == line.pv.first();
        let Some(place) = self.moves.iter().position(is_best) else {
            return;
        };
        self.moves[..=place].rotate_right(1);
        self.adopted = true;
        let best = &mut self.moves[0];
        best.settled = Some(line.score.raw());
        best.line.pv.clone_from(&line.pv);
        best.line.seldepth = line.seldepth;
    }

    /// Sorts the moves from `rank` on by score. Unscored moves keep their order at the end.
    fn sort(&mut self, rank: usize) {
        self.moves[rank..].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// The best lines, after an iteration at `depth`.
    pub(super) fn lines(&self, depth: i32) -> Vec<Line> {
        let mut lines: Vec<Line> = self.moves[..self.multipv]
            .iter()
            .map(|root_move| Line {
                complete: true,
                ..root_move.line(depth)
            })
            .collect();
        lines.sort_by_key(|line| Reverse(line.score));
        lines
    }

    /// The best line of an aborted iteration; `None` if it is not reliable.
    pub(super) fn unfinished_best(&self, depth: i32) -> Option<Line> {
        let best = self.moves.first()?;
        let known = best.score.is_some() && best.line.bound != Bound::Upper;
        if self.multipv > 1 {
            None
        } else if known {
            Some(best.line(depth))
        } else {
            self.fail_high_line.clone()
        }
    }
}

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// Iterative deepening until a limit is reached. The position must have a legal move.
    pub(super) fn iterate(&mut self) -> Vec<Line> {
        let results = &self.shared.results;
        let position = self.shared.game.position();
        let tt = self.probe(self.table_key(position, 0), position, 0);
        let tt_move = tt.map_or(TtMove::default(), |tt| tt.mv);
        let mut root = Root::new(self.shared, self.data, tt_move);
        let deepest = self.shared.limits.depth.unwrap_or(MAX_DEPTH);
        let deepest = deepest.clamp(1, MAX_DEPTH) as i32;
        let mut found = vec![self.guess(&root)];
        let mut stability = Stability::default();
        let mut depth = 0;
        while depth < deepest {
            // Others may have gone deeper during the last iteration of this thread.
            if results.is_overtaken(depth + 1) {
                self.catch_up(&mut root, &mut found, &mut depth, 1);
            }
            if depth >= deepest {
                break;
            }
            depth = results.next_depth(self.index, depth).min(deepest);
            self.seldepth = 0;
            self.iteration = depth as usize;
            for rank in 0..root.multipv {
                self.aspire(&mut root, rank, depth);
                if self.stopped {
                    break;
                }
            }
            self.publish_progress();
            if self.stopped {
                // Others may have completed this iteration or a deeper one.
                if !self.catch_up(&mut root, &mut found, &mut depth, 0)
                    && let Some(line) = root.unfinished_best(depth)
                {
                    self.adopt_unfinished(&root, &mut found, line);
                }
                if !self.resume() {
                    break;
                }
            } else {
                replace(&mut found, root.lines(depth));
                root.adopted = false;
                results.publish(self.index, &found);
            }
            if self.index == 0 {
                for (rank, line) in found.iter().enumerate() {
                    self.report_line(rank, line);
                }
                if self.is_done(&root, &found, &mut stability, depth) {
                    break;
                }
            }
        }
        if self.index == 0 && depth >= deepest {
            self.await_verdict(&found);
        }
        // The main thread decides when to stop; but where threads adopt each other's results, one that
        // reaches the maximum depth ends the search for all.
        if self.index == 0
            || results.takes_over && depth >= deepest && self.shared.limits.mate.is_none()
        {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.publish_progress();
        found
    }

    /// Waits, within the limits, for the exact answer that [`Limits::mate`](super::Limits::mate) promises.
    fn await_verdict(&mut self, found: &[Line]) {
        let (limits, verdict) = (&self.shared.limits, &self.shared.verdict);
        let stop = &self.shared.stop;
        let end = found[0].score.plies_to_end();
        let is_open = |mate| end.is_none_or(|plies| plies.unsigned_abs() > mate);
        let may_wait = limits.depth.is_none() && limits.nodes.is_none();
        let is_wanted = may_wait && limits.mate.is_some_and(is_open);
        while is_wanted && !stop.load(Ordering::Relaxed) && verdict.get().is_none() {
            thread::sleep(Duration::from_millis(1));
            self.check_limits();
        }
    }

    /// Adopts the result of another thread that is at least `ahead` plies deeper than `depth`. Returns
    /// whether there was one.
    fn catch_up(
        &self,
        root: &mut Root<'_>,
        found: &mut Vec<Line>,
        depth: &mut i32,
        ahead: i32,
    ) -> bool {
        let results = &self.shared.results;
        let Some(better) = results.found_at(self.index, *depth + ahead) else {
            return false;
        };
        *depth = better[0].depth as i32;
        root.adopt(&better[0]);
        replace(found, better.to_vec());
        true
    }

    /// Adds the better line of an iteration that was aborted to the results of the one before.
    fn adopt_unfinished(&mut self, root: &Root<'_>, found: &mut Vec<Line>, line: Line) {
        let was_proved = found[0].score.counts_plies();
        if was_proved && !line.score.counts_plies() {
            return;
        }
        // The loss of some moves says nothing of those that have not been searched.
        let is_lost = line.score < Score::DRAW && line.score.counts_plies() && !was_proved;
        let line = match root.moves.get(root.searched) {
            Some(other) if is_lost => Line {
                pv: vec![other.mv],
                bound: Bound::Upper,
                ..found[0].clone()
            },
            _ => line,
        };
        self.report_line(0, &line);
        put_first(found, line, self.shared.limits.multipv.max(1));
    }

    /// Whether the main thread should end the search.
    fn is_done(
        &mut self,
        root: &Root<'_>,
        found: &[Line],
        stability: &mut Stability,
        depth: i32,
    ) -> bool {
        let limits = &self.shared.limits;
        let plies_to_end = found[0].score.plies_to_end();
        let verdict = self.shared.verdict.get();
        if limits.mate.is_some_and(|mate| {
            plies_to_end.is_some_and(|plies| plies.unsigned_abs() <= mate)
                || verdict.is_some_and(|&is_found| is_found || depth as u32 >= mate)
        }) {
            return true;
        }
        let scale = stability.time_scale(found, root.effort());
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        let Some(MainThread { time, control, .. }) = &mut self.main else {
            return false;
        };
        if time.is_over(control, nodes) {
            return true;
        }
        if !time.rewards_haste() {
            return false;
        }
        if !limits.analyse && limits.mate.is_none() {
            let forced = root.moves.len() == 1;
            let proved = plies_to_end.is_some_and(|plies| depth > plies.abs() + 1);
            if forced || proved {
                return true;
            }
        }
        time.begin_iteration(scale);
        time.is_spent(scale, nodes)
    }

    /// The result before any search: the first move and the static evaluation.
    pub(super) fn guess(&mut self, root: &Root<'_>) -> Line {
        let score = self.evaluator.evaluate(root.position, 0);
        Line {
            complete: false,
            ..Line::of(vec![root.moves[0].mv], Score::from_raw(score))
        }
    }

    /// Searches for the move of this rank, widening the aspiration window until the score lies within.
    pub(super) fn aspire(&mut self, root: &mut Root<'_>, rank: usize, depth: i32) {
        let infinite = Score::INFINITE.raw();
        root.fail_high_line = None;
        let mut width = self.params.values().aspiration_window;
        let (mut alpha, mut beta) = match root.moves[rank].settled {
            Some(score) if depth >= ASPIRATION_DEPTH && !Score::from_raw(score).counts_plies() => {
                (score - width, score + width)
            }
            _ => (-infinite, infinite),
        };
        loop {
            let score = self.search_root(root, rank, alpha, beta, depth);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha && alpha > -infinite {
                // Fail-low: lower alpha, and bring beta closer.
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-infinite);
                if rank == 0
                    && let Some(main) = &mut self.main
                {
                    main.time.extend_to_hard_limit();
                }
                Bound::Upper
            } else if score >= beta && beta < infinite {
                beta = (score + width).min(infinite);
                root.fail_high_line = Some(root.moves[rank].line(depth));
                Bound::Lower
            } else {
                return;
            };
            let is_long = self.elapsed().is_some_and(|time| time >= BOUNDS_AFTER);
            if is_long && root.multipv == 1 {
                let line = Line {
                    score: Score::from_raw(score),
                    bound,
                    ..root.moves[rank].line(depth)
                };
                self.report_line(rank, &line);
            }
            width *= ASPIRATION_GROWTH;
            if width > ASPIRATION_MOST || Score::from_raw(score).counts_plies() {
                (alpha, beta) = match bound {
                    Bound::Upper => (-infinite, beta),
                    _ => (alpha, infinite),
                };
            }
        }
    }

    /// Searches the root moves from `rank` on and sorts them.
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
        root.searched = rank;
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
            let next = self.make(root.position, mv, 0);
            let mut score = 0;
            let mut full = index == rank;
            if !full {
                let late = index - rank;
                let less = if depth >= self.params.values().reduction_depth
                    && late >= ROOT_UNREDUCED_MOVES
                {
                    (self.params.reduction(depth, late) / 100 - 1).clamp(0, depth - 2)
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
            self.unmake();
            root.moves[index].nodes += self.nodes - nodes;
            if self.stopped {
                break;
            }
            root.searched = index + 1;
            if index == rank || score > alpha {
                let seldepth = self.seldepth;
                self.update_pv(mv, 0);
                let root_move = &mut root.moves[index];
                root_move.score = Some(score);
                root_move.line.seldepth = seldepth as u32;
                root_move.line.pv = self.data.frames[0].pv.clone();
                root_move.line.bound = Bound::of(score, old_alpha, beta);
            }
            best_score = best_score.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        root.sort(rank);
        if !self.stopped {
            let best = &mut root.moves[rank];
            best.settled = best.score.or(best.settled);
            // With `searchmoves` the score is not that of the position. Where ties are won, a win may be a repetition of
            // this game alone.
            let holds = self.rules.tie == Tie::Draw || !Score::from_raw(best_score).counts_plies();
            if rank == 0 && self.shared.limits.searchmoves.is_empty() && holds {
                let data = TtData {
                    mv: TtMove::of(best.mv),
                    score: best_score,
                    evaluation: None,
                    depth,
                    bound: Bound::of(best_score, old_alpha, beta),
                };
                self.table.store(self.table_key(root.position, 0), 0, data);
            }
        }
        best_score
    }
}

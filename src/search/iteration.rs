//! Iterative deepening, on every thread.

use std::sync::atomic::Ordering;

use super::root_moves::{Found, Root, RootLine};
use super::stability::Stability;
use super::worker::{MainThread, Worker};
use super::{Line, MAX_DEPTH, Report, Score};
use crate::eval::Evaluator;
use crate::rules::Variant;

impl<V: Variant, E: Evaluator> Worker<'_, '_, V, E> {
    /// Searches deeper and deeper until a limit is reached. The position has a legal move.
    pub(super) fn iterate(&mut self) -> Found {
        let cooperation = &self.shared.cooperation;
        let mut root = self.root(self.shared.game.position());
        let deepest = self.deepest();
        let mut found = Found {
            lines: vec![self.guess(&root)],
        };
        let mut stability = Stability::default();
        let mut depth = 0;
        while depth < deepest {
            // Others may have come further while this thread was at its last iteration.
            if cooperation.is_overtaken(depth + 1) {
                self.catch_up(&mut root, &mut found, &mut depth, 1);
            }
            if depth >= deepest {
                break;
            }
            depth = cooperation.next_depth(self.index, depth).min(deepest);
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
                // Others may have completed this iteration, or a deeper one.
                if !self.catch_up(&mut root, &mut found, &mut depth, 0)
                    && let Some(line) = root.unfinished_best(depth)
                {
                    self.adopt_unfinished(&mut found, line);
                }
                if !self.resume() {
                    break;
                }
            } else {
                found.lines = root.lines(depth);
                root.taken_over = false;
                cooperation.publish(self.index, &found);
            }
            if self.index == 0 {
                for (rank, line) in found.lines.iter().enumerate() {
                    let line = self.line(line, rank);
                    self.report(&Report::Line(line));
                }
                if self.is_done(&root, &found, &mut stability, depth) {
                    break;
                }
            }
        }
        // The first thread decides when there is enough; but where threads take over from each other,
        // one that has done all there is has done it for all.
        if self.index == 0 || cooperation.takes_over() && depth >= deepest {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        self.publish_progress();
        found
    }

    /// Takes over what another thread has found at `ahead` plies beyond `depth` or deeper, if there is
    /// such a thing. Returns whether there is.
    fn catch_up(
        &self,
        root: &mut Root<'_>,
        found: &mut Found,
        depth: &mut i32,
        ahead: i32,
    ) -> bool {
        let cooperation = &self.shared.cooperation;
        let Some(better) = cooperation.found_at(self.index, *depth + ahead) else {
            return false;
        };
        *depth = better.lines[0].depth;
        root.take_over(&better.lines[0]);
        *found = (*better).clone();
        true
    }

    /// The last iteration, in plies.
    fn deepest(&self) -> i32 {
        let depth = self.shared.limits.depth;
        depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH)) as i32
    }

    /// The search ended within an iteration, but after finding something better than the line that
    /// the iteration before had settled.
    fn adopt_unfinished(&mut self, found: &mut Found, line: RootLine) {
        if self.index == 0 {
            let line = self.line(&line, 0);
            self.report(&Report::Line(line));
        }
        found
            .lines
            .retain(|other| other.line.first() != line.line.first());
        found.lines.insert(0, line);
        found.lines.truncate(self.shared.limits.multipv.max(1));
    }

    /// A line as it is told.
    pub(super) fn line(&mut self, line: &RootLine, rank: usize) -> Line {
        self.publish_progress();
        line.told(rank, self.shared, self.elapsed().unwrap_or_default())
    }

    /// Whether the first thread has searched enough.
    fn is_done(
        &mut self,
        root: &Root<'_>,
        found: &Found,
        stability: &mut Stability,
        depth: i32,
    ) -> bool {
        let limits = &self.shared.limits;
        let score = Score::from_raw(found.lines[0].score);
        let plies_to_end = score.plies_to_end();
        if let (Some(mate), Some(plies)) = (limits.mate, plies_to_end)
            && plies.unsigned_abs() <= mate
        {
            return true;
        }
        let scale = stability.time_scale(found, root.effort());
        let Some(MainThread { clock, control, .. }) = &mut self.main else {
            return false;
        };
        if clock.is_over(control) {
            return true;
        }
        if !clock.rewards_haste() {
            return false;
        }
        if !limits.analyse {
            let forced = root.moves.len() == 1;
            let proved = plies_to_end.is_some_and(|plies| depth > plies.abs() + 1);
            if forced || proved {
                return true;
            }
        }
        clock.begin_iteration(scale);
        clock.is_spent(scale)
    }
}

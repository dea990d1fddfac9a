//! Search requests of the model, and what it does with the results.

use std::time::Duration;

use super::Model;
use crate::notation::pgn::move_comment;
use crate::play::{Effect, Purpose, SearchEvent, SearchRequest, limits_at_level};
use crate::review::{Expectation, expected_score};
use vato_engine::board::Move;
use vato_engine::eval::Evaluation;
use vato_engine::rules::{Game, Path, shortest_path};
use vato_engine::search::{Clock, Limits, Line, Score, SearchResult};

/// Time reserved for the delay between the engine and its clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// A running search.
#[derive(Clone, Debug)]
pub struct Thinking {
    id: u64,
    /// What it is for.
    pub purpose: Purpose,
}

/// The score of a position by a search, from White's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionScore {
    /// The score for White.
    pub score: Score,
    /// The points that White can expect, from 0 (lost) to 1 (won).
    pub expected: f64,
}

/// The best move found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// The move.
    pub path: Path,
    /// The score of the position if it is played.
    pub score: PositionScore,
}

impl PositionScore {
    /// The score that a line gives its start position in `game`.
    pub(crate) fn of(line: &Line, game: &Game, evaluation: &Evaluation) -> PositionScore {
        let position = game.position();
        let score = position.side().for_white(line.score);
        let model = evaluation.wdl_model(game.rules());
        PositionScore {
            score,
            expected: expected_score(&model, score, position),
        }
    }
}

impl Model {
    fn is_thinking_for(&self, purpose: Purpose) -> bool {
        matches!(&self.thinking, Some(thinking) if thinking.purpose == purpose)
    }

    pub(super) fn stop_thinking(&mut self) {
        if self.thinking.take().is_some() {
            self.effects.push(Effect::StopSearch);
        }
    }

    /// Requests the next search, if one is due.
    pub(super) fn settle(&mut self) {
        let (rules, position) = (*self.game.rules(), *self.game.position());
        // A person that cannot move passes without being asked.
        if !self.paused
            && self.is_players_turn()
            && let Some(pass) = shortest_path(&rules, &position, Move::PASS)
        {
            self.commit(pass, Move::PASS, None);
            self.tell(format!("{} cannot move, and passes", position.side()));
        }
        if self.thinking.is_some() || self.paused || self.ending().is_some() {
            return;
        }
        if !self.settings.player.plays(self.side()) {
            let limits = Limits {
                clock: self.search_clock(),
                move_overhead: OVERHEAD,
                ..self.settings.limits.clone()
            };
            let limits = limits_at_level(self.settings.level, self.seed, &self.game, limits);
            self.think(Purpose::Move, limits);
        }
    }

    /// The clock of the side to move in the form of the search.
    fn search_clock(&self) -> Option<Clock> {
        let clock = self.clocks.as_ref()?[self.side().index()].clock()?;
        Some(Clock {
            remaining: clock.remaining.saturating_sub(self.spent),
            ..clock
        })
    }

    fn think(&mut self, purpose: Purpose, limits: Limits) {
        self.searches += 1;
        let id = self.searches;
        self.effects.push(Effect::Search(Box::new(SearchRequest {
            id,
            game: self.game.clone(),
            limits,
            purpose,
        })));
        self.thinking = Some(Thinking { id, purpose });
    }

    pub(super) fn ask_for_hint(&mut self) {
        if self.may_touch() && !self.is_thinking_for(Purpose::Hint) {
            self.stop_thinking();
            self.hint = None;
            self.think(Purpose::Hint, self.settings.hint_limits.clone());
        }
    }

    /// Takes an event of a search; events of superseded searches are ignored.
    pub(super) fn hear(&mut self, id: u64, event: SearchEvent) {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.id == id) else {
            return;
        };
        let purpose = thinking.purpose;
        match event {
            SearchEvent::Line(_) => {}
            SearchEvent::Done(result) => {
                self.thinking = None;
                self.conclude(purpose, &result);
            }
            SearchEvent::Failed(text) => {
                self.thinking = None;
                self.paused |= purpose == Purpose::Move;
                self.complain(format!("the engine cannot search: {text}"));
            }
        }
    }

    fn conclude(&mut self, purpose: Purpose, result: &SearchResult) {
        let (rules, position) = (self.game.rules(), self.game.position());
        let line = result.lines.first();
        let best = match purpose {
            // That of the line, as in a review.
            Purpose::Hint => line.and_then(|line| line.pv.first().copied()),
            _ => result.best,
        };
        let best = best.and_then(|mv| Some((shortest_path(rules, position, mv)?, mv)));
        match (purpose, best, line) {
            (Purpose::Move, Some((path, mv)), _) => {
                // Time while the process is stopped counts for the search, not for the game.
                let time = result.time.min(self.spent);
                let comment = line.map(|line| {
                    move_comment(
                        Some(line.score.into()),
                        Some(line.depth),
                        time.as_secs_f64(),
                    )
                });
                self.commit(path, mv, comment);
            }
            (Purpose::Hint, Some((path, _)), Some(line)) => {
                let found = PositionScore::of(line, &self.game, &self.settings.evaluation);
                let mv = line.pv.first().copied();
                let white = Expectation::of_move(&self.game, mv, found.expected);
                let (score, expected) = (white.score(found.score), white.value());
                let score = PositionScore { score, expected };
                self.hint = Some(Hint { path, score });
            }
            (Purpose::Judging | Purpose::Review, ..) => {}
            (Purpose::Move | Purpose::Hint, ..) => {
                self.paused |= purpose == Purpose::Move;
                self.complain("the engine has found no move");
            }
        }
    }
}

//! What the engine is asked, and what becomes of its answers.

use std::time::Duration;

use super::Model;
use crate::board::Side;
use crate::notation::pgn::move_comment;
use crate::play::{Effect, Ending, Hint, Judgement, Level, Mind, SearchEvent, SearchRequest};
use crate::rules::shortest_path;
use crate::search::{Bound, Limits, Line, SearchResult};

/// Time that is lost between the engine and its clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Hint,
    Judgement,
}

/// A search under way.
#[derive(Clone, Debug)]
pub struct Thinking {
    id: u64,
    purpose: Purpose,
    /// The last line that it told.
    line: Option<Line>,
}

impl Thinking {
    /// Whether it is for a move of the engine's.
    #[must_use]
    pub fn is_for_move(&self) -> bool {
        self.purpose == Purpose::Move
    }

    /// Whether it is for a hint.
    #[must_use]
    pub fn is_for_hint(&self) -> bool {
        self.purpose == Purpose::Hint
    }

    /// The depth that it has reached, in plies; 0 before it has told anything.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.line.as_ref().map_or(0, |line| line.depth)
    }
}

impl Model {
    /// The search under way.
    #[must_use]
    pub fn thinking(&self) -> Option<&Thinking> {
        self.thinking.as_ref()
    }

    /// The best move, while a hint is shown.
    #[must_use]
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Whether positions are judged after each move.
    #[must_use]
    pub fn is_judging(&self) -> bool {
        self.judging
    }

    /// Who is better, as far as a search at full strength has said; after a hint also where positions
    /// are not judged after each move.
    #[must_use]
    pub fn judgement(&self) -> Option<Judgement> {
        self.judgement
    }

    /// The points that White can expect, from 0 to 1, if anything is known: those of the result once
    /// the game is over.
    #[must_use]
    pub fn expected_score(&self) -> Option<f64> {
        match self.ending().map(Ending::winner) {
            Some(Some(Side::White)) => Some(1.0),
            Some(Some(Side::Black)) => Some(0.0),
            Some(None) => Some(0.5),
            None => self.judgement.map(|judgement| judgement.expected),
        }
    }

    pub(super) fn stop_thinking(&mut self) {
        if self.thinking.take().is_some() {
            self.effects.push(Effect::StopSearch);
        }
    }

    /// Begins the search that is due, if one is.
    pub(super) fn settle(&mut self) {
        if self.thinking.is_some() || self.paused || self.ending().is_some() {
            return;
        }
        if !self.settings.person.plays(self.side()) {
            let limits = Limits {
                clock: self.search_clock(),
                move_overhead: OVERHEAD,
                strength: self.settings.level.strength(self.seed),
                ..self.settings.limits.clone()
            };
            self.think(Purpose::Move, limits, Mind::Player);
        } else if self.judging && !self.is_judged {
            self.is_judged = true;
            let limits = self.settings.judging_limits.clone();
            self.think(Purpose::Judgement, limits, Mind::Adviser);
        }
    }

    fn think(&mut self, purpose: Purpose, limits: Limits, mind: Mind) {
        self.searches += 1;
        let id = self.searches;
        self.effects.push(Effect::Search(Box::new(SearchRequest {
            id,
            game: self.game.clone(),
            limits,
            mind,
        })));
        self.thinking = Some(Thinking {
            id,
            purpose,
            line: None,
        });
    }

    pub(super) fn ask_for_hint(&mut self) {
        if self.ending().is_some() {
            self.complain("the game is over");
        } else if !self.persons_turn() {
            self.complain(format!("it is {}'s turn", self.side()));
        } else if self.paused {
            self.complain("the game is paused");
        } else if self
            .thinking
            .as_ref()
            .is_none_or(|thinking| !thinking.is_for_hint())
        {
            self.stop_thinking();
            self.hint = None;
            self.is_judged = true;
            self.think(
                Purpose::Hint,
                self.settings.hint_limits.clone(),
                Mind::Adviser,
            );
        }
    }

    pub(super) fn toggle_judging(&mut self) {
        self.judging = !self.judging;
        self.is_judged = false;
        if !self.judging {
            self.judgement = None;
            let judges = |thinking: &Thinking| thinking.purpose == Purpose::Judgement;
            if self.thinking.as_ref().is_some_and(judges) {
                self.stop_thinking();
            }
        }
    }

    /// Word from a search; what an old one says is of no interest.
    pub(super) fn hear(&mut self, id: u64, event: SearchEvent) {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.id == id) else {
            return;
        };
        let purpose = thinking.purpose;
        match event {
            SearchEvent::Line(line) => {
                if line.bound == Bound::Exact && line.multipv == 1 {
                    self.judge_by(&line, purpose);
                }
                if let Some(thinking) = &mut self.thinking {
                    thinking.line = Some(line);
                }
            }
            SearchEvent::Done(result) => {
                self.thinking = None;
                self.conclude(purpose, &result);
            }
            SearchEvent::Failed(text) => {
                self.thinking = None;
                // Not again and again.
                self.is_judged = true;
                self.paused |= purpose == Purpose::Move;
                self.complain(format!("the engine cannot search: {text}"));
            }
        }
    }

    /// Keeps what a line says about the position, if that is wanted. A player that is held back is no
    /// judge: it misjudges every position.
    fn judge_by(&mut self, line: &Line, purpose: Purpose) {
        let is_wanted = match purpose {
            Purpose::Hint => true,
            Purpose::Judgement => self.judging,
            Purpose::Move => self.judging && self.settings.level == Level::FULL,
        };
        if is_wanted {
            let evaluation = &self.settings.evaluation;
            self.judgement = Some(Judgement::of(line, &self.game, evaluation));
        }
    }

    fn conclude(&mut self, purpose: Purpose, result: &SearchResult) {
        let (rules, position) = (self.game.rules(), self.game.position());
        let best = result
            .best
            .and_then(|mv| Some((shortest_path(rules, position, mv)?, mv)));
        let line = result.lines.first();
        if let Some(line) = line {
            self.judge_by(line, purpose);
        }
        match (purpose, best, line) {
            (Purpose::Move, Some((path, mv)), _) => {
                // While the program halts, the search measures on and the game does not.
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
                let evaluation = &self.settings.evaluation;
                let judgement = Judgement::of(line, &self.game, evaluation);
                self.hint = Some(Hint { path, judgement });
            }
            (Purpose::Judgement, ..) => {}
            (Purpose::Move | Purpose::Hint, ..) => {
                self.paused |= purpose == Purpose::Move;
                self.complain("the engine has found no move");
            }
        }
    }
}

//! Games played on the model, with searches answered at once.

mod ending;
mod history;
mod moving;
mod searching;

use std::collections::VecDeque;

use super::Model;
use crate::play::{Effect, Input, PlaySettings, Player, SearchEvent, SearchRequest};
use vato_engine::eval::Evaluation;
use vato_engine::notation::{format_fen, format_path, parse_fen};
use vato_engine::rules::parse_rules;
use vato_engine::search::{Control, Limits, SearchSettings, Searcher, Strength};

/// A model, and the effects it has requested.
struct Sitting {
    model: Model,
    effects: VecDeque<Effect>,
    searcher: Searcher,
}

fn settings(rules: &str, player: Player) -> PlaySettings {
    let rules = parse_rules(rules).expect("rules");
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    PlaySettings {
        rules,
        start: rules.start(),
        player,
        level: Strength::FULL_LEVEL,
        limits: limits.clone(),
        hint_limits: limits,
        clock: None,
        evaluation: Evaluation::default(),
    }
}

fn from_fen(rules: &str, player: Player, fen: &str) -> PlaySettings {
    let settings = settings(rules, player);
    PlaySettings {
        start: parse_fen(fen, settings.rules.board).expect(fen),
        ..settings
    }
}

impl Sitting {
    fn new(settings: PlaySettings) -> Sitting {
        let (model, effects) = Model::new(settings);
        Sitting {
            model,
            effects: effects.into(),
            searcher: Searcher::new(),
        }
    }

    fn tell(&mut self, input: Input) {
        self.effects.extend(self.model.update(input));
    }

    /// An input that must succeed.
    fn good(&mut self, input: Input) {
        self.tell(input);
        assert!(!self.failed(), "{:?}", self.model.notice());
    }

    /// An input that must fail; returns the message.
    fn bad(&mut self, input: Input) -> String {
        self.tell(input);
        assert!(self.failed(), "{:?}", self.model.notice());
        self.model.notice().expect("an error").text.clone()
    }

    fn failed(&self) -> bool {
        self.model.notice().is_some_and(|notice| notice.is_error)
    }

    fn turn(&mut self, text: &str) {
        self.good(Input::Turn(text.to_owned()));
    }

    /// The last search requested, unless it was stopped afterwards.
    fn wanted(&mut self) -> Option<SearchRequest> {
        let mut wanted = None;
        for effect in self.effects.drain(..) {
            match effect {
                Effect::Review(_) => {}
                Effect::Search(request) => wanted = Some(*request),
                Effect::StopSearch => wanted = None,
                Effect::Save { .. } | Effect::Open(_) => {}
            }
        }
        wanted
    }

    fn search(&mut self, request: &SearchRequest) -> SearchEvent {
        let control = Control::new();
        let searched = self.searcher.search(
            &SearchSettings::default(),
            &request.game,
            &request.limits,
            &control,
            &mut |_| {},
        );
        SearchEvent::Done(searched.expect("a small search"))
    }

    /// Answers searches until none is requested.
    fn settle(&mut self) {
        while let Some(request) = self.wanted() {
            let event = self.search(&request);
            self.tell(Input::Search {
                id: request.id,
                event,
            });
        }
    }

    fn turns(&self) -> Vec<String> {
        let board = self.model.game.rules().board;
        let turns = self.model.turns.iter();
        turns.map(|turn| format_path(&turn.path, board)).collect()
    }

    fn fen(&self) -> String {
        let game = &self.model.game;
        format_fen(game.position(), game.rules().board)
    }
}

//! The state of a game of a person against the engine.

mod record;
mod searching;
#[cfg(test)]
mod tests;
mod typed;

use std::time::Duration;

pub use self::record::{Ending, PlayedTurn};
pub use self::searching::{Hint, PositionScore, Thinking};

use self::record::turns_of;
use super::{Effect, Input, Notice, PERFECT_LEVEL, PlaySettings, Player};
use crate::clock::PlayerClock;
use crate::notation::pgn::GameRecord;
use vato_engine::board::{Move, Side};
use vato_engine::rules::{Game, Path};
use vato_engine::search::Strength;

/// A game of a person against the engine. Its state is for reading; [`Model::update`] changes it.
#[derive(Debug)]
pub struct Model {
    /// The settings of the game.
    pub settings: PlaySettings,
    /// The game after the last complete turn.
    pub game: Game,
    /// The seed of a weakened engine's mistakes in this game.
    seed: u64,
    /// The turns played, oldest first: those of `game` with their steps.
    pub turns: Vec<PlayedTurn>,
    /// Turns taken back; the last one is replayed first.
    undone: Vec<PlayedTurn>,
    /// An end not given by the rules: resignation or time.
    declared: Option<Ending>,
    clocks: Option<[PlayerClock; 2]>,
    /// The time the side to move has used for this turn.
    spent: Duration,
    /// The turns that the one typed last may be, while the person is asked which.
    asked: Vec<(Path, Move)>,
    /// The best move, while a hint is displayed.
    pub hint: Option<Hint>,
    /// The running search.
    pub thinking: Option<Thinking>,
    searches: u64,
    /// Whether the game is paused.
    pub paused: bool,
    unsaved: bool,
    /// The record that the game was read from.
    read: Option<GameRecord>,
    /// Whether the game is unchanged since it was read.
    is_as_read: bool,
    notice: Option<Notice>,
    /// The effects requested by the current input.
    effects: Vec<Effect>,
}

impl Model {
    /// A new game and its first effects.
    pub fn new(settings: PlaySettings) -> (Model, Vec<Effect>) {
        let game = Game::from_position(settings.rules, settings.start);
        let mut model = Model {
            clocks: settings.clock.map(|control| {
                Side::BOTH.map(|_| PlayerClock::new(Some(control), None, Duration::ZERO))
            }),
            settings,
            seed: Strength::drawn_seed(),
            turns: Vec::new(),
            undone: Vec::new(),
            declared: None,
            spent: Duration::ZERO,
            game,
            asked: Vec::new(),
            hint: None,
            thinking: None,
            searches: 0,
            paused: false,
            unsaved: false,
            read: None,
            is_as_read: false,
            notice: None,
            effects: Vec::new(),
        };
        model.settle();
        let effects = std::mem::take(&mut model.effects);
        (model, effects)
    }

    /// Applies an input; returns the effects it requests.
    pub fn update(&mut self, input: Input) -> Vec<Effect> {
        if !matches!(input, Input::Search { .. } | Input::Elapsed(_)) {
            self.notice = None;
        }
        match input {
            Input::Capture(capture) => self.choose_capture(capture),
            Input::Turn(text) => self.typed(&text),
            Input::TakeBack => self.take_back(),
            Input::Redo => self.redo(),
            Input::Level(level) => {
                self.settings.level = level.min(PERFECT_LEVEL);
                self.stop_thinking();
                self.tell(format!("the engine plays at level {}", self.settings.level));
            }
            Input::Players(player) => {
                self.settings.player = player;
                self.asked.clear();
                self.paused = false;
                self.stop_thinking();
                self.tell(format!("people play: {player}"));
            }
            Input::Review if self.clocks.is_some() && self.ending().is_none() => {
                self.complain("the clock runs: review the game when it is over");
            }
            Input::Review => self
                .effects
                .push(Effect::Review(Box::new(self.game.clone()))),
            Input::Hint => self.ask_for_hint(),
            Input::TogglePause => {
                self.paused = !self.paused;
                if self.paused {
                    self.stop_thinking();
                }
            }
            Input::Resign => self.resign(),
            Input::NewGame => {
                self.begin_anew(self.settings.clone());
                self.tell("a new game");
            }
            Input::Save { path, replace } => match self.record() {
                Ok(record) => self.effects.push(Effect::Save {
                    path,
                    record: Box::new(record),
                    is_of_today: self.read.is_none(),
                    replace,
                }),
                Err(error) => self.complain(error.to_string()),
            },
            Input::Saved(path) => {
                self.unsaved = false;
                self.tell(format!("saved in {}", path.display()));
            }
            Input::Open(path) => self.effects.push(Effect::Open(path)),
            Input::Opened(found) => {
                let (path, number, games) = (found.path.display(), found.number, found.games);
                match self.take_over(found.record) {
                    Ok(()) if games == 1 => self.tell(format!("read {path}")),
                    Ok(()) => self.tell(format!(
                        "read game {number} of {games}; {path}#N opens game N"
                    )),
                    Err(error) => self.complain(format!("{path}: {error}")),
                }
            }
            Input::Failed(text) => self.complain(text),
            Input::Search { id, event } => self.hear(id, event),
            Input::Elapsed(time) => self.elapse(time),
        }
        self.settle();
        std::mem::take(&mut self.effects)
    }

    /// Continues the game of a record. If it does not replay, the current game stays.
    fn take_over(&mut self, record: GameRecord) -> Result<(), String> {
        let (game, turns) = turns_of(&record).map_err(|error| error.to_string())?;
        let settings = PlaySettings {
            rules: *game.rules(),
            start: *game.start(),
            ..self.settings.clone()
        };
        self.begin_anew(settings);
        self.game = game;
        self.turns = turns;
        self.read = Some(record);
        self.is_as_read = true;
        self.position_changed();
        Ok(())
    }

    fn begin_anew(&mut self, settings: PlaySettings) {
        self.stop_thinking();
        let (model, _) = Model::new(settings);
        *self = Model {
            // Searches of the old game may still report: their numbers must not recur.
            searches: self.searches,
            effects: std::mem::take(&mut self.effects),
            thinking: None,
            ..model
        };
    }

    fn resign(&mut self) {
        if self.ending().is_some() {
            self.complain("the game is over");
        } else if !self.is_players_turn() {
            self.complain("only the player to move can resign");
        } else {
            self.declare(Ending::Resigned(self.side()));
        }
    }

    /// Ends the game otherwise than by the rules.
    fn declare(&mut self, ending: Ending) {
        self.declared = Some(ending);
        self.mark_changed();
        self.asked.clear();
        self.stop_thinking();
    }

    fn mark_changed(&mut self) {
        self.unsaved = true;
        self.is_as_read = false;
    }

    /// Clears everything that belonged to the previous position.
    fn position_changed(&mut self) {
        self.stop_thinking();
        self.asked.clear();
        self.hint = None;
        self.spent = Duration::ZERO;
    }

    /// Undoes the last action of a person: an open choice of capture, a resignation, or the last turn of a person together
    /// with the engine's reply.
    fn take_back(&mut self) {
        if self.is_asking() {
            self.asked.clear();
            return;
        }
        if let Some(Ending::Resigned(_)) = self.declared {
            self.declared = None;
            self.mark_changed();
            return;
        }
        let player = self.settings.player;
        if player == Player::Neither && !self.paused && self.ending().is_none() {
            self.complain("pause the game first");
            return;
        }
        let kept = match player {
            Player::Neither => self.turns.len().checked_sub(1),
            _ => self
                .turns
                .iter()
                .rposition(|turn| player.plays(turn.before.side()) && turn.mv != Move::PASS),
        };
        let Some(kept) = kept else {
            self.complain("there is nothing to take back");
            return;
        };
        let taken = self.turns.split_off(kept);
        if let Some(first) = taken.first()
            && first.clocks.is_some()
        {
            self.clocks.clone_from(&first.clocks);
        }
        let count = taken.len();
        self.undone.extend(taken.into_iter().rev());
        self.declared = None;
        // Otherwise the engine, playing both sides, would move again at once.
        self.paused |= player == Player::Neither;
        self.replay();
        self.tell(match count {
            1 => "one turn taken back".to_owned(),
            _ => format!("{count} turns taken back"),
        });
    }

    /// Replays turns taken back, up to the next turn of a person.
    fn redo(&mut self) {
        if self.undone.is_empty() {
            self.complain("nothing was taken back");
            return;
        }
        if let Some(ending) = self.declared {
            self.complain(format!("the game is over ({ending})"));
            return;
        }
        let player = self.settings.player;
        while let Some(turn) = self.undone.pop() {
            self.turns.push(turn);
            let next = self.undone.last();
            let is_asked =
                |next: &PlayedTurn| player.plays(next.before.side()) && next.mv != Move::PASS;
            if next.is_none_or(|next| player == Player::Neither || is_asked(next)) {
                break;
            }
        }
        self.replay();
    }

    /// Rebuilds the game from the turns.
    fn replay(&mut self) {
        let mut game = Game::from_position(*self.game.rules(), *self.game.start());
        for turn in &self.turns {
            // They were legal when first played.
            if game.play(turn.mv).is_err() {
                break;
            }
        }
        self.game = game;
        self.mark_changed();
        self.position_changed();
    }

    fn elapse(&mut self, time: Duration) {
        let side = self.side();
        if self.paused || self.ending().is_some() {
            return;
        }
        self.spent += time;
        let Some(clocks) = &self.clocks else {
            return;
        };
        if clocks[side.index()]
            .allowance()
            .is_some_and(|most| self.spent > most)
        {
            self.declare(Ending::TimeUp(side));
        }
    }

    /// The time until the side to move loses on time if it does not move; `None` if no clock runs.
    pub fn time_to_flag(&self) -> Option<Duration> {
        if self.paused || self.ending().is_some() {
            return None;
        }
        let most = self.clocks.as_ref()?[self.side().index()].allowance()?;
        // The flag falls only once the time is exceeded.
        Some(most.saturating_sub(self.spent) + Duration::from_nanos(1))
    }

    /// The time left on the clock of `side`; `None` without clocks.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let remaining = self.clocks.as_ref()?[side.index()].clock()?.remaining;
        let spent = match side == self.side() {
            true => self.spent,
            false => Duration::ZERO,
        };
        Some(remaining.saturating_sub(spent))
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: false,
        });
    }

    fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            is_error: true,
        });
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.game.position().side()
    }

    /// How the game ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.declared.or(self.game.outcome().map(Ending::Rules))
    }

    /// Whether a person is to move.
    pub fn is_players_turn(&self) -> bool {
        self.ending().is_none() && self.settings.player.plays(self.side())
    }

    /// Whether leaving the game now would lose turns.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved && !self.turns.is_empty()
    }

    /// Whether the person is asked by which capture the turn typed last goes on.
    pub fn is_asking(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The last message to the person.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }
}

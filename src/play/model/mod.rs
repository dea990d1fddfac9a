//! The state of a game of a person against the engine.

mod history;
mod moving;
mod searching;
#[cfg(test)]
mod tests;
mod timing;

use std::time::Duration;

pub use self::searching::Thinking;

use super::judgement::{Hint, Judgement};
use super::record::{record_of, turns_of};
use super::{Effect, Ending, Hand, Input, Notice, PlaySettings, PlayedTurn};
use crate::board::{Bitboard, BoardSize, Point, Side};
use crate::clock::PlayerClock;
use crate::notation::pgn::{GameRecord, RecordError};
use crate::rules::{Game, movable_stones};
use crate::search::Strength;

/// A game of a person against the engine.
#[derive(Debug)]
pub struct Model {
    settings: PlaySettings,
    game: Game,
    /// What the mistakes of a weak engine derive from in this game.
    seed: u64,
    /// The turns played, oldest first: those of `game`, step by step.
    turns: Vec<PlayedTurn>,
    /// Turns that were taken back, the one to play again first at the end.
    undone: Vec<PlayedTurn>,
    /// An end that is not by the rules.
    declared: Option<Ending>,
    clocks: Option<[PlayerClock; 2]>,
    /// What the side to move has used of its time for this turn.
    spent: Duration,
    cursor: Point,
    /// The stones of the side to move that can move.
    movable: Bitboard,
    hand: Option<Hand>,
    hint: Option<Hint>,
    judging: bool,
    /// Whether this position was judged, or need not be.
    is_judged: bool,
    judgement: Option<Judgement>,
    thinking: Option<Thinking>,
    searches: u64,
    paused: bool,
    /// Whether there are turns that no file has.
    unsaved: bool,
    /// The record that the game was read from.
    read: Option<GameRecord>,
    /// Whether nothing has happened in the game since it was read.
    is_as_read: bool,
    notice: Option<Notice>,
    /// What the input under way leads to.
    effects: Vec<Effect>,
}

impl Model {
    /// A new game, and what is to be done to begin it.
    #[must_use]
    pub fn new(settings: PlaySettings) -> (Model, Vec<Effect>) {
        let game = Game::from_position(settings.rules, settings.start);
        let centre = centre(settings.rules.board);
        let mut model = Model {
            clocks: settings.clock.map(|control| {
                Side::BOTH.map(|_| PlayerClock::new(Some(control), None, Duration::ZERO))
            }),
            judging: settings.judging,
            settings,
            seed: Strength::drawn_seed(),
            turns: Vec::new(),
            undone: Vec::new(),
            declared: None,
            spent: Duration::ZERO,
            cursor: centre,
            movable: movable_stones(game.rules(), game.position()),
            game,
            hand: None,
            hint: None,
            is_judged: false,
            judgement: None,
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

    /// Takes an input; says what is to be done about it.
    pub fn update(&mut self, input: Input) -> Vec<Effect> {
        if !matches!(input, Input::Search { .. } | Input::Elapsed(_)) {
            self.notice = None;
        }
        match input {
            Input::MoveCursor { files, ranks } => self.move_cursor(files, ranks),
            Input::Choose(point) => self.choose(point),
            Input::ChooseAtCursor => self.choose(self.cursor),
            Input::Capture(capture) => self.choose_capture(capture),
            Input::EndTurn => self.end_turn(),
            Input::PutDown => self.hand = None,
            // As with all that a person does.
            Input::NoticeRead => {}
            Input::Turn(text) => self.typed(&text),
            Input::TakeBack => self.take_back(),
            Input::Redo => self.redo(),
            Input::Hint => self.ask_for_hint(),
            Input::ToggleJudging => self.toggle_judging(),
            Input::TogglePause => self.toggle_pause(),
            Input::Resign => self.resign(),
            Input::NewGame => self.new_game(),
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
            Input::Opened {
                path,
                record,
                games,
            } => match self.take_over(*record) {
                Ok(()) => {
                    let others = match games {
                        1 => String::new(),
                        _ => format!(", the first of {games} games"),
                    };
                    self.tell(format!("read {}{others}", path.display()));
                }
                Err(error) => self.complain(format!("{}: {error}", path.display())),
            },
            Input::Failed(text) => self.complain(text),
            Input::Search { id, event } => self.hear(id, event),
            Input::Elapsed(time) => self.elapse(time),
        }
        self.settle();
        std::mem::take(&mut self.effects)
    }

    /// The game as a record, without a date. A game in which nothing has happened since it was read is
    /// the record that was read, with all that it says about the game and its end.
    ///
    /// # Errors
    ///
    /// If it has more moves than a record holds.
    pub fn record(&self) -> Result<GameRecord, RecordError> {
        if let Some(read) = self.read.as_ref().filter(|_| self.is_as_read) {
            return Ok(read.clone());
        }
        let mut tags = Vec::new();
        for side in Side::BOTH {
            let (name, kind) = match self.settings.person.plays(side) {
                true => ("Person".to_owned(), "human"),
                false => (
                    format!(
                        "Vato {} (level {})",
                        env!("CARGO_PKG_VERSION"),
                        self.settings.level
                    ),
                    "program",
                ),
            };
            let [name_tag, kind_tag] = match side {
                Side::White => ["White", "WhiteType"],
                Side::Black => ["Black", "BlackType"],
            };
            tags.push((name_tag, name));
            tags.push((kind_tag, kind.to_owned()));
        }
        if let Some(control) = self.settings.clock {
            tags.push(("TimeControl", control.to_string()));
        }
        let read = self.read.as_ref();
        record_of(&self.game, &self.turns, self.ending(), read, &tags)
    }

    /// Goes on with the game of a record. If it does not replay, this one stays.
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

    fn new_game(&mut self) {
        self.begin_anew(self.settings.clone());
        self.tell("a new game");
    }

    /// A new game in place of this one.
    fn begin_anew(&mut self, settings: PlaySettings) {
        self.stop_thinking();
        let (model, _) = Model::new(settings);
        *self = Model {
            judging: self.judging,
            // Searches of the old game may still have something to say.
            searches: self.searches,
            effects: std::mem::take(&mut self.effects),
            thinking: None,
            is_judged: false,
            ..model
        };
    }

    fn resign(&mut self) {
        if self.ending().is_some() {
            self.complain("the game is over");
        } else if !self.persons_turn() {
            self.complain("only the player to move can resign");
        } else {
            self.declared = Some(Ending::Resigned(self.side()));
            self.mark_changed();
            self.hand = None;
            self.stop_thinking();
        }
    }

    fn toggle_pause(&mut self) {
        self.paused = !self.paused;
        if self.paused {
            self.stop_thinking();
        }
    }

    /// The game is not what any file has.
    fn mark_changed(&mut self) {
        self.unsaved = true;
        self.is_as_read = false;
    }

    /// The position is another one: what belonged to the old one is gone.
    fn position_changed(&mut self) {
        self.stop_thinking();
        self.movable = movable_stones(self.game.rules(), self.game.position());
        self.hand = None;
        self.hint = None;
        self.is_judged = false;
        self.spent = Duration::ZERO;
    }

    fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::info(text));
    }

    fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::error(text));
    }

    /// What the game is played with.
    #[must_use]
    pub fn settings(&self) -> &PlaySettings {
        &self.settings
    }

    /// The game as far as whole turns were played.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The turns played, oldest first.
    #[must_use]
    pub fn turns(&self) -> &[PlayedTurn] {
        &self.turns
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.game.position().side()
    }

    /// How the game ended; `None` while it is under way.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.declared.or(self.game.outcome().map(Ending::Rules))
    }

    /// Whether a person is to move.
    #[must_use]
    pub fn persons_turn(&self) -> bool {
        self.ending().is_none() && self.settings.person.plays(self.side())
    }

    /// Whether the game halts.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether turns would be lost if the game were given up now.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.unsaved && !self.turns.is_empty()
    }

    /// The point under the cursor.
    #[must_use]
    pub fn cursor(&self) -> Point {
        self.cursor
    }

    /// The stone that the person has taken up.
    #[must_use]
    pub fn hand(&self) -> Option<&Hand> {
        self.hand.as_ref()
    }

    /// The stones of the person to move that can move; none when no person is to move.
    #[must_use]
    pub fn movable(&self) -> Bitboard {
        match self.persons_turn() {
            true => self.movable,
            false => Bitboard::EMPTY,
        }
    }

    /// The stones of one side as the person sees them: with the steps of the turn under way.
    #[must_use]
    pub fn stones(&self, side: Side) -> Bitboard {
        let stones = self.game.position().stones(side);
        match &self.hand {
            None => stones,
            Some(hand) if side == self.side() => {
                (stones - hand.turn.from().into()) | hand.turn.at().into()
            }
            Some(hand) => stones - hand.turn.captured(),
        }
    }

    /// The last line for the person.
    #[must_use]
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }
}

/// The point in the middle of a board.
fn centre(board: BoardSize) -> Point {
    match board.point(board.columns() / 2, board.rows() / 2) {
        Some(point) => point,
        None => unreachable!("every board has a centre"),
    }
}

//! A game on the whole terminal.

mod board;
mod event_loop;
mod frame;
mod help;
mod keys;
mod terminal;
mod theme;
mod view;
#[cfg(test)]
mod view_tests;

use std::path::PathBuf;

use vato::notation::Charset;
use vato::play::{Effect, Input, Model, Player};

use self::board::Geometry;
use self::keys::{Entry, Wanted};
use self::theme::Theme;

pub(super) use self::event_loop::run;

/// What the player is doing beside looking at the board.
enum Mode {
    /// Playing.
    Board,
    /// Typing a move or the name of a file.
    Typing(Entry),
    /// Answering yes or no.
    Asked(Question),
    /// Reading about the keys.
    Help,
    /// Reading the rules.
    Rules,
    /// Reading how the game was played.
    Review(Vec<String>),
}

/// Something that is done only if the player agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// Leaving a game that is not saved.
    Quit,
    /// Another game in place of one that is not saved.
    NewGame,
    /// The game of a file in place of one that is not saved.
    Open,
    /// Giving up.
    Resign,
    /// Replacing a file.
    Replace(PathBuf),
}

impl Question {
    /// The question in words.
    fn text(&self) -> String {
        match self {
            Question::Quit => "The game is not saved. Quit? (y/n)".to_owned(),
            Question::NewGame => "The game is not saved. Begin another? (y/n)".to_owned(),
            Question::Open => "The game is not saved. Open another? (y/n)".to_owned(),
            Question::Resign => "Resign? (y/n)".to_owned(),
            Question::Replace(path) => format!("{} exists. Replace it? (y/n)", path.display()),
        }
    }
}

/// Everything on the screen: the game, and how it is looked at.
struct Screen {
    model: Model,
    mode: Mode,
    /// Whether Black sits at the bottom.
    flipped: bool,
    charset: Charset,
    theme: Theme,
    /// Where the board was drawn last; `None` if there was no room.
    geometry: Option<Geometry>,
    /// Counts up while time goes by, so that people see that something is going on.
    beat: usize,
    /// The file that was named last.
    path: String,
    /// Whether the program is to halt until the player comes back to it.
    is_to_halt: bool,
    /// Whether the player is done.
    done: bool,
}

impl Screen {
    fn new(model: Model, charset: Charset, theme: Theme) -> Screen {
        // A player with the black stones wants them at hand.
        let flipped = model.settings().player == Player::Black;
        Screen {
            model,
            mode: Mode::Board,
            flipped,
            charset,
            theme,
            geometry: None,
            beat: 0,
            path: "game.pgn".to_owned(),
            is_to_halt: false,
            done: false,
        }
    }

    /// A file exists, and may be replaced only if the player says so.
    fn ask_to_replace(&mut self, path: PathBuf) {
        self.mode = Mode::Asked(Question::Replace(path));
    }

    /// The player turns to something else, and what was said before is no longer of interest.
    fn turn_to(&mut self, mode: Mode) -> Vec<Effect> {
        self.mode = mode;
        self.model.update(Input::NoticeRead)
    }

    /// Does something that would lose an unsaved game, once the player has agreed.
    fn unless_unsaved(&mut self, question: Question) -> Vec<Effect> {
        if self.model.is_unsaved() {
            return self.turn_to(Mode::Asked(question));
        }
        self.agree(question)
    }

    /// Does what the player was asked about.
    fn agree(&mut self, question: Question) -> Vec<Effect> {
        self.mode = Mode::Board;
        match question {
            Question::Quit => self.done = true,
            Question::NewGame => return self.model.update(Input::NewGame),
            Question::Resign => return self.model.update(Input::Resign),
            Question::Open => {
                return self.turn_to(Mode::Typing(Entry::new(Wanted::Open, &self.path)));
            }
            Question::Replace(path) => {
                return self.model.update(Input::Save {
                    path,
                    replace: true,
                });
            }
        }
        Vec::new()
    }

    /// Takes what was typed. A move that is wrong stays, to be put right.
    fn submit(&mut self, entry: Entry) -> Vec<Effect> {
        self.mode = Mode::Board;
        let text = entry.text().trim().to_owned();
        if text.is_empty() {
            return self.turn_to(Mode::Board);
        }
        match entry.wanted {
            Wanted::Turn => {
                let effects = self.model.update(Input::Turn(text));
                if self.model.notice().is_some_and(|notice| notice.is_error) {
                    self.mode = Mode::Typing(entry);
                }
                effects
            }
            Wanted::Save => {
                self.path.clone_from(&text);
                self.model.update(Input::Save {
                    path: PathBuf::from(text),
                    replace: false,
                })
            }
            Wanted::Open => {
                self.path.clone_from(&text);
                self.model.update(Input::Open(PathBuf::from(text)))
            }
        }
    }
}

//! The full-screen mode.

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

use std::cell::Cell;
use std::path::PathBuf;

use vato_engine::notation::Charset;
use vato_tools::play::{Effect, Input, Model, Player};

use self::board::Geometry;
use self::help::Page;
use self::keys::{Entry, Wanted};
use self::theme::Theme;

pub(super) use self::event_loop::run;

enum Mode {
    Board,
    /// Typing a move or the name of a file.
    Typing(Entry),
    Asked(Question),
    /// Reading a page, from this line on.
    Page(Page, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// To quit with an unsaved game.
    Quit,
    /// A new game in place of an unsaved one.
    NewGame,
    /// A game of a file in place of an unsaved one.
    Open,
    Resign,
    /// To replace this file.
    Replace(PathBuf),
}

impl Question {
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

/// The name first proposed for saving a game.
const OWN_PATH: &str = "game.pgn";

struct Screen {
    model: Model,
    mode: Mode,
    /// Whether Black is at the bottom.
    flipped: bool,
    charset: Charset,
    theme: Theme,
    /// The geometry of the board when last drawn; `None` if it did not fit.
    geometry: Option<Geometry>,
    /// The line of a page that comes next, if not all of it was drawn.
    next_part: Cell<Option<usize>>,
    /// A counter that advances with time, for the activity indicator.
    beat: usize,
    /// The file named last.
    path: String,
    /// The name proposed for saving: never that of a file that was opened, which may have more games.
    own_path: String,
    /// Whether the program is to suspend itself.
    is_to_halt: bool,
    done: bool,
}

impl Screen {
    fn new(model: Model, charset: Charset, theme: Theme) -> Screen {
        // A player with the black stones sees them at the bottom.
        let flipped = model.settings.player == Player::Black;
        Screen {
            model,
            mode: Mode::Board,
            flipped,
            charset,
            theme,
            geometry: None,
            next_part: Cell::new(None),
            beat: 0,
            path: OWN_PATH.to_owned(),
            own_path: OWN_PATH.to_owned(),
            is_to_halt: false,
            done: false,
        }
    }

    /// Switches to another mode and clears the notice.
    fn turn_to(&mut self, mode: Mode) -> Vec<Effect> {
        self.mode = mode;
        self.model.update(Input::NoticeRead)
    }

    /// Does what the question is about: at once if the game is saved, else after asking.
    fn unless_unsaved(&mut self, question: Question) -> Vec<Effect> {
        if self.model.is_unsaved() {
            return self.turn_to(Mode::Asked(question));
        }
        self.agree(question)
    }

    fn agree(&mut self, question: Question) -> Vec<Effect> {
        self.mode = Mode::Board;
        let replace = true;
        match question {
            Question::Quit => {
                self.done = true;
                Vec::new()
            }
            Question::NewGame => self.model.update(Input::NewGame),
            Question::Resign => self.model.update(Input::Resign),
            Question::Open => self.turn_to(Mode::Typing(Entry::new(Wanted::Open, &self.path))),
            Question::Replace(path) => self.model.update(Input::Save { path, replace }),
        }
    }

    /// Submits the typed line. An illegal move stays for correction.
    fn submit(&mut self, entry: Entry) -> Vec<Effect> {
        self.mode = Mode::Board;
        let text = entry.text.trim().to_owned();
        let (path, replace) = (PathBuf::from(&text), false);
        let input = match entry.wanted {
            _ if text.is_empty() => Input::NoticeRead,
            Wanted::Turn => {
                let effects = self.model.update(Input::Turn(text));
                if self.model.notice().is_some_and(|notice| notice.is_error) {
                    self.mode = Mode::Typing(entry);
                }
                return effects;
            }
            Wanted::Save => Input::Save { path, replace },
            Wanted::Open => Input::Open(path),
        };
        if !text.is_empty() {
            let is_own = entry.wanted == Wanted::Save;
            self.own_path = if is_own { &text } else { OWN_PATH }.to_owned();
            self.path = text;
        }
        self.model.update(input)
    }
}

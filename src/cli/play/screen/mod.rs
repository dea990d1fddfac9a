//! A game on the whole terminal.

mod board;
mod entry;
mod event_loop;
mod geometry;
mod help;
mod keys;
mod move_list;
mod panel;
mod question;
mod signals;
mod signs;
mod terminal;
mod theme;
mod view;
#[cfg(test)]
mod view_tests;

use std::path::PathBuf;

use vato::notation::Charset;
use vato::play::{Effect, Input, Model};

use self::entry::{Entry, Wanted};
use self::geometry::Geometry;
use self::question::Question;
use self::theme::Theme;

pub(super) use self::event_loop::run;

/// What the person is doing beside looking at the board.
enum Mode {
    /// Playing.
    Board,
    /// Typing a move or the name of a file.
    Typing(Entry),
    /// Answering yes or no.
    Asked(Question),
    /// Reading about the keys.
    Help,
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
    /// Whether the program is to halt until the person comes back to it.
    is_to_halt: bool,
    /// Whether the person is done.
    done: bool,
}

impl Screen {
    fn new(model: Model, charset: Charset, theme: Theme) -> Screen {
        // A person with the black stones wants them at hand.
        let flipped = model.settings().person == vato::play::Person::Black;
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

    /// A file exists, and may be replaced only if the person says so.
    fn ask_to_replace(&mut self, path: PathBuf) {
        self.mode = Mode::Asked(Question::Replace(path));
    }

    /// The person turns to something else, and what was said before is no longer of interest.
    fn turn_to(&mut self, mode: Mode) -> Vec<Effect> {
        self.mode = mode;
        self.model.update(Input::NoticeRead)
    }

    /// Does something that would lose an unsaved game, once the person has agreed.
    fn unless_unsaved(&mut self, question: Question) -> Vec<Effect> {
        if self.model.is_unsaved() {
            return self.turn_to(Mode::Asked(question));
        }
        self.agree(question)
    }

    /// Does what the person was asked about.
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
        match entry.wanted() {
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

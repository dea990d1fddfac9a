//! What keys and the mouse do.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use tui_input::{Input as LineInput, InputRequest};
use vato::play::{Effect, Hand, Input};
use vato::rules::Capture;

use super::{Mode, Question, Screen};

impl Screen {
    /// Takes a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => {
                    self.done = true;
                    return Vec::new();
                }
                // Elsewhere there is no shell that would let it go on.
                KeyCode::Char('z') if cfg!(unix) => {
                    self.is_to_halt = true;
                    return Vec::new();
                }
                _ => {}
            }
        }
        match std::mem::replace(&mut self.mode, Mode::Board) {
            Mode::Board => self.board_key(key),
            // Any key leads back.
            Mode::Help => Vec::new(),
            Mode::Asked(question) => match key.code {
                KeyCode::Char('y' | 'Y') => self.agree(question),
                KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Vec::new(),
                _ => {
                    self.mode = Mode::Asked(question);
                    Vec::new()
                }
            },
            Mode::Typing(mut entry) => match key.code {
                KeyCode::Enter => self.submit(entry),
                KeyCode::Esc => self.turn_to(Mode::Board),
                KeyCode::Backspace if entry.text().is_empty() => self.turn_to(Mode::Board),
                _ => {
                    entry.take(key);
                    self.mode = Mode::Typing(entry);
                    Vec::new()
                }
            },
        }
    }

    fn board_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let modified = KeyModifiers::CONTROL | KeyModifiers::ALT;
        if key.modifiers.intersects(modified) {
            return Vec::new();
        }
        let asking = self.model.hand().and_then(Hand::asking).is_some();
        let input = match key.code {
            KeyCode::Left => self.cursor_step(-1, 0),
            KeyCode::Right => self.cursor_step(1, 0),
            KeyCode::Up => self.cursor_step(0, 1),
            KeyCode::Down => self.cursor_step(0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => Input::ChooseAtCursor,
            KeyCode::Char('a' | 'A') if asking => Input::Capture(Capture::Approach),
            KeyCode::Char('w' | 'W') if asking => Input::Capture(Capture::Withdrawal),
            KeyCode::Char('.') => Input::EndTurn,
            KeyCode::Esc => Input::PutDown,
            KeyCode::Char('u') | KeyCode::Backspace => Input::TakeBack,
            KeyCode::Char('r') => Input::Redo,
            KeyCode::Char('t') => Input::Hint,
            KeyCode::Char('v') => Input::ToggleJudging,
            KeyCode::Char('p') => Input::TogglePause,
            KeyCode::Char('o') => {
                self.flipped = !self.flipped;
                return Vec::new();
            }
            KeyCode::Char('s') => {
                return self.turn_to(Mode::Typing(Entry::new(Wanted::Save, &self.path)));
            }
            KeyCode::Char('l') => return self.unless_unsaved(Question::Open),
            KeyCode::Char('n') => return self.unless_unsaved(Question::NewGame),
            KeyCode::Char('q') => return self.unless_unsaved(Question::Quit),
            KeyCode::Char('x') if self.model.is_players_turn() => {
                return self.turn_to(Mode::Asked(Question::Resign));
            }
            KeyCode::Char('?') | KeyCode::F(1) => {
                self.mode = Mode::Help;
                return Vec::new();
            }
            // The file that a move begins with.
            KeyCode::Char(file) if matches!(file.to_ascii_lowercase(), 'a'..='i') => {
                return self.turn_to(Mode::Typing(Entry::new(Wanted::Turn, &file.to_string())));
            }
            _ => return Vec::new(),
        };
        self.model.update(input)
    }

    /// A step of the cursor as the player sees the board.
    fn cursor_step(&self, right: i8, up: i8) -> Input {
        let sign = if self.flipped { -1 } else { 1 };
        Input::MoveCursor {
            files: sign * right,
            ranks: sign * up,
        }
    }

    /// Takes the mouse: the left button chooses a point, the right one takes back.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        if !matches!(self.mode, Mode::Board) {
            return Vec::new();
        }
        let input = match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let geometry = self.geometry;
                match geometry.and_then(|geometry| geometry.point_at(mouse.column, mouse.row)) {
                    Some(point) => Input::Choose(point),
                    None => return Vec::new(),
                }
            }
            MouseEventKind::Down(MouseButton::Right) => match self.model.hand() {
                Some(hand) if hand.turn().steps().is_empty() => Input::PutDown,
                _ => Input::TakeBack,
            },
            _ => return Vec::new(),
        };
        self.model.update(input)
    }
}

/// What is to be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A move.
    Turn,
    /// The file to save the game in.
    Save,
    /// The file to read a game from.
    Open,
}

/// A line under way.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) wanted: Wanted,
    input: LineInput,
}

impl Entry {
    /// A line that begins with `text`.
    pub(super) fn new(wanted: Wanted, text: &str) -> Entry {
        Entry {
            wanted,
            input: LineInput::new(text.to_owned()),
        }
    }

    /// What stands before the line.
    pub(super) fn label(&self) -> &'static str {
        match self.wanted {
            Wanted::Turn => "move: ",
            Wanted::Save => "save as: ",
            Wanted::Open => "open: ",
        }
    }

    /// What was typed so far.
    pub(super) fn text(&self) -> &str {
        self.input.value()
    }

    /// The part of the line that fits into `width` columns, and the column of the cursor in it.
    pub(super) fn visible(&self, width: usize) -> (String, u16) {
        let scroll = self.input.visual_scroll(width);
        let text: String = self.text().chars().skip(scroll).collect();
        let cursor = self.input.visual_cursor().saturating_sub(scroll);
        (text, u16::try_from(cursor).unwrap_or(u16::MAX))
    }

    /// Takes a key; others than those for typing do nothing.
    fn take(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let request = match key.code {
            KeyCode::Char('u') if control => InputRequest::DeleteLine,
            KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
            KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
            KeyCode::Char('a') if control => InputRequest::GoToStart,
            KeyCode::Char('e') if control => InputRequest::GoToEnd,
            KeyCode::Char(character) if !control => InputRequest::InsertChar(character),
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            _ => return,
        };
        self.input.handle(request);
    }
}

//! What keys and the mouse do.

use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use vato::play::{Effect, Input};
use vato::rules::Capture;

use super::entry::{Entry, Wanted};
use super::question::Question;
use super::{Mode, Screen};

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
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Vec::new();
        }
        let asking = self
            .model
            .hand()
            .is_some_and(|hand| hand.asking().is_some());
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
            KeyCode::Char('x') if self.model.persons_turn() => {
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

    /// A step of the cursor as the person sees the board.
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
                let point = self
                    .geometry
                    .and_then(|geometry| geometry.point_at(mouse.column, mouse.row));
                match point {
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

//! A line that is typed: a move, or the name of a file.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

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
    wanted: Wanted,
    input: Input,
}

impl Entry {
    /// A line that begins with `text`.
    pub(super) fn new(wanted: Wanted, text: &str) -> Entry {
        Entry {
            wanted,
            input: Input::new(text.to_owned()),
        }
    }

    /// What is to be typed.
    pub(super) fn wanted(&self) -> Wanted {
        self.wanted
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
    pub(super) fn take(&mut self, key: KeyEvent) {
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

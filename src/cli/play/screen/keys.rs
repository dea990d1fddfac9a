//! Key and mouse input.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use vato_engine::rules::Capture;
use vato_tools::play::{Effect, Input};

use super::board::Geometry;
use super::help::Page;
use super::{Mode, Question, Screen};

impl Screen {
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.mode = match std::mem::replace(&mut self.mode, Mode::Board) {
            mode if control && key.code == KeyCode::Char('c') => {
                self.done = true;
                mode
            }
            // Only on Unix can a shell resume the program.
            mode if control && key.code == KeyCode::Char('z') && cfg!(unix) => {
                self.is_to_halt = true;
                mode
            }
            Mode::Board => return self.board_key(key),
            // From the keys to the rules; any other key goes on, or back.
            Mode::Page(page, _) => match (page, key.code, self.next_part.get()) {
                (Page::Keys, KeyCode::Char('?') | KeyCode::F(1), _) => Mode::Page(Page::Rules, 0),
                (_, KeyCode::Esc | KeyCode::Char('q'), _) | (_, _, None) => Mode::Board,
                (page, _, Some(next)) => Mode::Page(page, next),
            },
            Mode::Asked(question) => match key.code {
                KeyCode::Char('y' | 'Y') => return self.agree(question),
                KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Mode::Board,
                // A turn that begins with an x: `xd3-e3`.
                KeyCode::Char(file)
                    if !control && question == Question::Resign && is_file(file) =>
                {
                    Mode::Typing(Entry::new(Wanted::Turn, &format!("x{file}")))
                }
                _ => Mode::Asked(question),
            },
            Mode::Typing(mut entry) => match key.code {
                KeyCode::Enter => return self.submit(entry),
                KeyCode::Esc => return self.turn_to(Mode::Board),
                KeyCode::Backspace if entry.text.is_empty() => return self.turn_to(Mode::Board),
                _ => {
                    entry.take(key);
                    Mode::Typing(entry)
                }
            },
        };
        Vec::new()
    }

    fn board_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let modified = KeyModifiers::CONTROL | KeyModifiers::ALT;
        if key.modifiers.intersects(modified) {
            return Vec::new();
        }
        let asking = self.model.hand().and_then(|hand| hand.asking).is_some();
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
            KeyCode::Char('<') => Input::StepBack,
            KeyCode::Char('>') => Input::StepForward,
            KeyCode::Char('+') => Input::Level(self.model.settings.level + 1),
            KeyCode::Char('-') => Input::Level(self.model.settings.level.saturating_sub(1)),
            KeyCode::Char('m') => Input::Players(self.model.settings.player.next()),
            KeyCode::Char('y') => Input::Review,
            KeyCode::Char('t') => Input::Hint,
            KeyCode::Char('v') => Input::ToggleJudging,
            KeyCode::Char('p') => Input::TogglePause,
            KeyCode::Char('o') => {
                self.flipped = !self.flipped;
                return Vec::new();
            }
            KeyCode::Char('s') => {
                return self.turn_to(Mode::Typing(Entry::new(Wanted::Save, &self.own_path)));
            }
            KeyCode::Char('l') => return self.unless_unsaved(Question::Open),
            KeyCode::Char('n') => return self.unless_unsaved(Question::NewGame),
            KeyCode::Char('q') => return self.unless_unsaved(Question::Quit),
            KeyCode::Char('x' | 'X') if self.model.is_players_turn() => {
                return self.turn_to(Mode::Asked(Question::Resign));
            }
            KeyCode::Char('?') | KeyCode::F(1) => {
                self.mode = Mode::Page(Page::Keys, 0);
                return Vec::new();
            }
            // The first letter of a move: its file.
            KeyCode::Char(file) if is_file(file) => {
                return self.turn_to(Mode::Typing(Entry::new(Wanted::Turn, &file.to_string())));
            }
            _ => return Vec::new(),
        };
        self.model.update(input)
    }

    /// Moves the cursor in the direction seen on the screen.
    fn cursor_step(&self, right: i8, up: i8) -> Input {
        let sign = if self.flipped { -1 } else { 1 };
        Input::MoveCursor {
            files: sign * right,
            ranks: sign * up,
        }
    }

    /// Handles the mouse: the left button chooses a point, the right one takes back.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        if !matches!(self.mode, Mode::Board) {
            return Vec::new();
        }
        let chosen = |geometry: Geometry| geometry.point_at(mouse.column, mouse.row);
        let input = match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.geometry.and_then(chosen).map(Input::Choose)
            }
            MouseEventKind::Down(MouseButton::Right) => match self.model.hand() {
                Some(hand) if hand.turn.steps().is_empty() => Some(Input::PutDown),
                _ => Some(Input::TakeBack),
            },
            _ => None,
        };
        input.map_or_else(Vec::new, |input| self.model.update(input))
    }
}

fn is_file(key: char) -> bool {
    matches!(key.to_ascii_lowercase(), 'a'..='i')
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Turn,
    Save,
    Open,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) wanted: Wanted,
    pub(super) text: String,
    /// The cursor position in bytes.
    cursor: usize,
    /// Whether the text is a suggestion, replaced by the first character typed.
    is_suggested: bool,
}

impl Entry {
    pub(super) fn new(wanted: Wanted, text: &str) -> Entry {
        Entry {
            wanted,
            text: text.to_owned(),
            cursor: text.len(),
            is_suggested: wanted != Wanted::Turn,
        }
    }

    pub(super) fn label(&self) -> &'static str {
        match self.wanted {
            Wanted::Turn => "move: ",
            Wanted::Save => "save as: ",
            Wanted::Open => "open: ",
        }
    }

    /// The part of the line visible in `width` columns, and the column of the cursor in it.
    pub(super) fn visible(&self, width: usize) -> (&str, u16) {
        let before = &self.text[..self.cursor];
        let start = before
            .grapheme_indices(true)
            .map(|(start, _)| start)
            .find(|&start| before[start..].width() <= width)
            .unwrap_or(self.cursor);
        let column = u16::try_from(before[start..].width()).unwrap_or(u16::MAX);
        (&self.text[start..], column)
    }

    /// Handles an editing key; others are ignored.
    fn take(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if std::mem::take(&mut self.is_suggested)
            && let (KeyCode::Char(_), false) = (key.code, control)
        {
            self.delete(0, self.text.len());
        }
        let (before, after) = self.text.split_at(self.cursor);
        let left = before.graphemes(true).next_back().map_or(0, str::len);
        let right = after.graphemes(true).next().map_or(0, str::len);
        let (left, right) = (self.cursor - left, self.cursor + right);
        match (key.code, control) {
            (KeyCode::Char('u'), true) => self.delete(0, self.text.len()),
            (KeyCode::Char('w'), true) => {
                let is_of_word = |c: char| !c.is_whitespace() && !c.is_ascii_punctuation();
                let mut words = before.split_word_bound_indices();
                let word = words.rfind(|(_, word)| word.contains(is_of_word));
                self.delete(word.map_or(0, |(start, _)| start), self.cursor);
            }
            (KeyCode::Char('k'), true) => self.delete(self.cursor, self.text.len()),
            (KeyCode::Char('a'), true) | (KeyCode::Home, _) => self.cursor = 0,
            (KeyCode::Char('e'), true) | (KeyCode::End, _) => self.cursor = self.text.len(),
            (KeyCode::Char(character), false) => {
                self.text.insert(self.cursor, character);
                self.cursor += character.len_utf8();
            }
            (KeyCode::Backspace, _) => self.delete(left, self.cursor),
            (KeyCode::Delete, _) => self.delete(self.cursor, right),
            (KeyCode::Left, _) => self.cursor = left,
            (KeyCode::Right, _) => self.cursor = right,
            _ => {}
        }
    }

    /// Deletes the bytes from `start` to `end` and puts the cursor there.
    fn delete(&mut self, start: usize, end: usize) {
        self.text.replace_range(start..end, "");
        self.cursor = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_edited() {
        let mut entry = Entry::new(Wanted::Save, "games/one two.pgn");
        for (code, control, expected) in [
            (KeyCode::Char('w'), true, "games/one |"),
            (KeyCode::Char('w'), true, "games/|"),
            (KeyCode::Char('日'), false, "games/日|"),
            (KeyCode::Char('e'), false, "games/日e|"),
            (KeyCode::Char('\u{301}'), false, "games/日e\u{301}|"),
            (KeyCode::Left, false, "games/日|e\u{301}"),
            (KeyCode::Right, false, "games/日e\u{301}|"),
            (KeyCode::Right, false, "games/日e\u{301}|"),
            (KeyCode::Backspace, false, "games/日|"),
            (KeyCode::Home, false, "|games/日"),
            (KeyCode::Left, false, "|games/日"),
            (KeyCode::Backspace, false, "|games/日"),
            (KeyCode::Char('w'), true, "|games/日"),
            (KeyCode::Delete, false, "|ames/日"),
            (KeyCode::Char('e'), true, "ames/日|"),
            (KeyCode::Delete, false, "ames/日|"),
            (KeyCode::Char('x'), true, "ames/日|"),
            (KeyCode::Up, false, "ames/日|"),
            (KeyCode::Left, true, "ames/|日"),
            (KeyCode::Char('k'), true, "ames/|"),
            (KeyCode::Char('a'), true, "|ames/"),
            (KeyCode::End, false, "ames/|"),
            (KeyCode::Left, false, "ames|/"),
            (KeyCode::Char('u'), true, "|"),
        ] {
            let modifiers = match control {
                true => KeyModifiers::CONTROL,
                false => KeyModifiers::NONE,
            };
            entry.take(KeyEvent::new(code, modifiers));
            let (before, after) = entry.text.split_at(entry.cursor);
            assert_eq!(format!("{before}|{after}"), expected, "{code:?}");
        }
    }

    #[test]
    fn the_end_of_a_long_line_is_seen() {
        let entry = Entry::new(Wanted::Save, "日本ab");
        assert_eq!(entry.visible(9), ("日本ab", 6));
        assert_eq!(entry.visible(6), ("日本ab", 6));
        assert_eq!(entry.visible(5), ("本ab", 4));
        assert_eq!(entry.visible(1), ("b", 1));
        assert_eq!(entry.visible(0), ("", 0));
    }
}

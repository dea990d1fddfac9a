//! Questions that a person answers with yes or no.

use std::path::PathBuf;

/// Something that is done only if the person agrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
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
    pub(super) fn text(&self) -> String {
        match self {
            Question::Quit => "The game is not saved. Quit? (y/n)".to_owned(),
            Question::NewGame => "The game is not saved. Begin another? (y/n)".to_owned(),
            Question::Open => "The game is not saved. Open another? (y/n)".to_owned(),
            Question::Resign => "Resign? (y/n)".to_owned(),
            Question::Replace(path) => format!("{} exists. Replace it? (y/n)", path.display()),
        }
    }
}

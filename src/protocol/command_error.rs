//! What can be wrong with a command.

use thiserror::Error;

/// Why a line is no command, or which part of it cannot be used.
///
/// Texts from the line are excerpts of at most 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Nothing but white space.
    #[error("blank line")]
    Blank,
    /// The first word is no command.
    #[error("unknown command: '{0}' (try 'help')")]
    Unknown(String),
    /// Something that the command cannot do without is not there.
    #[error("{command}: {what} is missing")]
    Missing {
        /// The command.
        command: &'static str,
        /// What is not there.
        what: &'static str,
    },
    /// A word that does not belong where it is.
    #[error("{command}: '{found}', want {wanted}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The word.
        found: String,
        /// What could have been there.
        wanted: &'static str,
    },
    /// A parameter of `go` without a usable value. The others hold.
    #[error("go: {name} {}, want {wanted}", value_error(.value))]
    GoValue {
        /// The parameter.
        name: &'static str,
        /// Its value, empty if there is none.
        value: String,
        /// What the value could be.
        wanted: &'static str,
    },
    /// Words that `go` does not know. The others hold.
    #[error("go: unknown word '{first}'{}", and_more(*.more))]
    GoWords {
        /// The first of them.
        first: String,
        /// How many others there are.
        more: usize,
    },
    /// Words after a command that takes none; they are ignored.
    #[error("{command}: ignored '{words}'")]
    Surplus {
        /// The command.
        command: &'static str,
        /// The words.
        words: String,
    },
}

impl CommandError {
    /// Whether this is worth a word only to those who asked for every word.
    #[must_use]
    pub fn is_minor(&self) -> bool {
        matches!(self, CommandError::Surplus { .. })
    }
}

fn value_error(value: &str) -> String {
    if value.is_empty() {
        "has no value".to_owned()
    } else {
        format!("'{value}'")
    }
}

pub(super) fn and_more(more: usize) -> String {
    if more == 0 {
        String::new()
    } else {
        format!(" (and {more} more)")
    }
}

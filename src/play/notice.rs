//! What the person is told.

/// A line for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Whether something did not work.
    pub is_error: bool,
}

impl Notice {
    /// Something worth knowing.
    #[must_use]
    pub fn info(text: impl Into<String>) -> Notice {
        Notice {
            text: text.into(),
            is_error: false,
        }
    }

    /// Something that did not work.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Notice {
        Notice {
            text: text.into(),
            is_error: true,
        }
    }
}

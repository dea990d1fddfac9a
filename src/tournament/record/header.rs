//! The first line of the state: what match this is.

use std::time::SystemTime;

use humantime::format_rfc3339_millis;
use serde::{Deserialize, Serialize};

use crate::openings::OpeningSuite;
use crate::tournament::settings::MatchSettings;

/// The version of the format of the state.
pub(super) const FORMAT: u32 = 1;

/// What match this is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// Version of the program that began the match.
    pub version: String,
    /// When it began (UTC).
    pub started: String,
    /// Its settings, with the engines' names.
    pub settings: MatchSettings,
    /// Its openings, to be recognised.
    pub openings: OpeningsHeader,
}

/// What a book is recognised by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsHeader {
    /// Number of openings; `None` if they are made up without end.
    pub count: Option<usize>,
    /// Checksum over their text.
    pub crc32: u32,
}

impl OpeningsHeader {
    /// What this book is recognised by.
    #[must_use]
    pub fn of(book: &OpeningSuite) -> OpeningsHeader {
        OpeningsHeader {
            count: book.len(),
            crc32: book.checksum(),
        }
    }
}

impl Header {
    /// The header of a match that begins now.
    #[must_use]
    pub fn new(settings: MatchSettings, openings: OpeningsHeader) -> Header {
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: format_rfc3339_millis(SystemTime::now()).to_string(),
            settings,
            openings,
        }
    }
}

/// The first line: the header under a name of its own, so that every line tells what it is.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeaderLine {
    #[serde(rename = "match")]
    pub(super) header: Header,
}

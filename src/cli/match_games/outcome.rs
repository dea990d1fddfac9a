//! What there is to tell of a match.

use std::io::{self, Write};

use vato::tournament::record::Record;
use vato::tournament::{Ending, MatchState, Missing};

use super::super::failure::Failure;
use super::{summary, summary_json};

/// What there is to tell of a match, played here or put together from parts.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// How far it has come.
    pub state: &'a MatchState,
    /// How it came to its end, or that it did not.
    pub ending: Ending,
    /// Where it is recorded, if it is in one place.
    pub record: Option<&'a Record>,
    /// What parts that were put together lack.
    pub missing: Option<Missing>,
}

impl Outcome<'_> {
    /// Prints it, as JSON or for people.
    ///
    /// # Errors
    ///
    /// If standard output does not take it.
    pub fn print(&self, json: bool) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, &summary_json::summary(self))?;
            writeln!(out)?;
        } else {
            write!(out, "{}", summary::summary(self))?;
        }
        Ok(out.flush()?)
    }
}

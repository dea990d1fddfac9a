//! Training data: positions of the engine's own games, with scores and results.
//!
//! Depends on the rules, the notation, the openings, the evaluation, the search and the tablebases.

mod file;
mod record;
mod survey;

pub use file::{Appender, Contents, DataFile, Header, Origin, Records, merge, write};
pub use record::{RECORD_BYTES, Record, Sample, format_record, parse_record};
pub use survey::Survey;

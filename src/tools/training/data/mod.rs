//! Training data: positions of the engine's own games, with scores and results.
//!
//! Depends on the rules, the notation, the openings, the evaluation, the search and the tablebases.

mod file;
mod record;
mod survey;
mod text;

pub use file::{Appender, Contents, DataFile, Header, Origin, Records, merge, shuffle, write};
pub use record::{RECORD_BYTES, Record, Sample};
pub use survey::Survey;
pub use text::{format_record, parse_record};

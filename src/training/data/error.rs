//! What can be wrong with training data.

use std::io;
use std::path::PathBuf;

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use crate::notation::FenError;
use crate::rules::ParseRulesError;
use crate::search::SearchError;
use crate::tablebase::TablebaseError;

/// Why training data cannot be read, written or made.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum DataError {
    /// A file that does not open or read.
    #[error("cannot read {path}: {error}", path = path.display())]
    Read { path: PathBuf, error: io::Error },
    /// A file that does not take what is written.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write { path: PathBuf, error: io::Error },
    /// A file that is something else.
    #[error("{path}: not a file of training data (it does not begin with VATODATA)", path = path.display())]
    NoData { path: PathBuf },
    /// A file of another version of the format.
    #[error("{path}: version {found} of the format, this program reads version {known}", path = path.display())]
    Version {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    /// A header that is cut off or whose checksum is wrong.
    #[error("{path}: the header is damaged", path = path.display())]
    Damaged { path: PathBuf },
    /// A header that does not say what it should.
    #[error("{path}: the header does not read: {error}", path = path.display())]
    Header {
        path: PathBuf,
        error: serde_json::Error,
    },
    /// Rules that do not exist.
    #[error("{path}: {error}", path = path.display())]
    Rules {
        path: PathBuf,
        error: ParseRulesError,
    },
    /// Bytes after the last whole record.
    #[error("{path}: {bytes} bytes after the last whole record", path = path.display())]
    Fraction { path: PathBuf, bytes: u64 },
    /// A record that cannot be one.
    #[error("{path}: record {number} is none: its stones or flags make no sense", path = path.display())]
    Record { path: PathBuf, number: u64 },
    /// A line of text that is no record.
    #[error("{path}, line {line}: {problem}", path = path.display())]
    Line {
        path: PathBuf,
        line: u64,
        problem: LineProblem,
    },
    /// Files that do not belong together.
    #[error("{path} is of other rules ('{found}') than the files before it ('{wanted}')", path = path.display())]
    OtherRules {
        path: PathBuf,
        found: String,
        wanted: String,
    },
    /// A file that was begun with other settings.
    #[error("{path} was begun with other settings: {difference}", path = path.display())]
    OtherSettings { path: PathBuf, difference: String },
    /// A file that another process writes to.
    #[error("{path} is being written by another process", path = path.display())]
    InUse { path: PathBuf },
    /// A file that would be written over what is read.
    #[error("{path} is both read and written", path = path.display())]
    Same { path: PathBuf },
    /// Settings for random plies without sense.
    #[error(
        "from {least} to {most} random plies: want the smaller number first, and at most {limit}"
    )]
    RandomPlies { least: u32, most: u32, limit: u32 },
    /// No more openings.
    #[error(
        "no new opening in {tries} random lines: there are only so many with {least} to {most} random \
         plies whose score is within bounds (--opening-score)"
    )]
    NoOpenings { tries: usize, least: u32, most: u32 },
    /// No memory or threads for a search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Tablebases that cannot be had.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// No threads for the games.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        threads: usize,
        error: ThreadPoolBuildError,
    },
}

/// What is wrong with a line of text.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum LineProblem {
    /// Too few or too many fields.
    #[error(
        "{found} field(s), want 6 with tabs between them: position, score, result, ply, game, last"
    )]
    Fields { found: usize },
    /// A position that is none.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A side without stones.
    #[error("a side has no stones")]
    NoStones,
    /// A number out of range.
    #[error("{field} '{text}', want a whole number from {least} to {most}")]
    Number {
        field: &'static str,
        text: String,
        least: i64,
        most: i64,
    },
    /// A result that is none.
    #[error("result '{0}', want 1-0, 1/2-1/2, 0-1 or * for an aside")]
    Result(String),
    /// The end of a game without result.
    #[error("the last position of a game cannot be an aside, which has no result")]
    LastAside,
    /// The last field.
    #[error("last '{0}', want 0 or 1")]
    Last(String),
}

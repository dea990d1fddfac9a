//! The positions that are searched: standard rules only, for ratios over different games mean little.

use std::path::Path;

use vato_engine::board::Position;
use vato_engine::engine::BENCH_POSITIONS;
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::rules::Rules;
use vato_tools::openings::{OpeningSettings, OpeningSource, OpeningSuite, OpeningSuiteError};

/// A position to search.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position.
    pub fen: String,
    /// How many stones there are on the board.
    pub stones: u32,
}

impl Task {
    fn new(position: &Position) -> Task {
        Task {
            fen: format_fen(position, Rules::STANDARD.board),
            stones: position.occupied().count(),
        }
    }
}

/// Those of the benchmark that are played by the standard rules.
pub fn of_benchmark() -> Vec<Task> {
    BENCH_POSITIONS
        .iter()
        .filter(|(rules, _)| rules.is_empty())
        .map(|(_, fen)| {
            let position = parse_fen(fen, Rules::STANDARD.board);
            Task::new(&position.expect("a position of the benchmark"))
        })
        .collect()
}

/// Those of a file, one a line.
///
/// # Errors
///
/// If the file cannot be read, has none, or has one that does not read or is no game under way.
pub fn of_file(path: &Path) -> Result<Vec<Task>, OpeningSuiteError> {
    let settings = OpeningSettings::new(OpeningSource::File(path.to_owned()));
    let book = OpeningSuite::open(&settings, &Rules::STANDARD)?;
    let count = book.count().unwrap_or(0);
    Ok((0..count)
        .map(|place| {
            let opening = book.line(place);
            let position = opening
                .moves
                .iter()
                .fold(opening.start, |position, &mv| position.play(mv));
            Task::new(&position)
        })
        .collect())
}

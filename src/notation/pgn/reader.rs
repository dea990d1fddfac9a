//! Reading game records one after another, as they come.

use std::io::BufRead;

use super::game_parser::GameParser;
use super::source::Source;
use super::{GameRecord, PgnError, PgnProblem};

/// Reads the games of a text one by one; only one game is in memory at a time.
///
/// It takes what the readers of chess take: any line ends, a byte order mark, escape lines that
/// begin with `%`, comments in braces and after `;`, variations (skipped), annotations such as `$1`
/// and `!?` (kept as numbers), move numbers of all forms, games without tags, without blank lines or
/// without a result. A new game begins after a result and with the tags that follow moves. Bytes that are
/// not UTF-8 become replacement characters.
///
/// Comments before a move belong to the move before it. Of several comments at the end of a game the
/// last one is the final comment of the record. Comments between games are skipped.
///
/// A game that cannot be read is an error, and the next item is the next game. Only an error of the
/// input itself is the end.
#[derive(Debug)]
pub struct PgnReader<R> {
    source: Source<R>,
    at_end: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of this text.
    #[must_use]
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            source: Source::new(input),
            at_end: false,
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<GameRecord, PgnError>;

    fn next(&mut self) -> Option<Result<GameRecord, PgnError>> {
        if self.at_end {
            return None;
        }
        let item = GameParser::new(&mut self.source).parse();
        self.at_end = match &item {
            None => true,
            Some(Err(error)) => matches!(error.problem, PgnProblem::Input(_)),
            Some(Ok(_)) => false,
        };
        item
    }
}

impl<R: BufRead> std::iter::FusedIterator for PgnReader<R> {}

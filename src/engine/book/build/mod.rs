//! Building a book: rounds of parallel searches.
//!
//! A round takes the most urgent positions, their number growing with the book, and ends when all of them
//! have been searched; the next round is chosen from the new scores. As every search begins with a cleared
//! table, the book depends on the settings alone, not on the number of threads or on interruptions. An
//! interrupted build repeats its rounds, taking finished searches from the file.

mod expansion;
mod workers;

use std::path::Path;
use std::time::Duration;

use self::expansion::most_urgent;
use self::workers::{SearchedPositions, search_all, searchers};
use super::BookError;
use super::file::{BookEntry, BookFile};
use super::graph::{BackedUpScores, Graph};
use super::header::{BookHeader, BookSide, SearchLimit};
use crate::board::Canonical;
use crate::files::Lock;
use crate::instant::Instant;
use crate::rules::{Rules, has_move};
use crate::search::{SearchSettings, Searcher};
use crate::stop::StopSignal;

/// Number of positions per round in a small book.
const ROUND: usize = 32;
/// A round in a larger book is this fraction of it, so that a large book takes few rounds.
const ROUND_PART: usize = 16;

/// Minimum interval between writes of the book.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// Maximum fraction of the time spent on writing the book, so that large ones are written less often.
const WRITE_PART: u32 = 20;

/// The settings of a build.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The rules; the book begins at their start position.
    pub rules: Rules,
    /// The limit of each search, which runs on one thread.
    pub limit: SearchLimit,
    /// What each search is made with.
    pub search: SearchSettings,
    /// The maximum number of moves searched per position, from 1 to [`MOST_MOVES`](super::MOST_MOVES).
    pub moves: u32,
    /// The side that the book is for.
    pub side: BookSide,
    /// Margin for the moves of that side, in centi-stones, at most [`MOST_MARGIN`](super::MOST_MARGIN).
    pub margin: i32,
    /// Margin for the replies of the opponent, in centi-stones, at most [`MOST_MARGIN`](super::MOST_MARGIN).
    pub reply_margin: i32,
    /// Only positions at fewer plies from the start are searched, so the book has moves for this many plies;
    /// from 1 to [`MOST_PLIES`](super::MOST_PLIES).
    pub plies: u32,
    /// The maximum number of positions, including those of an existing book; from 1 to
    /// [`MOST_POSITIONS`](super::MOST_POSITIONS).
    pub positions: usize,
    /// Number of parallel searches. The book does not depend on it, unless searches are limited by time.
    pub threads: usize,
}

impl Default for BuildSettings {
    /// The defaults of `vato book build`, with one thread.
    fn default() -> BuildSettings {
        BuildSettings {
            rules: Rules::STANDARD,
            limit: SearchLimit::Nodes(1_000_000),
            search: SearchSettings::default(),
            moves: 5,
            side: BookSide::Both,
            margin: 20,
            reply_margin: 60,
            plies: 12,
            positions: 1_000,
            threads: 1,
        }
    }
}

impl BuildSettings {
    /// The header of a book made with these settings.
    pub fn header(&self, complete: bool) -> BookHeader {
        BookHeader {
            rules: self.rules.to_string(),
            program: format!("vato {}", env!("CARGO_PKG_VERSION")),
            evaluation: self.search.evaluation.name_for(&self.rules),
            limit: self.limit,
            hash: self.search.hash_mib,
            moves: self.moves,
            side: self.side,
            margin: self.margin,
            reply_margin: self.reply_margin,
            plies: self.plies,
            positions: self.positions,
            complete,
        }
    }

    /// Checks that all numbers are in range and the start position has a legal move.
    ///
    /// # Errors
    ///
    /// Names the first invalid setting.
    pub fn validate(&self) -> Result<(), BookError> {
        let header = self.header(false);
        header.check().map_err(BookError::Setting)?;
        match has_move(&self.rules, &self.rules.start()) {
            true => Ok(()),
            false => {
                let what = "the start position has no legal move".to_owned();
                Err(BookError::Setting(what))
            }
        }
    }
}

/// The result of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEnding {
    /// The maximum number of positions was reached.
    Enough,
    /// No more positions to expand: within the margins and the plies.
    Exhausted,
    /// Stopped; can be continued.
    Stopped,
}

/// The summary of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Positions in the book.
    pub positions: usize,
    /// Positions searched by this build.
    pub new: usize,
    /// The result.
    pub ending: BuildEnding,
}

/// Builds a book, or continues the one at `path` if it was begun with the same settings (fewer plies or
/// positions and other threads are allowed). All its positions stay, and count. The file is replaced
/// atomically at intervals and at the end, so that a killed build loses little. `progress` gets the number
/// of positions in the book, on this thread. After `stop` no further search is begun; if it is to stop
/// now, the running searches are aborted, and repeated when the build is continued.
///
/// # Errors
///
/// If the settings are invalid; if the file is another book, in use, or cannot be read or written; if
/// threads or memory are lacking. Finished searches are in the file, if it could be written.
pub fn build(
    settings: &BuildSettings,
    path: &Path,
    stop: &StopSignal,
    progress: &mut dyn FnMut(usize),
) -> Result<Built, BookError> {
    settings.validate()?;
    let _lock = Lock::take(path)?;
    let file = path.exists().then(|| BookFile::read(path)).transpose()?;
    let searched = SearchedPositions::default();
    if let Some(file) = &file {
        let differences = file.header.differences(&settings.header(false));
        if !differences.is_empty() {
            return Err(BookError::Setting(format!(
                "{} was begun with other settings: {}; choose another file by --out, or the settings that it was begun \
                 with",
                path.display(),
                differences.join("; ")
            )));
        }
        for (key, moves) in &file.entries {
            searched.insert(*key, moves.clone());
        }
    }
    let before = searched.len();
    let mut builder = Builder {
        settings,
        searched,
        searchers: searchers(settings)?,
        writer: BookWriter {
            settings,
            path,
            last: None,
            took: Duration::ZERO,
            positions: before,
        },
    };
    let outcome = builder.expand(stop, progress);
    // The results are written even after an error, unless the file has them already.
    let is_complete = matches!(outcome, Ok(BuildEnding::Enough | BuildEnding::Exhausted));
    let positions = builder.searched.len();
    let header = settings.header(is_complete);
    let is_there = file.is_some_and(|file| file.header == header) && positions == before;
    let written = match positions > 0 && !is_there {
        true => builder.writer.write(&builder.searched, is_complete),
        false => Ok(()),
    };
    let ending = outcome?;
    written?;
    Ok(Built {
        positions,
        new: positions - before,
        ending,
    })
}

struct Builder<'a> {
    settings: &'a BuildSettings,
    /// The results of all searches, including those of the file.
    searched: SearchedPositions,
    searchers: Vec<Searcher>,
    writer: BookWriter<'a>,
}

impl Builder<'_> {
    fn expand(
        &mut self,
        stop: &StopSignal,
        progress: &mut dyn FnMut(usize),
    ) -> Result<BuildEnding, BookError> {
        let mut graph = Graph::new(self.settings.rules);
        let mut wanted = vec![graph.start()];
        loop {
            let mut positions = wanted.clone();
            positions.retain(|key| !self.searched.contains_key(key));
            if !positions.is_empty() {
                let (searched, writer) = (&self.searched, &mut self.writer);
                let searchers = &mut self.searchers;
                search_all(
                    searchers,
                    self.settings,
                    &positions,
                    searched,
                    stop,
                    &mut || {
                        progress(searched.len());
                        writer.write_if_due(searched)
                    },
                )?;
            }
            for &key in &wanted {
                match self.searched.get(&key) {
                    Some(moves) => graph.add(key, &moves),
                    None => return Ok(BuildEnding::Stopped),
                }
            }
            let known = graph.nodes.len();
            let left = self.settings.positions.saturating_sub(known);
            if left == 0 {
                return Ok(BuildEnding::Enough);
            }
            let round = ROUND.max(known / ROUND_PART).min(left);
            let scores = BackedUpScores::of(&graph);
            wanted = most_urgent(&graph, &scores, self.settings, round);
            if wanted.is_empty() {
                return Ok(BuildEnding::Exhausted);
            }
            self.keep_room(&mut wanted);
            if wanted.is_empty() {
                return Ok(BuildEnding::Enough);
            }
        }
    }

    /// Drops the least urgent positions beyond the maximum. When a book grows, positions of the smaller one
    /// that the larger one would not have searched, or not yet, count too.
    fn keep_room(&self, wanted: &mut Vec<Canonical>) {
        let mut room = self.settings.positions.saturating_sub(self.searched.len());
        wanted.retain(|key| {
            let is_known = self.searched.contains_key(key);
            let stays = is_known || room > 0;
            room = room.saturating_sub(usize::from(!is_known));
            stays
        });
    }
}

/// Writes the growing book.
struct BookWriter<'a> {
    settings: &'a BuildSettings,
    path: &'a Path,
    last: Option<Instant>,
    took: Duration,
    /// Number of positions on disk.
    positions: usize,
}

impl BookWriter<'_> {
    /// Writes the book if there are new positions and the interval is over. The first new position is written
    /// at once, so that a file that cannot be written is reported early.
    fn write_if_due(&mut self, searched: &SearchedPositions) -> Result<(), BookError> {
        let pause = WRITE_EVERY.max(WRITE_PART * self.took);
        let is_time = self.last.is_none_or(|last| last.elapsed() >= pause);
        if is_time && searched.len() > self.positions {
            self.write(searched, false)?;
        }
        Ok(())
    }

    /// Writes the book, while workers may add to it.
    fn write(&mut self, searched: &SearchedPositions, is_complete: bool) -> Result<(), BookError> {
        let begun = Instant::now();
        let mut entries: Vec<BookEntry> = searched
            .iter()
            .map(|entry| (*entry.key(), entry.value().clone()))
            .collect();
        entries.sort_unstable_by_key(|(key, _)| key.words());
        self.positions = entries.len();
        let book = BookFile {
            header: self.settings.header(is_complete),
            rules: self.settings.rules,
            entries,
        };
        book.write(self.path)?;
        self.last = Some(Instant::now());
        self.took = begun.elapsed();
        Ok(())
    }
}

#[cfg(test)]
mod tests;

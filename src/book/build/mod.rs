//! Building a book: rounds of searches, many at a time.
//!
//! A round takes the most urgent positions, a fixed number that grows with the book, and ends when
//! all of them have been searched; the next follows from what is known then. As every search begins
//! with nothing, the book depends on the settings alone, not on the threads or on what was
//! interrupted when. An interrupted build goes through its rounds again, with the searches that are
//! done already taken from the file.

mod expansion;
mod workers;

use std::path::Path;
use std::time::{Duration, Instant};

use self::expansion::most_urgent;
use self::workers::{SearchedPositions, Workers};
use super::BookError;
use super::file::{BookEntry, BookFile};
use super::graph::{BackedUpScores, Graph};
use super::header::{BookHeader, BookSide, SearchLimit};
use super::key::BookKey;
use crate::container::ContainerError;
use crate::eval::Evaluation;
use crate::files::{Lock, LockError};
use crate::rules::{Rules, has_move};
use crate::stop::StopSignal;

/// Positions of a round in a small book.
const ROUND: usize = 32;
/// A round of a larger book is this part of it, so that few rounds make a large book.
const ROUND_PART: usize = 16;

/// The book is written at most so often.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// The book is written at most for this part of the time, so that large ones are written less often.
const WRITE_PART: u32 = 20;

/// How a book is made.
#[derive(Clone, Debug)]
pub struct BuildSettings {
    /// The rules; the book begins at their start position.
    pub rules: Rules,
    /// What positions are evaluated with.
    pub evaluation: Evaluation,
    /// How far each position is searched, on one thread.
    pub limit: SearchLimit,
    /// The table of each search, in MiB.
    pub hash_mib: usize,
    /// How many moves of a position are searched for, from 1 to [`MOST_MOVES`](super::MOST_MOVES).
    pub moves: u32,
    /// The side that the book is for.
    pub side: BookSide,
    /// How much worse than the best a move of that side may be, in centi-stones up to [`MOST_MARGIN`](super::MOST_MARGIN).
    pub margin: i32,
    /// How much worse than the best a reply of the opponent may be, in centi-stones up to
    /// [`MOST_MARGIN`](super::MOST_MARGIN).
    pub reply_margin: i32,
    /// Only positions fewer plies from the start are searched, so the book knows the moves of so many
    /// plies; from 1 to [`MOST_PLIES`](super::MOST_PLIES).
    pub plies: u32,
    /// At most so many positions, from 1 to [`MOST_POSITIONS`](super::MOST_POSITIONS), those of a book that grows included.
    pub positions: usize,
    /// Positions searched at a time. The book does not depend on it, unless searches end by time.
    pub threads: usize,
}

impl Default for BuildSettings {
    /// Those of `vato book build`, on one thread.
    fn default() -> BuildSettings {
        BuildSettings {
            rules: Rules::STANDARD,
            evaluation: Evaluation::default(),
            limit: SearchLimit::Nodes(1_000_000),
            hash_mib: 16,
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
    /// What a book made so says of itself.
    #[must_use]
    pub fn header(&self, complete: bool) -> BookHeader {
        BookHeader {
            rules: self.rules.to_string(),
            program: format!("vato {}", env!("CARGO_PKG_VERSION")),
            evaluation: self.evaluation.name_for(&self.rules),
            limit: self.limit,
            hash: self.hash_mib,
            moves: self.moves,
            side: self.side,
            margin: self.margin,
            reply_margin: self.reply_margin,
            plies: self.plies,
            positions: self.positions,
            complete,
        }
    }

    /// Whether all numbers are within their ranges, and there is something to search.
    ///
    /// # Errors
    ///
    /// Names the first thing that is wrong.
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

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEnding {
    /// There are as many positions as were wanted.
    Enough,
    /// There are no more that are worth knowing: within the margins, before the last ply.
    Exhausted,
    /// It was stopped, and can be continued.
    Stopped,
}

/// What a build has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Positions in the book.
    pub positions: usize,
    /// Positions among them that were searched now.
    pub new: usize,
    /// How it ended.
    pub ending: BuildEnding,
}

/// Builds a book, or continues the one at `path`, which was begun with the same settings (it may have had
/// fewer plies or positions to reach, and other threads). All its positions stay, and count. The file is
/// replaced by a whole one every now and then and at the end, so that a build that is killed loses next
/// to nothing. `progress` is told the number of positions in the book, on this thread. Once `stop` is
/// given no further search is begun; if it is to stop now, the searches that run are broken off, and made
/// again when the build is continued.
///
/// # Errors
///
/// If the settings are invalid, the file is another book's, in use, or cannot be read or written, or
/// threads or memory cannot be had. What was searched until then is in the file, if it could be
/// written.
pub fn build(
    settings: &BuildSettings,
    path: &Path,
    stop: &StopSignal,
    progress: &mut dyn FnMut(usize),
) -> Result<Built, BookError> {
    settings.validate()?;
    let _lock = Lock::take(path).map_err(|error| match error {
        LockError::InUse => BookError::InUse(path.to_owned()),
        LockError::File(path, error) => ContainerError::write(&path)(error).into(),
    })?;
    let file = path.exists().then(|| BookFile::read(path)).transpose()?;
    let searched = SearchedPositions::default();
    if let Some(file) = &file {
        let differences = file.header.differences(&settings.header(false));
        if !differences.is_empty() {
            return Err(BookError::OtherSettings {
                path: path.to_owned(),
                differences: differences.join("; "),
            });
        }
        for (key, moves) in &file.entries {
            searched.insert(*key, moves.clone());
        }
    }
    let before = searched.len();
    let mut builder = Builder {
        settings,
        searched,
        workers: Workers::new(settings)?,
        writer: BookWriter {
            settings,
            path,
            last: None,
            took: Duration::ZERO,
            positions: before,
        },
    };
    let outcome = builder.expand(stop, progress);
    // What is known is written, whatever has happened, unless the same is there already.
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
    /// The results of all searches, those of the file included.
    searched: SearchedPositions,
    workers: Workers<'a>,
    writer: BookWriter<'a>,
}

impl Builder<'_> {
    /// Goes from round to round.
    fn expand(
        &mut self,
        stop: &StopSignal,
        progress: &mut dyn FnMut(usize),
    ) -> Result<BuildEnding, BookError> {
        let mut graph = Graph::new(self.settings.rules);
        let mut wanted = vec![graph.start()];
        loop {
            self.search(&wanted, stop, progress)?;
            for &key in &wanted {
                match self.searched.get(&key) {
                    Some(moves) => graph.add(key, &moves),
                    None => return Ok(BuildEnding::Stopped),
                }
            }
            let known = graph.nodes().len();
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

    /// Leaves out the least urgent positions that would be too many. Where a book grows, those of the
    /// smaller one count that the larger one would not have searched, or not yet.
    fn keep_room(&self, wanted: &mut Vec<BookKey>) {
        let mut room = self.settings.positions.saturating_sub(self.searched.len());
        wanted.retain(|key| {
            let is_known = self.searched.contains_key(key);
            let stays = is_known || room > 0;
            room = room.saturating_sub(usize::from(!is_known));
            stays
        });
    }

    /// Searches those of the positions that have not been searched, until the build is stopped.
    fn search(
        &mut self,
        wanted: &[BookKey],
        stop: &StopSignal,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), BookError> {
        let mut positions = wanted.to_vec();
        positions.retain(|key| !self.searched.contains_key(key));
        if positions.is_empty() {
            return Ok(());
        }
        let (searched, writer) = (&self.searched, &mut self.writer);
        self.workers.search(&positions, searched, stop, &mut || {
            progress(searched.len());
            writer.write_if_due(searched)
        })
    }
}

/// Writes the book while it grows.
struct BookWriter<'a> {
    settings: &'a BuildSettings,
    path: &'a Path,
    last: Option<Instant>,
    took: Duration,
    /// Positions on disk.
    positions: usize,
}

impl BookWriter<'_> {
    /// Writes the book as it is now, if there is something new and it is time. The first new position
    /// is written at once: better known now than after an hour whether the file can be written.
    fn write_if_due(&mut self, searched: &SearchedPositions) -> Result<(), BookError> {
        let pause = WRITE_EVERY.max(WRITE_PART * self.took);
        let is_time = self.last.is_none_or(|last| last.elapsed() >= pause);
        if is_time && searched.len() > self.positions {
            self.write(searched, false)?;
        }
        Ok(())
    }

    /// Writes the book as it is now, while threads may add to it.
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

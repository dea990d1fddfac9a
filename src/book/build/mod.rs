//! Building a book: rounds of searches, many at a time.
//!
//! A round takes the most urgent positions, a fixed number that grows with the book, and ends when
//! all of them have been searched; the next follows from what is known then. As every search begins
//! with nothing, the book depends on the settings alone, not on the threads or on what was
//! interrupted when. To go on with a book that was broken off is to go through its rounds again,
//! with the searches that are done already taken from the file.

mod round;
mod writing;

use std::path::Path;

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use self::round::{Crew, Memory};
use self::writing::Writing;
use super::BookError;
use super::expansion::most_urgent;
use super::file::BookFile;
use super::folded::Folded;
use super::graph::Graph;
use super::judgement::Judgement;
use super::settings::BuildSettings;
use crate::files::{Lock, LockError};

/// Positions of a round in a small book.
const ROUND: usize = 32;
/// A round of a larger book is this part of it, so that few rounds make a large book.
const ROUND_PART: usize = 16;

/// Whether a build is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// It is.
    GoOn,
    /// No further search is begun; those that run are finished.
    Finish,
    /// The searches that run are broken off, and made again when the build goes on.
    BreakOff,
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Positions in the book.
    pub positions: usize,
}

/// How a build came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildEnding {
    /// There are as many positions as were wanted.
    Enough,
    /// There are no more that are worth knowing: within the margins, before the last ply.
    Exhausted,
    /// It was stopped, and can go on.
    Stopped,
}

/// What a build has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Positions in the book.
    pub positions: usize,
    /// Positions among them that were searched now.
    pub new: usize,
    /// How it came to its end.
    pub ending: BuildEnding,
}

/// Builds a book, or goes on with the one at `path`, which was begun with the same settings (it may
/// have had fewer plies or positions to reach, and other threads). All its positions stay, and count. The
/// file is replaced by a whole
/// one every now and then and at the end, so that a build that is killed loses next to nothing.
/// `wish` is asked and `progress` told on this thread.
///
/// # Errors
///
/// If the settings cannot be, the file is another book's, in use, or cannot be read or written, or
/// threads or memory cannot be had. What was searched until then is in the file, if it could be
/// written.
pub fn build(
    settings: &BuildSettings,
    path: &Path,
    wish: &dyn Fn() -> Wish,
    progress: &mut dyn FnMut(BuildProgress),
) -> Result<Built, BookError> {
    settings.validate()?;
    let _lock = Lock::take(path).map_err(|error| match error {
        LockError::InUse => BookError::InUse {
            path: path.to_owned(),
        },
        LockError::File(path, error) => BookError::Write { path, error },
    })?;
    let mut builder = Builder::open(settings, path)?;
    let outcome = builder.expand(wish, progress);
    // What is known is kept, whatever has happened.
    let complete = matches!(outcome, Ok(BuildEnding::Enough | BuildEnding::Exhausted));
    let kept = builder.keep(complete);
    let ending = outcome?;
    kept?;
    let positions = builder.memory.len();
    Ok(Built {
        positions,
        new: positions - builder.before,
        ending,
    })
}

struct Builder<'a> {
    settings: &'a BuildSettings,
    /// What was there at the beginning.
    file: Option<BookFile>,
    /// How many positions that were.
    before: usize,
    /// What all searches have said, those of the file included.
    memory: Memory,
    crew: Crew<'a>,
    writing: Writing<'a>,
}

impl<'a> Builder<'a> {
    /// Reads what is there, and gets threads and tables.
    fn open(settings: &'a BuildSettings, path: &'a Path) -> Result<Builder<'a>, BookError> {
        let file = path.exists().then(|| BookFile::read(path)).transpose()?;
        let memory = DashMap::with_hasher(FxBuildHasher);
        if let Some(file) = &file {
            let differences = file.header.differences(&settings.header(false));
            if !differences.is_empty() {
                return Err(BookError::OtherSettings {
                    path: path.to_owned(),
                    differences: differences.join("; "),
                });
            }
            for (folded, moves) in &file.entries {
                memory.insert(*folded, moves.clone());
            }
        }
        Ok(Builder {
            settings,
            before: memory.len(),
            writing: Writing::new(settings, path, memory.len()),
            crew: Crew::new(settings)?,
            file,
            memory,
        })
    }

    /// Goes from round to round.
    fn expand(
        &mut self,
        wish: &dyn Fn() -> Wish,
        progress: &mut dyn FnMut(BuildProgress),
    ) -> Result<BuildEnding, BookError> {
        let mut graph = Graph::new(self.settings.rules);
        let mut wanted = vec![graph.start()];
        loop {
            self.search(&wanted, wish, progress)?;
            for &folded in &wanted {
                match self.memory.get(&folded) {
                    Some(moves) => graph.add(folded, &moves),
                    None => return Ok(BuildEnding::Stopped),
                }
            }
            let known = graph.nodes().len();
            let left = self.settings.positions.saturating_sub(known);
            if left == 0 {
                return Ok(BuildEnding::Enough);
            }
            let round = ROUND.max(known / ROUND_PART).min(left);
            let judgement = Judgement::of(&graph);
            wanted = most_urgent(&graph, &judgement, self.settings, round);
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
    fn keep_room(&self, wanted: &mut Vec<Folded>) {
        let mut room = self.settings.positions.saturating_sub(self.memory.len());
        wanted.retain(|folded| {
            let is_known = self.memory.contains_key(folded);
            let stays = is_known || room > 0;
            room = room.saturating_sub(usize::from(!is_known));
            stays
        });
    }

    /// Searches those of the positions that have not been searched; not all of them if the wish is not
    /// to go on.
    fn search(
        &mut self,
        wanted: &[Folded],
        wish: &dyn Fn() -> Wish,
        progress: &mut dyn FnMut(BuildProgress),
    ) -> Result<(), BookError> {
        let mut positions = wanted.to_vec();
        positions.retain(|folded| !self.memory.contains_key(folded));
        if positions.is_empty() {
            return Ok(());
        }
        let (memory, writing) = (&self.memory, &mut self.writing);
        self.crew.search(&positions, memory, &mut || {
            progress(BuildProgress {
                positions: memory.len(),
            });
            writing.write_if_due(memory)?;
            Ok(wish())
        })
    }

    /// Writes the book, unless the same is there already.
    fn keep(&mut self, complete: bool) -> Result<(), BookError> {
        let header = self.settings.header(complete);
        let is_there = self.file.as_ref().is_some_and(|file| file.header == header);
        // Without a single position there is nothing worth a file.
        if self.memory.is_empty() || is_there && self.memory.len() == self.before {
            return Ok(());
        }
        self.writing.write(&self.memory, complete)
    }
}

#[cfg(test)]
mod tests;

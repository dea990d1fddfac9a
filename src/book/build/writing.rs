//! Writing the book while it grows.

use std::path::Path;
use std::time::{Duration, Instant};

use super::round::Memory;
use crate::book::BookError;
use crate::book::file::{BookFile, Entry};
use crate::book::settings::BuildSettings;

/// How often the book is written at most.
const EVERY: Duration = Duration::from_secs(1);
/// A book is written at most for this part of the time, so that large ones are written less often.
const PART: u32 = 20;

/// When the book was written, and how much of it.
pub(super) struct Writing<'a> {
    settings: &'a BuildSettings,
    path: &'a Path,
    last: Option<Instant>,
    took: Duration,
    positions: usize,
}

impl<'a> Writing<'a> {
    /// So many positions are on disk.
    pub(super) fn new(
        settings: &'a BuildSettings,
        path: &'a Path,
        positions: usize,
    ) -> Writing<'a> {
        Writing {
            settings,
            path,
            last: None,
            took: Duration::ZERO,
            positions,
        }
    }

    /// Writes the book as it is now, if there is something new and it is time. The first new position
    /// is kept at once: better known now than after an hour whether the file can be written.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn write_if_due(&mut self, memory: &Memory) -> Result<(), BookError> {
        let pause = EVERY.max(PART * self.took);
        let is_time = self.last.is_none_or(|last| last.elapsed() >= pause);
        if is_time && memory.len() > self.positions {
            self.write(memory, false)?;
        }
        Ok(())
    }

    /// Writes the book as it is now, while threads may add to it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(super) fn write(&mut self, memory: &Memory, complete: bool) -> Result<(), BookError> {
        let begun = Instant::now();
        let mut entries: Vec<Entry> = memory
            .iter()
            .map(|entry| (*entry.key(), entry.value().clone()))
            .collect();
        entries.sort_unstable_by_key(|(folded, _)| folded.words());
        self.positions = entries.len();
        let book = BookFile {
            header: self.settings.header(complete),
            rules: self.settings.rules,
            entries,
        };
        book.write(self.path)?;
        self.last = Some(Instant::now());
        self.took = begun.elapsed();
        Ok(())
    }
}

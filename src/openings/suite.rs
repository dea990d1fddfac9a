//! A book: openings for the pairs of a match.

use super::built_in::{BALANCED, SHARP};
use super::random_lines::{FURTHEST_START, RandomLines};
use super::sequence::Sequence;
use super::sources::{built_in, from_file, is_pgn, riatra, start_position};
use super::{OpeningLine, OpeningSettings, OpeningSource, OpeningSuiteError};
use crate::rules::Rules;

/// The plies of random openings and of game records, unless the settings say something else.
pub const DEFAULT_PLIES: u32 = 8;

/// Of how many random openings a checksum is taken: enough to see that others are made.
const RANDOM_SAMPLE: usize = 16;

/// The openings of a match, all known to be playable under its rules.
#[derive(Debug)]
pub struct OpeningSuite {
    openings: Openings,
    /// The place of the sequence where the match begins.
    first: usize,
    checksum: u32,
}

#[derive(Debug)]
enum Openings {
    Listed(Vec<OpeningLine>, Sequence),
    Random(RandomLines),
}

impl OpeningSuite {
    /// Gets the openings and checks that each can be played under `rules` and leaves the game under
    /// way. Positions that a file has more than once are kept, and a warning is logged.
    ///
    /// A file whose name ends with `.pgn` has game records; their first `plies` plies (8 unless set)
    /// are the openings. A game with fewer moves is played as far as it goes; one that is over within
    /// these plies is an error, for there would be nothing to play. They are played under `rules`,
    /// whatever their tags say, on the same board. Any other file has a FEN a line; blank lines, lines
    /// that begin with `#`, and what stands behind a `;` are skipped.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has no openings; names the file, the line and the reason if one of
    /// its openings does not read, is illegal under `rules` or ends the game. If the board has no such
    /// openings, or the settings do not fit the source.
    pub fn open(
        settings: &OpeningSettings,
        rules: &Rules,
    ) -> Result<OpeningSuite, OpeningSuiteError> {
        let default = OpeningSource::default_for(rules);
        let source = settings.source.as_ref().unwrap_or(&default);
        let plies = settings.plies.unwrap_or(DEFAULT_PLIES);
        let takes_plies = match source {
            OpeningSource::Random => true,
            OpeningSource::File(path) => is_pgn(path),
            _ => false,
        };
        if settings.plies.is_some() && !takes_plies {
            return Err(OpeningSuiteError::PliesUnused(source.to_string()));
        }
        let openings = match source {
            OpeningSource::Random => {
                Openings::Random(RandomLines::new(*rules, settings.seed, plies)?)
            }
            OpeningSource::Start => settings.listed(vec![start_position(rules)?]),
            OpeningSource::Riatra => settings.listed(riatra(rules)?),
            OpeningSource::Balanced => settings.listed(built_in("balanced", BALANCED, rules)?),
            OpeningSource::Sharp => settings.listed(built_in("sharp", SHARP, rules)?),
            OpeningSource::File(path) => settings.listed(from_file(path, rules, plies)?),
        };
        let start = settings.start.unwrap_or(1);
        match &openings {
            Openings::Listed(list, _) => {
                if start == 0 || start as usize > list.len() {
                    let count = list.len();
                    return Err(OpeningSuiteError::Start { start, count });
                }
            }
            Openings::Random(_) => {
                if start == 0 || start > FURTHEST_START {
                    return Err(OpeningSuiteError::RandomStart(start));
                }
            }
        }
        let checksum = openings.checksum(rules);
        Ok(OpeningSuite {
            openings,
            first: start as usize - 1,
            checksum,
        })
    }

    /// The number of openings; `None` for random ones, which have no end.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match &self.openings {
            Openings::Listed(list, _) => Some(list.len()),
            Openings::Random(_) => None,
        }
    }

    /// Whether there are no openings, which no book that could be opened is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The opening of a pair of games, the pairs counted from 0. After the last opening the book
    /// begins again, in random order with another shuffle.
    #[must_use]
    pub fn line(&self, pair: usize) -> OpeningLine {
        let place = self.first.saturating_add(pair);
        match &self.openings {
            Openings::Listed(list, sequence) => list[sequence.opening(place)].clone(),
            Openings::Random(lines) => lines.line(place),
        }
    }

    /// A checksum (CRC-32) over the openings' positions and moves in the order of their source, from
    /// which a match that is resumed sees that its book has changed. Names, comments and the order of
    /// play do not count; of random openings the first few do.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}

impl OpeningSettings {
    /// These openings in the order of the settings.
    fn listed(&self, list: Vec<OpeningLine>) -> Openings {
        let sequence = Sequence {
            order: self.order,
            seed: self.seed,
            count: list.len(),
        };
        Openings::Listed(list, sequence)
    }
}

impl Openings {
    fn checksum(&self, rules: &Rules) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut add = |opening: &OpeningLine| {
            hasher.update(opening.text(rules).as_bytes());
            hasher.update(b"\n");
        };
        match self {
            Openings::Listed(list, _) => list.iter().for_each(&mut add),
            Openings::Random(lines) => {
                (0..RANDOM_SAMPLE).for_each(|index| add(&lines.line(index)));
            }
        }
        hasher.finalize()
    }
}

//! What a search is made with.

use std::sync::Arc;

use super::{Parameters, Score};
use crate::board::{Move, Position};
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::tablebase::{MAX_STONES, Tablebases, Wdl};

/// What a search is made with, besides the game and its limits.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// Number of threads, clamped to 1 to [`MAX_THREADS`](super::MAX_THREADS).
    pub threads: usize,
    /// Size of the transposition table, in MiB, clamped to 1 to [`MAX_HASH_MIB`](super::MAX_HASH_MIB).
    pub hash_mib: usize,
    /// Evaluation in use.
    pub evaluation: Evaluation,
    /// Search parameters, in a build with the feature `tune`; otherwise they are constants.
    pub parameters: Parameters,
    /// Maximum number of stones of a position that is looked up in the tablebases.
    pub probe_stones: u32,
    /// Below this remaining depth, in plies, a position is looked up only if it has fewer stones than the
    /// largest table; 0 looks up everywhere, including quiescence.
    pub probe_depth: u32,
    /// Tablebases, used only under the rules that they are for.
    pub tablebases: Option<Arc<Tablebases>>,
}

impl SearchSettings {
    /// The default size of the transposition table, in MiB.
    pub const DEFAULT_HASH_MIB: usize = 16;

    /// What the tablebases know of a line from `position` on with this score: the plies to a conversion; `None` if the
    /// score is not theirs, or the line does not reach them.
    pub fn conversion(
        &self,
        rules: &Rules,
        position: &Position,
        score: Score,
        line: &[Move],
    ) -> Option<u32> {
        let tables = self.tablebases.as_ref().filter(|_| score.is_tablebase())?;
        let outcome = if score > Score::DRAW {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        tables.conversion(rules, position, line, outcome)
    }
}

/// One thread, a table of [`SearchSettings::DEFAULT_HASH_MIB`], no tablebases.
impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            threads: 1,
            hash_mib: SearchSettings::DEFAULT_HASH_MIB,
            evaluation: Evaluation::default(),
            parameters: Parameters::STANDARD,
            probe_stones: MAX_STONES,
            probe_depth: 0,
            tablebases: None,
        }
    }
}

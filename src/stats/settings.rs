//! What is played to be looked into.

use crate::eval::Evaluation;
use crate::openings::{OpeningSettings, OpeningSource};
use crate::rules::Rules;
use crate::search::Searcher;

/// How long each move is thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// To this depth, in plies.
    Depth(u32),
}

/// The games of a run. The same settings give the same figures, whatever the number of threads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of games.
    pub games: u32,
    /// How long each move is thought about.
    pub effort: Effort,
    /// The rules.
    pub rules: Rules,
    /// Where the games begin. Each opening is played once; after the last the first comes again.
    pub openings: OpeningSettings,
    /// Games played at a time, each by one thread.
    pub threads: usize,
    /// Size of the transposition table of each game, in MiB.
    pub hash_mib: usize,
    /// What positions are evaluated with.
    pub evaluation: Evaluation,
}

impl Default for Settings {
    /// A hundred games at 20,000 nodes a move that begin with two random plies: late enough that games
    /// differ, early enough to show the opening.
    fn default() -> Settings {
        Settings {
            games: 100,
            effort: Effort::Nodes(20_000),
            rules: Rules::STANDARD,
            openings: OpeningSettings {
                plies: Some(Settings::DEFAULT_PLIES),
                ..OpeningSettings::new(OpeningSource::Random)
            },
            threads: 1,
            hash_mib: Searcher::DEFAULT_HASH_MIB,
            evaluation: Evaluation::default(),
        }
    }
}

impl Settings {
    /// Random plies at the beginning of each game, where nothing else is said.
    pub const DEFAULT_PLIES: u32 = 2;
}

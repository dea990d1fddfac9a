//! Self-play settings.

use std::path::PathBuf;
use std::sync::Arc;

use crate::training::TrainingError;
use crate::training::data::{Appender, Header, Origin};
use vato_engine::eval::Evaluation;
use vato_engine::rules::Rules;
use vato_engine::tablebase::{TableFolders, Tablebases};

/// The target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A number of games.
    Games(u64),
    /// Games until this number of positions.
    Positions(u64),
}

impl Target {
    /// Whether a file holds enough.
    pub(super) fn is_reached(self, file: &Appender) -> bool {
        match self {
            Target::Games(games) => file.games() >= games,
            Target::Positions(positions) => file.positions() >= positions,
        }
    }
}

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct SelfPlaySettings {
    /// The rules.
    pub rules: Rules,
    /// When to stop, what the file held before included.
    pub target: Target,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// The fewest and the most random plies that a game begins with, each number equally likely.
    pub random_plies: [u32; 2],
    /// Openings that a search of so many nodes as a move gives a higher score than this, in
    /// centi-stones, for either side, are not played.
    pub opening_score: i32,
    /// Asides recorded for each position with captures or many stones: positions one to three random
    /// plies off the game, searched and not played out. They are like those that a search evaluates,
    /// most of which no sensible game ever reaches.
    pub asides: u32,
    /// The seed of the openings.
    pub seed: u64,
    /// Games played at a time, each by one thread.
    pub threads: usize,
    /// Folders of tablebases, beside those that are built in.
    pub tablebases: Vec<PathBuf>,
    /// Memory for what was read from tablebases, in bytes.
    pub tablebase_cache: u64,
    /// The evaluation.
    pub evaluation: Evaluation,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            rules: Rules::STANDARD,
            target: Target::Games(1_000),
            nodes: 1_000,
            random_plies: [4, 12],
            opening_score: 200,
            asides: 2,
            seed: 0,
            threads: 1,
            tablebases: Vec::new(),
            tablebase_cache: Tablebases::DEFAULT_CACHE_BYTES,
            evaluation: Evaluation::default(),
        }
    }
}

impl SelfPlaySettings {
    /// The tables that end games; `None` under rules that there are none for.
    pub(super) fn tablebases(&self) -> Result<Option<Arc<Tablebases>>, TrainingError> {
        let cache = self.tablebase_cache;
        if self.tablebases.is_empty() {
            // Rules without tables are played to the end.
            return Ok(Tablebases::built_in(&self.rules, cache, self.threads)
                .ok()
                .map(Arc::new));
        }
        let folders = TableFolders::of(self.tablebases.clone());
        let (tables, complaint) = Tablebases::for_play(&self.rules, &folders, cache, self.threads)?;
        match complaint {
            Some(complaint) => Err(complaint.into()),
            None => Ok(Some(Arc::new(tables))),
        }
    }

    /// The header of the file that the games go to.
    pub(super) fn header(&self, tables: Option<&Tablebases>) -> Header {
        Header {
            rules: self.rules.to_string(),
            origins: vec![Origin {
                program: concat!("vato ", env!("CARGO_PKG_VERSION")).to_owned(),
                evaluation: self.evaluation.name_for(&self.rules),
                nodes: self.nodes,
                random_plies: self.random_plies,
                opening_score: self.opening_score,
                asides: self.asides,
                adjudicated_stones: tables.map_or(0, Tablebases::stones),
                seed: self.seed,
            }],
            shuffled: false,
        }
    }
}

//! All figures of a run.

use serde::Serialize;

use super::{IterationFigures, Phase, PositionFigures};
use crate::board::Side;
use crate::rules::Outcome;
use crate::search::{NodeCounts, SearchCounts};

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameResults {
    /// Games that White won.
    pub white_wins: u64,
    /// Drawn games; those too that were broken off after very many plies.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Plies of all games, those of the opening included.
    pub plies: u64,
}

impl GameResults {
    /// All games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins
    }

    pub(super) fn count(&mut self, outcome: Option<Outcome>, plies: usize) {
        self.plies += plies as u64;
        match outcome.and_then(|outcome| outcome.winner) {
            Some(Side::White) => self.white_wins += 1,
            Some(Side::Black) => self.black_wins += 1,
            None => self.draws += 1,
        }
    }

    fn add(&mut self, other: &GameResults) {
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
        self.plies += other.plies;
    }
}

/// The figures of one phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseFigures {
    /// The positions of the games, and the turns played in them.
    pub positions: PositionFigures,
    /// The searches from them.
    pub iterations: IterationFigures,
}

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// How the games ended.
    pub results: GameResults,
    /// For each of [`Phase::ALL`], its figures.
    pub phases: Vec<PhaseFigures>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// What the search has counted; `None` in a build without the feature `stats`.
    pub search: Option<SearchCounts>,
}

impl Default for Figures {
    fn default() -> Figures {
        Figures {
            results: GameResults::default(),
            phases: vec![PhaseFigures::default(); Phase::ALL.len()],
            nodes: 0,
            search: None,
        }
    }
}

impl Figures {
    /// Adds the figures of `other`.
    pub fn add(&mut self, other: &Figures) {
        self.results.add(&other.results);
        for (sum, more) in self.phases.iter_mut().zip(&other.phases) {
            sum.positions.add(&more.positions);
            sum.iterations.add(&more.iterations);
        }
        self.nodes += other.nodes;
        if let Some(more) = &other.search {
            self.search.get_or_insert_default().add(more);
        }
    }

    /// The counts of the search at nodes of each of [`Phase::ALL`]; `None` in a build without the
    /// feature `stats`.
    #[must_use]
    pub fn search_by_phase(&self) -> Option<Vec<NodeCounts>> {
        let search = self.search.as_ref()?;
        let mut phases = vec![NodeCounts::default(); Phase::ALL.len()];
        for (stones, counts) in search.by_stones.iter().enumerate() {
            phases[Phase::index_of(stones as u32)].add(*counts);
        }
        Some(phases)
    }

    /// The sums over all phases.
    #[must_use]
    pub fn all_phases(&self) -> PhaseFigures {
        let mut all = PhaseFigures::default();
        for phase in &self.phases {
            all.positions.add(&phase.positions);
            all.iterations.add(&phase.iterations);
        }
        all
    }
}

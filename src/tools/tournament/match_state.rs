//! The state of a match: settings, schedule, standings.

use std::sync::Arc;

use super::formats::{Extent, NotScheduled, Ranking, Schedule, SharedSchedule};
use super::match_error::MatchError;
use super::record::GameEntry;
use super::runner::Ending;
use super::settings::{MatchSettings, SettingsError};
use super::standings::Standings;
use super::statistics::{Estimate, Ratings, SprtDecision, SprtState};
use vato_engine::board::Side;

use serde::Serialize;

/// A match and its games so far.
#[derive(Debug)]
pub struct MatchState {
    /// The settings, with the engines' names.
    pub settings: MatchSettings,
    /// Workers have it, too, while games are played.
    pub(super) schedule: Arc<SharedSchedule>,
    /// The results.
    pub standings: Standings,
    /// How the test over several machines has ended.
    pub verdict: Option<SprtState>,
}

/// How a match stood after some of its games: points of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// The number of games.
    pub games: u64,
    /// The difference of two engines in Elo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Estimate>,
    /// The log-likelihood ratio of the sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// The ratings of three or more engines, in their order; `None` for those that have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Option<f64>>,
}

impl MatchState {
    /// A match of which nothing has been played. Its engines have their names.
    ///
    /// # Errors
    ///
    /// If there is no such engine as the anchor, or no such match.
    pub fn new(settings: MatchSettings) -> Result<MatchState, SettingsError> {
        settings.validate_anchor()?;
        Ok(MatchState {
            schedule: Arc::new(SharedSchedule::new(Schedule::of(&settings)?)),
            standings: Standings::new(&settings),
            settings,
            verdict: None,
        })
    }

    /// Adds a finished game.
    ///
    /// # Errors
    ///
    /// One that does not belong to the match is rejected and changes nothing.
    pub fn add(&mut self, entry: &GameEntry) -> Result<(), NotScheduled> {
        let foreign = NotScheduled::Foreign(entry.game);
        let engine = |name: &str| self.standings.engine(name).ok_or(foreign);
        let players = [engine(&entry.white)?, engine(&entry.black)?];
        let side = |winner: &String| match winner {
            winner if *winner == entry.white => Ok(Side::White),
            winner if *winner == entry.black => Ok(Side::Black),
            _ => Err(foreign),
        };
        let winner = entry.winner.as_ref().map(side).transpose()?;
        let scored = self.schedule.record(entry.game, players, winner)?;
        self.standings.add(entry, players, winner, scored);
        Ok(())
    }

    /// How much has been played.
    pub fn extent(&self) -> Extent {
        self.schedule.lock().extent()
    }

    /// The highest number that a game may have; unlike [`Extent::total`] it counts games that need not be played.
    pub fn last_number(&self) -> u64 {
        self.schedule.lock().last_number()
    }

    /// How the match has ended; [`Ending::Stopped`] if games are still to be played.
    pub fn ending(&self) -> Ending {
        match self.decision() {
            Some(_) => Ending::Decided,
            None if self.schedule.lock().is_finished() => Ending::Complete,
            None => Ending::Stopped,
        }
    }

    /// The engines in their order.
    pub fn ranking(&self) -> Ranking {
        self.schedule.lock().ranking(&self.standings)
    }

    /// The engines' ratings; `None` for two engines, which have [`Standings::tally`].
    pub fn ratings(&self) -> Option<Ratings> {
        if self.standings.engines.len() == 2 {
            return None;
        }
        let (engine, elo) = match &self.settings.anchor {
            None => (0, 0.0),
            Some(anchor) => (self.standings.engine(&anchor.name)?, anchor.elo),
        };
        Ratings::of(&self.standings.crosstable, engine, elo)
    }

    /// The sequential test of the games here, if there is one. A part of the games does not decide it, and games that
    /// ended after the verdict do not change it.
    pub fn test(&self) -> Option<SprtState> {
        let mut test = self.settings.sprt?.state(&self.standings.tally);
        match self.verdict {
            Some(verdict) => test.decision = verdict.decision,
            None if self.settings.shard.is_some() => test.decision = SprtDecision::Continue,
            None => {}
        }
        Some(test)
    }

    /// The sequential test, if there is one and it is decided.
    pub fn decision(&self) -> Option<SprtState> {
        let is_over = |test: &SprtState| test.decision != SprtDecision::Continue;
        self.test().filter(is_over)
    }

    /// How the match came to stand as it does: at most `most` points, at equal intervals, the last of them after all
    /// of `entries`, its games in an order in which they can have been played.
    pub fn progress(
        &self,
        entries: &[GameEntry],
        most: usize,
    ) -> Result<Vec<Progress>, MatchError> {
        let mut state = MatchState::new(self.settings.clone())?;
        let most = most.clamp(1, entries.len().max(1));
        let mut points = Vec::with_capacity(most);
        for (place, entry) in (1..).zip(entries) {
            let added = state.add(entry);
            added.map_err(|error| MatchError::Schedule(error.to_string()))?;
            if place * most / entries.len() > points.len() {
                points.push(state.progress_point());
            }
        }
        Ok(points)
    }

    fn progress_point(&self) -> Progress {
        let tally = &self.standings.tally;
        let is_pair = self.standings.engines.len() == 2;
        let sprt = self.settings.sprt.filter(|_| is_pair);
        let figures = tally.figures().filter(|_| is_pair);
        let ratings = self.ratings().into_iter();
        let ratings = ratings.flat_map(|ratings| ratings.engines);
        Progress {
            games: self.standings.games,
            elo: figures.map(|figures| figures.elo),
            llr: sprt.map(|sprt| sprt.log_likelihood_ratio(tally)),
            ratings: ratings.map(|rating| Some(rating.elo?.value)).collect(),
        }
    }
}

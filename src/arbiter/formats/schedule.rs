//! The games of a tournament: handed out in order, taken in as they end.

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use super::fixture::{Fixture, Pairing, Scored};
use super::ranking::Ranking;
use super::{Format, Meeting, Results, format_of};
use crate::arbiter::settings::{MatchSettings, Shard, TournamentError, TournamentFormat};
use crate::arbiter::standings::Standings;
use crate::arbiter::statistics::GameScore;

/// The games of a tournament, and what is known of their results.
#[derive(Debug)]
pub(in crate::arbiter) struct Schedule {
    format: Box<dyn Format>,
    /// What the length is told in.
    unit: &'static str,
    shard: Option<Shard>,
    results: Results,
    /// Bouts that have begun and are not over.
    open: BTreeMap<u32, OpenBout>,
    /// Bouts before `next` that depend on games that are still to be played.
    unknown: Vec<u32>,
    /// The first bout that has not been looked at.
    next: u64,
    games_played: u64,
    bouts_over: u64,
}

/// A bout that has begun.
#[derive(Debug)]
struct OpenBout {
    pairing: Pairing,
    /// Games before this one have been handed out, or need not be.
    next: u32,
}

/// What is to be played next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This game.
    Game(Fixture),
    /// It depends on games that are being played.
    Wait,
    /// Nothing.
    Finished,
}

/// How much of a match has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// So much.
    pub done: u64,
    /// Of so much.
    pub total: u64,
    /// What is counted: `games` where their number is known from the beginning, else `rounds` (of the
    /// vela) or `encounters` (of a knockout).
    pub unit: &'static str,
}

/// What is missing of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The numbers of the games that can be told from the results, in order.
    pub games: Vec<u32>,
    /// How many encounters depend on these.
    pub later: u64,
}

/// A game that does not belong to the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotScheduled {
    /// No such game is played, not by these engines, or not with these colours.
    #[error("game {0} is not one of the match")]
    Foreign(u32),
    /// It has been played before.
    #[error("game {0} is there twice")]
    Twice(u32),
}

impl NotScheduled {
    /// The number of the game.
    #[must_use]
    pub const fn game(self) -> u32 {
        match self {
            NotScheduled::Foreign(game) | NotScheduled::Twice(game) => game,
        }
    }
}

impl Schedule {
    /// The schedule of a match of which nothing has been played.
    ///
    /// # Errors
    ///
    /// If it would have more games than there are numbers.
    pub(in crate::arbiter) fn of(settings: &MatchSettings) -> Result<Schedule, TournamentError> {
        let unit = match settings.format() {
            TournamentFormat::Vela => "rounds",
            TournamentFormat::Knockout => "encounters",
            _ => "games",
        };
        Ok(Schedule::new(format_of(settings)?, unit, settings.shard))
    }

    fn new(format: Box<dyn Format>, unit: &'static str, shard: Option<Shard>) -> Schedule {
        Schedule {
            format,
            unit,
            shard,
            results: Results::default(),
            open: BTreeMap::new(),
            unknown: Vec::new(),
            next: 0,
            games_played: 0,
            bouts_over: 0,
        }
    }

    /// The next game to play; it is not named again.
    pub(super) fn next_game(&mut self) -> Next {
        for bout in std::mem::take(&mut self.unknown) {
            self.look_at(bout);
        }
        for (&bout, open) in &mut self.open {
            if let Some(fixture) = open.next_game(bout, &*self.format, &self.results) {
                return Next::Game(fixture);
            }
        }
        while self.next < self.format.bouts() {
            // There are fewer bouts than game numbers.
            let bout = self.next as u32;
            self.next += 1;
            if !self.is_mine(bout) {
                continue;
            }
            self.look_at(bout);
            if let Some(open) = self.open.get_mut(&bout)
                && let Some(fixture) = open.next_game(bout, &*self.format, &self.results)
            {
                return Next::Game(fixture);
            }
        }
        if self.open.is_empty() && self.unknown.is_empty() {
            Next::Finished
        } else {
            Next::Wait
        }
    }

    /// Opens a bout, if it is known who meets in it and it is not over.
    fn look_at(&mut self, bout: u32) {
        match self.format.meeting(bout, &self.results) {
            Meeting::Unknown => self.unknown.push(bout),
            Meeting::Void => {}
            Meeting::Of(pairing) if !self.format.is_over(bout, &self.results) => {
                self.open.insert(bout, OpenBout { pairing, next: 0 });
            }
            Meeting::Of(_) => {}
        }
    }

    fn is_mine(&self, bout: u32) -> bool {
        self.shard.is_none_or(|shard| shard.has(bout))
    }

    /// Takes in the result of a game: who was White and Black, and who has won. What it adds to the
    /// score, if it does.
    ///
    /// # Errors
    ///
    /// If there is no such game, or it has been taken in before; then nothing is changed.
    pub(in crate::arbiter) fn record(
        &mut self,
        number: u32,
        [white, black]: [usize; 2],
        winner: Option<usize>,
    ) -> Result<Option<Scored>, NotScheduled> {
        let foreign = NotScheduled::Foreign(number);
        let (bout, game) = self.place(number).ok_or(foreign)?;
        let Meeting::Of(pairing) = self.format.meeting(bout, &self.results) else {
            return Err(foreign);
        };
        let scores = self.results.scores(bout);
        if scores.get(game as usize).is_some_and(Option::is_some) {
            return Err(NotScheduled::Twice(number));
        }
        if !self.is_mine(bout) || game >= self.format.games(bout, scores) {
            return Err(foreign);
        }
        let shape = self.format.game(bout, game, scores);
        let [first, second] = pairing.engines;
        let wanted = if shape.white == 0 {
            [first, second]
        } else {
            [second, first]
        };
        if wanted != [white, black] {
            return Err(foreign);
        }
        let score = match winner {
            None => GameScore::Draw,
            Some(winner) if winner == first => GameScore::Win,
            Some(_) => GameScore::Loss,
        };
        self.results.add(bout, game, score);
        self.games_played += 1;
        if self.format.is_over(bout, &self.results) {
            self.open.remove(&bout);
            self.bouts_over += 1;
        }
        let scores = self.results.scores(bout);
        Ok(self.format.scored(bout, &pairing, game, scores))
    }

    /// Whether a game with this number may be played here.
    pub(in crate::arbiter) fn has(&self, number: u32) -> bool {
        self.place(number)
            .is_some_and(|(bout, _)| self.is_mine(bout))
    }

    /// The bout of a game and its place there, both from 0; `None` if no game has this number.
    fn place(&self, number: u32) -> Option<(u32, u32)> {
        let index = u64::from(number).checked_sub(1)?;
        let most = self.format.most_games().max(1);
        let bout = index / most;
        (bout < self.format.bouts()).then_some((bout as u32, (index % most) as u32))
    }

    /// How much has been played.
    pub(in crate::arbiter) fn extent(&self) -> Extent {
        let bouts = match self.shard {
            None => self.format.encounters(),
            Some(shard) => {
                let (count, before) = (u64::from(shard.count()), u64::from(shard.number() - 1));
                let bouts = self.format.bouts();
                bouts / count + u64::from(bouts % count > before)
            }
        };
        if !self.format.has_fixed_length() {
            return Extent {
                done: self.bouts_over,
                total: bouts,
                unit: self.unit,
            };
        }
        let most = self.format.most_games();
        let mut total = bouts * most;
        // Only the last bout may be a shorter one.
        let last = self.format.bouts().saturating_sub(1) as u32;
        if bouts > 0 && self.is_mine(last) {
            total -= most - u64::from(self.format.games(last, &[])).min(most);
        }
        Extent {
            done: self.games_played,
            total,
            unit: self.unit,
        }
    }

    /// Whether everything has been played.
    pub(in crate::arbiter) fn is_finished(&self) -> bool {
        let extent = self.extent();
        extent.done >= extent.total
    }

    /// The most games that may be played at the same time from here on.
    pub(in crate::arbiter) fn most_at_once(&self) -> u64 {
        let Extent { done, total, .. } = self.extent();
        let left = total.saturating_sub(done);
        if self.format.has_fixed_length() {
            left
        } else {
            left.saturating_mul(self.format.games_at_once())
        }
    }

    /// What is still to be played.
    pub(in crate::arbiter) fn missing(&mut self) -> Missing {
        let mut missing = Missing::default();
        let most = self.format.most_games();
        for bout in 0..self.format.bouts() {
            let bout = bout as u32;
            if !self.is_mine(bout) {
                continue;
            }
            match self.format.meeting(bout, &self.results) {
                Meeting::Void => {}
                Meeting::Unknown => missing.later += 1,
                Meeting::Of(_) => {
                    let scores = self.results.scores(bout);
                    let games = self.format.games(bout, scores);
                    let left = (0..games).filter(|&game| {
                        let score = scores.get(game as usize).copied().flatten();
                        score.is_none()
                    });
                    let number = |game| (u64::from(bout) * most) as u32 + game + 1;
                    missing.games.extend(left.map(number));
                }
            }
        }
        missing
    }

    /// The order of the engines.
    pub(in crate::arbiter) fn ranking(&mut self, standings: &Standings) -> Ranking {
        self.format.ranking(standings, &self.results)
    }
}

impl OpenBout {
    /// The next game of the bout, if it is known.
    fn next_game(&mut self, bout: u32, format: &dyn Format, results: &Results) -> Option<Fixture> {
        let scores = results.scores(bout);
        let games = format.games(bout, scores);
        let game = (self.next..games).find(|&game| {
            let score = scores.get(game as usize).copied().flatten();
            score.is_none()
        })?;
        self.next = game + 1;
        // There are no more games than numbers.
        let number = (u64::from(bout) * format.most_games()) as u32 + game + 1;
        Some(Fixture {
            number,
            pairing: self.pairing,
            game: self.pairing.before + game + 1,
            shape: format.game(bout, game, scores),
        })
    }
}

#[cfg(test)]
pub(super) mod tests;

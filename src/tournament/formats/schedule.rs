//! The games of a tournament: handed out as workers ask for them, taken in as they end.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use super::ranking::Ranking;
use super::{Format, Meeting, Results, ScheduledGame, Scored, format_of};
use crate::board::Side;
use crate::stop::StopSignal;
use crate::tournament::merge::Missing;
use crate::tournament::settings::{MatchSettings, SettingsError, Shard, TournamentFormat};
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;
use crate::tournament::worker::GameSource;

/// Number of waiting encounters to choose from. More of them save starts of engines, but let encounters
/// drift apart.
const CHOICE: usize = 8;

/// Interval at which a waiting worker checks for a stop.
const LOOK: Duration = Duration::from_millis(20);

/// The games of a tournament and their results so far.
#[derive(Debug)]
pub(crate) struct Schedule {
    format: Box<dyn Format>,
    /// The unit of the length.
    unit: &'static str,
    shard: Option<Shard>,
    results: Results,
    /// Encounters with known pairings that are not over.
    open: BTreeMap<u32, OpenEncounter>,
    /// Encounters before `next` that depend on games that are still to be played.
    unknown: Vec<u32>,
    /// The first encounter that has not been looked at.
    next: u64,
    games_played: u64,
    encounters_over: u64,
}

#[derive(Debug)]
struct OpenEncounter {
    engines: [usize; 2],
    /// All games before this one have been handed out or are not needed.
    next: u32,
    /// The number of the last game that was handed out: who has played that one is to go on.
    last: Option<u32>,
}

/// The worker that asks for a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asking<'a> {
    /// The engines that it has running.
    pub(crate) running: &'a [usize],
    /// The number of the last game that it has played.
    pub(crate) last: Option<u32>,
}

/// The next step of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Game(ScheduledGame),
    /// It depends on running games.
    Wait,
    Finished,
    /// No game is running, and the pairings of so many encounters are unknown.
    NobodyToPair(usize),
}

/// Progress of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// Played.
    pub done: u64,
    /// In all.
    pub total: u64,
    /// What is counted: `games` where their number is known from the beginning, else `rounds` (of the
    /// vela) or `encounters` (of a knockout).
    pub unit: &'static str,
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

impl Schedule {
    /// The schedule of a new match.
    pub(crate) fn of(settings: &MatchSettings) -> Result<Schedule, SettingsError> {
        let unit = match settings.format() {
            TournamentFormat::Vela => "rounds",
            TournamentFormat::Knockout => "encounters",
            _ => "games",
        };
        Ok(Schedule::new(format_of(settings)?, unit, settings.shard))
    }

    fn new(mut format: Box<dyn Format>, unit: &'static str, shard: Option<Shard>) -> Schedule {
        let results = Results::default();
        format.pair(&results);
        Schedule {
            format,
            unit,
            shard,
            results,
            open: BTreeMap::new(),
            unknown: Vec::new(),
            next: 0,
            games_played: 0,
            encounters_over: 0,
        }
    }

    /// The next game for a worker; it is not named again. What the games are does not depend on who asks,
    /// only which of them comes first.
    pub(super) fn next_game(&mut self, asking: Asking<'_>) -> Next {
        if asking.last.is_some_and(|last| self.awaits(last)) {
            return Next::Wait;
        }
        let is_new = |open: &&OpenEncounter| open.last.is_none();
        while self.next < self.format.encounters()
            && self.open.values().filter(is_new).count() < CHOICE
        {
            // There are fewer encounters than game numbers.
            let encounter = self.next as u32;
            self.next += 1;
            if self.is_mine(encounter) {
                self.look_at(encounter);
            }
        }
        match self.choose(asking) {
            Some(game) => Next::Game(game),
            None if !self.open.is_empty() => Next::Wait,
            None if self.unknown.is_empty() => Next::Finished,
            None => Next::NobodyToPair(self.unknown.len()),
        }
    }

    /// Whoever has begun an encounter goes on with it, even if an engine has to be started anew: half a
    /// pair of games is worth nothing. Else it is a game for which few engines have to be started. An
    /// encounter that goes on elsewhere is left to those who play it, unless its engines are here too or
    /// nothing else is left.
    fn choose(&mut self, asking: Asking<'_>) -> Option<ScheduledGame> {
        let candidates = self.open.iter().filter_map(|(&encounter, open)| {
            let game = self.unplayed(encounter, open.next).next()?;
            let is_new = |engine: &&usize| !asking.running.contains(engine);
            let starts = open.engines.iter().filter(is_new).count();
            let is_begun = open.last.is_some();
            let is_here = is_begun && open.last == asking.last;
            let is_elsewhere = is_begun && !is_here && starts > 0;
            Some(((is_elsewhere, !is_here, starts, encounter), game))
        });
        let ((.., encounter), game) = candidates.min()?;
        let open = self.open.get_mut(&encounter)?;
        let scores = self.results.scores(encounter);
        let scheduled = self.format.game(encounter, game, open.engines, scores);
        open.next = game + 1;
        open.last = Some(scheduled.number);
        Some(scheduled)
    }

    /// Whether the game has not been taken in yet, and others of its encounter depend on it: whoever has
    /// played it is to go on with them.
    fn awaits(&self, number: u32) -> bool {
        let depends = self.format.games_at_once() < self.format.most_games();
        let place = self.place(number).filter(|_| depends);
        place.is_some_and(|(encounter, game)| !self.results.has(encounter, game))
    }

    /// Opens an encounter, if it is known who meets in it and it is not over.
    fn look_at(&mut self, encounter: u32) {
        let (next, last) = (0, None);
        match self.format.meeting(encounter, &self.results) {
            Meeting::Unknown => self.unknown.push(encounter),
            Meeting::Of(engines) if !self.format.is_over(encounter, &self.results) => {
                let open = OpenEncounter {
                    engines,
                    next,
                    last,
                };
                self.open.insert(encounter, open);
            }
            Meeting::Of(_) | Meeting::Void => {}
        }
    }

    fn is_mine(&self, encounter: u32) -> bool {
        self.shard
            .is_none_or(|shard| shard.has(self.format.unit(encounter)))
    }

    /// Takes in the result of a game: who was White and Black, and who has won. What it adds to the
    /// score, if it does. After an error nothing is changed.
    pub(crate) fn record(
        &mut self,
        number: u32,
        players: [usize; 2],
        winner: Option<Side>,
    ) -> Result<Option<Scored>, NotScheduled> {
        let foreign = NotScheduled::Foreign(number);
        let (encounter, game) = self.place(number).ok_or(foreign)?;
        let Meeting::Of(engines) = self.format.meeting(encounter, &self.results) else {
            return Err(foreign);
        };
        if self.results.has(encounter, game) {
            return Err(NotScheduled::Twice(number));
        }
        let scores = self.results.scores(encounter);
        if !self.is_mine(encounter) || game >= self.format.games(encounter, scores) {
            return Err(foreign);
        }
        let scheduled = self.format.game(encounter, game, engines, scores);
        if scheduled.players != players {
            return Err(foreign);
        }
        // From White's view.
        let score = match winner {
            None => GameScore::Draw,
            Some(Side::White) => GameScore::Win,
            Some(Side::Black) => GameScore::Loss,
        };
        let first_is_white = players == engines;
        let of_first = if first_is_white {
            score
        } else {
            score.reversed()
        };
        self.results.add(encounter, game, of_first);
        self.games_played += 1;
        if self.format.is_over(encounter, &self.results) {
            self.open.remove(&encounter);
            self.encounters_over += 1;
        }
        self.format.pair(&self.results);
        for encounter in std::mem::take(&mut self.unknown) {
            self.look_at(encounter);
        }
        let scores = self.results.scores(encounter);
        let pair = scheduled.pair;
        let own = Scored {
            players,
            pair,
            score,
        };
        Ok(self.format.scored(encounter, engines, own, scores))
    }

    /// Whether a game with this number may be played here.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.place(number)
            .is_some_and(|(encounter, _)| self.is_mine(encounter))
    }

    /// The encounter of a game and its place there, both from 0; `None` if no game has this number.
    fn place(&self, number: u32) -> Option<(u32, u32)> {
        let index = u64::from(number).checked_sub(1)?;
        let most = self.format.most_games().max(1);
        let encounter = index / most;
        (encounter < self.format.encounters()).then_some((encounter as u32, (index % most) as u32))
    }

    /// The games of an encounter, from `first` on, that have not been played, as far as they are known.
    fn unplayed(&self, encounter: u32, first: u32) -> impl Iterator<Item = u32> {
        let games = self.format.games(encounter, self.results.scores(encounter));
        (first..games).filter(move |&game| !self.results.has(encounter, game))
    }

    pub(crate) fn extent(&self) -> Extent {
        let encounters = match self.shard {
            None => self.format.played_encounters(),
            Some(shard) => self.format.encounters_of(shard),
        };
        let unit = self.unit;
        if !self.format.has_fixed_length() {
            let done = self.encounters_over;
            let total = encounters;
            return Extent { done, total, unit };
        }
        let most = self.format.most_games();
        let mut total = encounters * most;
        // Only the last encounter may be a shorter one.
        let last = self.format.encounters().saturating_sub(1) as u32;
        if encounters > 0 && self.is_mine(last) {
            total -= most - u64::from(self.format.games(last, &[])).min(most);
        }
        let done = self.games_played;
        Extent { done, total, unit }
    }

    pub(crate) fn is_finished(&self) -> bool {
        let extent = self.extent();
        extent.done >= extent.total
    }

    /// The most games that may be played at the same time from here on.
    pub(crate) fn most_at_once(&self) -> u64 {
        let Extent { done, total, .. } = self.extent();
        let left = total.saturating_sub(done);
        if self.format.has_fixed_length() {
            left
        } else {
            left.saturating_mul(self.format.games_at_once())
        }
    }

    pub(crate) fn missing(&self) -> Missing {
        let mut missing = Missing::default();
        let encounters = (0..self.format.encounters()).map(|encounter| encounter as u32);
        for encounter in encounters.filter(|&encounter| self.is_mine(encounter)) {
            match self.format.meeting(encounter, &self.results) {
                Meeting::Void => {}
                Meeting::Unknown => missing.later += 1,
                Meeting::Of(_) => {
                    for game in self.unplayed(encounter, 0) {
                        let number = self.format.number(encounter, game);
                        missing.games.add(number, number);
                    }
                }
            }
        }
        missing
    }

    pub(crate) fn ranking(&self, standings: &Standings) -> Ranking {
        self.format.ranking(standings, &self.results)
    }
}

/// A schedule that several workers take their games from.
#[derive(Debug)]
pub(crate) struct SharedSchedule<'a> {
    schedule: Mutex<&'a mut Schedule>,
    changed: Condvar,
}

impl<'a> SharedSchedule<'a> {
    pub(crate) fn new(schedule: &'a mut Schedule) -> SharedSchedule<'a> {
        SharedSchedule {
            schedule: Mutex::new(schedule),
            changed: Condvar::new(),
        }
    }

    /// A thread that has panicked has ended the match; the schedule that it left is in order, as nothing
    /// here panics half way.
    fn lock(&self) -> MutexGuard<'_, &'a mut Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Schedule::record`]; also how much has been played then.
    pub(crate) fn record(
        &self,
        game: &ScheduledGame,
        winner: Option<Side>,
    ) -> Result<(Option<Scored>, Extent), NotScheduled> {
        let mut schedule = self.lock();
        let scored = schedule.record(game.number, game.players, winner)?;
        self.changed.notify_all();
        Ok((scored, schedule.extent()))
    }
}

impl GameSource for SharedSchedule<'_> {
    /// Waits for the next game until it is known.
    fn next(&self, asking: Asking<'_>, stop: &StopSignal) -> Next {
        let mut schedule = self.lock();
        while !stop.is_given() {
            match schedule.next_game(asking) {
                Next::Wait => {
                    let waited = self.changed.wait_timeout(schedule, LOOK);
                    schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                next => return next,
            }
        }
        Next::Finished
    }
}

#[cfg(test)]
pub(super) mod tests;

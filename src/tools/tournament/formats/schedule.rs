//! The schedule of a tournament: hands out games to workers and records their results.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use super::{Format, Meeting, Ranking, Results, ScheduledGame, Scored, format_of};
use crate::stop::StopSignal;
use crate::tournament::merge::Missing;
use crate::tournament::settings::{MatchSettings, SettingsError, Shard};
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;
use vato_engine::board::Side;
use vato_engine::sync::{Condvar, Mutex, MutexGuard};

/// The waiting encounters to choose from. More of them save engine starts, but let encounters drift apart.
const CHOICE: usize = 8;

/// The interval at which a waiting worker checks for a stop.
const LOOK: Duration = Duration::from_millis(20);

/// The games of a tournament and their results so far.
#[derive(Debug)]
pub(crate) struct Schedule {
    format: Box<dyn Format>,
    shard: Option<Shard>,
    results: Results,
    /// Encounters in progress or to be played, with known pairings.
    open: BTreeMap<u32, OpenEncounter>,
    /// Encounters before `next` whose pairings depend on games still to be played.
    unknown: Vec<u32>,
    /// The first encounter not examined yet.
    next: u64,
    games_played: u64,
    encounters_over: u64,
}

#[derive(Debug)]
struct OpenEncounter {
    engines: [usize; 2],
    /// All games before this one have been handed out or are not needed.
    next: u32,
    /// The number of the last game handed out: its player continues the encounter.
    last: Option<u32>,
}

/// A worker's request for a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asking<'a> {
    /// The engines it has running.
    pub(crate) running: &'a [usize],
    /// The number of the last game it played.
    pub(crate) last: Option<u32>,
}

/// The next step of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Game(ScheduledGame),
    /// The next game depends on running games.
    Wait,
    Finished,
    /// No game is running, and this many encounters have unknown pairings.
    NobodyToPair(usize),
}

/// Progress of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// The number played.
    pub done: u64,
    /// The total number.
    pub total: u64,
    /// The unit: `games` if their number is known from the start, else `rounds` (vela) or `encounters`
    /// (knockout).
    pub unit: &'static str,
}

/// A game that does not fit the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotScheduled {
    /// There is no such game, or its engines or colours differ.
    #[error("game {0} is not one of the match")]
    Foreign(u32),
    /// It has been recorded before.
    #[error("game {0} is there twice")]
    Twice(u32),
}

impl Schedule {
    pub(crate) fn of(settings: &MatchSettings) -> Result<Schedule, SettingsError> {
        Ok(Schedule::new(format_of(settings)?, settings.shard))
    }

    fn new(mut format: Box<dyn Format>, shard: Option<Shard>) -> Schedule {
        let results = Results::default();
        format.pair(&results);
        Schedule {
            format,
            shard,
            results,
            open: BTreeMap::new(),
            unknown: Vec::new(),
            next: 0,
            games_played: 0,
            encounters_over: 0,
        }
    }

    /// Hands out the next game for a worker. The order of the games depends on the workers, the games do not.
    pub(super) fn next_game(&mut self, asking: Asking<'_>) -> Next {
        if asking.last.is_some_and(|last| self.awaits(last)) {
            return Next::Wait;
        }
        let is_new = |open: &&OpenEncounter| open.last.is_none();
        while self.next < self.format.rounds().encounters()
            && self.open.values().filter(is_new).count() < CHOICE
        {
            // There are fewer encounters than game numbers, which fit.
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

    /// A worker continues the encounter it has begun, even if an engine has to be restarted: half a pair of
    /// games is worthless. Otherwise a game is chosen for which few engines have to be started. An
    /// encounter in progress elsewhere is left to its worker, unless its engines run here too or nothing
    /// else is left.
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

    /// Whether later games of its encounter depend on this game, which has not been recorded yet.
    fn awaits(&self, number: u32) -> bool {
        let rounds = self.format.rounds();
        let depends = rounds.games_at_once < rounds.most_games;
        let place = self.place(number).filter(|_| depends);
        place.is_some_and(|(encounter, game)| !self.results.has(encounter, game))
    }

    /// Opens an encounter if its pairing is known and it is not over.
    fn look_at(&mut self, encounter: u32) {
        match self.format.meeting(encounter, &self.results) {
            Meeting::Unknown => self.unknown.push(encounter),
            Meeting::Of(engines) if !self.format.is_over(encounter, &self.results) => {
                let open = OpenEncounter {
                    engines,
                    next: 0,
                    last: None,
                };
                self.open.insert(encounter, open);
            }
            Meeting::Of(_) | Meeting::Void => {}
        }
    }

    fn is_mine(&self, encounter: u32) -> bool {
        self.is_in(encounter, self.shard)
    }

    fn is_in(&self, encounter: u32, part: Option<Shard>) -> bool {
        part.is_none_or(|part| part.has(self.format.rounds().unit(encounter)))
    }

    /// Records the result of a game: its players (White, Black) and the winner. Returns what it adds to the
    /// score, if anything. On error nothing is changed.
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
        let score = GameScore::of(winner.map(Side::index));
        let is_first = |engine| engine == engines[0];
        let winner = winner.map(|side| usize::from(!is_first(players[side.index()])));
        self.results.add(encounter, game, GameScore::of(winner));
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
        let own = Scored {
            players,
            pair: scheduled.pair,
            score,
        };
        Ok(self.format.scored(encounter, engines, own, scores))
    }

    /// Whether a part of this schedule may play a game with this number.
    pub(crate) fn has(&self, number: u32, part: Option<Shard>) -> bool {
        let place = self.place(number);
        place.is_some_and(|(encounter, _)| self.is_in(encounter, part))
    }

    /// The encounter of a game and its index there, both from 0; `None` for an unused number.
    fn place(&self, number: u32) -> Option<(u32, u32)> {
        let index = u64::from(number).checked_sub(1)?;
        let rounds = self.format.rounds();
        let most = rounds.most_games.max(1);
        let encounter = index / most;
        (encounter < rounds.encounters()).then_some((encounter as u32, (index % most) as u32))
    }

    /// The known games of an encounter, from `first` on, that have not been played.
    fn unplayed(&self, encounter: u32, first: u32) -> impl Iterator<Item = u32> {
        let games = self.format.games(encounter, self.results.scores(encounter));
        (first..games).filter(move |&game| !self.results.has(encounter, game))
    }

    pub(crate) fn extent(&self) -> Extent {
        let rounds = self.format.rounds();
        let (encounters, unit) = (rounds.encounters_of(self.shard), rounds.counted);
        if !rounds.has_fixed_length() {
            let (done, total) = (self.encounters_over, encounters);
            return Extent { done, total, unit };
        }
        let most = rounds.most_games;
        let mut total = encounters * most;
        // Only the last encounter may be shorter.
        let last = rounds.encounters().saturating_sub(1) as u32;
        if encounters > 0 && self.is_mine(last) {
            total -= most - u64::from(self.format.games(last, &[])).min(most);
        }
        let done = self.games_played;
        Extent { done, total, unit }
    }

    /// The highest number that a game of all parts may have.
    pub(crate) fn last_number(&self) -> u64 {
        let rounds = self.format.rounds();
        // Checked when the format was made: all numbers fit.
        (rounds.last_number(|last| self.format.games(last, &[]))).unwrap_or(0)
    }

    pub(crate) fn is_finished(&self) -> bool {
        let extent = self.extent();
        extent.done >= extent.total
    }

    /// The maximum number of games that can run concurrently from now on.
    pub(crate) fn most_at_once(&self) -> u64 {
        let Extent { done, total, .. } = self.extent();
        let left = total.saturating_sub(done);
        match self.format.rounds() {
            rounds if rounds.has_fixed_length() => left,
            rounds => left.saturating_mul(rounds.games_at_once),
        }
    }

    pub(crate) fn missing(&self) -> Missing {
        let mut missing = Missing::default();
        let encounters = (0..self.format.rounds().encounters()).map(|encounter| encounter as u32);
        for encounter in encounters.filter(|&encounter| self.is_mine(encounter)) {
            match self.format.meeting(encounter, &self.results) {
                Meeting::Void => {}
                Meeting::Unknown => missing.later += 1,
                Meeting::Of(_) => {
                    for game in self.unplayed(encounter, 0) {
                        let number = self.format.rounds().number(encounter, game);
                        missing.games.add(number, number);
                    }
                }
            }
        }
        missing
    }

    /// The games whose players are known before any result, in the order of their numbers.
    pub(crate) fn known(&self) -> impl Iterator<Item = ScheduledGame> {
        let rounds = self.format.rounds();
        let encounters = (0..rounds.encounters()).map(|encounter| encounter as u32);
        let mine = encounters.filter(|&encounter| self.is_mine(encounter));
        let places = mine.flat_map(|encounter| {
            (0..rounds.games_at_once as u32).map(move |game| (encounter, game))
        });
        places.filter_map(
            |(encounter, game)| match self.format.meeting(encounter, &self.results) {
                Meeting::Of(engines) if game < self.format.games(encounter, &[]) => {
                    Some(self.format.game(encounter, game, engines, &[]))
                }
                _ => None,
            },
        )
    }

    pub(crate) fn ranking(&self, standings: &Standings) -> Ranking {
        self.format.ranking(standings, &self.results)
    }
}

#[derive(Debug)]
pub(crate) struct SharedSchedule {
    schedule: Mutex<Schedule>,
    changed: Condvar,
}

impl SharedSchedule {
    pub(crate) fn new(schedule: Schedule) -> SharedSchedule {
        SharedSchedule {
            schedule: Mutex::new(schedule),
            changed: Condvar::new(),
        }
    }

    /// Poisoning is ignored: a panicking thread ends the match anyway, and no code here panics while the
    /// schedule is inconsistent.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Like [`Schedule::record`].
    pub(crate) fn record(
        &self,
        number: u32,
        players: [usize; 2],
        winner: Option<Side>,
    ) -> Result<Option<Scored>, NotScheduled> {
        let scored = self.lock().record(number, players, winner)?;
        self.changed.notify_all();
        Ok(scored)
    }

    /// The next game for a worker; there is none if everything is to stop. Waits until it is known.
    pub(in crate::tournament) fn next(&self, asking: Asking<'_>, stop: &StopSignal) -> Next {
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

#[cfg(all(test, vato_loom))]
#[path = "../../../../tests/loom/schedule.rs"]
mod models;

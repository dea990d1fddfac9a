//! The games of a tournament: handed out as places ask for them, taken in as they end.

mod open_bouts;

use serde::Serialize;
use thiserror::Error;

use self::open_bouts::OpenBouts;
use super::fixture::{Fixture, Scored};
use super::ranking::Ranking;
use super::{Format, Meeting, Results, format_of};
use crate::tournament::missing::Numbers;
use crate::tournament::settings::{MatchSettings, Shard, TournamentError, TournamentFormat};
use crate::tournament::standings::Standings;
use crate::tournament::statistics::GameScore;

/// The games of a tournament, and what is known of their results.
#[derive(Debug)]
pub(in crate::tournament) struct Schedule {
    format: Box<dyn Format>,
    /// What the length is told in.
    unit: &'static str,
    shard: Option<Shard>,
    results: Results,
    /// Bouts of which it is known who meets, and which are not over.
    open: OpenBouts,
    /// Bouts before `next` that depend on games that are still to be played.
    unknown: Vec<u32>,
    /// Whether results have come in since these were looked at.
    has_news: bool,
    /// The first bout that has not been looked at.
    next: u64,
    games_played: u64,
    bouts_over: u64,
}

/// Who asks for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tournament) struct Asking<'a> {
    /// The engines that run at its place already.
    pub(in crate::tournament) seated: &'a [usize],
    /// The number of the last game that was played there.
    pub(in crate::tournament) last: Option<u32>,
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
    /// Nobody knows: no game is being played, and who meets in so many bouts cannot be told.
    NobodyToPair(usize),
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::tournament) struct Missing {
    /// The numbers of the games that can be told from the results.
    pub(in crate::tournament) games: Numbers,
    /// How many encounters depend on these.
    pub(in crate::tournament) later: u64,
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
    pub(in crate::tournament) fn of(settings: &MatchSettings) -> Result<Schedule, TournamentError> {
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
            open: OpenBouts::default(),
            unknown: Vec::new(),
            has_news: false,
            next: 0,
            games_played: 0,
            bouts_over: 0,
        }
    }

    /// The next game to play at a place; it is not named again.
    ///
    /// Which of the games that may be played comes first is for convenience alone, so that few engines
    /// have to be started ([`OpenBouts::next_game`]); what the games are does not depend on it.
    pub(super) fn next_game(&mut self, asking: Asking<'_>) -> Next {
        if asking.last.is_some_and(|last| self.awaits(last)) {
            return Next::Wait;
        }
        if std::mem::take(&mut self.has_news) {
            for bout in std::mem::take(&mut self.unknown) {
                self.look_at(bout);
            }
        }
        while self.open.wants_more() && self.next < self.format.bouts() {
            // There are fewer bouts than game numbers.
            let bout = self.next as u32;
            self.next += 1;
            if self.is_mine(bout) {
                self.look_at(bout);
            }
        }
        let next = self.open.next_game(asking, &*self.format, &self.results);
        match next {
            Some(fixture) => Next::Game(fixture),
            None if !self.open.is_empty() => Next::Wait,
            None if self.unknown.is_empty() => Next::Finished,
            None => Next::NobodyToPair(self.unknown.len()),
        }
    }

    /// Whether the game has not been taken in yet, and others of its bout depend on it: whoever has
    /// played it is to go on with them.
    fn awaits(&self, number: u32) -> bool {
        let depends = self.format.games_at_once() < self.format.most_games();
        depends
            && self
                .place(number)
                .is_some_and(|(bout, game)| !self.results.has(bout, game))
    }

    /// Opens a bout, if it is known who meets in it and it is not over.
    fn look_at(&mut self, bout: u32) {
        match self.format.meeting(bout, &self.results) {
            Meeting::Unknown => self.unknown.push(bout),
            Meeting::Void => {}
            Meeting::Of(pairing) if !self.format.is_over(bout, &self.results) => {
                self.open.add(bout, pairing);
            }
            Meeting::Of(_) => {}
        }
    }

    fn is_mine(&self, bout: u32) -> bool {
        self.shard
            .is_none_or(|shard| shard.has(self.format.unit(bout)))
    }

    /// Takes in the result of a game: who was White and Black, and who has won. What it adds to the
    /// score, if it does.
    ///
    /// # Errors
    ///
    /// If there is no such game, or it has been taken in before; then nothing is changed.
    pub(in crate::tournament) fn record(
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
        if self.results.has(bout, game) {
            return Err(NotScheduled::Twice(number));
        }
        let scores = self.results.scores(bout);
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
        self.has_news = true;
        if self.format.is_over(bout, &self.results) {
            self.open.remove(bout);
            self.bouts_over += 1;
        }
        let scores = self.results.scores(bout);
        Ok(self.format.scored(bout, &pairing, game, scores))
    }

    /// Whether a game with this number may be played here.
    pub(in crate::tournament) fn has(&self, number: u32) -> bool {
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
    pub(in crate::tournament) fn extent(&self) -> Extent {
        let bouts = match self.shard {
            None => self.format.encounters(),
            Some(shard) => self.format.bouts_of(shard),
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
    pub(in crate::tournament) fn is_finished(&self) -> bool {
        let extent = self.extent();
        extent.done >= extent.total
    }

    /// The most games that may be played at the same time from here on.
    pub(in crate::tournament) fn most_at_once(&self) -> u64 {
        let Extent { done, total, .. } = self.extent();
        let left = total.saturating_sub(done);
        if self.format.has_fixed_length() {
            left
        } else {
            left.saturating_mul(self.format.games_at_once())
        }
    }

    /// What is still to be played.
    pub(in crate::tournament) fn missing(&mut self) -> Missing {
        let mut missing = Missing::default();
        for bout in 0..self.format.bouts() {
            let bout = bout as u32;
            if !self.is_mine(bout) {
                continue;
            }
            match self.format.meeting(bout, &self.results) {
                Meeting::Void => {}
                Meeting::Unknown => missing.later += 1,
                Meeting::Of(_) => {
                    let left = unplayed(bout, 0, &*self.format, &self.results);
                    for game in left {
                        let number = number(bout, game, &*self.format);
                        missing.games.add(number, number);
                    }
                }
            }
        }
        missing
    }

    /// The order of the engines.
    pub(in crate::tournament) fn ranking(&mut self, standings: &Standings) -> Ranking {
        self.format.ranking(standings, &self.results)
    }
}

/// The games of a bout, from `first` on, that have not been played, as far as they are known.
fn unplayed(
    bout: u32,
    first: u32,
    format: &dyn Format,
    results: &Results,
) -> impl Iterator<Item = u32> {
    let games = format.games(bout, results.scores(bout));
    (first..games).filter(move |&game| !results.has(bout, game))
}

/// The number of a game.
fn number(bout: u32, game: u32, format: &dyn Format) -> u32 {
    // There are no more games than numbers.
    (u64::from(bout) * format.most_games()) as u32 + game + 1
}

#[cfg(test)]
pub(super) mod tests;

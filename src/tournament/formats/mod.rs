//! Who plays whom, in which order: a file for each format.
//!
//! A tournament is a list of *bouts*: a bout is what two engines play as a whole, such as a pair of
//! games with the same opening, a set of riatra, a round of the vela or an encounter of a knockout.
//! A [`Format`] tells, from the results so far, who meets in each bout and how many games it takes; the
//! [`Schedule`] hands the games out, several bouts at a time, and takes their results in.
//!
//! Every bout has a range of game numbers to itself, long enough for all games that it may take. So the
//! number of a game, its opening and its colours depend on results alone, never on which game ended
//! first: a tournament that is stopped goes on as if it had not been, and parts of a schedule that are
//! played on different machines fit together. Numbers that a bout does not need are left out.

mod circle;
mod fixture;
mod gauntlet;
mod knockout;
mod pairs;
mod ranking;
mod results;
mod riatra;
mod round_robin;
mod schedule;
mod shared_schedule;
mod swiss;
mod vela;

use std::fmt::Debug;

pub(super) use self::fixture::{Fixture, GameShape, Pairing, Scored};
pub use self::ranking::{Place, Ranking, TieBreak, VelaFigures};
pub(super) use self::results::Results;
pub(super) use self::schedule::Asking;
pub(super) use self::schedule::Missing;
pub(super) use self::schedule::Schedule;
pub use self::schedule::{Extent, NotScheduled};
pub(super) use self::shared_schedule::{NobodyToPair, SharedSchedule};
use super::settings::{MatchSettings, Shard, TournamentError, TournamentFormat};
use super::standings::Standings;
use super::statistics::GameScore;

/// Who plays whom, as far as results tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// It depends on games that are still to be played.
    Unknown,
    /// Nobody plays.
    Void,
    /// These two.
    Of(Pairing),
}

impl Meeting {
    /// The meeting of the round with this number that stands at `encounter` among its encounters, both
    /// counted from 0; beyond these nobody plays.
    fn of_round(encounters: &[[usize; 2]], round: u32, encounter: u32) -> Meeting {
        match encounters.get(encounter as usize) {
            None => Meeting::Void,
            Some(&engines) => Meeting::Of(Pairing {
                engines,
                round: round + 1,
                encounter: encounter + 1,
                before: 0,
            }),
        }
    }
}

/// A system by which engines are paired. Bouts, and the games of a bout, are counted from 0.
pub(super) trait Format: Debug + Send {
    /// How many bouts there are, those in which nobody plays included.
    fn bouts(&self) -> u64;

    /// How many bouts there are in which somebody plays.
    fn encounters(&self) -> u64 {
        self.bouts()
    }

    /// The most games that a bout may take.
    fn most_games(&self) -> u64;

    /// The bouts of a unit belong together: they are played in the same part of a schedule that is
    /// divided.
    fn unit(&self, bout: u32) -> u32 {
        bout
    }

    /// How many bouts are in a part of the schedule.
    fn bouts_of(&self, shard: Shard) -> u64 {
        shard.share_of(self.bouts())
    }

    /// How many games of a bout may be played at the same time.
    fn games_at_once(&self) -> u64 {
        self.most_games()
    }

    /// Whether every bout but the last one takes its most games, so that the length of the tournament is
    /// known.
    fn has_fixed_length(&self) -> bool {
        true
    }

    /// Who meets in a bout.
    fn meeting(&mut self, bout: u32, results: &Results) -> Meeting;

    /// How many games the bout takes as far as is known, with these scores (of its first engine; `None`
    /// where a game has not been played). It is over when they have all been played.
    fn games(&self, bout: u32, scores: &[Option<GameScore>]) -> u32;

    /// How a game of a bout begins. All games before it that it depends on have been played.
    fn game(&self, bout: u32, game: u32, scores: &[Option<GameScore>]) -> GameShape;

    /// What a game that has just been played adds to the score of its bout's engines: itself, unless
    /// the format counts something else than games.
    fn scored(
        &self,
        bout: u32,
        pairing: &Pairing,
        game: u32,
        scores: &[Option<GameScore>],
    ) -> Option<Scored> {
        let shape = self.game(bout, game, scores);
        let score = (*scores.get(game as usize)?)?;
        Some(Scored::new(pairing, shape.pair, shape.white, score))
    }

    /// Whether a bout is over.
    fn is_over(&self, bout: u32, results: &Results) -> bool {
        let scores = results.scores(bout);
        let games = self.games(bout, scores) as usize;
        scores.len() >= games && scores[..games].iter().all(Option::is_some)
    }

    /// The order of the engines: by the part of the points that they have made, unless the format has
    /// rules of its own.
    fn ranking(&mut self, standings: &Standings, _: &Results) -> Ranking {
        Ranking::by_score(standings)
    }
}

/// The format that the settings want.
///
/// # Errors
///
/// If it has more games than there are numbers.
pub(super) fn format_of(settings: &MatchSettings) -> Result<Box<dyn Format>, TournamentError> {
    let (engines, games, rounds) = (settings.engines.len(), settings.games(), settings.rounds());
    let format: Box<dyn Format> = match settings.format() {
        TournamentFormat::Pairs => Box::new(pairs::PairsOfGames::match_of(games)),
        TournamentFormat::RoundRobin => Box::new(round_robin::round_robin(engines, games, rounds)),
        TournamentFormat::Gauntlet => Box::new(gauntlet::gauntlet(engines, games, rounds)),
        TournamentFormat::Swiss => Box::new(swiss::Swiss::new(engines, games, rounds)),
        TournamentFormat::Knockout => {
            let extra = settings.extra_pairs();
            Box::new(knockout::Knockout::new(engines, games, extra))
        }
        TournamentFormat::Riatra => Box::new(riatra::Riatra::new(engines, rounds)),
        TournamentFormat::Vela => Box::new(vela::VelaRounds::new(engines, rounds, games)),
    };
    if last_number(&*format).is_none_or(|last| last > u64::from(u32::MAX)) {
        return Err(TournamentError::TooManyGames);
    }
    Ok(format)
}

/// The highest number that a game may have; `None` if it is far too high.
fn last_number(format: &dyn Format) -> Option<u64> {
    let Some(last) = format.bouts().checked_sub(1) else {
        return Some(0);
    };
    let before = last.checked_mul(format.most_games())?;
    let games = if format.has_fixed_length() {
        // The last bout may be a shorter one.
        u64::from(format.games(u32::try_from(last).ok()?, &[]))
    } else {
        format.most_games()
    };
    before.checked_add(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::settings::EngineSettings;

    #[test]
    fn there_are_as_many_games_as_numbers() {
        let too_many = |format, games: u32, rounds: Option<u32>| {
            let settings = MatchSettings {
                format: Some(format),
                games: Some(games),
                rounds,
                engines: vec![EngineSettings::default(); 2],
                ..MatchSettings::default()
            };
            match format_of(&settings) {
                Ok(_) => false,
                Err(error) => {
                    assert_eq!(error, TournamentError::TooManyGames);
                    true
                }
            }
        };
        assert!(!too_many(TournamentFormat::Pairs, u32::MAX, None));
        assert!(!too_many(TournamentFormat::RoundRobin, u32::MAX - 1, None));
        assert!(too_many(TournamentFormat::RoundRobin, 1 << 31, Some(2)));
        assert!(too_many(
            TournamentFormat::RoundRobin,
            u32::MAX - 1,
            Some(u32::MAX)
        ));
    }
}

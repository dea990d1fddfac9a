//! Tournament formats, one per file: pairings and their order.
//!
//! A tournament is a list of *encounters*. An encounter is the smallest unit between two engines: a pair of
//! games with the same opening, a set of riatra, a round of the vela or an encounter of a knockout. A
//! [`Format`] determines from the results so far who meets in each encounter and how many games it takes;
//! the [`Schedule`] hands out the games and records their results.
//!
//! Every encounter has its own range of game numbers, large enough for the most games it can take. So the
//! number, opening and colours of a game depend on results alone, never on the order in which games end: a
//! stopped tournament continues as if it had not been stopped, and parts of a schedule played on different
//! machines fit together. Numbers that an encounter does not need are skipped.

mod berger;
mod knockout;
mod pairs;
mod ranking;
mod riatra;
mod schedule;
mod swiss;
mod vela;

use std::fmt::Debug;

use rustc_hash::FxHashMap;

use self::berger::everybody_meets;
use self::pairs::PairsOfGames;

pub use self::ranking::{Place, Ranking, TieBreak, VelaFigures};
pub(super) use self::schedule::{Asking, Next, Schedule, SharedSchedule};
pub use self::schedule::{Extent, NotScheduled};
use super::record::PlaceEntry;
use super::settings::{MatchSettings, SettingsError, Shard, TournamentFormat};
use super::standings::Standings;
use super::statistics::GameScore;

/// A game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScheduledGame {
    /// Its number, from 1.
    pub(super) number: u32,
    /// The engines playing White and Black, by index in the settings.
    pub(super) players: [usize; 2],
    /// Its pair, from 1: two games with the same opening and swapped colours.
    pub(super) pair: u32,
    pub(super) place: PlaceEntry,
    /// The index of its opening in the order of the suite, from 0 (velas count separately).
    pub(super) opening: u32,
    /// Whether it is a vela, the revenge for another game.
    pub(super) vela: bool,
}

/// The score of a game, or of a round of the vela.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scored {
    /// The engines; the first one was White in the (first) game.
    pub(super) players: [usize; 2],
    /// Its pair, from 1.
    pub(super) pair: u32,
    /// The score of the first engine.
    pub(super) score: GameScore,
}

/// The scores of the games of an encounter, from the view of its first engine; `None` for games not played.
type Scores = [Option<GameScore>];

/// The points of the two engines of an encounter.
fn points(scores: &Scores) -> [f64; 2] {
    let played = scores.iter().flatten();
    let first: f64 = played.clone().map(|score| score.points()).sum();
    [first, played.count() as f64 - first]
}

/// The two engines, White first; the one at index `white` (0 or 1) plays White.
fn colours(engines: [usize; 2], white: u32) -> [usize; 2] {
    [engines[white as usize], engines[1 - white as usize]]
}

/// The place of a game; round, encounter and game count from 0.
fn place(round: u32, encounter: u32, game: u32) -> PlaceEntry {
    PlaceEntry {
        round: round + 1,
        encounter: encounter + 1,
        game: game + 1,
    }
}

/// The scores of all encounters.
#[derive(Debug, Default)]
pub(super) struct Results(FxHashMap<u32, Vec<Option<GameScore>>>);

impl Results {
    fn scores(&self, encounter: u32) -> &Scores {
        self.0.get(&encounter).map_or(&[], Vec::as_slice)
    }

    fn has(&self, encounter: u32, game: u32) -> bool {
        let score = self.scores(encounter).get(game as usize);
        score.is_some_and(Option::is_some)
    }

    /// Adds a game; false if it has been recorded before.
    fn add(&mut self, encounter: u32, game: u32, score: GameScore) -> bool {
        let scores = self.0.entry(encounter).or_default();
        let game = game as usize;
        if scores.len() <= game {
            scores.resize(game + 1, None);
        }
        scores[game].replace(score).is_none()
    }
}

/// The pairing of an encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Not known yet: it depends on games still to be played.
    Unknown,
    /// No encounter takes place.
    Void,
    /// These two engines.
    Of([usize; 2]),
}

/// Pairings that are the same in every round.
#[derive(Debug)]
pub(super) struct Rounds {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
}

impl Rounds {
    fn of_everybody(engines: usize, rounds: u32) -> Rounds {
        Rounds {
            pairings: everybody_meets(engines),
            rounds: rounds.into(),
        }
    }

    /// The number of pairings of a round, at least one.
    fn of_a_round(&self) -> u32 {
        self.pairings.len().max(1) as u32
    }

    fn encounters(&self) -> u64 {
        self.rounds.saturating_mul(self.pairings.len() as u64)
    }

    /// The round of an encounter and its index there, from 0.
    fn place(&self, encounter: u32) -> (u32, u32) {
        (encounter / self.of_a_round(), encounter % self.of_a_round())
    }

    fn meeting(&self, encounter: u32) -> Meeting {
        let (_, place) = self.place(encounter);
        let pairing = self.pairings.get(place as usize);
        pairing.map_or(Meeting::Void, |&engines| Meeting::Of(engines))
    }
}

/// A pairing system. Encounters, and the games of each, count from 0.
pub(super) trait Format: Debug + Send {
    /// The pairings, if none depends on results.
    fn rounds(&self) -> Option<&Rounds> {
        None
    }

    /// The number of encounters, including those without a pairing.
    fn encounters(&self) -> u64 {
        self.rounds().map_or(0, Rounds::encounters)
    }

    /// The number of encounters with a pairing.
    fn played_encounters(&self) -> u64 {
        self.encounters()
    }

    /// The maximum number of games of an encounter.
    fn most_games(&self) -> u64;

    /// The unit of an encounter. A sharded schedule keeps the encounters of a unit together.
    fn unit(&self, encounter: u32) -> u32 {
        encounter
    }

    /// The number of encounters in a shard of the schedule.
    fn encounters_of(&self, shard: Shard) -> u64 {
        shard.share_of(self.encounters())
    }

    /// How many games of an encounter may be played concurrently.
    fn games_at_once(&self) -> u64 {
        self.most_games()
    }

    /// Whether every encounter but the last takes the maximum number of games, so that the length of the
    /// tournament is known.
    fn has_fixed_length(&self) -> bool {
        true
    }

    /// Pairs as far as the results allow: called at the start and after each result.
    fn pair(&mut self, _: &Results) {}

    /// The pairing of an encounter.
    fn meeting(&self, encounter: u32, _: &Results) -> Meeting {
        let rounds = self.rounds();
        rounds.map_or(Meeting::Void, |rounds| rounds.meeting(encounter))
    }

    /// The number of games the encounter takes, as far as these scores tell. It is over when all of them
    /// have been played.
    fn games(&self, encounter: u32, scores: &Scores) -> u32;

    /// A game of an encounter between these engines. All games it depends on have been played.
    fn game(
        &self,
        encounter: u32,
        game: u32,
        engines: [usize; 2],
        scores: &Scores,
    ) -> ScheduledGame;

    /// The number of a game.
    fn number(&self, encounter: u32, game: u32) -> u32 {
        // Checked when the format was made: all numbers fit.
        (u64::from(encounter) * self.most_games()) as u32 + game + 1
    }

    /// What the engines' score gains by a game just played: the result of the game, unless the format
    /// counts something else.
    fn scored(&self, _: u32, _: [usize; 2], own: Scored, _: &Scores) -> Option<Scored> {
        Some(own)
    }

    fn is_over(&self, encounter: u32, results: &Results) -> bool {
        let scores = results.scores(encounter);
        let games = self.games(encounter, scores) as usize;
        scores.len() >= games && scores[..games].iter().all(Option::is_some)
    }

    /// The ranking of the engines: by score percentage, unless the format has its own rules.
    fn ranking(&self, standings: &Standings, _: &Results) -> Ranking {
        Ranking::by_score(standings)
    }
}

/// The format of the settings; an error if its game numbers exceed the range.
fn format_of(settings: &MatchSettings) -> Result<Box<dyn Format>, SettingsError> {
    let engines = settings.engines.len();
    let [games, rounds, _, extra] = settings.lengths();
    let format: Box<dyn Format> = match settings.format() {
        TournamentFormat::Pairs => Box::new(PairsOfGames::new(vec![[0, 1]], games, 1)),
        TournamentFormat::RoundRobin => {
            Box::new(PairsOfGames::new(everybody_meets(engines), games, rounds))
        }
        TournamentFormat::Gauntlet => Box::new(PairsOfGames::new(
            (1..engines).map(|other| [0, other]).collect(),
            games,
            rounds,
        )),
        TournamentFormat::Swiss => Box::new(swiss::Swiss::new(engines, games, rounds)),
        TournamentFormat::Knockout => Box::new(knockout::Knockout::new(engines, games, extra)),
        TournamentFormat::Riatra => Box::new(riatra::Riatra::new(engines, rounds)),
        TournamentFormat::Vela => Box::new(vela::VelaRounds::new(engines, rounds, games)),
    };
    if last_number(&*format).is_none_or(|last| last > u64::from(u32::MAX)) {
        let text = format!("that makes more than {} games", u32::MAX);
        return Err(SettingsError::new(text));
    }
    Ok(format)
}

/// The highest possible game number; `None` if the number of encounters is far too large.
fn last_number(format: &dyn Format) -> Option<u64> {
    let Some(last) = format.encounters().checked_sub(1) else {
        return Some(0);
    };
    let before = last.checked_mul(format.most_games())?;
    let games = if format.has_fixed_length() {
        // The last encounter may be shorter.
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
                    assert!(error.to_string().starts_with("that makes more than "));
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

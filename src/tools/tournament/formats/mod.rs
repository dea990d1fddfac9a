//! Tournament formats: pairings and their order.
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

mod fixed;
mod knockout;
mod schedule;
mod swiss;
mod vela;

use std::fmt::Debug;

use rustc_hash::FxHashMap;
use serde::Serialize;

use self::fixed::{PairsOfGames, Riatra, everybody_meets};
pub(super) use self::schedule::{Asking, Next, Schedule, SharedSchedule};
pub use self::schedule::{Extent, NotScheduled};
use super::record::PlaceEntry;
use super::settings::{MatchSettings, SettingsError, Shard, TournamentFormat};
use super::standings::Standings;
use super::statistics::{GameCounts, GameScore};
use vato_engine::text::named_enum;

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
    Of([usize; 2]),
}

/// The rounds of a format: everything that is known before any result. Encounters, and the games of each, count
/// from 0.
#[derive(Debug)]
pub(super) struct Rounds {
    /// The pairings of every round, if they do not depend on results.
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    /// The number of encounters of a round, including those without a pairing.
    encounters: u32,
    /// The number of all encounters without a pairing.
    void: u64,
    /// The maximum number of games of an encounter.
    most_games: u64,
    /// How many games of an encounter may be played concurrently.
    games_at_once: u64,
    /// The unit in which the length is counted: `games` if every encounter but the last takes the maximum number of
    /// games, so that the length of the tournament is known.
    counted: &'static str,
    /// The rounds of a unit. A sharded schedule keeps the encounters of a unit together.
    unit: u32,
}

impl Rounds {
    /// Rounds of so many encounters, each of so many games.
    fn new(rounds: u64, encounters: usize, games: u64) -> Rounds {
        Rounds {
            pairings: Vec::new(),
            rounds,
            encounters: encounters as u32,
            void: 0,
            most_games: games,
            games_at_once: games,
            counted: "games",
            unit: 1,
        }
    }

    fn of(pairings: Vec<[usize; 2]>, rounds: u64, games: u64) -> Rounds {
        Rounds {
            encounters: pairings.len() as u32,
            pairings,
            ..Rounds::new(rounds, 0, games)
        }
    }

    /// The number of encounters, including those without a pairing.
    fn encounters(&self) -> u64 {
        self.rounds.saturating_mul(self.encounters.into())
    }

    /// The number of encounters with a pairing, of all or in a shard.
    fn encounters_of(&self, shard: Option<Shard>) -> u64 {
        let Some(shard) = shard else {
            return self.encounters().saturating_sub(self.void);
        };
        // All units have a first round; the last units may lack others.
        let units =
            |before: u32| (self.rounds + u64::from(self.unit - 1 - before)) / u64::from(self.unit);
        let shares =
            (0..self.unit).map(|before| shard.share_of(units(before) * u64::from(self.encounters)));
        shares.sum()
    }

    fn has_fixed_length(&self) -> bool {
        self.counted == "games"
    }

    fn place(&self, encounter: u32) -> (u32, u32) {
        let encounters = self.encounters.max(1);
        (encounter / encounters, encounter % encounters)
    }

    fn unit(&self, encounter: u32) -> u32 {
        let (round, place) = self.place(encounter);
        round / self.unit * self.encounters.max(1) + place
    }

    fn number(&self, encounter: u32, game: u32) -> u32 {
        // Checked when the format was made: all numbers fit.
        (u64::from(encounter) * self.most_games) as u32 + game + 1
    }

    /// The highest possible game number; `None` if the number of encounters is far too large. If the length is
    /// fixed, the last encounter takes `games`.
    fn last_number(&self, games: impl FnOnce(u32) -> u32) -> Option<u64> {
        let Some(last) = self.encounters().checked_sub(1) else {
            return Some(0);
        };
        let before = last.checked_mul(self.most_games)?;
        before.checked_add(match self.has_fixed_length() {
            true => u64::from(games(u32::try_from(last).ok()?)),
            false => self.most_games,
        })
    }
}

/// A pairing system: rounds of pairs of games with the same pairings and numbers of games, unless it says otherwise.
pub(super) trait Format: Debug + Send {
    fn rounds(&self) -> &Rounds;

    /// The round of an encounter and its index there, from 0.
    fn place(&self, encounter: u32) -> (u32, u32) {
        self.rounds().place(encounter)
    }

    /// Pairs as far as the results allow: called at the start and after each result.
    fn pair(&mut self, _: &Results) {}

    fn meeting(&self, encounter: u32, _: &Results) -> Meeting {
        let (_, place) = self.place(encounter);
        let pairing = self.rounds().pairings.get(place as usize);
        pairing.map_or(Meeting::Void, |&engines| Meeting::Of(engines))
    }

    /// The number of games the encounter takes, as far as these scores tell.
    fn games(&self, _: u32, _: &Scores) -> u32 {
        self.rounds().most_games as u32
    }

    /// A game of an encounter between these engines. All games it depends on have been played.
    fn game(&self, encounter: u32, game: u32, engines: [usize; 2], _: &Scores) -> ScheduledGame {
        self.game_of_pair(encounter, game, engines)
    }

    fn game_of_pair(&self, encounter: u32, game: u32, engines: [usize; 2]) -> ScheduledGame {
        let (round, place) = self.place(encounter);
        let pairs = (self.rounds().most_games / 2) as u32;
        ScheduledGame {
            number: self.rounds().number(encounter, game),
            players: colours(engines, game % 2),
            pair: encounter * pairs + game / 2 + 1,
            place: PlaceEntry {
                round: round + 1,
                encounter: place + 1,
                game: game + 1,
            },
            opening: round * pairs + game / 2,
            vela: false,
        }
    }

    /// What the engines' score gains by a game just played: its result, unless the format counts something else.
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
    let pairs = |pairings, rounds| Box::new(PairsOfGames::new(pairings, games, rounds));
    let format: Box<dyn Format> = match settings.format() {
        TournamentFormat::Pairs => pairs(vec![[0, 1]], 1),
        TournamentFormat::RoundRobin => pairs(everybody_meets(engines), rounds),
        TournamentFormat::Gauntlet => pairs((1..engines).map(|one| [0, one]).collect(), rounds),
        TournamentFormat::Swiss => Box::new(swiss::Swiss::new(engines, games, rounds)),
        TournamentFormat::Knockout => Box::new(knockout::Knockout::new(engines, games, extra)),
        TournamentFormat::Riatra => Box::new(Riatra::new(engines, rounds)),
        TournamentFormat::Vela => Box::new(vela::VelaRounds::new(engines, rounds, games)),
    };
    let last = format.rounds().last_number(|last| format.games(last, &[]));
    if last.is_none_or(|last| last > u64::from(u32::MAX)) {
        let text = format!("that makes more than {} games", u32::MAX);
        return Err(SettingsError::new(text));
    }
    Ok(format)
}

/// A ranking of the engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// The engines, the best first.
    pub places: Vec<Place>,
    /// The tie-breaks, in order of application.
    pub tie_breaks: Vec<TieBreak>,
    /// Remarks, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// The place of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// The engine, by index in the settings.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// Its points: one for a win, one half for a draw; byes included.
    pub points: f64,
    /// The games it has played (rounds, for the vela).
    pub games: u64,
    /// Points from byes.
    pub bye_points: f64,
    /// The values of [`Ranking::tie_breaks`].
    pub tie_breaks: Vec<f64>,
    /// The round it reached, or why it left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The individual games of its rounds of the vela, which its points do not show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vela: Option<VelaFigures>,
}

/// The individual games of an engine's rounds of the vela.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VelaFigures {
    /// Normal games.
    pub normal: GameCounts,
    /// Velas after normal games it won.
    pub as_giver: GameCounts,
    /// Velas after normal games it lost.
    pub as_eater: GameCounts,
}

named_enum! {
    /// A tie-break.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TieBreak {
        /// The sum of the opponents' points.
        Buchholz = "Buchholz",
        /// The sum of the opponents' points, each weighted by the share of the points won from that opponent.
        SonnebornBerger = "Sonneborn-Berger",
    }
}

impl Ranking {
    /// The engines in the order of the settings.
    fn in_order(standings: &Standings) -> Ranking {
        let place = |engine: usize| {
            let counts = standings.total(engine);
            Place {
                engine,
                name: standings.engines[engine].name.clone(),
                points: counts.points(),
                games: counts.games(),
                ..Place::default()
            }
        };
        Ranking {
            places: (0..standings.engines.len()).map(place).collect(),
            ..Ranking::default()
        }
    }

    /// The engines by score percentage; equal ones in the order of the settings, those without games last.
    fn by_score(standings: &Standings) -> Ranking {
        let mut ranking = Ranking::in_order(standings);
        let score = |place: &Place| standings.total(place.engine).score().unwrap_or(-1.0);
        let places = &mut ranking.places;
        places.sort_by(|one, other| score(other).total_cmp(&score(one)));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More are refused: the transcript `tournaments_refused` has the sentence.
    #[test]
    fn there_are_as_many_games_as_numbers() {
        use TournamentFormat::{Pairs, RoundRobin};
        for (format, games, rounds, fits) in [
            (Pairs, u32::MAX, None, true),
            (RoundRobin, u32::MAX - 1, None, true),
            (RoundRobin, 1 << 31, Some(2), false),
        ] {
            let mut settings = MatchSettings::of_format(format, 2);
            (settings.games, settings.rounds) = (Some(games), rounds);
            assert_eq!(format_of(&settings).is_ok(), fits, "{format} {games}");
        }
    }
}

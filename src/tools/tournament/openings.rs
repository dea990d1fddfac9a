//! The openings of a match: those of its games, and in the format vela those of its velas.

use super::formats::ScheduledGame;
use super::match_error::MatchError;
use super::settings::{MatchSettings, SettingsError, TournamentFormat};
use crate::openings::{
    OpeningLine, OpeningSettings, OpeningSource, OpeningSuite, OpeningSuiteError,
};
use vato_engine::text::counted;

/// Random plies before a vela.
const VELA_PLIES: u32 = 4;

#[derive(Debug)]
pub(super) struct MatchOpenings {
    /// For all games but velas.
    pub(super) games: OpeningSuite,
    velas: Option<OpeningSuite>,
}

impl MatchOpenings {
    /// The openings of the settings; the five of riatra in their order for that format. Velas begin with
    /// random openings under their own rules, made from the same seed, unless all games are to begin at
    /// the start.
    pub(super) fn open(settings: &MatchSettings) -> Result<MatchOpenings, MatchError> {
        let rules = &settings.game_rules(false);
        let riatra = OpeningSettings::new(OpeningSource::Riatra);
        let wanted = match settings.format() {
            TournamentFormat::Riatra => &riatra,
            _ => &settings.openings,
        };
        let games = OpeningSuite::open(wanted, rules).map_err(|error| match error {
            OpeningSuiteError::File(error) => MatchError::missing("openings", error),
            OpeningSuiteError::Settings(error) => {
                SettingsError::new(format!("openings: {error}")).into()
            }
        })?;
        let mut velas = None;
        if settings.format() == TournamentFormat::Vela {
            let of_games = &settings.openings;
            let wanted = match of_games.source {
                Some(OpeningSource::Start) => OpeningSettings::new(OpeningSource::Start),
                _ => OpeningSettings {
                    seed: of_games.seed,
                    plies: Some(VELA_PLIES),
                    // `--start` skips openings of velas too.
                    start: of_games.start,
                    ..OpeningSettings::new(OpeningSource::Random)
                },
            };
            let opened = OpeningSuite::open(&wanted, &settings.game_rules(true));
            velas = Some(opened.map_err(|error| {
                let error = format!("{error}; try --openings start");
                MatchError::missing("openings of the velas", error)
            })?);
        }
        Ok(MatchOpenings { games, velas })
    }

    pub(super) fn line(&self, game: &ScheduledGame) -> OpeningLine {
        let velas = self.velas.as_ref().filter(|_| game.vela);
        let mut line = velas.unwrap_or(&self.games).line(game.opening as usize);
        if velas.is_some() {
            line.name.insert_str(0, "vela ");
        }
        line
    }

    /// Warns of a seed that nothing follows from.
    pub(super) fn warn_of_seed(&self, seed: u64) {
        let mut suites = [Some(&self.games), self.velas.as_ref()]
            .into_iter()
            .flatten();
        if seed != 0 && !suites.any(|suite| suite.is_seeded) {
            log::warn!(
                "seed {seed} is not used: the openings are neither random nor in random order"
            );
        }
    }

    /// Warns if two engines have more pairs of games than there are openings: those that always do the
    /// same play the same games from the same openings.
    pub(super) fn warn_of_repetition(&self, settings: &MatchSettings) {
        let count = self.games.count().map(|count| count as u64);
        let Some((count, pairs)) = count.zip(pairs_of_two_engines(settings)) else {
            return;
        };
        if pairs > count {
            let up_to = match settings.format() {
                TournamentFormat::Knockout | TournamentFormat::Vela => "up to ",
                _ => "",
            };
            log::warn!(
                "{up_to}{} between two engines from {}: openings come again, and games may; the figures \
                 take every game for a new one",
                counted(pairs, "pair of games", "pairs of games"),
                counted(count, "opening", "openings")
            );
        }
    }
}

/// How many pairs of games, with an opening for each, two engines play if they meet; `None` in riatra,
/// where it is the point that openings come again.
fn pairs_of_two_engines(settings: &MatchSettings) -> Option<u64> {
    let [games, rounds, _, extra] = settings.lengths().map(u64::from);
    match settings.format() {
        TournamentFormat::Pairs => Some(games.div_ceil(2)),
        TournamentFormat::RoundRobin | TournamentFormat::Gauntlet => {
            Some((games / 2).saturating_mul(rounds))
        }
        TournamentFormat::Swiss => Some(games / 2),
        TournamentFormat::Knockout => Some(games / 2 + extra),
        // Each normal game has another one.
        TournamentFormat::Vela => Some(rounds.div_ceil(2).saturating_mul(games)),
        TournamentFormat::Riatra => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::PlaceEntry;
    use vato_engine::rules::{Preset, Rules};

    fn openings(
        preset: Preset,
        source: Option<OpeningSource>,
        start: Option<u32>,
    ) -> MatchOpenings {
        let settings = MatchSettings {
            format: Some(TournamentFormat::Vela),
            rules: preset.rules().expect("rules"),
            openings: OpeningSettings {
                source,
                start,
                ..OpeningSettings::default()
            },
            ..MatchSettings::default()
        };
        MatchOpenings::open(&settings).expect("openings")
    }

    fn vela(openings: &MatchOpenings, opening: u32) -> OpeningLine {
        openings.line(&ScheduledGame {
            number: 1,
            players: [0, 1],
            pair: 1,
            place: PlaceEntry {
                round: 1,
                encounter: 1,
                game: 1,
            },
            opening,
            vela: true,
        })
    }

    #[test]
    fn velas_begin_in_different_ways_under_their_own_rules() {
        for preset in [Preset::Tsivy, Preset::Dimy, Preset::Telo] {
            let settings = MatchSettings {
                format: Some(TournamentFormat::Vela),
                rules: preset.rules().expect("rules"),
                ..MatchSettings::default()
            };
            let rules = settings.game_rules(true);
            let openings = openings(preset, None, None);
            let lines = [0, 1, 2].map(|opening| vela(&openings, opening));
            assert_eq!(lines[2].name, "vela random 3");
            for line in &lines {
                assert_eq!(line.moves.len(), VELA_PLIES as usize);
                line.game(&rules).expect("playable under the vela's rules");
            }
            assert!(lines[0].moves != lines[1].moves && lines[1].moves != lines[2].moves);
        }
    }

    #[test]
    fn velas_begin_at_the_start_where_all_games_do() {
        let openings = openings(Preset::Tsivy, Some(OpeningSource::Start), None);
        for opening in 0..3 {
            let line = vela(&openings, opening);
            assert!(line.moves.is_empty());
            assert_eq!(line.start, Rules::STANDARD.start());
        }
    }

    #[test]
    fn velas_go_on_where_the_book_does() {
        let [all, rest] =
            [None, Some(3)].map(|start| openings(Preset::Tsivy, Some(OpeningSource::Sharp), start));
        assert_eq!(vela(&rest, 0), vela(&all, 2));
    }
}

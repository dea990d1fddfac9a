//! What all games of a match share: engines, openings, tables, the signal to stop.

use std::iter;
use std::path::Path;

use super::engine::{IoLog, Launch};
use super::engine_check::log_names;
use super::formats::ScheduledGame;
use super::match_error::MatchError;
use super::settings::{EngineSettings, MatchSettings, SettingsError, TournamentFormat};
use crate::openings::{
    OpeningLine, OpeningSettings, OpeningSource, OpeningSuite, OpeningSuiteError,
};
use crate::stop::StopSignal;
use vato_engine::memory;
use vato_engine::tablebase::Tablebases;
use vato_engine::text::counted;
use vato_solver::files::canonical;

/// Random plies before a vela.
const VELA_PLIES: u32 = 4;

#[derive(Debug)]
pub(super) struct Resources {
    /// What starts the engines, in their order.
    pub(super) launches: Vec<Launch>,
    pub(super) openings: MatchOpenings,
    /// What decides a game as soon as it gets there.
    pub(super) tables: Option<Tablebases>,
    pub(super) stop: StopSignal,
    /// Whether the runner hears of each move.
    pub(super) tells_moves: bool,
}

impl Resources {
    /// Opens what these settings need. Logs of the engines' lines, with paths that begin with `log`, are in memory until
    /// [`Resources::open_logs`].
    pub(super) fn open(
        settings: &MatchSettings,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Resources, MatchError> {
        if let (Some(prefix), Some(OpeningSource::File(file))) = (log, &settings.openings.source)
            && may_be_log(prefix, file)
        {
            let file = file.display();
            let what = format!("openings: a log of this match goes to {file}; choose another name");
            return Err(SettingsError::new(what).into());
        }
        let openings = MatchOpenings::open(settings)?;
        let mut rules = vec![settings.game_rules(false)];
        let tables = settings.adjudicate.as_ref().map(|tables| {
            let folder = &tables.tablebase;
            Tablebases::open(&[folder], &rules[0], Tablebases::DEFAULT_CACHE_BYTES)
        });
        let tables = tables.transpose();
        if settings.format() == TournamentFormat::Vela {
            rules.push(settings.game_rules(true));
        }
        let launch = |engine: &EngineSettings| Launch {
            settings: engine.clone(),
            rules: rules.clone(),
            timeouts: settings.timeouts(),
            stop: stop.clone(),
            log: IoLog::new(log.is_some()),
        };
        Ok(Resources {
            launches: settings.engines.iter().map(launch).collect(),
            openings,
            tables: tables.map_err(|error| MatchError::missing("tablebase", error))?,
            stop: stop.clone(),
            tells_moves: false,
        })
    }

    /// Opens the logs, at paths that begin with `prefix`, if there is one, and go on with the engines' names.
    pub(super) fn open_logs(
        &self,
        prefix: Option<&Path>,
        settings: &MatchSettings,
    ) -> Result<(), MatchError> {
        for (launch, name) in self.launches.iter().zip(log_names(settings)) {
            let mut path = prefix.unwrap_or(Path::new("")).as_os_str().to_owned();
            path.push(format!("-{name}.log"));
            let path = Path::new(&path);
            launch.log.open(path).map_err(|error| {
                MatchError::missing(format!("cannot log to {}", path.display()), error)
            })?;
        }
        Ok(())
    }
}

/// Whether the log of an engine may be this file, if the paths of logs begin with `prefix`.
pub fn may_be_log(prefix: &Path, file: &Path) -> bool {
    let mut begin = prefix.as_os_str().to_owned();
    begin.push("-");
    let [begin, file] = [Path::new(&begin), file].map(|path| canonical(path).into_os_string());
    let [begin, file] = [&begin, &file].map(|path| path.as_encoded_bytes());
    file.starts_with(begin) && file.ends_with(b".log")
}

/// Requires memory for the hash tables (in MiB) of the engines that run at the same time: the two largest for each game.
pub(super) fn check_memory(
    games: usize,
    sizes: impl Iterator<Item = Option<u64>>,
) -> Result<(), MatchError> {
    let shortage = memory_shortage(sizes.flatten().collect(), games, memory::available() >> 20);
    shortage.map_or(Ok(()), |what| Err(MatchError::Missing(what)))
}

/// What is wrong if these take more than is available.
fn memory_shortage(mut sizes: Vec<u64>, games: usize, available: u64) -> Option<String> {
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let pair = sizes.into_iter().take(2).fold(0, u64::saturating_add);
    let needed = pair.saturating_mul(games as u64);
    (needed > available).then(|| {
        format!(
            "Hash: engines that run at the same time take {needed} MiB, {available} MiB of memory are available; \
             lower option.Hash or --concurrency"
        )
    })
}

/// The openings of a match: those of its games, and in the format vela those of its velas.
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
    fn open(settings: &MatchSettings) -> Result<MatchOpenings, MatchError> {
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
        let mut suites = iter::once(&self.games).chain(&self.velas);
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

    #[test]
    fn hash_tables_of_engines_that_run_together_are_added() {
        assert_eq!(memory_shortage(vec![14_950, 14_950, 16], 1, 29_900), None);
        let what = memory_shortage(vec![14_950, 16, 14_950], 2, 59_799).expect("too much");
        assert!(what.contains("59800 MiB"), "{what}");
        assert!(memory_shortage(vec![u64::MAX; 3], usize::MAX, u64::MAX - 1).is_some());
    }

    fn settings(
        preset: Preset,
        source: Option<OpeningSource>,
        start: Option<u32>,
    ) -> MatchSettings {
        let mut settings = MatchSettings::of_format(TournamentFormat::Vela, 2);
        settings.rules = preset.rules().expect("rules");
        (settings.openings.source, settings.openings.start) = (source, start);
        settings
    }

    /// The first velas of a match.
    fn velas(settings: &MatchSettings) -> [OpeningLine; 3] {
        let openings = MatchOpenings::open(settings).expect("openings");
        let place = PlaceEntry {
            round: 1,
            encounter: 1,
            game: 1,
        };
        [0, 1, 2].map(|opening| {
            let game = ScheduledGame {
                number: 1,
                players: [0, 1],
                pair: 1,
                place,
                opening,
                vela: true,
            };
            openings.line(&game)
        })
    }

    #[test]
    fn velas_begin_in_different_ways_under_their_own_rules() {
        for preset in [Preset::Tsivy, Preset::Dimy, Preset::Telo] {
            let settings = settings(preset, None, None);
            let lines = velas(&settings);
            assert_eq!(lines[2].name, "vela random 3");
            for line in &lines {
                assert_eq!(line.moves.len(), VELA_PLIES as usize);
                let game = line.game(&settings.game_rules(true));
                game.expect("playable under the vela's rules");
            }
            assert!(lines[0].moves != lines[1].moves && lines[1].moves != lines[2].moves);
        }
        // Where all games begin at the start, velas do; and they go on where the book does.
        for line in velas(&settings(Preset::Tsivy, Some(OpeningSource::Start), None)) {
            assert!(line.moves.is_empty());
            assert_eq!(line.start, Rules::STANDARD.start());
        }
        let sharp = |start| velas(&settings(Preset::Tsivy, Some(OpeningSource::Sharp), start));
        assert_eq!(sharp(Some(3))[0], sharp(None)[2]);
    }
}

//! What all games of a match share: engines, openings, tables, the signal to stop.

use std::path::Path;

use super::engine::{IoLog, Launch};
use super::engine_check::log_names;
use super::match_error::MatchError;
use super::match_state::MatchState;
use super::openings::MatchOpenings;
use super::runner::games_at_a_time;
use super::settings::{EngineSettings, MatchSettings, TournamentFormat};
use crate::stop::StopSignal;
use vato_engine::memory;
use vato_engine::tablebase::Tablebases;
use vato_engine::text::counted;

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
    /// Opens what these settings need. Logs of the engines' lines are in memory until [`Resources::open_logs`].
    pub(super) fn open(
        settings: &MatchSettings,
        is_logged: bool,
        stop: &StopSignal,
    ) -> Result<Resources, MatchError> {
        let openings = MatchOpenings::open(settings)?;
        let tables = settings.adjudicate.as_ref().map(|tables| {
            let folder = &tables.tablebase;
            let rules = settings.game_rules(false);
            Tablebases::open(&[folder], &rules, Tablebases::DEFAULT_CACHE_BYTES)
        });
        let tables = tables.transpose();
        let mut rules = vec![settings.game_rules(false)];
        if settings.format() == TournamentFormat::Vela {
            rules.push(settings.game_rules(true));
        }
        let launch = |engine: &EngineSettings| Launch {
            settings: engine.clone(),
            rules: rules.clone(),
            timeouts: settings.timeouts(),
            stop: stop.clone(),
            log: IoLog::new(is_logged),
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

/// Requires memory for the hash tables of all engines that run at the same time.
pub(super) fn check_memory(
    state: &MatchState,
    sizes: &[[Option<u64>; 2]],
) -> Result<(), MatchError> {
    let games = games_at_a_time(&state.settings, &state.schedule.lock());
    let sizes = sizes.iter().map(|[_, hash]| hash.unwrap_or(0));
    let shortage = memory_shortage(sizes.collect(), games, memory::available() >> 20);
    shortage.map_or(Ok(()), |what| Err(MatchError::Missing(what)))
}

/// What is wrong if the two largest hash tables (in MiB), for each of the games at a time, exceed what is available.
fn memory_shortage(mut sizes: Vec<u64>, games: usize, available: u64) -> Option<String> {
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let pair = sizes.into_iter().take(2).fold(0, u64::saturating_add);
    let needed = pair.saturating_mul(games as u64);
    (needed > available).then(|| {
        let games = counted(games, "game", "games");
        format!(
            "Hash: {games} at a time with {pair} MiB for two engines take {needed} MiB, {available} MiB of \
             memory are available; lower option.Hash or --concurrency"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_tables_of_engines_that_run_together_are_added() {
        assert_eq!(memory_shortage(vec![14_950, 14_950, 16], 1, 29_900), None);
        let what = memory_shortage(vec![14_950, 16, 14_950], 2, 59_799).expect("too much");
        assert!(what.contains("59800 MiB"), "{what}");
        assert!(memory_shortage(vec![u64::MAX; 3], usize::MAX, u64::MAX - 1).is_some());
    }
}

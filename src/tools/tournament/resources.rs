//! What all games of a match share: engines, openings, tables, the signal to stop.

use std::path::Path;

use super::engine::{IoLog, Launch};
use super::engine_check::log_names;
use super::match_error::MatchError;
use super::openings::MatchOpenings;
use super::settings::{EngineSettings, MatchSettings, TournamentFormat};
use vato_engine::stop::StopSignal;
use vato_engine::tablebase::Tablebases;

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

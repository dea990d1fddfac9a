//! What all games of a match share: engines, openings, tables, the signal to stop.

use std::path::{Path, PathBuf};

use super::engine::{IoLog, Launch};
use super::engine_check::log_names;
use super::match_error::MatchError;
use super::openings::{MatchOpenings, vela_of};
use super::settings::{EngineSettings, MatchSettings, TournamentFormat};
use crate::stop::StopSignal;
use crate::tablebase::Tablebases;

/// What all games of a match share.
#[derive(Debug)]
pub(super) struct Resources {
    /// What starts the engines, in their order.
    pub(super) launches: Vec<Launch>,
    pub(super) openings: MatchOpenings,
    /// What decides a game as soon as it gets there.
    pub(super) tables: Option<Tablebases>,
    pub(super) stop: StopSignal,
}

impl Resources {
    /// Opens what these settings need; the engines' I/O logs are at paths that begin with `log`.
    pub(super) fn open(
        settings: &MatchSettings,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Resources, MatchError> {
        let openings = MatchOpenings::open(settings)?;
        let folder = settings.tablebase.as_ref();
        let tables = folder.map(|folder| {
            Tablebases::open(&[folder], &settings.rules, Tablebases::DEFAULT_CACHE_BYTES)
        });
        let mut rules = vec![settings.rules];
        if settings.format() == TournamentFormat::Vela {
            rules.push(vela_of(&settings.rules));
        }
        let launch = |(engine, name): (&EngineSettings, String)| -> Result<Launch, MatchError> {
            let open = |prefix: &Path| {
                let mut path = prefix.as_os_str().to_owned();
                path.push(format!("-{name}.log"));
                let path = PathBuf::from(path);
                let log = IoLog::open(&path);
                log.map_err(|error| {
                    MatchError::missing(format!("cannot log to {}", path.display()), error)
                })
            };
            Ok(Launch {
                settings: engine.clone(),
                rules: rules.clone(),
                timeouts: settings.timeouts(),
                stop: stop.clone(),
                log: log.map(open).transpose()?,
            })
        };
        let engines = settings.engines.iter().zip(log_names(settings));
        Ok(Resources {
            launches: engines.map(launch).collect::<Result<_, _>>()?,
            openings,
            tables: tables
                .transpose()
                .map_err(|error| MatchError::missing("tablebase", error))?,
            stop: stop.clone(),
        })
    }
}

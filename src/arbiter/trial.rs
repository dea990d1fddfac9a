//! The trial before a match: can the engines be started, can they play it, and what are they called?

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::engine::{Launch, Traffic};
use super::match_error::MatchError;
use super::runner::MatchPlace;
use super::seats::START_ATTEMPTS;
use super::settings::{EngineSettings, MatchSettings};

/// What starts the engines, in their order.
///
/// # Errors
///
/// If a protocol log cannot be opened.
pub(super) fn launches(
    settings: &MatchSettings,
    place: &MatchPlace,
) -> Result<[Launch; 2], MatchError> {
    let launch = |index: usize| -> Result<Launch, MatchError> {
        let traffic = match &place.log {
            None => None,
            Some(prefix) => {
                let mut path = prefix.as_os_str().to_owned();
                path.push(format!("-{}.log", file_name(settings, index)));
                let path = PathBuf::from(path);
                let opened = Traffic::open(&path);
                Some(opened.map_err(|error| MatchError::Log { path, error })?)
            }
        };
        Ok(Launch {
            settings: settings.engines[index].clone(),
            rules: settings.rules,
            patience: settings.patience(),
            stop: place.stop.clone(),
            traffic,
        })
    };
    Ok([launch(0)?, launch(1)?])
}

/// What an engine is called before it has told its name.
fn provisional_name(engine: &EngineSettings) -> String {
    let program = engine.cmd.as_deref().and_then(Path::file_stem);
    let program = program.map(|stem| stem.to_string_lossy().into_owned());
    engine.name.clone().or(program).unwrap_or_default()
}

/// A name for an engine's log that any file system takes; different for both.
fn file_name(settings: &MatchSettings, index: usize) -> String {
    let clean = |engine: &EngineSettings| -> String {
        let plain = |c: char| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '_'
            }
        };
        provisional_name(engine).chars().map(plain).collect()
    };
    let names: Vec<String> = settings.engines.iter().map(clean).collect();
    if names[0] == names[1] {
        format!("{}-{}", names[index], index + 1)
    } else {
        names[index].clone()
    }
}

/// Starts both engines once: what they are called, and which options they do not declare.
///
/// # Errors
///
/// If an engine does not start, or cannot play.
pub(super) fn try_engines(
    settings: &MatchSettings,
    launches: &[Launch; 2],
) -> Result<([String; 2], [Vec<String>; 2]), MatchError> {
    let mut names = [String::new(), String::new()];
    let mut undeclared = [Vec::new(), Vec::new()];
    for (index, launch) in launches.iter().enumerate() {
        let engine = provisional_name(&settings.engines[index]);
        let mut attempts = 1;
        let started = loop {
            match launch.start(None, "try") {
                Ok(started) => break started,
                Err(error) if error.is_final() || attempts == START_ATTEMPTS => {
                    return Err(MatchError::no_start(engine, error));
                }
                Err(error) => log::warn!("{engine}: {error}; trying again"),
            }
            attempts += 1;
        };
        let mut player = started.player;
        player.ask_to_quit();
        player.has_quit(Duration::from_millis(500));
        let id = started.id.filter(|id| !id.is_empty());
        let name = settings.engines[index].name.clone();
        names[index] = name.or(id).unwrap_or(engine);
        undeclared[index] = started.undeclared;
    }
    if names[0] == names[1] {
        names = [1, 2].map(|number| format!("{} ({number})", names[0]));
    }
    Ok((names, undeclared))
}

//! Tuning of search parameters by SPSA: the parameters are perturbed, the engine plays against itself with
//! opposite perturbations, and the values move towards the winner's.
//!
//! [`Tuning`] plays the games as a match does ([`crate::tournament::Match`]); `spsa` chooses the
//! perturbations and updates the values; the state is stored in a file so that a run can be continued.

mod games;
mod settings;
mod spsa;
mod state;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::games::TuningGames;
pub use self::settings::{TuneSettings, TunedParameter};
pub use self::state::{Sample, TuneState};
use super::Ending;
use super::engine_check::check_engines;
use super::match_error::MatchError;
use super::record::{OpeningsHeader, RecordError};
use super::resources::Resources;
use super::runner::openings_changed;
use super::worker::{WorkerEvent, play_games};
use vato_engine::files::{Lock, replaceable};
use vato_engine::search::processors;
use vato_engine::stop::StopSignal;

/// The engine's option for the parameters.
pub const OPTION: &str = "SearchParameters";

/// The engine's name; both players are the same engine.
const ENGINE: &str = "the engine";
/// The interval at which the state is written.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A tuning run ready to start or continue.
#[derive(Debug)]
pub struct Tuning {
    /// The current state.
    pub state: TuneState,
    path: PathBuf,
    resources: Resources,
    _lock: Lock,
}

impl Tuning {
    /// Starts a tuning run, or continues the one whose state is at `path`; its settings must be equal,
    /// except for the number of concurrent games. With `anew` it always starts from the beginning and
    /// replaces an existing state.
    ///
    /// # Errors
    ///
    /// If the settings are invalid, the engine cannot play or lacks the option, or the state is unreadable,
    /// of another run, or in use.
    pub fn open(
        mut settings: TuneSettings,
        path: &Path,
        anew: bool,
        stop: &StopSignal,
    ) -> Result<Tuning, MatchError> {
        settings.validate()?;
        settings.games.games = Some(2 * settings.iterations);
        settings.games.make_paths_absolute();
        let failed = |error| RecordError::at(path, error);
        let lock = Lock::take(path).map_err(RecordError::from)?;
        if anew {
            replaceable(path, b"{\n  \"format\"").map_err(&failed)?;
        }
        let mut resources = Resources::open(&settings.games, false, stop)?;
        let openings = OpeningsHeader::of(&resources.openings.games);
        let state = if path.exists() && !anew {
            let mut state = TuneState::read(path).map_err(&failed)?;
            if let Some(setting) = state.settings.difference(&settings) {
                return Err(RecordError::new(format!(
                    "{} is of a tuning with another setting '{setting}'; choose another name by \
                     --out, or begin anew by --restart",
                    path.display()
                ))
                .into());
            }
            if state.openings != openings {
                return Err(openings_changed());
            }
            state.settings.games.concurrency = settings.games.concurrency;
            state
        } else {
            TuneState::new(settings, openings)
        };
        for launch in &mut resources.launches {
            let options = &mut launch.settings.options;
            options.insert(OPTION.to_owned(), state.option());
        }
        if state.done() < state.settings.iterations {
            let checked = check_engines(&state.settings.games, &resources.launches, false)?;
            let mut undeclared = checked.iter().flat_map(|engine| &engine.undeclared);
            if undeclared.any(|name| name == OPTION) {
                return Err(MatchError::Missing(format!(
                    "the engine has no option {OPTION}, so there is nothing to tune (this program has it if \
                     built with --features tune)"
                )));
            }
            // An unwritable file must fail now, not after an hour of games.
            state.write(path).map_err(&failed)?;
        }
        Ok(Tuning {
            state,
            path: path.to_owned(),
            resources,
            _lock: lock,
        })
    }

    /// Plays the remaining games; the observer is called on this thread, after every pair and at intervals.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or the state cannot be written. The last state that could be written
    /// contains the progress.
    pub fn run(&mut self, observer: &mut dyn FnMut(&TuneState)) -> Result<Ending, MatchError> {
        let last = self.state.settings.iterations;
        if self.state.done() >= last {
            return Ok(Ending::Complete);
        }
        let games = self.state.settings.games.games_at_a_time(processors());
        let games = games.min((last - self.state.done()) as usize);
        let (state, path, resources) = (&mut self.state, &self.path, &self.resources);
        let write = |state: &TuneState| {
            let written = state.write(path);
            written.map_err(|error| MatchError::from(RecordError::at(path, error)))
        };
        let settings = state.settings.clone();
        let source = TuningGames::new(&settings, state.spsa.clone());
        let mut failure: Option<MatchError> = None;
        let mut written = Instant::now();
        let take = |event| {
            match event {
                None => observer(state),
                Some(WorkerEvent::Finished(finished)) => {
                    let mut complaints = finished.complaints.iter();
                    if let Some(refusal) = complaints.find(|text| text.contains(OPTION)) {
                        // It is of another version.
                        let what = "the engine refuses the numbers";
                        failure.get_or_insert_with(|| MatchError::missing(what, refusal));
                    } else if let Some((perturbation, games)) = source.add(&finished) {
                        state.learn(&perturbation, games);
                        source.start_from(perturbation.iteration, &state.spsa);
                        observer(state);
                    }
                }
                Some(WorkerEvent::Absent(_, what)) => log::warn!("{ENGINE} {what}"),
                Some(WorkerEvent::Unplayable(_, error)) => {
                    failure.get_or_insert(MatchError::no_start(ENGINE, &error));
                }
                // Games of a tuning run are independent, and there are no substitute engines.
                Some(_) => {}
            }
            if written.elapsed() >= WRITE_EVERY && failure.is_none() {
                written = Instant::now();
                failure = write(state).err();
            }
            if failure.is_some() {
                resources.stop.now();
            }
        };
        play_games(&settings.games, resources, &source, games, None, take)?;
        let kept = write(state);
        if let Some(error) = failure {
            return Err(error);
        }
        kept?;
        Ok(match state.done() >= last {
            true => Ending::Complete,
            false => Ending::Stopped,
        })
    }
}

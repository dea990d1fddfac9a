//! Tuning: the numbers of a search are moved a little, an engine plays itself with them moved one way
//! and the other, and what wins is where they go.
//!
//! [`Tuning`] plays the games as a match does ([`crate::tournament::Match`]); `spsa` says what is tried
//! next and what is learned; the state is on disk, to go on with.

mod error;
mod games;
mod settings;
mod spsa;
mod state;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use self::error::TuneError;
use self::games::TuningGames;
pub use self::settings::{TuneSettings, TunedParameter};
pub use self::state::{Sample, TuneState};
use super::Ending;
use super::engine_check::check_engines;
use super::match_error::MatchError;
use super::record::OpeningsHeader;
use super::resources::Resources;
use super::runner::openings_changed;
use super::worker::{WorkerEvent, play_games};
use crate::files::{Lock, LockError};
use crate::stop::StopSignal;

/// The engine's option that takes the numbers.
pub const OPTION: &str = "SearchParameters";

/// The engine's name: both players are the same.
const ENGINE: &str = "the engine";
/// How often the state is written.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A tuning that is ready to be played, or played on.
#[derive(Debug)]
pub struct Tuning {
    /// How it stands.
    pub state: TuneState,
    path: PathBuf,
    resources: Resources,
    /// Keeps others from the state.
    _lock: Lock,
}

impl Tuning {
    /// Begins a tuning, or goes on with the one whose state is at `path`: its settings have to be
    /// these, only the number of games at a time may be another. With `anew` it begins in any case, and
    /// replaces what is there.
    ///
    /// # Errors
    ///
    /// If the settings cannot be, the engine cannot play or lacks the option, or the state does not
    /// read, is of another tuning, or in use.
    pub fn open(
        mut settings: TuneSettings,
        path: &Path,
        anew: bool,
        stop: &StopSignal,
    ) -> Result<Tuning, TuneError> {
        settings.validate()?;
        settings.games.games = Some(2 * settings.iterations);
        settings.games.make_paths_absolute();
        let lock = Lock::take(path).map_err(|error| match error {
            LockError::InUse => TuneError::State(format!(
                "{} is in use: another tuning is writing to it",
                path.display()
            )),
            LockError::File(path, error) => TuneError::file(&path)(error),
        })?;
        let mut resources = Resources::open(&settings.games, None, stop)?;
        let openings = OpeningsHeader::of(&resources.openings.games);
        let state = if path.exists() && !anew {
            let mut state = TuneState::read(path).map_err(TuneError::file(path))?;
            if let Some(setting) = state.settings.difference(&settings) {
                return Err(TuneError::State(format!(
                    "{} is of a tuning with another setting '{setting}'; choose another name by \
                     --out, or begin anew by --restart",
                    path.display()
                )));
            }
            if state.openings != openings {
                return Err(openings_changed().into());
            }
            state.settings.games.concurrency = settings.games.concurrency;
            state
        } else {
            TuneState::new(settings, openings)
        };
        for launch in &mut resources.launches {
            let options = &mut launch.settings.options;
            options.insert(OPTION.to_owned(), state.option());
            // That it is missing has a message of its own.
            launch.settings.shared.insert(OPTION.to_owned());
        }
        if state.done() < state.settings.iterations {
            let checked = check_engines(&state.settings.games, &resources.launches, false)?;
            let mut undeclared = checked.iter().flat_map(|engine| &engine.undeclared);
            if undeclared.any(|name| name == OPTION) {
                return Err(TuneError::NoOption);
            }
            // Better known now than after an hour whether it can be written.
            state.write(path).map_err(TuneError::file(path))?;
        }
        Ok(Tuning {
            state,
            path: path.to_owned(),
            resources,
            _lock: lock,
        })
    }

    /// Games at a time.
    pub fn games_at_a_time(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let settings = &self.state.settings;
        let left = settings.iterations.saturating_sub(self.state.done());
        let games = settings.games.games_at_a_time(processors);
        games.min(left as usize).max(1)
    }

    /// Plays the remaining games; the observer is called on this thread, after every pair and at
    /// intervals.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or the state cannot be written. What was learned until then is in
    /// the state, if it could be written.
    pub fn run(&mut self, observer: &mut dyn FnMut(&TuneState)) -> Result<Ending, TuneError> {
        let last = self.state.settings.iterations;
        if self.state.done() >= last {
            return Ok(Ending::Complete);
        }
        let games = self.games_at_a_time();
        let (state, path, resources) = (&mut self.state, &self.path, &self.resources);
        let settings = state.settings.clone();
        let source = TuningGames::new(&settings, state.spsa.clone());
        let mut failure: Option<TuneError> = None;
        let mut written = Instant::now();
        let take = |event| {
            match event {
                None => observer(state),
                Some(WorkerEvent::Finished(finished)) => {
                    let mut complaints = finished.complaints.iter();
                    if let Some(refusal) = complaints.find(|text| text.contains(OPTION)) {
                        failure.get_or_insert(TuneError::Refused(refusal.clone()));
                    } else if let Some((perturbation, games)) = source.add(&finished) {
                        state.learn(&perturbation, games);
                        source.start_from(&state.spsa);
                        observer(state);
                    }
                }
                Some(WorkerEvent::StartFailed(_, error)) => {
                    log::warn!("{ENGINE} has not started, trying again: {error}");
                }
                Some(WorkerEvent::Unplayable(_, error)) => {
                    failure.get_or_insert(MatchError::no_start(ENGINE, &error).into());
                }
                // Games of a tuning depend on nothing, and it has no engines to spare.
                Some(_) => {}
            }
            if written.elapsed() >= WRITE_EVERY && failure.is_none() {
                written = Instant::now();
                failure = state.write(path).map_err(TuneError::file(path)).err();
            }
            if failure.is_some() {
                resources.stop.now();
            }
        };
        play_games(&settings.games, resources, &source, games, None, take)?;
        let kept = state.write(path).map_err(TuneError::file(path));
        match failure {
            Some(error) => Err(error),
            None => kept.map(|()| {
                if state.done() >= last {
                    Ending::Complete
                } else {
                    Ending::Stopped
                }
            }),
        }
    }
}

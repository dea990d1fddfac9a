//! Tuning: the numbers of a search are moved a little, an engine plays itself with them moved one way
//! and the other, and what wins is where they go.
//!
//! [`Tuning`] plays the games at places like those of a match ([`crate::tournament::Match`]); `spsa` says
//! what is tried next and what is learned; the state is on disk, to go on with.

mod error;
mod place;
mod progress;
mod settings;
mod spsa;
mod state;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

pub use self::error::TuneError;
use self::place::{Field, Place, PlaceEvent, Queue};
pub use self::settings::{TuneSettings, TuneSettingsError, TunedParameter};
pub use self::state::{Sample, TuneState};
use super::match_error::MatchError;
use super::record::OpeningsHeader;
use super::runner::MatchPlace;
use super::trial::{launches, try_engines};
use crate::files::{Lock, LockError};
use crate::openings::OpeningSuite;
use crate::stop::StopSignal;
use crate::tablebase::Tablebases;

/// The engine's option that takes the numbers.
pub const OPTION: &str = "SearchParameters";

/// How often the observer hears that time passes.
const TICK: Duration = Duration::from_millis(200);
/// How often the state is written.
const WRITE_EVERY: Duration = Duration::from_secs(5);

/// A tuning that is ready to be played, or played on.
#[derive(Debug)]
pub struct Tuning {
    state: TuneState,
    path: PathBuf,
    field: Field,
    /// Keeps others from the state.
    _lock: Lock,
}

/// How a tuning came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneEnding {
    /// All iterations are done.
    Complete,
    /// It was stopped, and can go on.
    Stopped,
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
        stop: StopSignal,
    ) -> Result<Tuning, TuneError> {
        settings.validate()?;
        settings.games.games = Some(2 * settings.iterations);
        settings.games.make_paths_absolute();
        let lock = Lock::take(path).map_err(|error| match error {
            LockError::InUse => TuneError::InUse {
                path: path.to_owned(),
            },
            LockError::File(path, error) => TuneError::file(&path)(error),
        })?;
        let games = &settings.games;
        let book = OpeningSuite::open(&games.openings, &games.rules).map_err(MatchError::from)?;
        let openings = OpeningsHeader::of(&book);
        let state = if path.exists() && !anew {
            let mut state = TuneState::read(path).map_err(TuneError::file(path))?;
            if let Some(setting) = state.settings.difference(&settings) {
                return Err(TuneError::OtherTuning {
                    path: path.to_owned(),
                    setting,
                });
            }
            if !state.has_openings(openings) {
                return Err(MatchError::OpeningsChanged.into());
            }
            state.settings.games.concurrency = settings.games.concurrency;
            state
        } else {
            TuneState::new(settings, openings)
        };
        let games = &state.settings.games;
        let tables = games.tablebase.as_ref();
        let tables = tables.map(|folder| Tablebases::open(folder, &games.rules));
        let tables = tables.transpose().map_err(MatchError::from)?;
        let place = MatchPlace {
            name: path.to_owned(),
            log: None,
            stop: stop.clone(),
        };
        let mut launches = launches(games, &place)?;
        for launch in &mut launches {
            let options = &mut launch.settings.options;
            options.insert(OPTION.to_owned(), state.option());
        }
        if state.done() < state.settings.iterations {
            let tried = try_engines(games, &launches)?;
            let mut undeclared = tried.iter().flat_map(|engine| &engine.undeclared);
            if undeclared.any(|name| name == OPTION) {
                return Err(TuneError::NoOption);
            }
            // Better known now than after an hour whether it can be written.
            state.write(path).map_err(TuneError::file(path))?;
        }
        Ok(Tuning {
            state,
            path: path.to_owned(),
            field: Field {
                launches,
                book,
                tables,
                stop,
            },
            _lock: lock,
        })
    }

    /// How it stands.
    #[must_use]
    pub fn state(&self) -> &TuneState {
        &self.state
    }

    /// Games at a time.
    #[must_use]
    pub fn games_at_a_time(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let left = self
            .state
            .settings
            .iterations
            .saturating_sub(self.state.done());
        let games = self.state.settings.games.games_at_a_time(processors);
        games.min(left as usize).max(1)
    }

    /// Plays what remains; the observer is called on this thread, after every pair and now and then.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or the state cannot be written. What was learned until then is in
    /// the state, if it could be written.
    pub fn run(&mut self, observer: &mut dyn FnMut(&TuneState)) -> Result<TuneEnding, TuneError> {
        let last = self.state.settings.iterations;
        if self.state.done() >= last {
            return Ok(TuneEnding::Complete);
        }
        let games = self.games_at_a_time();
        let pool = ThreadPoolBuilder::new()
            .num_threads(games)
            .thread_name(|number| format!("games {}", number + 1))
            .build()
            .map_err(MatchError::from)?;
        let Tuning {
            state, path, field, ..
        } = self;
        let field = &*field;
        let settings = state.settings.clone();
        let queue = Mutex::new(Queue::new(&state.spsa));
        let (events, inbox) = channel();
        let mut failure = None;
        let mut written = Instant::now();
        pool.in_place_scope(|scope| {
            let _last_word = field.stop.last_word(|| ());
            scope.spawn_broadcast(|_, place| {
                Place::new(field, &settings, &queue, place.index()).play(&events.clone());
            });
            // A pool may have fewer threads than were asked for.
            let mut running = pool.current_num_threads();
            while running > 0 {
                match inbox.recv_timeout(TICK) {
                    Ok(PlaceEvent::Done) => running -= 1,
                    Ok(PlaceEvent::Failed(error)) => {
                        failure.get_or_insert(error);
                        field.stop.now();
                    }
                    Ok(PlaceEvent::Played { trial, games }) => {
                        state.learn(&trial, games);
                        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                        queue.spsa.clone_from(&state.spsa);
                        drop(queue);
                        observer(state);
                    }
                    Err(RecvTimeoutError::Timeout) => observer(state),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if written.elapsed() >= WRITE_EVERY && failure.is_none() {
                    written = Instant::now();
                    if let Err(error) = state.write(path) {
                        failure = Some(TuneError::file(path)(error));
                        field.stop.now();
                    }
                }
            }
        });
        let kept = state.write(path).map_err(TuneError::file(path));
        match failure {
            Some(error) => Err(error),
            None if kept.is_err() => kept.map(|()| TuneEnding::Stopped),
            None if state.done() >= last => Ok(TuneEnding::Complete),
            None => Ok(TuneEnding::Stopped),
        }
    }
}

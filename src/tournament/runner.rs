//! A whole match: engines checked, games played several at a time, results recorded and counted.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::attendance::Attendance;
use super::engine::{Launch, StartError, available_processors};
use super::formats::Extent;
use super::game::Check;
use super::match_error::MatchError;
use super::match_state::MatchState;
use super::openings::Openings;
use super::record::{GameEntry, Header, OpeningsHeader, Record};
use super::settings::MatchSettings;
use super::slot::{Slot, SlotContext, SlotEvent};
use super::standings::Standings;
use super::tallying::Tallying;
use super::trial::{Tried, launches, try_again, try_engines};
use crate::stop::StopSignal;
use crate::tablebase::Tablebases;

/// How often the observer hears that time passes.
const TICK: Duration = Duration::from_millis(200);

/// So many games wait to be recorded at most: those that nobody plays come faster than any file takes
/// them.
const BACKLOG: usize = 64;

/// A match that is ready to be played, or played on.
#[derive(Debug)]
pub struct Match {
    state: MatchState,
    openings: Openings,
    tables: Option<Tablebases>,
    record: Record,
    launches: Vec<Launch>,
    stop: StopSignal,
}

/// Where a match is recorded, and how it is stopped.
#[derive(Clone, Debug)]
pub struct MatchPlace {
    /// Path of the record's files, without extension.
    pub name: PathBuf,
    /// What the paths of protocol logs begin with; `None`: no logs.
    pub log: Option<PathBuf>,
    /// Ends the match early when it is given.
    pub stop: StopSignal,
}

/// Something that an observer may want to show.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game has ended and is recorded.
    Game {
        /// The game.
        entry: &'a GameEntry,
        /// How the match stands after it.
        standings: &'a Standings,
        /// How much has been played.
        extent: Extent,
    },
    /// An engine has not started and is tried again.
    StartFailed {
        /// Its name.
        engine: &'a str,
        /// What went wrong.
        error: &'a StartError,
    },
    /// An engine has not started for several games in a row, and loses those that are still to come.
    Withdrawn {
        /// Its name.
        engine: &'a str,
    },
    /// Time passes.
    Tick,
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games have been played.
    Complete,
    /// The sequential test is decided.
    Decided,
    /// It was stopped before.
    Stopped,
}

impl Match {
    /// Begins a match: starts all engines once, to see that they can play it and what they are called,
    /// and makes the record.
    ///
    /// # Errors
    ///
    /// If anything stands in the way of the first game.
    pub fn begin(mut settings: MatchSettings, place: &MatchPlace) -> Result<Match, MatchError> {
        settings.trim_names();
        settings.validate()?;
        settings.fill_in_format();
        settings.make_paths_absolute();
        let openings = Openings::open(&settings)?;
        let tables = open_tables(&settings)?;
        // Before there is a record: what stands in the way is found now.
        let tried_without_names = MatchState::new(MatchSettings {
            anchor: None,
            ..settings.clone()
        })?;
        processors(&settings, games_at_a_time(&tried_without_names))?;
        openings.warn_of_repetition(&settings);
        let launches = launches(&settings, place)?;
        let tried = try_engines(&settings, &launches)?;
        for (engine, tried) in settings.engines.iter_mut().zip(&tried) {
            engine.name = Some(tried.name.clone());
        }
        let header = Header::new(settings.clone(), OpeningsHeader::of(openings.of_games()));
        let mut state = MatchState::new(settings)?;
        let record = Record::create(&place.name, &header)?;
        note_undeclared(&mut state.standings, &tried);
        Ok(Match {
            state,
            openings,
            tables,
            record,
            launches,
            stop: place.stop.clone(),
        })
    }

    /// Goes on with the match whose state is in the file `path`; `concurrency` replaces the number of
    /// games at a time. [`MatchPlace::name`] is not used.
    ///
    /// # Errors
    ///
    /// As [`Match::begin`], and if the record is damaged or the openings have changed. An engine that
    /// does not start is an error only where the match cannot go on without it.
    pub fn resume(
        path: &Path,
        concurrency: Option<usize>,
        place: &MatchPlace,
    ) -> Result<Match, MatchError> {
        let reopened = Record::reopen(path)?;
        let mut settings = reopened.header().settings.clone();
        settings.concurrency = concurrency.or(settings.concurrency);
        settings.validate()?;
        let openings = Openings::open(&settings)?;
        if OpeningsHeader::of(openings.of_games()) != reopened.header().openings {
            return Err(MatchError::OpeningsChanged);
        }
        let tables = open_tables(&settings)?;
        let launches = launches(&settings, place)?;
        let mut state = MatchState::new(settings)?;
        for entry in reopened.entries() {
            let added = state.add(entry);
            added.map_err(|error| MatchError::NotScheduled {
                path: path.to_owned(),
                error,
            })?;
        }
        if !state.is_complete() && state.decision().is_none() {
            match try_again(&state.settings, &launches) {
                Ok(tried) => note_undeclared(&mut state.standings, &tried),
                // Nothing is lost: the match can go on another time.
                Err(MatchError::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        // Last: nothing is changed by a match that cannot go on.
        let record = reopened.mend()?;
        Ok(Match {
            state,
            openings,
            tables,
            record,
            launches,
            stop: place.stop.clone(),
        })
    }

    /// How far it has come.
    #[must_use]
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Games at a time.
    #[must_use]
    pub fn games_at_a_time(&self) -> usize {
        games_at_a_time(&self.state)
    }

    /// Plays what remains. The observer is called on this thread.
    ///
    /// # Errors
    ///
    /// If an engine does not start that the match cannot do without, the record cannot be written, or
    /// threads or processors are not to be had. Finished games are in the record all the same.
    pub fn run(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<Ending, MatchError> {
        if self.state.decision().is_some() {
            return Ok(Ending::Decided);
        }
        if self.state.is_complete() {
            return Ok(Ending::Complete);
        }
        let games = self.games_at_a_time();
        let cpus = processors(&self.state.settings, games)?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(games)
            .thread_name(|number| format!("games {}", number + 1))
            .build()?;
        let context = SlotContext {
            settings: &self.state.settings,
            launches: &self.launches,
            openings: &self.openings,
            tables: self.tables.as_ref(),
            schedule: &self.state.schedule,
            attendance: Attendance::of(&self.state.settings),
            stop: self.stop.clone(),
        };
        let (events, inbox) = sync_channel(BACKLOG);
        let mut tally = Tallying {
            settings: &self.state.settings,
            schedule: &self.state.schedule,
            record: &mut self.record,
            standings: &mut self.state.standings,
            stop: &self.stop,
            end: None,
            is_over: false,
        };
        pool.in_place_scope(|scope| {
            // Here, so that nobody waits for it should this thread panic, and everybody ends.
            let inbox = inbox;
            let _last_word = self.stop.last_word(|| ());
            scope.spawn_broadcast(|_, slot| {
                let number = slot.index();
                let cpus = cpus.as_ref().map(|cpus| cpus[number].as_slice());
                Slot::new(&context, number, cpus).run(&events.clone());
            });
            // A pool may have fewer threads than were asked for.
            let mut running = pool.current_num_threads();
            while running > 0 {
                match inbox.recv_timeout(TICK) {
                    Ok(SlotEvent::Done) => running -= 1,
                    Ok(event) => tally.take(event, observer),
                    Err(RecvTimeoutError::Timeout) => observer(Event::Tick),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        match tally.end {
            Some(end) => end,
            None if self.state.is_complete() => Ok(Ending::Complete),
            None => Ok(Ending::Stopped),
        }
    }
}

/// Games at a time, in what remains of a match.
fn games_at_a_time(state: &MatchState) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = state.schedule.lock().most_at_once();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    state.settings.games_at_a_time(processors).min(most)
}

/// The processors of each game, if engines are to be bound to them.
fn processors(
    settings: &MatchSettings,
    games: usize,
) -> Result<Option<Vec<Vec<usize>>>, MatchError> {
    if !settings.affinity {
        return Ok(None);
    }
    let available = available_processors().map_err(MatchError::Affinity)?;
    let of_a_game = settings.processors_of_a_game();
    let needed = games.saturating_mul(of_a_game);
    if needed > available.len() {
        return Err(MatchError::TooFewProcessors {
            games,
            needed,
            available: available.len(),
        });
    }
    let cpus = available
        .chunks(of_a_game)
        .take(games)
        .map(<[usize]>::to_vec);
    Ok(Some(cpus.collect()))
}

/// The tablebases that decide games, if there are to be any.
fn open_tables(settings: &MatchSettings) -> Result<Option<Tablebases>, MatchError> {
    let folder = settings.tablebase.as_ref();
    let tables = folder.map(|folder| Tablebases::open(folder, &settings.rules));
    Ok(tables.transpose()?)
}

fn note_undeclared(standings: &mut Standings, tried: &[Tried]) {
    for (figures, tried) in standings.engines.iter_mut().zip(tried) {
        for option in &tried.undeclared {
            figures.add_check(Check::UndeclaredOption, 1, || option.clone());
        }
    }
}

//! A whole match: engines checked, games played several at a time, results recorded and counted.

use std::path::Path;

use super::engine::{StartError, available_processors};
use super::engine_check::{CheckedEngine, check_engines};
use super::formats::{Extent, NotScheduled, Schedule, SharedSchedule};
use super::game::{Check, Finished};
use super::match_error::MatchError;
use super::match_state::{MatchState, decision};
use super::record::{GameEntry, Header, OpeningsHeader, Record};
use super::resources::Resources;
use super::settings::MatchSettings;
use super::standings::Standings;
use super::worker::{WorkerEvent, play_games};
use crate::stop::StopSignal;
use crate::text::{counted, plural};

/// A match that is ready to be played, or played on.
#[derive(Debug)]
pub struct Match {
    /// How far it has come.
    pub state: MatchState,
    /// Where it is recorded.
    pub record: Record,
    resources: Resources,
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
    /// Begins a match that is recorded under `name` (the path of the record's files, without extension):
    /// starts all engines once, to see that they can play it and what they are called, and makes the
    /// record. Protocol logs are at paths that begin with `log`.
    ///
    /// # Errors
    ///
    /// If anything stands in the way of the first game.
    pub fn begin(
        mut settings: MatchSettings,
        name: &Path,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Match, MatchError> {
        settings.trim_names();
        settings.validate()?;
        settings.fill_in_format();
        settings.make_paths_absolute();
        let resources = Resources::open(&settings, log, stop)?;
        // Before there is a record: what stands in the way is found now.
        processors(
            &settings,
            games_at_a_time(&settings, &Schedule::of(&settings)?),
        )?;
        resources.openings.warn_of_repetition(&settings);
        let checked = check_engines(&settings, &resources.launches, false)?;
        for (engine, checked) in settings.engines.iter_mut().zip(&checked) {
            engine.name = Some(checked.name.clone());
        }
        let openings = OpeningsHeader::of(&resources.openings.games);
        let header = Header::new(settings.clone(), openings);
        let mut state = MatchState::new(settings)?;
        let record = Record::create(name, &header)?;
        note_undeclared(&mut state.standings, &checked);
        Ok(Match {
            state,
            record,
            resources,
        })
    }

    /// Goes on with the match whose state is in the file `path`; `concurrency` replaces the number of
    /// games at a time.
    ///
    /// # Errors
    ///
    /// As [`Match::begin`], and if the record is damaged or the openings have changed; an engine that does
    /// not start only if the match cannot go on without it.
    pub fn resume(
        path: &Path,
        concurrency: Option<usize>,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Match, MatchError> {
        let reopened = Record::reopen(path)?;
        let mut settings = reopened.reading.header.settings.clone();
        settings.concurrency = concurrency.or(settings.concurrency);
        settings.validate()?;
        let resources = Resources::open(&settings, log, stop)?;
        if OpeningsHeader::of(&resources.openings.games) != reopened.reading.header.openings {
            return Err(openings_changed());
        }
        let mut state = MatchState::new(settings)?;
        for entry in &reopened.reading.entries {
            let added = state.add(entry);
            added.map_err(|error| not_scheduled(path, error))?;
        }
        if !state.is_complete() && state.decision().is_none() {
            match check_engines(&state.settings, &resources.launches, true) {
                Ok(checked) => note_undeclared(&mut state.standings, &checked),
                // Nothing is lost: the match can go on another time.
                Err(MatchError::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        // Last: nothing is changed by a match that cannot go on.
        let record = reopened.mend()?;
        Ok(Match {
            state,
            record,
            resources,
        })
    }

    /// Games at a time, in what remains.
    pub fn games_at_a_time(&self) -> usize {
        games_at_a_time(&self.state.settings, &self.state.schedule)
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
        let settings = &self.state.settings;
        let cpus = processors(settings, games)?;
        let schedule = SharedSchedule::new(&mut self.state.schedule);
        let mut collector = Collector {
            settings,
            schedule: &schedule,
            record: &mut self.record,
            standings: &mut self.state.standings,
            stop: &self.resources.stop,
            end: None,
            is_over: false,
        };
        play_games(
            settings,
            &self.resources,
            &schedule,
            games,
            cpus.as_deref(),
            |event| match event {
                Some(event) => collector.take(event, observer),
                None => observer(Event::Tick),
            },
        )?;
        match collector.end {
            Some(end) => end,
            None if self.state.is_complete() => Ok(Ending::Complete),
            None => Ok(Ending::Stopped),
        }
    }
}

/// Finished games: recorded, counted, and told of.
struct Collector<'a> {
    settings: &'a MatchSettings,
    schedule: &'a SharedSchedule<'a>,
    record: &'a mut Record,
    standings: &'a mut Standings,
    stop: &'a StopSignal,
    /// How the match ended, if it did before all games were played.
    end: Option<Result<Ending, MatchError>>,
    /// Whether games that end from now on do not count.
    is_over: bool,
}

impl Collector<'_> {
    /// Takes in what has happened at a worker.
    fn take(&mut self, event: WorkerEvent, observer: &mut dyn FnMut(Event<'_>)) {
        if self.is_over {
            return;
        }
        match event {
            WorkerEvent::Finished(finished) => self.add(*finished, observer),
            WorkerEvent::StartFailed(engine, error) => observer(Event::StartFailed {
                engine: &self.standings.names[engine],
                error: &error,
            }),
            WorkerEvent::Withdrawn(engine) => observer(Event::Withdrawn {
                engine: &self.standings.names[engine],
            }),
            WorkerEvent::Unplayable(engine, error) => {
                // What has begun at other workers is not lost.
                self.stop.after_running_games();
                if self.end.is_none() {
                    let error = MatchError::no_start(&self.standings.names[engine], &error);
                    log::warn!("{error}; games that run are finished");
                    self.end = Some(Err(error));
                }
            }
            WorkerEvent::NobodyToPair(encounters) => {
                self.finish(Err(MatchError::Schedule(format!(
                    "nobody can be paired any more: {encounters} {} left, but no two engines may meet",
                    plural(encounters, "encounter is", "encounters are")
                ))));
            }
            WorkerEvent::Done => {}
        }
    }

    fn add(&mut self, finished: Finished, observer: &mut dyn FnMut(Event<'_>)) {
        let mut entry = finished.entry;
        if let Err(error) = self.record.add(&mut entry) {
            self.finish(Err(error.into()));
            return;
        }
        let (scored, extent) = match self.schedule.record(&finished.game, finished.winner) {
            Ok(recorded) => recorded,
            Err(error) => {
                // What the schedule has handed out belongs to it.
                let error = not_scheduled(self.record.state_path(), error);
                self.finish(Err(error));
                return;
            }
        };
        self.standings.add(&entry, finished.game.players, scored);
        observer(Event::Game {
            entry: &entry,
            standings: self.standings,
            extent,
        });
        if decision(self.settings, self.standings).is_some() {
            self.finish(Ok(Ending::Decided));
        }
    }

    fn finish(&mut self, end: Result<Ending, MatchError>) {
        self.end = Some(end);
        self.is_over = true;
        self.stop.now();
    }
}

/// The openings are not those of the record.
pub(super) fn openings_changed() -> MatchError {
    let what = "the openings are no longer those that the match began with";
    MatchError::Missing(what.to_owned())
}

fn not_scheduled(path: &Path, error: NotScheduled) -> MatchError {
    MatchError::Schedule(format!("{}: {error}", path.display()))
}

/// Games at a time, in what remains of a match.
fn games_at_a_time(settings: &MatchSettings, schedule: &Schedule) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = usize::try_from(schedule.most_at_once()).unwrap_or(usize::MAX);
    settings.games_at_a_time(processors).min(most)
}

/// The processors of each game, if engines are to be bound to them.
fn processors(
    settings: &MatchSettings,
    games: usize,
) -> Result<Option<Vec<Vec<usize>>>, MatchError> {
    if !settings.affinity {
        return Ok(None);
    }
    let available =
        available_processors().map_err(|error| MatchError::missing("affinity", error))?;
    let of_a_game = settings.processors_of_a_game();
    let needed = games.saturating_mul(of_a_game);
    if needed > available.len() {
        return Err(MatchError::Missing(format!(
            "affinity: {games} {} {}, there {} {}",
            plural(games, "game at a time needs", "games at a time need"),
            counted(needed, "processor", "processors"),
            plural(available.len(), "is", "are"),
            available.len()
        )));
    }
    let cpus = available.chunks(of_a_game).take(games);
    Ok(Some(cpus.map(<[usize]>::to_vec).collect()))
}

fn note_undeclared(standings: &mut Standings, checked: &[CheckedEngine]) {
    for (figures, checked) in standings.engines.iter_mut().zip(checked) {
        for option in &checked.undeclared {
            figures.add_check(Check::UndeclaredOption, 1, || option.clone());
        }
    }
}

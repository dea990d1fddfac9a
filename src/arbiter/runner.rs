//! A whole match: engines checked, games played several at a time, results recorded and counted.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::engine::{Launch, StartError, available_processors};
use super::game::Check;
use super::match_error::MatchError;
use super::record::{GameEntry, Header, OpeningsHeader, Record};
use super::schedule::Schedule;
use super::settings::MatchSettings;
use super::slot::{Slot, SlotContext, SlotEvent};
use super::standings::Standings;
use super::statistics::SprtDecision;
use super::stop::StopSignal;
use super::trial::{launches, try_engines};
use crate::book::Book;
use crate::tablebase::Tablebases;

/// How often the observer hears that time passes.
const TICK: Duration = Duration::from_millis(200);

/// A match that is ready to be played, or played on.
#[derive(Debug)]
pub struct Match {
    settings: MatchSettings,
    book: Book,
    tables: Option<Tablebases>,
    record: Record,
    standings: Standings,
    done: HashSet<u32>,
    launches: [Launch; 2],
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
    },
    /// An engine has not started and is tried again.
    StartFailed {
        /// Its name.
        engine: &'a str,
        /// What went wrong.
        error: &'a StartError,
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
    /// It was stopped, and can be resumed.
    Stopped,
}

impl Match {
    /// Begins a match: starts both engines once, to see that they can play it and what they are
    /// called, and makes the record.
    ///
    /// # Errors
    ///
    /// If anything stands in the way of the first game.
    pub fn begin(mut settings: MatchSettings, place: &MatchPlace) -> Result<Match, MatchError> {
        settings.validate()?;
        settings.make_paths_absolute();
        let book = Book::open(&settings.openings, &settings.rules)?;
        warn_of_repetition(&settings, &book);
        let tables = open_tables(&settings)?;
        // Before there is a record: what stands in the way is found now.
        processors(
            &settings,
            games_at_a_time(&settings, settings.games as usize),
        )?;
        let launches = launches(&settings, place)?;
        let (names, undeclared) = try_engines(&settings, &launches)?;
        for (engine, name) in settings.engines.iter_mut().zip(names) {
            engine.name = Some(name);
        }
        let header = Header::new(settings.clone(), OpeningsHeader::of(&book));
        let record = Record::create(&place.name, &header)?;
        let mut standings = Standings::new(&settings);
        note_undeclared(&mut standings, &undeclared);
        Ok(Match {
            settings,
            book,
            tables,
            record,
            standings,
            done: HashSet::new(),
            launches,
            stop: place.stop.clone(),
        })
    }

    /// Goes on with the match whose state is in the file `state`; `concurrency` replaces the number
    /// of games at a time. [`MatchPlace::name`] is not used.
    ///
    /// # Errors
    ///
    /// As [`Match::begin`], and if the record is damaged or the openings have changed.
    pub fn resume(
        state: &Path,
        concurrency: Option<usize>,
        place: &MatchPlace,
    ) -> Result<Match, MatchError> {
        let (header, entries, record) = Record::resume(state)?;
        let mut settings = header.settings;
        settings.concurrency = concurrency.or(settings.concurrency);
        settings.validate()?;
        let book = Book::open(&settings.openings, &settings.rules)?;
        if OpeningsHeader::of(&book) != header.openings {
            return Err(MatchError::OpeningsChanged);
        }
        let tables = open_tables(&settings)?;
        let launches = launches(&settings, place)?;
        let mut standings = Standings::new(&settings);
        let mut done = HashSet::new();
        for entry in &entries {
            done.insert(entry.game);
            standings.add(entry);
        }
        let over =
            done.len() >= settings.games as usize || decision(&settings, &standings).is_some();
        if !over {
            match try_engines(&settings, &launches) {
                Ok((_, undeclared)) => note_undeclared(&mut standings, &undeclared),
                // Nothing is lost: the match can go on another time.
                Err(MatchError::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Match {
            settings,
            book,
            tables,
            record,
            standings,
            done,
            launches,
            stop: place.stop.clone(),
        })
    }

    /// The settings, with the engines' names.
    #[must_use]
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// How the match stands.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Games at a time.
    #[must_use]
    pub fn games_at_a_time(&self) -> usize {
        let remaining = (self.settings.games as usize).saturating_sub(self.done.len());
        games_at_a_time(&self.settings, remaining)
    }

    /// Plays what remains. The observer is called on this thread.
    ///
    /// # Errors
    ///
    /// If an engine does not start, the record cannot be written, or threads or processors are not
    /// to be had. Finished games are in the record all the same.
    pub fn run(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<Ending, MatchError> {
        if self.is_decided() {
            return Ok(Ending::Decided);
        }
        let schedule = Schedule::new(self.settings.games, self.done.clone());
        let remaining = schedule.remaining();
        if remaining == 0 {
            return Ok(Ending::Complete);
        }
        let games = games_at_a_time(&self.settings, remaining);
        let cpus = processors(&self.settings, games)?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(games)
            .thread_name(|number| format!("games {}", number + 1))
            .build()?;
        let context = SlotContext {
            settings: &self.settings,
            launches: &self.launches,
            book: &self.book,
            tables: self.tables.as_ref(),
            schedule: Mutex::new(schedule),
            stop: self.stop.clone(),
        };
        let (events, inbox) = channel();
        let mut tally = Tallying {
            settings: &self.settings,
            record: &mut self.record,
            standings: &mut self.standings,
            done: &mut self.done,
            stop: &self.stop,
            end: None,
        };
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, slot| {
                let number = slot.index();
                let cpus = cpus.as_ref().map(|cpus| cpus[number].as_slice());
                Slot::new(&context, number, cpus).run(&events.clone());
            });
            let mut running = games;
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
            None if self.done.len() >= self.settings.games as usize => Ok(Ending::Complete),
            None => Ok(Ending::Stopped),
        }
    }

    fn is_decided(&self) -> bool {
        decision(&self.settings, &self.standings).is_some()
    }
}

/// What the coordinating thread keeps up to date while games are played.
struct Tallying<'a> {
    settings: &'a MatchSettings,
    record: &'a mut Record,
    standings: &'a mut Standings,
    done: &'a mut HashSet<u32>,
    stop: &'a StopSignal,
    /// How the match ended, if it did before all games were played.
    end: Option<Result<Ending, MatchError>>,
}

impl Tallying<'_> {
    fn take(&mut self, event: SlotEvent, observer: &mut dyn FnMut(Event<'_>)) {
        if self.end.is_some() {
            // The match was over before this: games that end now belong to it no more.
            return;
        }
        match event {
            SlotEvent::Finished(finished) => {
                let mut entry = finished.entry;
                if let Err(error) = self.record.add(&mut entry) {
                    self.finish(Err(error.into()));
                    return;
                }
                self.done.insert(entry.game);
                self.standings.add(&entry);
                observer(Event::Game {
                    entry: &entry,
                    standings: self.standings,
                });
                if decision(self.settings, self.standings).is_some() {
                    self.finish(Ok(Ending::Decided));
                }
            }
            SlotEvent::StartFailed(engine, error) => observer(Event::StartFailed {
                engine: &self.standings.names[engine],
                error: &error,
            }),
            SlotEvent::Unplayable(engine, error) => {
                let engine = self.standings.names[engine].clone();
                self.finish(Err(MatchError::no_start(engine, error)));
            }
            SlotEvent::Done => {}
        }
    }

    fn finish(&mut self, end: Result<Ending, MatchError>) {
        self.end = Some(end);
        self.stop.now();
    }
}

/// The decision of the sequential test, if there is one and it has been reached.
fn decision(settings: &MatchSettings, standings: &Standings) -> Option<SprtDecision> {
    let decision = settings.sprt?.state(&standings.tally).decision;
    (decision != SprtDecision::Continue).then_some(decision)
}

/// Games at a time, with `remaining` games to play.
fn games_at_a_time(settings: &MatchSettings, remaining: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    settings.games_at_a_time(processors).min(remaining)
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
    let needed = games * of_a_game;
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

/// Engines that always do the same play the same games from the same openings.
fn warn_of_repetition(settings: &MatchSettings, book: &Book) {
    let pairs = settings.games.div_ceil(2) as usize;
    if let Some(count) = book.len().filter(|&count| pairs > count) {
        log::warn!(
            "{pairs} pairs from {count} openings: openings come again, and games may; the figures \
             take every game for a new one"
        );
    }
}

fn note_undeclared(standings: &mut Standings, undeclared: &[Vec<String>; 2]) {
    for (figures, options) in standings.engines.iter_mut().zip(undeclared) {
        for option in options {
            figures.add_check(Check::UndeclaredOption, 1, || option.clone());
        }
    }
}

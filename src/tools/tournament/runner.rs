//! A whole match: engines checked, games played several at a time, results recorded and counted.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::engine::available_processors;
use super::engine_check::check_engines;
use super::formats::{Schedule, ScheduledGame};
use super::match_error::MatchError;
use super::match_state::MatchState;
use super::record::{GameEntry, Header, OpeningsHeader, Record, mend, reopen};
use super::resources::Resources;
use super::settings::{EngineSettings, MatchSettings, SettingsError, TournamentFormat};
use super::together::{Part, Together};
use super::worker::{WorkerEvent, play_games};
use crate::openings::OpeningSource;
use crate::stop::StopSignal;
use vato_engine::text::{counted, plural};

use serde::Serialize;

/// Pairs in a row that a test leaves out, after which this machine does not go on with it.
const MOST_LEFT_OUT: u64 = 5;

/// Other machines are looked at no more often.
const LOOK: Duration = Duration::from_secs(1);

/// How long a machine waits, after the verdict, for the last games of the others.
const LAST_LOOKS: Duration = Duration::from_secs(10);

/// A match that is ready to be played, or played on.
#[derive(Debug)]
pub struct Match {
    /// How far it has come.
    pub state: MatchState,
    /// Where it is recorded, if it is.
    pub record: Option<Record>,
    resources: Resources,
    /// Threads and Hash (in MiB) of each engine, where it has such an option.
    pub sizes: Vec<[Option<u64>; 2]>,
    /// The parts of other machines, if there are any to see.
    pub together: Option<Together>,
}

/// An event for an observer, such as a progress display. It also hears how the match stands; of several machines as
/// they were seen last.
#[derive(Debug)]
pub enum MatchEvent {
    /// A game begins.
    Started {
        /// Its number in the schedule, from 1.
        game: u32,
        /// Who plays White, and who Black.
        players: [String; 2],
    },
    /// A game runs: before each of its moves, after [`Match::tell_moves`], the game so far.
    Moved(Box<GameEntry>),
    /// A game has ended and is recorded.
    Game(Box<GameEntry>),
    /// An engine has not started: what becomes of it, as a sentence.
    Absent(String),
    /// Sent at regular intervals.
    Tick,
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// All games have been played.
    Complete,
    /// The sequential test is decided.
    Decided,
    /// It was stopped before.
    Stopped,
}

/// What may be changed in a match that goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResumeChanges {
    /// Games at a time, from now on.
    pub concurrency: Option<usize>,
    /// Another number of games, not less than before, of a match of pairs.
    pub games: Option<u32>,
    /// Milliseconds by which answers may be late, for all engines, not less than before.
    pub timemargin: Option<u64>,
}

impl ResumeChanges {
    /// Changes the settings of a record; tells whether that makes a difference to them.
    fn apply(&self, settings: &mut MatchSettings) -> Result<bool, SettingsError> {
        let before = settings.clone();
        let is_part_of_test = settings.sprt.and(settings.shard).is_some();
        if is_part_of_test && (self.games, self.timemargin) != (None, None) {
            let what = "games, timemargin: other machines play the match as it began";
            return Err(SettingsError::new(what));
        }
        if let Some(games) = self.games {
            if settings.format() != TournamentFormat::Pairs {
                let what = format!("games cannot be added in the format {}", settings.format());
                return Err(SettingsError::new(what));
            }
            let [least, ..] = settings.lengths();
            if games < least {
                let expected = format_args!("at least {least}, as the match has");
                return Err(SettingsError::value("games", games, expected));
            }
            settings.games = Some(games);
        }
        if let Some(margin) = self.timemargin {
            for engine in &mut settings.engines {
                let least = engine.margin().as_millis();
                if u128::from(margin) < least {
                    let expected = format_args!("at least {least}, as the match has");
                    return Err(SettingsError::value("timemargin", margin, expected));
                }
                engine.timemargin = Some(margin);
            }
        }
        Ok(*settings != before)
    }
}

impl Match {
    /// Begins a match: starts all engines once, to see that they can play it and what they are called, and makes its
    /// record if it has a `name` (the path of the record's files, without extension). Protocol logs are at paths that
    /// begin with `log`.
    ///
    /// # Errors
    ///
    /// If the first game cannot be played: settings, engines, openings, tablebases, memory, record.
    pub fn begin(
        mut settings: MatchSettings,
        name: Option<&Path>,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Match, MatchError> {
        let names = settings.engines.iter_mut().flat_map(|of| &mut of.name);
        for name in names.chain([&mut settings.event]) {
            *name = name.trim().to_owned();
        }
        (settings.engines.iter_mut()).for_each(EngineSettings::remove_inf);
        settings.validate()?;
        settings.fill_in_format();
        settings.make_paths_absolute();
        let resources = Resources::open(&settings, log, stop)?;
        // Checked before there is a record.
        let schedule = Schedule::of(&settings)?;
        processors(&settings, games_at_a_time(&settings, &schedule))?;
        resources.openings.warn_of_repetition(&settings);
        resources.openings.warn_of_seed(settings.openings.seed);
        if settings.openings.source == Some(OpeningSource::Random) {
            log::warn!(
                "random openings are often won for one side; even ones: vato openings --min-score -0.5 \
                 --max-score 0.5 --out FILE, then --openings FILE"
            );
        }
        let sizes = check_engines(&mut settings, &schedule, &resources.launches, false);
        // What an engine has said tells why it has not started.
        resources.open_logs(log, &settings)?;
        let sizes = sizes?;
        let openings = OpeningsHeader::of(&resources.openings.games);
        let header = Header::new(settings.clone(), openings);
        let state = MatchState::new(settings)?;
        let together = name.map(|name| Together::join(&header, name));
        let together = together.transpose()?.flatten();
        let record = name.map(|name| Record::create(name, &header)).transpose()?;
        Ok(Match {
            state,
            record,
            resources,
            sizes,
            together,
        })
    }

    /// Goes on with the match whose state is in the file `path` (`NAME.jsonl`), with these changes to its settings. One
    /// that is over stays as it is.
    ///
    /// # Errors
    ///
    /// As [`Match::begin`], and if the record is damaged or the openings have changed; an engine that does
    /// not start only if the match cannot go on without it.
    pub fn resume(
        path: &Path,
        changes: &ResumeChanges,
        log: Option<&Path>,
        stop: &StopSignal,
    ) -> Result<Match, MatchError> {
        let (mut reading, mut file) = reopen(path)?;
        let recorded = &mut reading.header.settings;
        recorded
            .validate()
            .map_err(|error| MatchError::missing(path.display(), error))?;
        let has_changed = changes.apply(recorded)?;
        let mut settings = recorded.clone();
        settings.concurrency = changes.concurrency.or(settings.concurrency);
        settings.validate()?;
        let resources = Resources::open(&settings, log, stop)?;
        resources.open_logs(log, &settings)?;
        if OpeningsHeader::of(&resources.openings.games) != reading.header.openings {
            let what = "the openings are no longer those that the match began with";
            return Err(MatchError::Missing(what.to_owned()));
        }
        resources.openings.warn_of_repetition(&settings);
        let mut state = MatchState::new(settings)?;
        state.verdict = reading.header.verdict;
        for entry in &reading.entries {
            let added = state.add(entry);
            added.map_err(|error| MatchError::Schedule(format!("{}: {error}", path.display())))?;
        }
        let is_over = state.ending() != Ending::Stopped;
        if !is_over {
            file = Ok(file?);
            let schedule = state.schedule.lock();
            match check_engines(&mut state.settings, &schedule, &resources.launches, true) {
                // Nothing is lost: the match can go on another time.
                Ok(_) | Err(MatchError::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        let together = Together::join(&reading.header, &path.with_extension(""))?;
        // Last: a match that cannot go on leaves its files unchanged.
        let record = mend(reading, file, has_changed, is_over)?;
        Ok(Match {
            state,
            record,
            resources,
            sizes: Vec::new(),
            together,
        })
    }

    /// How far all machines have come together, as they were seen last.
    pub fn whole(&self) -> &MatchState {
        let together = self.together.as_ref();
        together.map_or(&self.state, |together| &together.whole)
    }

    /// From now on the observer hears of each move.
    pub fn tell_moves(&mut self) {
        self.resources.tells_moves = true;
    }

    /// The first games whose players are known before any result: `1: A against B, balanced 7`.
    pub fn known_games(&self, most: usize) -> Vec<String> {
        let names = self.state.standings.names();
        let shown = |game: ScheduledGame| {
            let [white, black] = game.players.map(|engine| names[engine]);
            let opening = self.resources.openings.line(&game).name;
            format!("{}: {white} against {black}, {opening}", game.number)
        };
        let schedule = self.state.schedule.lock();
        schedule.known().take(most).map(shown).collect()
    }

    /// Games at a time, in what remains.
    pub fn games_at_a_time(&self) -> usize {
        games_at_a_time(&self.state.settings, &self.state.schedule.lock())
    }

    /// Plays what remains. The observer is called on this thread.
    ///
    /// # Errors
    ///
    /// If an engine does not start that the match cannot do without, the record cannot be written, or
    /// threads or processors are not to be had. Finished games are in the record all the same.
    pub fn run(
        &mut self,
        observer: &mut dyn FnMut(&MatchEvent, &MatchState),
    ) -> Result<Ending, MatchError> {
        let ending = self.state.ending();
        if ending != Ending::Stopped {
            return Ok(ending);
        }
        let ending = self.play(observer);
        if let Some(record) = &mut self.record
            && !matches!(ending, Err(MatchError::Schedule(_)))
            && let Err(error) = record.require_own().and_then(|()| record.sort())
        {
            if ending.is_ok() && !record.state_path().exists() && !record.pgn_path().exists() {
                return Err(error);
            }
            log::warn!("{error}");
        }
        ending
    }

    fn play(
        &mut self,
        observer: &mut dyn FnMut(&MatchEvent, &MatchState),
    ) -> Result<Ending, MatchError> {
        let games = self.games_at_a_time();
        let settings = self.state.settings.clone();
        let cpus = processors(&settings, games)?;
        let schedule = Arc::clone(&self.state.schedule);
        let resources = &self.resources;
        let mut collector = Collector {
            state: &mut self.state,
            record: self.record.as_mut(),
            together: self.together.as_mut(),
            due: Instant::now(),
            stop: &resources.stop,
            end: None,
            is_over: false,
        };
        collector.look();
        play_games(
            &settings,
            resources,
            &schedule,
            games,
            cpus.as_deref(),
            |event| {
                collector.take(event, observer);
                if collector.due <= Instant::now() {
                    collector.look();
                }
            },
        )?;
        // The last games may decide.
        collector.look();
        collector.wait_for_others();
        collector.end.unwrap_or_else(|| Ok(self.state.ending()))
    }
}

/// Records and counts finished games, and informs the observer.
struct Collector<'a> {
    state: &'a mut MatchState,
    record: Option<&'a mut Record>,
    together: Option<&'a mut Together>,
    /// When the other machines are looked at again.
    due: Instant,
    stop: &'a StopSignal,
    /// How the match ended, if it did before all games were played.
    end: Option<Result<Ending, MatchError>>,
    /// Whether further results are ignored.
    is_over: bool,
}

impl Collector<'_> {
    fn take(&mut self, event: WorkerEvent, observer: &mut dyn FnMut(&MatchEvent, &MatchState)) {
        if self.is_over {
            return;
        }
        match event {
            WorkerEvent::Match(mut event) => {
                if let MatchEvent::Game(entry) = &mut event
                    && let Err(error) = self.add(entry)
                {
                    return self.finish(Err(error));
                }
                let whole = self.together.as_ref().map(|together| &together.whole);
                observer(&event, whole.unwrap_or(self.state));
                if let MatchEvent::Game(entry) = &event {
                    self.decide(entry);
                }
            }
            WorkerEvent::Unplayable(error) => {
                // Running games of other workers are finished.
                self.stop.after_running_games();
                if self.end.is_none() {
                    log::warn!("{error}; games that run are finished");
                    self.end = Some(Err(error));
                }
            }
            WorkerEvent::NobodyToPair(error) => self.finish(Err(error)),
            WorkerEvent::Done => {}
        }
    }

    fn add(&mut self, entry: &mut GameEntry) -> Result<(), MatchError> {
        if let Some(record) = &mut self.record {
            if self.together.is_some() {
                record.require_own()?;
            }
            record.add(entry)?;
        }
        // Unexpected: the schedule has handed this game out.
        let added = self.state.add(entry);
        added.map_err(|error| MatchError::Schedule(error.to_string()))
    }

    fn decide(&mut self, entry: &GameEntry) {
        let left_out = self.state.standings.tally.left_out_in_a_row;
        if self.state.decision().is_some() {
            self.finish(Ok(Ending::Decided));
        } else if entry.termination.is_abandoned() && left_out >= MOST_LEFT_OUT {
            self.finish(Err(MatchError::Missing(format!(
                "{left_out} pairs in a row do not count in the test, as an engine crashes, hangs or does not start here; \
                 game {}: {}",
                entry.game, entry.reason
            ))));
        }
    }

    /// Looks at the other machines: the verdict on all games ends the match here too.
    fn look(&mut self) {
        let Some(together) = &mut self.together else {
            return;
        };
        let begun = Instant::now();
        // A folder that cannot be read may be there again the next time.
        let own = self.record.as_deref().map_or(Ok(()), Record::require_own);
        let looked = own.and_then(|()| together.look());
        // A slow folder of many records takes a twentieth of the time.
        self.due = Instant::now() + LOOK.max(20 * begun.elapsed());
        if self.is_over {
            return;
        }
        if let Err(error @ MatchError::Schedule(_)) = looked {
            self.finish(Err(error));
        } else if let Some(decided) = together.whole.decision() {
            let verdict = together.whole.verdict.unwrap_or(decided);
            self.state.verdict = Some(verdict);
            together.whole.verdict = Some(verdict);
            let record = self.record.as_mut();
            let written = record.map_or(Ok(()), |record| record.decide(verdict));
            self.finish(written.map(|()| Ending::Decided));
        }
    }

    /// Once the test is decided, waits a while until all have found the verdict: then all print the same games.
    fn wait_for_others(&mut self) {
        let until = Instant::now() + LAST_LOOKS;
        let plays = |part: &Part| part.state.ending() == Ending::Stopped;
        while let Some(together) = &mut self.together
            && together.whole.verdict.is_some()
            && together.parts.iter().any(plays)
            && Instant::now() < until
            && together.look().is_ok()
        {
            thread::sleep(LOOK / 10);
        }
    }

    fn finish(&mut self, end: Result<Ending, MatchError>) {
        self.end = Some(end);
        self.is_over = true;
        self.stop.now();
    }
}

/// Games at a time, in what remains of a match.
pub(super) fn games_at_a_time(settings: &MatchSettings, schedule: &Schedule) -> usize {
    let processors = vato_engine::memory::processors();
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

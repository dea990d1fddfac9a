//! The files of a match besides its record: its report as a web page, also while it runs, and its games as broadcasts
//! poll them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use vato_engine::board::Side;
use vato_records::pgn::{RecordResult, Termination};
use vato_solver::files::AppendFile;
use vato_tools::clock::PlayerClock;
use vato_tools::pages::{Report, ReportGame};
use vato_tools::tournament::record::{GameEntry, game_record, read_record};
use vato_tools::tournament::settings::MatchSettings;
use vato_tools::tournament::{Ending, EngineFigures, Match, MatchEvent, MatchState};

use super::summary::Summary;
use super::text::{conditions, players};
use crate::cli::support::failure::{Context, Failure};

const POINTS: usize = 200;

/// What the page does not show of a result: how this machine is set up.
const NOT_SHOWN: [&str; 4] = ["settings", "load", "record", "pgn"];

/// The report of a match; `entries` are its games, in an order in which they can have been played.
pub fn report(
    summary: &Summary<'_>,
    state: &MatchState,
    entries: &[GameEntry],
) -> Result<Report, Failure> {
    let settings = summary.settings;
    let engines = summary.standings.engines.iter();
    let speeds = engines.map(EngineFigures::nodes_per_second);
    let mut contest = serde_json::to_value(summary)?;
    if let Value::Object(contest) = &mut contest {
        contest.retain(|key, _| !NOT_SHOWN.contains(&key.as_str()));
    }
    contest["event"] = json!(settings.event);
    contest["conditions"] = json!(conditions(summary));
    contest["speeds"] = speeds.collect();
    // As a list: an object would not keep their order.
    let openings = summary.standings.openings().into_iter();
    let openings = openings.map(|(name, tally)| (name, tally.games(), tally.games_of_white()));
    contest["openings"] = serde_json::to_value(openings.collect::<Vec<_>>())?;
    contest["progress"] = serde_json::to_value(state.progress(entries, POINTS)?)?;
    let mut games = entries
        .iter()
        .map(|entry| game(settings, entry).context(format_args!("game {}", entry.game)))
        .collect::<Result<Vec<_>, _>>()?;
    games.sort_by_key(|game| game.number);
    Ok(Report {
        title: players(&summary.standings.names(), settings.format()),
        games,
        contest: Some(contest),
        ..Report::default()
    })
}

/// A game, with what the engines thought of their moves.
fn game(settings: &MatchSettings, entry: &GameEntry) -> Result<ReportGame, String> {
    let mut record = game_record(settings, entry).map_err(|error| error.to_string())?;
    let game = record.replay().map_err(|fault| fault.to_string())?;
    // These are the columns of the page.
    for mv in record.moves_mut() {
        mv.set_comment("");
    }
    if entry.termination == Termination::Normal {
        record.set_final_comment("");
    }
    let mut page = ReportGame::new(u64::from(entry.game), &record, &game);
    page.add_thoughts(&entry.moves, game.start().side());
    page.termination = serde_json::to_value(entry.termination)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned));
    page.fault = entry.termination.is_fault();
    Ok(page)
}

/// Writes a file as a whole, in place of one that is there.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    vato_solver::files::replace(path, |file| file.write_all(text.as_bytes()))
        .map_err(Failure::cannot_write(path))
}

/// The page is written, and loaded again by browsers, no more often.
pub const PAGE_EVERY: Duration = Duration::from_secs(5);

pub const GAMES_EVERY: Duration = Duration::from_secs(1);

/// Writing takes at most one part in so many of the time.
const SHARE: u32 = 100;

/// A file that is replaced while a match runs.
pub struct LiveFile {
    path: PathBuf,
    /// The empty file, until it is written.
    reserved: Option<AppendFile>,
    every: Duration,
    due: Instant,
    /// Whether the match has gone on since it was written.
    pub is_old: bool,
    has_failed: bool,
}

impl LiveFile {
    /// A new file.
    pub fn create(path: &Path, every: Duration) -> Result<LiveFile, Failure> {
        Ok(LiveFile {
            path: path.to_owned(),
            reserved: Some(AppendFile::create(path)?),
            every,
            due: Instant::now(),
            is_old: true,
            has_failed: false,
        })
    }

    /// Writes the file, if it is old and it is time. What fails is told once, and does not end the match.
    pub fn write(&mut self, content: impl FnOnce(Duration) -> Result<String, Failure>) {
        let begun = Instant::now();
        if !self.is_old || begun < self.due {
            return;
        }
        let written = content(self.every).and_then(|text| {
            // It stays until the written one takes its place.
            drop(self.reserved.take().map(AppendFile::kept));
            replace(&self.path, &text)
        });
        self.is_old = written.is_err();
        if let (Err(Failure::Error(error)), false) = (written, self.has_failed) {
            log::warn!("{error}; the match goes on");
            self.has_failed = true;
        }
        let pause = self.every.max(SHARE * begun.elapsed());
        self.due = Instant::now() + pause;
    }
}

/// The page of a match as far as its record goes, which browsers load again after `every`.
pub fn running_page(record: &Path, every: Duration) -> Result<String, Failure> {
    let reading = read_record(record)?;
    let mut state = MatchState::new(reading.header.settings)?;
    let mut entries = reading.entries.iter();
    entries.try_for_each(|entry| state.add(entry))?;
    let summary = Summary::new(&state, Ending::Stopped, None, None);
    let mut report = report(&summary, &state, &reading.entries)?;
    report.live = Some(every.as_secs());
    if let Some(contest) = &mut report.contest {
        contest["ending"] = json!("running");
    }
    Ok(report.html()?)
}

/// All games of a match that runs, as PGN: by their numbers, unfinished ones with the moves so far.
pub struct LiveGames {
    file: LiveFile,
    settings: MatchSettings,
    /// Each with whether it is over.
    texts: BTreeMap<u32, (String, bool)>,
    /// Those that have gone on since the file was written.
    moved: BTreeMap<u32, GameEntry>,
}

impl LiveGames {
    /// The games of a match with this record.
    pub fn new(file: LiveFile, contest: &mut Match, record: &Path) -> Result<LiveGames, Failure> {
        contest.tell_moves();
        let played = read_record(record)?.entries.into_iter();
        Ok(LiveGames {
            file,
            settings: contest.state.settings.clone(),
            texts: BTreeMap::new(),
            moved: played.map(|entry| (entry.game, entry)).collect(),
        })
    }

    pub fn show(&mut self, event: &MatchEvent) {
        if let MatchEvent::Moved(entry) | MatchEvent::Game(entry) = event {
            self.moved.insert(entry.game, (**entry).clone());
            self.file.is_old = true;
        }
        self.file.write(|_| {
            while let Some((game, entry)) = self.moved.pop_first() {
                let text = game_text(&self.settings, &entry)?;
                self.texts.insert(game, (text, is_over(&entry)));
            }
            Ok(self.texts.values().map(|(text, _)| &**text).collect())
        });
    }

    /// Writes the games that are on record: the end of a match drops those that run.
    pub fn finish(&mut self) {
        self.moved.retain(|_, entry| is_over(entry));
        self.texts.retain(|_, (_, is_over)| *is_over);
        self.file.is_old = true;
        self.file.due = Instant::now();
        self.show(&MatchEvent::Tick);
    }
}

fn is_over(entry: &GameEntry) -> bool {
    entry.result != RecordResult::Unfinished.name()
}

/// A game as in the record, with the mover's clock after each move.
fn game_text(settings: &MatchSettings, entry: &GameEntry) -> Result<String, Failure> {
    let mut record = game_record(settings, entry)?;
    if !is_over(entry) {
        let set = record.set_tag("Termination", "unterminated");
        set.map_err(Failure::Error)?;
    }
    let mut clocks = [&entry.white, &entry.black].map(|name| {
        let mut engines = settings.engines.iter();
        let engine = engines.find(|engine| engine.name.as_ref() == Some(name))?;
        Some(PlayerClock::new(engine.tc, None, engine.margin()))
    });
    let (_, start) = record.start().context(entry.game)?;
    if start.side() == Side::Black {
        clocks.reverse();
    }
    for (ply, (mv, told)) in record.moves_mut().iter_mut().zip(&entry.moves).enumerate() {
        if let (Some(clock), Some(time)) = (&mut clocks[ply % 2], told.time_ms) {
            // What was too late is no move.
            let _ = clock.spend(Duration::try_from_secs_f64(time / 1e3).unwrap_or_default());
            if let Some(clock) = clock.clock() {
                let tenths = clock.remaining.as_millis() / 100;
                let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60);
                let (seconds, tenths) = (tenths / 10 % 60, tenths % 10);
                let comment = mv.comment.as_deref().unwrap_or_default();
                mv.set_comment(&format!(
                    "[%clk {hours}:{minutes:02}:{seconds:02}.{tenths}] {comment}"
                ));
            }
        }
    }
    Ok(record.to_string())
}

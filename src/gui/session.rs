//! What the page asks for: each route's answer, and the engine's reports.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::body::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::games::{self, ReadRequest, Tree};
use super::guard::lock;
use super::place::{Knowledge, Place};
use crate::board::{BoardSize, Side};
use crate::engine::{Settings, TablebaseSource};
use crate::eval::Evaluation;
use crate::notation::format_move;
use crate::notation::pgn::move_comment;
use crate::pages::{turn_word, turn_words};
use crate::play::{Mind, SearchEvent, SearchRequest, SearchThread};
use crate::review::{Mark, expected_score};
use crate::rules::{Game, Preset, Rules};
use crate::search::{Bound, Clock, Limits, Line, SearchResult, Strength};
use crate::tablebase::Tablebases;

/// The most lines of an analysis.
const MAX_LINES: usize = 8;

/// The most turns of a line that are sent.
const LINE_TURNS: usize = 10;

/// Time kept back from the clock of a game, for the way to the page and back.
const OVERHEAD: Duration = Duration::from_millis(50);

/// The time of a move in a game without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);

/// The most milliseconds on a clock: a day.
const MAX_MILLISECONDS: u64 = 24 * 3_600_000;

/// The most pages that listen to the engine.
const MAX_LISTENERS: usize = 8;

/// How many reports may wait for a page; one that lets more wait is cut off, and connects again.
const WAITING_REPORTS: usize = 1024;

/// With more stones than this no tables are looked for: nobody has any.
const MAX_TABLE_STONES: u32 = 12;

/// What the page shows first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Opening {
    /// The rules.
    pub rules: String,
    /// The FEN of the start position; empty for the start of the rules.
    pub start: String,
    /// A PGN file, which has its own rules.
    pub pgn: Option<String>,
    /// The number of the game in it, from 1.
    pub number: u64,
}

/// The tablebases of the rules that were asked for last; none if these have none.
type LoadedTables = Option<(Rules, Option<Arc<Tablebases>>)>;

/// The engine and what the page begins with.
pub(super) struct Session {
    opening: Opening,
    engine: Mutex<SearchThread>,
    reports: Arc<Reports>,
    settings: Settings,
    tables: Mutex<LoadedTables>,
    /// The seed of a weakened engine's mistakes.
    seed: u64,
}

/// The search that runs, and who is told of it.
struct Reports {
    /// Its number and the game that is searched.
    running: Mutex<Option<(u64, Game)>>,
    listeners: Mutex<Vec<Sender<Bytes>>>,
    evaluation: Evaluation,
}

/// Why a request is not answered; the message.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The request is wrong.
    Wrong(String),
    /// There is no such route.
    Unknown,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Wrong(message)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionRequest {
    place: Place,
    /// A turn of which a part has been played.
    turn: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseRequest {
    /// A number of the page's choice, which the reports have.
    search: u64,
    place: Place,
    lines: usize,
    /// Milliseconds; without them the search goes on until it is stopped.
    time: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    search: u64,
    place: Place,
    level: u32,
    clock: Option<PlayClock>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayClock {
    remaining: u64,
    increment: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A report to the page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum ToPage {
    Line {
        search: u64,
        rank: usize,
        depth: u32,
        nodes: u64,
        /// Nodes a second.
        speed: u64,
        /// From White's view: `+0.31`, `+M5`, `-TB`.
        score: String,
        /// The score that White can expect, in percent.
        chance: f64,
        turns: String,
    },
    Done {
        search: u64,
        /// The best turn, if there is a legal one.
        turn: Option<String>,
        /// What is noted on it in a game record.
        comment: String,
    },
    Failed {
        search: u64,
        error: String,
    },
}

impl Session {
    /// A session whose engine has these settings.
    ///
    /// # Errors
    ///
    /// If the thread of the engine cannot be started.
    pub fn new(settings: Settings, opening: Opening) -> io::Result<Session> {
        let reports = Arc::new(Reports {
            running: Mutex::default(),
            listeners: Mutex::default(),
            evaluation: settings.evaluation.clone(),
        });
        let told = Arc::clone(&reports);
        let engine = SearchThread::spawn(settings.clone(), move |id, event| told.tell(id, event))?;
        Ok(Session {
            opening,
            engine: Mutex::new(engine),
            reports,
            settings,
            tables: Mutex::default(),
            seed: Strength::drawn_seed(),
        })
    }

    /// Answers a command of the page: JSON, or nothing where there is nothing to say.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with nothing changed.
    pub fn answer(&self, route: &str, body: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
        match route {
            "/start" => {
                let Nothing {} = request(body)?;
                let presets = Preset::ALL.into_iter().filter_map(|preset| {
                    let rules = preset.rules()?;
                    Some(json!({ "name": preset.name(), "rules": rules.to_string() }))
                });
                json(&json!({
                    "opening": self.opening,
                    "presets": presets.collect::<Vec<_>>(),
                    "boards": BoardSize::ALL.map(|size| size.to_string()),
                    "levels": Strength::FULL_LEVEL,
                    "lines": MAX_LINES,
                    "marks": Mark::ALL.map(|mark| (mark.name(), mark.least_loss())),
                }))
            }
            "/position" => {
                let PositionRequest { place, turn } = request(body)?;
                let game = place.game()?;
                let tables = self.tables(&game);
                json(&Knowledge::of(&game, turn.as_deref(), tables.as_deref())?)
            }
            "/read" => json(&games::read(&request::<ReadRequest>(body)?)?),
            "/write" => json(&json!({ "pgn": request::<Tree>(body)?.pgn()? })),
            "/analyse" => {
                let asked: AnalyseRequest = request(body)?;
                if !(1..=MAX_LINES).contains(&asked.lines) {
                    let lines = asked.lines;
                    return Err(format!("lines: {lines}, expected 1 to {MAX_LINES}").into());
                }
                let limits = Limits {
                    multipv: asked.lines,
                    movetime: asked.time.map(milliseconds),
                    analyse: true,
                    ..Limits::default()
                };
                self.search(asked.search, asked.place.game()?, limits, Mind::Adviser)
            }
            "/play" => {
                let asked: PlayRequest = request(body)?;
                if asked.level > Strength::FULL_LEVEL {
                    let (level, most) = (asked.level, Strength::FULL_LEVEL);
                    return Err(format!("level: {level}, expected 0 to {most}").into());
                }
                let game = asked.place.game()?;
                let clock = asked.clock.map(|clock| Clock {
                    remaining: milliseconds(clock.remaining),
                    increment: milliseconds(clock.increment),
                    moves_to_go: None,
                });
                let limits = Limits {
                    movetime: clock.is_none().then_some(MOVE_TIME),
                    clock,
                    move_overhead: OVERHEAD,
                    strength: Strength::from_level(asked.level).with_seed(self.seed),
                    ..Limits::default()
                };
                self.search(asked.search, game, limits, Mind::Player)
            }
            "/stop" => {
                let Nothing {} = request(body)?;
                self.stop();
                Ok(None)
            }
            _ => Err(Refusal::Unknown),
        }
    }

    /// Starts a search instead of the running one; of a finished game it reports no turn.
    fn search(
        &self,
        id: u64,
        game: Game,
        limits: Limits,
        mind: Mind,
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let mut engine = lock(&self.engine);
        *lock(&self.reports.running) = Some((id, game.clone()));
        engine.search(SearchRequest {
            id,
            game,
            limits,
            mind,
        });
        Ok(None)
    }

    fn stop(&self) {
        let mut engine = lock(&self.engine);
        *lock(&self.reports.running) = None;
        engine.stop();
    }

    /// The tablebases for the position of a game, if there are any.
    fn tables(&self, game: &Game) -> Option<Arc<Tablebases>> {
        let TablebaseSource::Load { folders, cache_mib } = &self.settings.tablebases else {
            return None;
        };
        if game.position().occupied().count() > MAX_TABLE_STONES {
            return None;
        }
        let rules = *game.rules();
        let mut loaded = lock(&self.tables);
        if let Some((of, tables)) = &*loaded
            && *of == rules
        {
            return tables.clone();
        }
        let threads = self.settings.threads;
        let found = Tablebases::for_play(&rules, folders, cache_mib << 20, threads);
        // The engine reports what is wrong with them.
        let tables = found.ok().map(|(tables, _)| Arc::new(tables));
        *loaded = Some((rules, tables.clone()));
        tables
    }

    /// A new listener to the engine; `None` if there are too many.
    pub fn listen(&self) -> Option<Receiver<Bytes>> {
        let mut listeners = lock(&self.reports.listeners);
        listeners.retain(|listener| !listener.is_closed());
        if listeners.len() >= MAX_LISTENERS {
            return None;
        }
        let (sender, receiver) = channel(WAITING_REPORTS);
        listeners.push(sender);
        Some(receiver)
    }

    /// Stops the engine if nobody listens any longer.
    pub fn left(&self) {
        let is_alone = {
            let mut listeners = lock(&self.reports.listeners);
            listeners.retain(|listener| !listener.is_closed());
            listeners.is_empty()
        };
        if is_alone {
            self.stop();
        }
    }
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.clamp(1, MAX_MILLISECONDS))
}

fn request<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::Wrong(error.to_string()))
}

fn json(value: &impl Serialize) -> Result<Option<Vec<u8>>, Refusal> {
    let written = serde_json::to_vec(value);
    written
        .map(Some)
        .map_err(|error| Refusal::Wrong(error.to_string()))
}

impl Reports {
    /// Tells the pages of a search; what belongs to an earlier one is dropped.
    fn tell(&self, id: u64, event: SearchEvent) {
        let running = lock(&self.running);
        let Some((_, game)) = running.as_ref().filter(|(running, _)| *running == id) else {
            return;
        };
        let report = match event {
            SearchEvent::Line(line) => {
                if line.bound != Bound::Exact {
                    return;
                }
                self.line(id, game, &line)
            }
            SearchEvent::Done(result) => done(id, game, &result),
            SearchEvent::Failed(error) => ToPage::Failed { search: id, error },
        };
        drop(running);
        let Ok(report) = serde_json::to_string(&report) else {
            return;
        };
        let report = Bytes::from(format!("data: {report}\n\n"));
        lock(&self.listeners).retain(|listener| listener.try_send(report.clone()).is_ok());
    }

    fn line(&self, search: u64, game: &Game, line: &Line) -> ToPage {
        let (rules, position) = (game.rules(), game.position());
        let score = match position.side() {
            Side::White => line.score,
            Side::Black => -line.score,
        };
        let model = self.evaluation.wdl_model(rules);
        let expected = expected_score(&model, score, position);
        let turns = &line.pv[..line.pv.len().min(LINE_TURNS)];
        ToPage::Line {
            search,
            rank: line.multipv,
            depth: line.depth,
            nodes: line.nodes,
            speed: line.nodes_per_second(),
            score: score.short_text(),
            chance: (1000.0 * expected).round() / 10.0,
            turns: turn_words(rules, position, turns).join(" "),
        }
    }
}

fn done(search: u64, game: &Game, result: &SearchResult) -> ToPage {
    let (rules, position) = (game.rules(), game.position());
    let turn = result.best.and_then(|mv| {
        let text = format_move(rules, position, mv)?;
        Some(turn_word(text, mv, rules.board))
    });
    let line = result.lines.first();
    ToPage::Done {
        search,
        turn,
        comment: move_comment(
            line.map(|line| line.score.into()),
            line.map(|line| line.depth),
            result.time.as_secs_f64(),
        ),
    }
}

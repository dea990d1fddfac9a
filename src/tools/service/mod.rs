//! What a page of the analysis board asks for, and the answers, as JSON.
//!
//! It knows neither connections nor threads: the server of `vato gui` and the worker of the web page are shells around it. The
//! answers depend on the request alone, so any number of pages may ask. Searches are the shell's: it is told what to search
//! ([`Reply::Search`]), and tells the page what [`Service::report`] makes of the engine's reports.

mod games;
mod lessons;
mod place;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use games::MAX_PGN_BYTES;
use games::{MAX_NODES, ReadRequest, Tree};
use lessons::{judge, puzzles};
use place::{Place, explored, knowledge};

use crate::games::Index;
use crate::pages::{turn_word, turn_words};
use crate::play::{PERFECT_LEVEL, Purpose, SearchEvent, SearchRequest, limits_at_level};
use crate::review::{Mark, NODES, expected_score};
use vato_engine::board::BoardSize;
use vato_engine::engine::Settings;
use vato_engine::eval::Evaluation;
use vato_engine::memory::{lock, processors};
use vato_engine::notation::format_move;
use vato_engine::rules::{Game, Preset, Rules};
use vato_engine::search::{
    Bound, Clock, Limits, Line, MAX_HASH_MIB, MAX_THREADS, SearchResult, Strength,
};
use vato_engine::tablebase::Tablebases;
use vato_engine::text::counted;
use vato_records::pgn::{MAX_NESTING, move_comment, push_text, require_text};

const MAX_LINES: usize = 8;

/// The most turns of a line that are sent.
const LINE_TURNS: usize = 10;

/// Time kept back from the clock of a game, for the way to the page and back.
const OVERHEAD: Duration = Duration::from_millis(50);

/// The time of a move in a game without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1500);

/// The most milliseconds on a clock: a day.
const MAX_MILLISECONDS: u64 = 24 * 3_600_000;

/// With more stones than this no tables are looked for: nobody has any.
const MAX_TABLE_STONES: u32 = 12;

/// What the page shows first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Opening {
    /// The rules.
    pub rules: String,
    /// The FEN of the start position; empty for the start of the rules.
    pub start: String,
    /// A PGN file, which has its own rules; or positions, one in a line.
    pub pgn: Option<String>,
    /// The bytes of a file that the page reads, as characters of the same numbers: one that is packed, or in UTF-16.
    pub file: Option<String>,
    /// The number of the game in it, from 1.
    pub number: u64,
}

impl Opening {
    /// The games or positions of a file, one of them first.
    ///
    /// # Errors
    ///
    /// If it is too large or no text, or there is no game that can be read: what is wrong, and where.
    pub fn of_games(file: &[u8], number: u64) -> Result<Opening, String> {
        // A pipe did not tell its length before.
        if file.len() > MAX_PGN_BYTES {
            return Err(format!("more than {MAX_PGN_BYTES} bytes"));
        }
        let mut opening = Opening {
            number,
            ..Opening::default()
        };
        match text_of(file) {
            Ok(pgn) => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let request = ReadRequest { pgn, number };
                // Positions begin with ranks, maybe behind `position fen`: what is wrong with them the page says.
                let mut first = request.pgn.split_whitespace().take(3);
                let is_ranks = |word: &str| {
                    word.contains('/') && word.chars().all(|sign| "wbWB/123456789".contains(sign))
                };
                if first.any(is_ranks) {
                    let lines = request.pgn.lines().map(str::trim);
                    let is_position =
                        |line: &&str| !line.is_empty() && !line.starts_with([';', '#']);
                    let positions = lines.filter(is_position).count();
                    if number > positions.max(1) {
                        let count = counted(positions as u64, "position", "positions");
                        return Err(format!("{count}, so there is no position {number}"));
                    }
                } else {
                    games::read(&request)?;
                }
                opening.pgn = Some(request.pgn);
            }
            Err(error)
                if error.contains("by gzip")
                    // Text does not begin with a control character.
                    || error.contains("in UTF-16") && !matches!(file, [0, 0..32, ..]) =>
            {
                opening.file = Some(file.iter().map(|&byte| char::from(byte)).collect());
            }
            Err(error) => return Err(error),
        }
        Ok(opening)
    }
}

/// What answers the pages.
pub struct Service {
    opening: Opening,
    evaluation: Evaluation,
    settings: Mutex<Settings>,
    /// The tablebases of the rules that were asked for last; none if these have none.
    tables: Mutex<Option<(Rules, Option<Arc<Tablebases>>)>>,
    /// Collections of games to explore.
    pub games: Vec<Index>,
    /// The address of a page that others reach, for links to games, instead of the page's own; empty: its own again; none:
    /// as the page has kept it.
    pub site: Option<String>,
    /// The seed of a weakened engine's mistakes.
    seed: u64,
}

/// The answer to a request.
pub enum Reply {
    /// It is known at once.
    Json(Vec<u8>),
    /// A search for a page, which has a number of its choice: it takes the place of the page's one before. Its reports are the
    /// answer.
    Search(u64, Box<SearchRequest>),
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
    /// The page, by a number of its choice: its search takes the place of the one before.
    page: u64,
    place: Place,
    lines: usize,
    /// Milliseconds; without them the search goes on until it is stopped.
    time: Option<u64>,
    /// Positions to search: always with the same result, in one thread and a table of its own.
    nodes: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    page: u64,
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

/// What is to change of what the engines of all pages use: threads, and MiB of the transposition table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResourceChange {
    threads: Option<usize>,
    hash: Option<usize>,
}

/// A page's memory is given back late.
const MOST_HASH_MIB: usize = if cfg!(target_arch = "wasm32") {
    64
} else {
    MAX_HASH_MIB
};

fn resources(settings: &Settings) -> Value {
    json!({ "threads": settings.search.threads, "hash": settings.search.hash_mib })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Service {
    /// A service whose engines have these settings. The pages show the opening first.
    pub fn new(settings: Settings, opening: Opening) -> Service {
        Service {
            opening,
            evaluation: settings.search.evaluation.clone(),
            settings: Mutex::new(settings),
            tables: Mutex::default(),
            games: Vec::new(),
            site: None,
            seed: Strength::drawn_seed(),
        }
    }

    /// The settings of the engines as they are now.
    pub fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Answers a request: a route, such as `/position`, and its JSON. `None` if there is no such route.
    ///
    /// # Errors
    ///
    /// What is wrong with the request.
    pub fn answer(&self, route: &str, body: &[u8]) -> Result<Option<Reply>, String> {
        let reply = match route {
            "/start" => {
                let Nothing {} = request(body)?;
                let presets = Preset::ALL.into_iter().filter_map(|preset| {
                    let rules = preset.rules()?;
                    Some(json!({ "name": preset.name(), "rules": rules.to_string() }))
                });
                json(&json!({
                    "opening": self.opening,
                    "games": self.games.iter().map(Index::games).sum::<usize>(),
                    "site": self.site,
                    "presets": presets.collect::<Vec<_>>(),
                    "boards": BoardSize::ALL.map(|size| size.to_string()),
                    // The Elo of each; none at full strength.
                    "levels": (0..=PERFECT_LEVEL)
                        .map(|level| Strength::from_level(level).elo())
                        .collect::<Vec<_>>(),
                    "first_level": Strength::FIRST_LEVEL,
                    "review_nodes": NODES,
                    "lines": MAX_LINES,
                    "largest": MAX_PGN_BYTES,
                    "moves": MAX_NODES,
                    "nesting": MAX_NESTING,
                    "engine": resources(&lock(&self.settings)),
                    "memory": MOST_HASH_MIB,
                    "processors": processors(),
                    "marks": Mark::ALL.map(|mark| (mark.name(), mark.least_loss())),
                }))
            }
            "/position" => {
                let PositionRequest { place, turn } = request(body)?;
                let game = place.game()?;
                let tables = self.tables(&game);
                json(&knowledge(&game, turn.as_deref(), tables.as_deref())?)
            }
            "/explore" => {
                let PositionRequest { place, .. } = request(body)?;
                json(&explored(&place.game()?, &self.games))
            }
            "/judge" => json(&judge(&request(body)?)?),
            "/puzzles" => {
                let Nothing {} = request(body)?;
                json(&puzzles()?)
            }
            "/text" => {
                // Bytes as characters of the same numbers.
                let characters: String = request(body)?;
                let bytes: Result<Vec<u8>, _> = characters.chars().map(u8::try_from).collect();
                json(&text_of(&bytes.map_err(|error| error.to_string())?)?)
            }
            "/read" => json(&games::read(&request::<ReadRequest>(body)?)?),
            "/write" => json(&json!({ "pgn": request::<Tree>(body)?.pgn()? })),
            "/write-all" => {
                let games: Vec<Tree> = request(body)?;
                json(&games.iter().map(Tree::pgn).collect::<Vec<_>>())
            }
            "/engine" => {
                let ResourceChange { threads, hash } = request(body)?;
                // A page's own engine has those that the page can lend.
                let most_threads = match cfg!(target_arch = "wasm32") {
                    true => processors(),
                    false => MAX_THREADS,
                };
                for (name, value, most) in [
                    ("threads", threads, most_threads),
                    ("hash", hash, MOST_HASH_MIB),
                ] {
                    if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                        return Err(format!("{name}: {value}, expected 1 to {most}"));
                    }
                }
                let mut settings = lock(&self.settings);
                let search = &mut settings.search;
                search.threads = threads.unwrap_or(search.threads);
                search.hash_mib = hash.unwrap_or(search.hash_mib);
                json(&resources(&settings))
            }
            "/analyse" => {
                let asked: AnalyseRequest = request(body)?;
                if !(1..=MAX_LINES).contains(&asked.lines) {
                    let lines = asked.lines;
                    return Err(format!("lines: {lines}, expected 1 to {MAX_LINES}"));
                }
                let limits = Limits {
                    multipv: asked.lines,
                    movetime: asked.time.map(milliseconds),
                    nodes: asked.nodes,
                    analyse: true,
                    ..Limits::default()
                };
                let purpose = match asked.nodes {
                    Some(_) => Purpose::Review,
                    None => Purpose::Judging,
                };
                search(asked.page, asked.place.game()?, limits, purpose)
            }
            "/play" => {
                let asked: PlayRequest = request(body)?;
                if asked.level > PERFECT_LEVEL {
                    let (level, most) = (asked.level, PERFECT_LEVEL);
                    return Err(format!("level: {level}, expected 0 to {most}"));
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
                    ..Limits::default()
                };
                let limits = limits_at_level(asked.level, self.seed, &game, limits);
                search(asked.page, game, limits, Purpose::Move)
            }
            _ => return Ok(None),
        };
        reply.map(Some)
    }

    /// A line of JSON on what a search of the game has reported; `None` for what pages are not told.
    pub fn report(&self, game: &Game, event: &SearchEvent) -> Option<String> {
        let report = match event {
            SearchEvent::Line(line) if line.bound != Bound::Exact => return None,
            SearchEvent::Line(line) => self.line(game, line),
            SearchEvent::Done(result) => done(game, result),
            SearchEvent::Failed(error) => json!({ "kind": "failed", "error": error }),
        };
        Some(format!("{report}\n"))
    }

    fn line(&self, game: &Game, line: &Line) -> Value {
        let (rules, position) = (game.rules(), game.position());
        let score = position.side().for_white(line.score);
        let model = self.evaluation.wdl_model(rules);
        let turns = &line.pv[..line.pv.len().min(LINE_TURNS)];
        json!({
            "kind": "line",
            "rank": line.multipv,
            "depth": line.depth,
            "nodes": line.nodes,
            // Nodes a second.
            "speed": line.nodes_per_second(),
            // From White's view: `+0.31`, `+M5`, `-TB`.
            "score": score.short_text(),
            // What White can expect, in percent.
            "chance": 100.0 * expected_score(&model, score, position),
            "turns": turn_words(rules, position, turns).join(" "),
        })
    }

    /// The tablebases for the position of a game, if there are any.
    fn tables(&self, game: &Game) -> Option<Arc<Tablebases>> {
        if game.position().occupied().count() > MAX_TABLE_STONES {
            return None;
        }
        let settings = lock(&self.settings).clone();
        let files = settings.tables.as_ref()?;
        let rules = *game.rules();
        let mut loaded = lock(&self.tables);
        if let Some((of, tables)) = &*loaded
            && *of == rules
        {
            return tables.clone();
        }
        let threads = settings.search.threads;
        let found = Tablebases::for_play(
            &rules,
            &files.folders,
            files.cache_mib << 20,
            threads,
            &|| true,
        );
        // The engine reports what is wrong with them.
        let tables = found.ok().map(|(tables, _)| Arc::new(tables));
        *loaded = Some((rules, tables.clone()));
        tables
    }
}

fn search(page: u64, game: Game, limits: Limits, purpose: Purpose) -> Result<Reply, String> {
    let request = SearchRequest {
        game,
        limits,
        purpose,
    };
    Ok(Reply::Search(page, Box::new(request)))
}

fn text_of(file: &[u8]) -> Result<String, String> {
    require_text(file).map_err(|error| error.to_string())?;
    let mut text = String::new();
    push_text(&mut text, file);
    Ok(text)
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.clamp(1, MAX_MILLISECONDS))
}

fn request<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

fn json(value: &impl Serialize) -> Result<Reply, String> {
    let written = serde_json::to_vec(value).map_err(|error| error.to_string());
    Ok(Reply::Json(written?))
}

/// The end of a search: the best turn, if there is a legal one, and what is noted on it in a game record.
fn done(game: &Game, result: &SearchResult) -> Value {
    let (rules, position) = (game.rules(), game.position());
    let turn = result.best.and_then(|mv| {
        let text = format_move(rules, position, mv)?;
        Some(turn_word(text, mv, rules.board))
    });
    let line = result.lines.first();
    let comment = move_comment(
        line.map(|line| line.score.into()),
        line.map(|line| line.depth),
        result.time.as_secs_f64(),
    );
    json!({ "kind": "done", "turn": turn, "comment": comment })
}

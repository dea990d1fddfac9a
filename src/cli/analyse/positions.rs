//! `vato analyse --fens`: the positions of a file, several at a time.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use ::csv::{ReaderBuilder, StringRecord};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use vato_engine::board::Position;
use vato_engine::engine::Engine;
use vato_engine::notation::{format_move, read_position};
use vato_engine::rules::{Game, Preset, Rules, legal_moves};
use vato_engine::search::{Control, Limits, Line, Report, SearchLimit, SearchSettings};
use vato_engine::{counted, plural};
use vato_records::pgn::require_text;
use vato_solver::conditions::other_conditions;
use vato_solver::files::AppendFile;
use vato_tools::openings::without_comment;

use super::view::{Analysed, DepthRecord, complete};
use crate::cli::pgn::GameRecords;
use crate::cli::support::arguments::{named_file, number, processors};
use crate::cli::support::failure::{Failure, stdout};
use crate::cli::support::in_order::{Batch, Missing, in_order, read_ahead};
use crate::cli::support::present::{self, Format, Rows, progress_counter};
use crate::cli::support::signals;
use crate::cli::tell;

/// The default limit per position: unlike time, it gives the same result every time.
const DEFAULT_NODES: SearchLimit = SearchLimit::Nodes(100_000);

/// The options for positions of a file, and for games.
#[derive(Args, Debug)]
pub(super) struct BatchArguments {
    /// Analyse the positions of a file, one FEN per line; - is standard input
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Positions of a file",
        conflicts_with_all = ["fen", "moves", "searchmoves", "ascii"],
    )]
    pub(super) fens: Option<PathBuf>,

    /// File for the results of --fens instead of standard output; the same command continues it
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Positions of a file",
        requires = "list",
        value_parser = named_file(),
    )]
    out: Option<PathBuf>,

    /// Games, or positions of --fens, analysed at the same time [default: processors / threads]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024), requires = "input")]
    concurrency: Option<u16>,
}

impl super::Arguments {
    pub(super) fn at_a_time(&self) -> usize {
        let threads = self.search.threads.max(1) as usize;
        let given = self.batch.concurrency.map(usize::from);
        given.unwrap_or(processors() / threads)
    }
}

/// A line of the input that is not empty: its number, from 1, its FEN and the position, or why there is none.
type Item = Result<(u64, String, Position), Missing>;

/// A position of a file of results: those of the input have to be the same.
#[derive(Deserialize)]
struct Known {
    line: u64,
    fen: String,
    #[serde(default)]
    settings: String,
    /// Where it ends, in bytes.
    #[serde(skip)]
    end: usize,
}

pub(super) fn run(arguments: &super::Arguments, path: &Path) -> Result<(), Failure> {
    let (rules, _) = arguments.position.read()?;
    let settings = arguments.settings(&rules)?;
    let limit = arguments.limit.given().unwrap_or(DEFAULT_NODES);
    let limits = Limits {
        multipv: usize::from(arguments.multipv),
        analyse: true,
        ..limit.into()
    };
    let limit_text = match limit {
        SearchLimit::Depth(depth) => format!("depth={depth}"),
        SearchLimit::Movetime(time) => format!("movetime={time}"),
        SearchLimit::Nodes(nodes) => format!("nodes={nodes}"),
    };
    let tables = settings.tablebases.as_ref().map(|tables| {
        let stones = tables.stones();
        format!("{stones}:{:.8}", tables.digest(stones))
    });
    let analysis = Analysis {
        rules,
        conditions: format!(
            "{limit_text} multipv={} rules={} evaluation={} threads={} hash={} tables={}",
            limits.multipv,
            Preset::name_of(&rules),
            settings.evaluation.name_for(&rules),
            settings.threads,
            settings.hash_mib,
            tables.unwrap_or("none".to_owned())
        ),
        settings,
        limits,
        format: Format::of(!arguments.csv, arguments.csv),
    };
    let stop = signals::watch("positions")?;
    let GameRecords { input, name } = GameRecords::open(path)?;
    let results = arguments.batch.out.as_deref();
    let results = results.map(|path| analysis.results(path)).transpose()?;
    let (mut file, known) = results.unzip();
    let known = known.unwrap_or_default();
    // What follows the last position is replaced by the first result, and stays if there is none.
    let mut end = Some(known.back().map_or(0, |last| last.end) as u64);
    let is_new = known.is_empty();
    let items = read(input, name.clone(), rules, known)?;
    let bar = progress_counter("positions");
    let (mut done, mut batch) = (0_u64, Batch::new(bar.clone(), &stop));
    let mut write = |text: &str| match &mut file {
        Some(file) => {
            end.take().map_or(Ok(()), |end| file.cut(end))?;
            Ok(file.append(text.as_bytes())?)
        }
        None => Ok(stdout().write_all(text.as_bytes())?),
    };
    let is_all = in_order(
        items,
        arguments.at_a_time(),
        &stop,
        &|item: Item, control| item.and_then(|item| analysis.done(item, control)),
        &mut |result| {
            if let Some(mut text) = batch.take(result) {
                if is_new && done == 0 {
                    text = Analysis::ROWS.headings(analysis.format) + &text;
                }
                done += 1;
                bar.inc(1);
                if let Err(failure) = bar.suspend(|| write(&text)) {
                    batch.fail(failure);
                }
            }
        },
    )?;
    bar.finish_and_clear();
    let positions = counted(done, "position", "positions");
    match (batch.failure, batch.invalid) {
        (Some(failure), _) => Err(failure),
        _ if batch.is_cut || !is_all => {
            let goes_on = match arguments.batch.out {
                Some(_) => "; to continue, run the same command again",
                None => "",
            };
            Err(Failure::Stopped(Some(format!(
                "stopped after {positions}{goes_on}"
            ))))
        }
        (None, wrong @ 1..) => {
            let verb = plural(wrong, "line is no position", "lines are no positions");
            Err(Failure::new(format_args!("{wrong} {verb}")))
        }
        (None, 0) => {
            if done == 0 && is_new {
                tell(format_args!("{name}: no positions"));
            }
            Ok(())
        }
    }
}

/// Reads the positions behind those that are `known`, ahead of the analysis.
fn read(
    mut input: Box<dyn BufRead + Send>,
    name: String,
    rules: Rules,
    mut known: VecDeque<Known>,
) -> Result<Receiver<Item>, Failure> {
    read_ahead(move |send| {
        let mut bytes = Vec::new();
        for line in 1.. {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    send(Err(Failure::cannot_read(name)(error).into()));
                    return;
                }
            }
            if line == 1
                && let Err(error) = require_text(&bytes)
            {
                send(Err(Failure::cannot_read(name)(error).into()));
                return;
            }
            let text = String::from_utf8_lossy(&bytes);
            let marked = text.strip_prefix('\u{feff}').filter(|_| line == 1);
            let fen = without_comment(marked.unwrap_or(&text));
            let is_done = |known: &Known| known.line == line && known.fen == fen;
            let item = match read_position(fen, rules.board) {
                _ if fen.is_empty() => continue,
                _ if known.front().is_some_and(is_done) => {
                    known.pop_front();
                    continue;
                }
                Err(error) => Err(Missing::Invalid(format!("{name}:{line}: {error}"))),
                // Another position than in the results, or none of them.
                Ok(_) if !known.is_empty() => break,
                Ok(position) => Ok((line, fen.to_owned(), position)),
            };
            if !send(item) {
                return;
            }
        }
        if let Some(Known { line, fen, .. }) = known.front() {
            let what =
                format!("{name}: line {line} is not '{fen}', the next position of the results");
            send(Err(Failure::Error(what).into()));
        }
    })
}

#[derive(Serialize)]
struct PositionRecord<'a> {
    line: u64,
    fen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    best: Option<String>,
    #[serde(flatten)]
    depth: DepthRecord,
    settings: &'a str,
}

struct Analysis {
    rules: Rules,
    /// Results of other settings are not to be mixed with these.
    conditions: String,
    settings: SearchSettings,
    limits: Limits,
    format: Format,
}

impl Analysis {
    const ROWS: Rows<'static> = Rows {
        items: "lines",
        columns: "line fen outcome best depth seldepth nodes time_ms nps hashfull multipv \
             centi_stones=score.centi_stones plies_to_end=score.plies_to_end conversion pv settings \
             proven_white_wins=proven.white_wins proven_black_wins=proven.black_wins proven_reply=proven.reply",
    };

    /// The file of results, and the positions that it has if it is there already.
    fn results(&self, path: &Path) -> Result<(AppendFile, VecDeque<Known>), Failure> {
        let mut file = AppendFile::open(path, true)?;
        let mut bytes = Vec::new();
        let read = file.read_from(0)?.read_to_end(&mut bytes);
        read.map_err(Failure::cannot_read(path.display()))?;
        let shown = path.display();
        let headings = Analysis::ROWS.headings(self.format);
        let Some(mut known) = known(&headings, &bytes) else {
            return Err(Failure::new(format_args!(
                "{shown} exists, but has no results of --fens in this format to continue"
            )));
        };
        let here = &self.conditions;
        if let Some(Known { settings, .. }) = known.iter().find(|known| known.settings != *here) {
            let named = |text| -> BTreeMap<&str, &str> {
                let words = str::split_whitespace(text);
                words.filter_map(|word| word.split_once('=')).collect()
            };
            let differences = other_conditions(&named(settings), &named(here));
            let differences = differences.unwrap_or_default();
            return Err(Failure::new(format_args!(
                "{shown} was begun with other settings: {differences}; remove it, or choose another name"
            )));
        }
        // Of several rows of a position some may be missing.
        if self.format == Format::Csv && self.limits.multipv > 1 {
            known.pop_back();
        }
        Ok((file, known))
    }

    fn done(
        &self,
        (line, fen, position): (u64, String, Position),
        control: &Control,
    ) -> Result<String, Missing> {
        let game = Game::from_position(self.rules, position);
        let mut record = PositionRecord {
            line,
            fen: &fen,
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            best: None,
            depth: DepthRecord::default(),
            settings: &self.conditions,
        };
        if record.outcome.is_none() {
            // A new engine for each position: a used hash table would make results depend on the order.
            let mut engine = Engine::new(self.settings.clone().into());
            engine.prepare()?;
            let legal = legal_moves(&self.rules, &position).len();
            let mut lines = vec![None; self.limits.multipv.min(legal)];
            let mut deepest: Vec<Line> = Vec::new();
            let result = engine.search(&game, &self.limits, control, &mut |report| {
                // At its end the search reports the lines again, with all its nodes.
                if let Report::Line(line) = report
                    && deepest.iter().all(|kept| kept.depth < line.depth)
                {
                    deepest = complete(&mut lines, line).unwrap_or(std::mem::take(&mut deepest));
                }
            })?;
            if control.is_stopped() {
                return Err(Missing::BrokenOff);
            }
            let analysed = Analysed {
                game: &game,
                settings: &self.settings,
            };
            let lines = [&deepest, &result.lines][usize::from(deepest.is_empty())];
            record.depth = DepthRecord::new(analysed, lines).unwrap_or_default();
            record.best = result
                .best
                .and_then(|best| format_move(&self.rules, &position, best));
        }
        Ok(match &record.outcome {
            // Where the game is over, a row has no figures.
            Some(outcome) if self.format == Format::Csv => {
                let over = json!({
                    "line": line, "fen": fen, "outcome": outcome, "lines": [{}], "settings": self.conditions,
                });
                present::record(self.format, &over, Analysis::ROWS)?
            }
            _ => present::record(self.format, &record, Analysis::ROWS)?,
        })
    }
}

/// The complete lines of results as CSV with these headings, or as JSON; `None` if there is another text. The first line
/// may be incomplete: then there is none.
fn known(headings: &str, bytes: &[u8]) -> Option<VecDeque<Known>> {
    let start = match headings {
        "" => r#"{"line":"#,
        headings => headings,
    };
    if !bytes.starts_with(&start.as_bytes()[..start.len().min(bytes.len())]) {
        return None;
    }
    let whole = bytes.iter().rposition(|&byte| byte == b'\n');
    let bytes = &bytes[..whole.map_or(0, |end| end + 1)];
    let mut known: VecDeque<Known> = VecDeque::new();
    if headings.is_empty() {
        let mut end = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            end += line.len();
            let next: Known = serde_json::from_slice(line).ok()?;
            known.push_back(Known { end, ..next });
        }
        return Some(known);
    }
    let mut reader = ReaderBuilder::new().from_reader(bytes);
    let headings = reader.headers().ok()?.clone();
    let mut row = StringRecord::new();
    while reader.read_record(&mut row).ok()? {
        let next: Known = row.deserialize(Some(&headings)).ok()?;
        let end = usize::try_from(reader.position().byte()).ok()?;
        match known.back_mut() {
            Some(last) if last.line == next.line => last.end = end,
            _ => known.push_back(Known { end, ..next }),
        }
    }
    Some(known)
}

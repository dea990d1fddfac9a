//! Games, trees and counts as text, PGN, CSV and JSON.

use std::collections::HashMap;
use std::io::{BufWriter, Write};

use serde_json::{Map, Value, json};
use vato_engine::board::Side;
use vato_engine::counted;
use vato_engine::engine::Engine;
use vato_engine::notation::{format_fen, format_move};
use vato_engine::rules::Game;
use vato_engine::search::{Bound, Control, Limits, Score, ScoreEntry, SearchSettings};
use vato_engine::tablebase::TableFolders;
use vato_tools::games::{Branch, Subject, compare};
use vato_tools::review::examine;

use crate::cli::support::arguments::tables_if_any;
use crate::cli::support::failure::{Failure, Stdout, print, stdout};
use crate::cli::support::present::{Format, csv, plain_table, score_text};

const TAGS: [&str; 5] = ["White", "Black", "Date", "Event", "Round"];

/// A game, without its place: records end with a blank line, lines with a line feed.
pub fn game_text(format: Format, subject: &Subject) -> String {
    let record = &subject.record;
    let (result, plies) = (record.result().name(), record.moves().len());
    match format {
        Format::Pgn => record.to_string(),
        Format::Text => {
            let plies = counted(plies, "ply", "plies");
            format!("{}, {result}, {plies}\n", record.players())
        }
        Format::Csv => {
            let tags = TAGS.map(|name| record.tag_value(name).unwrap_or_default().to_owned());
            let rest = [result.to_owned(), plies.to_string()];
            csv_line(tags.into_iter().chain(rest))
        }
        Format::Json => {
            let tags = record.tags().iter();
            let tags: Map<String, Value> = tags
                .map(|tag| (tag.name().to_owned(), tag.value().into()))
                .collect();
            let moves: Vec<&str> = record.moves().iter().map(|mv| mv.text()).collect();
            let object = json!({"tags": tags, "result": result, "plies": plies, "moves": moves});
            format!("{object}\n")
        }
    }
}

fn csv_line(cells: impl IntoIterator<Item = String>) -> String {
    // Writing to memory does not fail.
    csv([cells]).unwrap_or_default()
}

pub struct Output {
    out: BufWriter<Stdout>,
    format: Format,
}

impl Output {
    /// Games, perhaps with the ply where something was found.
    pub fn begin(format: Format, with_ply: bool) -> Result<Output, Failure> {
        let mut out = BufWriter::new(stdout());
        if format == Format::Csv {
            let place = ["File", "Game", "Ply"][..2 + usize::from(with_ply)].iter();
            let columns = place.chain(&TAGS).chain(&["Result", "Plies"]);
            out.write_all(csv_line(columns.map(ToString::to_string)).as_bytes())?;
        }
        Ok(Output { out, format })
    }

    /// Writes a game ([`game_text`]) with its place.
    pub fn game(
        &mut self,
        file: &str,
        number: u64,
        ply: Option<usize>,
        text: &str,
    ) -> Result<(), Failure> {
        let out = &mut self.out;
        match self.format {
            Format::Pgn => {}
            Format::Text => {
                let ply = ply.map_or(String::new(), |ply| format!("ply {ply}: "));
                write!(out, "{file}: game {number}: {ply}")?;
            }
            Format::Csv => {
                let ply = ply.map(|ply| ply.to_string());
                let cells = [file.to_owned(), number.to_string()].into_iter().chain(ply);
                write!(out, "{},", csv_line(cells).trim_end())?;
            }
            Format::Json => {
                let mut place = json!({"file": file, "game": number});
                if let Some(ply) = ply {
                    place["ply"] = ply.into();
                }
                let place = place.to_string();
                // The game is an object as well: the two become one.
                write!(out, "{},", &place[..place.len() - 1])?;
                return Ok(out.write_all(&text.as_bytes()[1..])?);
            }
        }
        Ok(out.write_all(text.as_bytes())?)
    }

    pub fn end(mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

fn rows<'a>(
    format: Format,
    columns: impl IntoIterator<Item = &'a str>,
    rows: &[Vec<String>],
    numbers_from: usize,
) -> Result<(), Failure> {
    let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
    // No number of JSON is `null`: nothing, and the performance with all or no points.
    let value = |(at, cell): (usize, &String)| match at < numbers_from {
        true => cell.as_str().into(),
        false => cell.parse().unwrap_or_default(),
    };
    let object = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(value);
        let object = columns.iter().cloned().zip(cells).collect();
        format!("{}\n", Value::Object(object))
    };
    let headings = columns.iter().map(String::as_str);
    print(match format {
        Format::Text | Format::Pgn => {
            plain_table(headings, rows.iter().cloned(), numbers_from.., 2)
        }
        Format::Csv => csv([&columns].into_iter().chain(rows))?,
        Format::Json => rows.iter().map(object).collect(),
    })
}

/// The rows that a text has of each group; CSV and JSON have all.
const SHOWN: usize = 20;

/// Writes counts of White's wins, draws, Black's wins and unfinished games by group and name.
pub fn stats(format: Format, groups: [HashMap<String, [u64; 4]>; 6]) -> Result<(), Failure> {
    let mut all = Vec::new();
    let names = "games,rules,opening,first moves,plies,ending".split(',');
    for (group, counts) in names.zip(groups) {
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by(|(a, first), (b, second)| {
            let most = second.iter().sum::<u64>().cmp(&first.iter().sum());
            let by_name = compare(a, b).then(a.cmp(b));
            match group {
                "plies" => by_name,
                _ => most.then(by_name),
            }
        });
        let limit = match format {
            Format::Text => SHOWN,
            _ => usize::MAX,
        };
        let more = counts.len().saturating_sub(limit);
        for (name, [white, draws, black, unfinished]) in counts.into_iter().take(limit) {
            let finished = white + draws + black;
            let score =
                (finished > 0).then(|| (white as f64 + draws as f64 / 2.0) / finished as f64);
            let mut row = vec![group.to_owned(), name];
            row.extend(
                [finished + unfinished, white, draws, black, unfinished].map(|n| n.to_string()),
            );
            row.push(percent(score));
            all.push(row);
        }
        if more > 0 {
            let mut row = vec![group.to_owned(), format!("{more} more")];
            row.resize(8, String::new());
            all.push(row);
        }
    }
    let columns = "group name games white draws black unfinished score";
    rows(format, columns.split(' '), &all, 2)
}

fn percent(score: Option<f64>) -> String {
    score.map_or(String::new(), |score| format!("{:.1}", 100.0 * score))
}

/// A score as the last cells of a row: for people from White's view, else for the side that moved before it.
fn score_cells(format: Format, side: Side, score: Score, conversion: Option<u32>) -> Vec<String> {
    let plies_in_tables = conversion.map_or(String::new(), |plies| plies.to_string());
    match (format, ScoreEntry::from(-score)) {
        (Format::Text, _) => vec![score_text(score, side, Bound::Exact, conversion)],
        (_, ScoreEntry::CentiStones(score)) => {
            vec![score.to_string(), String::new(), plies_in_tables]
        }
        (_, ScoreEntry::PliesToEnd(plies)) => vec![String::new(), plies.to_string()],
    }
}

/// Writes a tree: the moves from a position that `games` have, with the scores of searches with so many nodes.
pub fn tree(
    format: Format,
    game: &Game,
    games: u64,
    branches: &[Branch],
    nodes: Option<u64>,
) -> Result<(), Failure> {
    let (rules, position) = (game.rules(), game.position());
    let settings = SearchSettings {
        tablebases: nodes.map_or(Ok(None), |_| tables_if_any(rules, &TableFolders::auto()))?,
        ..SearchSettings::default()
    };
    let mut engine = Engine::new(settings.clone().into());
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let columns = match format {
        Format::Text => "engine",
        _ => "centi_stones plies_to_end conversion",
    };
    let columns = "moves games wins draws losses score performance ".to_owned() + columns;
    let columns: Vec<&str> = columns.split(' ').collect();
    let mut all = Vec::new();
    // With the moves before it, and the position there.
    let mut open = Vec::new();
    open.extend((branches.iter().rev()).map(|first| (Vec::new(), *position, first)));
    while let Some((mut moves, before, branch)) = open.pop() {
        let text = format_move(rules, &before, branch.mv).unwrap_or_default();
        let indented = format!("{}{text}", "  ".repeat(moves.len()));
        moves.push(text);
        let mut row = vec![match format {
            Format::Text => indented,
            _ => moves.join(" "),
        }];
        row.push(branch.games.to_string());
        row.extend(branch.results.map(|count| count.to_string()));
        let performance = branch.performance.map(|elo| format!("{elo:.0}"));
        row.extend([percent(branch.score()), performance.unwrap_or_default()]);
        if nodes.is_some() {
            let game = Game::from_position(*rules, branch.position);
            let result = examine(&game, &mut engine, &limits, &Control::new(), &mut |_| {})?;
            // A game that is over has neither a move nor a score.
            if let Some((_, line)) = result.best.zip(result.lines.first()) {
                let conversion = settings.conversion(rules, &branch.position, line.score, &line.pv);
                let side = branch.position.side();
                row.extend(score_cells(format, side, line.score, conversion));
            }
        }
        row.resize(columns.len(), String::new());
        all.push(row);
        let next = branch.next.iter().rev();
        open.extend(next.map(|next| (moves.clone(), branch.position, next)));
    }
    if format == Format::Text {
        let fen = format_fen(position, rules.board);
        let games = counted(games, "game", "games");
        print(format_args!("{games} with {fen}\n"))?;
        if all.is_empty() {
            return Ok(());
        }
    }
    // Empty columns are left out of the text.
    let is_shown = |&at: &usize| {
        format != Format::Text || at < 6 || all.iter().any(|row: &Vec<String>| !row[at].is_empty())
    };
    let (kept, columns): (Vec<usize>, Vec<&str>) =
        (0..).zip(columns).filter(|(at, _)| is_shown(at)).unzip();
    let row = |row: &Vec<String>| kept.iter().map(|&at| row[at].clone()).collect();
    rows(format, columns, &all.iter().map(row).collect::<Vec<_>>(), 1)
}

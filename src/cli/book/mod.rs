//! `vato book`: the engine's own opening book.

mod build;
mod probe;

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use comfy_table::Table;
use indicatif::HumanCount;
use serde::Serialize;
use vato_engine::board::{Position, Side};
use vato_engine::book::{Book, BookMove};
use vato_engine::notation::{format_fen, format_line, format_move};
use vato_engine::rules::{Preset, Rules};
use vato_engine::search::{Bound, Score};
use vato_engine::{counted, plural};

use super::support::failure::{Failure, print, stdout};
use super::support::present::{self, csv_of};
use super::support::text::score_text;

/// Build and read opening books, which the engine plays from without searching
///
/// A book holds positions near the start of a game, each searched for a long time, with the scores of its best
/// moves. The options OwnBook and Book File make the engine play from it. (For openings with which the games of
/// a match begin, see vato openings.)
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(Box<build::Arguments>),
    Info(InfoArguments),
    Export(ExportArguments),
    Probe(probe::Arguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Info(arguments) => info(arguments),
        Command::Export(arguments) => export(arguments),
        Command::Probe(arguments) => probe::run(arguments),
    }
}

/// What a book has of a move.
#[derive(Serialize)]
struct KnownMove {
    #[serde(rename = "move")]
    text: String,
    score: Score,
    weight: u32,
}

/// The same with what follows from it.
#[derive(Serialize)]
struct MoveRow {
    #[serde(flatten)]
    known: KnownMove,
    /// How often it is played, in parts of a hundred.
    chance: f64,
    /// What the book expects, from this move on.
    line: Vec<String>,
}

fn known_move(rules: &Rules, position: &Position, known: &BookMove) -> Option<KnownMove> {
    Some(KnownMove {
        text: format_move(rules, position, known.mv)?,
        score: known.score,
        weight: known.weight,
    })
}

/// The moves of a position, best first.
fn move_rows(book: &Book, position: &Position) -> Vec<MoveRow> {
    let known = book.moves(position);
    let sum: u32 = known.iter().map(|one| one.weight).sum();
    let row = |one: &BookMove| {
        let line = format_line(book.rules(), position, &book.line(position, one.mv));
        Some(MoveRow {
            known: known_move(book.rules(), position, one)?,
            chance: 100.0 * f64::from(one.weight) / f64::from(sum.max(1)),
            line,
        })
    };
    known.iter().filter_map(row).collect()
}

/// The table of the moves of a position where this side is to move.
fn table(moves: &[MoveRow], side: Side) -> Table {
    let rows = moves.iter().map(|row| {
        vec![
            row.known.text.clone(),
            score_text(row.known.score, Bound::Exact, side),
            row.known.weight.to_string(),
            format!("{:.0} %", row.chance),
            row.line[1..].join(" "),
        ]
    });
    let headings = ["move", "score", "weight", "chance", "expected"];
    present::table(headings, rows, 1..=3)
}

/// Show statistics of a book, and check all of it
///
/// Scores are from White's view, by all that the book knows. Chances are how often a move is played.
#[derive(Args, Debug)]
pub struct InfoArguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The table of first moves as CSV
    #[arg(long)]
    csv: bool,
}

fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let book = Book::read(&arguments.file)?;
    print(match arguments.csv {
        true => csv_of(&table_of_start(&book))?,
        false => format!("{}\n{}", arguments.file.display(), info_text(&book)),
    })
}

/// The line that a game by the book would follow, with the score of its first move.
fn main_line(book: &Book) -> String {
    let start = book.rules().start();
    let best = book.moves(&start).first().copied();
    best.map_or(String::new(), |best| {
        let line = format_line(book.rules(), &start, &book.line(&start, best.mv)).join(" ");
        let score = score_text(best.score, Bound::Exact, start.side());
        format!("main line    {score} {line}")
    })
}

fn info_text(book: &Book) -> String {
    let header = &book.header;
    let rules = book.rules();
    let name = Preset::name_of(rules);
    let hundredths = |number: i32| f64::from(number) / 100.0;
    let by_ply = book.positions_by_ply();
    let counts: Vec<String> = by_ply.iter().map(usize::to_string).collect();
    let positions: usize = by_ply.iter().sum();
    let moves = book.move_counts();
    format!(
        "rules        {name}\n\
         made by      {}, evaluation {}, {} a position for at most {}, hash {} MiB\n\
         lines        for {}, moves within {:.2}, replies within {:.2}\n\
         limits       {}, {} {}; {}\n\
         positions    {}, by ply {}\n\
         moves        {}, {} of them played\n{}\n{}\n",
        header.program,
        header.evaluation,
        header.limit,
        counted(header.moves, "move", "moves"),
        header.hash,
        match header.side.name() {
            "both" => "both sides",
            side => side,
        },
        hundredths(header.margin),
        hundredths(header.reply_margin),
        counted(header.plies, "ply", "plies"),
        HumanCount(header.positions as u64),
        plural(header.positions, "position", "positions"),
        match header.complete {
            true => "complete",
            false => "not complete, the same build goes on with it",
        },
        HumanCount(positions as u64),
        counts.join(" "),
        HumanCount(moves.known as u64),
        HumanCount(moves.played as u64),
        main_line(book),
        table_of_start(book),
    )
}

fn table_of_start(book: &Book) -> Table {
    let start = book.rules().start();
    table(&move_rows(book, &start), start.side())
}

/// Print all positions of a book, with their moves
///
/// One position per line, from the start on: its FEN, then after a `;` its moves, best first, each with its
/// score from White's view and its weight. A move is played in proportion to its weight; 0 is never. (In a book
/// for one side the moves of the other side are not played.) Of symmetric positions only one is printed.
///
/// With --fen each line is only a FEN, as tournament managers expect of openings. `ends` are the positions at
/// which games leave the book if both sides play moves with a weight: a match from them begins where the book
/// ends. `all` are the positions in the book, including those after replies that give something away.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato book export my.book
  vato book export my.book --json
  vato book export my.book --fen ends > openings.fen

vato match --openings reads all of these but JSON: it skips everything after a `;`. Other tournament \
managers may pass that on to engines, so use --fen for them.")]
pub struct ExportArguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One JSON object per line instead, with the moves that lead to the position
    #[arg(long)]
    json: bool,

    /// Bare FENs instead
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "json")]
    fen: Option<Fens>,
}

/// Which positions are printed as bare FENs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Fens {
    /// Those where games leave the book.
    Ends,
    /// Those of the book.
    All,
}

#[derive(Serialize)]
struct PositionRecord {
    fen: String,
    line: Vec<String>,
    moves: Vec<KnownMove>,
}

fn export(arguments: &ExportArguments) -> Result<(), Failure> {
    let book = Book::read(&arguments.file)?;
    let (rules, mut out) = (book.rules(), BufWriter::new(stdout()));
    if arguments.fen == Some(Fens::Ends) {
        for position in book.ends() {
            writeln!(out, "{}", format_fen(&position, rules.board))?;
        }
        return Ok(out.flush()?);
    }
    for known in book.walk() {
        let position = &known.position;
        let moves = known.moves.iter();
        let moves = moves.filter_map(|known| known_move(rules, position, known));
        let record = PositionRecord {
            fen: format_fen(position, rules.board),
            line: format_line(rules, &rules.start(), &known.line),
            moves: moves.collect(),
        };
        let mut text = record.fen.clone();
        if arguments.json {
            text = serde_json::to_string(&record)?;
        } else if arguments.fen.is_none() {
            let moves = record.moves.iter().map(|mv| {
                let score = score_text(mv.score, Bound::Exact, position.side());
                format!("{} {score} {}", mv.text, mv.weight)
            });
            text += &format!(" ; {}", moves.collect::<Vec<_>>().join(", "));
        }
        writeln!(out, "{text}")?;
    }
    Ok(out.flush()?)
}

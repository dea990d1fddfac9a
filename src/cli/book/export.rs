//! `vato book export`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use vato_engine::book::{Book, BookPosition};
use vato_engine::notation::pgn::ScoreEntry;
use vato_engine::notation::{format_fen, format_move};
use vato_engine::rules::Rules;
use vato_engine::search::Bound;

use crate::cli::failure::{Failure, stdout};
use crate::cli::text::{line_text, score_text};

/// Print all positions of a book, with their moves
///
/// One position a line, from the start on: its FEN, then behind a `;` its moves, best first, each with its
/// score from White's view and its weight. A move is played as often as its weight says, compared with
/// those of the others; 0 is never. (In a book for one side those of the other one are not played.) Images
/// of a position under the symmetries of the board are not printed.
///
/// With --fen each line is a FEN and nothing else, as tournament managers take them for openings. `ends`
/// are the positions where games leave the book in which both sides play moves with a weight: a match from
/// them begins where the book has nothing more to say. `all` are those of the book itself, from the start
/// on, with what follows replies that give something away.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato book export my.book
  vato book export my.book --json
  vato book export my.book --fen ends > openings.fen

vato match --openings takes all of these but JSON: it skips what stands behind a `;`. Other tournament \
managers may pass it on to engines, so they want --fen.")]
pub struct Arguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One JSON object a line instead, with the moves that lead to the position
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

/// A position.
#[derive(Serialize)]
struct PositionRecord {
    fen: String,
    line: Vec<String>,
    moves: Vec<MoveRecord>,
}

/// A move of a position.
#[derive(Serialize)]
struct MoveRecord {
    #[serde(rename = "move")]
    text: String,
    score: ScoreEntry,
    weight: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = Book::read(&arguments.file)?;
    let mut out = BufWriter::new(stdout());
    if arguments.fen == Some(Fens::Ends) {
        for position in book.ends() {
            writeln!(out, "{}", format_fen(&position, book.rules().board))?;
        }
        return Ok(out.flush()?);
    }
    for known in book.walk() {
        if arguments.json {
            writeln!(
                out,
                "{}",
                serde_json::to_string(&record(book.rules(), &known))?
            )?;
        } else if arguments.fen.is_some() {
            writeln!(out, "{}", format_fen(&known.position, book.rules().board))?;
        } else {
            writeln!(out, "{}", text(book.rules(), &known))?;
        }
    }
    Ok(out.flush()?)
}

fn text(rules: &Rules, known: &BookPosition) -> String {
    let position = &known.position;
    let moves: Vec<String> = (known.moves.iter())
        .filter_map(|known| {
            let mv = format_move(rules, position, known.mv)?;
            let score = score_text(known.score, Bound::Exact, position.side());
            Some(format!("{mv} {score} {}", known.weight))
        })
        .collect();
    format!(
        "{} ; {}",
        format_fen(position, rules.board),
        moves.join(", ")
    )
}

fn record(rules: &Rules, known: &BookPosition) -> PositionRecord {
    let position = &known.position;
    let moves = (known.moves.iter()).filter_map(|known| {
        Some(MoveRecord {
            text: format_move(rules, position, known.mv)?,
            score: known.score.into(),
            weight: known.weight,
        })
    });
    PositionRecord {
        fen: format_fen(position, rules.board),
        line: line_text(rules, &rules.start(), &known.line),
        moves: moves.collect(),
    }
}

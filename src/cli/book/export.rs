//! `vato book export`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use vato::arbiter::record::ScoreEntry;
use vato::notation::{format_fen, format_move};
use vato::repertoire::{BookPosition, Repertoire};
use vato::rules::Rules;
use vato::search::Bound;

use crate::cli::analyse::line_text;
use crate::cli::failure::Failure;
use crate::cli::score::score_text;

/// Print all positions of a book, with their moves
///
/// One position a line, from the start on: its FEN, then behind a `;` its moves, best first, each with its
/// score for the side to move and its weight. A move is played as often as its weight says, compared with
/// those of the others; 0 is never. Images of a position under the symmetries of the board are not
/// printed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato book export my.book
  vato book export my.book --json

Tournament managers, vato match --openings FILE among them, take the text as a book of openings.")]
pub struct Arguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One JSON object a line instead, with the moves that lead to the position
    #[arg(long)]
    json: bool,
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

/// Prints them.
///
/// # Errors
///
/// If the book cannot be read or output fails.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = Repertoire::read(&arguments.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for known in book.walk() {
        if arguments.json {
            serde_json::to_writer(&mut out, &record(book.rules(), &known))?;
            writeln!(out)?;
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
            let score = score_text(known.score, Bound::Exact);
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

//! `vato book info`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use indicatif::HumanCount;
use vato_engine::board::{Move, Position};
use vato_engine::book::Book;
use vato_engine::rules::Preset;
use vato_engine::search::{Bound, Score};
use vato_engine::{counted, plural};

use crate::cli::csv::csv_of;
use crate::cli::failure::{Failure, stdout};
use crate::cli::text::{line_text, score_text};

/// Show statistics of a book, and check all of it
///
/// Scores are from White's view, by all that the book knows. Chances are how often a move is played.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The table of first moves as CSV
    #[arg(long)]
    csv: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = Book::read(&arguments.file)?;
    let mut out = stdout();
    if arguments.csv {
        out.write_all(csv_of(&table(&book, &book.rules().start()))?.as_bytes())?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{}", arguments.file.display())?;
    out.write_all(text(&book).as_bytes())?;
    Ok(out.flush()?)
}

/// The line that a game by the book would follow, with the score of its first move.
pub(super) fn main_line(book: &Book, score: Score, line: &[Move]) -> String {
    format!(
        "main line    {} {}",
        score_text(score, Bound::Exact, book.rules().start().side()),
        line_text(book.rules(), &book.rules().start(), line).join(" ")
    )
}

fn text(book: &Book) -> String {
    let header = book.header();
    let rules = book.rules();
    let name = Preset::name_of(rules);
    let hundredths = |number: i32| f64::from(number) / 100.0;
    let by_ply = book.positions_by_ply();
    let counts: Vec<String> = by_ply.iter().map(usize::to_string).collect();
    let positions: usize = by_ply.iter().sum();
    let start = rules.start();
    let moves = book.move_counts();
    let known = book.moves(&start);
    let mut text = format!(
        "rules        {name}\n\
         made by      {}, evaluation {}, {} a position for at most {}, hash {} MiB\n\
         lines        for {}, moves within {:.2}, replies within {:.2}\n\
         limits       {}, {} {}; {}\n\
         positions    {}, by ply {}\n\
         moves        {}, {} of them played\n",
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
    );
    if let Some(best) = known.first() {
        let line = book.line(&start, best.mv);
        text.push_str(&main_line(book, best.score, &line));
    }
    format!("{text}\n{}\n", table(book, &start))
}

/// The moves of a position, with what the book expects after them.
pub(super) fn table(book: &Book, position: &Position) -> Table {
    let known = book.moves(position);
    let mut table = Table::new();
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(["move", "score", "weight", "chance", "expected"]);
    for one in &known {
        let line = line_text(book.rules(), position, &book.line(position, one.mv));
        let (mv, replies) = line.split_at(line.len().min(1));
        table.add_row([
            mv.join(" "),
            score_text(one.score, Bound::Exact, position.side()),
            one.weight.to_string(),
            format!("{:.0} %", super::share(one, &known)),
            replies.join(" "),
        ]);
    }
    for column in 1..=3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

//! `vato tablebase probe`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use vato_engine::board::Position;
use vato_engine::notation::{format_fen, format_move};
use vato_engine::rules::{Game, Outcome, Rules};
use vato_engine::tablebase::{RankedMove, TableFolders, Tablebases, Value, Wdl};

use crate::cli::arguments::PositionArguments;
use crate::cli::csv;
use crate::cli::failure::{Failure, stdout};
use crate::cli::text::write_position;

/// The line of perfect play ends after so many plies.
const MOST_LINE: usize = 1_000;

/// Look a position up
///
/// Shows the position, the outcome for the side to move, the plies to the next conversion (a capture or the end of
/// the game), what each legal move achieves, the best first, and the line of perfect play: to the end of a
/// decided game, or to the next capture of a drawn one. Behind each of its moves are the plies to the
/// conversion from the position before it.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase probe --fen \"9/9/3b5/9/w7w w 0 2\"
  vato tablebase probe --dir tablebases --fen \"9/2b6/3b5/9/w3w3w b 0 2\" --json")]
pub struct Arguments {
    /// Folder of tables, may be given several times; auto: where `vato tablebase build` writes; none: the
    /// built-in tables alone (6 stones under the standard rules, else 4)
    #[arg(long, value_name = "DIR", default_value = TableFolders::AUTO)]
    dir: Vec<PathBuf>,

    #[command(flatten)]
    position: PositionArguments,

    /// All of it as one JSON object
    #[arg(long)]
    json: bool,

    /// The moves as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Draw the diagram in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

/// The answer.
#[derive(Serialize)]
struct Answer {
    fen: String,
    outcome: Wdl,
    plies: u32,
    /// Whether the no-capture limit comes first.
    late: bool,
    moves: Vec<MoveAnswer>,
    /// Perfect play of both sides, each move with the answer for the position before it.
    line: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    text: String,
    outcome: Wdl,
    plies: u32,
    late: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, position) = arguments.position.read()?;
    let cache = Tablebases::DEFAULT_CACHE_BYTES;
    let folders = TableFolders::of(arguments.dir.clone());
    let tables = match &folders {
        // These alone: what is in the program would hide what they lack.
        TableFolders::These(paths) if !paths.is_empty() => Tablebases::open(paths, &rules, cache)?,
        _ => match Tablebases::for_play(&rules, &folders, cache, 1)? {
            (tables, None) => tables,
            (_, Some(error)) => return Err(error.into()),
        },
    };
    let mut out = stdout();
    let game = Game::from_position(rules, position);
    let over = game.outcome();
    let is_data = arguments.json || arguments.csv;
    let answer = match &over {
        Some(outcome) if is_data => ended(outcome, &rules, &position),
        Some(outcome) => {
            write_position(&mut out, &game, arguments.ascii)?;
            writeln!(out, "the game is over: {}", in_words(outcome))?;
            return Ok(());
        }
        None => answer(&tables, &game)?,
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else if arguments.csv {
        let columns = "move outcome plies late";
        let rows = csv::rows(columns, &answer, "moves")?;
        write!(out, "{}{rows}", csv::headings(columns))?;
    } else {
        write_position(&mut out, &game, arguments.ascii)?;
        writeln!(out, "{}", line(answer.outcome, answer.plies, answer.late))?;
        for mv in &answer.moves {
            let line = line(mv.outcome, mv.plies, mv.late);
            writeln!(out, "  {:<16} {line}", mv.text)?;
        }
        let moves = answer.line.iter().map(|mv| match mv.outcome {
            Wdl::Draw => mv.text.clone(),
            _ => format!("{} {}", mv.text, mv.plies),
        });
        writeln!(out, "line: {}", moves.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

/// The answer where the game is over: no moves.
fn ended(outcome: &Outcome, rules: &Rules, position: &Position) -> Answer {
    Answer {
        fen: format_fen(position, rules.board),
        outcome: match outcome.winner {
            None => Wdl::Draw,
            Some(side) if side == position.side() => Wdl::Win,
            Some(_) => Wdl::Loss,
        },
        plies: 0,
        late: false,
        moves: Vec::new(),
        line: Vec::new(),
    }
}

fn answer(tables: &Tablebases, game: &Game) -> Result<Answer, Failure> {
    let (rules, position) = (game.rules(), game.position());
    let not_covered = || {
        let why = if rules.is_special_first_turn(position) {
            "first turns are played by other rules".to_owned()
        } else {
            let stones = position.occupied().count();
            let most = tables.stones_within(rules.limit);
            format!("it has {stones} stones, expected at most {most}")
        };
        Failure::new(format_args!("the position is not in the tables: {why}"))
    };
    let ranking = tables.rank(rules, position);
    if let Some(complaint) = tables.complaints().into_iter().next() {
        return Err(Failure::Error(complaint));
    }
    let ranking = ranking.ok_or_else(not_covered)?;
    let told = |position: &Position, ranked: &RankedMove| MoveAnswer {
        text: format_move(rules, position, ranked.mv).unwrap_or_default(),
        outcome: ranked.value.wdl,
        plies: ranked.value.plies,
        late: ranked.is_late,
    };
    let moves = ranking.iter().map(|ranked| told(position, ranked));
    let (mut after, mut line) = (*position, Vec::new());
    for mv in tables.line(game, MOST_LINE) {
        let best = tables.rank(rules, &after);
        let best = best.as_deref().and_then(<[RankedMove]>::first);
        line.extend(best.map(|best| told(&after, best)));
        after = after.play(mv);
    }
    let moves = moves.collect();
    let Value { wdl, plies } = ranking[0].value;
    Ok(Answer {
        fen: format_fen(position, rules.board),
        outcome: wdl,
        plies,
        late: ranking[0].is_late,
        moves,
        line,
    })
}

fn line(outcome: Wdl, plies: u32, late: bool) -> String {
    match (outcome, late) {
        (Wdl::Draw, _) => "draw".to_owned(),
        (wdl, false) => format!("{wdl}, conversion in {plies}"),
        (wdl, true) => format!("draw by the no-capture limit ({wdl}, conversion in {plies})"),
    }
}

fn in_words(outcome: &Outcome) -> String {
    match outcome.winner {
        Some(side) => format!("{side} has won"),
        None => "a draw".to_owned(),
    }
}

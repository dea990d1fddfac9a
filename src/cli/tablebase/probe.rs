//! `vato tablebase probe`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use vato::board::Position;
use vato::notation::format_move;
use vato::rules::{Game, Outcome, Rules};
use vato::tablebase::{RankedMove, TableFolders, Tablebases, Value, Wdl};

use crate::cli::arguments::PositionArguments;
use crate::cli::failure::Failure;

/// Look a position up
///
/// Shows the outcome for the side to move, the plies to the next conversion (a capture or the end of
/// the game), and what each legal move achieves, the best first.
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
}

/// The answer.
#[derive(Serialize)]
struct Answer {
    outcome: Wdl,
    plies: u32,
    /// Whether the no-capture limit comes first.
    late: bool,
    moves: Vec<MoveAnswer>,
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
    let mut out = io::stdout().lock();
    let over = Game::from_position(rules, position).outcome();
    let answer = match &over {
        Some(outcome) if arguments.json => ended(outcome, &position),
        Some(outcome) => {
            writeln!(out, "the game is over: {}", in_words(outcome))?;
            return Ok(());
        }
        None => answer(&tables, &rules, &position)?,
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        writeln!(out, "{}", line(answer.outcome, answer.plies, answer.late))?;
        for mv in &answer.moves {
            let line = line(mv.outcome, mv.plies, mv.late);
            writeln!(out, "  {:<16} {line}", mv.text)?;
        }
    }
    Ok(())
}

/// The answer where the game is over: no moves.
fn ended(outcome: &Outcome, position: &Position) -> Answer {
    Answer {
        outcome: match outcome.winner {
            None => Wdl::Draw,
            Some(side) if side == position.side() => Wdl::Win,
            Some(_) => Wdl::Loss,
        },
        plies: 0,
        late: false,
        moves: Vec::new(),
    }
}

fn answer(tables: &Tablebases, rules: &Rules, position: &Position) -> Result<Answer, Failure> {
    let not_covered = || {
        let why = if rules.is_special_first_turn(position) {
            "first turns are played by other rules".to_owned()
        } else {
            let (stones, most) = (position.occupied().count(), tables.stones());
            format!("it has {stones} stones, expected at most {most}")
        };
        Failure::new(format_args!("the position is not in the tables: {why}"))
    };
    let ranking = tables.rank(rules, position);
    if let Some(complaint) = tables.complaints().into_iter().next() {
        return Err(Failure::Error(complaint));
    }
    let ranking = ranking.ok_or_else(not_covered)?;
    let moves = ranking
        .iter()
        .map(|ranked: &RankedMove| MoveAnswer {
            text: format_move(rules, position, ranked.mv).unwrap_or_default(),
            outcome: ranked.value.wdl,
            plies: ranked.value.plies,
            late: ranked.is_late,
        })
        .collect();
    let Value { wdl, plies } = ranking[0].value;
    Ok(Answer {
        outcome: wdl,
        plies,
        late: ranking[0].is_late,
        moves,
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

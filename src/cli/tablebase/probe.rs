//! `vato tablebase probe`.

use std::fmt;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use vato_engine::board::{Position, Side};
use vato_engine::notation::{format_fen, format_move};
use vato_engine::rules::Game;
use vato_engine::tablebase::{RankedMove, TableFolders, Tablebases, Wdl};

use crate::cli::support::arguments::{PositionArguments, tables};
use crate::cli::support::failure::{Failure, print, stdout};
use crate::cli::support::present::{Format, FormatArguments, Rows, record, write_position};

/// The line of perfect play ends after so many plies.
const MOST_LINE: usize = 1_000;

/// Look up a position
///
/// Shows the position, the outcome for the side to move, the plies to the next conversion (a capture or the end of
/// the game), what each legal move achieves, the best first, and the line of perfect play: to the end of a
/// decided game, or to the next capture of a drawn one. After each of its moves are the plies to the
/// conversion from the position before it.
#[derive(Args, Debug)]
#[command(mut_arg("json", |json| json.help("All of it as one JSON object")))]
#[command(mut_arg("csv", |csv| csv.help("The moves as CSV")))]
#[command(after_help = "Examples:
  vato tablebase probe --fen \"9/9/3b5/9/w7w w 0 2\"
  vato tablebase probe --dir tablebases --fen \"9/2b6/3b5/9/w3w3w b 0 2\" --json")]
pub struct Arguments {
    /// Folder of tablebases; may be given several times; auto: where `vato tablebase build` writes; none: the
    /// built-in tablebases only (6 stones under the standard rules, else 4; fewer under a short limit)
    #[arg(long, value_name = "DIR", default_value = TableFolders::AUTO)]
    dir: Vec<PathBuf>,

    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    data: FormatArguments,

    /// Draw the diagram in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    #[serde(flatten)]
    value: PositionValue,
    moves: Vec<MoveValue>,
    /// Perfect play of both sides, each move with the value of the position before it.
    line: Vec<MoveValue>,
}

#[derive(Clone, Copy, Serialize)]
struct PositionValue {
    outcome: Wdl,
    plies: u32,
    /// Whether the no-capture limit comes first.
    late: bool,
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: PositionValue,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, position) = arguments.position.read()?;
    let folders = TableFolders::of(arguments.dir.clone());
    let tables = match folders.are_named() {
        // These alone: what is in the program would hide what they lack.
        true => {
            let paths = folders.paths(&rules);
            Tablebases::open(&paths, &rules, Tablebases::DEFAULT_CACHE_BYTES)?
        }
        false => tables(&rules, &folders)?,
    };
    let game = Game::from_position(rules, position);
    let ended = game.outcome();
    let answer = match &ended {
        Some(outcome) => Answer::of_ended(&game, outcome.winner),
        None => Answer::of(&tables, &game)?,
    };
    let format = arguments.data.format();
    if format != Format::Text {
        let (items, columns) = ("moves", "move outcome plies late");
        let rows = Rows { items, columns };
        return print(rows.headings(format) + &record(format, &answer, rows)?);
    }
    let mut out = BufWriter::new(stdout());
    write_position(&mut out, &game, arguments.ascii)?;
    if let Some(outcome) = &ended {
        let result = match outcome.winner {
            Some(side) => format!("{side} has won"),
            None => "a draw".to_owned(),
        };
        writeln!(out, "the game is over: {result}")?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{}", answer.value)?;
    for MoveValue { text, value } in &answer.moves {
        writeln!(out, "  {text:<16} {value}")?;
    }
    let moves = answer.line.iter().map(|mv| match mv.value.outcome {
        Wdl::Draw => mv.text.clone(),
        _ => format!("{} {}", mv.text, mv.value.plies),
    });
    let line = moves.collect::<Vec<_>>().join(", ");
    writeln!(out, "line: {line}")?;
    Ok(out.flush()?)
}

impl Answer {
    /// Where the game is over: no moves.
    fn of_ended(game: &Game, winner: Option<Side>) -> Answer {
        let position = game.position();
        let outcome = match winner {
            None => Wdl::Draw,
            Some(side) if side == position.side() => Wdl::Win,
            Some(_) => Wdl::Loss,
        };
        Answer {
            fen: format_fen(position, game.rules().board),
            value: PositionValue {
                outcome,
                plies: 0,
                late: false,
            },
            moves: Vec::new(),
            line: Vec::new(),
        }
    }

    fn of(tables: &Tablebases, game: &Game) -> Result<Answer, Failure> {
        let (rules, position) = (game.rules(), game.position());
        let ranking = tables.rank(rules, position);
        if let Some(complaint) = tables.complaints().into_iter().next() {
            return Err(Failure::Error(complaint));
        }
        let not_covered = || {
            let why = if rules.is_special_first_turn(position) {
                "first turns are played by other rules".to_owned()
            } else {
                let stones = position.occupied().count();
                let most = tables.stones_within(rules.limit);
                let why = match most < tables.stones() {
                    true => format!(": limit={} is too short for more", rules.limit),
                    false => String::new(),
                };
                format!("it has {stones} stones, expected at most {most}{why}")
            };
            Failure::new(format_args!("the position is not in the tables: {why}"))
        };
        let ranking = ranking.ok_or_else(not_covered)?;
        let told = |position: &Position, ranked: &RankedMove| MoveValue {
            text: format_move(rules, position, ranked.mv).unwrap_or_default(),
            value: PositionValue {
                outcome: ranked.value.wdl,
                plies: ranked.value.plies,
                late: ranked.is_late,
            },
        };
        let (mut after, mut line) = (*position, Vec::new());
        for mv in tables.line(game, MOST_LINE) {
            let best = tables.rank(rules, &after);
            let best = best.as_deref().and_then(<[RankedMove]>::first);
            line.extend(best.map(|best| told(&after, best)));
            after = after.play(mv);
        }
        let moves: Vec<MoveValue> = ranking.iter().map(|best| told(position, best)).collect();
        Ok(Answer {
            fen: format_fen(position, rules.board),
            value: moves[0].value,
            moves,
            line,
        })
    }
}

impl fmt::Display for PositionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionValue { outcome, plies, .. } = self;
        match (outcome, self.late) {
            (Wdl::Draw, _) => f.write_str("draw"),
            (_, false) => write!(f, "{outcome}, conversion in {plies}"),
            (_, true) => write!(
                f,
                "draw by the no-capture limit ({outcome}, conversion in {plies})"
            ),
        }
    }
}

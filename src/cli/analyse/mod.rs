//! `vato analyse`: what the engine thinks of a position.

mod json;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use vato::board::{Move, Position};
use vato::notation::{diagram, format_fen, format_move, parse_turn};
use vato::rules::{Game, Rules};
use vato::search::{Control, Limits, Line, MAX_DEPTH, Report, SearchResult};
use vato::tablebase::{TablebaseError, Tablebases};

use self::json::JsonView;
use self::text::TextView;
use super::charset::charset;
use super::evaluation::EvaluationArguments;
use super::failure::Failure;
use super::position::PositionArguments;
use super::resources::ResourceArguments;

/// How long an analysis takes that sets no limit.
const DEFAULT_MOVETIME_MS: u64 = 5000;

/// Analyse a position
///
/// Prints a diagram, the best lines as the search goes deeper, and the best move. On a terminal the
/// lines are one block that is brought up to date; in a pipe each new line is added. Scores are in
/// stones, from the view of the side to move: +0.35 is about a third of a stone ahead, `win in 7` a
/// win in seven plies, `table win` one that the endgame tables know. Without a limit the analysis
/// takes five seconds (--movetime 5000).
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato analyse
  vato analyse --depth 14 --multipv 3
  vato analyse --moves \"f2-e3A d5-d4A\" --movetime 10000 --threads 2 --hash 256
  vato analyse --rules dimy --nodes 1000000 --json
  vato analyse --rules \"board=5x5 chain=full\" --fen \"5/2b2/1w3/4b/5 w 0 20\"

Moves are written as in the published analyses: origin, then for each step the point it leads to and \
A (approach) or W (withdrawal): d2-e3A-f4W. Hyphens may be missing, letters may be small: d2e3af4w.

With --json each line of the output is one object for one completed depth:
  depth, seldepth, nodes, time_ms, nps, hashfull (thousandths of the table)
  lines: the best first, each with its number `multipv`, its `score` and its moves `pv`;
  score: {\"centi_stones\": N}, or {\"plies_to_end\": N} when the game is decided, below 0 if lost")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    /// Moves to play first, separated by spaces
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    #[command(flatten)]
    limit: LimitArguments,

    /// Number of best moves to show
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    multipv: u16,

    #[command(flatten)]
    resources: ResourceArguments,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// A folder of tablebases; may be given several times
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,

    /// One JSON object for each completed depth, and nothing else
    #[arg(long)]
    json: bool,

    /// Draw the diagram in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

/// At most one of the limits.
#[derive(Args, Debug)]
#[group(multiple = false)]
struct LimitArguments {
    /// Search to this depth, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Search for this many milliseconds [default: 5000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl Arguments {
    fn limits(&self) -> Limits {
        let LimitArguments {
            depth,
            nodes,
            movetime,
        } = self.limit;
        let unlimited = depth.is_none() && nodes.is_none() && movetime.is_none();
        Limits {
            depth,
            nodes,
            movetime: movetime
                .or(unlimited.then_some(DEFAULT_MOVETIME_MS))
                .map(Duration::from_millis),
            multipv: usize::from(self.multipv),
            analyse: true,
            ..Limits::default()
        }
    }

    /// The built-in tables and those of the folders; none if there are none for these rules, and none
    /// are asked for.
    fn tables(&self, rules: &Rules) -> Result<Option<Arc<Tablebases>>, Failure> {
        let cache = Tablebases::DEFAULT_CACHE_BYTES;
        match Tablebases::for_play(rules, &self.tablebases, cache, 1) {
            Ok((tables, None)) => Ok(Some(Arc::new(tables))),
            Err(TablebaseError::Rules(_)) if self.tablebases.is_empty() => Ok(None),
            Ok((_, Some(error))) | Err(error) => Err(error.into()),
        }
    }

    fn game(&self) -> Result<Game, Failure> {
        let (rules, start) = self.position.read()?;
        let mut game = Game::from_position(rules, start);
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let (_, mv) =
                parse_turn(text, &rules, game.position()).map_err(|error| Failure::Move {
                    number: index + 1,
                    error,
                })?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// Shows the analysis as it grows.
trait View {
    /// A line of play that the search reports.
    fn line(&mut self, line: &Line) -> Result<(), Failure>;
    /// The end of the search.
    fn finish(&mut self, result: &SearchResult) -> Result<(), Failure>;
}

/// Analyses and prints.
///
/// # Errors
///
/// If the position or a move does not read, memory or threads cannot be had, or output fails.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game()?;
    let evaluation = arguments.evaluation.evaluation()?;
    if !arguments.json {
        write_position(&game, arguments.ascii)?;
    }
    if let Some(outcome) = game.outcome() {
        let sentence = format!("The game is over: {outcome}.");
        if arguments.json {
            // Standard output is for depths only, and there are none.
            let _ = writeln!(io::stderr(), "{sentence}");
        } else {
            writeln!(io::stdout(), "{sentence}")?;
        }
        return Ok(());
    }
    let mut view: Box<dyn View> = if arguments.json {
        Box::new(JsonView::new(&game, usize::from(arguments.multipv)))
    } else {
        Box::new(TextView::new(&game))
    };
    let mut searcher = arguments.resources.searcher()?;
    searcher.set_evaluation(evaluation);
    searcher.set_tablebases(arguments.tables(game.rules())?);
    let control = Control::new();
    let mut shown = Ok(());
    let result = searcher.search(&game, &arguments.limits(), &control, &mut |report| {
        if let Report::Line(line) = report
            && shown.is_ok()
        {
            shown = view.line(line);
            if shown.is_err() {
                control.stop();
            }
        }
    })?;
    shown?;
    view.finish(&result)
}

fn write_position(game: &Game, ascii: bool) -> Result<(), Failure> {
    let (rules, position) = (game.rules(), game.position());
    let mut out = io::stdout().lock();
    write!(out, "{}", diagram(position, rules.board, charset(ascii)))?;
    writeln!(out, "{} to move", position.side())?;
    writeln!(out, "{}", format_fen(position, rules.board))?;
    if *rules != Rules::STANDARD {
        writeln!(out, "rules: {rules}")?;
    }
    writeln!(out)?;
    Ok(())
}

/// The moves of a line as they are written, from `position` on.
fn line_text(rules: &Rules, position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    moves
        .iter()
        .map_while(|&mv| {
            let text = format_move(rules, &position, mv)?;
            position = position.play(mv);
            Some(text)
        })
        .collect()
}

//! `vato analyse`: what the engine thinks of a position, or of whole games.

#[cfg(feature = "tools")]
mod games;
mod help;
mod json;
mod limits;
mod text;

use std::io::{self, Write};
#[cfg(feature = "tools")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use vato::board::{Move, Position};
use vato::notation::{diagram, format_fen, format_move, parse_turn};
use vato::rules::{Game, Rules};
use vato::search::{Control, Line, Report, SearchResult};
use vato::tablebase::{TablebaseError, Tablebases};

#[cfg(feature = "tools")]
use self::games::{GameArguments, Session};
use self::json::JsonView;
use self::limits::{DefaultLimit, LimitArguments};
use self::text::TextView;
use super::arguments::EvaluationArguments;
use super::arguments::PositionArguments;
use super::failure::{Context, Failure};
use super::resources::ResourceArguments;
use super::text::charset;

/// How long an analysis of a position takes that sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

#[cfg(feature = "tools")]
/// How many nodes each position of a game takes where nothing limits it.
const DEFAULT_NODES: u64 = 100_000;

/// Analyse a position, or whole games
///
/// Prints a diagram, the best lines as the search goes deeper, and the best move. On a terminal the
/// lines are one block that is brought up to date; in a pipe each new line is added. Scores are in
/// stones, from the view of the side to move: +0.35 is about a third of a stone ahead, `win in 7` a
/// win in seven plies, `table win` one that the endgame tables know. Without a limit the analysis
/// takes five seconds (--movetime 5000).
///
/// With --pgn FILE it goes through the games of a file: a table for each game with the score after every
/// move (from the view of the side that played it), the best move where it was another, and ?! for an
/// inaccuracy, ? for a mistake, ?? for a blunder; then how accurately both have played, and at the end how
/// everybody has played in all games. --pgn-out FILE writes the games with these annotations. Without a
/// limit each position takes 100000 nodes; with a limit of nodes or depth, and one thread, the result is the
/// same every time.
#[derive(Args, Debug)]
#[command(after_help = help::AFTER)]
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

    /// One JSON object for each completed depth (with --pgn: for each game), and nothing else
    #[arg(long)]
    json: bool,

    /// Draw the diagram in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,

    #[cfg(feature = "tools")]
    #[command(flatten)]
    games: GameArguments,
}

impl Arguments {
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
            let (_, mv) = parse_turn(text, &rules, game.position())
                .context(format_args!("--moves, number {}", index + 1))?;
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
/// If the position, a move or a game does not read, memory or threads cannot be had, or output fails.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    #[cfg(feature = "tools")]
    if let Some(path) = &arguments.games.pgn {
        return analyse_games(arguments, path);
    }
    analyse_position(arguments)
}

#[cfg(feature = "tools")]
fn analyse_games(arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let limit = DefaultLimit::Nodes(DEFAULT_NODES);
    let session = Session::new(
        &arguments.resources,
        arguments.evaluation.evaluation()?,
        &arguments.tablebases,
        arguments.limit.limits(limit, 1),
        arguments.games.outputs(arguments.json),
    );
    games::run(&arguments.games, path, &session)
}

fn analyse_position(arguments: &Arguments) -> Result<(), Failure> {
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
    let multipv = usize::from(arguments.multipv);
    let mut view: Box<dyn View> = if arguments.json {
        Box::new(JsonView::new(&game, multipv))
    } else {
        Box::new(TextView::new(&game))
    };
    let mut searcher = arguments.resources.searcher()?;
    searcher.set_evaluation(evaluation);
    searcher.set_tablebases(arguments.tables(game.rules())?);
    let limits = arguments
        .limit
        .limits(DefaultLimit::Time(DEFAULT_TIME), multipv);
    let control = Control::new();
    let mut shown = Ok(());
    let result = searcher.search(&game, &limits, &control, &mut |report| {
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
pub(in crate::cli) fn line_text(rules: &Rules, position: &Position, moves: &[Move]) -> Vec<String> {
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

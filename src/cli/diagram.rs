//! `vato diagram`: pictures of positions.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use vato_engine::board::{Bitboard, Move, Position};
use vato_engine::notation::{parse_path, parse_turn};
use vato_engine::rules::Rules;
use vato_tools::picture::{DrawnTurn, Picture, Theme};

use super::pgn::read_game;
use super::support::arguments::{MovesArgument, PositionArguments, number, turns};
use super::support::failure::{Failure, stdout};

/// Draw a position, or one of a game, as SVG
///
/// Arrows follow the path of a turn and cross out the stones that it captures. For a game, the last turn is drawn
/// as well, with the stones it captured. A bare FILE is a file of games, as with --pgn.
#[derive(Args, Debug)]
#[command(override_usage = "vato diagram [OPTIONS] [FILE]")]
#[command(after_help = "Examples:
  vato diagram --out start.svg
  vato diagram --rules dimy --arrows \"b2-c3A c2-c3A\" --out dimy.svg
  vato diagram games.pgn#3 --ply 12 --theme dark --size 900 --out game.svg
  vato diagram --fen \"9/3b5/2w1b4/9/9 w 0 2\" --theme print --out ending.svg")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    moves: MovesArgument,

    /// A game: the first of this file; FILE#N: game N
    #[arg(long, value_name = "FILE", group = "record", conflicts_with_all = ["fen", "rules", "moves"])]
    pgn: Option<PathBuf>,

    /// Number of plies played before the position [default: all]
    #[arg(long, value_name = "N", requires = "record", value_parser = number::<usize>(..))]
    ply: Option<usize>,

    /// Turns of the side to move to draw as arrows, separated by spaces
    #[arg(long, value_name = "MOVES")]
    arrows: Option<String>,

    /// The turn that led to the position
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["pgn", "moves"])]
    last: Option<String>,

    /// Colours: light, dark or print
    #[arg(
        long,
        value_name = "THEME",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    theme: Theme,

    /// Width in pixels
    #[arg(long, value_name = "PX", default_value_t = 640, value_parser = number::<u32>(50..=8000))]
    size: u32,

    /// The file to write: NAME.svg [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.out
        && path.extension().is_none_or(|extension| extension != "svg")
    {
        let path = path.display();
        let message = format!("--out: '{path}', expected a name that ends in .svg");
        return Err(Failure::Usage(message));
    }
    let (rules, position, last) = match &arguments.pgn {
        Some(path) => of_game(path, arguments.ply)?,
        None => {
            let (rules, start) = arguments.position.read()?;
            let (game, played) = arguments.moves.game_and_last(rules, start)?;
            let position = *game.position();
            let last = arguments.last.as_deref();
            let last = last.map(|text| came_by(text, &rules, &position));
            (rules, position, last.transpose()?.or(played.map(drawn)))
        }
    };
    let arrows = turns("--arrows", arguments.arrows.as_deref(), &rules, &position)?.into_iter();
    let picture = Picture {
        board: rules.board,
        position,
        // A pass leaves no trace.
        last: last.filter(|last| !last.path.steps.is_empty()),
        arrows: arrows.map(drawn).collect(),
        theme: arguments.theme,
        width: arguments.size,
    };
    let svg = picture.svg();
    match &arguments.out {
        None => stdout().write_all(svg.as_bytes())?,
        Some(path) => vato_solver::files::create(path, |file| file.write_all(svg.as_bytes()))
            .map_err(Failure::cannot_write(path))?,
    }
    Ok(())
}

fn drawn((path, mv): (vato_engine::rules::Path, Move)) -> DrawnTurn {
    let captured = mv.captured();
    DrawnTurn { path, captured }
}

/// The position after some plies of a game, and the turn that led there.
fn of_game(
    path: &Path,
    ply: Option<usize>,
) -> Result<(Rules, Position, Option<DrawnTurn>), Failure> {
    let record = read_game(path).map_err(Failure::Error)?.record;
    let length = record.moves().len();
    let ply = ply.unwrap_or(length);
    if ply > length {
        let message = format!("--ply: {ply}, expected at most {length}, the length of the game");
        return Err(Failure::Usage(message));
    }
    let fault = |fault| Failure::new(format_args!("{}: {fault}", path.display()));
    let game = record.replay_plies(ply).map_err(fault)?;
    let rules = game.rules();
    let last = ply.checked_sub(1).map(|before| {
        let text = record.moves()[before].text();
        parse_turn(text, rules, game.truncated(before).position())
    });
    let last = last.transpose().map_err(Failure::new)?.map(drawn);
    Ok((*rules, *game.position(), last))
}

/// A turn that may have led to a position. What it captured is not known.
fn came_by(text: &str, rules: &Rules, position: &Position) -> Result<DrawnTurn, Failure> {
    let wrong = |what: String| Failure::Usage(format!("--last: '{text}': {what}"));
    let path = parse_path(text, rules.board).map_err(|error| wrong(error.to_string()))?;
    let mover = !position.side();
    if !path.steps.is_empty()
        && (!position.stones(mover).contains(path.to()) || position.occupied().contains(path.from))
    {
        let [from, to] = [path.from, path.to()].map(|point| rules.board.name(point));
        return Err(wrong(format!(
            "expected {from} empty and a stone of {mover} on {to}"
        )));
    }
    Ok(DrawnTurn {
        path,
        captured: Bitboard::EMPTY,
    })
}

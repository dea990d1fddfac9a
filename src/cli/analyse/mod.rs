//! `vato analyse`: analysis of a position or of whole games.

#[cfg(feature = "tools")]
mod games;
mod help;
#[cfg(feature = "tools")]
mod positions;
mod view;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use vato_engine::engine::Engine;
use vato_engine::rules::{Rules, legal_moves};
use vato_engine::search::{Control, Limits, Report, SearchLimit, SearchSettings};
use vato_engine::tablebase::TableFolders;

use self::view::{Analysed, DataView, TextView, View};
use super::support::arguments::{
    LimitArguments, MovesArgument, PositionArguments, SearchArguments, number, tables_if_any, turns,
};
use super::support::failure::{Failure, stdout};
use super::support::present::{Format, write_position};

/// The limit of an analysis of one position if none is given.
const DEFAULT_TIME: SearchLimit = SearchLimit::Movetime(5_000);

/// Analyse a position, or whole games
///
/// Prints a diagram, the best lines as the search goes deeper, and the best move. On a terminal the
/// lines are one block that is updated; in a pipe each new line is appended. Scores are in stones, from White's
/// view whoever is to move: with -0.35 Black is ahead by about a third of a stone, with `+M7` White wins in
/// seven plies, with `-TB 7` Black wins by the tablebases, with seven plies to the next capture or the end.
/// Without a limit the analysis takes five seconds (--movetime 5s).
///
/// A bare FILE is a file of games, as with --pgn, or if it ends in .fen, .epd or .txt, of positions, as with
/// --fens.
#[derive(Args, Debug)]
#[command(mut_arg("nodes", |nodes| nodes.help("Nodes of each search [default with --pgn: 400000, with --fens: 100000]")))]
#[command(mut_arg("movetime", |time| {
    time.help("Milliseconds of each search, or a time such as 2s or 1.5min [default: 5000]")
}))]
#[command(after_help = help::examples(), after_long_help = help::after())]
#[cfg_attr(feature = "tools", command(override_usage = "vato analyse [OPTIONS] [FILE]",
    group = clap::ArgGroup::new("input").args(["pgn", "fens"])))]
// What needs a single option needs its group: clap does not insist on an option that conflicts with one that is given.
#[cfg_attr(feature = "tools", command(group = clap::ArgGroup::new("record").arg("pgn")))]
#[cfg_attr(feature = "tools", command(group = clap::ArgGroup::new("list").arg("fens")))]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    moves: MovesArgument,

    /// Search only these moves of the position, separated by spaces
    #[arg(long, value_name = "MOVES")]
    searchmoves: Option<String>,

    #[command(flatten)]
    limit: LimitArguments,

    /// Search for a win or a loss in at most this many plies, or prove that there is none
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=999))]
    #[arg(conflicts_with_all = ["depth", "nodes", "movetime"])]
    #[cfg_attr(feature = "tools", arg(conflicts_with_all = ["pgn", "fens"]))]
    mate: Option<u32>,

    /// Number of best moves to show
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = number::<u16>(1..=256))]
    multipv: u16,

    #[command(flatten)]
    search: SearchArguments,

    /// Folder of tablebases; may be given several times; auto: where `vato tablebase build` writes; or none
    #[arg(long, value_name = "DIR", default_value = TableFolders::AUTO)]
    tablebases: Vec<PathBuf>,

    /// Print only JSON: one object per completed depth (with --pgn: per game, with --fens: per position)
    #[arg(long)]
    json: bool,

    /// Print only CSV: one row per line of a completed depth (with --pgn: per move, with --fens: per line)
    #[cfg(feature = "tools")]
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Draw the diagram in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,

    #[cfg(feature = "tools")]
    #[command(flatten)]
    batch: positions::BatchArguments,

    #[cfg(feature = "tools")]
    #[command(flatten)]
    games: games::GameArguments,
}

impl Arguments {
    fn format(&self) -> Format {
        #[cfg(feature = "tools")]
        let csv = self.csv;
        #[cfg(not(feature = "tools"))]
        let csv = false;
        Format::of(self.json, csv)
    }

    /// What positions under these rules are searched with.
    fn settings(&self, rules: &Rules) -> Result<SearchSettings, Failure> {
        let folders = TableFolders::of(self.tablebases.clone());
        Ok(SearchSettings {
            tablebases: tables_if_any(rules, &folders)?,
            ..self.search.settings()?
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    vato_engine::memory::require_space(1).map_err(Failure::Error)?;
    #[cfg(feature = "tools")]
    if let Some(path) = &arguments.games.pgn {
        return games::run(arguments, path);
    }
    #[cfg(feature = "tools")]
    if let Some(path) = &arguments.batch.fens {
        return positions::run(arguments, path);
    }
    analyse_position(arguments)
}

fn analyse_position(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, start) = arguments.position.read()?;
    let game = arguments.moves.game(rules, start)?;
    let text = arguments.searchmoves.as_deref();
    let mut searchmoves = Vec::new();
    for (_, mv) in turns("--searchmoves", text, &rules, game.position())? {
        if !searchmoves.contains(&mv) {
            searchmoves.push(mv);
        }
    }
    let settings = arguments.settings(&rules)?;
    let format = arguments.format();
    let is_data = format != Format::Text;
    if !is_data {
        write_position(&mut stdout(), &game, arguments.ascii)?;
    }
    if let Some(outcome) = game.outcome() {
        return say(&format!("The game is over: {outcome}."), is_data);
    }
    let position = Analysed {
        game: &game,
        settings: &settings,
    };
    let multipv = usize::from(arguments.multipv);
    let moves = match searchmoves.len() {
        0 => legal_moves(&rules, game.position()).len(),
        moves => moves,
    };
    let mut view: Box<dyn View> = match is_data {
        true => Box::new(DataView::new(position, multipv.min(moves), format)),
        false => Box::new(TextView::new(position)),
    };
    let mut engine = Engine::new(settings.clone().into());
    engine.prepare()?;
    let mate = arguments.mate;
    let limit = arguments.limit.given();
    let limit = limit.or(mate.is_none().then_some(DEFAULT_TIME));
    let limits = Limits {
        multipv,
        searchmoves,
        mate,
        analyse: true,
        ..limit.map_or_else(Limits::default, Limits::from)
    };
    let control = Control::new();
    let (mut shown, mut no_mate) = (Ok(()), None);
    let result = engine.search(&game, &limits, &control, &mut |report| match report {
        Report::Line(line) if shown.is_ok() => {
            shown = view.line(line);
            if shown.is_err() {
                control.stop();
            }
        }
        Report::NoMate(plies) => no_mate = Some(*plies),
        _ => {}
    })?;
    shown?;
    view.finish(&result)?;
    if let Some(plies) = no_mate {
        let told = limits.no_mate(plies).replacen('n', "N", 1);
        say(&format!("{told}."), is_data)?;
    }
    Ok(())
}

/// Prints a sentence; on standard error where standard output carries only data.
fn say(sentence: &str, is_data: bool) -> Result<(), Failure> {
    if is_data {
        let _ = writeln!(io::stderr(), "{sentence}");
    } else {
        writeln!(stdout(), "{sentence}")?;
    }
    Ok(())
}

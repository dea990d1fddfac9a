//! The arguments of `vato games`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use vato_tools::game_formats::GameFormat;
use vato_tools::games::{Condition, Field, Shape};

use crate::cli::pgn;
use crate::cli::support::arguments::{PositionArguments, number};
use crate::cli::support::present::{Format, FormatArguments};

/// Work with collections of games (PGN)
///
/// Every command reads files or standard input game by game, on all processors. Games that cannot be read,
/// or have to be replayed and cannot, are left out and named on standard error.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  vato games filter all --once --sort Date a.pgn b.pgn > all.pgn
  vato games stats games.pgn
  vato games tree --plies 2 games.pgn

Exit codes: 0 done, 1 failed, or games were left out, 2 wrong usage")]
pub enum GamesCommand {
    Check(pgn::CheckArguments),
    Filter(FilterArguments),
    /// Write games in the formats of other programs as PGN
    ///
    /// Records of AbstractPlay (JSON, whole archives as well), boardspace.net and vchess, trials of Ludii, FGN, and
    /// lists of turns without tags in the notations of SuperDuperGames, AiAi and others. Each format has the rules that its
    /// games are played by. Other commands read these files, too. Games with tags are PGN, unless --from says otherwise.
    #[command(after_help = "Examples:
  vato games import fanorona.json > games.pgn
  vato games import --from superdupergames list.txt")]
    Import {
        /// Format [default: known by the beginning of the file]
        #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(GameFormat::ALL.map(GameFormat::name)))]
        from: Option<String>,

        #[command(flatten)]
        input: Collection,
    },
    /// Count results by opening, first moves, colour, length and ending
    Stats(Collection),
    Tree(TreeArguments),
    Find(FindArguments),
}

#[derive(Args, Debug)]
pub struct Collection {
    /// Files of games; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub data: FormatArguments,
}

impl Collection {
    /// The format of games that are written: PGN, if nothing else is asked for.
    pub fn games(&self) -> Format {
        match self.data.format() {
            Format::Text => Format::Pgn,
            format => format,
        }
    }
}

/// Write the games that a condition holds for
///
/// CONDITION is `all`, or consists of comparisons of fields with values, joined by `and`, `or`, `not` and parentheses. A value
/// that is not a plain word goes in double quotes.
///
/// Fields: `player` (either), `winner`, `elo` (either), `plies`, `result` (1-0, 0-1, 1/2-1/2, *), `ending`
/// (no-stones, blocked, repetition, limit, or the tag Termination), `opening` (vakiloha, havanana, havia,
/// fohy, kobaka, or the first moves; before them the FEN, if the game begins elsewhere than its rules say), `rules`, and
/// every tag by its name, if it begins with a capital letter: `Date`.
///
/// Comparisons: = != < <= > >= and ~ (contains). Values compare as text ignoring case, runs of digits
/// as numbers. An unknown value (missing, ?, -, ????.??.??) equals `unknown`, and is neither less nor greater than any other.
///
/// What the game reaches, in any orientation of the board: `position` = a FEN; `material` = 4v3, one side
/// four stones, the other three; `pattern` = ranks as in a FEN with a character for each point, w, b,
/// . (empty) or ? (anything), * for a rank of anything, and a side to move if it matters.
///
/// `all` holds for every game: so games of several files become one collection, are put in order, or written to a file
/// for each value of a field. --sort and --split hold all games in memory.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato games filter 'player = \"Rabe\" and plies > 40' games.pgn
  vato games filter 'WhiteElo >= 2000 and BlackElo >= 2000 and Date ~ 2026' games.pgn
  vato games filter 'material = 4v3 and not result = 1/2-1/2' --csv games.pgn
  vato games filter 'pattern = \"*/*/????w????/????b????/* w\"' games.pgn
  vato games filter all --once --sort -Date a.pgn b.pgn > all.pgn
  vato games filter 'plies > 20' --split White --out by games.pgn")]
pub struct FilterArguments {
    /// Which games are written
    pub condition: Condition,

    /// In the order of a field, with - before it from the highest value down; if given several times, later ones
    /// break ties. Unknown values come last, equal games keep their order
    #[arg(long, value_name = "FIELD", allow_hyphen_values = true, value_parser = sort_key)]
    pub sort: Vec<(Field, bool)>,

    /// Each game once: the first of those with the same rules, start, moves, result, event, site, date, round and
    /// players
    #[arg(long)]
    pub once: bool,

    /// A new file for each value of a field, PREFIX-VALUE.pgn, instead of the output: all of them or none, and an
    /// existing one is never replaced
    #[arg(
        long,
        value_name = "FIELD",
        requires = "out",
        conflicts_with_all = ["json", "csv"]
    )]
    pub split: Option<Field>,

    /// Start of the names of these files
    #[arg(long, value_name = "PREFIX", requires = "split")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub input: Collection,
}

/// Parses a field, and whether the games are sorted from its highest value down.
fn sort_key(text: &str) -> Result<(Field, bool), String> {
    match text.strip_prefix('-') {
        Some(name) => Ok((name.parse()?, true)),
        None => Ok((text.parse()?, false)),
    }
}

/// Show the moves played from a position, their results and performance
///
/// Counts games under the same rules that have the position in any orientation of the board, and the moves
/// from it; moves to positions that are the same in another orientation count as one. The score is the
/// mover's, the performance the rating that it shows against opponents with a rating. --nodes adds the
/// engine's score from White's view; with --json and --csv it is the mover's.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato games tree games.pgn
  vato games tree --plies 3 --nodes 20000 games.pgn
  vato games filter 'player = \"Rabe\"' games.pgn | vato games tree")]
pub struct TreeArguments {
    #[command(flatten)]
    pub position: PositionArguments,

    /// Depth of the tree in moves (plies)
    #[arg(long, value_name = "N", default_value = "1", value_parser = number::<u32>(1..=100))]
    pub plies: u32,

    /// Leave out moves played in fewer games
    #[arg(long, value_name = "N", default_value = "1", value_parser = number::<u64>(..))]
    pub min_games: u64,

    /// Search every position of the tree with this many nodes
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,

    #[command(flatten)]
    pub input: Collection,
}

/// Find where games reach a position, material or a pattern
///
/// All orientations of the board count as the same. Shows each game once, with the first place found: the number of
/// moves (plies) before it. The games in full: vato games filter 'position = "FEN"'.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato games find --material 4v3 games.pgn
  vato games find --fen \"9/9/3w2b2/9/9 b\" --json games.pgn")]
pub struct FindArguments {
    #[command(flatten)]
    pub shape: ShapeArguments,

    #[command(flatten)]
    pub input: Collection,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct ShapeArguments {
    /// This position, with this side to move
    #[arg(long, value_name = "FEN", value_parser = Shape::position)]
    pub fen: Option<Shape>,

    /// Numbers of stones, one side's and the other's: 4v3
    #[arg(long, value_name = "NvM", value_parser = Shape::material)]
    pub material: Option<Shape>,

    /// Ranks as in a FEN: w, b, . (empty) or ? (anything) for each point, * for a whole rank; then w or b,
    /// the side to move, if it matters
    #[arg(long, value_name = "PATTERN", value_parser = Shape::pattern)]
    pub pattern: Option<Shape>,
}

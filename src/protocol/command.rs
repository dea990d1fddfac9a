//! Commands: what a manager or a person says to an engine.

use std::fmt;
use std::str::FromStr;

use super::Dialect;
use super::command_error::CommandError;
use super::command_parser;
use super::go::GoCommand;
use super::words::Words;

/// A command. Moves and positions stay text: what they mean depends on the rules.
///
/// [`FromStr`] reads a command and refuses whatever is wrong with it; [`fmt::Display`] writes it
/// with the words of UGI, [`Command::in_dialect`] with those of either dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`, `uci`: opens a session.
    Handshake(Dialect),
    /// `isready`: asks for `readyok` when everything said before has taken effect.
    IsReady,
    /// `setoption name X [value Y]`.
    SetOption(SetOption),
    /// `uginewgame`, `ucinewgame`: what comes belongs to another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position(PositionCommand),
    /// `moves …`: played on from the current position.
    Moves(Vec<String>),
    /// `go …`: starts a search.
    Go(GoCommand),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `query p1turn|gameover|result`.
    Query(Query),
    /// `debug on|off`.
    Debug(bool),
    /// `quit`.
    Quit,
    /// `d`: shows the position.
    Display,
    /// `eval`: explains what the position is worth.
    Eval,
    /// `legal`: lists the legal turns.
    Legal,
    /// `perft N`: counts turns.
    Perft(u32),
    /// `bench [depth [threads [hash]]]`.
    Bench(BenchCommand),
    /// `help`.
    Help,
    /// `wait`: holds back what follows until the search has ended.
    Wait,
}

/// `setoption name X [value Y]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The option's name, words separated by single spaces.
    pub name: String,
    /// What follows the word `value`; `None` if that word is missing.
    pub value: Option<String>,
}

/// `position …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the moves begin.
    pub base: PositionBase,
    /// The moves, as text.
    pub moves: Vec<String>,
}

/// Where the moves of a `position` begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionBase {
    /// The start of the active rules.
    Start,
    /// A position as text, fields separated by single spaces.
    Fen(String),
}

/// What `query` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether player 1 is to move.
    P1Turn,
    /// Whether the game has ended.
    GameOver,
    /// How the game has ended.
    Result,
}

/// `bench …`; what is not said has its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchCommand {
    /// Depth of each search.
    pub depth: Option<u32>,
    /// Threads.
    pub threads: Option<u32>,
    /// Size of the table in MiB.
    pub hash: Option<u32>,
}

impl Query {
    /// The word after `query`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Query::P1Turn => "p1turn",
            Query::GameOver => "gameover",
            Query::Result => "result",
        }
    }
}

impl Command {
    /// Reads a line. What is wrong goes to `complaints`; the command is what is left of it, `None`
    /// if that is nothing (as in a blank line, which is no reason to complain).
    ///
    /// Only `go` is of use with a part of it wrong: see [`GoCommand`].
    #[must_use]
    pub fn parse(line: &str, complaints: &mut Vec<CommandError>) -> Option<Command> {
        // Some programs begin their output with a byte order mark.
        let mut words = Words::new(line.trim_start_matches('\u{feff}'));
        let word = words.next()?;
        match command_parser::parse(word, words, complaints) {
            Ok(command) => Some(command),
            Err(error) => {
                complaints.push(error);
                None
            }
        }
    }

    /// The command's first word in UGI.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Command::Handshake(dialect) => dialect.name(),
            Command::IsReady => "isready",
            Command::SetOption(_) => "setoption",
            Command::NewGame => "uginewgame",
            Command::Position(_) => "position",
            Command::Moves(_) => "moves",
            Command::Go(_) => "go",
            Command::Stop => "stop",
            Command::PonderHit => "ponderhit",
            Command::Query(_) => "query",
            Command::Debug(_) => "debug",
            Command::Quit => "quit",
            Command::Display => "d",
            Command::Eval => "eval",
            Command::Legal => "legal",
            Command::Perft(_) => "perft",
            Command::Bench(_) => "bench",
            Command::Help => "help",
            Command::Wait => "wait",
        }
    }

    /// The command as text with the words of `dialect`: `wtime` or `p1time`, `ucinewgame` or
    /// `uginewgame`.
    #[must_use]
    pub fn in_dialect(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        InDialect(self, dialect)
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let mut complaints = Vec::new();
        let command = Command::parse(line, &mut complaints);
        match (complaints.into_iter().next(), command) {
            (Some(complaint), _) => Err(complaint),
            (None, Some(command)) => Ok(command),
            (None, None) => Err(CommandError::Blank),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        InDialect(self, Dialect::Ugi).fmt(f)
    }
}

struct InDialect<'a>(&'a Command, Dialect);

impl fmt::Display for InDialect<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InDialect(command, dialect) = *self;
        match command {
            Command::Go(go) => return go.write(f, dialect),
            Command::NewGame => return write!(f, "{dialect}newgame"),
            _ => f.write_str(command.name())?,
        }
        match command {
            Command::SetOption(SetOption { name, value }) => {
                write!(f, " name {name}")?;
                match value {
                    Some(value) => write!(f, " value {value}"),
                    None => Ok(()),
                }
            }
            Command::Position(PositionCommand { base, moves }) => {
                match base {
                    PositionBase::Start => f.write_str(" startpos")?,
                    PositionBase::Fen(fen) => write!(f, " fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                write_words(f, moves)
            }
            Command::Moves(moves) => write_words(f, moves),
            Command::Query(query) => write!(f, " {}", query.name()),
            Command::Debug(on) => f.write_str(if *on { " on" } else { " off" }),
            Command::Perft(depth) => write!(f, " {depth}"),
            Command::Bench(bench) => {
                let given = [bench.depth, bench.threads, bench.hash];
                given
                    .iter()
                    .map_while(|number| *number)
                    .try_for_each(|number| write!(f, " {number}"))
            }
            _ => Ok(()),
        }
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(f, " {word}"))
}

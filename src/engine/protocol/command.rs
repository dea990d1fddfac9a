//! Commands: lines from the manager or user to the engine.

use std::fmt;

use super::go::{GoCommand, PERFT_DEPTHS, whole_number};
use super::words::{ParseError, Words, field, joined, some, spaced};
use super::{Dialect, MAX_PERFT_DEPTH};
use crate::text::{excerpt, named_enum};

/// A command. Moves and positions are kept as text: their meaning depends on the rules.
///
/// [`fmt::Display`] writes the UGI form, [`Command::in_dialect`] that of either dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`, `uci`: opens a session.
    Handshake(Dialect),
    /// `isready`: requests `readyok` once all earlier commands have taken effect.
    IsReady,
    /// `setoption name X [value Y]`.
    SetOption(SetOption),
    /// `uginewgame`, `ucinewgame`: starts another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position(PositionCommand),
    /// `moves …`: plays moves from the current position, separated by white space.
    Moves(String),
    /// `go …`: starts a search.
    Go(GoCommand),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the move pondered on was played.
    PonderHit,
    /// `query p1turn|gameover|result`.
    Query(Query),
    /// `debug on|off`.
    Debug(bool),
    /// `quit`.
    Quit,
    /// `d`: shows the position.
    Display,
    /// `eval`: prints the evaluation of the position.
    Eval,
    /// `legal`: lists the legal turns.
    Legal,
    /// `perft N`: counts turns.
    Perft(u32),
    /// `bench [depth [threads [hash]]]`.
    Bench(BenchCommand),
    /// `help`.
    Help,
    /// `wait`: holds back the following commands until the search has ended.
    Wait,
}

/// `setoption name X [value Y]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The option's name, words separated by single spaces.
    pub name: String,
    /// The text after the word `value`; `None` without that word.
    pub value: Option<String>,
}

/// `position …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// The position from which the moves are played, fields separated by single spaces; `None` for the start of the
    /// active rules.
    pub fen: Option<String>,
    /// The moves, separated by white space.
    pub moves: String,
}

named_enum! {
    /// Subject of a `query`.
    pub enum Query {
        /// Whether player 1 is to move.
        P1Turn = "p1turn",
        /// Whether the game has ended.
        GameOver = "gameover",
        /// The result of the game.
        Result = "result",
    }
}

/// `bench …`; `None` means the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchCommand {
    /// Depth of each search.
    pub depth: Option<u32>,
    /// Number of threads.
    pub threads: Option<u32>,
    /// Size of the transposition table, in MiB.
    pub hash: Option<u32>,
}

impl Command {
    /// Parses a line leniently. Errors go to `complaints`; the command is what remains, `None` if
    /// nothing does (as for a blank line, which is no error).
    ///
    /// Only `go` can be used with a part of it wrong: see [`GoCommand`].
    pub fn parse(line: &str, complaints: &mut Vec<ParseError>) -> Option<Command> {
        // Some programs begin their output with a byte order mark.
        let mut words = Words::new(line.trim_start_matches('\u{feff}'));
        let command = match words.next()? {
            "ugi" => Ok(Command::Handshake(Dialect::Ugi)),
            "uci" => Ok(Command::Handshake(Dialect::Uci)),
            "isready" => Ok(Command::IsReady),
            "setoption" => parse_set_option(&mut words),
            "uginewgame" | "ucinewgame" => Ok(Command::NewGame),
            "position" => parse_position(&mut words),
            "moves" => parse_moves(&mut words),
            "go" => Ok(Command::Go(GoCommand::parse(&mut words, complaints))),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "query" => parse_query(&mut words),
            "debug" => parse_debug(&mut words),
            "quit" => Ok(Command::Quit),
            "d" => Ok(Command::Display),
            "eval" => Ok(Command::Eval),
            "legal" => Ok(Command::Legal),
            "perft" => parse_perft(&mut words),
            "bench" => parse_bench(&mut words),
            "help" => Ok(Command::Help),
            "wait" => Ok(Command::Wait),
            word => Err(ParseError::Unknown(excerpt(word))),
        };
        let command = command.map_err(|error| complaints.push(error)).ok()?;
        if !words.rest.is_empty() {
            let surplus = ParseError::Surplus(command.name(), excerpt(words.rest));
            complaints.push(surplus);
        }
        Some(command)
    }

    /// The command's first word in UGI.
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

    /// The command as text in the vocabulary of `dialect`: `wtime` or `p1time`, `ucinewgame` or `uginewgame`.
    pub fn in_dialect(&self, dialect: Dialect) -> String {
        let name = self.name();
        match self {
            Command::NewGame => format!("{dialect}newgame"),
            Command::Go(go) => go.in_dialect(dialect),
            Command::SetOption(option) => {
                let value = field("value", option.value.as_ref());
                format!("{name} name {}{value}", option.name)
            }
            Command::Position(PositionCommand { fen, moves }) => {
                let fen = fen.as_ref().map(|fen| format!("fen {fen}"));
                let start = fen.as_deref().unwrap_or("startpos");
                format!("{name} {start}{}", some("moves", moves))
            }
            Command::Moves(moves) => format!("{name} {moves}"),
            Command::Query(query) => format!("{name} {}", query.name()),
            Command::Debug(on) => format!("{name} {}", if *on { "on" } else { "off" }),
            Command::Perft(depth) => format!("{name} {depth}"),
            Command::Bench(bench) => {
                let numbers = [bench.depth, bench.threads, bench.hash];
                format!("{name}{}", spaced(numbers.iter().map_while(Option::as_ref)))
            }
            _ => name.to_owned(),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_dialect(Dialect::Ugi))
    }
}

fn parse_set_option(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let wrong = |found, wanted| Err(ParseError::wrong("setoption", found, wanted));
    let first = words.next();
    if first != Some("name") {
        return wrong(first, "name NAME value VALUE");
    }
    let name = joined(words.until("value"));
    if name.is_empty() {
        return wrong(None, "the name of the option");
    }
    Ok(Command::SetOption(SetOption {
        name,
        value: words.next().map(|_| words.take_rest().to_owned()),
    }))
}

fn parse_position(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let wrong = |found, wanted| Err(ParseError::wrong("position", found, wanted));
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => None,
            other => return wrong(other, "moves"),
        },
        Some("fen") => {
            let fen = joined(words.take_while(|&word| word != "moves"));
            // A comment after the position is ignored.
            let fen = fen.split(';').next().unwrap_or_default().trim_end();
            if fen.is_empty() {
                return wrong(None, "the position after fen");
            }
            Some(fen.to_owned())
        }
        other => return wrong(other, "startpos or fen"),
    };
    let moves = words.take_rest().to_owned();
    Ok(Command::Position(PositionCommand { fen, moves }))
}

fn parse_moves(words: &mut Words<'_>) -> Result<Command, ParseError> {
    match words.take_rest() {
        "" => Err(ParseError::wrong("moves", None, "a move")),
        moves => Ok(Command::Moves(moves.to_owned())),
    }
}

fn parse_query(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let word = words.next();
    let expected = || ParseError::wrong("query", word, "p1turn, gameover or result");
    let query = word.and_then(Query::from_name).ok_or_else(expected)?;
    match words.next() {
        None => Ok(Command::Query(query)),
        other => Err(ParseError::wrong("query", other, "one word")),
    }
}

fn parse_debug(words: &mut Words<'_>) -> Result<Command, ParseError> {
    match Some(words.take_rest()).filter(|rest| !rest.is_empty()) {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        other => Err(ParseError::wrong("debug", other, "on or off")),
    }
}

fn parse_perft(words: &mut Words<'_>) -> Result<Command, ParseError> {
    let word = words.next();
    word.and_then(whole_number)
        .and_then(|depth| u32::try_from(depth).ok())
        .filter(|&depth| depth <= MAX_PERFT_DEPTH)
        .map(Command::Perft)
        .ok_or_else(|| ParseError::wrong("perft", word, PERFT_DEPTHS))
}

fn parse_bench(words: &mut Words<'_>) -> Result<Command, ParseError> {
    const NUMBERS: &str = "[depth [threads [hash]]], numbers from 1";
    let mut number = || {
        let number = words.next().map(|word| {
            whole_number(word)
                .filter(|&number| number > 0)
                .and_then(|number| u32::try_from(number).ok())
                .ok_or_else(|| ParseError::wrong("bench", Some(word), NUMBERS))
        });
        number.transpose()
    };
    let bench = BenchCommand {
        depth: number()?,
        threads: number()?,
        hash: number()?,
    };
    match words.next() {
        None => Ok(Command::Bench(bench)),
        other => Err(ParseError::wrong("bench", other, "at most three numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        let mut complaints = Vec::new();
        let command = Command::parse(line, &mut complaints);
        match complaints.first() {
            Some(complaint) => Err(complaint.to_string()),
            None => command.ok_or_else(String::new),
        }
    }

    #[test]
    fn both_vocabularies() {
        assert_eq!(read("\u{feff}ugi"), Ok(Command::Handshake(Dialect::Ugi)));
        assert_eq!(read("uci\r"), Ok(Command::Handshake(Dialect::Uci)));
        for (uci, ugi) in [
            ("ucinewgame", "uginewgame"),
            ("go wtime 1 binc 2", "go p1time 1 p2inc 2"),
        ] {
            let command = read(uci).expect(uci);
            assert_eq!(command.to_string(), ugi);
            assert_eq!(command.in_dialect(Dialect::Uci).to_string(), uci);
        }
    }

    #[test]
    fn commands_are_written_as_they_are_read() {
        let all = "
            ugi
            uci
            isready
            setoption name Clear Hash
            setoption name Log File value a b
            uginewgame
            position startpos
            position startpos moves d3-e3A d5-d4A
            position fen 9/9/4w4/9/4b4 b 3 4 moves e1-e2
            moves d3-e3A d5-d4A
            go
            go ponder p1time 1 p2time -2 p1inc 3 p2inc 4 movestogo 5 movetime 6 depth 7 nodes 8 mate 9 perft 10 infinite searchmoves d3-e3A e2-e3A
            go p1time 9223372036854775807 p2time -9223372036854775807 depth 4294967295 nodes 18446744073709551615
            stop
            ponderhit
            query p1turn
            query gameover
            query result
            debug on
            debug off
            quit
            d
            eval
            legal
            perft 99
            bench
            bench 1 2 3
            help
            wait
        ";
        for line in all.trim().lines().map(str::trim) {
            let command = read(line).expect(line);
            assert_eq!(command.to_string(), line);
            assert_eq!(line.split(' ').next(), Some(command.name()));
            let written = command.in_dialect(Dialect::Uci).to_string();
            assert_eq!(read(&written), Ok(command), "{written}");
        }
    }

    #[test]
    fn options_and_positions_have_several_words() {
        for (line, name, value) in [
            ("Clear\tHash", "Clear Hash", None),
            ("Hash value ", "Hash", Some("")),
            ("Log File value a  value b ", "Log File", Some("a  value b")),
        ] {
            let (name, value) = (name.to_owned(), value.map(str::to_owned));
            let wanted = Command::SetOption(SetOption { name, value });
            assert_eq!(read(&format!("setoption name  {line}")), Ok(wanted));
        }
        let stones = Some("9/9/4w4/9/4b4 b");
        for (line, fen, moves) in [
            ("startpos moves", None, ""),
            ("fen 9/9/4w4/9/4b4  b moves a1-a2 x", stones, "a1-a2 x"),
        ] {
            let (fen, moves) = (fen.map(str::to_owned), moves.to_owned());
            let wanted = Command::Position(PositionCommand { fen, moves });
            assert_eq!(read(&format!("position {line}")), Ok(wanted));
        }
    }

    /// The transcript `session_words` has the sentences.
    #[test]
    fn what_is_wrong_is_named_briefly() {
        assert_eq!(read("  "), Err(String::new()));
        let long = "x".repeat(1_000_000);
        for command in ["", "query ", "debug ", "position ", "perft ", "setoption "] {
            let error = read(&format!("{command}{long}")).expect_err(command);
            assert!(error.len() < 200);
        }
    }
}

//! From text to commands.

use super::command::{BenchCommand, Command, PositionBase, PositionCommand, Query, SetOption};
use super::command_error::CommandError;
use super::go::{GoCommand, whole_number};
use super::words::Words;
use super::{Dialect, MAX_PERFT_DEPTH};
use crate::text::excerpt;

/// What a perft may be given, in words.
pub(super) const PERFT_DEPTHS: &str = "a depth from 0 to 99";

/// Reads the command that `word` opens.
pub(super) fn parse(
    word: &str,
    mut words: Words<'_>,
    complaints: &mut Vec<CommandError>,
) -> Result<Command, CommandError> {
    let command = match word {
        "setoption" => return parse_set_option(words).map(Command::SetOption),
        "position" => return parse_position(words).map(Command::Position),
        "moves" => return parse_moves(words).map(Command::Moves),
        "go" => return Ok(Command::Go(GoCommand::parse(words, complaints))),
        "query" => return parse_query(words).map(Command::Query),
        "debug" => return parse_debug(words).map(Command::Debug),
        "bench" => return parse_bench(words).map(Command::Bench),
        "perft" => Command::Perft(parse_perft(&mut words)?),
        "ugi" => Command::Handshake(Dialect::Ugi),
        "uci" => Command::Handshake(Dialect::Uci),
        "isready" => Command::IsReady,
        "uginewgame" | "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "legal" => Command::Legal,
        "help" => Command::Help,
        "wait" => Command::Wait,
        _ => return Err(CommandError::Unknown(excerpt(word))),
    };
    if !words.rest().is_empty() {
        complaints.push(CommandError::Surplus {
            command: command.name(),
            words: excerpt(words.rest()),
        });
    }
    Ok(command)
}

fn missing(command: &'static str, what: &'static str) -> CommandError {
    CommandError::Missing { command, what }
}

fn unexpected(command: &'static str, found: &str, wanted: &'static str) -> CommandError {
    CommandError::Unexpected {
        command,
        found: excerpt(found),
        wanted,
    }
}

fn parse_set_option(mut words: Words<'_>) -> Result<SetOption, CommandError> {
    match words.next() {
        Some("name") => {}
        Some(other) => return Err(unexpected("setoption", other, "name NAME value VALUE")),
        None => return Err(missing("setoption", "name NAME value VALUE")),
    }
    let mut name = String::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        push_word(&mut name, word);
    }
    if name.is_empty() {
        return Err(missing("setoption", "the name of the option"));
    }
    Ok(SetOption { name, value })
}

fn parse_position(mut words: Words<'_>) -> Result<PositionCommand, CommandError> {
    const BASES: &str = "startpos or fen";
    let base = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => PositionBase::Start,
            Some(other) => return Err(unexpected("position", other, "moves")),
        },
        Some("fen") => {
            let mut fen = String::new();
            for word in words.by_ref().take_while(|&word| word != "moves") {
                push_word(&mut fen, word);
            }
            if fen.is_empty() {
                return Err(missing("position", "the position after fen"));
            }
            PositionBase::Fen(fen)
        }
        Some(other) => return Err(unexpected("position", other, BASES)),
        None => return Err(missing("position", BASES)),
    };
    Ok(PositionCommand {
        base,
        moves: words.map(str::to_owned).collect(),
    })
}

fn parse_moves(words: Words<'_>) -> Result<Vec<String>, CommandError> {
    let moves: Vec<String> = words.map(str::to_owned).collect();
    if moves.is_empty() {
        return Err(missing("moves", "a move"));
    }
    Ok(moves)
}

fn parse_query(mut words: Words<'_>) -> Result<Query, CommandError> {
    const WANTED: &str = "p1turn, gameover or result";
    let query = match words.next() {
        Some("p1turn") => Query::P1Turn,
        Some("gameover") => Query::GameOver,
        Some("result") => Query::Result,
        Some(other) => return Err(unexpected("query", other, WANTED)),
        None => return Err(missing("query", WANTED)),
    };
    match words.next() {
        Some(other) => Err(unexpected("query", other, "one word")),
        None => Ok(query),
    }
}

fn parse_debug(words: Words<'_>) -> Result<bool, CommandError> {
    match words.rest() {
        "on" => Ok(true),
        "off" => Ok(false),
        "" => Err(missing("debug", "on or off")),
        other => Err(unexpected("debug", other, "on or off")),
    }
}

fn parse_perft(words: &mut Words<'_>) -> Result<u32, CommandError> {
    let word = words.next().ok_or(missing("perft", PERFT_DEPTHS))?;
    whole_number(word)
        .and_then(|depth| u32::try_from(depth).ok())
        .filter(|&depth| depth <= MAX_PERFT_DEPTH)
        .ok_or_else(|| unexpected("perft", word, PERFT_DEPTHS))
}

fn parse_bench(mut words: Words<'_>) -> Result<BenchCommand, CommandError> {
    let mut number = || match words.next() {
        None => Ok(None),
        Some(word) => whole_number(word)
            .filter(|&number| number > 0)
            .and_then(|number| u32::try_from(number).ok())
            .map(Some)
            .ok_or_else(|| unexpected("bench", word, "[depth [threads [hash]]], numbers from 1")),
    };
    let (depth, threads, hash) = (number()?, number()?, number()?);
    match words.next() {
        Some(other) => Err(unexpected("bench", other, "at most three numbers")),
        None => Ok(BenchCommand {
            depth,
            threads,
            hash,
        }),
    }
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        line.parse()
            .map_err(|error: CommandError| error.to_string())
    }

    fn error(line: &str) -> String {
        read(line).expect_err(line)
    }

    #[test]
    fn both_vocabularies() {
        assert_eq!(read("\u{feff}ugi"), Ok(Command::Handshake(Dialect::Ugi)));
        assert_eq!(read("uci\r"), Ok(Command::Handshake(Dialect::Uci)));
        assert_eq!(read("ucinewgame"), read("uginewgame"));
        assert_eq!(read("go wtime 1 binc 2"), read("go p1time 1 p2inc 2"));
        let go = read("go wtime 1 binc 2").expect("right");
        assert_eq!(go.to_string(), "go p1time 1 p2inc 2");
        assert_eq!(go.in_dialect(Dialect::Uci).to_string(), "go wtime 1 binc 2");
        assert_eq!(
            Command::NewGame.in_dialect(Dialect::Uci).to_string(),
            "ucinewgame"
        );
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let set = |name: &str, value: Option<&str>| {
            Ok(Command::SetOption(SetOption {
                name: name.to_owned(),
                value: value.map(str::to_owned),
            }))
        };
        assert_eq!(read("setoption name  Clear\tHash"), set("Clear Hash", None));
        assert_eq!(read("setoption name Hash value "), set("Hash", Some("")));
        assert_eq!(
            read("setoption name Log File value a  value b "),
            set("Log File", Some("a  value b"))
        );
        assert!(error("setoption").contains("name NAME value VALUE is missing"));
        assert!(error("setoption Hash 16").contains("'Hash'"));
        assert!(error("setoption name value 3").contains("name of the option"));
    }

    #[test]
    fn positions() {
        let position = |base: PositionBase, moves: &[&str]| {
            Ok(Command::Position(PositionCommand {
                base,
                moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
            }))
        };
        let fen = PositionBase::Fen("9/9/4w4/9/4b4 b".to_owned());
        assert_eq!(
            read("position startpos moves"),
            position(PositionBase::Start, &[])
        );
        assert_eq!(
            read("position fen 9/9/4w4/9/4b4  b moves a1-a2 x"),
            position(fen, &["a1-a2", "x"])
        );
        assert!(error("position").contains("startpos or fen is missing"));
        assert!(error("position fen moves a1").contains("after fen is missing"));
        assert!(error("position moves a1").contains("'moves', want startpos or fen"));
        assert!(error("position startpos a1").contains("'a1', want moves"));
    }

    #[test]
    fn what_is_wrong_is_named_briefly() {
        assert_eq!(error("  "), "blank line");
        assert_eq!(error("hello you"), "unknown command: 'hello' (try 'help')");
        assert_eq!(error("stop it"), "stop: ignored 'it'");
        assert!(error("query").contains("p1turn, gameover or result is missing"));
        assert!(error("query p1turn gameover").contains("'gameover'"));
        assert!(error("debug maybe").contains("on or off"));
        assert!(error("perft 100").contains("from 0 to 99"));
        assert!(error("perft -1").contains("'-1'"));
        assert!(error("bench 0").contains("'0'"));
        assert!(error("moves").contains("a move is missing"));
        let long = "x".repeat(1_000_000);
        for command in ["", "query ", "debug ", "position ", "perft ", "setoption "] {
            assert!(error(&format!("{command}{long}")).len() < 200);
        }
    }
}

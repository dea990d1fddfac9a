//! Parsing the input lines of the plain mode, and reading them on a thread.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::Receiver;

use vato_engine::rules::Capture;
use vato_tools::play::Input;

use crate::cli::support::failure::Failure;
use crate::cli::support::in_order::read_ahead;

#[derive(Debug)]
pub enum PlainCommand {
    /// An empty line.
    Nothing,
    /// What the model is told: a move, legal or not, or a command.
    Input(Input),
    Moves,
    Board,
    Help,
    Quit,
    /// A command with a missing or surplus argument; the message.
    Wrong(String),
}

pub const HELP: &str = "\
f2-e3A       play a move: origin, then for each step the point it leads to and A (approach) or
             W (withdrawal); f2e3a is understood, too, and f2e3 where it can be one move only
a, w         approach or withdrawal, when asked
moves        list the legal moves
hint         show the best move
review       show how both have played, and the moves that cost the most
undo, redo   take the last move back (with the engine's answer), or play it again
board        show the board again
save FILE    write the game to a file (PGN); if there is one, you are asked first at a terminal, and
             in a pipe it is not replaced
load FILE    go on with the first game of a file; FILE#N: with game N
new          begin another game
resign       give the game up
quit, q      leave; at a terminal you are asked first if the game is not saved, in a pipe you are not";

impl PlainCommand {
    pub fn read(line: &str) -> PlainCommand {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let path = rest.into();
        let command = match word.to_ascii_lowercase().as_str() {
            "save" | "s" | "load" | "l" if rest.is_empty() => {
                let message = format!("{word}: expected a file, as in {word} FILE");
                return PlainCommand::Wrong(message);
            }
            "save" | "s" => {
                return PlainCommand::Input(Input::Save {
                    path,
                    replace: false,
                });
            }
            "load" | "l" => return PlainCommand::Input(Input::Open(path)),
            "" => PlainCommand::Nothing,
            "undo" | "u" => PlainCommand::Input(Input::TakeBack),
            "redo" | "r" => PlainCommand::Input(Input::Redo),
            "hint" | "t" => PlainCommand::Input(Input::Hint),
            "review" | "y" => PlainCommand::Input(Input::Review),
            "moves" => PlainCommand::Moves,
            "board" => PlainCommand::Board,
            "new" | "n" => PlainCommand::Input(Input::NewGame),
            "resign" => PlainCommand::Input(Input::Resign),
            "approach" | "a" => PlainCommand::Input(Input::Capture(Capture::Approach)),
            "withdrawal" | "w" => PlainCommand::Input(Input::Capture(Capture::Withdrawal)),
            "help" | "?" => PlainCommand::Help,
            "quit" | "exit" | "q" => PlainCommand::Quit,
            _ => return PlainCommand::Input(Input::Turn(line.to_owned())),
        };
        match rest {
            "" => command,
            _ => PlainCommand::Wrong(format!("nothing may follow {word}")),
        }
    }
}

/// The maximum length of a line in bytes; the rest is read as another line.
const LONGEST_LINE: u64 = 1 << 16;

/// The lines of standard input, without their ends, read on a thread so that a clock can run meanwhile. At the end of
/// the input the channel is disconnected.
pub fn typed_lines() -> Result<Receiver<io::Result<String>>, Failure> {
    read_ahead(|send| read(send, &mut io::stdin().lock()))
}

/// Sends all lines; ends at the end of the input or when they are no longer received.
fn read(send: &dyn Fn(io::Result<String>) -> bool, input: &mut impl BufRead) {
    loop {
        let mut line = Vec::new();
        let said = match input.take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Err(error) => Err(error),
        };
        let goes_on = said.is_ok();
        if !send(said) || !goes_on {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn lines_are_understood() {
        let input = PlainCommand::Input;
        let save = |path: &str| Input::Save {
            path: path.into(),
            replace: false,
        };
        for (line, command) in [
            ("", PlainCommand::Nothing),
            ("  f2-e3A ", input(Input::Turn("f2-e3A".to_owned()))),
            ("UNDO", input(Input::TakeBack)),
            ("save my game.pgn", input(save("my game.pgn"))),
            ("load x", input(Input::Open("x".into()))),
            ("?", PlainCommand::Help),
            ("q", PlainCommand::Quit),
            ("Exit", PlainCommand::Quit),
            ("w", input(Input::Capture(Capture::Withdrawal))),
            (
                "save",
                PlainCommand::Wrong("save: expected a file, as in save FILE".to_owned()),
            ),
            (
                "quit now",
                PlainCommand::Wrong("nothing may follow quit".to_owned()),
            ),
        ] {
            let [read, command] = [PlainCommand::read(line), command].map(|it| format!("{it:?}"));
            assert_eq!(read, command, "{line}");
        }
    }

    #[test]
    fn the_help_has_every_command() {
        for word in [
            "undo", "redo", "hint", "moves", "board", "save", "load", "new", "resign", "quit",
        ] {
            assert!(HELP.contains(word), "{word}");
            let read = PlainCommand::read(word);
            assert!(!matches!(read, PlainCommand::Input(Input::Turn(_))));
        }
    }

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        let lines = RefCell::new(Vec::new());
        let send = |line: io::Result<String>| {
            lines.borrow_mut().push(line.expect("a line"));
            true
        };
        read(&send, &mut bytes);
        lines.into_inner()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n moves \r\nquit"), ["", " moves", "quit"]);
        assert_eq!(lines(b"a\xff\n"), ["a\u{fffd}"]);
        let long = lines(&vec![b'a'; 3 * LONGEST_LINE as usize / 2]);
        assert_eq!(long.len(), 2);
    }
}

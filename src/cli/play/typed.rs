//! What a person types.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;

use vato_engine::rules::Capture;
use vato_tools::play::PERFECT_LEVEL;

use super::table::Player;
use crate::cli::support::failure::Failure;
use crate::cli::support::in_order::read_ahead;

#[derive(Debug)]
pub enum Typed {
    /// An empty line.
    Nothing,
    /// A move, legal or not.
    Turn(String),
    Capture(Capture),
    TakeBack,
    Redo,
    Hint,
    Review,
    Level(u32),
    As(Player),
    Resign,
    New,
    Save(PathBuf),
    Load(PathBuf),
    Moves,
    Board,
    Help,
    Quit,
    /// A command with a missing or surplus argument; the message.
    Wrong(String),
}

pub const HELP: &str = "\
a1-b2A       play a move: origin, then for each step the point it leads to and A (approach) or
             W (withdrawal); a1b2a is understood, too, and a1b2 where it can be one move only
a, w         approach or withdrawal, when asked
moves        list the legal moves
hint         show the best move
review       show the accuracy of both sides, and the costliest moves
undo, redo   take back the last move (with the engine's answer), or replay it
board        show the board again
save FILE    write the game to a file (PGN); if there is one, you are asked first at a terminal, and
             in a pipe it is not replaced
load FILE    continue the first game of a file; FILE#N: game N
new          begin another game
level N      set the strength of the engine: 0 to 21
as SIDE      set the sides played by people: white, black, both or none
resign       resign the game
quit, q      leave; at a terminal you are asked first if the game is not saved, in a pipe you are not";

impl Typed {
    pub fn read(line: &str) -> Typed {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let path = rest.into();
        let command = match word.to_ascii_lowercase().as_str() {
            "save" | "load" if rest.is_empty() => {
                let message = format!("{word}: expected a file, as in {word} FILE");
                return Typed::Wrong(message);
            }
            "save" => return Typed::Save(path),
            "load" => return Typed::Load(path),
            "level" => {
                let level = rest.parse().ok().filter(|&level| level <= PERFECT_LEVEL);
                return match level {
                    Some(level) => Typed::Level(level),
                    None => Typed::Wrong(format!(
                        "level: expected 0 to {PERFECT_LEVEL}, as in level 5"
                    )),
                };
            }
            "as" => {
                return match Player::from_name(&rest.to_ascii_lowercase()) {
                    Some(player) => Typed::As(player),
                    None => Typed::Wrong("as: expected white, black, both or none".to_owned()),
                };
            }
            "" => Typed::Nothing,
            "undo" => Typed::TakeBack,
            "redo" => Typed::Redo,
            "hint" => Typed::Hint,
            "review" => Typed::Review,
            "moves" => Typed::Moves,
            "board" => Typed::Board,
            "new" => Typed::New,
            "resign" => Typed::Resign,
            "approach" | "a" => Typed::Capture(Capture::Approach),
            "withdrawal" | "w" => Typed::Capture(Capture::Withdrawal),
            "help" | "?" => Typed::Help,
            "quit" | "exit" | "q" => Typed::Quit,
            _ => return Typed::Turn(line.to_owned()),
        };
        match rest {
            "" => command,
            _ => Typed::Wrong(format!("nothing may follow {word}")),
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
        let wrong = |text: &str| Typed::Wrong(text.to_owned());
        for (line, command) in [
            ("", Typed::Nothing),
            ("  f2-e3A ", Typed::Turn("f2-e3A".to_owned())),
            ("UNDO", Typed::TakeBack),
            ("save my game.pgn", Typed::Save("my game.pgn".into())),
            ("load x", Typed::Load("x".into())),
            ("?", Typed::Help),
            ("q", Typed::Quit),
            // An answer to a question that is asked no longer.
            ("y", Typed::Turn("y".to_owned())),
            ("Exit", Typed::Quit),
            ("w", Typed::Capture(Capture::Withdrawal)),
            ("save", wrong("save: expected a file, as in save FILE")),
            ("quit now", wrong("nothing may follow quit")),
            ("level 21", Typed::Level(21)),
            ("level 22", wrong("level: expected 0 to 21, as in level 5")),
            ("as Black", Typed::As(Player::Black)),
            ("as", wrong("as: expected white, black, both or none")),
        ] {
            let [read, command] = [Typed::read(line), command].map(|it| format!("{it:?}"));
            assert_eq!(read, command, "{line}");
        }
    }

    #[test]
    fn the_help_has_every_command() {
        let words = "undo redo hint moves board save load new resign level as quit";
        let example = HELP.split(' ').next().unwrap_or_default();
        let telo = vato_engine::rules::parse_rules("telo").expect("rules");
        assert!(vato_engine::notation::parse_path(example, telo.board).is_ok());
        for word in words.split(' ') {
            assert!(HELP.contains(word), "{word}");
            assert!(!matches!(Typed::read(word), Typed::Turn(_)));
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

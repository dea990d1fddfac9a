//! What can be typed on a line.

use std::path::PathBuf;

/// A line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlainCommand {
    /// Nothing.
    Nothing,
    /// A move, right or wrong.
    Turn(String),
    /// Take back.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// The best move.
    Hint,
    /// The legal moves.
    Moves,
    /// The board once more.
    Board,
    /// Write the game to a file.
    Save(PathBuf),
    /// Read a game from a file.
    Load(PathBuf),
    /// Begin another game.
    New,
    /// Give up.
    Resign,
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
    /// A command that needs a file and has none, or has too much.
    Wrong(String),
}

/// What can be typed, for people.
pub const HELP: &str = "\
f2-e3A       play a move: origin, then for each step the point it leads to and A (approach) or
             W (withdrawal); f2e3a is understood, too
moves        list the legal moves
hint         show the best move
undo, redo   take the last move back (with the engine's answer), or play it again
board        show the board again
save FILE    write the game to a file (PGN); if there is one, you are asked first at a terminal, and
             in a pipe it is not replaced
load FILE    go on with the first game of a file
new          begin another game
resign       give the game up
quit         leave; at a terminal you are asked first if the game is not saved, in a pipe you are not";

impl PlainCommand {
    /// Reads a line.
    pub fn read(line: &str) -> PlainCommand {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |command: fn(PathBuf) -> PlainCommand| match rest {
            "" => PlainCommand::Wrong(format!("{word} wants a file: {word} FILE")),
            file => command(PathBuf::from(file)),
        };
        let alone = |command: PlainCommand| match rest {
            "" => command,
            _ => PlainCommand::Wrong(format!("nothing may follow {word}")),
        };
        match word.to_ascii_lowercase().as_str() {
            "" => PlainCommand::Nothing,
            "undo" => alone(PlainCommand::Undo),
            "redo" => alone(PlainCommand::Redo),
            "hint" => alone(PlainCommand::Hint),
            "moves" => alone(PlainCommand::Moves),
            "board" => alone(PlainCommand::Board),
            "save" => file(PlainCommand::Save),
            "load" => file(PlainCommand::Load),
            "new" => alone(PlainCommand::New),
            "resign" => alone(PlainCommand::Resign),
            "help" | "?" => alone(PlainCommand::Help),
            "quit" | "exit" => alone(PlainCommand::Quit),
            _ => PlainCommand::Turn(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, command) in [
            ("", PlainCommand::Nothing),
            ("  f2-e3A ", PlainCommand::Turn("f2-e3A".to_owned())),
            ("UNDO", PlainCommand::Undo),
            ("save my game.pgn", PlainCommand::Save("my game.pgn".into())),
            ("load x", PlainCommand::Load("x".into())),
            ("?", PlainCommand::Help),
            (
                "save",
                PlainCommand::Wrong("save wants a file: save FILE".to_owned()),
            ),
            (
                "quit now",
                PlainCommand::Wrong("nothing may follow quit".to_owned()),
            ),
        ] {
            assert_eq!(PlainCommand::read(line), command, "{line}");
        }
    }

    #[test]
    fn the_help_has_every_command() {
        for word in [
            "undo", "redo", "hint", "moves", "board", "save", "load", "new", "resign", "quit",
        ] {
            assert!(HELP.contains(word), "{word}");
            assert!(!matches!(PlainCommand::read(word), PlainCommand::Turn(_)));
        }
    }
}

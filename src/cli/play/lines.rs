//! A game line by line.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use vato_engine::notation::{Charset, diagram, format_move};
use vato_engine::rules::{Capture, legal_moves};
use vato_tools::play::{Effect, Input, Model, PERFECT_LEVEL, Player, SearchEvent, SearchThread};

use super::effects::{Consequence, carry_out};
use super::{Stopwatch, TICK, hint_text, player_name, time_text, turn_text};
use crate::cli::support::failure::{Context, Failure, print, stdout};
use crate::cli::support::in_order::read_ahead;
use crate::cli::visible;
use vato_engine::engine::Settings;

pub fn run(
    model: Model,
    effects: Vec<Effect>,
    engine: Settings,
    charset: Charset,
) -> Result<(), Failure> {
    let (sender, searches) = channel();
    let mut table = LineGame {
        model,
        engine: SearchThread::spawn(engine, move |id, said| {
            // Sending fails only after the end of the game.
            let _ = sender.send((id, said));
        })
        .context("the session failed")?,
        searches,
        lines: None,
        charset,
        watch: Stopwatch::start()?,
        // A terminal echoes the input itself.
        echo: !io::stdin().is_terminal(),
    };
    table.show_notice()?;
    table.show_board()?;
    let played = table.model.turns.len();
    table.follow(effects)?;
    if table.model.turns.len() > played {
        table.show_board()?;
    }
    table.show_status()?;
    while let Some(line) = table.ask("> ")? {
        if !table.obey(Typed::read(&line))? {
            break;
        }
    }
    Ok(())
}

struct LineGame {
    model: Model,
    engine: SearchThread,
    searches: Receiver<(u64, SearchEvent)>,
    /// The lines typed, listened to on first use: a program that reads from its terminal needlessly cannot run in the
    /// background.
    lines: Option<Receiver<io::Result<String>>>,
    charset: Charset,
    /// Measures the time not yet reported to the model.
    watch: Stopwatch,
    echo: bool,
}

impl LineGame {
    /// Asks the person for a line; `None` at the end of input. If a flag falls meanwhile, this is reported.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        print(prompt)?;
        loop {
            let wait = self.time_to_wait();
            let lines = match &self.lines {
                Some(lines) => lines,
                None => self.lines.insert(typed_lines()?),
            };
            let typed = match lines.recv_timeout(wait) {
                Ok(line) => Ok(line.map_err(Failure::cannot_read("standard input"))?),
                Err(none) => Err(none),
            };
            let was_over = self.model.ending().is_some();
            let effects = self.pass_time();
            self.follow(effects)?;
            let has_ended = self.model.ending().is_some() && !was_over;
            // The prompt's line is ended first.
            match &typed {
                Ok(line) if self.echo => writeln!(stdout(), "{}", visible(line))?,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if !has_ended => continue,
                Err(_) => writeln!(stdout())?,
            }
            if has_ended {
                self.show_status()?;
            }
            match typed {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => print(prompt)?,
            }
        }
    }

    /// How long to wait for input: up to the next tick if a clock runs or the engine thinks, else without
    /// limit.
    fn time_to_wait(&self) -> Duration {
        match (self.model.time_to_flag(), &self.model.thinking) {
            (Some(time), _) => time.saturating_sub(self.watch.elapsed()).min(TICK),
            (None, Some(_)) => TICK,
            (None, None) => Duration::MAX,
        }
    }

    /// Executes a command; returns false if the program is to end.
    fn obey(&mut self, command: Typed) -> Result<bool, Failure> {
        match command {
            // After a failure of the engine an empty line makes it try again.
            Typed::Nothing if self.model.paused => self.change(Input::TogglePause)?,
            Typed::Nothing => {}
            Typed::Quit => return Ok(!self.may_leave_game()?),
            Typed::Help => writeln!(stdout(), "{HELP}")?,
            Typed::Wrong(text) => writeln!(stdout(), "{text}")?,
            Typed::Board => {
                self.show_board()?;
                self.show_status()?;
            }
            Typed::Moves => self.show_moves()?,
            Typed::Input(Input::Hint) => {
                self.take(Input::Hint)?;
                match &self.model.hint {
                    Some(hint) => writeln!(stdout(), "{}", hint_text(&self.model, hint))?,
                    // The flag fell while the person was asked.
                    None if self.model.ending().is_some() => self.show_status()?,
                    None => {}
                }
            }
            Typed::Input(input @ (Input::Review | Input::Save { .. })) => self.take(input)?,
            Typed::Input(Input::Turn(text)) if !begins_with_point(&text) => {
                let word: String = text.chars().take(40).collect();
                writeln!(
                    stdout(),
                    "'{}' is neither a move nor a command; help lists them",
                    visible(&word)
                )?;
            }
            Typed::Input(Input::NewGame | Input::Open(_)) if !self.may_leave_game()? => {}
            Typed::Input(input) => self.change(input)?,
        }
        Ok(true)
    }

    /// Whether the game may be left: on a terminal the person is asked if it is unsaved; a script is not.
    fn may_leave_game(&mut self) -> Result<bool, Failure> {
        if self.echo || !self.model.is_unsaved() {
            return Ok(true);
        }
        self.confirm("The game is not saved. Give it up? (y/n) ")
    }

    fn confirm(&mut self, question: &str) -> Result<bool, Failure> {
        let answer = self.ask(question)?.unwrap_or_default();
        Ok(answer.trim().to_ascii_lowercase().starts_with('y'))
    }

    /// Applies an input that changes the position, and shows the new position if it did.
    fn change(&mut self, input: Input) -> Result<(), Failure> {
        self.take(input)?;
        if self.model.is_asking() || self.model.notice().is_some_and(|notice| notice.is_error) {
            return Ok(());
        }
        self.show_board()?;
        self.show_status()
    }

    /// Applies an input and its effects, until it is the person's turn again, and shows what is said of it.
    fn take(&mut self, input: Input) -> Result<(), Failure> {
        let effects = self.tell(input);
        self.follow(effects)?;
        self.show_notice()
    }

    /// Applies an input after reporting the elapsed time.
    fn tell(&mut self, input: Input) -> Vec<Effect> {
        let mut effects = self.pass_time();
        effects.extend(self.model.update(input));
        effects
    }

    fn pass_time(&mut self) -> Vec<Effect> {
        let time = self.watch.take();
        self.model.update(Input::Elapsed(time))
    }

    fn follow(&mut self, effects: Vec<Effect>) -> Result<(), Failure> {
        let mut effects = VecDeque::from(effects);
        loop {
            while let Some(effect) = effects.pop_front() {
                match carry_out(&mut self.engine, effect) {
                    None => {}
                    Some(Consequence::Input(input)) => effects.extend(self.tell(input)),
                    Some(Consequence::Page(lines)) => {
                        for line in lines {
                            writeln!(stdout(), "{line}")?;
                        }
                    }
                    // A script does not expect a question; its next line is not an answer.
                    Some(Consequence::MayReplace(path)) if self.echo => {
                        let text = format!(
                            "{} exists already, and stays as it is: save to another file",
                            path.display()
                        );
                        effects.extend(self.tell(Input::Failed(text)));
                    }
                    Some(Consequence::MayReplace(path)) => {
                        let question = format!("{} exists. Replace it? (y/n) ", path.display());
                        let input = match self.confirm(&visible(&question))? {
                            true => Input::Save {
                                path,
                                replace: true,
                            },
                            false => Input::Failed("not saved".to_owned()),
                        };
                        effects.extend(self.tell(input));
                    }
                }
            }
            if self.model.thinking.is_none() {
                return Ok(());
            }
            let (id, event) = match self.searches.recv_timeout(self.time_to_wait()) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout) => {
                    effects.extend(self.pass_time());
                    continue;
                }
                // The engine reports the end of every search.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let played = self.model.turns.len();
            effects.extend(self.tell(Input::Search { id, event }));
            for turn in self.model.turns.iter().skip(played) {
                let side = turn.before.side();
                let text = turn_text(&self.model, turn);
                writeln!(
                    stdout(),
                    "{side} ({}) plays {text}",
                    player_name(&self.model, side)
                )?;
            }
        }
    }

    fn show_board(&self) -> Result<(), Failure> {
        let game = &self.model.game;
        print(diagram(game.position(), game.rules().board, self.charset))
    }

    /// Prints whose turn it is, or how the game ended.
    fn show_status(&self) -> Result<(), Failure> {
        let (mut out, side) = (stdout(), self.model.side());
        match (self.model.ending(), self.model.time_left(side)) {
            (Some(ending), _) => writeln!(out, "The game is over. {ending}")?,
            _ if self.model.paused => writeln!(out, "{side} to move; an empty line goes on")?,
            (None, Some(time)) => writeln!(out, "{side} to move, {} left", time_text(time))?,
            (None, None) => writeln!(out, "{side} to move")?,
        }
        Ok(())
    }

    fn show_notice(&self) -> Result<(), Failure> {
        if let Some(notice) = self.model.notice() {
            writeln!(stdout(), "{}", visible(&notice.text))?;
        }
        Ok(())
    }

    fn show_moves(&self) -> Result<(), Failure> {
        let game = &self.model.game;
        let (rules, position) = (game.rules(), game.position());
        let mut out = stdout();
        if self.model.ending().is_some() {
            return Ok(writeln!(out, "the game is over")?);
        }
        let mut texts: Vec<String> = legal_moves(rules, position)
            .iter()
            .filter_map(|&mv| format_move(rules, position, mv))
            .collect();
        texts.sort_unstable();
        for text in texts {
            writeln!(out, "{text}")?;
        }
        Ok(())
    }
}

fn begins_with_point(text: &str) -> bool {
    let mut begin = text.strip_prefix(['x', 'X']).unwrap_or(text).chars();
    begin.next().is_some_and(|file| file.is_ascii_alphabetic())
        && begin.next().is_some_and(|rank| rank.is_ascii_digit())
}

#[derive(Debug)]
enum Typed {
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

const HELP: &str = "\
f2-e3A       play a move: origin, then for each step the point it leads to and A (approach) or
             W (withdrawal); f2e3a is understood, too, and f2e3 where it can be one move only
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
    fn read(line: &str) -> Typed {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let path = rest.into();
        let command = match word.to_ascii_lowercase().as_str() {
            "save" | "s" | "load" | "l" if rest.is_empty() => {
                let message = format!("{word}: expected a file, as in {word} FILE");
                return Typed::Wrong(message);
            }
            "save" | "s" => {
                return Typed::Input(Input::Save {
                    path,
                    replace: false,
                });
            }
            "load" | "l" => return Typed::Input(Input::Open(path)),
            "level" => {
                let level = rest.parse().ok().filter(|&level| level <= PERFECT_LEVEL);
                return match level {
                    Some(level) => Typed::Input(Input::Level(level)),
                    None => Typed::Wrong(format!(
                        "level: expected 0 to {PERFECT_LEVEL}, as in level 5"
                    )),
                };
            }
            "as" => {
                return match Player::from_name(&rest.to_ascii_lowercase()) {
                    Some(player) => Typed::Input(Input::Players(player)),
                    None => Typed::Wrong("as: expected white, black, both or none".to_owned()),
                };
            }
            "" => Typed::Nothing,
            "undo" | "u" => Typed::Input(Input::TakeBack),
            "redo" | "r" => Typed::Input(Input::Redo),
            "hint" | "t" => Typed::Input(Input::Hint),
            "review" | "y" => Typed::Input(Input::Review),
            "moves" => Typed::Moves,
            "board" => Typed::Board,
            "new" | "n" => Typed::Input(Input::NewGame),
            "resign" => Typed::Input(Input::Resign),
            "approach" | "a" => Typed::Input(Input::Capture(Capture::Approach)),
            "withdrawal" | "w" => Typed::Input(Input::Capture(Capture::Withdrawal)),
            "help" | "?" => Typed::Help,
            "quit" | "exit" | "q" => Typed::Quit,
            _ => return Typed::Input(Input::Turn(line.to_owned())),
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
fn typed_lines() -> Result<Receiver<io::Result<String>>, Failure> {
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
        let input = Typed::Input;
        let save = |path: &str| Input::Save {
            path: path.into(),
            replace: false,
        };
        for (line, command) in [
            ("", Typed::Nothing),
            ("  f2-e3A ", input(Input::Turn("f2-e3A".to_owned()))),
            ("UNDO", input(Input::TakeBack)),
            ("save my game.pgn", input(save("my game.pgn"))),
            ("load x", input(Input::Open("x".into()))),
            ("?", Typed::Help),
            ("q", Typed::Quit),
            ("Exit", Typed::Quit),
            ("w", input(Input::Capture(Capture::Withdrawal))),
            (
                "save",
                Typed::Wrong("save: expected a file, as in save FILE".to_owned()),
            ),
            (
                "quit now",
                Typed::Wrong("nothing may follow quit".to_owned()),
            ),
            ("level 21", input(Input::Level(21))),
            (
                "level 22",
                Typed::Wrong("level: expected 0 to 21, as in level 5".to_owned()),
            ),
            ("as Black", input(Input::Players(Player::Black))),
            (
                "as",
                Typed::Wrong("as: expected white, black, both or none".to_owned()),
            ),
        ] {
            let [read, command] = [Typed::read(line), command].map(|it| format!("{it:?}"));
            assert_eq!(read, command, "{line}");
        }
    }

    #[test]
    fn the_help_has_every_command() {
        for word in [
            "undo", "redo", "hint", "moves", "board", "save", "load", "new", "resign", "level",
            "as", "quit",
        ] {
            assert!(HELP.contains(word), "{word}");
            let read = Typed::read(word);
            assert!(!matches!(read, Typed::Input(Input::Turn(_))));
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

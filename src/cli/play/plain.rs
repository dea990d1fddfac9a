//! The plain mode: a game line by line, for pipes, scripts and line terminals.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use vato_engine::notation::{Charset, diagram, format_move};
use vato_engine::rules::legal_moves;
use vato_tools::play::{Effect, Input, Model, Player, SearchEvent, SearchThread};

use super::effects::{Consequence, carry_out};
use super::plain_input::{HELP, PlainCommand, typed_lines};
use super::stopwatch::{Stopwatch, TICK};
use super::{hint_text, player_name, spawn_engine, time_text, turn_text};
use crate::cli::support::failure::{Failure, print, stdout};
use crate::cli::visible;
use vato_engine::engine::Settings;

pub fn run(
    model: Model,
    effects: Vec<Effect>,
    engine: Settings,
    charset: Charset,
) -> Result<(), Failure> {
    let (sender, searches) = channel();
    let mut table = PlainGame {
        model,
        engine: spawn_engine(engine, sender, |id, said| (id, said))?,
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
    if table.model.settings.player == Player::Neither {
        return Ok(());
    }
    while let Some(line) = table.ask("> ")? {
        if !table.obey(PlainCommand::read(&line))? {
            break;
        }
    }
    Ok(())
}

struct PlainGame {
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

impl PlainGame {
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
    fn obey(&mut self, command: PlainCommand) -> Result<bool, Failure> {
        match command {
            // After a failure of the engine an empty line makes it try again.
            PlainCommand::Nothing if self.model.paused => self.change(Input::TogglePause)?,
            PlainCommand::Nothing => {}
            PlainCommand::Quit => return Ok(!self.may_leave_game()?),
            PlainCommand::Help => writeln!(stdout(), "{HELP}")?,
            PlainCommand::Wrong(text) => writeln!(stdout(), "{text}")?,
            PlainCommand::Board => {
                self.show_board()?;
                self.show_status()?;
            }
            PlainCommand::Moves => self.show_moves()?,
            PlainCommand::Input(Input::Hint) => {
                self.take(Input::Hint)?;
                match &self.model.hint {
                    Some(hint) => writeln!(stdout(), "{}", hint_text(&self.model, hint))?,
                    // The flag fell while the person was asked.
                    None if self.model.ending().is_some() => self.show_status()?,
                    None => {}
                }
            }
            PlainCommand::Input(input @ (Input::Review | Input::Save { .. })) => {
                self.take(input)?
            }
            PlainCommand::Input(Input::Turn(text)) if !begins_with_point(&text) => {
                let word: String = text.chars().take(40).collect();
                writeln!(
                    stdout(),
                    "'{}' is neither a move nor a command; help lists them",
                    visible(&word)
                )?;
            }
            PlainCommand::Input(Input::NewGame | Input::Open(_)) if !self.may_leave_game()? => {}
            PlainCommand::Input(input) => self.change(input)?,
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
        let is_asked = self.model.hand().is_some_and(|hand| hand.asking.is_some());
        if is_asked || self.model.notice().is_some_and(|notice| notice.is_error) {
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
            if self.model.turns.len() > played
                && let Some(turn) = self.model.turns.last()
            {
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
    let mut begin = text.chars();
    begin.next().is_some_and(|file| file.is_ascii_alphabetic())
        && begin.next().is_some_and(|rank| rank.is_ascii_digit())
}

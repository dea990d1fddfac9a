//! A running engine, ready to play.

use std::time::{Duration, Instant};

use super::inbox::Received;
use super::process::Process;
use super::{Fault, Searched, Trouble};
use crate::board::Move;
use crate::excerpt::printable;
use crate::notation::pgn::Termination;
use crate::protocol::{
    Answer, BestMove, Command, Dialect, GoCommand, Info, PositionCommand, SetOption,
};
use crate::rules::Rules;
use crate::stop::StopSignal;
use crate::tournament::settings::Patience;

/// The most characters of an engine's line that is quoted.
const QUOTED: usize = 300;

/// The most complaints of an engine that are kept.
const MOST_COMPLAINTS: usize = 8;

/// An engine that has been started and told its options.
#[derive(Debug)]
pub(in crate::tournament) struct Player {
    process: Process,
    dialect: Dialect,
    patience: Patience,
    stop: StopSignal,
    /// The move that it thinks about on the opponent's time.
    pondering: Option<Move>,
    /// Answers that nobody had asked for.
    stray_answers: u32,
    /// What it has complained of while it was not searching, the first few things.
    complaints: Vec<String>,
    /// The options that tell it each of the rules that it is to play, if they change.
    rules: Vec<(Rules, Vec<SetOption>)>,
}

impl Player {
    pub(super) fn new(
        process: Process,
        dialect: Dialect,
        patience: Patience,
        stop: StopSignal,
    ) -> Player {
        Player {
            process,
            dialect,
            patience,
            stop,
            pondering: None,
            stray_answers: 0,
            complaints: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// It can be told these rules by these options.
    pub(super) fn knows_rules(&mut self, rules: Vec<(Rules, Vec<SetOption>)>) {
        self.rules = rules;
    }

    /// The move that it thinks about on the opponent's time.
    pub(in crate::tournament) fn pondering(&self) -> Option<Move> {
        self.pondering
    }

    /// How often it has answered without being asked, since this was asked last.
    pub(in crate::tournament) fn take_stray_answers(&mut self) -> u32 {
        std::mem::take(&mut self.stray_answers)
    }

    /// What it has complained of while it was not searching, since this was asked last: the first
    /// few things.
    pub(in crate::tournament) fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Whether the process can still be spoken to, as far as it is known.
    pub(in crate::tournament) fn is_alive(&mut self) -> bool {
        self.process.wait(Duration::ZERO).is_none()
    }

    /// Announces a new game under `rules` and waits until the engine is ready for it.
    ///
    /// # Errors
    ///
    /// If it does not get ready.
    pub(in crate::tournament) fn new_game(&mut self, rules: &Rules) -> Result<(), Trouble> {
        self.pondering = None;
        let options = self.rules.iter().find(|(known, _)| known == rules);
        for option in options.map_or(&[][..], |(_, options)| options) {
            self.say_option(option.clone());
        }
        self.say(&Command::NewGame);
        self.synchronise(self.patience.start)
    }

    /// Lets the engine search and waits for its answer. `limit` is what it has until it has lost on
    /// time; `None` if no time limits it.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none that can be understood. A late answer is an answer.
    pub(in crate::tournament) fn search(
        &mut self,
        position: &PositionCommand,
        go: &GoCommand,
        limit: Option<Duration>,
    ) -> Result<Searched, Trouble> {
        self.prepare(position)?;
        let started = self.say_timed(&Command::Go(go.clone()));
        self.answer(started, limit)
    }

    /// Lets the engine think on the opponent's time, `position` being the one after the expected
    /// reply `expected`.
    ///
    /// # Errors
    ///
    /// If it is not ready to.
    pub(in crate::tournament) fn ponder(
        &mut self,
        position: &PositionCommand,
        go: &GoCommand,
        expected: Move,
    ) -> Result<(), Trouble> {
        self.prepare(position)?;
        self.say(&Command::Go(GoCommand {
            ponder: true,
            ..go.clone()
        }));
        self.pondering = Some(expected);
        Ok(())
    }

    /// The expected reply was played: from now on the engine thinks on its own time.
    ///
    /// # Errors
    ///
    /// As [`Player::search`].
    pub(in crate::tournament) fn ponder_hit(
        &mut self,
        limit: Option<Duration>,
    ) -> Result<Searched, Trouble> {
        self.pondering = None;
        let started = self.say_timed(&Command::PonderHit);
        self.answer(started, limit)
    }

    /// Another reply was played, or the game is over: ends the thinking on the opponent's time, if
    /// there is any.
    ///
    /// # Errors
    ///
    /// If the engine does not answer.
    pub(in crate::tournament) fn stop_pondering(&mut self) -> Result<(), Trouble> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        let started = self.say_timed(&Command::Stop);
        match self.answer(started, Some(self.patience.hang)) {
            // Nobody wants this answer: what it says does not matter.
            Err(Trouble::Fault(fault)) if fault.termination == Termination::UnparsableAnswer => {
                Ok(())
            }
            answer => answer.map(drop),
        }
    }

    /// Asks the engine to leave; it is killed when it is dropped.
    pub(in crate::tournament) fn ask_to_quit(&mut self) {
        self.process.ask_to_quit(Command::Quit.to_string());
    }

    /// Waits for the end of the process, at most so long; tells whether it has come.
    pub(in crate::tournament) fn has_quit(&mut self, most: Duration) -> bool {
        self.process.wait(most).is_some()
    }

    /// The position goes out when the engine has shown that it listens, and that nothing it still
    /// says belongs to another search.
    fn prepare(&mut self, position: &PositionCommand) -> Result<(), Trouble> {
        self.synchronise(self.patience.hang)?;
        self.say(&Command::Position(position.clone()));
        Ok(())
    }

    /// Sets an option; the engine is not waited for.
    pub(in crate::tournament) fn say_option(&self, option: SetOption) {
        self.say(&Command::SetOption(option));
    }

    fn say(&self, command: &Command) {
        self.process
            .send(command.in_dialect(self.dialect).to_string());
    }

    /// Says something that starts a clock; tells when it was said.
    fn say_timed(&self, command: &Command) -> Instant {
        let now = Instant::now();
        self.process
            .send_timed(command.in_dialect(self.dialect).to_string());
        now
    }

    /// Waits for `readyok` and drops what was said before it.
    pub(super) fn synchronise(&mut self, patience: Duration) -> Result<(), Trouble> {
        self.say(&Command::IsReady);
        let until = Instant::now() + patience;
        loop {
            let line = self.line_in_time(until)?.ok_or_else(|| {
                Trouble::Fault(Fault {
                    termination: Termination::Hang,
                    what: format!(
                        "did not answer 'isready' within {} s",
                        patience.as_secs_f64()
                    ),
                    line: None,
                })
            })?;
            match first_word(&line.text) {
                "readyok" => return Ok(()),
                "bestmove" => self.stray_answers = self.stray_answers.saturating_add(1),
                _ => {
                    if let Some(complaint) = line.text.strip_prefix("info string error ")
                        && self.complaints.len() < MOST_COMPLAINTS
                    {
                        self.complaints.push(printable(complaint, QUOTED));
                    }
                }
            }
        }
    }

    /// The next line, `None` if it comes later than that: an engine that floods its output is never
    /// silent.
    pub(super) fn line_in_time(
        &mut self,
        until: Instant,
    ) -> Result<Option<super::inbox::Line>, Trouble> {
        Ok(self.line(until)?.filter(|line| line.at <= until))
    }

    /// The next line, `None` if there is none until then.
    pub(super) fn line(&mut self, until: Instant) -> Result<Option<super::inbox::Line>, Trouble> {
        let stop = self.stop.clone();
        match self.process.next_line(until, &move || stop.is_now()) {
            Received::Line(line) => Ok(Some(line)),
            Received::Nothing => Ok(None),
            Received::Stopped => Err(Trouble::Interrupted),
            Received::Closed => Err(Trouble::Fault(Fault {
                termination: Termination::Crash,
                what: format!("crashed: {}", self.process.obituary()),
                line: None,
            })),
        }
    }

    /// Waits for `bestmove`. When the time is over the engine is told to stop, and has the patience
    /// for a hang to obey.
    fn answer(&mut self, started: Instant, limit: Option<Duration>) -> Result<Searched, Trouble> {
        let mut told = Told::default();
        let mut until = started + limit.unwrap_or(self.patience.long_move);
        let mut stopped = false;
        loop {
            let Some(line) = self.line(until)? else {
                if stopped {
                    return Err(Trouble::Fault(self.silence(started, &told)));
                }
                self.say(&Command::Stop);
                stopped = true;
                until = Instant::now() + self.patience.hang;
                continue;
            };
            // An engine that floods its output is never silent, but its time ends all the same.
            if line.at >= until {
                if stopped {
                    return Err(Trouble::Fault(self.silence(started, &told)));
                }
                if first_word(&line.text) != "bestmove" {
                    self.say(&Command::Stop);
                    stopped = true;
                    until = Instant::now() + self.patience.hang;
                }
            }
            if let Some(best) = told.take(&line.text)? {
                return Ok(Searched {
                    best,
                    line: printable(&line.text, QUOTED),
                    elapsed: line
                        .at
                        .saturating_duration_since(self.process.written_since(started)),
                    info: told.scored,
                    pv: told.pv,
                    bad_info: told.bad_info,
                });
            }
        }
    }

    fn silence(&self, started: Instant, told: &Told) -> Fault {
        Fault {
            termination: Termination::Hang,
            what: format!(
                "hangs: no bestmove after {:.1} s, 'stop' not obeyed",
                started.elapsed().as_secs_f64()
            ),
            line: told.last.clone(),
        }
    }
}

/// What an engine has told in a search so far.
#[derive(Default)]
struct Told {
    scored: Option<Info>,
    pv: Vec<String>,
    bad_info: Option<String>,
    /// The last line, whatever it was.
    last: Option<String>,
}

impl Told {
    /// Takes a line in; the answer if this is it.
    fn take(&mut self, text: &str) -> Result<Option<BestMove>, Trouble> {
        match first_word(text) {
            "bestmove" => match text.parse() {
                Ok(Answer::BestMove(best)) => return Ok(Some(best)),
                Ok(_) => {}
                Err(error) => {
                    return Err(Trouble::Fault(Fault {
                        termination: Termination::UnparsableAnswer,
                        what: format!("gave an answer that cannot be read: {error}"),
                        line: Some(printable(text, QUOTED)),
                    }));
                }
            },
            "info" => match text.parse() {
                Ok(Answer::Info(info)) => self.take_info(info),
                Ok(_) => {}
                Err(error) => {
                    self.bad_info = Some(format!("{error}: {}", printable(text, QUOTED)));
                }
            },
            _ => {}
        }
        self.last = Some(printable(text, QUOTED));
        Ok(None)
    }

    fn take_info(&mut self, mut info: Info) {
        if info.multipv.is_some_and(|rank| rank != 1) {
            return;
        }
        if !info.pv.is_empty() {
            self.pv = std::mem::take(&mut info.pv);
        }
        if info.score.is_some() {
            self.scored = Some(info);
        } else if let Some(scored) = &mut self.scored {
            // Many engines end with a line of nodes and time alone.
            scored.nodes = info.nodes.or(scored.nodes);
            scored.time = info.time.or(scored.time);
        }
    }
}

pub(super) fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

//! A running engine, ready to play.

use std::time::{Duration, Instant};

use super::inbox::{Line, Received};
use super::process::Process;
use crate::answers::read_answer;
use crate::stop::StopSignal;
use crate::tournament::settings::Timeouts;
use vato_engine::board::Move;
use vato_engine::protocol::{
    Answer, BestMove, Command, Dialect, GoCommand, Info, PositionCommand, SetOption,
};
use vato_engine::rules::Rules;
use vato_engine::text::printable;
use vato_records::pgn::Termination;

/// The most characters of an engine's line that is quoted.
const QUOTED: usize = 300;

#[derive(Clone, Debug)]
pub(crate) struct SearchAnswer {
    pub(crate) best: BestMove,
    pub(crate) line: String,
    /// From the command to its answer.
    pub(crate) elapsed: Duration,
    pub(crate) reports: Reports,
}

/// The `info` lines of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reports {
    /// The last one with a score (of the best line).
    pub(crate) scored: Option<Info>,
    /// The last line of play.
    pub(crate) pv: Vec<String>,
    /// An unreadable line, and what is wrong with it.
    pub(crate) bad: Option<String>,
    /// The last line, whatever it was.
    last: Option<String>,
}

impl SearchAnswer {
    pub(crate) fn fault(&self, termination: Termination, what: String) -> Trouble {
        Trouble::Fault(termination, what, Some(self.line.clone()))
    }
}

/// Why an exchange with an engine failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A fault that costs the engine the game: of which kind, the end of a sentence that begins with the engine's name,
    /// and the line that shows it.
    Fault(Termination, String, Option<String>),
    Interrupted,
}

/// An engine that has started and has its options.
#[derive(Debug)]
pub(crate) struct Player {
    pub(super) process: Process,
    pub(super) dialect: Dialect,
    pub(super) timeouts: Timeouts,
    pub(super) stop: StopSignal,
    /// The move that it thinks about on the opponent's time.
    pub(crate) pondering: Option<Move>,
    /// Whether it has to be started anew.
    pub(crate) is_broken: bool,
    /// Answers without a search.
    pub(crate) stray_answers: u32,
    /// Its first `info string error` line outside of searches.
    pub(super) complaint: Option<String>,
    /// The options that tell it each of the rules that it is to play, if they change.
    pub(super) rules: Vec<(Rules, Vec<SetOption>)>,
}

impl Player {
    /// Announces a new game under `rules` and waits until the engine is ready for it.
    pub(crate) fn new_game(&mut self, rules: &Rules) -> Result<(), Trouble> {
        self.pondering = None;
        let options = self.rules.iter().find(|(known, _)| known == rules);
        for option in options.map_or(&[][..], |(_, options)| options) {
            self.say_option(option.clone());
        }
        self.say(&Command::NewGame);
        self.synchronise(self.timeouts.start)
    }

    /// Lets the engine search and waits for its answer. `limit` is what it has until it has lost on
    /// time; `None` if no time limits it. A late answer is an answer. `watch` is told each report on the best line,
    /// and the time since the command.
    pub(crate) fn search(
        &mut self,
        position: &PositionCommand,
        go: &GoCommand,
        limit: Option<Duration>,
        watch: &mut dyn FnMut(&Info, Duration),
    ) -> Result<SearchAnswer, Trouble> {
        self.prepare(position)?;
        // What it has said before the command is no answer to it.
        let now = Instant::now();
        while let Some(line) = self.line_in_time(now)? {
            self.take_early(&line.text);
        }
        let started = self.say_timed(&Command::Go(go.clone()));
        self.answer(started, limit, watch)
    }

    /// Lets the engine think on the opponent's time about the position after the reply `expected`.
    pub(crate) fn ponder(
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
    pub(crate) fn ponder_hit(&mut self, limit: Option<Duration>) -> Result<SearchAnswer, Trouble> {
        self.pondering = None;
        let started = self.say_timed(&Command::PonderHit);
        self.answer(started, limit, &mut |_, _| ())
    }

    /// Another reply was played, or the game is over: ends the thinking on the opponent's time.
    pub(crate) fn stop_pondering(&mut self) -> Result<(), Trouble> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        // Its time is over, so it is told to stop.
        match self.answer(Instant::now(), Some(Duration::ZERO), &mut |_, _| ()) {
            // The answer is discarded, so that its content does not matter.
            Err(Trouble::Fault(Termination::UnparsableAnswer, ..)) => Ok(()),
            answer => answer.map(drop),
        }
    }

    pub(crate) fn ask_to_quit(&mut self) {
        self.process.ask_to_quit(Command::Quit.to_string());
    }

    /// Whether the process has exited; waits for that at most so long.
    pub(crate) fn has_quit(&mut self, most: Duration) -> bool {
        self.process.wait(most).is_some()
    }

    /// Sends the position after `readyok`, so that no line of an earlier search counts for the next.
    fn prepare(&mut self, position: &PositionCommand) -> Result<(), Trouble> {
        self.synchronise(self.timeouts.hang)?;
        self.say(&Command::Position(position.clone()));
        Ok(())
    }

    pub(crate) fn say_option(&self, option: SetOption) {
        self.say(&Command::SetOption(option));
    }

    fn say(&self, command: &Command) {
        let text = command.in_dialect(self.dialect).to_string();
        self.process.send(text, false);
    }

    /// Sends a command that starts a clock; returns when.
    fn say_timed(&self, command: &Command) -> Instant {
        let now = Instant::now();
        let text = command.in_dialect(self.dialect).to_string();
        self.process.send(text, true);
        now
    }

    /// Waits for `readyok` and drops all lines before it.
    pub(super) fn synchronise(&mut self, timeout: Duration) -> Result<(), Trouble> {
        self.say(&Command::IsReady);
        let until = Instant::now() + timeout;
        loop {
            let Some(line) = self.line_in_time(until)? else {
                let seconds = timeout.as_secs_f64();
                let what = format!("did not answer 'isready' within {seconds} s");
                return Err(Trouble::Fault(Termination::Hang, what, None));
            };
            if first_word(&line.text) == "readyok" {
                return Ok(());
            }
            self.take_early(&line.text);
        }
    }

    /// Takes note of a line that comes without a search.
    pub(super) fn take_early(&mut self, text: &str) {
        if first_word(text) == "bestmove" {
            self.stray_answers = self.stray_answers.saturating_add(1);
        } else if let Some(complaint) = text.strip_prefix("info string error ") {
            let told = || printable(complaint, QUOTED);
            self.complaint.get_or_insert_with(told);
        }
    }

    /// The next line, `None` if it comes later: an engine that floods its output is never silent.
    pub(super) fn line_in_time(&mut self, until: Instant) -> Result<Option<Line>, Trouble> {
        Ok(self.line(until)?.filter(|line| line.at <= until))
    }

    /// The next line, `None` if there is none until then.
    fn line(&mut self, until: Instant) -> Result<Option<Line>, Trouble> {
        match self.process.next_line(until, &self.stop) {
            Received::Line(line) => Ok(Some(line)),
            Received::Nothing => Ok(None),
            Received::Stopped => Err(Trouble::Interrupted),
            Received::Closed => {
                let what = format!("crashed: {}", self.process.exit_status());
                Err(Trouble::Fault(Termination::Crash, what, None))
            }
        }
    }

    /// Waits for `bestmove`. When the time is over the engine is told to stop, and has the timeout
    /// for a hang to obey.
    fn answer(
        &mut self,
        started: Instant,
        limit: Option<Duration>,
        watch: &mut dyn FnMut(&Info, Duration),
    ) -> Result<SearchAnswer, Trouble> {
        let mut reports = Reports::default();
        let limit = limit.unwrap_or(self.timeouts.long_move);
        let mut until = started + limit;
        let mut stopped = false;
        loop {
            let line = self.line(until)?;
            // An engine that floods its output is never silent, but its time ends all the same.
            if line.as_ref().is_none_or(|line| line.at >= until) {
                if stopped {
                    let seconds = started.elapsed().as_secs_f64();
                    let what =
                        format!("hangs: no bestmove after {seconds:.1} s, 'stop' not obeyed");
                    return Err(Trouble::Fault(Termination::Hang, what, reports.last));
                }
                // Its time runs from when the command went out: told to stop before it is over, an
                // engine that waits for that would not be late.
                let end = self.process.written_since(started) + limit;
                let is_answer = |line: &Line| first_word(&line.text) == "bestmove";
                if end > until {
                    until = end;
                } else if !line.as_ref().is_some_and(is_answer) {
                    self.say(&Command::Stop);
                    stopped = true;
                    until = Instant::now() + self.timeouts.hang;
                }
            }
            let Some(line) = line else {
                continue;
            };
            let written = self.process.written_since(started);
            let elapsed = line.at.saturating_duration_since(written);
            if let Some(best) = reports.take(&line.text, &mut |info| watch(info, elapsed))? {
                return Ok(SearchAnswer {
                    best,
                    line: printable(&line.text, QUOTED),
                    elapsed,
                    reports,
                });
            }
        }
    }
}

impl Reports {
    /// Processes a line; returns the answer if it is `bestmove`.
    fn take(
        &mut self,
        text: &str,
        watch: &mut dyn FnMut(&Info),
    ) -> Result<Option<BestMove>, Trouble> {
        let word = first_word(text);
        if ["bestmove", "info"].contains(&word) {
            match read_answer(text) {
                Ok(Answer::BestMove(best)) => return Ok(Some(best)),
                Ok(Answer::Info(info)) => self.take_info(info, watch),
                Ok(_) => {}
                Err(error) if word == "info" => {
                    self.bad = Some(format!("{error}: {}", printable(text, QUOTED)));
                }
                Err(error) => {
                    let what = format!("gave an answer that cannot be read: {error}");
                    let line = Some(printable(text, QUOTED));
                    return Err(Trouble::Fault(Termination::UnparsableAnswer, what, line));
                }
            }
        }
        self.last = Some(printable(text, QUOTED));
        Ok(None)
    }

    fn take_info(&mut self, mut info: Info, watch: &mut dyn FnMut(&Info)) {
        if info.multipv.is_some_and(|rank| rank != 1) {
            return;
        }
        watch(&info);
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

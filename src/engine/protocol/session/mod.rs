//! A session: the event loop, and the order in which commands are handled.
//!
//! # Order
//!
//! Commands are handled in the order received, with these exceptions:
//!
//! - While a *search* runs, queries are answered at once; a command that changes the game or the engine is
//!   *deferred* until the search has ended. A `go` stops the search and is deferred behind earlier commands.
//! - While other *work* runs (allocation for an option, perft, the benchmark), and while a `wait` is in
//!   force, all commands are *held* unprocessed, except for the few that must act at once.
//!
//! Deferred commands were received before held ones.

mod commands;
mod searching;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use self::searching::RunningSearch;
use super::Dialect;
use super::answer::Answer;
use super::command::{Command, PositionCommand};
use super::go::GoCommand;
use super::lines::{Incoming, TrafficDirection, Writer};
use super::words::ParseError;
use crate::engine::Engine;
use crate::instant::Instant;
use crate::search::Control;

/// Time that `quit` waits for an option that is being applied.
const PATIENCE: Duration = Duration::from_millis(50);

pub(super) struct Session<W> {
    writer: Writer<W>,
    engine: Engine,
    dialect: Dialect,
    debug: bool,
    running: Option<Running>,
    /// Commands waiting for the end of the search.
    deferred: VecDeque<Input>,
    /// Unprocessed commands.
    held: VecDeque<Input>,
    /// Whether a `wait` is in force.
    waiting: bool,
    /// Whether `quit` was received: only pending answers are still printed.
    quitting: bool,
    /// Deadline of a `quit` received while an option is being applied.
    patience: Option<Instant>,
    /// Whether that deadline has passed: pending searches are answered without searching.
    hurried: bool,
    /// Whether an option has changed what the next search needs.
    unprepared: bool,
}

/// Current work of the engine.
enum Running {
    Search(Box<RunningSearch>),
    /// `perft` or `bench`.
    Count(&'static str),
    /// Applying an option.
    SetUp,
    /// Preparing a search; ends with `readyok`.
    GetReady,
}

/// A parsed line of input.
struct Input {
    command: Option<Command>,
    complaints: Vec<ParseError>,
    /// Time of receipt, or when a `wait` has ended: the clock of a `go` starts here, however long it is deferred.
    received: Instant,
    /// Whether it is the end of the input: a `quit` that lets perft and the benchmark finish.
    is_end: bool,
    /// Control of the work started by the command; created early, so that a later `stop` finds it.
    control: Arc<Control>,
}

impl<W: Write> Session<W> {
    pub(super) fn new(output: W, engine: Engine) -> Session<W> {
        Session {
            writer: Writer::new(output),
            engine,
            dialect: Dialect::default(),
            debug: false,
            running: None,
            deferred: VecDeque::new(),
            held: VecDeque::new(),
            waiting: false,
            quitting: false,
            patience: None,
            hurried: false,
            unprepared: true,
        }
    }

    /// Runs the session until `quit`. Nothing is left running on return.
    pub(super) fn run(mut self, inbox: &Receiver<Incoming>) -> io::Result<()> {
        // After `quit` a pending `bestmove` is still waited for.
        while !self.quitting || self.last_search().is_some() {
            let event = match self.alarm() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(end) => inbox.recv_timeout(end.saturating_duration_since(Instant::now())),
            };
            match event {
                Err(RecvTimeoutError::Timeout) => self.on_alarm(),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(Incoming::Input(line, received)) => {
                    let mut complaints = Vec::new();
                    let command = match &line {
                        Some(line) => {
                            self.writer.log(TrafficDirection::In, line);
                            Command::parse(line, &mut complaints)
                        }
                        None => Some(Command::Quit),
                    };
                    self.receive(Input {
                        command,
                        complaints,
                        received,
                        is_end: line.is_none(),
                        control: Arc::default(),
                    });
                }
                Ok(Incoming::Engine(event)) => self.on_engine_event(event),
            }
            self.execute_queued();
            self.writer.check()?;
        }
        Ok(())
    }

    /// When the session acts by itself: see [`Session::on_alarm`].
    fn alarm(&self) -> Option<Instant> {
        match &self.running {
            Some(Running::Search(search)) if search.is_counting => {
                search.limits.deadline(&search.control)
            }
            _ => self.patience,
        }
    }

    fn receive(&mut self, input: Input) {
        if self.quitting {
            return;
        }
        // These act at once on what is running. They are also queued: a search that is held before them is theirs too.
        match (&input.command, &self.running) {
            (Some(Command::SetOption(option)), Some(_)) => self.open_log(option),
            _ if !self.is_holding() => {}
            (Some(Command::Stop), _) => {
                self.stop();
                for held in &self.held {
                    if let Some(Command::Go(_)) = held.command {
                        held.control.stop();
                    }
                }
            }
            (Some(Command::PonderHit), _) => self.ponderhit(input.received),
            (Some(Command::IsReady), Some(Running::Search(_))) => {
                return self.writer.say(&Answer::ReadyOk);
            }
            _ => {}
        }
        self.held.push_back(input);
        self.limit_patience();
        if matches!(self.running, Some(Running::Count(_))) && self.is_to_be_stopped() {
            self.stop();
        }
    }

    /// Sets how long an option is waited for that is being applied while `quit` is held, unless a command before it
    /// must be handled.
    fn limit_patience(&mut self) {
        let quit =
            |input: &Input| matches!(input.command, Some(Command::Quit)).then_some(input.is_end);
        let Some(is_end) = self.held.iter().find_map(quit) else {
            return;
        };
        let mut queued = self.deferred.iter().chain(&self.held);
        let is_worth_waiting = queued.any(|input| match input.command {
            Some(Command::Wait) => true,
            Some(Command::Perft(_) | Command::Bench(_)) => is_end,
            _ => false,
        });
        if matches!(self.running, Some(Running::SetUp | Running::GetReady)) && !is_worth_waiting {
            self.patience
                .get_or_insert_with(|| Instant::now() + PATIENCE);
        }
    }

    /// Whether a held command stops perft or the benchmark.
    fn is_to_be_stopped(&self) -> bool {
        let first = self.held.iter().find_map(|input| match input.command {
            Some(Command::Wait) => Some(false),
            Some(Command::Stop) => Some(true),
            Some(Command::Quit) => Some(!input.is_end),
            _ => None,
        });
        first.unwrap_or(false)
    }

    /// Whether commands are held unprocessed.
    fn is_holding(&self) -> bool {
        match self.running {
            None => false,
            Some(Running::Search(_)) => self.waiting,
            Some(_) => true,
        }
    }

    /// Handles all commands that can be handled now.
    fn execute_queued(&mut self) {
        loop {
            if self.running.is_none() {
                if let Some(input) = self.deferred.pop_front() {
                    self.execute(input);
                    continue;
                }
                if std::mem::take(&mut self.waiting) {
                    self.restart_clocks();
                }
            }
            if self.is_holding() {
                return;
            }
            match self.held.pop_front() {
                Some(input) => self.execute(input),
                None => return,
            }
        }
    }

    /// The time of a search that was held back by `wait`, perft or the benchmark counts from now.
    fn restart_clocks(&mut self) {
        let now = Instant::now();
        let queued = self.deferred.iter_mut().chain(&mut self.held);
        queued.for_each(|input| input.received = now);
    }

    /// Handles a command; one that changes state or starts work is deferred while a search runs.
    fn execute(&mut self, mut input: Input) {
        let is_position = |complaint: &ParseError| matches!(complaint, ParseError::Wrong(what) if what.starts_with("position:"));
        let has_wrong_position = input.complaints.iter().any(is_position);
        // A wrong position is one all the same: it takes its turn.
        if self.running.is_some() && has_wrong_position {
            return self.put_off(input);
        }
        self.engine.current.is_stale |= has_wrong_position;
        // What is deferred has been told already.
        for complaint in std::mem::take(&mut input.complaints) {
            match complaint {
                ParseError::Surplus(..) if !self.debug => {}
                ParseError::Surplus(..) | ParseError::Unknown(_) => self.writer.note(complaint),
                ParseError::Wrong(_) => self.writer.error(complaint),
            }
        }
        let Some(command) = input.command else {
            return;
        };
        let searching = self.running.is_some();
        match command {
            Command::Handshake(dialect) => self.shake_hands(dialect),
            Command::IsReady if searching || !self.unprepared || self.hurried => {
                self.writer.say(&Answer::ReadyOk);
            }
            Command::IsReady => {
                self.unprepared = false;
                self.running = Some(Running::GetReady);
                self.limit_patience();
                self.engine.start_preparing();
            }
            Command::Query(query) => self.answer_query(query),
            Command::Debug(on) => self.debug = on,
            Command::Display => self.show_position(),
            Command::Eval => self.explain_evaluation(),
            Command::Legal => self.list_turns(),
            Command::Help => self.writer.text(include_str!("help.txt").to_owned()),
            Command::Wait => self.wait(),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(input.received),
            Command::Quit => self.quit(),
            command if searching => {
                let command = Some(command);
                self.put_off(Input { command, ..input });
            }
            Command::Go(go) => self.start_search(go, input.control, input.received),
            Command::Position(PositionCommand { fen, moves }) => {
                if let Err(error) = self.engine.current.set(fen.as_deref(), &moves) {
                    self.writer.error(format!("position: {error}"));
                }
            }
            Command::Moves(moves) => {
                if let Err(error) = self.engine.current.play(&moves) {
                    self.writer.error(format!("moves: {error}"));
                }
            }
            Command::SetOption(option) => self.set_option(&option),
            Command::NewGame => {
                self.engine.new_game();
                self.set_up();
            }
            // Skipped when the session is ending.
            Command::Perft(_) | Command::Bench(_) if self.quitting || self.hurried => {}
            Command::Perft(depth) => {
                self.count("perft", &input.control);
                self.engine.perft(depth, input.control);
            }
            Command::Bench(bench) => self.start_bench(&bench, input.control),
        }
    }

    fn put_off(&mut self, input: Input) {
        if let Some(Command::Go(_)) = input.command {
            self.engine.stop();
            let is_go = |input: &&Input| matches!(input.command, Some(Command::Go(_)));
            let searches = self.deferred.iter().filter(is_go);
            searches.for_each(|search| search.control.stop());
        } else {
            let name = input.command.as_ref().map_or("position", Command::name);
            self.writer
                .note(format!("{name}: deferred until the search has ended"));
        }
        self.deferred.push_back(input);
    }

    /// Continues without the option that is being applied, or without the rest of a perft.
    fn on_alarm(&mut self) {
        self.patience = None;
        if let Some(Running::Search(search)) = &mut self.running
            && search.is_counting
        {
            search.is_counting = false;
            return self.engine.stop();
        }
        if let Some(Running::SetUp | Running::GetReady) = self.running {
            if let Some(Running::GetReady) = self.running.take() {
                self.writer.say(&Answer::ReadyOk);
            }
            self.hurried = true;
            self.engine.close();
        }
    }

    /// Records that an option is being applied.
    fn set_up(&mut self) {
        if !self.hurried {
            self.running = Some(Running::SetUp);
            self.limit_patience();
        }
    }

    /// Stops every search requested so far, and any other work that can be stopped.
    fn stop(&mut self) {
        self.engine.stop();
        for item in &self.deferred {
            item.control.stop();
        }
    }

    /// The last unanswered search, with its command.
    fn last_search(&self) -> Option<(&GoCommand, &Control)> {
        let mut deferred = self.deferred.iter().rev();
        let last = deferred.find_map(|input| match &input.command {
            Some(Command::Go(go)) => Some((go, &*input.control)),
            _ => None,
        });
        last.or(match &self.running {
            Some(Running::Search(search)) => Some((&search.go, &*search.control)),
            _ => None,
        })
    }

    fn ponderhit(&mut self, at: Instant) {
        if let Some((_, control)) = self.last_search() {
            control.ponderhit(at);
        }
    }

    fn wait(&mut self) {
        let Some((go, control)) = self.last_search() else {
            return;
        };
        let is_hit = control.ponderhit_at().is_some();
        let hit = go.ponder && !go.infinite && go.has_limit() && is_hit;
        self.waiting = !go.is_endless() || hit || control.is_stopped();
        if !self.waiting {
            let error = "wait: the search goes on until stop, so this would never end";
            self.writer.error(error);
        }
    }

    /// Handles `quit`. Later commands are discarded.
    fn quit(&mut self) {
        self.quitting = true;
        self.held.clear();
        self.engine.close();
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::super::words::Words;
    use super::*;
    use crate::engine::{Done, Event, Settings};
    use crate::search::Limits;

    /// What a session prints that has this running, until there are no more events.
    fn printed(running: Running, act: impl FnOnce(&mut Session<&mut Vec<u8>>)) -> String {
        let mut output = Vec::new();
        let mut engine = Engine::new(Settings::default());
        let tasks = engine.tasks();
        let mut session = Session::new(&mut output, engine);
        session.running = Some(running);
        act(&mut session);
        while let Ok(task) = tasks.try_recv() {
            let mut events = Vec::new();
            task(&mut |event| events.push(event));
            for event in events {
                session.on_engine_event(event);
            }
        }
        drop(session);
        String::from_utf8(output).expect("answers are text")
    }

    /// At the end of the input its work may take longer than the session waits.
    #[test]
    fn isready_is_answered_in_a_hurry_too() {
        for (running, said) in [(Running::GetReady, "readyok\n"), (Running::SetUp, "")] {
            assert_eq!(printed(running, |session| session.on_alarm()), said);
        }
    }

    #[test]
    fn a_search_that_failed_is_made_again_with_one_iteration() {
        for go in ["infinite", "mate 3", "depth 9", "perft 2", "depth 1"] {
            let mut words = Words::new(go);
            let go = GoCommand::parse(&mut words, &mut Vec::new());
            let search = RunningSearch::new(go, Arc::default(), Limits::default());
            search.control.stop();
            let text = printed(Running::Search(Box::new(search)), |session| {
                session.on_engine_event(Event::Done(Err("internal error: x".to_owned())));
            });
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines[0], "info string error go: internal error: x");
            let is_searched = lines.iter().any(|line| line.starts_with("info depth 1 "));
            assert!(is_searched && !text.contains(" nodes 0 "), "{text}");
            assert!(lines[lines.len() - 1].starts_with("bestmove "), "{text}");
        }
    }

    fn running_search() -> RunningSearch {
        RunningSearch::new(GoCommand::default(), Arc::default(), Limits::default())
    }

    fn input(line: &str) -> Input {
        let mut complaints = Vec::new();
        Input {
            command: Command::parse(line, &mut complaints),
            complaints,
            received: Instant::now(),
            is_end: false,
            control: Arc::default(),
        }
    }

    /// While an option is applied, time runs from when a command was read; nobody waits for the next option once `quit`
    /// has come.
    #[test]
    fn what_is_held_is_not_forgotten() {
        printed(Running::SetUp, |session| {
            session.deferred.push_back(input("go ponder movetime 1000"));
            let hit = input("ponderhit");
            let received = hit.received;
            session.execute(hit);
            let (_, control) = session.last_search().expect("a search");
            assert_eq!(control.ponderhit_at(), Some(received));
        });
        // A `stop` ends the searches before it, though others are held back until they have ended.
        printed(Running::SetUp, |session| {
            for line in ["go movetime 1000", "wait", "stop", "go depth 1"] {
                session.receive(input(line));
            }
            let held = session.held.iter();
            let stopped: Vec<bool> = held.map(|held| held.control.is_stopped()).collect();
            assert_eq!(stopped, [true, false, false, false]);
        });
        for (held, is_limited) in [("setoption name Threads value 2", true), ("wait", false)] {
            printed(Running::Count("perft"), |session| {
                session.receive(input(held));
                session.receive(input("quit"));
                assert_eq!(session.patience, None);
                session.running = None;
                session.set_up();
                assert_eq!(session.patience.is_some(), is_limited, "{held}");
            });
        }
    }

    /// The clock of a `go` starts when its line is read, not when the session gets to it; behind `wait`, when that has ended.
    #[test]
    fn time_runs_while_a_line_waits() {
        let (events, inbox) = sync_channel(999);
        let mut output = Vec::new();
        let mut engine = Engine::new(Settings::default());
        let told = events.clone();
        let spawned = engine.spawn(move |event| drop(told.send(Incoming::Engine(event))));
        spawned.expect("a thread");
        let session = Session::new(&mut output, engine);
        let read = Instant::now().checked_sub(Duration::from_secs(99));
        let read = read.expect("a while after the start of the system");
        for line in ["go movetime 99000", "wait", "go depth 2", "wait"] {
            let line = Some(line.to_owned());
            events.send(Incoming::Input(line, read)).expect("room");
        }
        events.send(Incoming::Input(None, read)).expect("room");
        session.run(&inbox).expect("a vector");
        let text = String::from_utf8(output).expect("answers are text");
        let mut timed = text.lines().filter(|line| line.contains(" time "));
        let is_late = |line: Option<&str>| line.expect("a search").contains(" time 99");
        let [first, last] = [timed.next(), timed.next_back()].map(is_late);
        assert!(first && !last, "{text}");
    }

    /// Perft and the benchmark are made although a `go` ends the search before them, and hold nothing back when they have
    /// ended: `quit` ends the search behind them.
    #[test]
    fn a_deferred_count_neither_stops_nor_waits() {
        for count in ["perft 1", "bench 1"] {
            let search = running_search();
            printed(Running::Search(Box::new(search)), |session| {
                session.execute(input(count));
                session.execute(input("go infinite"));
                assert!(!session.deferred[0].control.is_stopped(), "{count}");
                session.running = None;
                session.execute_queued();
                assert!(matches!(session.running, Some(Running::Count(_))));
                session.deferred[0].received -= Duration::from_secs(9);
                session.on_engine_event(Event::Done(Ok(Done::Perft(None))));
                assert!(session.deferred[0].received.elapsed() < Duration::from_secs(9));
                session.execute_queued();
                session.receive(input("quit"));
                session.execute_queued();
                let (_, control) = session.last_search().expect("a search");
                assert!(session.quitting && control.is_stopped(), "{count}");
            });
        }
    }

    /// If that fails as well, a move is better than none.
    #[test]
    fn a_second_failure_is_the_last() {
        let mut search = running_search();
        search.has_failed = true;
        let text = printed(Running::Search(Box::new(search)), |session| {
            session.on_engine_event(Event::Done(Err("internal error: x".to_owned())));
        });
        assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
    }
}

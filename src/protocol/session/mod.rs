//! A session: the loop, and what is done at once, what has to wait, and in which order.
//!
//! # Order
//!
//! Commands are obeyed in the order in which they come, with these exceptions:
//!
//! - While a *search* runs, questions are answered at once; what would change the game or the
//!   engine is *deferred* until the search has ended. A `go` ends the search and is deferred behind
//!   whatever came before it.
//! - While other *work* is done (memory for an option, perft, the benchmark), and while a `wait` is
//!   in force, all that comes is *held* without being looked at, but for the few commands that must
//!   act at once.
//!
//! What is deferred came before what is held.

mod commands;
mod searching;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use self::searching::RunningSearch;
use super::Dialect;
use super::answer::Answer;
use super::command::Command;
use super::go::GoCommand;
use super::lines::{Direction, Writer};
use super::words::ParseError;
use crate::engine::{self, Engine};
use crate::search::Control;

/// How long `quit` waits for what the engine is setting up.
const PATIENCE: Duration = Duration::from_millis(50);

/// Something that reaches the session.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of input, `None` at the end of them all.
    Input(Option<String>),
    /// What the engine tells of its work.
    Engine(engine::Event),
}

/// A session under way.
pub(super) struct Session<W> {
    writer: Writer<W>,
    engine: Engine,
    /// Where the engine tells of its work.
    events: SyncSender<Event>,
    dialect: Dialect,
    debug: bool,
    /// What the engine is at.
    running: Option<Running>,
    /// Commands that wait for the end of a search.
    deferred: VecDeque<Input>,
    /// Commands that have not been looked at.
    held: VecDeque<Input>,
    /// A `wait` is in force.
    waiting: bool,
    /// `quit` was said: only the answers that are owed are still given.
    quitting: bool,
    /// `quit` came while the engine was setting something up, which is waited for until then.
    patience: Option<Instant>,
    /// It was not waited for any longer: searches that are owed an answer get one without being made.
    hurried: bool,
    /// An option has changed what the next search needs.
    unprepared: bool,
}

/// What the engine is at.
enum Running {
    Search(Box<RunningSearch>),
    /// `perft` or `bench`.
    Count(&'static str),
    /// An option takes effect.
    SetUp,
    /// It gets ready for a search; `readyok` is said at the end.
    GetReady,
}

/// A line of input, taken apart.
struct Input {
    command: Option<Command>,
    complaints: Vec<ParseError>,
    /// When it came: whatever it has to wait for, the clock of a `go` runs from here.
    received: Instant,
    /// Not a line but the end of them all, which is a `quit` that leaves counts alone.
    is_end: bool,
    /// Of what the command starts, there from the beginning so that a `stop` that comes behind it finds it.
    control: Arc<Control>,
}

impl<W: Write> Session<W> {
    pub(super) fn new(output: W, engine: Engine, events: SyncSender<Event>) -> Session<W> {
        Session {
            writer: Writer::new(output),
            engine,
            events,
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

    /// Holds the session until `quit`. Whatever ends it, nothing is left running.
    pub(super) fn run(mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        while !self.has_ended() {
            let event = match self.patience {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(end) => inbox.recv_timeout(end.saturating_duration_since(Instant::now())),
            };
            let event = match event {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    self.hurry();
                    self.writer.check()?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match event {
                Event::Input(line) => {
                    let received = Instant::now();
                    let mut complaints = Vec::new();
                    let command = match &line {
                        Some(line) => {
                            self.writer.log(Direction::In, line);
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
                Event::Engine(event) => self.hear(event),
            }
            self.carry_on();
            self.writer.check()?;
        }
        Ok(())
    }

    /// Where the engine is to tell of its work.
    fn sink(&self) -> impl FnMut(engine::Event) + Send + 'static {
        let events = self.events.clone();
        // If the session is gone, nobody wants to know.
        move |event| drop(events.send(Event::Engine(event)))
    }

    /// Whether `quit` was said and no `bestmove` is owed.
    fn has_ended(&self) -> bool {
        self.quitting && self.last_search().is_none()
    }

    fn receive(&mut self, input: Input) {
        if self.quitting {
            return;
        }
        // Some act on what runs now; they are held as well, for what is held before them.
        match (&input.command, &self.running) {
            _ if !self.is_holding() => {}
            (Some(Command::Stop), _) => self.stop(),
            (Some(Command::PonderHit), _) => self.ponderhit(),
            (Some(Command::IsReady), Some(Running::Search(_))) => {
                return self.writer.say(&Answer::ReadyOk);
            }
            (Some(Command::Quit), Some(Running::SetUp | Running::GetReady))
                if !self.is_worth_waiting(input.is_end) =>
            {
                self.patience = Some(Instant::now() + PATIENCE);
            }
            _ => {}
        }
        self.held.push_back(input);
        if matches!(self.running, Some(Running::Count(_))) && self.is_to_be_stopped() {
            self.stop();
        }
    }

    /// Whether anything is held that must be done before the session ends.
    fn is_worth_waiting(&self, is_end: bool) -> bool {
        self.held.iter().any(|input| match input.command {
            Some(Command::Wait) => true,
            Some(Command::Perft(_) | Command::Bench(_)) => is_end,
            _ => false,
        })
    }

    /// Whether something that is held ends a perft or the benchmark.
    fn is_to_be_stopped(&self) -> bool {
        let first = self.held.iter().find_map(|input| match input.command {
            Some(Command::Wait) => Some(false),
            Some(Command::Stop) => Some(true),
            Some(Command::Quit) => Some(!input.is_end),
            _ => None,
        });
        first.unwrap_or(false)
    }

    /// Whether what comes is put aside without being looked at.
    fn is_holding(&self) -> bool {
        match self.running {
            None => false,
            Some(Running::Search(_)) => self.waiting,
            Some(_) => true,
        }
    }

    /// Does everything that can be done now.
    fn carry_on(&mut self) {
        loop {
            if self.running.is_none() {
                if let Some(input) = self.deferred.pop_front() {
                    self.change(input);
                    continue;
                }
                self.waiting = false;
            }
            if self.is_holding() {
                return;
            }
            match self.held.pop_front() {
                Some(input) => self.obey(input),
                None => return,
            }
        }
    }

    fn obey(&mut self, input: Input) {
        for complaint in &input.complaints {
            match complaint {
                ParseError::Surplus(..) if !self.debug => {}
                ParseError::Surplus(..) | ParseError::Unknown(_) => self.writer.note(complaint),
                ParseError::Wrong(what) if what.starts_with("position:") => {
                    self.engine.current.refuse();
                    self.writer.refuse(complaint);
                }
                _ => self.writer.error(complaint),
            }
        }
        let Some(command) = &input.command else {
            return;
        };
        let searching = self.running.is_some();
        match command {
            Command::Handshake(dialect) => self.shake_hands(*dialect),
            Command::IsReady if searching || !self.unprepared || self.hurried => {
                self.writer.say(&Answer::ReadyOk);
            }
            Command::IsReady => {
                self.unprepared = false;
                self.running = Some(Running::GetReady);
                self.engine.get_ready(self.sink());
            }
            Command::Query(query) => self.answer_query(*query),
            Command::Debug(on) => self.debug = *on,
            Command::Display => self.show_position(),
            Command::Eval => self.explain_evaluation(),
            Command::Legal => self.list_turns(),
            Command::Help => self.writer.text(commands::HELP.to_owned()),
            Command::Wait => self.wait(),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(),
            Command::Quit => self.quit(),
            _ if !searching => self.change(input),
            command => {
                match command {
                    Command::Go(_) => self.stop(),
                    _ => {
                        let name = command.name();
                        let note = format!("{name}: put off until the search has ended");
                        self.writer.note(note);
                    }
                }
                self.deferred.push_back(input);
            }
        }
    }

    /// Obeys a command that changes something, or that keeps the engine busy, when nothing runs.
    fn change(&mut self, input: Input) {
        match input.command {
            Some(Command::Go(go)) => self.start_search(go, input.control, input.received),
            Some(Command::Position(position)) => self.set_position(&position),
            Some(Command::Moves(moves)) => {
                if let Err(error) = self.engine.current.play(&moves) {
                    self.writer.error(format!("moves: {error}"));
                }
            }
            Some(Command::SetOption(option)) => self.set_option(&option),
            Some(Command::NewGame) => {
                self.engine.new_game(self.sink());
                self.set_up();
            }
            // A session that ends does without.
            Some(Command::Perft(_) | Command::Bench(_)) if self.quitting || self.hurried => {}
            Some(Command::Perft(depth)) => {
                self.count("perft", &input.control);
                self.engine.perft(depth, input.control, self.sink());
            }
            Some(Command::Bench(bench)) => self.start_bench(&bench, input.control),
            // All others are obeyed at once.
            _ => {}
        }
    }

    /// Goes on without what the engine is setting up.
    fn hurry(&mut self) {
        self.patience = None;
        if matches!(self.running, Some(Running::SetUp | Running::GetReady)) {
            self.hurried = true;
            self.running = None;
            self.engine.close();
            self.carry_on();
        }
    }

    /// Notes that the engine is setting something up.
    fn set_up(&mut self) {
        if !self.hurried {
            self.running = Some(Running::SetUp);
        }
    }

    /// Ends every search that was asked for so far, and every other work that can be ended.
    fn stop(&mut self) {
        self.engine.stop();
        for item in &self.deferred {
            item.control.stop();
        }
    }

    /// The last search that was asked for and is not answered, with what was asked.
    fn last_search(&self) -> Option<(&GoCommand, &Control)> {
        let mut deferred = self
            .deferred
            .iter()
            .filter_map(|input| match &input.command {
                Some(Command::Go(go)) => Some((go, &*input.control)),
                _ => None,
            });
        deferred.next_back().or(match &self.running {
            Some(Running::Search(search)) => Some((&search.go, &*search.control)),
            _ => None,
        })
    }

    fn ponderhit(&mut self) {
        if let Some((_, control)) = self.last_search() {
            control.ponderhit();
        }
    }

    fn wait(&mut self) {
        let Some((go, control)) = self.last_search() else {
            return;
        };
        let hit = go.ponder && !go.infinite && go.has_limit() && control.is_ponderhit();
        self.waiting = !go.is_endless() || hit || control.is_stopped();
        if !self.waiting {
            let error = "wait: the search goes on until stop, so this would never end";
            self.writer.error(error);
        }
    }

    /// Obeys `quit`. What has come after it is not looked at.
    fn quit(&mut self) {
        self.quitting = true;
        self.held.clear();
        self.engine.close();
        self.stop();
    }
}

//! The engine: a searcher with its options, position, tablebases and opening book.
//!
//! The protocol session, analysis, play against people, and the tools that play games use an [`Engine`]; the
//! benchmark a searcher alone. It does no input or output. It is configured by [`Settings`]; a
//! program sets them when it creates the engine, a session by [`Engine::set_option`].
//!
//! # Threads
//!
//! [`Engine::search`] searches on the calling thread and has no other cost, so a tool may have many
//! engines. [`Engine::go`] and the other methods that end with a [`Done`] need a thread, which
//! [`Engine::spawn`] starts: it runs them one after another in the order of the calls and sends events to
//! its *sink*; the last one is [`Event::Done`]. A panic in them is reported as an error, and the searcher
//! is created anew.

mod bench;
mod book;
mod core;
mod current_game;
mod options;
mod own_book;
mod settings;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{io, thread};

pub use self::bench::{Bench, BenchTotal};
pub use self::book::{Book, BookMove};
use self::core::Core;
pub use self::current_game::CurrentGame;
use self::options::Apply;
pub use self::options::{EMPTY, OptionDeclaration, OptionKind, options};
pub use self::own_book::OwnBook;
pub use self::settings::{Settings, Skill, TableFiles};
use crate::memory::{ResourceError, lock};
use crate::rules::{Game, Path, Perft};
use crate::search::{Control, Limits, Report, STACK_BYTES, SearchResult, Strength};
use crate::text::panic_message;

/// An event that an engine sends to its sink.
#[derive(Debug)]
pub enum Event {
    /// A report of a running search.
    Report(Report),
    /// Information for the user.
    Note(String),
    /// An error that does not end the work.
    Error(String),
    /// The work has ended or failed.
    Done(Result<Done, String>),
}

/// Result of the work.
#[derive(Debug)]
pub enum Done {
    /// A search.
    Search(SearchResult),
    /// A perft: the number of turn sequences below each turn, and the total; `None` if stopped.
    Perft(Option<(Vec<(Path, u64)>, u64)>),
    /// The benchmark; `None` if stopped.
    Bench(Option<BenchTotal>),
    /// Anything else: the request has taken effect.
    Ready,
}

/// Work for the engine's thread, with its sink.
pub(crate) type Task = Box<dyn FnOnce(&mut dyn FnMut(Event)) + Send>;

/// The engine; see the [module](self).
pub struct Engine {
    shared: Arc<EngineState>,
    thread: Option<Sender<Task>>,
    /// The current game.
    pub current: CurrentGame,
    /// Stops the work started last.
    control: Arc<Control>,
}

struct EngineState {
    /// Replaced as a whole when a change has taken effect.
    settings: Mutex<Arc<Settings>>,
    core: Mutex<Core>,
    /// Pending work other than searches is skipped.
    is_closing: AtomicBool,
}

impl EngineState {
    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&lock(&self.settings))
    }

    fn change(&self, change: impl FnOnce(&mut Settings)) {
        let mut settings = lock(&self.settings);
        change(Arc::make_mut(&mut settings));
    }

    /// The searcher and its tablebases; created anew after a panic.
    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(|poisoned| {
            let mut core = poisoned.into_inner();
            *core = Core::default();
            self.core.clear_poison();
            core
        })
    }
}

impl Engine {
    /// An engine with these settings, at the start position of their rules. Memory and threads are
    /// allocated on first use.
    pub fn new(settings: Settings) -> Engine {
        Engine {
            current: CurrentGame::new(settings.rules()),
            shared: Arc::new(EngineState {
                settings: Mutex::new(Arc::new(settings)),
                core: Mutex::default(),
                is_closing: AtomicBool::new(false),
            }),
            thread: None,
            control: Arc::default(),
        }
    }

    /// Starts the engine's thread, which ends with the engine and sends events to `sink`. It loads the
    /// tablebases at once, so that the first search does not wait for them.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn spawn(&mut self, mut sink: impl FnMut(Event) + Send + 'static) -> io::Result<()> {
        let inbox = self.tasks();
        let (shared, rules) = (Arc::clone(&self.shared), *self.current.game().rules());
        let work = move || {
            let settings = shared.settings();
            // What this has to tell is told with the first task: nothing is said before the greeting.
            let load = || shared.core().use_rules(&settings, &rules, &|| true);
            drop(catch_unwind(AssertUnwindSafe(load)));
            inbox.iter().for_each(|task| task(&mut sink));
        };
        thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(())
    }

    /// What the engine is asked for from now on.
    pub(crate) fn tasks(&mut self) -> Receiver<Task> {
        let (tasks, inbox) = channel();
        self.thread = Some(tasks);
        inbox
    }

    /// The settings in force.
    pub fn settings(&self) -> Arc<Settings> {
        self.shared.settings()
    }

    /// Searches the current position of `game` on this thread, like
    /// [`Searcher::search`](crate::search::Searcher::search); ignores the position set, the opening
    /// book and the options that affect limits.
    ///
    /// # Errors
    ///
    /// If memory or threads first needed now are not available.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Result<SearchResult, ResourceError> {
        let settings = self.settings();
        let mut core = self.shared.core();
        core.search(&settings, game, limits, control, report)
    }

    /// Allocates the memory, starts the threads and loads the tablebases that the next search under the
    /// rules in force needs, on this thread.
    ///
    /// # Errors
    ///
    /// If memory or threads are not available.
    pub fn prepare(&mut self) -> Result<(), ResourceError> {
        let settings = self.settings();
        let mut core = self.shared.core();
        core.use_rules(&settings, &settings.rules(), &|| true);
        core.searcher.prepare(&settings.search)
    }

    /// Clears the transposition table and the statistics, on this thread.
    pub fn clear(&mut self) {
        self.shared.core().searcher.clear();
    }

    /// Sets an option by its name (case-insensitive) and the text of its value, `None` if there is
    /// none. A slow change is applied asynchronously, then this returns true, and its end is sent to the sink; if it
    /// fails, the old value is kept. A change of rules sets their start position.
    ///
    /// # Errors
    ///
    /// If there is no such option, or the value is invalid; the old value is kept.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<bool, String> {
        let mut wanted = (*self.settings()).clone();
        let apply = options::set(&mut wanted, name, value)?;
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        // The settings in force are changed, not replaced: other changes may have taken effect meanwhile.
        let set =
            move |settings: &mut Settings| drop(options::set(settings, &name, value.as_deref()));
        // What may fail is in force only when it has been applied.
        let may_fail = apply.is_some_and(|apply| {
            !matches!(apply, Apply::Rules | Apply::Tables | Apply::TableFolders)
        });
        if !may_fail {
            self.shared.change(&set);
        }
        if wanted.rules() != *self.current.game().rules() {
            self.current = CurrentGame::new(wanted.rules());
        }
        if let Some(apply) = apply {
            let shared = Arc::clone(&self.shared);
            self.set_up(move |core, settings, tell| {
                let mut settings = settings.clone();
                if !may_fail {
                    return core.apply(apply, &mut settings, tell);
                }
                set(&mut settings);
                core.apply(apply, &mut settings, tell)?;
                shared.change(|in_force| {
                    set(in_force);
                    in_force.book = settings.book;
                    in_force.search.evaluation.network = settings.search.evaluation.network;
                });
                Ok(())
            });
        }
        Ok(apply.is_some())
    }

    /// Starts another game: sets the start position, clears the search and draws a new seed.
    pub fn new_game(&mut self) {
        self.shared.change(|settings| settings.skill.begin_game());
        self.current = CurrentGame::new(self.settings().rules());
        self.set_up(|core, _, _| {
            core.searcher.clear();
            Ok(())
        });
    }

    /// Allocates the memory and starts the threads that the next search needs, asynchronously.
    pub fn start_preparing(&mut self) {
        self.set_up(|core, settings, tell| {
            core.use_rules(settings, &settings.rules(), &|| true);
            core.prepare(settings, tell)
        });
    }

    /// Adds the options to the limits: strength, number of lines (unless one is given), move overhead.
    ///
    /// Analysis always uses full strength, and neither it nor limited strength contempt.
    pub fn with_options(&self, limits: Limits) -> Limits {
        let settings = self.settings();
        let is_analysis = limits.infinite || limits.mate.is_some() || settings.analyse_mode;
        let strength = match is_analysis {
            true => Strength::FULL,
            false => settings.skill.strength(),
        };
        Limits {
            multipv: match limits.multipv {
                0 => settings.multipv,
                given => given,
            },
            move_overhead: settings.move_overhead,
            analyse: limits.analyse || settings.analyse_mode,
            contempt: match is_analysis || !strength.is_full() {
                true => 0,
                false => settings.contempt,
            },
            strength,
            ..limits
        }
    }

    /// Searches the position set, or plays from the opening book. Ends with [`Done::Search`].
    pub fn go(&mut self, mut limits: Limits, control: Arc<Control>) {
        let game = Arc::clone(self.current.game());
        self.control = Arc::clone(&control);
        self.start(move |shared, tell| {
            let settings = shared.settings();
            let mut core = shared.core();
            if let Some(result) = core.consult_book(&settings, &game, &mut limits, tell) {
                return Ok(Done::Search(result));
            }
            core.prepare(&settings, tell)?;
            let mut report = |report: &Report| tell(Event::Report(report.clone()));
            let result = core.search(&settings, &game, &limits, &control, &mut report);
            result.map(Done::Search).map_err(|error| error.to_string())
        });
    }

    /// Counts turn sequences from the position set to `depth` plies. Ends with [`Done::Perft`].
    pub fn perft(&mut self, depth: u32, control: Arc<Control>) {
        let game = self.current.game();
        let (rules, position) = (*game.rules(), *game.position());
        self.control = Arc::clone(&control);
        self.start(move |shared, _| {
            let threads = shared.settings().search.threads;
            let perft = Perft::new(rules, threads, 0);
            let perft = perft.map_err(|error| error.to_string())?;
            let below = perft.divide(&position, depth, control.stop_flag());
            Ok(Done::Perft(below.map(|below| {
                let sum = (below.iter()).fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
                // At depth 0 there is one position, and no turn.
                (below, if depth == 0 { 1 } else { sum })
            })))
        });
    }

    /// Runs the benchmark on a searcher of its own. Ends with [`Done::Bench`].
    pub fn bench(&mut self, bench: Bench, control: Arc<Control>) {
        self.control = Arc::clone(&control);
        self.start(move |_, tell| {
            let total = bench.run(&control, &mut |number, of, fen, total| {
                let nodes = total.nodes;
                let note = format!("bench {number} of {of}, {nodes} nodes so far: {fen}");
                tell(Event::Note(note));
            });
            let total = total.map_err(|error| error.to_string())?;
            Ok(Done::Bench(Some(total).filter(|_| !control.is_stopped())))
        });
    }

    /// Stops the search, perft or benchmark started last.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Stops the current work and skips pending work other than searches, including slow changes of options.
    pub fn close(&self) {
        self.shared.is_closing.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Applies a change of settings, or prepares a search. Ends with [`Done::Ready`].
    fn set_up<Work>(&self, work: Work)
    where
        Work: FnOnce(&mut Core, &Settings, &mut dyn FnMut(Event)) -> Result<(), String>,
        Work: Send + 'static,
    {
        self.start(move |shared, tell| {
            if !shared.is_closing.load(Ordering::Relaxed) {
                work(&mut shared.core(), &shared.settings(), tell)?;
            }
            Ok(Done::Ready)
        });
    }

    fn start<Work>(&self, work: Work)
    where
        Work: FnOnce(&EngineState, &mut dyn FnMut(Event)) -> Result<Done, String> + Send + 'static,
    {
        let shared = Arc::clone(&self.shared);
        let task = move |sink: &mut dyn FnMut(Event)| {
            let done = catch_unwind(AssertUnwindSafe(|| work(&shared, sink)));
            let messages = || shared.core().messages(&shared.settings());
            let messages = catch_unwind(AssertUnwindSafe(messages));
            messages
                .unwrap_or_default()
                .into_iter()
                .for_each(&mut *sink);
            sink(Event::Done(done.unwrap_or_else(|panic| {
                Err(format!("internal error: {}", panic_message(&*panic)))
            })));
        };
        let tasks = self.thread.as_ref().expect("the engine has a thread");
        // The receiver exists as long as this sender: the thread catches panics.
        drop(tasks.send(Box::new(task)));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests;

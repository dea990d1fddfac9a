//! The thread that searches for a game.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{Mind, SearchEvent, SearchRequest};
use crate::eval::Evaluation;
use crate::panic_message::panic_message;
use crate::rules::Rules;
use crate::search::{Control, Report, STACK_BYTES, SearchError, SearchResult, Searcher};
use crate::tablebase::Tablebases;

/// What searches are made with.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Threads of a search.
    pub threads: usize,
    /// Size of each transposition table, in MiB; the player has one and the adviser has one.
    pub hash_mib: usize,
    /// What positions are evaluated with.
    pub evaluation: Evaluation,
    /// The rules of the first game: the endings that follow from them are made ready at once.
    pub rules: Rules,
}

impl EngineSettings {
    /// A searcher with this.
    ///
    /// # Errors
    ///
    /// If the threads or the memory cannot be had.
    pub fn searcher(&self) -> Result<Searcher, SearchError> {
        let mut searcher = Searcher::new();
        searcher.set_threads(self.threads)?;
        searcher.set_hash(self.hash_mib)?;
        searcher.set_evaluation(self.evaluation.clone());
        searcher.prepare()?;
        Ok(searcher)
    }
}

/// A search under way or waiting, and the string that stops it.
struct Job {
    request: SearchRequest,
    control: Arc<Control>,
}

/// The holder's end of the thread that searches. Searches come one after another; dropping this stops
/// the one that runs, and the thread ends.
pub struct Engine {
    jobs: Sender<Job>,
    running: Option<Arc<Control>>,
}

impl Engine {
    /// Starts the thread. `tell` is called on it, with the number of the search and what it says.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn spawn(
        settings: EngineSettings,
        tell: impl FnMut(u64, SearchEvent) + Send + 'static,
    ) -> io::Result<Engine> {
        let (jobs, inbox) = channel();
        thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || Worker::new(settings).work(&inbox, tell))?;
        Ok(Engine {
            jobs,
            running: None,
        })
    }

    /// Begins a search, after stopping the one that runs.
    pub fn search(&mut self, request: SearchRequest) {
        self.stop();
        let control = Arc::new(Control::new());
        self.running = Some(Arc::clone(&control));
        // The thread catches panics and ends only with this sender.
        let _ = self.jobs.send(Job { request, control });
    }

    /// Stops the search that runs, if one does.
    pub fn stop(&mut self) {
        if let Some(control) = self.running.take() {
            control.stop();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread's own.
struct Worker {
    settings: EngineSettings,
    /// The player's searcher and the adviser's, made when they are first needed.
    searchers: [Option<Searcher>; 2],
    /// The rules of the last search, and the tables for them.
    tables: Option<(Rules, Option<Arc<Tablebases>>)>,
}

impl Worker {
    fn new(settings: EngineSettings) -> Worker {
        Worker {
            settings,
            searchers: [None, None],
            tables: None,
        }
    }

    fn work(mut self, inbox: &Receiver<Job>, mut tell: impl FnMut(u64, SearchEvent)) {
        // On a clock it would cost time later. What goes wrong now is told by the first search.
        let rules = self.settings.rules;
        let _ = catch_unwind(AssertUnwindSafe(|| self.tables(&rules)));
        while let Ok(Job { request, control }) = inbox.recv() {
            let id = request.id;
            let mut report = |event| tell(id, event);
            let searched = catch_unwind(AssertUnwindSafe(|| {
                self.search(&request, &control, &mut report)
            }));
            report(match searched {
                Ok(Ok(result)) => SearchEvent::Done(result),
                Ok(Err(error)) => SearchEvent::Failed(error.to_string()),
                Err(payload) => {
                    // What is left of the searchers is not to be trusted.
                    self.searchers = [None, None];
                    SearchEvent::Failed(format!(
                        "the search broke down: {}",
                        panic_message(&*payload)
                    ))
                }
            });
        }
    }

    fn search(
        &mut self,
        request: &SearchRequest,
        control: &Control,
        report: &mut dyn FnMut(SearchEvent),
    ) -> Result<SearchResult, SearchError> {
        let tables = self.tables(request.game.rules());
        let place = &mut self.searchers[usize::from(request.mind == Mind::Adviser)];
        let searcher = match place {
            Some(searcher) => searcher,
            None => place.insert(self.settings.searcher()?),
        };
        searcher.set_tablebases(tables);
        searcher.search(&request.game, &request.limits, control, &mut |said| {
            if let Report::Line(line) = said {
                report(SearchEvent::Line(line.clone()));
            }
        })
    }

    /// The tables that need no files, if there are any for these rules.
    fn tables(&mut self, rules: &Rules) -> Option<Arc<Tablebases>> {
        if self.tables.as_ref().is_none_or(|(known, _)| known != rules) {
            let cache = Tablebases::DEFAULT_CACHE_BYTES;
            let tables = Tablebases::built_in(rules, cache, self.settings.threads);
            self.tables = Some((*rules, tables.ok().map(Arc::new)));
        }
        self.tables.as_ref().and_then(|(_, tables)| tables.clone())
    }
}

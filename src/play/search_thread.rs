//! The thread that searches for a game.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{Mind, SearchEvent, SearchRequest};
use crate::engine::{Engine, Settings};
use crate::search::{Control, Report, STACK_BYTES, SearchError, SearchResult};
use crate::text::panic_message;

/// A search under way or waiting, and the string that stops it.
struct Job {
    request: SearchRequest,
    control: Arc<Control>,
}

/// The holder's end of the thread that searches. Searches come one after another; dropping this stops
/// the one that runs, and the thread ends.
pub struct SearchThread {
    jobs: Sender<Job>,
    running: Option<Arc<Control>>,
    settings: Settings,
}

impl SearchThread {
    /// Starts the thread, whose engines have these settings. `tell` is called on it, with the number of the search and what it says.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn spawn(
        settings: Settings,
        tell: impl FnMut(u64, SearchEvent) + Send + 'static,
    ) -> io::Result<SearchThread> {
        let (jobs, inbox) = channel();
        let its_own = settings.clone();
        thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || Engines::new(&its_own).work(&its_own, &inbox, tell))?;
        Ok(SearchThread {
            jobs,
            running: None,
            settings,
        })
    }

    /// What its engines are made of.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
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

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The player's engine and the adviser's.
struct Engines([Engine; 2]);

impl Engines {
    fn new(settings: &Settings) -> Engines {
        Engines([(); 2].map(|()| Engine::new(settings.clone())))
    }

    fn work(
        mut self,
        settings: &Settings,
        inbox: &Receiver<Job>,
        mut tell: impl FnMut(u64, SearchEvent),
    ) {
        // On a clock it would cost time later. What goes wrong now is told by the first search.
        let _ = catch_unwind(AssertUnwindSafe(|| self.0[0].prepare()));
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
                    // What is left of the engines is not to be trusted.
                    self = Engines::new(settings);
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
        let engine = &mut self.0[usize::from(request.mind == Mind::Adviser)];
        engine.search(&request.game, &request.limits, control, &mut |said| {
            if let Report::Line(line) = said {
                report(SearchEvent::Line(line.clone()));
            }
        })
    }
}

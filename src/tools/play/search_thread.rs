//! The thread that runs the searches of a game.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{Purpose, SearchEvent, SearchRequest};
use crate::review;
use vato_engine::engine::{Engine, Settings};
use vato_engine::search::{Control, Report, STACK_BYTES};
use vato_engine::text::panic_message;

/// A running or waiting search, and the control that stops it.
type Job = (SearchRequest, Arc<Control>);

/// Handle to the thread that runs searches, one after another. Dropping it stops the running search and
/// ends the thread.
pub struct SearchThread {
    jobs: Sender<Job>,
    running: Option<Arc<Control>>,
    /// The settings of its engines.
    pub settings: Settings,
}

impl SearchThread {
    /// Starts the thread; its engines use these settings. It calls `tell` with the number of the search and
    /// the event.
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
            .spawn(move || work(&its_own, &inbox, tell))?;
        Ok(SearchThread {
            jobs,
            running: None,
            settings,
        })
    }

    /// Starts a search, stopping the running one.
    pub fn search(&mut self, request: SearchRequest) {
        self.stop();
        let control = Arc::new(Control::new());
        self.running = Some(Arc::clone(&control));
        // The thread catches panics and ends only when this sender is dropped.
        let _ = self.jobs.send((request, control));
    }

    /// Stops the running search, if any.
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

fn work(settings: &Settings, inbox: &Receiver<Job>, mut tell: impl FnMut(u64, SearchEvent)) {
    let mut engines = Engines::new(settings.clone());
    while let Ok((request, control)) = inbox.recv() {
        engines.search(&request, &control, |event| tell(request.id, event));
    }
}

/// Runs searches on the thread of its caller, one after another: the engines for moves, for analysis, and for reviews and
/// hints.
pub struct Engines {
    settings: Settings,
    engines: [Engine; 3],
}

impl Engines {
    /// Engines that use these settings, and are ready: preparing later would use clock time.
    pub fn new(settings: Settings) -> Engines {
        let mut ready = Engines {
            engines: Engines::engines(&settings),
            settings,
        };
        // A failure here is reported by the first search.
        let _ = catch_unwind(AssertUnwindSafe(|| ready.engines[0].prepare()));
        ready
    }

    fn engines(settings: &Settings) -> [Engine; 3] {
        let [moves, analysis] = [settings, settings].map(|settings| Engine::new(settings.clone()));
        [moves, analysis, review::engine(settings)]
    }

    /// Searches, and calls `report` with what it finds and with its end.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        control: &Control,
        mut report: impl FnMut(SearchEvent),
    ) {
        let place = match request.purpose {
            Purpose::Move => 0,
            Purpose::Judging => 1,
            Purpose::Hint | Purpose::Review => 2,
        };
        let engine = &mut self.engines[place];
        let searched = catch_unwind(AssertUnwindSafe(|| {
            let (game, limits) = (&request.game, &request.limits);
            let mut tell = |said: &Report| {
                if let Report::Line(line) = said {
                    report(SearchEvent::Line(line.clone()));
                }
            };
            match place {
                2 => review::examine(game, engine, limits, control, &mut tell),
                _ => engine.search(game, limits, control, &mut tell),
            }
        }));
        report(match searched {
            Ok(Ok(result)) => SearchEvent::Done(result),
            Ok(Err(error)) => SearchEvent::Failed(error.to_string()),
            Err(payload) => {
                // After a panic the state of the engines is undefined.
                self.engines = Engines::engines(&self.settings);
                let why = panic_message(&*payload);
                SearchEvent::Failed(format!("the search broke down: {why}"))
            }
        });
    }
}

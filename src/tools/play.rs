//! The searches of a game against the engine, and of its analysis.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::review;
use vato_engine::engine::{Engine, Settings};
use vato_engine::proofs::Strategy;
use vato_engine::rules::Game;
use vato_engine::search::{Control, Limits, Line, Report, STACK_BYTES, SearchResult, Strength};
use vato_engine::text::panic_message;

/// The level of an engine that plays by the proof in the program where the game has followed it, so that it cannot lose
/// from the start of the standard game, and else at full strength.
pub const PERFECT_LEVEL: u32 = Strength::FULL_LEVEL + 1;

/// Nodes for a search of the only move that the proof allows, which gives it a score.
const REPLY_NODES: u64 = 20_000;

/// The limits of a search for a move at this level, with the `seed` of the errors of this game.
pub fn limits_at_level(level: u32, seed: u64, game: &Game, limits: Limits) -> Limits {
    let proof = Strategy::built_in().filter(|_| level >= PERFECT_LEVEL);
    match proof.and_then(|proof| proof.reply(game)) {
        Some(reply) => Limits {
            searchmoves: vec![reply],
            nodes: Some(REPLY_NODES),
            ..limits
        },
        None => Limits {
            strength: Strength::from_level(level).with_seed(seed),
            ..limits
        },
    }
}

/// A request for a search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The game whose position is searched.
    pub game: Game,
    /// The limits of the search.
    pub limits: Limits,
    /// What it is for.
    pub purpose: Purpose,
}

/// The purpose of a search. Moves are searched by an engine of their own, which shares no hash table with that of the
/// others: a weakened player gains nothing from searches at full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To choose a move of the engine, at its level.
    Move,
    /// To evaluate the position.
    Judging,
    /// To evaluate it, or to find the best move, as a [review](crate::review::examine) does.
    Review,
}

/// A report of the engine about a search.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A line found.
    Line(Line),
    /// The final result.
    Done(SearchResult),
    /// The search failed, with the reason.
    Failed(String),
}

/// A search, the control that stops it, and who is told of it.
type Job = (
    SearchRequest,
    Arc<Control>,
    Box<dyn FnMut(SearchEvent) + Send>,
);

/// Handle to the thread that runs searches, one after another. Dropping it stops the running search and
/// ends the thread.
pub struct SearchThread {
    jobs: Sender<Job>,
    running: Option<Arc<Control>>,
    /// The settings of its engines.
    pub settings: Settings,
}

impl SearchThread {
    /// Starts the thread; its engines use these settings.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn spawn(settings: Settings) -> io::Result<SearchThread> {
        let (jobs, inbox) = channel::<Job>();
        let its_own = settings.clone();
        let work = move || {
            let mut engines = Engines::new(its_own);
            while let Ok((request, control, mut tell)) = inbox.recv() {
                engines.search(&request, &control, |event| {
                    if !control.is_stopped() {
                        if !matches!(event, SearchEvent::Line(_)) {
                            control.stop();
                        }
                        tell(event);
                    }
                });
            }
        };
        let thread = thread::Builder::new().name("engine".to_owned());
        thread.stack_size(STACK_BYTES).spawn(work)?;
        Ok(SearchThread {
            jobs,
            running: None,
            settings,
        })
    }

    /// Starts a search, stopping the running one. The thread calls `tell` with what it finds and with its end, but for a
    /// search that has been stopped, by the control that is returned or by another search.
    pub fn search(
        &mut self,
        request: SearchRequest,
        tell: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Arc<Control> {
        self.stop();
        let control = Arc::new(Control::new());
        self.running = Some(Arc::clone(&control));
        // The thread catches panics and ends only when this sender is dropped.
        let _ = self
            .jobs
            .send((request, Arc::clone(&control), Box::new(tell)));
        control
    }

    /// Whether no search runs.
    pub fn is_idle(&self) -> bool {
        self.running
            .as_ref()
            .is_none_or(|search| search.is_stopped())
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

/// Runs searches on its caller's thread, one by one: the engines for moves, for analysis, and for reviews and hints.
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
            Purpose::Review => 2,
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

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::Rules;

    #[test]
    fn weak_players_search_less() {
        let limits = limits_at_level(0, 3, &Game::new(Rules::STANDARD), Limits::default());
        assert_eq!(limits.strength.elo(), Some(Strength::MIN_ELO));
        assert_eq!(limits.strength.seed(), Some(3));
    }
}

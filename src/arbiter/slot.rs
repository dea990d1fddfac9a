//! A place where games are played one after the other, with a process for each engine.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::engine::{Launch, Player, StartError};
use super::game::{Finished, GamePlan, play};
use super::schedule::Schedule;
use super::settings::MatchSettings;
use super::stop::StopSignal;
use crate::book::Book;
use crate::tablebase::Tablebases;

/// So many failed starts in a row end the match.
pub(super) const START_ATTEMPTS: u32 = 3;

/// How long an engine that was told to quit is waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// What happens at a slot.
#[derive(Debug)]
pub(super) enum SlotEvent {
    /// A game has been played.
    Finished(Box<Finished>),
    /// An engine (0 or 1) has not started; it will be tried again.
    StartFailed(usize, StartError),
    /// An engine does not start: the match cannot go on.
    Unplayable(usize, StartError),
    /// No more games here.
    Done,
}

/// What all slots share.
#[derive(Debug)]
pub(super) struct SlotContext<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) launches: &'a [Launch; 2],
    pub(super) book: &'a Book,
    pub(super) tables: Option<&'a Tablebases>,
    pub(super) schedule: Mutex<Schedule>,
    pub(super) stop: StopSignal,
}

/// A place where games are played.
#[derive(Debug)]
pub(super) struct Slot<'a> {
    context: &'a SlotContext<'a>,
    number: usize,
    cpus: Option<&'a [usize]>,
    players: [Option<Player>; 2],
}

/// Tells that a slot plays no more, whatever the reason. A panic ends the whole match: nobody waits
/// for a slot that is gone, and no engine is left behind.
struct LastWord<'a> {
    events: &'a Sender<SlotEvent>,
    stop: &'a StopSignal,
}

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.now();
        }
        // A receiver that is gone is not waiting.
        let _ = self.events.send(SlotEvent::Done);
    }
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        context: &'a SlotContext<'a>,
        number: usize,
        cpus: Option<&'a [usize]>,
    ) -> Slot<'a> {
        Slot {
            context,
            number,
            cpus,
            players: [None, None],
        }
    }

    /// Plays games until there are none, or the match is to stop.
    pub(super) fn run(mut self, events: &Sender<SlotEvent>) {
        let _last_word = LastWord {
            events,
            stop: &self.context.stop,
        };
        // A receiver that is gone has given the signal to stop.
        let tell = |event| drop(events.send(event));
        while !self.context.stop.is_given() {
            let next = self
                .context
                .schedule
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some(fixture) = next else {
                break;
            };
            let mut players = match self.players_for_a_game(&tell) {
                Ok(players) => players,
                Err((_, StartError::Stopped)) => break,
                Err((engine, error)) => {
                    tell(SlotEvent::Unplayable(engine, error));
                    break;
                }
            };
            let plan = GamePlan {
                number: fixture.number,
                pair: fixture.pair,
                settings: self.context.settings,
                tables: self.context.tables,
                opening: &self.context.book.line(fixture.pair as usize - 1),
                white: fixture.white,
            };
            let finished = play(&plan, &mut players);
            self.players = players.map(Some);
            let Ok(finished) = finished else {
                break;
            };
            for (player, broken) in self.players.iter_mut().zip(finished.broken) {
                if broken {
                    *player = None;
                }
            }
            tell(SlotEvent::Finished(Box::new(finished)));
        }
        self.farewell();
    }

    /// Both engines, started and ready for a new game.
    fn players_for_a_game(
        &mut self,
        tell: &dyn Fn(SlotEvent),
    ) -> Result<[Player; 2], (usize, StartError)> {
        Ok([self.player(0, tell)?, self.player(1, tell)?])
    }

    fn player(
        &mut self,
        engine: usize,
        tell: &dyn Fn(SlotEvent),
    ) -> Result<Player, (usize, StartError)> {
        let mut failures = 0;
        loop {
            let error = match self.try_player(engine) {
                Ok(_) if self.context.stop.is_given() => {
                    return Err((engine, StartError::Stopped));
                }
                Ok(player) => return Ok(player),
                Err(error) => error,
            };
            failures += 1;
            if error.is_final() || failures >= START_ATTEMPTS {
                return Err((engine, error));
            }
            tell(SlotEvent::StartFailed(engine, error));
        }
    }

    fn try_player(&mut self, engine: usize) -> Result<Player, StartError> {
        let launch = &self.context.launches[engine];
        let mut usable = self.players[engine].take();
        if launch.settings.restart == Some(true)
            && let Some(mut old) = usable.take()
        {
            old.ask_to_quit();
            old.has_quit(FAREWELL);
        }
        if usable.as_mut().is_some_and(|player| !player.is_alive()) {
            usable = None;
        }
        let mut player = match usable {
            Some(player) => player,
            None => {
                let label = format!("{}", self.number + 1);
                launch.start(self.cpus, &label)?.player
            }
        };
        player.new_game()?;
        Ok(player)
    }

    /// Lets the engines leave by themselves if they do so soon; none stays.
    fn farewell(&mut self) {
        for player in self.players.iter_mut().flatten() {
            player.ask_to_quit();
        }
        for player in self.players.iter_mut().flatten() {
            if !self.context.stop.is_now() && !player.has_quit(FAREWELL) {
                log::debug!("an engine does not quit and is killed");
            }
        }
        self.players = [None, None];
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_ends_the_match() {
        let stop = StopSignal::new();
        let (events, inbox) = channel();
        let slot = |panics: bool| {
            let _last_word = LastWord {
                events: &events,
                stop: &stop,
            };
            assert!(!panics, "as it was to be");
        };
        thread::scope(|scope| scope.spawn(|| slot(false)).join()).expect("no panic");
        assert!(matches!(inbox.try_recv(), Ok(SlotEvent::Done)));
        assert!(!stop.is_given());
        thread::scope(|scope| scope.spawn(|| slot(true)).join()).expect_err("a panic");
        assert!(matches!(inbox.try_recv(), Ok(SlotEvent::Done)));
        assert!(stop.is_now());
    }
}

//! A place where games are played one after the other, with a process for each engine of a game.

use std::sync::mpsc::SyncSender;

use super::attendance::{Attendance, MOST_MISSED, Missed};
use super::engine::{Launch, StartError};
use super::formats::{Asking, Fixture, NobodyToPair, SharedSchedule};
use super::game::{Finished, GamePlan, forfeit, play};
use super::openings::{Openings, vela_of};
use super::record::PlaceEntry;
use super::seats::Seats;
use super::settings::MatchSettings;
use crate::notation::pgn::Termination;
use crate::rules::Rules;
use crate::stop::StopSignal;
use crate::tablebase::Tablebases;

/// What happens at a slot.
#[derive(Debug)]
pub(super) enum SlotEvent {
    /// A game has been played.
    Finished(Box<Finished>),
    /// An engine has not started; it will be tried again.
    StartFailed(usize, StartError),
    /// An engine has not started for several games: it loses those that are still to come.
    Withdrawn(usize),
    /// An engine does not start, and the match cannot go on without it.
    Unplayable(usize, StartError),
    /// The schedule cannot tell who plays next, in so many bouts: the match cannot go on.
    NobodyToPair(usize),
    /// No more games here.
    Done,
}

/// What all slots share.
#[derive(Debug)]
pub(super) struct SlotContext<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) launches: &'a [Launch],
    pub(super) openings: &'a Openings,
    pub(super) tables: Option<&'a Tablebases>,
    pub(super) schedule: &'a SharedSchedule,
    pub(super) attendance: Attendance<'a>,
    pub(super) stop: StopSignal,
}

/// A place where games are played.
#[derive(Debug)]
pub(super) struct Slot<'a> {
    context: &'a SlotContext<'a>,
    seats: Seats<'a>,
    /// The number of the last game.
    last: Option<u32>,
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        context: &'a SlotContext<'a>,
        number: usize,
        cpus: Option<&'a [usize]>,
    ) -> Slot<'a> {
        Slot {
            context,
            seats: Seats::new(
                context.launches,
                &context.stop,
                format!("{}", number + 1),
                cpus,
            ),
            last: None,
        }
    }

    /// Plays games until there are none, or the match is to stop.
    pub(super) fn run(mut self, events: &SyncSender<SlotEvent>) {
        // A receiver that is gone has given the signal to stop.
        let tell = |event| drop(events.send(event));
        let context = self.context;
        let _last_word = context.stop.last_word(|| tell(SlotEvent::Done));
        loop {
            let fixture = match self.next_game() {
                Ok(Some(fixture)) => fixture,
                Ok(None) => break,
                Err(NobodyToPair(bouts)) => {
                    tell(SlotEvent::NobodyToPair(bouts));
                    break;
                }
            };
            let Some((finished, withdrawn)) = self.play(&fixture, &tell) else {
                break;
            };
            self.last = Some(fixture.number);
            tell(SlotEvent::Finished(Box::new(finished)));
            if let Some(engine) = withdrawn {
                tell(SlotEvent::Withdrawn(engine));
            }
        }
    }

    fn next_game(&self) -> Result<Option<Fixture>, NobodyToPair> {
        let seated: Vec<usize> = self.seats.engines().collect();
        let asking = Asking {
            seated: &seated,
            last: self.last,
        };
        self.context.schedule.next(asking, &self.context.stop)
    }

    /// Plays a game, or gives it to whoever is there; `None` if nothing more can be played here. Says
    /// which engine is withdrawn after it, if one is.
    fn play(
        &mut self,
        fixture: &Fixture,
        tell: &dyn Fn(SlotEvent),
    ) -> Option<(Finished, Option<usize>)> {
        let context = self.context;
        let rules = context.rules(fixture);
        let engines = fixture.pairing.engines;
        let plan = GamePlan {
            number: fixture.number,
            pair: fixture.shape.pair,
            place: Some(PlaceEntry {
                round: fixture.pairing.round,
                encounter: fixture.pairing.encounter,
                game: fixture.game,
            }),
            settings: context.settings,
            rules,
            tables: context.tables,
            opening: &context.openings.line(&fixture.shape),
            engines,
            white: fixture.shape.white,
        };
        let attendance = &context.attendance;
        let withdrawn = engines.map(|engine| attendance.is_withdrawn(engine));
        if withdrawn.contains(&true) {
            let why = format!("is withdrawn: it has not started for {MOST_MISSED} games in a row");
            let finished = forfeit(&plan, withdrawn, Termination::Withdrawn, &why);
            return Some((finished, None));
        }
        let failed = |engine, error| tell(SlotEvent::StartFailed(engine, error));
        match self.seats.take(engines, &rules, false, &failed) {
            Ok(mut players) => {
                for engine in engines {
                    attendance.came(engine);
                }
                let finished = play(&plan, &mut players);
                let broken = finished.as_ref().map_or([false; 2], |game| game.broken);
                self.seats.put_back(engines, players, broken);
                Some((finished.ok()?, None))
            }
            // What stops a match may stop its engines too: none loses a game by that.
            Err(_) if context.stop.is_given() => None,
            Err((engine, error)) => {
                let missed = attendance.missed(engine);
                if missed == Missed::Match {
                    tell(SlotEvent::Unplayable(engine, error));
                    return None;
                }
                let absent = engines.map(|other| other == engine);
                let why = format!("has not started: {error}");
                let finished = forfeit(&plan, absent, Termination::NoStart, &why);
                Some((finished, (missed == Missed::Withdrawn).then_some(engine)))
            }
        }
    }
}

impl SlotContext<'_> {
    /// The rules of a game: those of the match, or their vela, whose White is the eater.
    fn rules(&self, fixture: &Fixture) -> Rules {
        if fixture.shape.vela {
            vela_of(&self.settings.rules)
        } else {
            self.settings.rules
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_ends_the_match() {
        let stop = StopSignal::new();
        let (events, inbox) = sync_channel(1);
        let slot = |panics: bool| {
            let _last_word = stop.last_word(|| drop(events.send(SlotEvent::Done)));
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

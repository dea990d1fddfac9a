//! Finished games: recorded, counted, and told of.

use super::formats::SharedSchedule;
use super::match_error::MatchError;
use super::match_state;
use super::record::Record;
use super::runner::{Ending, Event};
use super::settings::MatchSettings;
use super::slot::SlotEvent;
use super::standings::Standings;
use crate::stop::StopSignal;

/// What the coordinating thread keeps up to date while games are played.
pub(super) struct Tallying<'a> {
    pub(super) settings: &'a MatchSettings,
    pub(super) schedule: &'a SharedSchedule,
    pub(super) record: &'a mut Record,
    pub(super) standings: &'a mut Standings,
    pub(super) stop: &'a StopSignal,
    /// How the match ended, if it did before all games were played.
    pub(super) end: Option<Result<Ending, MatchError>>,
    /// Whether games that end from now on belong to it no more.
    pub(super) is_over: bool,
}

impl Tallying<'_> {
    /// Takes in what has happened at a slot.
    pub(super) fn take(&mut self, event: SlotEvent, observer: &mut dyn FnMut(Event<'_>)) {
        if self.is_over {
            return;
        }
        match event {
            SlotEvent::Finished(finished) => {
                let mut entry = finished.entry;
                if let Err(error) = self.record.add(&mut entry) {
                    self.finish(Err(error.into()));
                    return;
                }
                if let Err(error) = match_state::add(self.schedule, self.standings, &entry) {
                    // What the schedule has handed out belongs to it.
                    let path = self.record.state_path().to_owned();
                    self.finish(Err(MatchError::NotScheduled { path, error }));
                    return;
                }
                // An observer may take its time; nobody else is to wait for that.
                let extent = self.schedule.lock().extent();
                observer(Event::Game {
                    entry: &entry,
                    standings: self.standings,
                    extent,
                });
                if match_state::decision(self.settings, self.standings).is_some() {
                    self.finish(Ok(Ending::Decided));
                }
            }
            SlotEvent::StartFailed(engine, error) => observer(Event::StartFailed {
                engine: &self.standings.names[engine],
                error: &error,
            }),
            SlotEvent::Withdrawn(engine) => observer(Event::Withdrawn {
                engine: &self.standings.names[engine],
            }),
            SlotEvent::Unplayable(engine, error) => {
                // What has begun at other places is not lost.
                self.stop.after_running_games();
                if self.end.is_none() {
                    let engine = self.standings.names[engine].clone();
                    let error = MatchError::no_start(engine, error);
                    log::warn!("{error}; games that run are finished");
                    self.end = Some(Err(error));
                }
            }
            SlotEvent::NobodyToPair(bouts) => {
                self.finish(Err(MatchError::NobodyToPair(bouts)));
            }
            SlotEvent::Done => {}
        }
    }

    fn finish(&mut self, end: Result<Ending, MatchError>) {
        self.end = Some(end);
        self.is_over = true;
        self.stop.now();
    }
}

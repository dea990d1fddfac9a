//! A place where pairs of games are played, one after the other.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use super::spsa::{Spsa, Trial};
use super::{OPTION, TuneError, TuneSettings};
use crate::notation::pgn::Termination;
use crate::openings::OpeningSuite;
use crate::protocol::SetOption;
use crate::stop::StopSignal;
use crate::tablebase::Tablebases;
use crate::tournament::engine::{Launch, Player, StartError};
use crate::tournament::game::{GamePlan, play};
use crate::tournament::match_error::MatchError;
use crate::tournament::record::GameEntry;
use crate::tournament::seats::Seats;
use crate::tournament::statistics::GameCounts;

/// What the engine is called: both players are the same.
const ENGINE: &str = "the engine";

/// What games need.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) launches: Vec<Launch>,
    pub(super) book: OpeningSuite,
    pub(super) tables: Option<Tablebases>,
    pub(super) stop: StopSignal,
}

/// The iterations that are still to be played, and the values that they start from.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) spsa: Spsa,
    next: u32,
}

impl Queue {
    pub(super) fn new(spsa: &Spsa) -> Queue {
        Queue {
            spsa: spsa.clone(),
            next: 1,
        }
    }
}

/// What happens at a place.
#[derive(Debug)]
pub(super) enum PlaceEvent {
    /// A pair of games has been played.
    Played {
        trial: Trial,
        /// The games from the view of the first player; `None` if one of them ended by a fault.
        games: Option<GameCounts>,
    },
    /// It cannot go on.
    Failed(TuneError),
    /// No more games here.
    Done,
}

/// Why a pair of games has not been played to its end.
enum Unfinished {
    /// Everything is to stop.
    Stopped,
    /// It cannot be.
    Failed(TuneError),
}

/// A place where pairs of games are played.
pub(super) struct Place<'a> {
    field: &'a Field,
    settings: &'a TuneSettings,
    queue: &'a Mutex<Queue>,
    seats: Seats<'a>,
}

impl<'a> Place<'a> {
    pub(super) fn new(
        field: &'a Field,
        settings: &'a TuneSettings,
        queue: &'a Mutex<Queue>,
        number: usize,
    ) -> Place<'a> {
        let label = format!("{}", number + 1);
        Place {
            field,
            settings,
            queue,
            seats: Seats::new(&field.launches, &field.stop, label, None),
        }
    }

    /// Plays pairs of games until there are none, or everything is to stop.
    pub(super) fn play(mut self, events: &Sender<PlaceEvent>) {
        let stop = &self.field.stop;
        // A receiver that is gone has given the signal to stop.
        let tell = |event| drop(events.send(event));
        let _last_word = stop.last_word(|| tell(PlaceEvent::Done));
        while !stop.is_given()
            && let Some(trial) = self.next()
        {
            match self.pair(&trial) {
                Ok(games) => tell(PlaceEvent::Played { trial, games }),
                Err(Unfinished::Stopped) => break,
                Err(Unfinished::Failed(error)) => {
                    tell(PlaceEvent::Failed(error));
                    break;
                }
            }
        }
    }

    /// What is tried next, if anything is.
    fn next(&self) -> Option<Trial> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while queue.spsa.progress.contains(queue.next) {
            queue.next += 1;
        }
        let iteration = queue.next;
        if iteration > self.settings.iterations {
            return None;
        }
        queue.next += 1;
        Some(queue.spsa.trial(&self.settings.course(), iteration))
    }

    /// Plays both games of a trial; `None` if one of them ended by a fault.
    fn pair(&mut self, trial: &Trial) -> Result<Option<GameCounts>, Unfinished> {
        let opening = self.field.book.line(trial.iteration as usize - 1);
        let mut counts = GameCounts::default();
        let mut sound = true;
        for white in [0, 1] {
            let failed = |_, error| log::warn!("{ENGINE} has not started, trying again: {error}");
            let mut players = self
                .seats
                .take([0, 1], &self.settings.games.rules, white == 1, &failed)
                .map_err(|(_, error)| match error {
                    StartError::Stopped => Unfinished::Stopped,
                    error => {
                        let error = MatchError::no_start(ENGINE.to_owned(), error);
                        Unfinished::Failed(error.into())
                    }
                })?;
            for (player, values) in players.iter().zip(&trial.players) {
                player.say_option(SetOption {
                    name: OPTION.to_owned(),
                    value: Some(self.settings.option(values)),
                });
            }
            let plan = GamePlan {
                number: (2 * trial.iteration - 1).saturating_add(white),
                pair: trial.iteration,
                place: None,
                rules: self.settings.games.rules,
                engines: [0, 1],
                settings: &self.settings.games,
                tables: self.field.tables.as_ref(),
                opening: &opening,
                white: white as usize,
            };
            let finished = play(&plan, &mut players);
            let mut complaints = players.iter_mut().flat_map(Player::take_complaints);
            let refusal = complaints.find(|complaint| complaint.contains(OPTION));
            let broken = finished.as_ref().map_or([false; 2], |game| game.broken);
            self.seats.put_back([0, 1], players, broken);
            let finished = finished.map_err(|_| Unfinished::Stopped)?;
            if let Some(refusal) = refusal {
                return Err(Unfinished::Failed(TuneError::Refused(refusal)));
            }
            let GameEntry {
                termination,
                reason,
                ..
            } = &finished.entry;
            // What loses on time is to be learned; a crash says nothing of the numbers.
            if termination.is_fault() && *termination != Termination::TimeLoss {
                sound = false;
                log::warn!("pair {}: {reason}", trial.iteration);
            }
            match finished.winner.map(|side| plan.engine_of(side)) {
                None => counts.draws += 1,
                Some(0) => counts.wins += 1,
                Some(_) => counts.losses += 1,
            }
        }
        Ok(sound.then_some(counts))
    }
}

//! The places of two engines: started when they are needed, and kept from game to game.

use std::time::Duration;

use super::engine::{Launch, Player, StartError};
use crate::rules::Rules;
use crate::stop::StopSignal;

/// So many failed starts in a row are too many.
pub(super) const START_ATTEMPTS: u32 = 3;

/// How long an engine that was told to quit is waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// A place for each of two engines. Those of the last game stay, in case they play the next one; no more
/// than two processes run at a time, however many engines there are.
#[derive(Debug)]
pub(super) struct Seats<'a> {
    launches: &'a [Launch],
    stop: &'a StopSignal,
    /// What their traffic is logged under.
    label: String,
    cpus: Option<&'a [usize]>,
    /// The engines of the last game that can still be used, by their places among the launches.
    seated: Vec<(usize, Player)>,
}

impl<'a> Seats<'a> {
    /// Empty places; engines are bound to the processors `cpus`, if any are named.
    pub(super) fn new(
        launches: &'a [Launch],
        stop: &'a StopSignal,
        label: String,
        cpus: Option<&'a [usize]>,
    ) -> Seats<'a> {
        Seats {
            launches,
            stop,
            label,
            cpus,
            seated: Vec::new(),
        }
    }

    /// The engines that run here, between games.
    pub(super) fn engines(&self) -> impl Iterator<Item = usize> {
        self.seated.iter().map(|(engine, _)| *engine)
    }

    /// These two engines, started and ready for a new game under `rules`; others leave. `failed` hears of
    /// an engine that has not started and is tried again. Give them back with [`Seats::put_back`].
    ///
    /// A game that `continues` what was begun is still played where no further one is to begin.
    ///
    /// # Errors
    ///
    /// The engine that does not start, and why; or that everything is to stop.
    pub(super) fn take(
        &mut self,
        engines: [usize; 2],
        rules: &Rules,
        continues: bool,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<[Player; 2], (usize, StartError)> {
        let seated = self.seated.drain(..);
        let (stay, mut leave): (Vec<_>, Vec<_>) =
            seated.partition(|(engine, _)| engines.contains(engine));
        self.seated = stay;
        dismiss(leave.iter_mut().map(|(_, player)| player), self.stop);
        drop(leave);
        let [one, other] = engines;
        let first = self.player(one, rules, continues, failed)?;
        match self.player(other, rules, continues, failed) {
            Ok(second) => Ok([first, second]),
            Err(error) => {
                // Its next game may be against somebody who does start.
                self.seated.push((one, first));
                Err(error)
            }
        }
    }

    /// Takes the engines back after a game; those that are broken are started anew for their next.
    pub(super) fn put_back(
        &mut self,
        engines: [usize; 2],
        players: [Player; 2],
        broken: [bool; 2],
    ) {
        let players = engines.into_iter().zip(players).zip(broken);
        let sound = players.filter(|(_, broken)| !broken);
        self.seated = sound.map(|(player, _)| player).collect();
    }

    fn player(
        &mut self,
        engine: usize,
        rules: &Rules,
        continues: bool,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<Player, (usize, StartError)> {
        let mut failures = 0;
        loop {
            let error = match self.try_player(engine, rules) {
                Ok(_) if self.stop.is_given() && !continues => {
                    return Err((engine, StartError::Stopped));
                }
                Ok(player) => return Ok(player),
                Err(error) => error,
            };
            failures += 1;
            if error.is_final() || failures >= START_ATTEMPTS {
                return Err((engine, error));
            }
            failed(engine, error);
        }
    }

    fn try_player(&mut self, engine: usize, rules: &Rules) -> Result<Player, StartError> {
        let launch = &self.launches[engine];
        let seat = self.seated.iter().position(|(seated, _)| *seated == engine);
        let mut usable = seat.map(|seat| self.seated.swap_remove(seat).1);
        if launch.settings.restart == Some(true)
            && let Some(mut old) = usable.take()
        {
            dismiss(std::iter::once(&mut old), self.stop);
        }
        if usable.as_mut().is_some_and(|player| !player.is_alive()) {
            usable = None;
        }
        let mut player = match usable {
            Some(player) => player,
            None => launch.start(self.cpus, &self.label)?.player,
        };
        player.new_game(rules)?;
        Ok(player)
    }
}

/// Lets engines leave by themselves if they do so soon; none stays once it is dropped.
fn dismiss<'p>(players: impl Iterator<Item = &'p mut Player>, stop: &StopSignal) {
    let mut players: Vec<&mut Player> = players.collect();
    for player in &mut players {
        player.ask_to_quit();
    }
    for player in players {
        if !stop.is_now() && !player.has_quit(FAREWELL) {
            log::debug!("an engine does not quit and is killed");
        }
    }
}

impl Drop for Seats<'_> {
    fn drop(&mut self) {
        dismiss(self.seated.iter_mut().map(|(_, player)| player), self.stop);
    }
}

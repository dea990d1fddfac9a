//! The places of two engines: started when they are needed, and kept from game to game.

use std::time::Duration;

use super::engine::{Launch, Player, StartError};
use super::stop::StopSignal;

/// So many failed starts in a row are too many.
pub(super) const START_ATTEMPTS: u32 = 3;

/// How long an engine that was told to quit is waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// A place for each of two engines.
#[derive(Debug)]
pub(super) struct Seats<'a> {
    launches: &'a [Launch; 2],
    stop: &'a StopSignal,
    /// What their traffic is logged under.
    label: String,
    cpus: Option<&'a [usize]>,
    players: [Option<Player>; 2],
}

impl<'a> Seats<'a> {
    /// Empty places; engines are bound to the processors `cpus`, if any are named.
    pub(super) fn new(
        launches: &'a [Launch; 2],
        stop: &'a StopSignal,
        label: String,
        cpus: Option<&'a [usize]>,
    ) -> Seats<'a> {
        Seats {
            launches,
            stop,
            label,
            cpus,
            players: [None, None],
        }
    }

    /// Both engines, started and ready for a new game. `failed` hears of an engine (0 or 1) that has not
    /// started and is tried again. Give them back with [`Seats::put_back`].
    ///
    /// A game that `continues` what was begun is still played where no further one is to begin.
    ///
    /// # Errors
    ///
    /// The engine that does not start, and why; or that everything is to stop.
    pub(super) fn take(
        &mut self,
        continues: bool,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<[Player; 2], (usize, StartError)> {
        Ok([
            self.player(0, continues, failed)?,
            self.player(1, continues, failed)?,
        ])
    }

    /// Takes the engines back after a game; those that are broken are started anew for the next.
    pub(super) fn put_back(&mut self, players: [Player; 2], broken: [bool; 2]) {
        self.players = players.map(Some);
        for (player, broken) in self.players.iter_mut().zip(broken) {
            if broken {
                *player = None;
            }
        }
    }

    fn player(
        &mut self,
        engine: usize,
        continues: bool,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<Player, (usize, StartError)> {
        let mut failures = 0;
        loop {
            let error = match self.try_player(engine) {
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

    fn try_player(&mut self, engine: usize) -> Result<Player, StartError> {
        let launch = &self.launches[engine];
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
            None => launch.start(self.cpus, &self.label)?.player,
        };
        player.new_game()?;
        Ok(player)
    }
}

impl Drop for Seats<'_> {
    /// Lets the engines leave by themselves if they do so soon; none stays.
    fn drop(&mut self) {
        for player in self.players.iter_mut().flatten() {
            player.ask_to_quit();
        }
        for player in self.players.iter_mut().flatten() {
            if !self.stop.is_now() && !player.has_quit(FAREWELL) {
                log::debug!("an engine does not quit and is killed");
            }
        }
    }
}

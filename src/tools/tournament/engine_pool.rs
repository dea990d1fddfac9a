//! The engines of a worker: started when they are needed, and kept from game to game.

use std::time::Duration;

use super::engine::{Player, StartError};
use super::resources::Resources;
use vato_engine::rules::Rules;

/// Failed starts in a row after which an engine is given up.
pub(super) const START_ATTEMPTS: u32 = 3;

/// Starts an engine, if need be in several attempts. `failed` hears why, of each after which there is another.
pub(super) fn attempts<T>(
    mut start: impl FnMut() -> Result<T, StartError>,
    failed: impl Fn(StartError),
) -> Result<T, StartError> {
    for _ in 1..START_ATTEMPTS {
        match start() {
            Err(error @ StartError::Failed(_)) => failed(error),
            ended => return ended,
        }
    }
    start()
}

/// Time that an engine has to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(1);

/// Holds at most two processes: those of the last game, in case they play the next one.
#[derive(Debug)]
pub(super) struct EnginePool<'a> {
    pub(super) resources: &'a Resources,
    /// Their label in the I/O log.
    pub(super) label: String,
    /// The processors to which they are bound.
    pub(super) cpus: Option<&'a [usize]>,
    /// The engines of the last game that can still be used, by their places among the launches.
    pub(super) idle: Vec<(usize, Player)>,
}

impl EnginePool<'_> {
    /// Returns these two engines, started and ready for a new game under `rules`, and dismisses others.
    /// `failed` is called for each failed start that is tried again. An error names the engine.
    pub(super) fn take(
        &mut self,
        engines: [usize; 2],
        rules: &Rules,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<[Player; 2], (usize, StartError)> {
        let is_other = |(engine, _): &mut (usize, Player)| !engines.contains(engine);
        let leave: Vec<_> = self.idle.extract_if(.., is_other).collect();
        self.dismiss(leave);
        let [one, other] = engines;
        let first = self.player(one, rules, failed)?;
        match self.player(other, rules, failed) {
            Ok(second) => Ok([first, second]),
            Err(error) => {
                // Kept: its next opponent may start.
                self.idle.push((one, first));
                Err(error)
            }
        }
    }

    fn player(
        &mut self,
        engine: usize,
        rules: &Rules,
        failed: &dyn Fn(usize, StartError),
    ) -> Result<Player, (usize, StartError)> {
        let launch = &self.resources.launches[engine];
        let start = || {
            let place = self.idle.iter().position(|(idle, _)| *idle == engine);
            let mut usable = place.map(|place| self.idle.swap_remove(place));
            if launch.settings.restart == Some(true) {
                self.dismiss(usable.take().into_iter().collect());
            }
            usable.take_if(|(_, player)| player.has_quit(Duration::ZERO));
            let mut player = match usable {
                Some((_, player)) => player,
                None if self.resources.stop.is_given() => return Err(StartError::Stopped),
                None => launch.start(self.cpus, &self.label)?.0,
            };
            player.new_game(rules)?;
            match self.resources.stop.is_given() {
                true => Err(StartError::Stopped),
                false => Ok(player),
            }
        };
        attempts(start, |error| failed(engine, error)).map_err(|error| (engine, error))
    }

    /// Sends `quit` and waits a moment; a process that has not exited is killed when it is dropped.
    fn dismiss(&self, mut players: Vec<(usize, Player)>) {
        for (_, player) in &mut players {
            player.ask_to_quit();
        }
        for (_, player) in &mut players {
            if !self.resources.stop.is_now() && !player.has_quit(FAREWELL) {
                log::debug!("an engine does not quit and is killed");
            }
        }
    }
}

impl Drop for EnginePool<'_> {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.idle);
        self.dismiss(idle);
    }
}

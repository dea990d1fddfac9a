//! The time that a player has.

use std::time::Duration;

use crate::tournament::settings::{EngineSettings, TimeControl};

/// One player's time in one game.
#[derive(Clone, Debug)]
pub(crate) struct PlayerClock {
    time: Time,
    margin: Duration,
}

#[derive(Clone, Debug)]
enum Time {
    /// Nothing limits it.
    Unlimited,
    /// So much for each move.
    Fixed(Duration),
    /// A clock.
    Clock {
        control: TimeControl,
        remaining: Duration,
        moves_to_go: Option<u32>,
    },
}

/// More time was used than there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlagFallen {
    pub(crate) used: Duration,
    pub(crate) had: Duration,
}

impl Time {
    fn clock(control: TimeControl) -> Time {
        Time::Clock {
            control,
            // A clock of nothing but increment begins with one.
            remaining: control.time.max(control.increment),
            moves_to_go: control.moves,
        }
    }
}

impl PlayerClock {
    /// A clock that forgives nothing.
    pub(crate) fn strict(control: TimeControl) -> PlayerClock {
        PlayerClock {
            time: Time::clock(control),
            margin: Duration::ZERO,
        }
    }

    pub(super) fn new(settings: &EngineSettings) -> PlayerClock {
        let time = match (settings.tc, settings.fixed_time()) {
            (Some(control), _) => Time::clock(control),
            (None, Some(time)) => Time::Fixed(time),
            (None, None) => Time::Unlimited,
        };
        PlayerClock {
            time,
            margin: settings.margin(),
        }
    }

    /// What an answer may take before it is too late; `None` if nothing limits it.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        self.had().map(|had| had + self.margin)
    }

    /// Time left and increment, if there is a clock.
    pub(crate) fn clock(&self) -> Option<(Duration, Duration)> {
        match self.time {
            Time::Clock {
                control, remaining, ..
            } => Some((remaining, control.increment)),
            _ => None,
        }
    }

    /// Moves until the time is given again, if there is a clock and it does so.
    pub(crate) fn moves_to_go(&self) -> Option<u32> {
        match self.time {
            Time::Clock { moves_to_go, .. } => moves_to_go,
            _ => None,
        }
    }

    /// The fixed time for a move, if that is how it is limited.
    pub(super) fn fixed(&self) -> Option<Duration> {
        match self.time {
            Time::Fixed(time) => Some(time),
            _ => None,
        }
    }

    /// Takes the time of a move off the clock.
    ///
    /// # Errors
    ///
    /// If that was more than there was, and more than the margin forgives.
    pub(crate) fn spend(&mut self, used: Duration) -> Result<(), FlagFallen> {
        let Some(had) = self.had() else {
            return Ok(());
        };
        if used > had + self.margin {
            return Err(FlagFallen { used, had });
        }
        if let Time::Clock {
            control,
            remaining,
            moves_to_go,
        } = &mut self.time
        {
            *remaining = remaining.saturating_sub(used) + control.increment;
            if let Some(moves) = moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    *remaining += control.time;
                    *moves_to_go = control.moves;
                }
            }
        }
        Ok(())
    }

    fn had(&self) -> Option<Duration> {
        match self.time {
            Time::Unlimited => None,
            Time::Fixed(time) => Some(time),
            Time::Clock { remaining, .. } => Some(remaining),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> PlayerClock {
        PlayerClock::new(&EngineSettings::from_pairs(text).expect(text))
    }

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let mut clock = clock("tc=1+0.1");
        assert_eq!(clock.spend(ms(300)), Ok(()));
        assert_eq!(clock.clock(), Some((ms(800), ms(100))));
        assert_eq!(
            clock.spend(ms(801)),
            Err(FlagFallen {
                used: ms(801),
                had: ms(800)
            })
        );
        assert_eq!(clock.spend(ms(800)), Ok(()));
        assert_eq!(clock.clock(), Some((ms(100), ms(100))));
    }

    #[test]
    fn time_comes_again_after_so_many_moves() {
        let mut clock = clock("tc=2/1");
        assert_eq!(clock.moves_to_go(), Some(2));
        assert_eq!(clock.spend(ms(400)), Ok(()));
        assert_eq!(clock.moves_to_go(), Some(1));
        assert_eq!(clock.spend(ms(400)), Ok(()));
        assert_eq!(clock.moves_to_go(), Some(2));
        assert_eq!(clock.clock(), Some((ms(1200), ms(0))));
    }

    #[test]
    fn the_margin_forgives_and_does_not_add_up() {
        let mut clock = clock("tc=1+0.1,timemargin=50");
        assert_eq!(clock.allowance(), Some(ms(1050)));
        assert_eq!(clock.spend(ms(1050)), Ok(()));
        assert_eq!(clock.clock(), Some((ms(100), ms(100))));
        assert!(clock.spend(ms(151)).is_err());
    }

    #[test]
    fn other_limits() {
        let mut fixed = clock("st=0.5,timemargin=0");
        assert_eq!((fixed.fixed(), fixed.clock()), (Some(ms(500)), None));
        assert!(fixed.spend(ms(501)).is_err());
        assert_eq!(fixed.spend(ms(500)), Ok(()));
        let mut nodes = clock("nodes=5");
        assert_eq!(nodes.allowance(), None);
        assert_eq!(nodes.spend(ms(1_000_000)), Ok(()));
        assert_eq!(clock("tc=0+1").allowance(), Some(ms(1000)));
    }
}

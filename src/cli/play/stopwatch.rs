//! Measuring elapsed time in a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::support::failure::{Context, Failure};

/// The interval at which the time is to be read. While the process is suspended (Ctrl-Z in a shell) no
/// clock runs; the time since the last reading is lost then.
pub const TICK: Duration = Duration::from_millis(100);

/// A stopwatch that runs only while the process does.
pub struct Stopwatch {
    taken: Instant,
    /// Whether the process was suspended and resumed since.
    was_halted: Arc<AtomicBool>,
}

impl Stopwatch {
    pub fn start() -> Result<Stopwatch, Failure> {
        let was_halted = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&was_halted))
            .context("cannot listen to signals")?;
        Ok(Stopwatch {
            taken: Instant::now(),
            was_halted,
        })
    }

    /// The time since the last reading; the reading is moved to now.
    pub fn take(&mut self) -> Duration {
        let now = Instant::now();
        let time = match self.was_halted.swap(false, Ordering::SeqCst) {
            true => Duration::ZERO,
            false => now - self.taken,
        };
        self.taken = now;
        time
    }

    /// The time since the last reading.
    pub fn elapsed(&self) -> Duration {
        self.taken.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_halt_does_not_count() {
        let mut watch = Stopwatch::start().expect("signals");
        while watch.elapsed().is_zero() {}
        assert!(!watch.take().is_zero());
        while watch.elapsed().is_zero() {}
        watch.was_halted.store(true, Ordering::SeqCst);
        assert!(watch.take().is_zero());
        while watch.elapsed().is_zero() {}
        assert!(!watch.take().is_zero());
    }
}

//! How much time goes by in a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::failure::{Context, Failure};

/// How often the time is to be taken while it counts. While the program is halted (Ctrl-Z in a shell)
/// nobody plays and no clock runs: what is lost then is the time since it was taken last.
pub const TICK: Duration = Duration::from_millis(100);

/// Time that goes by while the program runs.
pub struct Stopwatch {
    /// When the time was taken last.
    taken: Instant,
    /// Whether the program was halted since then, and goes on.
    was_halted: Arc<AtomicBool>,
}

impl Stopwatch {
    /// Begins now.
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

    /// The time that went by since this was asked last.
    pub fn take(&mut self) -> Duration {
        let now = Instant::now();
        let time = match self.was_halted.swap(false, Ordering::SeqCst) {
            true => Duration::ZERO,
            false => now - self.taken,
        };
        self.taken = now;
        time
    }

    /// The time since it was taken last.
    pub fn elapsed(&self) -> Duration {
        self.taken.elapsed()
    }

    /// Begins anew: the time since it was taken last does not count.
    pub fn restart(&mut self) {
        self.was_halted.store(false, Ordering::SeqCst);
        self.taken = Instant::now();
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

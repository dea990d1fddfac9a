//! A witness of the machine standing still.
//!
//! Where many share a machine it stands still now and then, for seconds. Whoever has to answer within
//! a second then does not, and no test of such limits can tell that from an engine, or an arbiter, that
//! is too slow. But a thread that does nothing but wake up knows it. A failure at such a time says
//! nothing; one at any other time stands.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the witness sleeps.
const NAP: Duration = Duration::from_millis(10);

/// So much longer, and the machine has stood still: the shortest time that has an engine with a fast
/// clock lose by it.
const STANDSTILL: Duration = Duration::from_millis(50);

/// For how long new attempts are made, while the machine does little but stand still.
const PATIENCE: Duration = Duration::from_secs(60);

/// The last standstill: when it was over, and how long it was.
static LAST: Mutex<Option<(Instant, Duration)>> = Mutex::new(None);

/// Runs a test, and runs it again if it fails while the machine stands still.
pub fn unless_at_a_standstill(test: impl Fn()) {
    watch();
    let first = Instant::now();
    loop {
        let begun = Instant::now();
        let Err(failure) = catch_unwind(AssertUnwindSafe(&test)) else {
            return;
        };
        // A witness that still sleeps has yet to say what it saw.
        thread::sleep(2 * NAP);
        match standstill_since(begun) {
            Some(length) if first.elapsed() < PATIENCE => {
                println!("trying again: the machine stood still for {length:?}");
            }
            _ => resume_unwind(failure),
        }
    }
}

/// Starts the witness.
fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        thread::spawn(|| {
            loop {
                let asleep = Instant::now();
                thread::sleep(NAP);
                let longer = asleep.elapsed().saturating_sub(NAP);
                if longer >= STANDSTILL {
                    *LAST.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some((Instant::now(), longer));
                }
            }
        });
    });
}

/// How long the machine has last stood still, if it was after this moment.
fn standstill_since(moment: Instant) -> Option<Duration> {
    let last = *LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.and_then(|(over, length)| (over > moment).then_some(length))
}

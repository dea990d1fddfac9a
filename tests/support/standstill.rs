//! A witness of the machine standing still.
//!
//! Where many share a machine it stands still now and then, for seconds. Whoever has to answer within
//! a second then does not, and no test of such limits can tell that from an engine, or a match runner, that
//! is too slow. But a thread that does nothing but wake up knows it. A failure at such a time says
//! nothing; one at any other time stands.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the witness sleeps.
const NAP: Duration = Duration::from_millis(10);

/// Who wakes up so much later has seen the machine stand still. Shorter delays cost nobody his game in
/// these tests.
const STANDSTILL: Duration = Duration::from_millis(50);

/// How often a test is tried, at most.
const ATTEMPTS: u32 = 5;

/// What the witness has seen.
struct Seen {
    /// When it was awake last.
    awake: Instant,
    /// When the last standstill was over, and how long it was.
    standstill: Option<(Instant, Duration)>,
}

static SEEN: Mutex<Option<Seen>> = Mutex::new(None);

/// Runs a test, and runs it again if it fails while the machine stands still.
pub fn unless_at_a_standstill(name: &str, test: impl Fn()) {
    watch();
    for attempt in 1.. {
        let begun = Instant::now();
        let Err(failure) = catch_unwind(AssertUnwindSafe(&test)) else {
            return;
        };
        match standstill_since(begun) {
            Some(length) if attempt < ATTEMPTS => {
                eprintln!("{name}: tried again, as the machine stood still for {length:?}");
            }
            _ => resume_unwind(failure),
        }
    }
}

/// Starts the witness.
fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        look();
        thread::spawn(|| {
            loop {
                thread::sleep(NAP);
                look();
            }
        });
    });
}

/// The witness is awake.
fn look() {
    let now = Instant::now();
    let mut seen = seen();
    let before = seen.take();
    let standstill = before.and_then(|before| {
        let length = now - before.awake;
        (length >= NAP + STANDSTILL)
            .then_some((now, length))
            .or(before.standstill)
    });
    *seen = Some(Seen {
        awake: now,
        standstill,
    });
}

/// How long the machine has stood still last, if it has since this moment, or still does.
fn standstill_since(moment: Instant) -> Option<Duration> {
    let seen = seen();
    let Seen { awake, standstill } = seen.as_ref()?;
    let asleep = awake.elapsed();
    if asleep >= NAP + STANDSTILL {
        return Some(asleep);
    }
    let (over, length) = standstill.as_ref()?;
    (*over > moment).then_some(*length)
}

fn seen() -> MutexGuard<'static, Option<Seen>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

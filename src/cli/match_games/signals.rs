//! Ctrl-C and its relatives.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use vato::arbiter::StopSignal;

/// How often the flags are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// From now on, Ctrl-C ends the match after the running games, and a second one now; a request to
/// terminate (or a terminal that is closed) ends it now.
///
/// # Errors
///
/// If the system refuses the handlers or the thread that looks after them.
pub fn watch(stop: &StopSignal) -> io::Result<()> {
    let [interrupt, terminate] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    flag::register(SIGINT, Arc::clone(&interrupt))?;
    flag::register(SIGTERM, Arc::clone(&terminate))?;
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGHUP, Arc::clone(&terminate))?;
    let stop = stop.clone();
    let look = move || {
        loop {
            thread::sleep(LOOK);
            if terminate.swap(false, Ordering::Relaxed) {
                stop.now();
            }
            if interrupt.swap(false, Ordering::Relaxed) {
                if stop.is_given() {
                    stop.now();
                } else {
                    stop.after_running_games();
                    // With standard error closed there is nobody to tell.
                    let _ = writeln!(
                        io::stderr(),
                        "\nfinishing the running games; Ctrl-C again stops now"
                    );
                }
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(look)
        .map(drop)
}

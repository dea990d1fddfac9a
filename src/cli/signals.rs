//! Ctrl-C and its relatives.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use vato::stop::StopSignal;

use super::failure::{Context, Failure, STOPPED};

/// How often the flags are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// From now on, Ctrl-C (or Ctrl-Z) ends a match, or other long work, after what is `running` (such as
/// `games`), a second one now, and a third one without waiting for anything; a request to terminate
/// (or a terminal that is closed) ends it now.
pub fn watch(stop: &StopSignal, running: &'static str) -> Result<(), Failure> {
    start_watching(stop, running).context("cannot listen to signals")
}

fn start_watching(stop: &StopSignal, running: &'static str) -> io::Result<()> {
    let [interrupt, terminate] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    // Once everything is to stop now, another Ctrl-C does not wait for it: engines end all the same.
    let stopping = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, STOPPED.into(), Arc::clone(&stopping))?;
    flag::register(SIGINT, Arc::clone(&interrupt))?;
    flag::register(SIGTERM, Arc::clone(&terminate))?;
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGTSTP};
        if !is_ignored(SIGHUP) {
            flag::register(SIGHUP, Arc::clone(&terminate))?;
        }
        // Ctrl-Z: a runner that is suspended cannot watch clocks. To pause is to finish the running
        // games and to resume later.
        flag::register(SIGTSTP, Arc::clone(&interrupt))?;
    }
    let stop = stop.clone();
    let look = move || {
        loop {
            thread::sleep(LOOK);
            stopping.store(stop.is_now(), Ordering::Relaxed);
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
                        "\nfinishing the running {running}; Ctrl-C again stops now"
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

/// Whether the signal was switched off before this program began, as `nohup` does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // Where the system does not tell, it is taken as usual.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

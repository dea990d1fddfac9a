//! Handling of Ctrl-C and other signals.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use vato_tools::stop::StopSignal;

use super::failure::{Context, Failure, STOPPED};
use crate::cli::tell;

const LOOK: Duration = Duration::from_millis(50);

/// Installs the handlers that give the signal to stop: the first Ctrl-C (or Ctrl-Z) after what is `running` (such as
/// `games`, unless it is empty, or is only being started), the second one now, the third one ends the process; a
/// termination signal (or a closed terminal) now.
pub fn watch(running: &'static str) -> Result<StopSignal, Failure> {
    let stop = StopSignal::new();
    let watching = start_watching(stop.clone(), running);
    watching.context("cannot listen to signals")?;
    Ok(stop)
}

fn start_watching(stop: StopSignal, running: &'static str) -> io::Result<()> {
    let [interrupt, terminate] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    // Once everything is to stop now, the next Ctrl-C ends the process; the engines end with it.
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
        // Ctrl-Z: a suspended runner could not watch clocks. Finishing the running games and resuming later
        // serves as a pause.
        flag::register(SIGTSTP, Arc::clone(&interrupt))?;
    }
    let look = move || {
        loop {
            thread::sleep(LOOK);
            stopping.store(stop.is_now(), Ordering::Relaxed);
            if terminate.swap(false, Ordering::Relaxed) {
                stop.now();
            }
            if interrupt.swap(false, Ordering::Relaxed) {
                if stop.is_given() || stop.is_starting() || running.is_empty() {
                    stop.now();
                } else {
                    stop.after_running_games();
                    tell(format_args!(
                        "\nfinishing the running {running}; Ctrl-C again stops now"
                    ));
                }
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(look)
        .map(drop)
}

/// Whether the signal was ignored when the program started, as under `nohup`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // Where `/proc` is missing, the signal is handled as usual.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

//! Acquiring and restoring the terminal, also on panics and signals.

use std::io::{self, BufWriter, Write, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use super::frame::Frame;
use crate::cli::support::failure::{Context, Failure};

static TAKEN: AtomicBool = AtomicBool::new(false);

/// The acquired terminal: raw mode, alternate screen, mouse events. Dropping this restores it.
pub(super) struct TakenTerminal {
    shown: Frame,
}

impl TakenTerminal {
    /// Acquires the terminal; on failure the steps done are undone.
    pub(super) fn take() -> io::Result<TakenTerminal> {
        TAKEN.store(true, Ordering::SeqCst);
        let taken = TakenTerminal {
            shown: Frame::new((0, 0)),
        };
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(taken)
    }

    /// Restores the terminal and suspends the process, as Ctrl-Z does elsewhere; acquires the terminal
    /// again when the process is resumed. The system does not suspend a process that nobody could resume.
    /// The next frame is drawn completely.
    pub(super) fn suspend(self) -> io::Result<TakenTerminal> {
        drop(self);
        // If the system refuses, the game continues.
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGTSTP);
        TakenTerminal::take()
    }

    pub(super) fn show(&mut self, frame: Frame) -> io::Result<()> {
        let mut output = BufWriter::new(stdout().lock());
        frame.write(&self.shown, &mut output)?;
        output.flush()?;
        self.shown = frame;
        Ok(())
    }
}

impl Drop for TakenTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal if it is acquired.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Errors are ignored: without a terminal there is nothing to restore.
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// From now on a panic of this thread, which ends the program, restores the terminal before its message is printed. The
/// other threads catch panics: those of the engine are shown in the game, and one of the reading thread ends the game.
pub(super) fn restore_on_panic() {
    let this_thread = thread::current().id();
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == this_thread {
            restore();
            tell(info);
        } else if !TAKEN.load(Ordering::SeqCst) {
            tell(info);
        }
    }));
}

/// The last termination signal; 0 if none.
pub(super) struct EndRequests(Arc<AtomicUsize>);

impl EndRequests {
    pub(super) fn listen() -> Result<EndRequests, Failure> {
        let caught = Arc::new(AtomicUsize::new(0));
        let mut signals = vec![SIGINT, SIGTERM];
        #[cfg(unix)]
        signals.push(signal_hook::consts::SIGHUP);
        for signal in signals {
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_usize(signal, Arc::clone(&caught), number)
                .context("cannot listen to signals")?;
        }
        Ok(EndRequests(caught))
    }

    pub(super) fn is_any(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// Ends the program as the signal would have by default. Call it after cleaning up; without a request
    /// it does nothing.
    pub(super) fn obey(&self) {
        if let Ok(signal @ 1..) = i32::try_from(self.0.load(Ordering::SeqCst)) {
            // If this fails, the program ends normally.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

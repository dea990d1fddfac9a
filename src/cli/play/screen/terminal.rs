//! Taking the terminal over, and giving it back whatever happens, signals included.

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
use crate::cli::failure::{Context, Failure};

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, taken over: raw, on its alternate screen, with the mouse. Dropping this gives it back.
pub(super) struct TakenTerminal {
    /// What is on it.
    shown: Frame,
}

impl TakenTerminal {
    /// Takes the terminal over. From now on a panic gives it back before it is told.
    pub(super) fn take() -> io::Result<TakenTerminal> {
        restore_on_panic();
        take_over()
    }

    /// Gives the terminal back and has the program halted, as Ctrl-Z does with others; takes it over again
    /// when somebody lets the program go on. Where nobody could, the system does not halt it. The next
    /// picture is then drawn whole.
    pub(super) fn suspend(self) -> io::Result<TakenTerminal> {
        drop(self);
        // If the system refuses, the game just goes on.
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGTSTP);
        take_over()
    }

    /// Shows a picture.
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

/// Takes the terminal over; what fails half-way is undone.
fn take_over() -> io::Result<TakenTerminal> {
    TAKEN.store(true, Ordering::SeqCst);
    let taken = TakenTerminal {
        shown: Frame::new((0, 0)),
    };
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
    Ok(taken)
}

/// Gives the terminal back, if it was taken over.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // With the terminal gone there is nothing left to restore.
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// A panic of this thread ends the program, and its message is for the screen that was there before.
/// The other threads catch theirs: the engine tells them in the game, and the thread that reads the
/// terminal has the game ended.
fn restore_on_panic() {
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

/// The last request to end, 0 without one.
pub(super) struct EndRequests {
    caught: Arc<AtomicUsize>,
}

impl EndRequests {
    /// Listens from now on.
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
        Ok(EndRequests { caught })
    }

    /// Whether the program is to end.
    pub(super) fn is_any(&self) -> bool {
        self.caught.load(Ordering::SeqCst) != 0
    }

    /// Ends the program the way the request would have, had nobody listened. To be called once
    /// everything is in order; does nothing without a request.
    pub(super) fn obey(&self) {
        let signal = self.caught.load(Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(signal) {
            // Where that does not work the program ends in the ordinary way.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

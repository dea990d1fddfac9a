//! Taking the terminal over, and giving it back whatever happens, signals included.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::cli::failure::{Context, Failure};

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, taken over: raw, on its alternate screen, with the mouse. Dropping this gives it back.
pub(super) struct TakenTerminal {
    pub(super) terminal: Terminal<CrosstermBackend<Output>>,
}

/// Standard output while the terminal is taken over. What comes later goes nowhere: a [`Terminal`] that is
/// dropped shows the cursor, and where it cannot, since the terminal was closed, it complains on standard
/// error, which is the same terminal and makes a panic of that.
pub(super) struct Output(Stdout);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match TAKEN.load(Ordering::SeqCst) {
            true => self.0.write(bytes),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match TAKEN.load(Ordering::SeqCst) {
            true => self.0.flush(),
            false => Ok(()),
        }
    }
}

impl TakenTerminal {
    /// Takes the terminal over. From now on a panic gives it back before it is told.
    pub(super) fn take() -> io::Result<TakenTerminal> {
        restore_on_panic();
        take_over().map(|terminal| TakenTerminal { terminal })
    }

    /// Gives the terminal back and has the program halted, as Ctrl-Z does with others; takes it over again
    /// when somebody lets the program go on. Where nobody could, the system does not halt it. The next
    /// picture is then drawn whole.
    pub(super) fn suspend(self) -> io::Result<TakenTerminal> {
        drop(self);
        // If the system refuses, the game just goes on.
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGTSTP);
        take_over().map(|terminal| TakenTerminal { terminal })
    }
}

impl Drop for TakenTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes the terminal over; what fails half-way is undone.
fn take_over() -> io::Result<Terminal<CrosstermBackend<Output>>> {
    TAKEN.store(true, Ordering::SeqCst);
    let begin = || {
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Terminal::new(CrosstermBackend::new(Output(stdout())))
    };
    begin().inspect_err(|_| restore())
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

//! Taking the terminal over, and giving it back whatever happens.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, taken over: raw, on its alternate screen, with the mouse. Dropping this gives it back.
pub(super) struct TakenTerminal {
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl TakenTerminal {
    /// Takes the terminal over. From now on a panic gives it back before it is told.
    pub(super) fn take() -> io::Result<TakenTerminal> {
        restore_on_panic();
        take_over().map(|terminal| TakenTerminal { terminal })
    }

    /// Gives the terminal back and has the program halted, as Ctrl-Z does with others; takes it over again
    /// when somebody lets the program go on. Where nobody could, the system does not halt it.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be taken over again.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore();
        // If the system refuses, the game just goes on.
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGTSTP);
        // A new one: all of the next picture is to be drawn, not only what is new in it.
        self.terminal = take_over()?;
        Ok(())
    }
}

impl Drop for TakenTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes the terminal over; what fails half-way is undone.
fn take_over() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    TAKEN.store(true, Ordering::SeqCst);
    let begin = || {
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Terminal::new(CrosstermBackend::new(stdout()))
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

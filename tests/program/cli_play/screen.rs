//! The program on a real pseudo-terminal, and an emulator that knows what it shows.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{Parser, Screen};

use crate::support::command_line::no_data;

/// The longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What has come from the program, and whether it has ended.
struct Shown {
    parser: Parser,
    at_end: bool,
    /// Whether nobody looks any more.
    is_left: bool,
}

/// The program on its terminal.
pub struct Terminal {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    input: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Running,
    /// What the terminal was like before, in the words of the system.
    before: String,
}

/// The process, which ends with this.
struct Running(Box<dyn Child + Send + Sync>);

impl Drop for Running {
    fn drop(&mut self) {
        // A test that has failed leaves nobody behind.
        let _ = self.0.kill();
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn sides(columns: u16, rows: u16) -> (NonZeroU16, NonZeroU16) {
    let side = |length| NonZeroU16::new(length).expect("more than nothing");
    (side(rows), side(columns))
}

impl Terminal {
    /// `vato play` with these arguments on a terminal of 80 columns and 24 rows.
    pub fn play(arguments: &[&str]) -> Terminal {
        Terminal::play_in(arguments, &[])
    }

    /// The same with further variables in the environment.
    pub fn play_in(arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_vato"));
        command.arg("play");
        command.args(arguments);
        Terminal::run(command, variables)
    }

    /// The program without a command.
    pub fn session() -> Terminal {
        Terminal::run(CommandBuilder::new(env!("CARGO_BIN_EXE_vato")), &[])
    }

    /// The same as the job of a shell, which says `halted` when the program has halted, and lets it go on
    /// after a line.
    pub fn play_in_shell(arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new("sh");
        let script = r#"set -m; "$0" play "$@"; echo halted; read line; fg > /dev/null"#;
        command.args(["-c", script, env!("CARGO_BIN_EXE_vato")]);
        command.args(arguments);
        Terminal::run(command, &[])
    }

    fn run(mut command: CommandBuilder, variables: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system()
            .openpty(size(80, 24))
            .expect("a pseudo-terminal");
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("XDG_DATA_HOME", no_data());
        command.env_remove("NO_COLOR");
        command.env_remove("RUST_LOG");
        for (name, value) in variables {
            command.env(name, value);
        }
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pair.slave);
        let (rows, columns) = sides(80, 24);
        let shown = Arc::new((
            Mutex::new(Shown {
                parser: Parser::new(rows, columns, 0),
                at_end: false,
                is_left: false,
            }),
            Condvar::new(),
        ));
        let mut output = pair.master.try_clone_reader().expect("its output");
        let seen = Arc::clone(&shown);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // At the end of the program some systems say so with an error.
                let count = output.read(&mut bytes).unwrap_or(0);
                let mut shown = seen.0.lock().expect("nobody panics with it");
                shown.parser.process(&bytes[..count]);
                shown.at_end = count == 0 || shown.is_left;
                seen.1.notify_all();
                if shown.at_end {
                    break;
                }
            }
        });
        Terminal {
            shown,
            input: pair.master.take_writer().expect("its input"),
            master: pair.master,
            child: Running(child),
            before,
        }
    }

    /// Waits until the screen is as wanted, and says what was found on it.
    pub fn wait_for<T>(&self, what: &str, found: impl Fn(&Screen) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().expect("nobody panics with it");
        loop {
            if let Some(found) = found(shown.parser.screen()) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !shown.at_end,
                "no {what} on\n{}",
                shown.parser.screen().contents()
            );
            shown = self.wait_for_more(shown, left);
        }
    }

    /// Waits until the screen has this text.
    pub fn wait_for_text(&self, text: &str) {
        self.wait_for(&format!("'{text}'"), |screen| {
            screen.contents().contains(text).then_some(())
        });
    }

    /// Types.
    pub fn send(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).expect("it reads");
        self.input.flush().expect("it reads");
    }

    /// Presses and releases the left button on a cell, counted from 0.
    pub fn click(&mut self, column: u16, row: u16) {
        let place = format!("0;{};{}", column + 1, row + 1);
        self.send(&format!("\x1b[<{place}M\x1b[<{place}m"));
    }

    /// Makes the terminal smaller or larger.
    pub fn resize(&self, columns: u16, rows: u16) {
        let (high, wide) = sides(columns, rows);
        self.shown
            .0
            .lock()
            .expect("nobody panics with it")
            .parser
            .screen_mut()
            .set_size(high, wide);
        self.master.resize(size(columns, rows)).expect("a new size");
    }

    /// Waits until something has come from the program, or so long.
    fn wait_for_more<'a>(
        &self,
        shown: MutexGuard<'a, Shown>,
        most: Duration,
    ) -> MutexGuard<'a, Shown> {
        let waited = self.shown.1.wait_timeout(shown, most);
        waited.expect("nobody panics with it").0
    }

    /// The number of the process.
    pub fn process(&self) -> u32 {
        self.child.0.process_id().expect("it runs")
    }

    /// Waits until nothing more comes from the program.
    fn wait_for_end(&self) -> MutexGuard<'_, Shown> {
        let deadline = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().expect("nobody panics with it");
        while !shown.at_end {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "it goes on:\n{}",
                shown.parser.screen().contents()
            );
            shown = self.wait_for_more(shown, left);
        }
        shown
    }

    /// Closes the terminal while the program runs on it, and waits for the end of the program.
    pub fn hang_up(mut self) -> ExitStatus {
        self.shown.0.lock().expect("nobody panics with it").is_left = true;
        // The thread that reads the terminal keeps it open until something comes: the page of keys, or
        // what was typed.
        self.send("?");
        drop(self.wait_for_end());
        let Terminal {
            input,
            master,
            mut child,
            ..
        } = self;
        drop((input, master));
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = child.0.try_wait().expect("it is there") {
                return status;
            }
            assert!(Instant::now() < deadline, "it goes on");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the program: its status, and the terminal must be as it was before.
    pub fn end(mut self) -> ExitStatus {
        let shown = self.wait_for_end();
        let screen = shown.parser.screen();
        assert!(!screen.alternate_screen(), "the screen from before is back");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(format!("{:?}", self.master.get_termios()), self.before);
        drop(shown);
        self.child.0.wait().expect("it has ended")
    }
}

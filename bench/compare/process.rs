//! An engine's process: lines in, lines out, and an end that nothing can prevent.
//!
//! On Unix the engine lives in a process group whose leader is a *guard*: a shell that waits for the
//! end of its input and then kills its whole group, itself included. Only this program holds the other
//! end of that input: however it ends, the engine ends too, with everything that it has started.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process may take to end that has been asked to, or has closed its output.
const FAREWELL: Duration = Duration::from_millis(500);

/// How often a process that is to end is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// A line of an engine and when it came.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line, without its end.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// What came out of waiting for a line.
#[derive(Clone, Debug)]
pub enum Received {
    /// A line.
    Line(Line),
    /// The engine will say nothing more; how its process ended, `None` if it has not.
    Closed(Option<ExitStatus>),
    /// Nothing until the time given.
    Nothing,
}

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    #[cfg(unix)]
    guard: guard::Guard,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
}

impl Process {
    /// Starts `command`. What it says on standard error is shown.
    ///
    /// # Errors
    ///
    /// If the process or its guard cannot be started.
    pub fn spawn(mut command: Command) -> io::Result<Process> {
        #[cfg(unix)]
        let guard = guard::Guard::spawn()?;
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, guard.group());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (sender, lines) = channel();
        let input = child.stdin.take();
        if let Some(output) = child.stdout.take() {
            // Ends with the output, or with the first line that nobody takes.
            thread::spawn(move || read_lines(output, &sender));
        }
        Ok(Process {
            child,
            #[cfg(unix)]
            guard,
            input,
            lines,
        })
    }

    /// Sends a line and tells when it began to. An engine that does not take it is found out by its
    /// silence.
    pub fn send(&mut self, text: &str) -> Instant {
        let line = format!("{text}\n");
        let at = Instant::now();
        if let Some(input) = &mut self.input
            && input.write_all(line.as_bytes()).is_err()
        {
            self.input = None;
        }
        at
    }

    /// The next line, waiting until `until` at the latest, even if there is always another one.
    pub fn next_line(&mut self, until: Instant) -> Received {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Received::Nothing;
        }
        match self.lines.recv_timeout(left) {
            Ok(line) => Received::Line(line),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed(self.wait()),
        }
    }

    /// Waits a moment for the end of the process.
    fn wait(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        self.wait();
        // Errors mean that it has ended already.
        let _ = self.child.kill();
        #[cfg(unix)]
        self.guard.strike();
        let _ = self.child.wait();
    }
}

fn read_lines(output: ChildStdout, lines: &Sender<Line>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output
        .read_until(b'\n', &mut bytes)
        .is_ok_and(|read| read > 0)
    {
        let at = Instant::now();
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(Line { text, at }).is_err() {
            return;
        }
        bytes.clear();
    }
}

#[cfg(unix)]
mod guard {
    //! The shell that ends a process group when this program is gone.

    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    /// Waits for the end of the input, then kills its own group.
    const SCRIPT: &str = "read -r _; kill -9 0";

    /// The leader of an engine's process group.
    #[derive(Debug)]
    pub struct Guard(Child);

    impl Guard {
        /// Starts the shell.
        ///
        /// # Errors
        ///
        /// If there is none.
        pub fn spawn() -> io::Result<Guard> {
            Command::new("/bin/sh")
                .args(["-c", SCRIPT])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .map(Guard)
                .map_err(|error| io::Error::new(error.kind(), format!("/bin/sh: {error}")))
        }

        /// The group's number, for processes that are to join it.
        pub fn group(&self) -> i32 {
            // Process numbers are positive and fit.
            self.0.id().cast_signed()
        }

        /// Kills the group and waits for its leader.
        pub fn strike(&mut self) {
            drop(self.0.stdin.take());
            // An error means that somebody else has ended it.
            let _ = self.0.wait();
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            self.strike();
        }
    }
}

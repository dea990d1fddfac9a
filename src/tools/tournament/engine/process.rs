//! An engine's process: input and output by lines, and a guaranteed end.
//!
//! # Nothing outlives the runner
//!
//! On Unix every engine lives in a process group of its own, whose leader is a *guard*: a shell that
//! waits for the end of its input and then kills its whole group, itself included. The other end of
//! that input is held by the runner alone, so whatever ends the runner (even `kill -9`) ends the
//! engine and everything that the engine has started and that has not left its group. Because the guard
//! leads the group, the group's number cannot pass to a stranger while it is in use. The group also keeps
//! a Ctrl-C in the terminal from the engines: what becomes of them is the runner's decision.
//!
//! Elsewhere an engine is killed with its handle, and finds its input closed if the runner is gone.

use std::io::{self, BufReader, Read, Write};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::inbox::{Inbox, Received};
use super::io_log::IoLog;
use crate::stop::StopSignal;
use vato_engine::memory::lock;
use vato_engine::protocol::{TrafficDirection, read_line};
use vato_engine::text::printable;

/// The longest line that is taken from an engine; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 1 << 20;

/// The lines kept of the beginning, and of the end, of standard error: some name the cause of a crash first, some last.
const ERROR_LINES: usize = 3;

const LOOK: Duration = Duration::from_millis(2);

/// How often a silent engine is looked at: what it has started may hold its output open when its process has ended.
const LOOK_FOR_END: Duration = Duration::from_millis(100);

/// Time to read the remaining output of a process that has exited.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A running engine.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    #[cfg(unix)]
    guard: Child,
    /// Lines for the thread that writes, and whether they are timed; `None` once the engine's input is closed.
    input: Option<Sender<(String, bool)>>,
    /// When the last timed line went out.
    written: Arc<Mutex<Option<Instant>>>,
    inbox: Arc<Inbox>,
    errors: Arc<Mutex<Vec<String>>>,
    /// Disconnected when standard error has been read to its end.
    errors_end: Option<Receiver<()>>,
    io_log: IoLog,
}

/// Adds a line to the first and the last ones, between which `…` stands for all others.
fn add_error(errors: &mut Vec<String>, line: String) {
    errors.push(line);
    if errors.len() > 2 * ERROR_LINES + 1 {
        errors.splice(ERROR_LINES..ERROR_LINES + 2, ["…".to_owned()]);
    }
}

impl Process {
    /// Starts `command`, on the processors `cpus` only if there are any named.
    pub(super) fn spawn(
        mut command: Command,
        cpus: Option<&[usize]>,
        io_log: IoLog,
    ) -> io::Result<Process> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let start = move || -> io::Result<Process> {
            #[cfg(unix)]
            let mut guard = spawn_guard()?;
            // Process numbers are positive and fit.
            #[cfg(unix)]
            command.process_group(guard.id().cast_signed());
            let child = command.spawn();
            #[cfg(unix)]
            let child = child.inspect_err(|_| strike(&mut guard));
            let mut process = Process {
                child: child?,
                #[cfg(unix)]
                guard,
                input: None,
                written: Arc::default(),
                inbox: Arc::default(),
                errors: Arc::default(),
                errors_end: None,
                io_log,
            };
            process.serve()?;
            Ok(process)
        };
        let Some(cpus) = cpus else {
            return start();
        };
        // A process inherits the processors of the thread that starts it: this one is for that alone, so
        // that the runner's own threads stay free to run anywhere.
        let pinned = move || pin_this_thread(cpus).and_then(|()| start());
        let started = thread::scope(|scope| scope.spawn(pinned).join());
        started.unwrap_or_else(|_| Err(io::Error::other("the starting thread panicked")))
    }

    fn serve(&mut self) -> io::Result<()> {
        if let Some(mut stdin) = self.child.stdin.take() {
            let (input, lines) = channel::<(String, bool)>();
            let io_log = self.io_log.clone();
            let written = Arc::clone(&self.written);
            spawn_thread("engine input", move || {
                for (mut text, timed) in lines {
                    io_log.write(TrafficDirection::In, &text);
                    text.push('\n');
                    if timed {
                        // Before it is out: the engine may answer before this thread goes on.
                        let mut written = lock(&written);
                        *written = Some(Instant::now());
                    }
                    // The pipe has no buffer on this side: a line is one write.
                    if stdin.write_all(text.as_bytes()).is_err() {
                        return;
                    }
                }
            })?;
            self.input = Some(input);
        }
        if let Some(stdout) = self.child.stdout.take() {
            let inbox = Arc::clone(&self.inbox);
            let io_log = self.io_log.clone();
            spawn_thread("engine output", move || {
                for_each_line(stdout, |line| {
                    // Before the log, which must not cost the engine time.
                    let at = Instant::now();
                    io_log.write(TrafficDirection::Out, &line);
                    inbox.push(line, at);
                });
                inbox.close();
            })?;
        }
        if let Some(stderr) = self.child.stderr.take() {
            let errors = Arc::clone(&self.errors);
            let io_log = self.io_log.clone();
            let (end, errors_end) = channel();
            self.errors_end = Some(errors_end);
            spawn_thread("engine errors", move || {
                // Dropped with this thread's work.
                let _end = end;
                for_each_line(stderr, |line| {
                    log::debug!("engine: {}", printable(&line, 500));
                    io_log.write(TrafficDirection::Error, &line);
                    let mut errors = lock(&errors);
                    add_error(&mut errors, printable(&line, 200));
                });
            })?;
        }
        Ok(())
    }

    /// Sends a line; a `timed` one starts a clock, see [`Process::written_since`]. Never waits: an
    /// engine that does not read is detected by a timeout.
    pub(super) fn send(&self, text: String, timed: bool) {
        if let Some(input) = &self.input {
            // A thread that has ended has met a closed pipe; the reader will tell.
            let _ = input.send((text, timed));
        }
    }

    /// When the timed line that was sent at `sent` went out. The way there, through another thread
    /// and the log, is not on the engine's time; one that does not read has no such excuse.
    pub(super) fn written_since(&self, sent: Instant) -> Instant {
        let written = *lock(&self.written);
        written.filter(|&written| written >= sent).unwrap_or(sent)
    }

    /// The next line of the engine, waiting until `until` at the latest, or until everything is to stop
    /// now. An engine whose process has ended will say nothing more, even if a process that it has started
    /// holds its output open.
    pub(super) fn next_line(&mut self, until: Instant, stop: &StopSignal) -> Received {
        loop {
            let look = until.min(Instant::now() + LOOK_FOR_END);
            match self.inbox.next(look, stop) {
                Received::Nothing if look == until => return Received::Nothing,
                Received::Nothing => {}
                other => return other,
            }
            if self.wait(Duration::ZERO).is_some() {
                let words = Instant::now() + LAST_WORDS;
                return match self.inbox.next(words, stop) {
                    Received::Nothing => Received::Closed,
                    other => other,
                };
            }
        }
    }

    /// How the process ended, in words; waits a moment for one that has just closed its output.
    pub(super) fn exit_status(&mut self) -> String {
        let end = self.wait(Duration::from_millis(200));
        if let Some(errors_end) = &self.errors_end {
            // A process that lives on, or has left another behind, may never close it.
            let _ = errors_end.recv_timeout(LAST_WORDS);
        }
        let errors = lock(&self.errors);
        let said = match errors.as_slice() {
            [] => String::new(),
            lines => format!("; it said: {}", lines.join(" | ")),
        };
        match end {
            Some(status) => format!("the process ended ({status}){said}"),
            None => format!("the process closed its output{said}"),
        }
    }

    /// Sends `quit`. An engine that does not exit is killed when it is dropped.
    pub(super) fn ask_to_quit(&mut self, quit: String) {
        self.send(quit, false);
        self.input = None;
    }

    /// Waits for the end of the process, at most so long.
    pub(super) fn wait(&mut self, most: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + most;
        loop {
            // An error means that the process is no longer ours to wait for: nothing to learn.
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Errors mean that it has ended already.
        let _ = self.child.kill();
        #[cfg(unix)]
        strike(&mut self.guard);
        let _ = self.child.wait();
    }
}

fn spawn_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

fn for_each_line(output: impl Read, mut each: impl FnMut(String)) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    while let Some(line) = read_line(&mut output, LONGEST_LINE) {
        each(line);
    }
}

/// The processors that this process may use, ascending.
#[cfg(target_os = "linux")]
pub(crate) fn available_processors() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    let all = 0..rustix::thread::CpuSet::MAX_CPU;
    Ok(all.filter(|&cpu| set.is_set(cpu)).collect())
}

/// Binds this thread, and what it starts, to the processors named.
#[cfg(target_os = "linux")]
fn pin_this_thread(cpus: &[usize]) -> io::Result<()> {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn available_processors() -> io::Result<Vec<usize>> {
    let what = "engines can be bound to processors on Linux only";
    Err(io::Error::new(io::ErrorKind::Unsupported, what))
}

#[cfg(not(target_os = "linux"))]
fn pin_this_thread(_cpus: &[usize]) -> io::Result<()> {
    available_processors().map(drop)
}

/// Starts the guard of a process group: a shell that waits for the end of its input and then kills its own group.
#[cfg(unix)]
fn spawn_guard() -> io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", "read -r _; kill -9 0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("/bin/sh: {error}")))
}

/// Lets the guard kill its group, and waits for it. An error means that somebody else has ended it.
#[cfg(unix)]
fn strike(guard: &mut Child) {
    drop(guard.stdin.take());
    let _ = guard.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_the_first_and_the_last_are_told() {
        let said = |lines: u32| {
            let mut errors = Vec::new();
            (1..=lines).for_each(|number| add_error(&mut errors, number.to_string()));
            errors.join(" ")
        };
        assert_eq!(said(7), "1 2 3 4 5 6 7");
        assert_eq!(said(8), "1 2 3 … 6 7 8");
        assert_eq!(said(100), "1 2 3 … 98 99 100");
    }
}

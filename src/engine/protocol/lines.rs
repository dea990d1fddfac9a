//! Line input and output: the reader thread, the writer and the traffic log.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::SystemTime;

use super::answer::Answer;
use crate::engine;
use crate::instant::Instant;
use crate::text::{printable, timestamp};

/// Maximum length of an `info string`, in characters.
const LONGEST_NOTE: usize = 1_000;

/// Maximum length of a line, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 64 << 20;

/// What a session hears.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A line of input, `None` at the end of the input, and when it was read.
    Input(Option<String>, Instant),
    /// An event of the engine.
    Engine(engine::Event),
}

/// Starts the reader thread, so that the session never blocks on input. It sends every line and then
/// the end of the input, and ends with the session.
pub(super) fn spawn_reader(
    input: impl Read + Send + 'static,
    events: SyncSender<Incoming>,
) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let line = read_line(&mut input, LONGEST_LINE);
            let is_end = line.is_none();
            if events.send(Incoming::Input(line, Instant::now())).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(read)
        .map(drop)
}

/// The next line without its line end, `None` at the end of the input. The rest of a line of more than `longest`
/// bytes is dropped. Invalid UTF-8 becomes replacement characters; a read error counts as the end of the input.
pub fn read_line(input: &mut impl BufRead, longest: usize) -> Option<String> {
    let mut line = Vec::new();
    let mut start = input.by_ref().take(longest as u64);
    let _ = start.read_until(b'\n', &mut line);
    if line.is_empty() {
        return None;
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == longest {
        let _ = input.skip_until(b'\n');
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(String::from_utf8(line).unwrap_or_else(|error| lossy(error.as_bytes())))
}

/// Prints and flushes answers, and writes the log.
pub(super) struct Writer<W> {
    output: W,
    pub(super) log: Option<TrafficLog>,
    /// The error after which nothing is printed any more.
    failure: io::Result<()>,
    /// Number of lines printed to standard error.
    errors: u32,
}

/// Maximum number of lines on standard error: a manager may not read them, and a full pipe would block.
const MOST_ERRORS: u32 = 50;

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Writer<W> {
        Writer {
            output,
            log: None,
            failure: Ok(()),
            errors: 0,
        }
    }

    /// The output error, if there was one.
    pub(super) fn check(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.failure, Ok(()))
    }

    pub(super) fn say(&mut self, answer: &Answer) {
        self.text(answer.to_string());
    }

    pub(super) fn note(&mut self, text: impl ToString) {
        self.say(&Answer::Note(printable(&text.to_string(), LONGEST_NOTE)));
    }

    /// An error is also printed to standard error: managers show that, but few show an `info string`.
    pub(super) fn error(&mut self, text: impl ToString) {
        let text = printable(&text.to_string(), LONGEST_NOTE);
        self.errors += 1;
        if self.errors <= MOST_ERRORS {
            log::error!("{text}");
        }
        self.say(&Answer::Error(text));
    }

    /// Prints one or more lines of text.
    pub(super) fn text(&mut self, mut text: String) {
        // Logged before it is printed, so that a printed line is always in the log.
        self.log(TrafficDirection::Out, &text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if self.failure.is_ok() {
            let written = self.output.write_all(text.as_bytes());
            self.failure = written.and_then(|()| self.output.flush());
        }
    }

    /// Adds to the log, if there is one. On a write error the log is closed; the session continues.
    pub(super) fn log(&mut self, direction: TrafficDirection, text: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.write(direction, "", text)
        {
            self.log = None;
            self.error(format!("option Log File: given up: {error}"));
        }
    }
}

/// Bytes of a log without a file after which further lines are dropped: an engine may say anything.
const MOST_EARLY: usize = 16 << 20;

/// A log of every line of a session, with timestamps: for the option `Log File` and the match runner.
#[derive(Debug, Default)]
pub struct TrafficLog {
    file: Option<File>,
    /// What was written before there was a file.
    early: Vec<u8>,
}

/// Direction of a line.
#[derive(Clone, Copy, Debug)]
pub enum TrafficDirection {
    /// From the manager to the engine.
    In,
    /// From the engine to the manager.
    Out,
    /// Not of the protocol: what the engine says on standard error.
    Error,
}

impl TrafficLog {
    /// Opens or creates the file for appending; what has been kept in memory so far is written first.
    pub fn open_at(&mut self, path: &Path) -> io::Result<()> {
        // It would wait for a reader.
        #[cfg(unix)]
        if std::fs::metadata(path).is_ok_and(|file| file.file_type().is_fifo()) {
            return Err(io::Error::other("a pipe"));
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(&std::mem::take(&mut self.early))?;
        self.file = Some(file);
        Ok(())
    }

    /// Appends the lines of `text`, each after `label` (where one file serves several sessions). One
    /// system call per line and no buffer, so that nothing is lost if the process dies.
    pub fn write(
        &mut self,
        direction: TrafficDirection,
        label: &str,
        text: &str,
    ) -> io::Result<()> {
        let sign = match direction {
            TrafficDirection::In => '>',
            TrafficDirection::Out => '<',
            TrafficDirection::Error => '!',
        };
        let now = timestamp(SystemTime::now(), 6);
        let space = if label.is_empty() { "" } else { " " };
        for line in text.lines() {
            let line = format!("{now} {label}{space}{sign} {line}\n");
            match &mut self.file {
                Some(file) => file.write_all(line.as_bytes())?,
                None if self.early.len() < MOST_EARLY => self.early.extend(line.into_bytes()),
                None => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A small buffer, so that lines span its end.
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input, LONGEST_LINE)).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        let several = lines(b"ugi\r\n\nisready\nquit");
        assert_eq!(several, ["ugi", "", "isready", "quit"]);
        assert_eq!(read_line(&mut &b"abcd\ne"[..], 3).as_deref(), Some("abc"));
        assert_eq!(lines(b"a\xffb\n\xc3\xa9"), ["a\u{fffd}b", "é"]);
    }
}

//! Lines in and out: the thread that reads the input, the one place that prints, and the log of both.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::SystemTime;

use humantime::format_rfc3339_micros;

use super::answer::Answer;
use super::session::Event;
use crate::text::printable;

/// The most characters of an `info string`.
const LONGEST_NOTE: usize = 1_000;

/// The longest line that is taken; of longer ones the rest is dropped.
const LONGEST_LINE: usize = 64 << 20;

/// Starts the thread that reads the input, so that the session never waits for it. It sends every line and
/// then the end of the input, and ends itself when the session is gone.
pub(super) fn spawn_reader(
    input: impl Read + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let line = read_line(&mut input, LONGEST_LINE);
            let is_end = line.is_none();
            if events.send(Event::Input(line)).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(read)
        .map(drop)
}

/// The next line without its end, `None` at the end of the input; of a line of more than `longest`
/// bytes the rest is dropped. Bytes that are not UTF-8 become replacement characters; an error of
/// the system is an end like any other.
pub(crate) fn read_line(input: &mut impl BufRead, longest: usize) -> Option<String> {
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
    Some(String::from_utf8_lossy(&line).into_owned())
}

/// Prints answers, each at once, and keeps the log.
pub(super) struct Writer<W> {
    output: W,
    /// The log of the option `Log File`.
    pub(super) log: Option<TrafficLog>,
    /// Why nothing is printed any more.
    failure: io::Result<()>,
    /// Lines on standard error.
    refused: u32,
}

/// The most lines of a session on standard error: a manager that never reads them must not hold it up.
const MOST_REFUSED: u32 = 50;

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Writer<W> {
        Writer {
            output,
            log: None,
            failure: Ok(()),
            refused: 0,
        }
    }

    /// The error that something could not be printed for, if there was one.
    pub(super) fn check(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.failure, Ok(()))
    }

    /// Prints an answer.
    pub(super) fn say(&mut self, answer: &Answer) {
        self.text(answer.to_string());
    }

    /// Prints an `info string`.
    pub(super) fn note(&mut self, text: impl ToString) {
        self.say(&Answer::Note(printable(&text.to_string(), LONGEST_NOTE)));
    }

    /// Prints an `info string error`.
    pub(super) fn error(&mut self, text: impl ToString) {
        self.say(&Answer::Error(printable(&text.to_string(), LONGEST_NOTE)));
    }

    /// [`Writer::error`] of an option or a position that was refused, which goes to the log of the program
    /// (standard error) as well: managers show that, and few show an `info string`.
    pub(super) fn refuse(&mut self, text: impl ToString) {
        let text = text.to_string();
        self.refused += 1;
        if self.refused <= MOST_REFUSED {
            log::error!("{}", printable(&text, LONGEST_NOTE));
        }
        self.error(text);
    }

    /// Prints text of one or several lines.
    pub(super) fn text(&mut self, text: String) {
        // In the log before it is out: who has read a line finds it there.
        self.log(Direction::Out, &text);
        self.print(text);
    }

    fn print(&mut self, mut text: String) {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        if self.failure.is_ok() {
            let written = self.output.write_all(text.as_bytes());
            self.failure = written.and_then(|()| self.output.flush());
        }
    }

    /// Adds to the log, if there is one. If it cannot be written it is given up; the session goes on.
    pub(super) fn log(&mut self, direction: Direction, text: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.write(direction, "", text)
        {
            self.log = None;
            let given_up = format!("option Log File: given up: {error}");
            self.print(Answer::Error(given_up).to_string());
        }
    }
}

/// A file to which every line of a session is added, with a timestamp: the option `Log File`, and the match
/// runner's logs.
#[derive(Debug)]
pub(crate) struct TrafficLog {
    file: File,
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    /// From the manager to the engine.
    In,
    /// From the engine to the manager.
    Out,
}

impl TrafficLog {
    /// Opens (or makes) the file; what it holds already stays.
    pub(crate) fn open(path: &Path) -> io::Result<TrafficLog> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(TrafficLog { file })
    }

    /// Adds the lines of `text`, each with `label` (where one file serves several sessions) before
    /// it. One call of the system for each, so that nothing is lost whatever becomes of the process.
    pub(crate) fn write(
        &mut self,
        direction: Direction,
        label: &str,
        text: &str,
    ) -> io::Result<()> {
        let sign = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let now = format_rfc3339_micros(SystemTime::now());
        let space = if label.is_empty() { "" } else { " " };
        for line in text.lines() {
            self.file
                .write_all(format!("{now} {label}{space}{sign} {line}\n").as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A small buffer, so that lines lie across its end.
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input, LONGEST_LINE)).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(
            lines(b"ugi\r\n\nisready\nquit"),
            ["ugi", "", "isready", "quit"]
        );
        assert_eq!(read_line(&mut &b"abcd\ne"[..], 3).as_deref(), Some("abc"));
        assert_eq!(lines(b"a\xffb\n\xc3\xa9"), ["a\u{fffd}b", "é"]);
    }
}

//! The one place that prints.

use std::io::{self, Write};

use super::answer::Answer;
use super::traffic_log::{Direction, TrafficLog};
use crate::text::printable;

/// The most characters of an `info string`.
const LONGEST_NOTE: usize = 1_000;

/// Prints answers, each at once, and keeps the log.
pub(super) struct Writer<W> {
    output: W,
    log: Option<TrafficLog>,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(output: W) -> Writer<W> {
        Writer { output, log: None }
    }

    /// Starts, changes or ends the log.
    pub(super) fn set_log(&mut self, log: Option<TrafficLog>) {
        self.log = log;
    }

    /// Prints an answer.
    pub(super) fn say(&mut self, answer: &Answer) -> io::Result<()> {
        let line = match answer {
            Answer::Note(text) => Answer::Note(printable(text, LONGEST_NOTE)).to_string(),
            Answer::Error(text) => Answer::Error(printable(text, LONGEST_NOTE)).to_string(),
            _ => answer.to_string(),
        };
        self.print(line)
    }

    /// Prints an `info string`.
    pub(super) fn note(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.say(&Answer::Note(text.into()))
    }

    /// Prints an `info string error`.
    pub(super) fn error(&mut self, text: impl ToString) -> io::Result<()> {
        self.say(&Answer::Error(text.to_string()))
    }

    /// Prints text of one or several lines.
    pub(super) fn text(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.print(text.into())
    }

    /// Takes down a line that has come in.
    pub(super) fn log_input(&mut self, line: &str) -> io::Result<()> {
        self.log(Direction::In, line)
    }

    fn print(&mut self, mut text: String) -> io::Result<()> {
        // In the log before it is out: who has read a line finds it there.
        self.log(Direction::Out, &text)?;
        self.send(&mut text)
    }

    fn send(&mut self, text: &mut String) -> io::Result<()> {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// A log that cannot be written is given up; the session goes on.
    fn log(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        if let Err(error) = log.write(direction, "", text) {
            self.log = None;
            let given_up = Answer::Error(format!("option Log File: given up: {error}"));
            self.send(&mut given_up.to_string())?;
        }
        Ok(())
    }
}

//! The option `Log File`: all traffic with timestamps.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use jiff::Timestamp;

/// A file to which every line of a session is added.
#[derive(Debug)]
pub(super) struct TrafficLog {
    file: File,
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    /// From the manager to the engine.
    In,
    /// From the engine to the manager.
    Out,
}

impl TrafficLog {
    /// Opens (or makes) the file; what it holds already stays.
    pub(super) fn open(path: &str) -> io::Result<TrafficLog> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(TrafficLog { file })
    }

    /// Adds the lines of `text`. One call of the system for each, so that nothing is lost whatever
    /// becomes of the process.
    pub(super) fn write(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let sign = match direction {
            Direction::In => '>',
            Direction::Out => '<',
        };
        let now = Timestamp::now();
        for line in text.lines() {
            self.file
                .write_all(format!("{now:.6} {sign} {line}\n").as_bytes())?;
        }
        Ok(())
    }
}

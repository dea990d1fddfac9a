//! A log of all traffic with timestamps: the option `Log File`, and the match runner's logs.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use humantime::format_rfc3339_micros;

/// A file to which every line of a session is added.
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

//! The I/O log of an engine.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::protocol::{TrafficDirection, TrafficLog};

/// One engine's log, shared by all its processes; each writes under a label of its own.
#[derive(Clone, Debug)]
pub(crate) struct IoLog {
    log: Arc<Mutex<Option<TrafficLog>>>,
    label: String,
}

impl IoLog {
    /// Opens or creates the file; lines are appended.
    pub(crate) fn open(path: &Path) -> io::Result<IoLog> {
        Ok(IoLog {
            log: Arc::new(Mutex::new(Some(TrafficLog::open(path)?))),
            label: String::new(),
        })
    }

    /// The same log under another label.
    pub(super) fn labelled(&self, label: &str) -> IoLog {
        IoLog {
            log: Arc::clone(&self.log),
            label: label.to_owned(),
        }
    }

    /// Adds a line, unless it declares an option: those are many, and the same at each start. A log that cannot be written is given up, once, with a warning: games matter
    /// more.
    pub(super) fn write(&self, direction: TrafficDirection, line: &str) {
        if matches!(direction, TrafficDirection::Out) && line.starts_with("option name ") {
            return;
        }
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let written = log
            .as_mut()
            .map_or(Ok(()), |log| log.write(direction, &self.label, line));
        if let Err(error) = written {
            log::warn!("the protocol log is given up: {error}");
            *log = None;
        }
    }
}

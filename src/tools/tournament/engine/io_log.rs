//! The I/O log of an engine.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use vato_engine::memory::lock;
use vato_engine::protocol::{TrafficDirection, TrafficLog};

/// One engine's log, if it is to have one, shared by all its processes; each writes under a label of its own. It is
/// kept in memory until the engine has a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct IoLog {
    log: Arc<Mutex<Option<TrafficLog>>>,
    label: String,
}

impl IoLog {
    /// A log that has no file yet; if nothing `is_logged`, none.
    pub(crate) fn new(is_logged: bool) -> IoLog {
        let log = Mutex::new(is_logged.then(TrafficLog::default));
        IoLog {
            log: Arc::new(log),
            label: String::new(),
        }
    }

    /// Opens or creates the file; lines are appended, those from before as well.
    pub(crate) fn open(&self, path: &Path) -> io::Result<()> {
        let mut log = lock(&self.log);
        log.as_mut().map_or(Ok(()), |log| log.open_at(path))
    }

    /// The same log under another label.
    pub(super) fn labelled(&self, label: &str) -> IoLog {
        IoLog {
            log: Arc::clone(&self.log),
            label: label.to_owned(),
        }
    }

    /// Adds a line, unless it declares an option: those are many, and the same at each start. A log that cannot be
    /// written is given up, once, with a warning: games matter more.
    pub(super) fn write(&self, direction: TrafficDirection, line: &str) {
        if matches!(direction, TrafficDirection::Out) && line.starts_with("option name ") {
            return;
        }
        let mut log = lock(&self.log);
        let written = log
            .as_mut()
            .map_or(Ok(()), |log| log.write(direction, &self.label, line));
        if let Err(error) = written {
            log::warn!("the protocol log is given up: {error}");
            *log = None;
        }
    }
}

//! The handshake and the options.

use std::io::{self, Write};

use super::{Running, Session};
use crate::engine::{OptionDeclaration, OptionKind, OptionValue, options};
use crate::protocol::Dialect;
use crate::protocol::answer::Answer;
use crate::protocol::command::SetOption;
use crate::protocol::traffic_log::TrafficLog;
use crate::text::excerpt;

/// The option that is the session's own, not the engine's.
fn log_file() -> OptionDeclaration {
    let default = String::new();
    OptionDeclaration {
        name: "Log File".to_owned(),
        kind: OptionKind::Text { default },
    }
}

impl<W: Write> Session<W> {
    pub(super) fn shake_hands(&mut self, dialect: Dialect) -> io::Result<()> {
        self.dialect = dialect;
        let network = self.engine.settings().evaluation.network.name();
        let name = format!("Vato {} (net {network})", env!("CARGO_PKG_VERSION"));
        self.writer.say(&Answer::Name(name))?;
        self.writer
            .say(&Answer::Author("the Vato authors".to_owned()))?;
        for option in options().chain([log_file()]) {
            self.writer.say(&Answer::Option(option))?;
        }
        self.writer.say(&Answer::Ok(dialect))
    }

    pub(super) fn set_option(&mut self, option: &SetOption) -> io::Result<()> {
        let (name, value) = (&option.name, option.value.as_deref());
        if name.eq_ignore_ascii_case(&log_file().name) {
            return self.set_log(value);
        }
        let set = match self.engine.set_option(name, value, self.sink()) {
            Ok(set) => set,
            Err(error) => return self.writer.error(error),
        };
        if set.is_pending {
            self.unprepared = true;
            self.running = Some(Running::SetUp);
        }
        if set.other_rules && self.debug {
            let rules = self.engine.game().rules();
            let note = format!("other rules, so the position is their start: {rules:#}");
            self.writer.note(note)?;
        }
        match set.note {
            Some(note) => self.writer.note(note),
            None => Ok(()),
        }
    }

    fn set_log(&mut self, value: Option<&str>) -> io::Result<()> {
        let path = match log_file().value(value) {
            Ok(OptionValue::Text(path)) => path,
            Ok(_) => return Ok(()),
            Err(error) => return self.writer.error(error),
        };
        if path.is_empty() {
            self.writer.set_log(None);
            return Ok(());
        }
        match TrafficLog::open(path.as_ref()) {
            Ok(log) => {
                self.writer.set_log(Some(log));
                Ok(())
            }
            Err(error) => {
                let path = excerpt(&path);
                let message = format!("option Log File: cannot write to '{path}': {error}");
                self.writer.error(message)
            }
        }
    }
}

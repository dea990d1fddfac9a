//! Starting an engine: process, handshake, options.

use std::process::Command as ProcessCommand;
use std::time::Instant;

use thiserror::Error;

use super::io_log::IoLog;
use super::player::{Player, Trouble, first_word};
use super::process::Process;
use super::rules_support::options_for;

use crate::excerpt::printable;
use crate::protocol::{Answer, Command, Dialect, OptionDeclaration, OptionKind, SetOption};
use crate::rules::{Rules, parse_rules};
use crate::stop::StopSignal;
use crate::tournament::settings::{EngineSettings, Timeouts};

/// The most characters of a name that an engine gives itself.
const LONGEST_NAME: usize = 80;

/// Everything that is needed to start an engine, as often as necessary.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) settings: EngineSettings,
    /// The rules that it is to play, one after the other; those that it is told first come first.
    pub(crate) rules: Vec<Rules>,
    pub(crate) timeouts: Timeouts,
    pub(crate) stop: StopSignal,
    pub(crate) log: Option<IoLog>,
}

/// An engine that has started.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) player: Player,
    /// What it calls itself.
    pub(crate) id: Option<String>,
    /// Options that it was given and has not declared.
    pub(crate) undeclared: Vec<String>,
}

/// Why an engine has not started.
#[derive(Debug, Error)]
pub enum StartError {
    /// It has failed this time.
    #[error("{0}")]
    Failed(String),
    /// It cannot play this match, however often it is started.
    #[error("{0}")]
    Unfit(String),
    /// The match is to stop.
    #[error("the match was stopped")]
    Stopped,
}

impl StartError {
    /// Whether trying again is pointless.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !matches!(self, StartError::Failed(_))
    }
}

impl From<Trouble> for StartError {
    fn from(trouble: Trouble) -> StartError {
        match trouble {
            Trouble::Interrupted => StartError::Stopped,
            Trouble::Fault(fault) => StartError::Failed(format!("it {}", fault.what)),
        }
    }
}

impl Launch {
    /// Starts the engine, on the processors `cpus` only if there are any named; its I/O is
    /// logged under `label`.
    ///
    /// # Errors
    ///
    /// If it does not start, does not speak the protocol, or cannot play the rules.
    pub(crate) fn start(&self, cpus: Option<&[usize]>, label: &str) -> Result<Started, StartError> {
        let program = self.settings.cmd.clone().unwrap_or_default();
        let mut command = ProcessCommand::new(&program);
        command.args(&self.settings.args);
        if let Some(dir) = &self.settings.dir {
            if !dir.is_dir() {
                let dir = dir.display();
                let what = format!("there is no folder '{dir}' for it to run in");
                return Err(StartError::Unfit(what));
            }
            command.current_dir(dir);
        }
        let log = self.log.as_ref().map(|log| log.labelled(label));
        let process = Process::spawn(command, cpus, log).map_err(|error| {
            StartError::Failed(format!("cannot run '{}': {error}", program.display()))
        })?;
        let dialect = self.settings.dialect();
        process.send(Command::Handshake(dialect).to_string(), false);
        let mut player = Player::new(process, dialect, self.timeouts, self.stop.clone());
        let introduction = self.listen(&mut player)?;
        let options = self.options(&introduction.declared)?;
        for option in options.settings {
            player.say_option(option);
        }
        player.rules = self.ways_to_tell_rules(&introduction.declared)?;
        player.synchronise(self.timeouts.start)?;
        // An option that it has not declared is worth a remark only.
        let is_declared = |complaint: &String| {
            let mut undeclared = options.undeclared.iter();
            !undeclared.any(|name| complaint.contains(name.as_str()))
        };
        if let Some(complaint) = player.take_complaints().into_iter().find(is_declared) {
            let what = format!("it complains of its options: {complaint}");
            return Err(StartError::Unfit(what));
        }
        Ok(Started {
            player,
            id: introduction.id,
            undeclared: options.undeclared,
        })
    }

    /// What the engine says of itself until it has said that this was all.
    fn listen(&self, player: &mut Player) -> Result<Introduction, StartError> {
        let dialect = self.settings.dialect();
        let until = Instant::now() + self.timeouts.start;
        let wanted = Answer::Ok(dialect).to_string();
        let mut introduction = Introduction::default();
        loop {
            let Some(line) = player.line_in_time(until)? else {
                let advice = match dialect {
                    Dialect::Ugi => "if it speaks UCI, say proto=uci",
                    Dialect::Uci => "if it speaks UGI, say proto=ugi",
                };
                return Err(StartError::Failed(format!(
                    "it did not say '{wanted}' within {} s of '{}' ({advice})",
                    self.timeouts.start.as_secs_f64(),
                    dialect.name()
                )));
            };
            if first_word(&line.text) == wanted {
                return Ok(introduction);
            }
            match line.text.parse() {
                // Names are shown on terminals and written to files.
                Ok(Answer::Name(name)) => introduction.id = Some(printable(&name, LONGEST_NAME)),
                Ok(Answer::Option(option)) => introduction.declared.push(option),
                // A declaration that does not read is one that cannot be used.
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// The options that tell the engine each of the rules that it is to play; nothing where they never
    /// change.
    fn ways_to_tell_rules(
        &self,
        declared: &[OptionDeclaration],
    ) -> Result<Vec<(Rules, Vec<SetOption>)>, StartError> {
        if self.rules.len() < 2 {
            return Ok(Vec::new());
        }
        if let Some(name) = self.settings.options.keys().find(|name| sets_rules(name)) {
            return Err(StartError::Unfit(format!(
                "its option {name} sets the rules, which change from game to game here"
            )));
        }
        let way = |rules: &Rules| Ok((*rules, rules_options(rules, declared)?));
        self.rules.iter().map(way).collect()
    }

    /// The options to set: the rules first, then what the user wants.
    fn options(&self, declared: &[OptionDeclaration]) -> Result<Options, StartError> {
        let wanted = &self.settings.options;
        let mut options = Options::default();
        if let Some(rules) = self.rules.first()
            && !wanted.keys().any(|name| sets_rules(name))
        {
            options.settings = rules_options(rules, declared)?;
        }
        let find = |name: &str| {
            declared
                .iter()
                .find(|option| option.name.eq_ignore_ascii_case(name))
        };
        if self.settings.ponders()
            && let Some(ponder) = find("Ponder")
            && !wanted
                .keys()
                .any(|name| name.eq_ignore_ascii_case("Ponder"))
        {
            options.settings.push(SetOption {
                name: ponder.name.clone(),
                value: Some("true".to_owned()),
            });
        }
        for (name, value) in wanted {
            self.check_rules(name, value)?;
            let mut value = Some(value.clone());
            match find(name) {
                None => options.undeclared.push(name.clone()),
                Some(option) => {
                    let checked = option.value(value.as_deref());
                    checked.map_err(|error| StartError::Unfit(error.to_string()))?;
                    if option.kind == OptionKind::Button {
                        value = None;
                    }
                }
            }
            options.settings.push(SetOption {
                name: name.clone(),
                value,
            });
        }
        Ok(options)
    }

    /// Refuses an option that sets other rules than those of the match, as far as its value can be
    /// understood: an engine may have names of its own for them.
    fn check_rules(&self, name: &str, value: &str) -> Result<(), StartError> {
        let Some(rules) = self.rules.first().filter(|_| sets_rules(name)) else {
            return Ok(());
        };
        match parse_rules(value) {
            Ok(named) if named != *rules => Err(StartError::Unfit(format!(
                "its option {name} sets other rules ('{value}') than the match has"
            ))),
            _ => Ok(()),
        }
    }
}

/// The options that tell an engine the rules.
fn rules_options(
    rules: &Rules,
    declared: &[OptionDeclaration],
) -> Result<Vec<SetOption>, StartError> {
    options_for(rules, declared)
        .map_err(|error| StartError::Unfit(format!("it cannot play these rules: {error}")))
}

/// Whether the option with this name says which rules are played.
fn sets_rules(name: &str) -> bool {
    name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Rules")
}

#[derive(Default)]
struct Introduction {
    id: Option<String>,
    declared: Vec<OptionDeclaration>,
}

#[derive(Default)]
struct Options {
    settings: Vec<SetOption>,
    undeclared: Vec<String>,
}

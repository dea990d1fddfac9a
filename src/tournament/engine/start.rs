//! Starting an engine: process, handshake, options.

use std::io;
use std::path::PathBuf;
use std::process::Command as ProcessCommand;
use std::time::Instant;

use thiserror::Error;

use super::player::{Player, first_word};
use super::process::Process;
use super::rules_support::options_for;
use super::traffic::Traffic;
use super::{Fault, Trouble};
use crate::excerpt::printable;
use crate::protocol::{Answer, Command, OptionDeclaration, OptionError, OptionKind, SetOption};
use crate::rules::{Rules, parse_rules};
use crate::stop::StopSignal;
use crate::tournament::settings::{EngineSettings, Patience};

/// The most characters of a name that an engine gives itself.
const LONGEST_NAME: usize = 80;

/// Everything that is needed to start an engine, as often as necessary.
#[derive(Clone, Debug)]
pub(in crate::tournament) struct Launch {
    pub(in crate::tournament) settings: EngineSettings,
    /// The rules that it is to play, one after the other; those that it is told first come first.
    pub(in crate::tournament) rules: Vec<Rules>,
    pub(in crate::tournament) patience: Patience,
    pub(in crate::tournament) stop: StopSignal,
    pub(in crate::tournament) traffic: Option<Traffic>,
}

/// An engine that has started.
#[derive(Debug)]
pub(in crate::tournament) struct Started {
    pub(in crate::tournament) player: Player,
    /// What it calls itself.
    pub(in crate::tournament) id: Option<String>,
    /// Options that it was given and has not declared.
    pub(in crate::tournament) undeclared: Vec<String>,
}

/// Why an engine has not started.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no such program, or it cannot be run.
    #[error("cannot run '{program}': {error}")]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder that it is to run in is not there.
    #[error("there is no folder '{0}' for it to run in")]
    Folder(PathBuf),
    /// It does not speak the protocol.
    #[error("it did not say '{wanted}' within {seconds} s of '{said}'{advice}")]
    NoHandshake {
        /// The word that should have come.
        wanted: String,
        /// The word that it should have answered.
        said: &'static str,
        /// How long it had.
        seconds: f64,
        /// What might help.
        advice: &'static str,
    },
    /// It does not get ready.
    #[error("it {0}")]
    Fault(String),
    /// It cannot play these rules.
    #[error("it cannot play these rules: {0}")]
    Rules(String),
    /// Rules that change from game to game, and options that hold them fast.
    #[error("its option {0} sets the rules, which change from game to game here")]
    RulesByHand(String),
    /// An option that sets other rules than those of the match.
    #[error("its option {name} sets other rules ('{value}') than the match has")]
    OtherRules {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// An option cannot have its value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It says that it cannot do what the options say.
    #[error("it complains of its options: {0}")]
    Complaint(String),
    /// The match is to stop.
    #[error("the match was stopped")]
    Stopped,
}

impl StartError {
    /// Whether trying again is pointless.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            StartError::Folder(_)
                | StartError::Rules(_)
                | StartError::RulesByHand(_)
                | StartError::OtherRules { .. }
                | StartError::Option(_)
                | StartError::Complaint(_)
                | StartError::Stopped
        )
    }
}

impl Launch {
    /// Starts the engine, on the processors `cpus` only if there are any named; its traffic is
    /// logged under `label`.
    ///
    /// # Errors
    ///
    /// If it does not start, does not speak the protocol, or cannot play the rules.
    pub(in crate::tournament) fn start(
        &self,
        cpus: Option<&[usize]>,
        label: &str,
    ) -> Result<Started, StartError> {
        let program = self.settings.cmd.clone().unwrap_or_default();
        let mut command = ProcessCommand::new(&program);
        command.args(&self.settings.args);
        if let Some(dir) = &self.settings.dir {
            if !dir.is_dir() {
                return Err(StartError::Folder(dir.clone()));
            }
            command.current_dir(dir);
        }
        let traffic = self
            .traffic
            .as_ref()
            .map(|traffic| traffic.labelled(label.to_owned()));
        let process = Process::spawn(command, cpus, traffic)
            .map_err(|error| StartError::Spawn { program, error })?;
        let dialect = self.settings.dialect();
        process.send(Command::Handshake(dialect).to_string());
        let mut player = Player::new(process, dialect, self.patience, self.stop.clone());
        let introduction = self.listen(&mut player)?;
        let options = self.options(&introduction.declared)?;
        for option in options.settings {
            player.say_option(option);
        }
        player.knows_rules(self.ways_to_tell_rules(&introduction.declared)?);
        player.synchronise(self.patience.start)?;
        // An option that it has not declared is worth a remark only.
        let is_declared = |complaint: &String| {
            let mut undeclared = options.undeclared.iter();
            !undeclared.any(|name| complaint.contains(name.as_str()))
        };
        if let Some(complaint) = player.take_complaints().into_iter().find(is_declared) {
            return Err(StartError::Complaint(complaint));
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
        let until = Instant::now() + self.patience.start;
        let wanted = Answer::Ok(dialect).to_string();
        let mut introduction = Introduction::default();
        loop {
            let line = player
                .line_in_time(until)?
                .ok_or_else(|| StartError::NoHandshake {
                    wanted: wanted.clone(),
                    said: dialect.name(),
                    seconds: self.patience.start.as_secs_f64(),
                    advice: match dialect {
                        crate::protocol::Dialect::Ugi => " (if it speaks UCI, say proto=uci)",
                        crate::protocol::Dialect::Uci => " (if it speaks UGI, say proto=ugi)",
                    },
                })?;
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
            return Err(StartError::RulesByHand(name.clone()));
        }
        let way = |rules: &Rules| Ok((*rules, options_for(rules, declared)?));
        let ways: Result<_, String> = self.rules.iter().map(way).collect();
        ways.map_err(StartError::Rules)
    }

    /// The options to set: the rules first, then what the user wants.
    fn options(&self, declared: &[OptionDeclaration]) -> Result<Options, StartError> {
        let wanted = &self.settings.options;
        let mut options = Options::default();
        if let Some(rules) = self.rules.first()
            && !wanted.keys().any(|name| sets_rules(name))
        {
            options.settings = options_for(rules, declared).map_err(StartError::Rules)?;
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
                    option.value(value.as_deref())?;
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
            Ok(named) if named != *rules => Err(StartError::OtherRules {
                name: name.to_owned(),
                value: value.to_owned(),
            }),
            _ => Ok(()),
        }
    }
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

impl From<Trouble> for StartError {
    fn from(trouble: Trouble) -> StartError {
        match trouble {
            Trouble::Interrupted => StartError::Stopped,
            Trouble::Fault(Fault { what, .. }) => StartError::Fault(what),
        }
    }
}

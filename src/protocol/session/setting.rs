//! The handshake and the options.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{Chore, Running, Session};
use crate::container::ContainerError;
use crate::excerpt::excerpt;
use crate::network::Network;
use crate::protocol::Dialect;
use crate::protocol::answer::Answer;
use crate::protocol::command::SetOption;
use crate::protocol::current_game::CurrentGame;
use crate::protocol::jobs::Job;
use crate::protocol::options::{OptionError, OptionValue};
use crate::protocol::settings::EngineOption;
use crate::protocol::traffic_log::TrafficLog;
use crate::search::Strength;

impl<W: Write> Session<W> {
    pub(super) fn shake_hands(&mut self, dialect: Dialect) -> io::Result<()> {
        self.dialect = dialect;
        let name = format!(
            "Vato {} (net {})",
            env!("CARGO_PKG_VERSION"),
            self.settings.evaluation.network.name()
        );
        self.writer.say(&Answer::Name(name))?;
        self.writer
            .say(&Answer::Author("the Vato authors".to_owned()))?;
        for option in EngineOption::ALL {
            self.writer.say(&Answer::Option(option.declaration()))?;
        }
        self.writer.say(&Answer::Ok(dialect))
    }

    /// Answers `isready` once nothing is missing for a search.
    pub(super) fn get_ready(&mut self) -> io::Result<()> {
        if self.unprepared {
            self.unprepared = false;
            self.start_chore(Chore::Prepare, Job::Prepare);
            return Ok(());
        }
        self.writer.say(&Answer::ReadyOk)
    }

    /// Gives the worker something short to do; a session that ends does without.
    pub(super) fn start_chore(&mut self, chore: Chore, job: Job) {
        if self.quitting {
            return;
        }
        self.running = Some(Running::Chore(chore));
        self.worker.submit(job);
    }

    pub(super) fn end_chore(&mut self, chore: Chore, result: Result<(), String>) -> io::Result<()> {
        match (chore, &result) {
            (Chore::Threads(threads), Ok(())) => self.settings.threads = threads,
            // Tried again before the next `readyok`.
            (Chore::Prepare, Err(_)) => self.unprepared = true,
            _ => {}
        }
        if let Err(message) = result {
            self.writer.error(message)?;
        }
        match chore {
            Chore::Prepare => self.writer.say(&Answer::ReadyOk),
            Chore::Silent | Chore::Threads(_) => Ok(()),
        }
    }

    pub(super) fn set_option(&mut self, command: &SetOption) -> io::Result<()> {
        let Some(option) = EngineOption::find(&command.name) else {
            let error = OptionError::UnknownName(excerpt(&command.name));
            return self.writer.error(error);
        };
        match option.declaration().value(command.value.as_deref()) {
            Ok(value) => self.apply(option, value),
            Err(error) => self.writer.error(error),
        }
    }

    /// Sets an option to a value that fits its declaration.
    fn apply(&mut self, option: EngineOption, value: OptionValue) -> io::Result<()> {
        let settings = &mut self.settings;
        match (option, value) {
            (EngineOption::Threads, OptionValue::Number(number)) => {
                let threads = usize::try_from(number).unwrap_or(1);
                self.unprepared = true;
                self.start_chore(Chore::Threads(threads), Job::SetThreads(threads));
            }
            (EngineOption::Hash, OptionValue::Number(number)) => {
                let mib = usize::try_from(number).unwrap_or(1);
                self.unprepared = true;
                self.start_chore(Chore::Silent, Job::SetHash(mib));
            }
            (EngineOption::ClearHash, _) => self.start_chore(Chore::Silent, Job::Clear),
            (EngineOption::MultiPv, OptionValue::Number(number)) => {
                settings.multipv = usize::try_from(number).unwrap_or(1);
            }
            (EngineOption::MoveOverhead, OptionValue::Number(number)) => {
                settings.move_overhead = Duration::from_millis(u64::try_from(number).unwrap_or(0));
            }
            (EngineOption::LimitStrength, OptionValue::Flag(on)) => settings.skill.by_elo = on,
            (EngineOption::Elo, OptionValue::Number(number)) => {
                settings.skill.elo = u32::try_from(number).unwrap_or(Strength::MAX_ELO);
            }
            (EngineOption::SkillLevel, OptionValue::Number(number)) => {
                settings.skill.level = u32::try_from(number).unwrap_or(Strength::FULL_LEVEL);
            }
            (EngineOption::SkillSeed, OptionValue::Number(number)) => {
                settings.skill.set_seed(u64::try_from(number).unwrap_or(0));
            }
            (EngineOption::Ponder, OptionValue::Flag(on)) => settings.ponder = on,
            (EngineOption::ShowWdl, OptionValue::Flag(on)) => settings.show_wdl = on,
            (EngineOption::AnalyseMode, OptionValue::Flag(on)) => settings.analyse_mode = on,
            (EngineOption::Variant, OptionValue::Text(name)) => match name.parse() {
                Ok(preset) => {
                    settings.variant = preset;
                    return self.adopt_rules();
                }
                Err(error) => return self.writer.error(error),
            },
            (EngineOption::Rules, OptionValue::Text(text)) => match text.parse() {
                Ok(rules) => {
                    settings.custom_rules = rules;
                    return self.adopt_rules();
                }
                Err(error) => return self.writer.error(format!("option Rules: {error}")),
            },
            (EngineOption::TablebasePath, OptionValue::Text(path)) => {
                settings.tablebase_folders = match path.is_empty() {
                    true => Vec::new(),
                    false => std::env::split_paths(&path).collect(),
                };
                self.load_tablebases();
            }
            (EngineOption::TablebaseCache, OptionValue::Number(number)) => {
                settings.tablebase_cache = u64::try_from(number).unwrap_or(1);
                self.load_tablebases();
            }
            (EngineOption::TablebaseProbeLimit, OptionValue::Number(number)) => {
                settings.probe.stones = u32::try_from(number).unwrap_or(0);
                let job = Job::SetProbe(settings.probe);
                self.start_chore(Chore::Silent, job);
            }
            (EngineOption::TablebaseProbeDepth, OptionValue::Number(number)) => {
                settings.probe.depth = u32::try_from(number).unwrap_or(0);
                let job = Job::SetProbe(settings.probe);
                self.start_chore(Chore::Silent, job);
            }
            (EngineOption::Evaluation, OptionValue::Text(name)) => {
                if let Ok(kind) = name.parse() {
                    settings.evaluation.kind = kind;
                    self.adopt_evaluation();
                }
            }
            (EngineOption::EvalFile, OptionValue::Text(path)) => {
                match load_network(&path) {
                    Ok(network) => settings.evaluation.network = network,
                    Err(error) => return self.writer.error(format!("option EvalFile: {error}")),
                }
                self.adopt_evaluation();
                return self.tell_network();
            }
            (EngineOption::OwnBook, OptionValue::Flag(on)) => settings.own_book = on,
            (EngineOption::BestBookMove, OptionValue::Flag(on)) => settings.best_book_move = on,
            (EngineOption::BookFile, OptionValue::Text(path)) => self.set_book(&path),
            (EngineOption::SearchParameters, OptionValue::Text(text)) => match text.parse() {
                Ok(parameters) => {
                    self.start_chore(Chore::Silent, Job::SetParameters(parameters));
                }
                Err(error) => {
                    return self
                        .writer
                        .error(format!("option SearchParameters: {error}"));
                }
            },
            (EngineOption::LogFile, OptionValue::Text(path)) if path.is_empty() => {
                self.writer.set_log(None);
            }
            (EngineOption::LogFile, OptionValue::Text(path)) => {
                match TrafficLog::open(path.as_ref()) {
                    Ok(log) => self.writer.set_log(Some(log)),
                    Err(error) => {
                        let path = excerpt(&path);
                        let message = format!("option Log File: cannot write to '{path}': {error}");
                        return self.writer.error(message);
                    }
                }
            }
            // A declaration makes no other kind of value.
            _ => {}
        }
        Ok(())
    }

    /// Says which network there is, and whether games under the rules in force are evaluated with it.
    fn tell_network(&mut self) -> io::Result<()> {
        let evaluation = &self.settings.evaluation;
        let name = evaluation.network.name();
        let note = match evaluation.network_for(&self.settings.rules()) {
            Some(_) => format!("network {name}"),
            None => format!("network {name}, not used: the evaluation is classical now"),
        };
        self.writer.note(note)
    }

    /// Tells the searcher what to evaluate with.
    fn adopt_evaluation(&mut self) {
        let job = Job::SetEvaluation(self.settings.evaluation.clone());
        self.start_chore(Chore::Silent, job);
    }

    /// Opens the tablebases for the rules in force.
    fn load_tablebases(&mut self) {
        let job = Job::LoadTablebases {
            rules: self.settings.rules(),
            folders: self.settings.tablebase_folders.clone(),
            cache_bytes: self.settings.tablebase_cache << 20,
        };
        self.start_chore(Chore::Silent, job);
    }

    /// Goes back to the start if the active rules have changed.
    fn adopt_rules(&mut self) -> io::Result<()> {
        let rules = self.settings.rules();
        if rules == *self.current.game().rules() {
            return Ok(());
        }
        self.current = CurrentGame::new(rules);
        self.is_book_refused = false;
        self.load_tablebases();
        if self.debug {
            let note = format!("other rules, so the position is their start: {rules:#}");
            self.writer.note(note)?;
        }
        Ok(())
    }
}

/// The network in a file; that in the program where the path is empty.
fn load_network(path: &str) -> Result<Arc<Network>, ContainerError> {
    match path.is_empty() {
        true => Ok(Network::standard()),
        false => Network::read(Path::new(path)).map(Arc::new),
    }
}

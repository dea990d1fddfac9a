//! Starting an engine: process, handshake, options.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command as ProcessCommand;
use std::time::Instant;

use thiserror::Error;

use super::io_log::IoLog;
use super::player::{Player, Trouble, first_word};
use super::process::Process;
use crate::answers::read_answer;
use crate::stop::StopSignal;
use crate::tournament::settings::{EngineSettings, Timeouts};
use vato_engine::protocol::{Answer, Command, Dialect, OptionDeclaration, OptionKind, SetOption};
use vato_engine::rules::{Preset, Rules, parse_rules};
use vato_engine::tablebase::TableFolders;
use vato_engine::text::printable;

/// `ENOEXEC`: a file that the system cannot run.
const NO_PROGRAM: i32 = 8;

/// Everything that is needed to start an engine, as often as necessary.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) settings: EngineSettings,
    /// The rules of the match; the first are set at the start.
    pub(crate) rules: Vec<Rules>,
    pub(crate) timeouts: Timeouts,
    pub(crate) stop: StopSignal,
    pub(crate) log: IoLog,
}

/// What a start tells of an engine.
#[derive(Debug)]
pub(crate) struct CheckedEngine {
    /// As set, else as it sends it, else that of its script or program.
    pub(crate) name: String,
    /// The options that it was to have, but does not declare; they were not set.
    pub(crate) undeclared: Vec<String>,
    /// Its threads, and its hash table in MiB: as set, else the declared default; `None` without such an option.
    pub(crate) sizes: [Option<u64>; 2],
}

/// Why an engine has not started.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    /// This start has failed; another may succeed.
    #[error("{0}")]
    Failed(String),
    /// It cannot play this match, however often it is started.
    #[error("{0}")]
    Unfit(String),
    /// The match is to stop.
    #[error("the match was stopped")]
    Stopped,
}

impl From<Trouble> for StartError {
    fn from(trouble: Trouble) -> StartError {
        match trouble {
            Trouble::Interrupted => StartError::Stopped,
            Trouble::Fault(_, what, _) => StartError::Failed(format!("it {what}")),
        }
    }
}

impl Launch {
    /// Starts the engine, on the processors `cpus` if these are named; its I/O is logged under `label`.
    pub(crate) fn start(
        &self,
        cpus: Option<&[usize]>,
        label: &str,
    ) -> Result<(Player, CheckedEngine), StartError> {
        let program = self.settings.cmd.clone().unwrap_or_default();
        // A bare name is looked for in PATH.
        let is_path = program.parent() != Some(Path::new(""));
        if is_path && program.exists() && !program.is_file() {
            let program = program.display();
            let what =
                format!("cannot run '{program}': expected a program, not a folder or a pipe");
            return Err(StartError::Unfit(what));
        }
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
        let log = self.log.labelled(label);
        let process = Process::spawn(command, cpus, log).map_err(|error| {
            let is_here = program.is_file() && error.kind() == ErrorKind::NotFound;
            let program = program.display().to_string();
            let hint = match program.trim().split_once(' ') {
                _ if is_here => format!("; for the one in this folder say cmd=./{program}"),
                Some((_, arguments)) if error.kind() == ErrorKind::NotFound => {
                    format!("; arguments go into args=\"{arguments}\", not into cmd=")
                }
                _ => String::new(),
            };
            let what = format!("cannot run '{program}': {error}{hint}");
            // It would not be there, or no program, a moment later.
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::PermissionDenied => StartError::Unfit(what),
                _ if cfg!(unix) && error.raw_os_error() == Some(NO_PROGRAM) => {
                    StartError::Unfit(what)
                }
                _ => StartError::Failed(what),
            }
        })?;
        let dialect = self.settings.dialect();
        process.send(Command::Handshake(dialect).to_string(), false);
        let mut player = Player {
            process,
            dialect,
            timeouts: self.timeouts,
            stop: self.stop.clone(),
            pondering: None,
            is_broken: false,
            stray_answers: 0,
            complaint: None,
            rules: Vec::new(),
        };
        let (id, declared) = self.listen(&mut player)?;
        let (options, undeclared) = self.options(&declared)?;
        for option in options {
            player.say_option(option);
        }
        // Only needed where rules change from game to game.
        if self.rules.len() > 1 {
            let by_hand = self.settings.options.keys().find(|name| sets_rules(name));
            let by_hand = by_hand.map(|name| format!("option.{name}"));
            let own_rules = self.settings.has_own_rules();
            if let Some(setting) = own_rules.then(|| "rules=options".to_owned()).or(by_hand) {
                let what = format!("{setting} sets the rules, which change from game to game here");
                return Err(StartError::Unfit(what));
            }
            for rules in &self.rules {
                player.rules.push((*rules, options_for(rules, &declared)?));
            }
        }
        player.synchronise(self.timeouts.start)?;
        if let Some(complaint) = &player.complaint {
            let what = format!("it complains: {complaint}");
            return Err(StartError::Unfit(what));
        }
        let name = self.settings.name.clone().or(id);
        let checked = CheckedEngine {
            name: name.unwrap_or_else(|| self.settings.known_name()),
            undeclared,
            sizes: ["Threads", "Hash"].map(|name| self.size(name, &declared)),
        };
        Ok((player, checked))
    }

    /// The name that the engine gives itself, and the options that it declares.
    fn listen(
        &self,
        player: &mut Player,
    ) -> Result<(Option<String>, Vec<OptionDeclaration>), StartError> {
        let dialect = self.settings.dialect();
        let until = Instant::now() + self.timeouts.start;
        let wanted = Answer::Ok(dialect).to_string();
        let (mut id, mut declared) = (None, Vec::new());
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
                return Ok((id, declared));
            }
            match read_answer(&line.text) {
                // Names are shown on terminals and written to files.
                Ok(Answer::Name(name)) => {
                    id = Some(printable(&name, EngineSettings::LONGEST_NAME))
                        .filter(|id| !id.trim().is_empty());
                }
                Ok(Answer::Option(option)) => declared.push(option),
                // Unreadable declarations are ignored.
                Ok(_) | Err(_) => player.take_early(&line.text),
            }
        }
    }

    /// The value of an option that is a number: as set, else its default.
    fn size(&self, name: &str, declared: &[OptionDeclaration]) -> Option<u64> {
        let OptionKind::Spin { default, .. } = declaration(declared, name)?.kind else {
            return None;
        };
        let set = self.settings.number(name);
        set.or_else(|| u64::try_from(default).ok())
    }

    /// The options to set, the rules before the user's; and the names of those left out, as the engine does not
    /// declare them.
    fn options(
        &self,
        declared: &[OptionDeclaration],
    ) -> Result<(Vec<SetOption>, Vec<String>), StartError> {
        let wanted = &self.settings.options;
        let told = self.rules.first();
        let told = told.filter(|_| !self.settings.has_own_rules());
        let mut options = Vec::new();
        let mut undeclared = Vec::new();
        let find = |name: &str| declaration(declared, name);
        let is_wanted = |name: &str| wanted.keys().any(|own| own.eq_ignore_ascii_case(name));
        // The same on every machine, whatever tables are in the user's folder. They would be opened
        // when the rules are set, so this comes first.
        let is_auto = |option: &&OptionDeclaration| {
            let kind = &option.kind;
            matches!(kind, OptionKind::Text { default } if default == TableFolders::AUTO)
        };
        if let Some(tables) = find("TablebasePath").filter(is_auto)
            && !is_wanted(&tables.name)
        {
            options.push(set(tables, TableFolders::NONE));
        }
        if let Some(rules) = told
            && !is_wanted("UCI_Variant")
        {
            options.extend(options_for(rules, declared)?);
        }
        if let Some(ponder) = find("Ponder").filter(|_| self.settings.ponders())
            && !is_wanted("Ponder")
        {
            options.push(set(ponder, "true"));
        }
        for (name, value) in wanted {
            // As far as its value can be understood: an engine may have names of its own for rules.
            if let Some(rules) = told.filter(|_| sets_rules(name))
                && parse_rules(value).is_ok_and(|named| named != *rules)
            {
                return Err(StartError::Unfit(format!(
                    "its option {name} sets other rules ('{value}') than the match has"
                )));
            }
            let Some(option) = find(name) else {
                undeclared.push(name.clone());
                continue;
            };
            let checked = option.value(Some(value));
            checked.map_err(|error| StartError::Unfit(error.to_string()))?;
            options.push(SetOption {
                name: name.clone(),
                value: (option.kind != OptionKind::Button).then(|| value.clone()),
            });
        }
        Ok((options, undeclared))
    }
}

fn sets_rules(name: &str) -> bool {
    name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Rules")
}

/// The options that make an engine play `rules`, in the order in which they are to be set.
///
/// `UCI_Variant` with the preset's name if the engine has that, else `custom` with the rules string
/// in `Rules`, else `Rules` alone. An engine that declares neither plays the standard game only.
fn options_for(
    rules: &Rules,
    declared: &[OptionDeclaration],
) -> Result<Vec<SetOption>, StartError> {
    let variant = declaration(declared, "UCI_Variant");
    let string = declaration(declared, "Rules");
    let string = string.filter(|option| matches!(option.kind, OptionKind::Text { .. }));
    let variant_with = |preset: Preset| variant.filter(|option| offers(option, preset));

    if let Some(preset) = Preset::of(rules)
        && let Some(variant) = variant_with(preset)
    {
        return Ok(vec![set(variant, preset.name())]);
    }
    let full = format!("{rules:#}");
    match (string, variant_with(Preset::Custom)) {
        (Some(string), Some(variant)) => Ok(vec![
            set(string, &full),
            set(variant, Preset::Custom.name()),
        ]),
        (Some(string), None) => Ok(vec![set(string, &full)]),
        (None, _) if variant.is_none() && *rules == Rules::STANDARD => Ok(Vec::new()),
        (None, _) => {
            let name = Preset::name_of(rules);
            let lack = match variant {
                Some(_) => format!(
                    "its option UCI_Variant does not offer '{name}', and it has no option Rules"
                ),
                None => format!(
                    "it declares neither UCI_Variant nor Rules, so it plays tsivy only, not '{name}'"
                ),
            };
            let what = format!(
                "it cannot play these rules: {lack}; if options of its own set them, say rules=options (not in the format vela)"
            );
            Err(StartError::Unfit(what))
        }
    }
}

/// The declaration of an option; protocols know no case in names.
fn declaration<'a>(declared: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    let mut all = declared.iter();
    all.find(|option| option.name.eq_ignore_ascii_case(name))
}

fn set(option: &OptionDeclaration, value: &str) -> SetOption {
    SetOption {
        name: option.name.clone(),
        value: Some(value.to_owned()),
    }
}

fn offers(option: &OptionDeclaration, preset: Preset) -> bool {
    match &option.kind {
        OptionKind::Combo { choices, .. } => choices
            .iter()
            .any(|choice| choice.eq_ignore_ascii_case(preset.name())),
        // Any text is accepted; the presets' names are tried.
        OptionKind::Text { .. } => preset != Preset::Custom,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::parse_rules;

    /// The options that an engine with these declarations gets, or why there are none.
    fn options(rules: &str, declared: &[&str]) -> Result<String, String> {
        let rules = parse_rules(rules).expect(rules);
        let read = |text: &&str| crate::answers::read_option(text).expect(text);
        let declared: Vec<OptionDeclaration> = declared.iter().map(read).collect();
        let options = options_for(&rules, &declared).map_err(|error| error.to_string())?;
        let texts = options.into_iter().map(|option| {
            let value = option.value.expect("all have one");
            format!("{}={value}", option.name)
        });
        Ok(texts.collect::<Vec<_>>().join("; "))
    }

    const VARIANT: &str = "name UCI_Variant type combo default tsivy var tsivy var dimy var custom";
    const RULES: &str = "name Rules type string default <empty>";

    #[test]
    fn presets_by_name_and_the_rest_by_string() {
        let both = [VARIANT, RULES];
        let custom = "; UCI_Variant=custom";
        for (rules, declared, begins, ends) in [
            ("dimy", &both[..], "UCI_Variant=dimy", "dimy"),
            ("board=5x5 limit=7", &both, "Rules=board=5x5 ", custom),
            // A preset that the engine does not offer is sent as a string.
            ("telo", &both, "Rules=board=3x3 ", custom),
            ("telo", &[RULES], "Rules=board=3x3 ", "vela=off"),
            ("tsivy", &[], "", ""),
        ] {
            let told = options(rules, declared).expect("can be told");
            assert!(told.starts_with(begins) && told.ends_with(ends), "{told}");
        }
        let custom = options("limit=7", &both).expect("can be told");
        assert!(custom.contains("limit=7"), "{custom}");
    }

    #[test]
    fn an_engine_that_cannot_be_told_plays_the_standard_game_only() {
        let chess = "name UCI_Variant type combo default chess var chess var crazyhouse";
        for (rules, declared, told) in [
            ("dimy", &[][..], "tsivy only"),
            ("tsivy", &[chess], ""),
            ("telo", &[VARIANT], "does not offer 'telo'"),
        ] {
            let error = options(rules, declared).expect_err("no");
            assert!(error.contains(told), "{error}");
        }
    }
}

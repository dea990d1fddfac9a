//! Engines that have a name in a file of the current folder: `engines.toml`, with `[[engine]]` tables as in the settings
//! of a match, or `engines.json`, as Cute Chess writes it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::engine::{EngineSettings, option_value};
use super::pairs::split_unquoted;
use super::{MatchSettings, SettingsError};
use vato_engine::files::read_text;
use vato_engine::protocol::Command;
use vato_engine::text::excerpt;

const OWN: &str = "engines.toml";
const CUTE_CHESS: &str = "engines.json";

/// Reads `key=value,…`, or the name of an engine in a file and what overrides its settings: `NAME,key=value,…`.
pub fn read_engine(text: &str) -> Result<EngineSettings, SettingsError> {
    let parts = split_unquoted(text, ',').unwrap_or_default();
    let (name, own) = text.split_at(parts.first().map_or(text.len(), |name| name.len()));
    match name.trim() {
        "" if !text.trim().is_empty() => text.parse(),
        name if name.contains('=') => text.parse(),
        name => {
            let own: EngineSettings = own.trim_start_matches(',').parse()?;
            Ok(own.or(&named_engine(name)?))
        }
    }
}

/// The engine of this name, in which quotation marks make no difference, in a file of the current folder.
pub fn named_engine(name: &str) -> Result<EngineSettings, SettingsError> {
    let is_named = |own: &str| own.replace('"', "") == name.replace('"', "");
    let mut names = Vec::new();
    if let Some(text) = read(OWN)? {
        let settings = toml::from_str::<MatchSettings>(&text);
        let engines = settings.map_err(wrong(OWN))?.engines.into_iter();
        let is_it = |engine: &EngineSettings| is_named(&engine.known_name());
        let (mut found, others): (Vec<_>, Vec<_>) = engines.partition(is_it);
        match (found.pop(), found.len()) {
            (Some(engine), 0) => return Ok(engine),
            (None, _) => names.extend(others.iter().map(|other| excerpt(&other.known_name()))),
            _ => {
                let what = format!("engines of the same name '{}'", excerpt(name));
                return Err(wrong(OWN)(what));
            }
        }
    }
    if let Some(text) = read(CUTE_CHESS)? {
        let engines = serde_json::from_str::<Vec<CuteChessEngine>>(&text);
        for engine in engines.map_err(wrong(CUTE_CHESS))? {
            if is_named(&engine.name) {
                let settings = engine.settings().map_err(|error| error.within(name));
                return settings.map_err(wrong(CUTE_CHESS));
            }
            names.push(excerpt(&engine.name));
        }
    }
    let expected = match names.is_empty() {
        true => format!("key=value, or the name of an engine in {OWN} or {CUTE_CHESS} here"),
        false => format!("one of {}", names.join(", ")),
    };
    Err(SettingsError::value("engine", name, expected))
}

/// The text of a file, if there is one.
fn read(file: &str) -> Result<Option<String>, SettingsError> {
    match read_text(Path::new(file)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        text => text.map(Some).map_err(wrong::<io::Error>(file)),
    }
}

fn wrong<E: ToString>(file: &str) -> impl Fn(E) -> SettingsError {
    move |error| SettingsError::new(format!("{file}: {}", error.to_string().trim_end()))
}

/// An engine of Cute Chess, as far as it means anything here.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CuteChessEngine {
    name: String,
    /// The program and its arguments.
    command: String,
    working_directory: PathBuf,
    protocol: Option<String>,
    init_strings: Vec<String>,
    options: Vec<CuteChessOption>,
    ponder: bool,
    restart: String,
}

#[derive(Deserialize)]
struct CuteChessOption {
    name: String,
    /// Buttons have none.
    #[serde(default)]
    value: Value,
}

impl CuteChessEngine {
    fn settings(self) -> Result<EngineSettings, SettingsError> {
        let not_closed = "closed quotation marks";
        let words = match Path::new(&self.command).is_file() {
            true => Ok(vec![self.command.clone()]),
            false => shell_words::split(&self.command),
        };
        let words = words.map_err(|_| SettingsError::value("command", &self.command, not_closed));
        let mut words = words?.into_iter();
        let protocol = self.protocol.into_iter();
        let protocol = protocol.map(|name| ("proto".to_owned(), name));
        let mut engine = EngineSettings {
            cmd: words.next().map(PathBuf::from),
            args: words.collect(),
            dir: Some(self.working_directory).filter(|dir| !dir.as_os_str().is_empty()),
            ponder: self.ponder.then_some(true),
            restart: (self.restart == "on").then_some(true),
            ..EngineSettings::from_pairs(protocol.collect())?
        };
        engine.name = Some(self.name);
        for CuteChessOption { name, value } in self.options {
            if !value.is_null() {
                engine.options.insert(name, option_value(value)?);
            }
        }
        for line in &self.init_strings {
            match Command::parse(line, &mut Vec::new()) {
                Some(Command::SetOption(option)) => {
                    let value = option.value.unwrap_or_default();
                    engine.options.insert(option.name, value);
                }
                Some(Command::Handshake(_)) => {}
                _ => {
                    let expected = "setoption name NAME value VALUE";
                    return Err(SettingsError::value("initStrings", line, expected));
                }
            }
        }
        Ok(engine)
    }
}

//! The settings of an engine: process, options, limits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::make_absolute;
use super::pairs::{SettingsError, from_pairs, pairs};
use crate::clock::{LEAST_SECONDS, TimeControl};
use vato_engine::protocol::Dialect;
use vato_engine::text::{excerpt, printable};

/// Prefix of the keys of options on the command line.
const OPTION: &str = "option.";

/// How late an answer to a fixed time may come unless `timemargin` says otherwise: such engines
/// search until the time is over, and the way back takes time too.
const FIXED_TIME_MARGIN: Duration = Duration::from_millis(50);

/// `tc=inf`: no clock, as other runners write it, until another limit is known.
const NO_CLOCK: TimeControl = TimeControl {
    moves: None,
    time: Duration::MAX,
    increment: Duration::ZERO,
};

/// How an engine gets the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RulesFrom {
    /// The match sets them, by the options `UCI_Variant` and `Rules`.
    Match,
    /// The user sets them, by the engine's own options.
    Options,
}

/// An engine of a match. `None`: not given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSettings {
    /// Its name in results; by default the one that it sends, else that of its script or program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The program: a path, or a name that the system finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cmd: Option<PathBuf>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder that it runs in, and where a relative `cmd` is looked for first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Its protocol; UGI by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proto: Option<Dialect>,
    /// How it gets the rules; from the match by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesFrom>,
    /// Its clock.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "clock")]
    pub tc: Option<TimeControl>,
    /// Seconds for each move, in place of a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub st: Option<f64>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds by which an answer may be late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timemargin: Option<u64>,
    /// Whether it ponders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ponder: Option<bool>,
    /// Whether it is started anew for every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// Its options.
    #[serde(rename = "option", deserialize_with = "option_values")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl FromStr for EngineSettings {
    type Err = SettingsError;

    /// Reads `key=value,…` as the command line has it; options as `option.NAME=VALUE`.
    fn from_str(text: &str) -> Result<EngineSettings, SettingsError> {
        EngineSettings::from_pairs(pairs(text)?)
    }
}

impl EngineSettings {
    /// The settings of these keys and values; those of options are `option.NAME`.
    pub fn from_pairs(pairs: Vec<(String, String)>) -> Result<EngineSettings, SettingsError> {
        let is_option = |(key, _): &(String, String)| key.starts_with(OPTION);
        let (options, pairs) = pairs.into_iter().partition::<Vec<_>, _>(is_option);
        let mut engine = from_pairs::<EngineSettings>(pairs)?;
        let name = |(key, value): (String, String)| (key[OPTION.len()..].to_owned(), value);
        engine.options.extend(options.into_iter().map(name));
        engine.validate_limits().map(|()| engine)
    }

    /// Removes the clock `inf` if there is another limit. Before, it says that a clock of other settings does not count.
    pub(in crate::tournament) fn remove_inf(&mut self) {
        if self.tc == Some(NO_CLOCK) && self.has_limit() {
            self.tc = None;
        }
    }

    /// These settings, completed from `other` key by key. A clock and a time for each move take each other's place.
    pub fn or(mut self, other: &EngineSettings) -> EngineSettings {
        let st = (other.st).filter(|_| self.tc.is_none_or(|tc| tc == NO_CLOCK));
        self.tc = self.tc.or(other.tc.filter(|_| self.st.is_none()));
        self.st = self.st.or(st);
        // Protocols know no case in the names of options.
        let is_own = |name: &String| {
            let mut own = self.options.keys();
            own.any(|own| own.eq_ignore_ascii_case(name))
        };
        let mut other = other.clone();
        other.options.retain(|name, _| !is_own(name));
        self.options.append(&mut other.options);
        if self.args.is_empty() {
            self.args = other.args;
        }
        EngineSettings {
            name: self.name.or(other.name),
            cmd: self.cmd.or(other.cmd),
            dir: self.dir.or(other.dir),
            proto: self.proto.or(other.proto),
            rules: self.rules.or(other.rules),
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
            timemargin: self.timemargin.or(other.timemargin),
            ponder: self.ponder.or(other.ponder),
            restart: self.restart.or(other.restart),
            ..self
        }
    }

    /// Whether there is any limit of a search.
    pub fn has_limit(&self) -> bool {
        let has_clock = self.tc.is_some_and(|tc| tc != NO_CLOCK);
        has_clock || self.st.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    fn validate_limits(&self) -> Result<(), SettingsError> {
        let expected = "seconds, such as 0.5, and at least 0.001";
        SettingsError::unless(LEAST_SECONDS..=1e7, "st", self.st, expected)?;
        SettingsError::unless(1.., "nodes", self.nodes, "at least 1")?;
        SettingsError::unless(1.., "depth", self.depth, "at least 1")
    }

    /// Validates what the types do not enforce.
    pub(in crate::tournament) fn validate(&self) -> Result<(), SettingsError> {
        if self.cmd.as_deref().is_none_or(|cmd| cmd == Path::new("")) {
            return Err(SettingsError::new("'cmd' is missing"));
        }
        self.validate_limits()?;
        if self.tc == Some(NO_CLOCK) {
            let expected = "st, nodes or depth beside it, as nothing else would end a search";
            return Err(SettingsError::value("tc", "inf", expected));
        }
        if let (Some(_), Some(st)) = (self.tc, self.st) {
            return Err(SettingsError::value("st", st, "either tc or st, not both"));
        }
        // Names stand in line-based output, where a line break could forge a line.
        let name = self.name.as_deref();
        name.map_or(Ok(()), |name| SettingsError::unless_line("name", name))?;
        // The protocol is made of lines.
        let breaks = |text: &str| text.contains(['\n', '\r']);
        for (option, value) in &self.options {
            if breaks(option) || breaks(value) || option.trim().is_empty() {
                let key = OPTION.to_owned() + option;
                return Err(SettingsError::value(&key, value, "text of one line"));
            }
            let mut all = self.options.keys();
            if all.any(|other| other != option && other.eq_ignore_ascii_case(option)) {
                let what = format!("'{OPTION}{}' is given twice", excerpt(option));
                return Err(SettingsError::new(what));
            }
        }
        Ok(())
    }

    /// Makes the program and its folder independent of the current one. A relative program is looked for in `dir`
    /// first. Arguments and options may name files: an engine that has any runs in the folder of now, unless `dir` says
    /// otherwise, whichever folder its match goes on from.
    pub(in crate::tournament) fn make_paths_absolute(&mut self) {
        self.dir.as_mut().map(make_absolute);
        if let Some(cmd) = &mut self.cmd {
            let inside = self.dir.as_ref().map(|dir| dir.join(&*cmd));
            let is_path = cmd.parent().is_some_and(|parent| parent != Path::new(""));
            if let Some(inside) = inside.filter(|path| path.is_file()) {
                *cmd = inside;
            }
            // Other names are for the system to find.
            if is_path || cmd.has_root() {
                make_absolute(cmd);
            }
        }
        let is_plain =
            |value: &String| value.parse::<f64>().is_ok() || value.parse::<bool>().is_ok();
        if self.dir.is_none() && !(self.args.is_empty() && self.options.values().all(is_plain)) {
            // Without a current folder there is nothing to keep.
            self.dir = std::env::current_dir().ok();
        }
    }

    /// The most characters of a name that an engine sends, or that is made from a program's.
    pub(in crate::tournament) const LONGEST_NAME: usize = 80;

    /// Its name as set, else that of its script or program.
    pub(in crate::tournament) fn known_name(&self) -> String {
        // Of an interpreter the script is the engine.
        let script = self.args.first().map(Path::new);
        let is_script =
            |path: &&Path| path.extension().is_some() && !path.to_string_lossy().starts_with('-');
        let script = script.filter(is_script);
        let program = script.or(self.cmd.as_deref()).and_then(Path::file_stem);
        // File names may hold control characters.
        let program = program.map(|stem| printable(&stem.to_string_lossy(), Self::LONGEST_NAME));
        self.name.clone().or(program).unwrap_or_default()
    }

    /// The engine's protocol.
    pub fn dialect(&self) -> Dialect {
        self.proto.unwrap_or_default()
    }

    /// Whether the user sets its rules by its own options, and the match does not.
    pub fn has_own_rules(&self) -> bool {
        self.rules == Some(RulesFrom::Options)
    }

    /// By how much an answer may be late.
    pub fn margin(&self) -> Duration {
        match self.timemargin {
            Some(milliseconds) => Duration::from_millis(milliseconds),
            None if self.st.is_some() => FIXED_TIME_MARGIN,
            None => Duration::ZERO,
        }
    }

    /// Whether the engine ponders.
    pub fn ponders(&self) -> bool {
        self.ponder == Some(true)
    }

    /// Threads that the engine searches with, as far as its options tell.
    pub fn threads(&self) -> usize {
        self.number("Threads").unwrap_or(1).max(1)
    }

    /// The number that an option is set to.
    pub(in crate::tournament) fn number<N: FromStr>(&self, name: &str) -> Option<N> {
        self.option(name)?.parse().ok()
    }

    /// The value that an option is set to.
    pub(in crate::tournament) fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options.find_map(|(own, value)| own.eq_ignore_ascii_case(name).then_some(value.as_str()))
    }

    /// The value of a PGN's tag `TimeControl`, which knows no other limits than times.
    pub(in crate::tournament) fn time_control(&self) -> String {
        let clock = self.tc.map(|control| control.to_string());
        let fixed = self.st.map(|seconds| format!("1/{seconds}"));
        clock.or(fixed).unwrap_or_else(|| "-".to_owned())
    }

    /// The limits in words, as a summary has them.
    pub fn limit_text(&self) -> String {
        let limit = self.search_limit();
        let clock = self.tc.map(|control| match limit.is_empty() {
            true => control.to_string(),
            false => format!("tc={control}"),
        });
        let fixed = self.st.map(|seconds| format!("{seconds}s/move"));
        let all = [clock, fixed, (!limit.is_empty()).then_some(limit)].into_iter();
        all.flatten().collect::<Vec<_>>().join(" ")
    }

    /// The limits that are no times, in words.
    pub(in crate::tournament) fn search_limit(&self) -> String {
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        let all = [nodes, depth].into_iter();
        all.flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A clock, or `inf`.
fn clock<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TimeControl>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let read = |text: String| match text.as_str() {
        "inf" | "infinite" => Ok(NO_CLOCK),
        text => text.parse().map_err(D::Error::custom),
    };
    text.map(read).transpose()
}

/// Values of options: text, numbers and truth values alike.
fn option_values<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let text = |(name, value)| Ok((name, option_value(value)?));
    values.into_iter().map(text).collect()
}

/// The value of an option as text.
pub(super) fn option_value<E: Error>(value: Value) -> Result<String, E> {
    match value {
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Ok(whole.to_string()),
            None => Ok(number.as_f64().unwrap_or_default().to_string()),
        },
        Value::String(text) => Ok(text),
        _ => Err(E::custom("expected text, a number, true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_read() {
        let engine = EngineSettings::from_str(
            "name=A,cmd=./vato,args=\"-x 'a b',3\",dir=/tmp,proto=uci,tc=10+0.1,timemargin=5,\
             rules=options,ponder=true,restart=false,option.Hash=64,option.Log File=a=b",
        )
        .expect("right");
        assert_eq!(engine.name.as_deref(), Some("A"));
        assert_eq!(engine.args, ["-x", "a b,3"]);
        assert_eq!(engine.dialect(), Dialect::Uci);
        assert_eq!(engine.limit_text(), "10+0.1");
        assert_eq!(engine.margin(), Duration::from_millis(5));
        assert!(engine.ponders() && engine.has_own_rules());
        assert_eq!(engine.options["Hash"], "64");
        assert_eq!(engine.options["Log File"], "a=b");
        assert_eq!(engine.validate(), Ok(()));
        let toml = toml::to_string(&engine).expect("can be written");
        assert_eq!(toml::from_str::<EngineSettings>(&toml), Ok(engine));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let read = |text: &str| EngineSettings::from_str(text).and_then(|engine| engine.validate());
        let wrong = "cmd=a,proto=xboard cmd=a,rules=dimy cmd=a,args='x cmd=a,nodes=0 cmd=a,st=0 cmd=a,st=0.4ms";
        for text in wrong.split(' ').chain(["name=A"]) {
            read(text).expect_err(text);
        }
        let hint = read("cmd=a,hash=8").expect_err("an option").to_string();
        assert!(
            hint.ends_with("; the option of an engine is option.Hash"),
            "{hint}"
        );
        for name in ["", " ", "A\nmatch        forged", "A\u{1b}[31m"] {
            let named = read(&format!("cmd=a,name=\"{name}\"")).expect_err(name);
            let named = named.to_string();
            assert!(named.starts_with("invalid name '"), "{named}");
            assert!(!named.contains(char::is_control), "{named:?}");
        }
        assert!(toml::from_str::<EngineSettings>("cmd = \"a\"\nhash = 3").is_err());
    }

    #[test]
    fn the_own_settings_go_first() {
        let read = |text: &str| EngineSettings::from_str(text).expect(text);
        let each = read("tc=10+0.1,nodes=5,option.hash=8,option.Threads=2,ponder=true");
        let engine = read("cmd=a,st=2,option.Hash=16,ponder=false").or(&each);
        assert_eq!(engine.limit_text(), "2s/move nodes=5");
        assert_eq!(engine.margin(), Duration::from_millis(50));
        assert_eq!(engine.options["Hash"], "16");
        assert_eq!(engine.options.len(), 2);
        assert_eq!(engine.threads(), 2);
        assert!(!engine.ponders());
        for (own, each, limits) in [
            ("nodes=50", "tc=40/10+0.1", "tc=40/10+0.1 nodes=50"),
            ("depth=3,nodes=5", "nodes=9,st=1", "1s/move nodes=5 depth=3"),
            ("tc=5", "st=1,depth=3", "tc=5 depth=3"),
            ("", "st=1", "1s/move"),
            // No clock, and the limit, may stand in either.
            ("tc=inf", "nodes=20", "nodes=20"),
            ("nodes=20", "tc=inf", "nodes=20"),
            ("tc=inf", "st=1", "1s/move"),
            ("tc=inf,nodes=20", "tc=5", "nodes=20"),
            ("tc=5", "tc=inf,nodes=20", "tc=5 nodes=20"),
        ] {
            let mut engine = read(&format!("cmd=a,{own}")).or(&read(each));
            engine.remove_inf();
            assert_eq!(engine.limit_text(), limits, "{own}, {each}");
            assert_eq!(engine.validate(), Ok(()), "{own}, {each}");
        }
        for (own, each) in [("tc=inf", "tc=10"), ("nodes=3", "tc=10,st=1")] {
            let engine = read(&format!("cmd=a,{own}")).or(&read(each));
            engine.validate().expect_err(own);
        }
    }

    #[test]
    fn limits_as_people_write_them() {
        for (text, limits) in [
            ("tc=1+0", "1"),
            ("nodes=10,tc=1+0", "tc=1 nodes=10"),
            ("depth=5,tc=inf", "depth=5"),
            ("tc=inf,st=500ms", "0.5s/move"),
            ("tc=10s+100ms", "10+0.1"),
        ] {
            let mut engine: EngineSettings = format!("cmd=a,{text}").parse().expect(text);
            engine.remove_inf();
            assert_eq!(engine.validate(), Ok(()), "{text}");
            assert_eq!(engine.limit_text(), limits, "{text}");
        }
    }

    /// Whichever of the folders has it, and whatever the engine may read.
    #[test]
    fn a_relative_program_is_looked_for_in_its_folder_first() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("eng"), "").expect("a file");
        let made = |keys: &str| {
            let dir = folder.path().display();
            let mut engine: EngineSettings = format!("{keys},dir=\"{dir}\"").parse().expect(keys);
            engine.make_paths_absolute();
            engine.cmd.expect("a program")
        };
        for there in ["cmd=./eng", "cmd=eng", "cmd=././eng"] {
            assert_eq!(made(there), folder.path().join("eng"), "{there}");
        }
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(made("cmd=./Cargo.toml"), here.join("Cargo.toml"));
        assert_eq!(made("cmd=python3"), Path::new("python3"));

        // Where an argument or an option may be a file, the engine runs here.
        for (keys, may_read) in [
            ("cmd=a", false),
            ("cmd=a,option.Hash=64,option.Ponder=true", false),
            ("cmd=a,args=x.py", true),
            ("cmd=a,option.EvalFile=small.net", true),
        ] {
            let mut engine: EngineSettings = keys.parse().expect(keys);
            engine.make_paths_absolute();
            assert_eq!(engine.dir, may_read.then(|| here.clone()), "{keys}");
        }
    }

    #[test]
    fn values_of_options_may_be_of_any_kind() {
        let text = "cmd = \"a\"\n[option]\nHash = 64\nPonder = true\nName = \"x\"";
        let engine: EngineSettings = toml::from_str(text).expect("right");
        let values: Vec<&str> = engine.options.values().map(String::as_str).collect();
        assert_eq!(values, ["64", "x", "true"]);
    }
}

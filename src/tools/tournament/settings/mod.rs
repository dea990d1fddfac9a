//! The settings of a match: as types, as TOML, and as the pairs of the command line.

mod adjudication;
mod engine;
mod format;
mod pairs;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use adjudication::{DrawSettings, ResignSettings, tablebase_from_pairs};
pub use engine::EngineSettings;
pub use format::{Anchor, Shard, TournamentFormat};
pub use pairs::SettingsError;

use self::pairs::is_line;
use super::statistics::Sprt;
use crate::openings::{OpeningOrder, OpeningSettings, OpeningSource};
use vato_engine::rules::{Preset, Rules, parse_rules};

/// Plies after which a game is drawn under rules that may never end one.
const MOST_PLIES_WITHOUT_LIMIT: u32 = 1000;

/// A whole match. As TOML it is a table with the names of the command line's options; engines are
/// `[[engine]]` tables. Names of older versions are read, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct MatchSettings {
    /// The match's name in its record.
    pub event: String,
    /// The rules: in TOML a preset's name or a rules string.
    #[serde(serialize_with = "write_rules", deserialize_with = "read_rules")]
    pub rules: Rules,
    /// Who plays whom; `None`: [`TournamentFormat::Pairs`] with two engines, else a round robin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<TournamentFormat>,
    /// Number of games, two of which share an opening: all games of pairs (100 unless set), those of
    /// an encounter in other formats (2 unless set); riatra and vela have their own numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// How often the engines of a round robin, gauntlet, riatra or vela meet (1, in a vela 10, unless
    /// set), or how many rounds a Swiss tournament has (the logarithm of the number of engines unless
    /// set).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The most games of a round of the vela, which is drawn then (10 unless set).
    #[serde(alias = "round_games", skip_serializing_if = "Option::is_none")]
    pub round_games: Option<u32>,
    /// Pairs of games by which a level encounter of a knockout is extended at most (2 unless set).
    #[serde(alias = "extra_pairs", skip_serializing_if = "Option::is_none")]
    pub extra_pairs: Option<u32>,
    /// The engine that ratings are measured from; `None`: the first, at 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The part of the schedule that is played; `None`: all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Games at a time; `None`: as many as the processors allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// Whether engines are bound to processors.
    pub affinity: bool,
    /// A game that has lasted so many plies (those of the opening included) is drawn.
    #[serde(alias = "max_plies", skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// Seconds that an engine may take to start, and to prepare for a game.
    #[serde(alias = "start_timeout")]
    pub start_timeout: f64,
    /// Seconds that an engine may stay silent when it should answer at once, or beyond its time.
    #[serde(alias = "hang_timeout")]
    pub hang_timeout: f64,
    /// Seconds that a move may take where neither a clock nor a fixed time limits it.
    #[serde(alias = "move_timeout")]
    pub move_timeout: f64,
    /// The openings.
    #[serde(flatten, deserialize_with = "read_openings")]
    pub openings: OpeningSettings,
    /// When an engine is taken to resign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSettings>,
    /// When a game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawSettings>,
    /// A folder of tablebases: a game that reaches them is decided.
    #[serde(
        rename = "adjudicate",
        alias = "tablebase",
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_tablebase",
        deserialize_with = "read_tablebase"
    )]
    pub tablebase: Option<PathBuf>,
    /// A test that ends the match as soon as it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The engines, two at least.
    #[serde(rename = "engine", deserialize_with = "read_engines")]
    pub engines: Vec<EngineSettings>,
}

impl Default for MatchSettings {
    fn default() -> MatchSettings {
        MatchSettings {
            event: "Fanorona match".to_owned(),
            rules: Rules::STANDARD,
            format: None,
            games: None,
            rounds: None,
            round_games: None,
            extra_pairs: None,
            anchor: None,
            shard: None,
            concurrency: None,
            affinity: false,
            max_plies: None,
            start_timeout: 10.0,
            hang_timeout: 10.0,
            move_timeout: 600.0,
            openings: OpeningSettings::default(),
            resign: None,
            draw: None,
            tablebase: None,
            sprt: None,
            engines: Vec::new(),
        }
    }
}

impl MatchSettings {
    /// The most games at a time.
    pub const MOST_CONCURRENCY: usize = u16::MAX as usize;

    /// Validates what the types do not enforce.
    pub fn validate(&self) -> Result<(), SettingsError> {
        self.validate_format()?;
        for (index, engine) in self.engines.iter().enumerate() {
            let place = format_args!("engine {}", index + 1);
            engine.validate().map_err(|error| error.within(place))?;
        }
        if !is_line(&self.event) {
            return Err(SettingsError::value(
                "event",
                &self.event,
                "text of one line",
            ));
        }
        let most = MatchSettings::MOST_CONCURRENCY;
        let expected = format_args!("1 to {most}");
        SettingsError::unless(1..=most, "concurrency", self.concurrency, expected)?;
        for (key, value) in [
            ("start-timeout", self.start_timeout),
            ("hang-timeout", self.hang_timeout),
            ("move-timeout", self.move_timeout),
        ] {
            let expected = "seconds from 0.001 to 1000000";
            SettingsError::unless(0.001..=1e6, key, value, expected)?;
        }
        let resign = self.resign.map_or(Ok(()), |resign| resign.validate());
        resign.map_err(|error| error.within("resign"))?;
        let draw = self.draw.map_or(Ok(()), |draw| draw.validate());
        draw.map_err(|error| error.within("draw"))?;
        SettingsError::unless(1.., "max-plies", self.max_plies, "at least 1")?;
        let sprt = self.sprt.map_or(Ok(()), |sprt| sprt.validate());
        sprt.map_err(|error| error.within("sprt"))
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        let [start, hang, long_move] =
            [self.start_timeout, self.hang_timeout, self.move_timeout].map(Duration::from_secs_f64);
        Timeouts {
            start,
            hang,
            long_move,
        }
    }

    /// Processors that one game needs at a time: those of the engine with most threads, or of the two
    /// with most if one of them all thinks on the opponent's time.
    pub fn processors_of_a_game(&self) -> usize {
        let mut threads: Vec<usize> = self.engines.iter().map(EngineSettings::threads).collect();
        threads.sort_unstable_by(|one, other| other.cmp(one));
        let together = if self.engines.iter().any(EngineSettings::ponders) {
            2
        } else {
            1
        };
        let threads = threads.iter().take(together);
        threads
            .fold(0, |sum: usize, &more| sum.saturating_add(more))
            .max(1)
    }

    /// Games at a time: as set, else as many as `processors` hold, one at least.
    pub fn games_at_a_time(&self, processors: usize) -> usize {
        self.concurrency
            .unwrap_or_else(|| processors / self.processors_of_a_game().max(1))
            .max(1)
    }

    /// The rules as a person writes them: a preset's name, else a rules string.
    pub fn rules_text(&self) -> String {
        Preset::name_of(&self.rules)
    }

    /// Plies after which a game is drawn; `None` if the rules end every game.
    pub fn ply_cap(&self) -> Option<u32> {
        let endless = self.rules.limit == 0;
        self.max_plies
            .or_else(|| endless.then_some(MOST_PLIES_WITHOUT_LIMIT))
    }

    /// Takes spaces off the ends of the match's and the engines' names.
    pub(super) fn trim_names(&mut self) {
        let names = self.engines.iter_mut().flat_map(|engine| &mut engine.name);
        for name in names.chain([&mut self.event]) {
            *name = name.trim().to_owned();
        }
    }

    /// Makes the paths of engines and openings independent of the current folder, so that the match
    /// can go on from any other. Names that the system looks for stay names.
    pub(super) fn make_paths_absolute(&mut self) {
        self.engines
            .iter_mut()
            .for_each(EngineSettings::make_paths_absolute);
        self.tablebase.as_mut().map(make_absolute);
        if let Some(OpeningSource::File(path)) = &mut self.openings.source {
            make_absolute(path);
        }
    }
}

/// How long engines are waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeouts {
    /// For the start of a process, and for its preparation for a game.
    pub(crate) start: Duration,
    /// For an answer that is due.
    pub(crate) hang: Duration,
    /// For a move that no time limits.
    pub(crate) long_move: Duration,
}

impl FromStr for Sprt {
    type Err = SettingsError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`; the two differences have to be
    /// there, and may stand alone: `0,5`, `[0, 5]`.
    fn from_str(text: &str) -> Result<Sprt, SettingsError> {
        let bare = text.trim_matches(|c: char| "[](){}<> ".contains(c));
        let pairs = match bare.split_once(',') {
            Some((elo0, elo1)) if !bare.contains('=') => format!("elo0={elo0},elo1={elo1}"),
            _ => text.to_owned(),
        };
        pairs::from_pairs(pairs::pairs(&pairs)?)
    }
}

/// Without a current folder a relative path is as good as any.
fn make_absolute(path: &mut PathBuf) {
    if let Ok(absolute) = std::path::absolute(&*path) {
        *path = absolute;
    }
}

fn write_rules<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&Preset::name_of(rules))
}

/// The openings as the command line names them.
#[derive(Deserialize)]
struct OpeningKeys {
    openings: Option<OpeningsValue>,
    order: Option<OpeningOrder>,
    seed: Option<u64>,
    plies: Option<u32>,
    start: Option<u32>,
}

/// What stands under `openings`: the source, in older versions a table of everything.
#[derive(Deserialize)]
#[serde(untagged)]
enum OpeningsValue {
    Source(OpeningSource),
    Table(OpeningSettings),
}

fn read_openings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<OpeningSettings, D::Error> {
    let keys = OpeningKeys::deserialize(deserializer)?;
    let beside = (keys.order, keys.seed, keys.plies, keys.start);
    let source = match keys.openings {
        Some(OpeningsValue::Table(settings)) if beside == (None, None, None, None) => {
            return Ok(settings);
        }
        Some(OpeningsValue::Table(_)) => {
            let what = "order, seed, plies and start belong into the table [openings], or openings is no table";
            return Err(D::Error::custom(what));
        }
        Some(OpeningsValue::Source(source)) => Some(source),
        None => None,
    };
    Ok(OpeningSettings {
        source,
        order: keys.order.unwrap_or_default(),
        seed: keys.seed.unwrap_or_default(),
        plies: keys.plies,
        start: keys.start,
    })
}

fn read_engines<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<EngineSettings>, D::Error> {
    let engines = Vec::<EngineSettings>::deserialize(deserializer)?.into_iter();
    let engines = engines.map(EngineSettings::without_inf);
    engines.collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// As `tablebase=DIR` on the command line.
fn write_tablebase<S: Serializer>(
    folder: &Option<PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let table = folder.as_ref().map(|folder| [("tablebase", folder)]);
    table.map(BTreeMap::from).serialize(serializer)
}

/// As it is written, in older versions the folder alone.
fn read_tablebase<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, deny_unknown_fields)]
    enum Value {
        Table { tablebase: PathBuf },
        Folder(PathBuf),
    }

    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.map(|(Value::Table { tablebase: folder } | Value::Folder(folder))| folder))
}

fn read_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_rules(&text).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn settings() -> MatchSettings {
        let engine = |text: &str| text.parse::<EngineSettings>().expect(text);
        MatchSettings {
            rules: parse_rules("board=5x5 chain=full").expect("right"),
            sprt: Some("elo0=0,elo1=5".parse().expect("right")),
            resign: Some("score=6".parse().expect("right")),
            draw: Some("score=0.1".parse().expect("right")),
            tablebase: Some("tables".into()),
            engines: vec![
                engine("name=A,cmd=./a,tc=10+0.1,option.Hash=64"),
                engine("name=B,cmd=./b,st=0.5,option.Threads=2"),
            ],
            ..MatchSettings::default()
        }
    }

    #[test]
    fn settings_round_trip_through_toml_and_json() {
        let settings = settings();
        assert!(settings.validate().is_ok());
        let text = toml::to_string_pretty(&settings).expect("can be written");
        assert_eq!(toml::from_str::<MatchSettings>(&text), Ok(settings.clone()));
        let text = serde_json::to_string(&settings).expect("can be written");
        let back: MatchSettings = serde_json::from_str(&text).expect("can be read");
        assert_eq!(back, settings);
    }

    #[test]
    fn no_key_is_passed_over() {
        let read = |text: &str| toml::from_str::<MatchSettings>(text);
        for beside in [
            "order = \"sequential\"",
            "seed = 3",
            "plies = 2",
            "start = 2",
        ] {
            let error = read(&format!("{beside}\n[openings]\nsource = \"sharp\""));
            let error = error.expect_err(beside).to_string();
            assert!(
                error.contains("belong into the table [openings]"),
                "{error}"
            );
        }
        let error = read("[[engine]]\ncmd = \"a\"\ntc = \"inf\"").expect_err("no limit");
        assert!(error.to_string().contains("invalid tc 'inf'"), "{error}");
        let one = read("[[engine]]\ncmd = \"a\"\ntc = \"inf\"\nnodes = 3").expect("a limit");
        assert_eq!(one.engines[0].limit_text(), "nodes=3");
        let mut twice = settings();
        twice.engines[0]
            .options
            .insert("hash".to_owned(), "8".to_owned());
        let error = twice
            .validate()
            .expect_err("one of them counts")
            .to_string();
        assert_eq!(error, "engine 1: 'option.Hash' is given twice");
    }

    #[test]
    fn keys_are_those_of_the_command_line_and_older_ones_are_read() {
        let read = |text: &str| toml::from_str::<MatchSettings>(text).expect(text);
        let new = "openings = \"sharp\"\norder = \"random\"\nseed = 3\nstart = 2\nmax-plies = 9\n\
                   start-timeout = 4.0\nround-games = 6\nadjudicate.tablebase = \"t\"\n\
                   [resign]\nscore = 6.0\ntwo-sided = true\n[[engine]]\ncmd = \"a\"\noption.Hash = 8\n";
        let old = "max_plies = 9\nstart_timeout = 4.0\nround_games = 6\ntablebase = \"t\"\n\
                   [openings]\nsource = \"sharp\"\norder = \"random\"\nseed = 3\nstart = 2\n\
                   [resign]\nscore = 6.0\ntwo_sided = true\n[[engine]]\ncmd = \"a\"\n\
                   [engine.options]\nHash = 8\n";
        let settings = read(new);
        assert_eq!(settings, read(old));
        assert_eq!(settings.openings.seed, 3);
        assert_eq!(settings.tablebase.as_deref(), Some(Path::new("t")));
        let written = toml::to_string_pretty(&settings).expect("can be written");
        assert!(!written.contains('_'), "{written}");
        for wrong in [
            "openings = 3",
            "adjudicate.table = \"t\"",
            "orders = \"random\"",
        ] {
            assert!(toml::from_str::<MatchSettings>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |change: &dyn Fn(&mut MatchSettings)| {
            let mut settings = settings();
            change(&mut settings);
            settings.validate().expect_err("wrong").to_string()
        };
        assert_eq!(
            error(&|settings| settings.engines.truncate(1)),
            "invalid number of engines '1': expected 2 to 256"
        );
        assert_eq!(
            error(&|settings| settings.engines[1].cmd = None),
            "engine 2: 'cmd' is missing"
        );
        assert_eq!(
            error(&|settings| settings.games = Some(0)),
            "invalid games '0': expected at least 1"
        );
        assert!(
            error(&|settings| settings.resign.as_mut().expect("set").moves = 0).contains("resign")
        );
        assert!(
            error(&|settings| settings.draw.as_mut().expect("set").score = -1.0).contains("draw")
        );
        assert!(error(&|settings| settings.max_plies = Some(0)).contains("max-plies"));
        for event in ["", " ", "A\nB"] {
            let named = error(&|settings| settings.event = event.to_owned());
            assert!(named.starts_with("invalid event '"), "{named}");
        }
        for games in [0, 65_536] {
            assert_eq!(
                error(&|settings| settings.concurrency = Some(games)),
                format!("invalid concurrency '{games}': expected 1 to 65535")
            );
        }
        assert!(error(&|settings| settings.hang_timeout = f64::NAN).contains("hang-timeout"));
        assert!(
            error(&|settings| settings.sprt.as_mut().expect("set").elo0 = 9.0).contains("sprt")
        );
        let unknown = toml::from_str::<MatchSettings>("gamse = 3").expect_err("unknown key");
        assert!(unknown.to_string().contains("gamse"));
        let rules = toml::from_str::<MatchSettings>("rules = \"chess\"").expect_err("no rules");
        assert!(rules.to_string().contains("chess"));
    }

    #[test]
    fn paths_do_not_depend_on_the_folder() {
        let mut settings = settings();
        settings.engines[1].cmd = Some("found-by-name".into());
        settings.make_paths_absolute();
        let cmds: Vec<_> = settings
            .engines
            .iter()
            .flat_map(|engine| &engine.cmd)
            .collect();
        assert!(cmds[0].is_absolute() && cmds[0].ends_with("a"), "{cmds:?}");
        assert_eq!(cmds[1], Path::new("found-by-name"));
    }

    #[test]
    fn processors_are_counted() {
        let mut settings = settings();
        assert_eq!(settings.processors_of_a_game(), 2);
        assert_eq!(settings.games_at_a_time(7), 3);
        assert_eq!(settings.games_at_a_time(1), 1);
        settings.engines[0].ponder = Some(true);
        assert_eq!(settings.processors_of_a_game(), 3);
        settings.concurrency = Some(5);
        assert_eq!(settings.games_at_a_time(1), 5);
    }

    #[test]
    fn games_that_could_last_for_ever_are_cut() {
        let mut settings = settings();
        assert_eq!(settings.ply_cap(), None);
        settings.rules.limit = 0;
        assert_eq!(settings.ply_cap(), Some(MOST_PLIES_WITHOUT_LIMIT));
        settings.max_plies = Some(7);
        assert_eq!(settings.ply_cap(), Some(7));
    }
}

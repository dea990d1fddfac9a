//! The settings of a match: as types, as TOML, and as the pairs of the command line.

mod adjudication;
mod engine;
mod engines_file;
mod format;
mod pairs;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgAction, Args};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use adjudication::{DrawSettings, ResignSettings, TablebaseSettings};
pub use engine::EngineSettings;
pub use engines_file::{named_engine, read_engine};
pub use format::{Anchor, Shard, TournamentFormat};
pub(super) use pairs::split_unquoted;
pub use pairs::{SettingsError, from_pairs};

use super::statistics::Sprt;
use crate::openings::{OpeningSettings, OpeningSource};
use vato_engine::rules::{Preset, Rules, parse_rules};
use vato_engine::text::{number, time};

/// Plies after which a game is drawn under rules that may never end one.
const MOST_PLIES_WITHOUT_LIMIT: u32 = 1000;

/// A whole match: the options of the command line, and the keys of a TOML file, in which engines are `[[engine]]`
/// tables.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[command(next_help_heading = "Match")]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct MatchSettings {
    /// The match's name in its record [default: Fanorona match]
    #[arg(long, value_name = "NAME")]
    pub event: String,
    /// Rules: a preset's name or key=value pairs [default: tsivy]
    #[arg(long, value_name = "RULES", value_parser = |text: &str| parse_rules(text))]
    #[serde(serialize_with = "write_rules", deserialize_with = "read_rules")]
    pub rules: Rules,
    /// pairs, roundrobin, gauntlet, swiss, knockout, riatra or vela (see below) [default: pairs with two
    /// engines, else roundrobin]
    #[arg(long, value_name = "FORMAT", help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<TournamentFormat>,
    /// Number of games: of a match of pairs [default: 100; with --sprt 100000; without an engine 10];
    /// in roundrobin, gauntlet, swiss and knockout of each encounter, an even number [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..), help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// How often all encounters of a roundrobin, gauntlet, riatra (there it is sets) or vela are played
    /// [default: 1; vela 10]; rounds of a swiss [default: as many as a knockout would have; at most as many
    /// as there are opponents, with more than 16 engines half as many as there are engines]
    #[arg(long, visible_alias = "sets", value_name = "N", value_parser = number::<u32>(1..), help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The most games of a round of the vela; after them it is drawn [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..), help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_games: Option<u32>,
    /// The most pairs of games by which a level encounter of a knockout is extended; then the better
    /// seed advances [default: 2]
    #[arg(long, value_name = "N", value_parser = number::<u32>(..), help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_pairs: Option<u32>,
    /// The engine that the ratings of three or more engines are measured from [default: the first, 0]
    #[arg(long, value_name = "NAME=ELO", help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// Play one of COUNT parts of the schedule, for several machines; `vato match merge` joins them. Pairs
    /// of games, and of rounds of the vela, stay together
    #[arg(long, value_name = "NUMBER/COUNT", help_heading = "Tournament")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Games at a time [default: processors / threads that a game needs]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=MatchSettings::MOST_CONCURRENCY as u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// Bind the engines of each game to processors of their own (Linux)
    #[arg(long, action = ArgAction::Set, num_args = 0, default_missing_value = "true")]
    pub affinity: bool,
    /// The openings.
    #[command(flatten)]
    #[serde(flatten)]
    pub openings: OpeningSettings,
    /// Adjudicate a loss after `moves` own scores in a row of -`score` stones (1 is `cp 100`) or less:
    /// moves=3,score=6[,two-sided=true]
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Adjudication")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSettings>,
    /// End level games, from move `number` on, when both scores were within `score` of zero for `moves` moves in a
    /// row without a capture: number=30,moves=8,score=0.2[,two-sided=false]. They are drawn; under tie=count the side
    /// with more stones wins
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Adjudication")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawSettings>,
    /// End games that reach the tablebases in a folder: tablebase=DIR
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Adjudication")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjudicate: Option<TablebaseSettings>,
    /// End games after so many plies, as --draw does [default: 1000 under limit=0, else none]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..), help_heading = "Adjudication")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// End a match of two engines (pairs or riatra) when this is decided: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalized],
    /// or 0,5; the differences are normalised Elo, or Elo with model=logistic; skip-abandoned=true leaves out pairs in
    /// which an engine crashed, hung or did not start
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Match")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Seconds that an engine may take to start, and to get ready for a game [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    pub start_timeout: f64,
    /// Seconds that an engine may be silent beyond its time, or after isready [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    pub hang_timeout: f64,
    /// Seconds that a move may take where neither a clock nor a fixed time limits it [default: 600]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    pub move_timeout: f64,
    /// The engines, two at least.
    #[arg(skip)]
    #[serde(rename = "engine")]
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
            adjudicate: None,
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
        SettingsError::unless_line("event", &self.event)?;
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
        Timeouts {
            start: Duration::from_secs_f64(self.start_timeout),
            hang: Duration::from_secs_f64(self.hang_timeout),
            long_move: Duration::from_secs_f64(self.move_timeout),
        }
    }

    /// Processors that one game needs at a time: those of the engine with most threads, or of the two
    /// with most if one of them all thinks on the opponent's time.
    pub fn processors_of_a_game(&self) -> usize {
        let mut threads: Vec<usize> = self.engines.iter().map(EngineSettings::threads).collect();
        threads.sort_unstable_by(|one, other| other.cmp(one));
        let together = 1 + usize::from(self.engines.iter().any(EngineSettings::ponders));
        let threads = threads.into_iter().take(together);
        threads.fold(0, usize::saturating_add).max(1)
    }

    /// Games at a time: as set, else as many as `processors` hold, one at least.
    pub fn games_at_a_time(&self, processors: usize) -> usize {
        self.concurrency
            .unwrap_or_else(|| processors / self.processors_of_a_game().max(1))
            .max(1)
    }

    /// Plies after which a game ends; `None` if the rules end every game.
    pub fn ply_cap(&self) -> Option<u32> {
        let endless = self.rules.limit == 0;
        self.max_plies
            .or_else(|| endless.then_some(MOST_PLIES_WITHOUT_LIMIT))
    }

    /// Makes paths independent of the current folder, so that the match can go on from any other.
    pub(super) fn make_paths_absolute(&mut self) {
        self.engines
            .iter_mut()
            .for_each(EngineSettings::make_paths_absolute);
        if let Some(tables) = &mut self.adjudicate {
            make_absolute(&mut tables.tablebase);
        }
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

fn seconds(text: &str) -> Result<f64, String> {
    let expected = "expected seconds from 0.001 to 1000000, or a time such as 500ms or 2min";
    time(text, "s")
        .map(|time| time.as_secs_f64())
        .ok_or_else(|| expected.to_owned())
}

fn write_rules<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&Preset::name_of(rules))
}

fn read_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_rules(&text).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    impl MatchSettings {
        /// The settings of a match of this format for so many engines, for tests.
        pub(crate) fn of_format(
            format: impl Into<Option<TournamentFormat>>,
            engines: usize,
        ) -> Self {
            let mut settings = MatchSettings::default();
            settings.engines.resize(engines, EngineSettings::default());
            settings.format = format.into();
            settings
        }
    }

    fn settings() -> MatchSettings {
        let engine = |text: &str| text.parse::<EngineSettings>().expect(text);
        MatchSettings {
            rules: parse_rules("board=5x5 chain=full").expect("right"),
            sprt: Some("elo0=0,elo1=5".parse().expect("right")),
            resign: Some("score=6".parse().expect("right")),
            draw: Some("score=0.1".parse().expect("right")),
            adjudicate: Some("tablebase=tables".parse().expect("right")),
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
    fn keys_are_those_of_the_command_line() {
        let text = "openings = \"sharp\"\norder = \"random\"\nseed = 3\nstart = 2\nmax-plies = 9\n\
                   start-timeout = 4.0\nround-games = 6\nadjudicate.tablebase = \"t\"\n\
                   [resign]\nscore = 6.0\ntwo-sided = true\n[[engine]]\ncmd = \"a\"\noption.Hash = 8\n\
                   nodes = 3\n";
        let settings = toml::from_str::<MatchSettings>(text).expect(text);
        assert_eq!(settings.openings.seed, 3);
        assert_eq!(settings.adjudicate, "tablebase=t".parse().ok());
        assert_eq!(settings.engines[0].limit_text(), "nodes=3");
        let written = toml::to_string_pretty(&settings).expect("can be written");
        assert!(!written.contains('_'), "{written}");
        let wrong = "openings = 3\nmax_plies = 9\ntablebase = \"t\"\nopenings.source = \"sharp\"\n\
                     adjudicate.table = \"t\"\norders = \"random\"\ngamse = 3";
        for wrong in wrong.lines() {
            assert!(toml::from_str::<MatchSettings>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        type Change = fn(&mut MatchSettings);
        let wrong: [(&str, Change); 10] = [
            ("number of engines", |set| set.engines.truncate(1)),
            ("engine 2", |set| set.engines[1].cmd = None),
            ("games", |set| set.games = Some(0)),
            ("resign", |set| set.resign.as_mut().expect("set").moves = 0),
            ("draw", |set| set.draw.as_mut().expect("set").score = -1.0),
            ("max-plies", |set| set.max_plies = Some(0)),
            ("event", |set| set.event = "A\nB".to_owned()),
            ("concurrency", |set| set.concurrency = Some(0)),
            ("concurrency", |set| set.concurrency = Some(65_536)),
            ("hang-timeout", |set| set.hang_timeout = f64::NAN),
        ];
        for (named, change) in wrong {
            let mut settings = settings();
            change(&mut settings);
            let error = settings.validate().expect_err(named).to_string();
            assert!(error.contains(named), "{named}: {error}");
        }
    }

    #[test]
    fn paths_do_not_depend_on_the_folder() {
        let mut settings = settings();
        settings.engines[1].cmd = Some("found-by-name".into());
        settings.make_paths_absolute();
        let [path, name] = [0, 1].map(|engine| settings.engines[engine].cmd.clone().expect("set"));
        assert!(path.is_absolute() && path.ends_with("a"), "{path:?}");
        assert_eq!(name, Path::new("found-by-name"));
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

//! The arguments of fastchess and cutechess-cli, as the settings of a match.

use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Deserialize;
use vato_engine::rules::parse_rules;
use vato_engine::tablebase::Manifest;
use vato_tools::openings::{OpeningOrder, OpeningSettings, OpeningSource};
use vato_tools::tournament::settings::{
    EngineSettings, MatchSettings, TablebaseSettings, TournamentFormat,
};

use crate::cli::support::failure::Failure;

/// Games of a round, unless something else is said.
const GAMES: u32 = 2;

/// Games of a match that a sequential test is to end.
const TEST_GAMES: u32 = 100_000;

/// Flags that change nothing here, and are accepted: a fault of an engine never ends a match, openings always come in
/// pairs, and Vato's tables do not count stones that are not theirs.
const ACCEPTED: [&str; 14] = [
    "recover",
    "repeat",
    "testEnv",
    "debug",
    "wait",
    "tbpieces",
    "tbignore50",
    "crc32",
    "quiet",
    "show-latency",
    "force-concurrency",
    "autosaveinterval",
    "scoreinterval",
    "output",
];

/// The file that `conf=NAME` looks in.
const ENGINES: &str = "engines.json";

/// Variants of chess, which say nothing about the rules here.
const CHESS: [&str; 2] = ["standard", "fischerandom"];

/// The values of `-openings`.
const OPENINGS: &str =
    "expected file=, format=epd or pgn, order=sequential or random, plies=, start=, policy=";

/// The values of `-pgnout`.
const PGN_OUT: &str = "expected file=, and nodes=, seldepth=, append=, each true or false";

/// What else these runners have, and how `vato match` says it.
const ELSEWHERE: [(&str, &str); 9] = [
    ("config", "vato match --resume FILE"),
    ("resume", "vato match --resume FILE"),
    ("noswap", "every opening is played with both colours"),
    ("reverse", "every opening is played with both colours"),
    (
        "seeds",
        "vato match --format knockout: the order of the engines",
    ),
    ("epdout", "vato games export"),
    ("use-affinity", "vato match --affinity"),
    ("quick", "-engine cmd=A -engine cmd=B"),
    ("compliance", "vato suite"),
];

/// What a command line asks for.
#[derive(Debug, Default)]
pub struct Plan {
    pub settings: MatchSettings,
    pub pgn: Option<PgnOut>,
    /// The tag `Site` of the games.
    pub site: Option<String>,
    /// The begin of the logs' paths.
    pub log: Option<PathBuf>,
    /// After how many games figures are printed; 0 is at the end only.
    pub interval: u64,
}

/// The file of the games.
#[derive(Debug, Default)]
pub struct PgnOut {
    pub file: PathBuf,
    /// Whether comments tell the nodes of each move.
    pub nodes: bool,
    /// Whether comments tell the selective depth of each move.
    pub seldepth: bool,
    /// Whether games are added to a file that is there.
    pub append: bool,
}

/// An engine of `engines.json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KnownEngine {
    name: String,
    command: String,
    #[serde(default)]
    working_directory: String,
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    init_strings: Vec<String>,
    #[serde(default)]
    options: Vec<KnownOption>,
}

/// An option of such an engine.
#[derive(Debug, Deserialize)]
struct KnownOption {
    name: String,
    value: serde_json::Value,
}

impl Plan {
    /// The plan of these arguments.
    pub fn read(words: &[String]) -> Result<Plan, Failure> {
        let mut plan = Plan {
            interval: 10,
            ..Plan::default()
        };
        let mut each = EngineSettings::default();
        let (mut rounds, mut games, mut variant) = (None, None, None);
        let settings = &mut plan.settings;
        settings.concurrency = Some(1);
        for flag in flags(words)? {
            match flag.name {
                "engine" => settings.engines.push(flag.engine()?),
                "each" => each = flag.engine()?,
                "rounds" => rounds = Some(flag.number()?),
                "games" => games = Some(flag.number()?),
                "concurrency" => settings.concurrency = Some(flag.number()?),
                "openings" => settings.openings = flag.openings(settings.openings.seed)?,
                "srand" => settings.openings.seed = flag.number()?,
                "resign" => settings.resign = Some(flag.adjudication()?),
                "draw" => settings.draw = Some(flag.adjudication()?),
                "maxmoves" => {
                    let moves: u32 = flag.number()?;
                    // 0 is no limit.
                    settings.max_plies = (moves > 0).then(|| moves.saturating_mul(2));
                }
                "sprt" => settings.sprt = Some(flag.parse(&flag.values.join(","))?),
                "tournament" => settings.format = flag.tournament()?,
                "ratinginterval" => plan.interval = flag.number()?,
                "pgnout" => plan.pgn = Some(flag.pgn_out()?),
                "event" => settings.event = flag.values.join(" "),
                "site" => plan.site = Some(flag.values.join(" ")),
                "log" => plan.log = flag.log_file(),
                "variant" => variant = Some(flag),
                "tb" => settings.adjudicate = flag.tables()?,
                name if ACCEPTED.contains(&name) => {}
                _ => return Err(flag.unknown()),
            }
        }
        plan.complete(&each, rounds, games, variant)
    }

    /// Engines with what is said of all, lengths, rules.
    fn complete(
        mut self,
        each: &EngineSettings,
        rounds: Option<u32>,
        games: Option<u32>,
        variant: Option<Flag<'_>>,
    ) -> Result<Plan, Failure> {
        let settings = &mut self.settings;
        let mut rules = match variant {
            Some(flag) => match flag.values {
                [name] if CHESS.contains(&name.as_str()) => None,
                values => Some(parse_rules(&values.join(" ")).map_err(|error| flag.wrong(error))?),
            },
            None => None,
        };
        for engine in &mut settings.engines {
            *engine = std::mem::take(engine).or(each);
            for option in ["UCI_Variant", "Rules"] {
                let is_it = |name: &&String| name.eq_ignore_ascii_case(option);
                let Some(name) = engine.options.keys().find(is_it).cloned() else {
                    continue;
                };
                let said = engine.options.remove(&name).unwrap_or_default();
                let wrong = |error| Failure::Usage(format!("option.{name}={said}: {error}"));
                let of_engine = parse_rules(&said).map_err(|error| wrong(error.to_string()))?;
                if rules.is_some_and(|rules| rules != of_engine) {
                    return Err(wrong(
                        "all engines and -variant have to have the same rules".to_owned(),
                    ));
                }
                rules = Some(of_engine);
            }
        }
        settings.rules = rules.unwrap_or(settings.rules);
        let each = games.unwrap_or(GAMES);
        match settings.format() {
            TournamentFormat::Pairs => {
                let games = match (rounds, games) {
                    (None, None) if settings.sprt.is_some() => TEST_GAMES,
                    _ => rounds.unwrap_or(1).saturating_mul(each),
                };
                settings.games = Some(games);
            }
            _ => (settings.games, settings.rounds) = (Some(each), rounds),
        }
        Ok(self)
    }
}

/// A flag and its values.
#[derive(Clone, Copy)]
struct Flag<'a> {
    name: &'a str,
    values: &'a [String],
}

/// The flags of a command line: words that begin with a dash and a letter.
fn flags(words: &[String]) -> Result<Vec<Flag<'_>>, Failure> {
    let is_flag = |word: &String| {
        let name = word.trim_start_matches('-');
        word.starts_with('-') && name.starts_with(|first: char| first.is_ascii_alphabetic())
    };
    if let Some(word) = words.first().filter(|word| !is_flag(word)) {
        return Err(Failure::Usage(format!(
            "'{word}': expected a flag, such as -engine"
        )));
    }
    let starts: Vec<usize> = (0..words.len()).filter(|&at| is_flag(&words[at])).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let flag = |(start, end): (&usize, usize)| Flag {
        name: words[*start].trim_start_matches('-'),
        values: &words[start + 1..end],
    };
    Ok(starts.iter().zip(ends).map(flag).collect())
}

impl<'a> Flag<'a> {
    fn wrong(&self, what: impl Display) -> Failure {
        let values = self.values.join(" ");
        Failure::Usage(format!("-{} {values}: {what}", self.name))
    }

    /// What cannot be done here.
    fn unknown(&self) -> Failure {
        match ELSEWHERE.iter().find(|(name, _)| *name == self.name) {
            Some((_, instead)) => self.wrong(format_args!("not here; {instead}")),
            None => self.wrong("unknown flag; 'vato fastchess --help' lists those that there are"),
        }
    }

    fn parse<T: FromStr<Err: Display>>(&self, text: &str) -> Result<T, Failure> {
        text.parse().map_err(|error| self.wrong(error))
    }

    /// The only value, a whole number.
    fn number<N: FromStr>(&self) -> Result<N, Failure> {
        let number = match self.values {
            [value] => value.parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.wrong("expected a whole number"))
    }

    /// Values of the form `key=value`; a key alone is switched on.
    fn pairs(&self) -> Vec<(&'a str, &'a str)> {
        let pair = |value: &'a String| value.split_once('=').unwrap_or((value, "on"));
        self.values.iter().map(pair).collect()
    }

    /// Settings that `vato match` reads from `key=value,…`.
    fn settings<T: FromStr<Err: Display>>(&self, pairs: &[(String, String)]) -> Result<T, Failure> {
        let pairs = pairs
            .iter()
            .map(|(key, value)| format!("\"{key}={value}\""));
        self.parse(&pairs.collect::<Vec<_>>().join(","))
    }

    fn engine(&self) -> Result<EngineSettings, Failure> {
        let mut pairs = Vec::new();
        let mut known = None;
        for (key, value) in self.pairs() {
            match (key, value) {
                // Here no engine is trusted.
                ("trust", _) => {}
                ("conf", name) => known = Some(self.known_engine(name)?),
                ("restart", "auto") => pairs.push((key.to_owned(), "off".to_owned())),
                _ => pairs.push((key.to_owned(), value.to_owned())),
            }
        }
        let engine: EngineSettings = self.settings(&pairs)?;
        Ok(match known {
            Some(known) => engine.or(&known),
            None => engine,
        })
    }

    /// The engine of this name in the `engines.json` of the current folder.
    fn known_engine(&self, name: &str) -> Result<EngineSettings, Failure> {
        let wrong = |what: &dyn Display| self.wrong(format_args!("{ENGINES}: {what}"));
        let text = fs::read_to_string(ENGINES).map_err(|error| wrong(&error))?;
        let engines: Vec<KnownEngine> =
            serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        let engine = engines.into_iter().find(|engine| engine.name == name);
        let engine = engine.ok_or_else(|| wrong(&"no engine of this name"))?;
        let (cmd, args) = engine
            .command
            .split_once(' ')
            .unwrap_or((&engine.command, ""));
        let pairs = [
            ("name", &*engine.name),
            ("cmd", cmd),
            ("args", args),
            ("dir", &engine.working_directory),
            ("proto", &engine.protocol),
        ];
        let given = pairs.into_iter().filter(|(_, value)| !value.is_empty());
        let mut pairs: Vec<_> = given
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        for line in &engine.init_strings {
            let option = line.strip_prefix("setoption name ");
            let option = option.and_then(|option| option.split_once(" value "));
            let expected = "expected setoption name NAME value VALUE";
            let (name, value) = option.ok_or_else(|| wrong(&format!("'{line}': {expected}")))?;
            pairs.push((format!("option.{name}"), value.to_owned()));
        }
        for KnownOption { name, value } in engine.options {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            pairs.push((format!("option.{name}"), value));
        }
        self.settings(&pairs)
    }

    fn openings(&self, seed: u64) -> Result<OpeningSettings, Failure> {
        let mut openings = OpeningSettings {
            seed,
            ..OpeningSettings::default()
        };
        let mut is_pgn = false;
        for (key, value) in self.pairs() {
            match key {
                "file" => openings.source = Some(OpeningSource::File(value.into())),
                "format" if ["epd", "pgn"].contains(&value) => is_pgn = value == "pgn",
                "order" => {
                    let order = OpeningOrder::from_name(value);
                    let wrong = || self.wrong("expected order=sequential or order=random");
                    openings.order = order.ok_or_else(wrong)?;
                }
                "plies" => openings.plies = Some(self.parse(value)?),
                "start" => openings.start = Some(self.parse(value)?),
                "policy" if ["default", "encounter", "round"].contains(&value) => {}
                _ => return Err(self.wrong(format_args!("'{key}={value}': {OPENINGS}"))),
            }
        }
        match &openings.source {
            Some(OpeningSource::File(file))
                if is_pgn && file.extension() != Some("pgn".as_ref()) =>
            {
                Err(self.wrong("format=pgn: the name of the file has to end with .pgn"))
            }
            Some(_) => Ok(OpeningSettings {
                // A position has none.
                plies: openings.plies.filter(|_| is_pgn),
                ..openings
            }),
            None => Err(self.wrong("file= is missing")),
        }
    }

    fn adjudication<T: FromStr<Err: Display>>(&self) -> Result<T, Failure> {
        let mut pairs = Vec::new();
        for (key, value) in self.pairs() {
            let (key, value) = match key {
                "movecount" => ("moves", value.to_owned()),
                "movenumber" => ("number", value.to_owned()),
                "twosided" => ("two-sided", value.to_owned()),
                // Other runners count hundredths.
                "score" => ("score", (self.parse::<f64>(value)? / 100.0).to_string()),
                _ => return Err(self.wrong(format_args!("'{key}': expected movecount=, score=, movenumber= (of -draw), twosided= (of -resign)"))),
            };
            pairs.push((key.to_owned(), value));
        }
        self.settings(&pairs)
    }

    fn tournament(&self) -> Result<Option<TournamentFormat>, Failure> {
        match self.parse(&self.values.join(" "))? {
            // Of two engines: pairs.
            TournamentFormat::RoundRobin => Ok(None),
            TournamentFormat::Gauntlet => Ok(Some(TournamentFormat::Gauntlet)),
            _ => Err(self.wrong("expected roundrobin or gauntlet; others: vato match --format")),
        }
    }

    /// Vato's own tables. Where others are named the match goes without.
    fn tables(&self) -> Result<Option<TablebaseSettings>, Failure> {
        let [folder] = self.values else {
            return Err(self.wrong("expected a folder"));
        };
        let tablebase = PathBuf::from(folder);
        if !tablebase.join(Manifest::NAME).is_file() {
            log::warn!(
                "-tb {folder}: no tables of this program; games are not adjudicated by tables"
            );
            return Ok(None);
        }
        Ok(Some(TablebaseSettings { tablebase }))
    }

    /// The begin of the logs' paths: `-log file=F`.
    fn log_file(&self) -> Option<PathBuf> {
        let pairs = self.pairs();
        let file = pairs.iter().find(|(key, _)| *key == "file");
        file.map(|(_, file)| file.into())
    }

    fn pgn_out(&self) -> Result<PgnOut, Failure> {
        let mut out = PgnOut {
            append: true,
            ..PgnOut::default()
        };
        for value in self.values {
            let (key, value) = value.split_once('=').unwrap_or(("file", value));
            match (key, value) {
                ("file", _) => out.file = value.into(),
                ("nodes", "true" | "false") => out.nodes = value == "true",
                ("seldepth", "true" | "false") => out.seldepth = value == "true",
                ("append", "true" | "false") => out.append = value == "true",
                // More or less for each move.
                (
                    "nps" | "hashfull" | "tbhits" | "pv" | "timeleft" | "latency" | "match_line",
                    _,
                ) => {}
                _ => return Err(self.wrong(format_args!("'{key}={value}': {PGN_OUT}"))),
            }
        }
        match out.file.as_os_str().is_empty() {
            true => Err(self.wrong("the file is missing")),
            false => Ok(out),
        }
    }
}

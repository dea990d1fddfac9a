//! The arguments of fastchess and cutechess-cli, as the settings of a match.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::mem::take;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use vato_engine::protocol::Dialect;
use vato_engine::random::drawn_number;
use vato_engine::rules::parse_rules;
use vato_solver::files::canonical;
use vato_solver::tables::Manifest;
use vato_tools::openings::{OpeningOrder, OpeningSettings, OpeningSource, is_pgn};
use vato_tools::tournament::may_be_log;
use vato_tools::tournament::settings::{
    EngineSettings, MatchSettings, TablebaseSettings, TournamentFormat, from_pairs, named_engine,
};
use vato_tools::tournament::statistics::SprtModel;

use super::text::{Style, word};
use crate::cli::support::arguments::number;
use crate::cli::support::failure::Failure;

/// Flags that change no game: a fault of an engine never ends a match, openings always come in pairs, and Vato's tables
/// know the rules.
const ACCEPTED: &str = "autosaveinterval bookmode check-mate-pvs crc32 debug force-concurrency outcomeinterval quiet \
                        recover repeat resultformat scoreinterval show-latency strict tbignore50 tbpieces testEnv wait";

/// What else these runners have, and what there is instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("config resume", "vato match --resume goes on with a match"),
    ("noswap reverse", "all openings have both colours"),
    ("seeds tournament", "vato match --format has other formats"),
    ("epdout", "vato games find lists positions"),
    ("use-affinity", "say it without a list of processors"),
    ("quick", "say -engine cmd=A -engine cmd=B -each tc=10+0.1"),
    ("compliance engines", "docs/engine-authors.md"),
    ("startup-ms", "vato match --start-timeout SECONDS"),
    ("ucinewgame-ms ping-ms", "vato match --help"),
];

/// Values of `-variant` and of options that say nothing about the rules; beside `custom` there is a rules string.
const NO_RULES: [&str; 4] = ["", "standard", "fischerandom", "custom"];

/// The keys of flags; behind `=` what they are called here, or nothing where they mean nothing.
const ENGINE: &str = "cmd dir name args arg conf proto rules tc st nodes depth plies=depth timemargin ponder restart \
                      trust= stderr=";
const OPENINGS: &str = "file=openings format= order plies start policy=";
const RESIGN: &str = "movecount=moves score twosided=two-sided";
const DRAW: &str = "movenumber=number movecount=moves score";
const SPRT: &str = "elo0 elo1 alpha beta model";
const PGN: &str = "file nodes seldepth append min= fi= notation= nps= hashfull= tbhits= pv= timeleft= latency= \
                   match_line=";
const LOG: &str = "file level= append= compress= realtime= engine=";

/// What a command line asks for.
#[derive(Debug, Default)]
pub struct Plan {
    pub settings: MatchSettings,
    pub pgn: Option<PgnOut>,
    /// The tag `Site` of the games.
    pub site: Option<String>,
    /// The begin of the logs' paths.
    pub log: Option<PathBuf>,
    pub style: Style,
    /// Whether the figures are those of pairs of games; cutechess-cli has those of games.
    pub pairs: bool,
    /// After how many games, or pairs, figures are printed; 0: at the end only.
    pub interval: u64,
}

/// The file of the games.
#[derive(Debug, Deserialize)]
pub struct PgnOut {
    pub file: PathBuf,
    /// Whether comments tell the nodes of each move.
    #[serde(default)]
    pub nodes: bool,
    /// Whether comments tell the selective depth of each move.
    #[serde(default)]
    pub seldepth: bool,
    /// Whether games are added to a file that is there; true by default.
    pub append: Option<bool>,
}

impl Plan {
    /// The plan of these arguments.
    pub fn read(words: &[String]) -> Result<Plan, Failure> {
        let mut plan = Plan {
            pairs: true,
            ..Plan::default()
        };
        let mut each = EngineSettings::default();
        let (mut rounds, mut games, mut interval) = (None, None, None);
        let (mut variant, mut has_model) = (String::new(), false);
        let settings = &mut plan.settings;
        settings.concurrency = Some(1);
        // A tuner plays many short matches, and says no seed.
        settings.openings.seed = drawn_number() >> 32;
        // Flags begin with a dash and a letter.
        let is_flag = |word: &str| {
            let name = word.trim_start_matches('-');
            word != name && name.starts_with(|first: char| first.is_ascii_alphabetic())
        };
        for flag in words.chunk_by(|_, next| !is_flag(next)).map(Flag) {
            match flag.name() {
                "engine" => settings.engines.push(flag.engine()?),
                "each" => each = flag.engine()?.or(&each),
                "rounds" => rounds = Some(flag.one(number(1..))?),
                "games" => games = Some(flag.one(number(1..))?),
                "concurrency" => settings.concurrency = Some(flag.one(number(1..))?),
                "openings" => {
                    let seed = settings.openings.seed;
                    settings.openings = flag.openings()?;
                    settings.openings.seed = seed;
                }
                "srand" => settings.openings.seed = flag.one(number(..))?,
                "resign" => settings.resign = Some(flag.settings(RESIGN)?),
                "draw" => settings.draw = Some(flag.settings(DRAW)?),
                "sprt" => {
                    settings.sprt = Some(flag.settings(SPRT)?);
                    has_model = flag.value("model").is_some();
                }
                // 0 is no limit.
                "maxmoves" => {
                    let moves: u32 = flag.one(number(..))?;
                    settings.max_plies = (moves > 0).then(|| moves.saturating_mul(2));
                }
                "tournament" => match flag.one(str::parse)? {
                    // Their lengths are no numbers of games.
                    TournamentFormat::Riatra | TournamentFormat::Vela => return Err(flag.unknown()),
                    format => settings.format = Some(format),
                },
                "use-affinity" if flag.values().is_empty() => settings.affinity = true,
                "ratinginterval" => interval = Some(flag.one(number(..))?),
                "report" => match flag.value("penta") {
                    None | Some("true") => plan.pairs = true,
                    Some("false") => plan.pairs = false,
                    _ => return Err(flag.wrong("expected penta=true or penta=false")),
                },
                "output" => match flag.value("format") {
                    Some("fastchess") => plan.style = Style::Fastchess,
                    Some("cutechess") => plan.style = Style::Cutechess,
                    _ => return Err(flag.wrong("expected format=fastchess or format=cutechess")),
                },
                "pgnout" => plan.pgn = Some(flag.pgn_out()?),
                "event" => settings.event = flag.values().join(" "),
                "site" => plan.site = Some(flag.values().join(" ")),
                "log" => plan.log = flag.pairs(LOG)?.pop().map(|(_, file)| file.into()),
                "variant" => variant = flag.one(str::parse)?,
                "tb" => settings.adjudicate = flag.tables()?,
                // Where it is to be kept, not where to go on.
                "config"
                    if flag.value("file").is_none() || flag.value("discard") == Some("true") => {}
                name if ACCEPTED.split(' ').any(|accepted| accepted == name) => {}
                _ => return Err(flag.unknown()),
            }
        }
        let (own_games, own_rounds, own_interval) = match plan.style {
            Style::Fastchess => (2, 2, 10),
            Style::Cutechess => (1, 1, 0),
        };
        let games: u32 = games.unwrap_or(own_games);
        if let (Some(sprt), Style::Cutechess, false) = (&mut settings.sprt, plan.style, has_model) {
            sprt.model = SprtModel::Logistic;
        }
        plan.pairs &= games > 1 && plan.style == Style::Fastchess;
        plan.interval = interval.unwrap_or(own_interval);
        if settings.openings.order == OpeningOrder::Sequential {
            // Nothing follows from it.
            settings.openings.seed = 0;
        }
        // They know no other protocol.
        each.proto = each.proto.or(Some(Dialect::Uci));
        for (engine, number) in settings.engines.iter_mut().zip(1..) {
            *engine = take(engine).or(&each);
            // As it is printed: the match tells names apart.
            engine.name = engine.name.as_deref().map(word);
            if !engine.has_limit() {
                let what = format!("engine {number}: expected tc=, st=, nodes= or depth=");
                return Err(Failure::Usage(what));
            }
        }
        let (format, is_pair) = (settings.format(), settings.engines.len() <= 2);
        let own_rounds = settings.sprt.map_or(own_rounds, |_| 50_000);
        (settings.games, settings.rounds) = match (format, rounds.unwrap_or(own_rounds)) {
            (TournamentFormat::Swiss, _) => (Some(games), rounds),
            // An opening is played twice in a round: of an odd number of games all rounds are one.
            (_, all) if is_pair || games % 2 == 1 || format == TournamentFormat::Knockout => {
                (Some(games.saturating_mul(all)), None)
            }
            (_, all) => (Some(games), Some(all)),
        };
        if is_pair && !matches!(format, TournamentFormat::Knockout | TournamentFormat::Swiss) {
            settings.format = None;
        }
        set_rules(settings, variant)?;
        if let (Some(OpeningSource::File(book)), Some(out)) = (&settings.openings.source, &plan.pgn)
            && canonical(book) == canonical(&out.file)
        {
            let what = "-pgnout: expected another file than that of the openings";
            return Err(Failure::Usage(what.to_owned()));
        }
        if let (Some(log), Some(out)) = (&plan.log, &plan.pgn)
            && may_be_log(log, &out.file)
        {
            let what = "-pgnout: expected another file than the logs of -log";
            return Err(Failure::Usage(what.to_owned()));
        }
        Ok(plan)
    }
}

/// Sets the rules that `-variant` and the options of engines name.
fn set_rules(settings: &mut MatchSettings, variant: String) -> Result<(), Failure> {
    let mut said = vec![("-variant".to_owned(), variant)];
    let told = |engine: &&mut EngineSettings| !engine.has_own_rules();
    for engine in settings.engines.iter_mut().filter(told) {
        let options = take(&mut engine.options).into_iter();
        let names_rules = |(name, _): &(String, String)| {
            name.eq_ignore_ascii_case("UCI_Variant") || name.eq_ignore_ascii_case("Rules")
        };
        let (rules, others) = options.partition::<BTreeMap<_, _>, _>(names_rules);
        // The match tells engines its rules.
        engine.options = others;
        said.extend(rules);
    }
    said.retain(|(_, text)| !NO_RULES.contains(&text.as_str()));
    let mut known = None;
    for (name, text) in said {
        let wrong = |error| Failure::Usage(format!("{name} {text}: {error}"));
        let rules = parse_rules(&text).map_err(|error| wrong(error.to_string()))?;
        if *known.get_or_insert(rules) != rules {
            let what = "-variant and all engines have to name the same rules";
            return Err(wrong(what.to_owned()));
        }
    }
    settings.rules = known.unwrap_or(settings.rules);
    Ok(())
}

struct Flag<'a>(&'a [String]);

impl Flag<'_> {
    fn name(&self) -> &str {
        let word = self.0.first();
        word.map_or("", |word| word.trim_start_matches('-'))
    }

    fn values(&self) -> &[String] {
        self.0.get(1..).unwrap_or_default()
    }

    fn wrong(&self, what: impl Display) -> Failure {
        Failure::Usage(format!("{}: {what}", self.0.join(" ")))
    }

    /// What cannot be done here.
    fn unknown(&self) -> Failure {
        let name = self.name();
        let is_it = |(names, _): &&(&str, &str)| names.split(' ').any(|known| known == name);
        match ELSEWHERE.iter().find(is_it) {
            Some((_, instead)) => self.wrong(format_args!("not here; {instead}")),
            None => self.wrong("unknown flag; vato fastchess --help lists those that there are"),
        }
    }

    /// The only value.
    fn one<T, E: Display>(&self, read: impl Fn(&str) -> Result<T, E>) -> Result<T, Failure> {
        match self.values() {
            [value] => read(value).map_err(|error| self.wrong(error)),
            _ => Err(self.wrong("expected one value")),
        }
    }

    fn value(&self, key: &str) -> Option<&str> {
        let mut pairs = self.0.iter().filter_map(|value| value.split_once('='));
        pairs.find_map(|(own, value)| (own == key).then_some(value))
    }

    /// Values of the form `key=value`, those of `known` keys or options; a key alone is switched on.
    fn pairs(&self, known: &str) -> Result<Vec<(String, String)>, Failure> {
        let names = known.split(' ');
        let names = names.map(|name| name.split_once('=').unwrap_or((name, name)));
        let mut pairs = Vec::new();
        for value in self.values() {
            let (key, value) = value.split_once('=').unwrap_or((value, "on"));
            let own = match names.clone().find(|(theirs, _)| *theirs == key) {
                Some((_, "")) => continue,
                Some(_) if value.is_empty() && key != "args" => {
                    return Err(self.wrong(format_args!("'{key}' is empty")));
                }
                Some((_, own)) => own,
                None if known == ENGINE && key.starts_with("option.") => key,
                None => {
                    let expected: Vec<_> = names.map(|(theirs, _)| theirs).collect();
                    let expected = expected.join(", ");
                    return Err(self.wrong(format_args!("'{key}': expected one of {expected}")));
                }
            };
            let value = match value.parse::<f64>() {
                // Of a stone there are hundredths, as of a pawn.
                Ok(score) if own == "score" => (score / 100.0).to_string(),
                _ => value.to_owned(),
            };
            pairs.push((own.to_owned(), value));
        }
        Ok(pairs)
    }

    fn settings<T: DeserializeOwned>(&self, known: &str) -> Result<T, Failure> {
        from_pairs(self.pairs(known)?).map_err(|error| self.wrong(error))
    }

    fn engine(&self) -> Result<EngineSettings, Failure> {
        let (mut pairs, mut more) = (Vec::new(), Vec::new());
        let mut known = EngineSettings::default();
        for (key, value) in self.pairs(ENGINE)? {
            match (&*key, &*value) {
                ("conf", name) => known = named_engine(name).map_err(|error| self.wrong(error))?,
                ("arg", _) => more.push(value),
                ("restart", "auto") => {}
                _ => pairs.push((key, value)),
            }
        }
        let engine = EngineSettings::from_pairs(pairs);
        let mut engine = engine.map_err(|error| self.wrong(error))?;
        engine.args.append(&mut more);
        Ok(engine.or(&known))
    }

    fn openings(&self) -> Result<OpeningSettings, Failure> {
        let mut openings: OpeningSettings = self.settings(OPENINGS)?;
        let format = match &openings.source {
            None => return Err(self.wrong("'file' is missing")),
            Some(OpeningSource::File(file)) if is_pgn(file) => "pgn",
            Some(_) => "epd",
        };
        if self.value("format").is_some_and(|said| said != format) {
            return Err(self.wrong("games are in files NAME.pgn, positions in others"));
        }
        if self.value("order").is_none() {
            openings.order = OpeningOrder::Sequential;
        }
        // A position has none, and games are taken whole.
        openings.plies = (format == "pgn").then(|| openings.plies.unwrap_or(u32::MAX));
        Ok(openings)
    }

    /// Vato's own tables. Where others are named the match goes without.
    fn tables(&self) -> Result<Option<TablebaseSettings>, Failure> {
        let tablebase: PathBuf = self.one(str::parse)?;
        let is_there = tablebase.join(Manifest::NAME).is_file();
        if !is_there {
            let flag = self.0.join(" ");
            log::warn!("{flag}: no tables of this program; no game ends by them");
        }
        Ok(is_there.then_some(TablebaseSettings { tablebase }))
    }

    /// The file of the games, which stands first where it has no key.
    fn pgn_out(&self) -> Result<PgnOut, Failure> {
        let mut words = self.0.to_vec();
        if let Some(file) = words.get_mut(1).filter(|word| !word.contains('=')) {
            file.insert_str(0, "file=");
        }
        Flag(&words).settings(PGN)
    }
}

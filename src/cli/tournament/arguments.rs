//! The arguments of `vato match`, and the settings that they make.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, Subcommand};
use humantime::format_rfc3339_seconds;
use vato_engine::rules::{Rules, parse_rules};
use vato_tools::openings::{OpeningOrder, OpeningSource};
use vato_tools::tournament::ResumeChanges;
use vato_tools::tournament::settings::{
    Anchor, DrawSettings, EngineSettings, MatchSettings, ResignSettings, TournamentFormat,
    tablebase_from_pairs,
};
use vato_tools::tournament::statistics::Sprt;

use super::super::failure::{Failure, this_program};
use super::help;
use super::tournament_arguments::{NAMES, TournamentArguments};
use crate::cli::arguments::{named_file, number, read_config, set, stem, time};

/// Games of a match in which no engine is named.
const DEMONSTRATION_GAMES: u32 = 10;

/// Games of a match that a sequential test is to end.
const TEST_GAMES: u32 = 100_000;

/// The clock of a match in which no engine is named.
const DEMONSTRATION_CLOCK: &str = "tc=0.5+0.005";

/// The clock where nothing else is said.
const DEFAULT_CLOCK: &str = "tc=10+0.1";

/// Play engine against engine, refereed and measured
///
/// Drives two or more UGI or UCI engines, referees the games, and plays every opening twice with
/// colours swapped. A fault of an engine (crash, hang, illegal move, late or unreadable answer) loses
/// the game; the match goes on. Every finished game is on disk at once; --resume continues a match that
/// was stopped or killed. Without an engine this program plays itself.
#[derive(Args, Debug)]
#[command(after_long_help = help::AFTER, args_conflicts_with_subcommands = true, args = help::others())]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<MatchCommand>,

    /// An engine, two or more; a single one plays against this program
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Engines")]
    engine: Vec<EngineSettings>,

    /// Settings of all engines; --engine overrides them
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Engines")]
    each: Option<EngineSettings>,

    /// Take the match from a TOML file, such as the one that every match writes. Other options override
    /// it, --engine replaces all of its engines
    #[arg(long, value_name = "FILE", help_heading = "Match")]
    config: Option<PathBuf>,

    /// Go on with a match: its .jsonl file, or its name. Of its settings --concurrency, a larger number of --games (in
    /// pairs) and a larger --each timemargin may be given
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Match",
        conflicts_with_all = [
            "engine", "config", "rules", "openings", "order", "seed", "plies", "start", "affinity",
            "event", "resign", "draw", "adjudicate", "max_plies", "sprt", "start_timeout", "hang_timeout",
            "move_timeout", "out",
        ],
        conflicts_with_all = NAMES,
    )]
    pub resume: Option<PathBuf>,

    /// Rules: a preset's name or key=value pairs [default: tsivy]
    #[arg(long, value_name = "RULES", value_parser = |text: &str| parse_rules(text), help_heading = "Match")]
    rules: Option<Rules>,

    /// Games at a time [default: processors / threads that a game needs]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..), help_heading = "Match")]
    concurrency: Option<u16>,

    /// Bind the engines of each game to processors of their own (Linux)
    #[arg(long, help_heading = "Match")]
    affinity: bool,

    /// The match's name in its record [default: Fanorona match]
    #[arg(long, value_name = "NAME", help_heading = "Match")]
    event: Option<String>,

    #[command(flatten)]
    tournament: TournamentArguments,

    /// start, riatra, balanced, sharp, random, or a file of FENs or (.pgn) of games [default:
    /// balanced; random where moves are not those of tsivy]
    #[arg(long, value_name = "SUITE", help_heading = "Openings")]
    openings: Option<OpeningSource>,

    /// Order of the openings: sequential (as in the book) or random [default: sequential]
    #[arg(long, value_name = "ORDER", value_parser = order, help_heading = "Openings")]
    order: Option<OpeningOrder>,

    /// Seed of the random order and of random openings [default: 0]
    #[arg(long, value_name = "N", help_heading = "Openings", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    /// Plies of a game in a file, or of a random opening, that are played [default: 8]
    #[arg(long, value_name = "N", help_heading = "Openings", value_parser = number::<u32>(..))]
    plies: Option<u32>,

    /// The first opening to take, from 1 [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..), help_heading = "Openings")]
    start: Option<u32>,

    /// Adjudicate a loss after `moves` own scores in a row of -`score` stones (1 is `cp 100`) or less:
    /// moves=3,score=6[,two-sided=true]
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Adjudication")]
    resign: Option<ResignSettings>,

    /// End games as drawn, from move `number` on, when both scores were within `score` of zero
    /// for `moves` moves in a row without a capture: number=30,moves=8,score=0.2[,two-sided=false]
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Adjudication")]
    draw: Option<DrawSettings>,

    /// End games that reach the tablebases in a folder: tablebase=DIR
    #[arg(long, value_name = "KEY=VALUE", value_parser = tablebase_from_pairs, help_heading = "Adjudication")]
    adjudicate: Option<PathBuf>,

    /// End games after so many plies [default: 1000 under limit=0, else none]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..), help_heading = "Adjudication")]
    max_plies: Option<u32>,

    /// End a match of two engines (pairs or riatra) when this is decided: elo0=0,elo1=5[,alpha=0.05,beta=0.05,model=normalized],
    /// or 0,5; the differences are normalised Elo, or Elo with model=logistic
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Match")]
    sprt: Option<Sprt>,

    /// Seconds that an engine may take to start, and to get ready for a game [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    start_timeout: Option<f64>,

    /// Seconds that an engine may be silent beyond its time, or after isready [default: 10]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    hang_timeout: Option<f64>,

    /// Seconds that a move may take where neither a clock nor a fixed time limits it [default: 600]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Timeouts")]
    move_timeout: Option<f64>,

    /// Name of the record: NAME.toml, NAME.jsonl, NAME.pgn [default: match-DATE-TIME-PROCESS]
    #[arg(long, value_name = "NAME", help_heading = "Output", value_parser = PathBufValueParser::new().try_map(stem))]
    out: Option<PathBuf>,

    /// New file for a report of the match as a web page; of a finished match: with --resume, or by merge
    #[arg(long, value_name = "FILE", help_heading = "Output", value_parser = PathBufValueParser::new().try_map(named_file))]
    pub html: Option<PathBuf>,

    /// Log the communication with each engine to PREFIX-ENGINE.log
    #[arg(long, value_name = "PREFIX", help_heading = "Output")]
    pub log: Option<PathBuf>,

    /// Only the final result
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,

    /// The standings on standard error after every N games
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = number::<u64>(1..))]
    pub standings: Option<u64>,

    /// The standings of --standings in this file instead, which is replaced each time
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Output",
        requires = "standings"
    )]
    pub standings_file: Option<PathBuf>,

    #[command(flatten)]
    pub result: ResultArguments,
}

/// What is printed of the result.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct ResultArguments {
    /// The result as one JSON object
    #[arg(long)]
    pub json: bool,

    /// The standings as CSV, a row for each engine; with --superiority or --by-opening that table
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Also a table of how likely each engine is to be stronger than each other
    #[arg(long)]
    pub superiority: bool,

    /// Of two engines: also a table of all openings, the worst for the first engine first
    #[arg(long)]
    pub by_opening: bool,
}

impl ResultArguments {
    /// Refuses tables that this match does not have, and several where one is printed.
    pub fn check(&self, settings: &MatchSettings) -> Result<(), Failure> {
        let is_vela = settings.format() == TournamentFormat::Vela;
        let what = match self.by_opening {
            true if self.csv && self.superiority => {
                "--csv prints one table: --superiority or --by-opening, not both"
            }
            true if is_vela || settings.engines.len() != 2 => {
                "--by-opening tells games of two engines, not those of more, nor rounds of a vela"
            }
            _ => return Ok(()),
        };
        Err(Failure::Usage(what.to_owned()))
    }
}

/// Other actions on matches.
#[derive(Debug, Subcommand)]
pub enum MatchCommand {
    Merge(MergeArguments),
}

/// Join parts of a match that were played by --shard, and print the whole result
///
/// Parts have to be of the same match: the same engines, limits, rules, openings and format. Only the
/// folders of programs and files, and the number of games at a time, may differ. If games are missing the
/// result says which, and the exit code is 3; with --out, `vato match --resume` plays them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato match merge part-1.jsonl part-2.jsonl
  vato match merge part-*.jsonl --out whole
  vato match merge demo.jsonl --html report.html

Exit codes: 0 the match is whole, 1 failed, 2 wrong usage, 3 games are missing")]
pub struct MergeArguments {
    /// The .jsonl files of the parts
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Also write the whole as the record of one match: NAME.toml, NAME.jsonl, NAME.pgn
    #[arg(long, value_name = "NAME", value_parser = PathBufValueParser::new().try_map(stem))]
    pub out: Option<PathBuf>,

    /// New file for a report of the match as a web page
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(named_file))]
    pub html: Option<PathBuf>,

    /// The engine that the ratings of three or more engines are measured from
    #[arg(long, value_name = "NAME=ELO")]
    pub anchor: Option<Anchor>,

    #[command(flatten)]
    pub result: ResultArguments,
}

fn order(text: &str) -> Result<OpeningOrder, String> {
    OpeningOrder::ALL
        .into_iter()
        .find(|order| order.name() == text)
        .ok_or_else(|| "expected sequential or random".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let expected = "expected seconds from 0.001 to 1000000, or a time such as 500ms or 2min";
    time(text, "s")
        .map(|time| time.as_secs_f64())
        .ok_or_else(|| expected.to_owned())
}

impl Arguments {
    /// Games at a time, if given.
    fn concurrency(&self) -> Option<usize> {
        self.concurrency.map(usize::from)
    }

    /// What is changed in a match that goes on.
    pub fn changes(&self) -> Result<ResumeChanges, Failure> {
        let each = self.each.clone().unwrap_or_default();
        let margin = EngineSettings {
            timemargin: each.timemargin,
            ..EngineSettings::default()
        };
        if each != margin {
            let what = "--each may only say timemargin where a match goes on";
            return Err(Failure::Usage(what.to_owned()));
        }
        Ok(ResumeChanges {
            concurrency: self.concurrency(),
            games: self.tournament.games,
            timemargin: each.timemargin,
        })
    }

    /// The settings of a new match.
    pub fn settings(&self) -> Result<MatchSettings, Failure> {
        let mut settings = read_config(self.config.as_deref())?;
        let demonstration = self.set_engines(&mut settings)?;
        set(&mut settings.rules, self.rules);
        self.tournament.apply(&mut settings);
        set(&mut settings.event, self.event.clone());
        set(&mut settings.start_timeout, self.start_timeout);
        set(&mut settings.hang_timeout, self.hang_timeout);
        set(&mut settings.move_timeout, self.move_timeout);
        set(&mut settings.openings.order, self.order);
        set(&mut settings.openings.seed, self.seed);
        settings.affinity |= self.affinity;
        set(&mut settings.concurrency, self.concurrency().map(Some));
        let source = self.openings.clone().map(Some);
        set(&mut settings.openings.source, source);
        set(&mut settings.openings.plies, self.plies.map(Some));
        set(&mut settings.openings.start, self.start.map(Some));
        set(&mut settings.resign, self.resign.map(Some));
        set(&mut settings.draw, self.draw.map(Some));
        set(&mut settings.tablebase, self.adjudicate.clone().map(Some));
        set(&mut settings.max_plies, self.max_plies.map(Some));
        set(&mut settings.sprt, self.sprt.map(Some));
        default_length(&mut settings, demonstration);
        if let Some(draw) = settings.draw.filter(|draw| draw.score >= 5.0) {
            // Other runners count hundredths.
            log::warn!("draw: score={0} is {0} stones, not hundredths", draw.score);
        }
        Ok(settings)
    }

    /// Sets the engines; true if none is named.
    fn set_engines(&self, settings: &mut MatchSettings) -> Result<bool, Failure> {
        let mut each = self.each.clone().unwrap_or_default();
        each.shared = each.options.keys().cloned().collect();
        if self.engine.is_empty() {
            // The command line overrides the file.
            for engine in &mut settings.engines {
                *engine = each.clone().or(engine);
            }
        } else {
            settings.engines = self
                .engine
                .iter()
                .map(|engine| engine.clone().or(&each))
                .collect();
        }
        let named = settings.engines.len();
        let clock = if named == 0 {
            DEMONSTRATION_CLOCK
        } else {
            DEFAULT_CLOCK
        };
        for _ in named..2 {
            let this_program = EngineSettings {
                cmd: Some(this_program()?),
                ..EngineSettings::default()
            };
            settings.engines.push(each.clone().or(&this_program));
        }
        let clock = clock.parse::<EngineSettings>()?;
        for engine in &mut settings.engines {
            if !engine.has_limit() {
                engine.tc = clock.tc;
            }
        }
        Ok(named == 0)
    }

    /// Path of the record, without extension: as given, else with the date and time.
    pub fn record_name(&self) -> PathBuf {
        if let Some(name) = &self.out {
            return name.clone();
        }
        let now = format_rfc3339_seconds(SystemTime::now()).to_string();
        let digits = now.replace(['-', ':', 'Z'], "").replace('T', "-");
        // With the process, so that matches that begin in the same second differ.
        PathBuf::from(format!("match-{digits}-{}", std::process::id()))
    }
}

/// The length of a match of two engines, where it is not given and not the default of the format.
fn default_length(settings: &mut MatchSettings, demonstration: bool) {
    let length = match (settings.sprt.is_some(), demonstration) {
        (true, _) => TEST_GAMES,
        (false, true) => DEMONSTRATION_GAMES,
        (false, false) => return,
    };
    match settings.format() {
        TournamentFormat::Pairs => settings.games = settings.games.or(Some(length)),
        TournamentFormat::Riatra => settings.rounds = settings.rounds.or(Some(length / 10)),
        _ => {}
    }
}

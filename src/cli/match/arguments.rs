//! The arguments of `vato match`, and the settings that they make.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, Subcommand};
use vato_engine::text::timestamp;
use vato_solver::files::{canonical, folder_of};
use vato_tools::tournament::ResumeChanges;
use vato_tools::tournament::settings::{
    Anchor, EngineSettings, MatchSettings, TournamentFormat, read_engine,
};

use super::super::support::failure::{Failure, this_program};
use super::help;
use crate::cli::support::arguments::{Given, named_file, number, stem};
use crate::cli::support::present::FormatArguments;

/// Play engine against engine, refereed and measured
///
/// Drives two or more UGI or UCI engines, referees the games, and plays every opening twice with
/// colours swapped. A fault of an engine (crash, hang, illegal move, late or unreadable answer) loses
/// the game; the match continues. Every finished game is on disk at once; --resume continues a match that
/// was stopped or killed. Without an engine this program plays itself.
#[derive(Args, Debug)]
#[command(after_long_help = help::AFTER, args_conflicts_with_subcommands = true, args = help::others())]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<MatchCommand>,

    /// An engine, or its name in a file; give two or more. A single one plays against this program
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Engines", value_parser = read_engine)]
    engine: Vec<EngineSettings>,

    /// Settings of all engines; --engine overrides them
    #[arg(long, value_name = "KEY=VALUE,…", help_heading = "Engines")]
    each: Option<EngineSettings>,

    /// Read the settings from a TOML file, such as the one that every match writes. Other options override
    /// it; --engine replaces all of its engines
    #[arg(long, value_name = "FILE", help_heading = "Match")]
    config: Option<PathBuf>,

    /// Continue a match: its .jsonl file, or its name. Only --concurrency, a larger number of --games (in pairs) and a
    /// larger --each timemargin may be changed
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Match",
        conflicts_with_all = [
            "engine", "config", "rules", "openings", "order", "seed", "plies", "start", "affinity",
            "event", "resign", "draw", "adjudicate", "max_plies", "sprt", "start_timeout", "hang_timeout",
            "move_timeout", "out", "format", "rounds", "round_games", "extra_pairs", "anchor", "shard", "together",
        ],
    )]
    pub resume: Option<PathBuf>,

    #[command(flatten)]
    settings: Given<MatchSettings>,

    /// Play a part (--shard) of a sequential test (--sprt) together with other machines: the folder of all records,
    /// shared or synchronised, which --out must be in. All stop when the test is decided
    #[arg(long, value_name = "DIR", help_heading = "Tournament")]
    pub together: Option<PathBuf>,

    /// Name of the record: NAME.toml, NAME.jsonl, NAME.pgn [default: match-DATE-TIME-PROCESS]
    #[arg(long, value_name = "NAME", help_heading = "Output", value_parser = stem())]
    out: Option<PathBuf>,

    /// New file for a report of the match as a web page; for a finished match use --resume or merge
    #[arg(long, value_name = "FILE", help_heading = "Output", value_parser = named_file())]
    pub html: Option<PathBuf>,

    /// Rewrite the page of --html after games while the match runs; browsers reload it
    #[arg(long, help_heading = "Output", requires = "html")]
    pub live: bool,

    /// New PGN file of all games for broadcasts: replaced as moves are played, with the running games and the clocks
    #[arg(long, value_name = "FILE", help_heading = "Output", value_parser = named_file())]
    pub pgn_live: Option<PathBuf>,

    /// Start the engines once, and print the schedule, the expected length and the files of the match; write nothing
    #[arg(
        long,
        help_heading = "Output",
        conflicts_with_all = ["resume", "json", "csv", "by_opening"],
    )]
    pub dry_run: bool,

    /// Log the communication with each engine to PREFIX-ENGINE.log
    #[arg(long, value_name = "PREFIX", help_heading = "Output")]
    pub log: Option<PathBuf>,

    /// Print only the final result
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,

    /// Print the standings to standard error after every N games
    #[arg(long, value_name = "N", help_heading = "Output", value_parser = number::<u64>(1..))]
    pub standings: Option<u64>,

    #[command(flatten)]
    pub result: ResultArguments,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
#[command(mut_arg("json", |json| json.help("Print the result as one JSON object")))]
#[command(mut_arg("csv", |csv| {
    csv.help("Print the standings as CSV, a row for each engine; with --by-opening, that table instead")
}))]
pub struct ResultArguments {
    #[command(flatten)]
    pub data: FormatArguments,

    /// With two engines, also a table of all openings, the worst for the first engine first
    #[arg(long)]
    pub by_opening: bool,
}

impl ResultArguments {
    /// Refuses a table that this match does not have.
    pub fn check(&self, settings: &MatchSettings) -> Result<(), Failure> {
        let is_vela = settings.format() == TournamentFormat::Vela;
        if self.by_opening && (is_vela || settings.engines.len() != 2) {
            let what =
                "--by-opening tells games of two engines, not those of more, nor rounds of a vela";
            return Err(Failure::Usage(what.to_owned()));
        }
        Ok(())
    }
}

#[derive(Debug, Subcommand)]
pub enum MatchCommand {
    Merge(MergeArguments),
}

/// Join parts of a match that were played with --shard, and print the result
///
/// The parts must belong to the same match: the same engines, limits, rules, openings and format. Only the
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
    #[arg(long, value_name = "NAME", value_parser = stem())]
    pub out: Option<PathBuf>,

    /// New file for a report of the match as a web page
    #[arg(long, value_name = "FILE", value_parser = named_file())]
    pub html: Option<PathBuf>,

    /// The engine that the ratings of three or more engines are measured from
    #[arg(long, value_name = "NAME=ELO")]
    pub anchor: Option<Anchor>,

    #[command(flatten)]
    pub result: ResultArguments,
}

impl Arguments {
    pub fn changes(&self) -> Result<ResumeChanges, Failure> {
        let each = self.each.clone().unwrap_or_default();
        let margin = EngineSettings {
            timemargin: each.timemargin,
            ..EngineSettings::default()
        };
        if each != margin {
            let what = "--each may only set timemargin when a match is resumed";
            return Err(Failure::Usage(what.to_owned()));
        }
        let given = self.settings.put_into(MatchSettings::default())?;
        Ok(ResumeChanges {
            concurrency: given.concurrency,
            games: given.games,
            timemargin: each.timemargin,
        })
    }

    pub fn settings(&self) -> Result<MatchSettings, Failure> {
        let mut settings = Given::read(self.config.as_deref())?;
        let demonstration = self.set_engines(&mut settings)?;
        let mut settings = self.over(settings)?;
        if let Some(folder) = &self.together {
            let is_there = canonical(folder) == canonical(folder_of(&self.record_name()));
            let is_part = is_there && settings.shard.is_some();
            let sprt = settings.sprt.as_mut().filter(|_| is_part);
            let sprt = sprt.ok_or_else(|| {
                let folder = folder.display();
                let expected = format!("expected also --sprt, --shard and --out {folder}/NAME");
                Failure::Usage(format!("--together {folder}: {expected}"))
            })?;
            sprt.skip_abandoned = true;
        }
        default_length(&mut settings, demonstration);
        if let Some(draw) = settings.draw.filter(|draw| draw.score >= 5.0) {
            // Other runners count hundredths.
            log::warn!("draw: score={0} is {0} stones, not hundredths", draw.score);
        }
        Ok(settings)
    }

    /// What the command line says, over the settings of a file. Another format than theirs has its own numbers of games
    /// and rounds: those of the old one are left out, with a warning where that makes a difference.
    fn over(&self, mut settings: MatchSettings) -> Result<MatchSettings, Failure> {
        let mut given = self.settings.put_into(MatchSettings::default())?;
        let (before, mut old) = (settings.format(), [None; 4]);
        if given.format.is_some_and(|format| format != before) {
            old = settings.lengths_mut().map(Option::take);
        }
        let settings = self.settings.put_into(settings)?;
        let mut unused = Vec::new();
        for (place, said) in given.lengths_mut().into_iter().enumerate() {
            let new = settings.lengths()[place];
            if let Some(old) = old[place].filter(|&old| said.is_none() && old != new) {
                unused.push(format!("{} = {old}", MatchSettings::LENGTHS[place]));
            }
        }
        if !unused.is_empty() {
            let (format, unused) = (settings.format(), unused.join(", "));
            log::warn!("--format {format}: {unused} of the format {before} is not used");
        }
        Ok(settings)
    }

    /// Sets the engines; true if none is named.
    fn set_engines(&self, settings: &mut MatchSettings) -> Result<bool, Failure> {
        let each = self.each.clone().unwrap_or_default();
        if self.engine.is_empty() {
            // The command line overrides the file.
            for engine in &mut settings.engines {
                *engine = each.clone().or(engine);
            }
        } else {
            let engines = self.engine.iter();
            settings.engines = engines.map(|engine| engine.clone().or(&each)).collect();
        }
        let named = settings.engines.len();
        let clock = match named {
            0 => "tc=0.5+0.005",
            _ => "tc=10+0.1",
        };
        settings.engines.resize(named.max(2), each);
        let clock = clock.parse::<EngineSettings>()?;
        for engine in &mut settings.engines {
            if engine.cmd.is_none() {
                engine.cmd = Some(this_program()?);
            }
            if !engine.has_limit() {
                engine.tc = engine.tc.or(clock.tc);
            }
        }
        Ok(named == 0)
    }

    /// The files that are named, besides the record, with their options.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let files = [("--html", &self.html), ("--pgn-live", &self.pgn_live)].into_iter();
        files.filter_map(|(option, path)| Some((option, path.as_ref()?)))
    }

    /// Path of the record, without extension: as given, else with the date and time.
    pub fn record_name(&self) -> PathBuf {
        if let Some(name) = &self.out {
            return name.clone();
        }
        let now = timestamp(SystemTime::now(), 0);
        let digits = now.replace(['-', ':', 'Z'], "").replace('T', "-");
        // With the process, so that matches that begin in the same second differ.
        PathBuf::from(format!("match-{digits}-{}", std::process::id()))
    }
}

/// The length of a match of two engines, where it is not given and not the default of the format.
fn default_length(settings: &mut MatchSettings, demonstration: bool) {
    let length = match (settings.sprt.is_some(), demonstration) {
        // The test is to end it.
        (true, _) => 100_000,
        (false, true) => 10,
        (false, false) => return,
    };
    match settings.format() {
        TournamentFormat::Pairs => settings.games = settings.games.or(Some(length)),
        TournamentFormat::Riatra => settings.rounds = settings.rounds.or(Some(length / 10)),
        _ => {}
    }
}

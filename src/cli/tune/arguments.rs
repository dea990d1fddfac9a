//! The arguments of `vato tune`, and the settings that they make.

use std::path::PathBuf;

use clap::Args;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::{ParameterError, Parameters};
use vato_tools::openings::{OpeningOrder, OpeningSource};
use vato_tools::tournament::settings::{
    DrawSettings, EngineSettings, MatchSettings, ResignSettings, TablebaseSettings,
};
use vato_tools::tournament::tuning::TuneSettings;

use super::super::support::failure::{Failure, this_program};
use crate::cli::support::arguments::{decimal, number, stem};

/// How long an engine thinks where nothing else is said.
const DEFAULT_LIMIT: &str = "nodes=8000";

/// Find better numbers for the search, by games of the engine against itself
///
/// SPSA: in each iteration all parameters are moved a little, each up or down by the toss of a coin;
/// two engines, one with the parameters moved so and one with them moved the other way, play a pair of
/// games, and the parameters go a bit towards the winner. The state is written every few seconds: a
/// tuning that was stopped, or killed, goes on when the same command is given again. Whether the numbers
/// are better is for a match to say.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// List all parameters with their standard values and ranges, and do nothing else
    #[arg(long)]
    pub list: bool,

    /// The parameters to tune, separated by commas [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    parameters: Vec<String>,

    /// Values to begin with, and for parameters that are not tuned: "name=value name=value"
    #[arg(long, value_name = "VALUES", default_value = "", hide_default_value = true, value_parser = values)]
    start: Parameters,

    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number::<u32>(1..=1_000_000_000))]
    iterations: u32,

    /// By which part of its step a parameter moves, at the end, for each point won
    #[arg(long, value_name = "R", default_value_t = TuneSettings::DEFAULT_RATE, value_parser = decimal::<f64>)]
    rate: f64,

    /// The engine and how long it thinks, as in `vato match` [default: this program, nodes=8000]
    #[arg(long, value_name = "KEY=VALUE,…")]
    engine: Option<EngineSettings>,

    /// Name of the state and the plot: NAME.json, NAME.svg
    #[arg(long, value_name = "NAME", default_value = "tune", value_parser = stem())]
    pub out: PathBuf,

    /// Begin anew, even if there is a state, and replace it and the plot
    #[arg(long)]
    pub restart: bool,

    /// Rules: a preset's name or key=value pairs [default: tsivy]
    #[arg(long, value_name = "RULES", value_parser = |text: &str| parse_rules(text))]
    rules: Option<Rules>,

    /// Games at a time [default: processors / threads that a game needs]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..))]
    concurrency: Option<u16>,

    /// Openings, as in `vato match`; in random order [default: sharp; random where moves are not those
    /// of tsivy]
    #[arg(long, value_name = "SUITE")]
    openings: Option<OpeningSource>,

    /// What coin tosses and the order of the openings derive from. (With several games at a time a
    /// tuning is not the same twice: pairs do not end in the order in which they begin.)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>(..))]
    seed: u64,

    /// As in `vato match`
    #[arg(long, value_name = "KEY=VALUE,…")]
    resign: Option<ResignSettings>,

    /// As in `vato match`
    #[arg(long, value_name = "KEY=VALUE,…")]
    draw: Option<DrawSettings>,

    /// End games that reach the tablebases in a folder: tablebase=DIR
    #[arg(long, value_name = "KEY=VALUE")]
    adjudicate: Option<TablebaseSettings>,
}

const AFTER: &str = "Examples:
  vato tune --list
  vato tune --parameters reverse_futility_margin,late_move_base --iterations 2000 --out margins
  vato tune --engine tc=1+0.01 --iterations 5000 --out everything
  vato match --engine 'name=tuned,cmd=vato,option.SearchParameters=late_move_base=700' \\
             --engine name=standard,cmd=vato --each nodes=8000 --openings sharp";

fn values(text: &str) -> Result<Parameters, ParameterError> {
    text.parse()
}

impl Arguments {
    /// The settings of the tuning.
    pub fn settings(&self) -> Result<TuneSettings, Failure> {
        let limit = DEFAULT_LIMIT.parse::<EngineSettings>()?;
        let mut engine = self.engine.clone().unwrap_or_default().or(&limit);
        // Both players have it, and results name nobody.
        engine.name = None;
        if engine.cmd.is_none() {
            engine.cmd = Some(this_program()?);
        }
        let mut games = MatchSettings {
            event: "Tuning".to_owned(),
            concurrency: self.concurrency.map(usize::from),
            resign: self.resign,
            draw: self.draw,
            adjudicate: self.adjudicate.clone(),
            engines: vec![engine.clone(), engine],
            ..MatchSettings::default()
        };
        if let Some(rules) = self.rules {
            games.rules = rules;
        }
        let standard = OpeningSource::default_for(&games.rules);
        let sharp = match standard {
            OpeningSource::Balanced => OpeningSource::Sharp,
            other => other,
        };
        games.openings.source = Some(self.openings.clone().unwrap_or(sharp));
        games.openings.order = OpeningOrder::Random;
        games.openings.seed = self.seed;
        let settings = TuneSettings::new(&self.parameters, &self.start, games);
        Ok(TuneSettings {
            iterations: self.iterations,
            rate: self.rate,
            seed: self.seed,
            ..settings?
        })
    }
}

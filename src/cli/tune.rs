//! `vato tune`: better numbers for the search.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use vato_engine::counted;
use vato_engine::files::{replace, replaceable, require_new, with_extension};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::Parameters;
use vato_tools::openings::{OpeningOrder, OpeningSource};
use vato_tools::tournament::Ending;
use vato_tools::tournament::settings::{
    DrawSettings, EngineSettings, MatchSettings, ResignSettings, TablebaseSettings, read_engine,
};
use vato_tools::tournament::tuning::{TuneSettings, TuneState, TunedParameter, Tuning};

use super::support::arguments::{decimal, number, stem};
use super::support::chart::{self, Chart, Line};
use super::support::failure::{Failure, print, this_program};
use super::support::present::plain_table;
use super::support::progress::progress_bar;
use super::support::signals;

/// Tune the parameters of the search by self-play
///
/// SPSA: each iteration changes all parameters a little, each randomly up or down. Two engines, one with these
/// changes and one with the opposite ones, play a pair of games, and the parameters move a bit towards the
/// winner's. The state is saved every few seconds: to resume a run that was stopped or killed, give the same
/// command again. Play a match to find out whether the new values are better.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tune --list
  vato tune --parameters reverse_futility_margin,late_move_base --iterations 2000 --out margins
  vato tune --engine tc=1+0.01 --iterations 5000 --out everything
  vato match --engine 'name=tuned,cmd=vato,option.SearchParameters=late_move_base=700' \\
             --engine name=standard,cmd=vato --each nodes=8000 --openings sharp")]
pub struct Arguments {
    /// List all parameters with their standard values and ranges, and do nothing else
    #[arg(long)]
    list: bool,

    /// The parameters to tune, separated by commas [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    parameters: Vec<String>,

    /// Initial values, also for parameters that are not tuned: "name=value name=value"
    #[arg(long, value_name = "VALUES", default_value = "", hide_default_value = true, value_parser = |text: &str| text.parse::<Parameters>())]
    start: Parameters,

    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number::<u32>(1..=1_000_000_000))]
    iterations: u32,

    /// Fraction of its step by which a parameter moves, at the end, for each point won
    #[arg(long, value_name = "R", default_value_t = TuneSettings::DEFAULT_RATE, value_parser = decimal::<f64>)]
    rate: f64,

    /// The engine and how long it thinks, as in `vato match` [default: this program, nodes=8000]
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = read_engine)]
    engine: Option<EngineSettings>,

    /// Name of the state and the plot: NAME.json, NAME.svg
    #[arg(long, value_name = "NAME", default_value = "tune", value_parser = stem())]
    out: PathBuf,

    /// Start afresh even if there is a state, and replace it and the plot
    #[arg(long)]
    restart: bool,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    /// Games at a time [default: processors / threads that a game needs]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..))]
    concurrency: Option<u16>,

    /// Openings, as in `vato match`; in random order [default: sharp; random where moves are not those
    /// of tsivy]
    #[arg(long, value_name = "SUITE")]
    openings: Option<OpeningSource>,

    /// Seed of the random changes and of the order of the openings. (With several games at a time a
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

impl Arguments {
    fn settings(&self) -> Result<TuneSettings, Failure> {
        let limit = "nodes=8000".parse::<EngineSettings>()?;
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
            rules: self.rules,
            ..MatchSettings::default()
        };
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.list {
        return print(list());
    }
    let settings = arguments.settings()?;
    let [state_path, plot_path] = ["json", "svg"].map(|end| with_extension(&arguments.out, end));
    match state_path.exists() || arguments.restart {
        true => replaceable(&plot_path, b"<svg"),
        false => require_new(&plot_path),
    }
    .map_err(Failure::cannot_write(&plot_path))?;
    let stop = signals::watch("games")?;
    let mut tuning = Tuning::open(settings, &state_path, arguments.restart, &stop)?;
    let bar = progress_bar(tuning.state.settings.iterations.into(), "pairs");
    bar.set_position(tuning.state.done().into());
    // Pairs that were played before do not count for the rate.
    bar.reset_eta();
    let ending = tuning.run(&mut |state| {
        bar.set_position(state.done().into());
        bar.set_message(format!(", {:.0} % drawn", percent_drawn(state)));
    });
    bar.finish_and_clear();
    let ending = ending?;
    let state = &tuning.state;
    replace(&plot_path, |file| file.write_all(plot(state).as_bytes()))
        .map_err(Failure::cannot_write(&plot_path))?;
    print(summary(state))?;
    match ending {
        Ending::Complete => Ok(()),
        Ending::Decided | Ending::Stopped => Err(Failure::to_go_on(arguments.restart)),
    }
}

fn list() -> String {
    let rows = Parameters::TUNABLE.iter().map(|tunable| {
        let (least, most) = (tunable.range.start(), tunable.range.end());
        let figures = [&tunable.standard, least, most, &tunable.step].map(i32::to_string);
        [vec![tunable.name.to_owned()], figures.to_vec()].concat()
    });
    plain_table(["name", "standard", "least", "most", "step"], rows, 1.., 2)
}

fn percent_drawn(state: &TuneState) -> f64 {
    100.0 * state.games.draw_ratio().unwrap_or(0.0)
}

fn summary(state: &TuneState) -> String {
    let rows = state.values().map(|(parameter, value)| {
        let start = parameter.start.to_string();
        vec![parameter.name.clone(), start, format!("{value:.2}")]
    });
    format!(
        "{}\n{} of {}, {:.0} % of the games drawn, {} with faults\nSearchParameters: {}\n",
        plain_table(["name", "start", "value"], rows, 1.., 2),
        state.done(),
        counted(state.settings.iterations, "pair", "pairs"),
        percent_drawn(state),
        counted(state.faults, "pair", "pairs"),
        state.option()
    )
}

/// An SVG with a chart for every parameter: its value over the pairs, and the value that it began with.
fn plot(state: &TuneState) -> String {
    let done = f64::from(state.done());
    let chart = |(index, (parameter, now))| {
        let parameter: &TunedParameter = parameter;
        let samples = state.samples.iter();
        let went = samples
            .filter_map(|sample| Some((f64::from(sample.iterations), *sample.values.get(index)?)));
        let start = f64::from(parameter.start);
        let line = |colour, points| Line {
            name: "",
            colour,
            points,
        };
        Chart {
            title: &parameter.name,
            x_label: "pairs",
            least_span: 2.0 * f64::from(parameter.step),
            lines: vec![
                line("gray", vec![(0.0, start), (done, start)]),
                line("blue", went.chain([(done, now)]).collect()),
            ],
        }
    };
    let charts: Vec<Chart> = state.values().enumerate().map(chart).collect();
    chart::svg(&charts, (480, 200), 3)
}

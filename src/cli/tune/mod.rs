//! `vato tune`: better numbers for the search.

mod arguments;

use std::io::Write;

use vato_engine::counted;
use vato_engine::files::{replace, replaceable, require_new, with_extension};
use vato_engine::search::Parameters;
use vato_tools::tournament::Ending;
use vato_tools::tournament::tuning::{TuneState, TunedParameter, Tuning};

pub use self::arguments::Arguments;
use super::support::chart::{self, Chart, Line};
use super::support::failure::{Failure, print};
use super::support::present::plain_table;
use super::support::progress::progress_bar;
use super::support::signals;

/// Tunes, or resumes a tuning, and prints the tuned parameters.
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

/// All parameters, a line for each.
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

/// The tuned parameters.
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

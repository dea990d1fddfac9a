//! `vato tune`: better numbers for the search.

mod arguments;

use std::fmt::Write as _;
use std::io::Write;

use vato_engine::counted;
use vato_engine::files::{replace, replaceable, require_new, with_extension};
use vato_engine::search::Parameters;
use vato_tools::tournament::tuning::{TuneState, TunedParameter, Tuning};
use vato_tools::tournament::{Ending, MatchError};

pub use self::arguments::Arguments;
use super::support::chart::{self, Chart, Line};
use super::support::failure::{Failure, stdout};
use super::support::progress::progress_bar;
use super::support::signals;

/// Tunes, or resumes a tuning, and prints the tuned parameters.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.list {
        print(&list())?;
        return Ok(());
    }
    let settings = arguments.settings()?;
    let [state_path, plot_path] = ["json", "svg"].map(|end| with_extension(&arguments.out, end));
    match state_path.exists() || arguments.restart {
        true => replaceable(&plot_path, b"<svg"),
        false => require_new(&plot_path),
    }
    .map_err(Failure::cannot_write(&plot_path))?;
    let stop = signals::watch("games")?;
    let mut tuning = match Tuning::open(settings, &state_path, arguments.restart, &stop) {
        Ok(tuning) => tuning,
        Err(error @ MatchError::Stopped) => return Err(Failure::Stopped(Some(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
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
    print(&summary(state))?;
    match ending {
        Ending::Complete => Ok(()),
        Ending::Decided | Ending::Stopped => Err(Failure::to_go_on(arguments.restart)),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// All parameters, a line for each.
fn list() -> String {
    let mut text = format!(
        "{:<28} {:>8} {:>8} {:>8} {:>6}\n",
        "name", "standard", "least", "most", "step"
    );
    for tunable in Parameters::TUNABLE {
        let (least, most) = (tunable.range.start(), tunable.range.end());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<28} {:>8} {least:>8} {most:>8} {:>6}",
            tunable.name, tunable.standard, tunable.step
        );
    }
    text
}

fn percent_drawn(state: &TuneState) -> f64 {
    100.0 * state.games.draw_ratio().unwrap_or(0.0)
}

/// The tuned parameters.
fn summary(state: &TuneState) -> String {
    let mut text = format!("{:<28} {:>8} {:>10}\n", "name", "start", "value");
    for (parameter, value) in state.values() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<28} {:>8} {value:>10.2}",
            parameter.name, parameter.start
        );
    }
    let _ = writeln!(
        text,
        "\n{} of {}, {:.0} % of the games drawn, {} with faults",
        state.done(),
        counted(state.settings.iterations, "pair", "pairs"),
        percent_drawn(state),
        counted(state.faults, "pair", "pairs"),
    );
    let _ = writeln!(text, "SearchParameters: {}", state.option());
    text
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

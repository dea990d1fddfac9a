//! The plot of `vato train`: losses over the epochs, as SVG.

use std::fmt::Write as _;

use vato_lab::EpochReport;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 15.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = HEIGHT - 40.0;

const TITLE: &str = "Mean squared error of the expected points";

/// The least that the axis of losses spans.
const LEAST_SPAN: f64 = 2e-6;

/// The name of a line, its colour and its values.
type Line = (&'static str, &'static str, fn(&EpochReport) -> Option<f64>);

const LINES: [Line; 4] = [
    ("training", "blue", |report| Some(report.training)),
    ("held out", "red", |report| report.held_out.all),
    ("held out, quiet", "green", |report| report.held_out.quiet),
    ("held out, capturing", "magenta", |report| {
        report.held_out.capturing
    }),
];

/// An SVG of the losses over the epochs: trained on, and held out (all, quiet, capturing).
pub fn svg(history: &[EpochReport]) -> String {
    let points = LINES.map(|(.., value)| {
        let points = history
            .iter()
            .filter_map(|report| Some((f64::from(report.epoch), value(report)?)));
        points.collect::<Vec<_>>()
    });
    let all = || points.iter().flatten();
    let (x_low, x_high) = span(all().map(|point| point.0), 1.0);
    let (y_low, y_high) = span(all().map(|point| point.1), LEAST_SPAN);
    let x = |value: f64| LEFT + (value - x_low) / (x_high - x_low) * (RIGHT - LEFT);
    let y = |value: f64| BOTTOM - (value - y_low) / (y_high - y_low) * (BOTTOM - TOP);
    let mut plot = Plot(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    ));
    let middle = (LEFT + RIGHT) / 2.0;
    plot.text((middle, 20.0), "middle", TITLE);
    plot.text((middle, HEIGHT - 8.0), "middle", "epoch");
    for (value, label) in ticks(x_low, x_high, 1.0) {
        plot.text((x(value), BOTTOM + 16.0), "middle", &label);
        plot.line(&[(x(value), TOP), (x(value), BOTTOM)], "lightgray", 1);
    }
    for (value, label) in ticks(y_low, y_high, 0.0) {
        plot.text((LEFT - 6.0, y(value) + 4.0), "end", &label);
        plot.line(&[(LEFT, y(value)), (RIGHT, y(value))], "lightgray", 1);
    }
    plot.line(&[(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)], "black", 1);
    for ((row, (name, colour, _)), points) in (1..).zip(LINES).zip(&points) {
        let below = TOP + 16.0 * f64::from(row);
        let [from, to] = [RIGHT - 26.0, RIGHT - 4.0].map(|x| (x, below - 4.0));
        plot.text((RIGHT - 32.0, below), "end", name);
        plot.line(&[from, to], colour, 2);
        let points: Vec<_> = points.iter().map(|&(a, b)| (x(a), y(b))).collect();
        plot.line(&points, colour, 2);
    }
    plot.0 + "</svg>\n"
}

/// An SVG that is being drawn. Writing to a string cannot fail.
struct Plot(String);

impl Plot {
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"");
        let _ = writeln!(self.0, "<text {place}>{text}</text>");
    }

    fn line(&mut self, points: &[(f64, f64)], colour: &str, width: u8) {
        let _ = write!(
            self.0,
            "<polyline fill=\"none\" stroke=\"{colour}\" points=\""
        );
        for (x, y) in points {
            let _ = write!(self.0, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(self.0, "\" stroke-width=\"{width}\"/>");
    }
}

/// The range of the values, at least `least` wide.
fn span(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let range = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (value.min(low), value.max(high))
    });
    let (low, high) = if range.0 > range.1 { (0.0, 0.0) } else { range };
    let missing = (least - (high - low)).max(0.0);
    (low - missing / 2.0, high + missing / 2.0)
}

/// About five round numbers from `low` to `high`, at least `least` apart, with their labels.
fn ticks(low: f64, high: f64, least: f64) -> Vec<(f64, String)> {
    let raw = ((high - low) / 5.0).max(least);
    let power = raw.log10().floor();
    let base = 10.0_f64.powf(power);
    let factors = [1.0, 2.0, 5.0];
    let factor = factors.into_iter().find(|factor| factor * base >= raw);
    let step = base * factor.unwrap_or(10.0);
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step).ceil();
    let values = (0..=10).map(|index| (first + f64::from(index)) * step);
    let values = values.take_while(|&value| value <= high);
    values
        .map(|value| (value, format!("{value:.decimals$}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use vato_lab::Losses;

    use super::*;

    #[test]
    fn histories_of_any_length_are_drawn() {
        for (epochs, scale) in [(0, 1.0), (1, 0.25), (2, 1e9), (30, 0.1)] {
            let report = |epoch: u32| EpochReport {
                epoch,
                learning_rate: 0.001,
                training: scale / f64::from(epoch),
                held_out: Losses {
                    all: Some(1.1 * scale / f64::from(epoch)),
                    quiet: None,
                    capturing: None,
                    buckets: Vec::new(),
                },
                seconds: 1.0,
            };
            let history: Vec<EpochReport> = (1..=epochs).map(report).collect();
            let svg = svg(&history);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(svg.contains(">held out, quiet</text>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(
                svg.matches("<text ").count(),
                svg.matches("</text>").count()
            );
        }
    }

    #[test]
    fn ticks_are_round_numbers() {
        let labels = |low, high, least| -> Vec<String> {
            ticks(low, high, least)
                .into_iter()
                .map(|(_, label)| label)
                .collect()
        };
        assert_eq!(labels(0.013, 0.098, 0.0), ["0.02", "0.04", "0.06", "0.08"]);
        assert_eq!(labels(1.0, 4.0, 1.0), ["1", "2", "3", "4"]);
        assert_eq!(
            labels(0.0, 1000.0, 1.0),
            ["0", "200", "400", "600", "800", "1000"]
        );
    }
}

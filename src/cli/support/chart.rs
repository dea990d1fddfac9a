//! Line charts as SVG.

use std::fmt::Write as _;

/// One chart. The axes span all points.
pub struct Chart<'a> {
    pub title: &'a str,
    /// The label of the x axis; its ticks are integers.
    pub x_label: &'a str,
    /// The minimum span of the y axis.
    pub least_span: f64,
    pub lines: Vec<Line<'a>>,
}

pub struct Line<'a> {
    /// The name in the legend; no entry if empty.
    pub name: &'a str,
    pub colour: &'static str,
    pub points: Vec<(f64, f64)>,
}

/// The charts, each `width` × `height` pixels, in rows of at most `columns`.
pub fn svg(charts: &[Chart], (width, height): (usize, usize), columns: usize) -> String {
    let columns = charts.len().clamp(1, columns);
    let (all_x, all_y) = (width * columns, height * charts.len().div_ceil(columns));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all_x}\" height=\"{all_y}\" \
         viewBox=\"0 0 {all_x} {all_y}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, chart) in charts.iter().enumerate() {
        let (x, y) = (index % columns * width, index / columns * height);
        let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">");
        chart.draw(&mut svg, (width as f64, height as f64));
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

impl Chart<'_> {
    // Writing to a string cannot fail.
    fn draw(&self, svg: &mut String, (width, height): (f64, f64)) {
        let (left, right, top, bottom) = (70.0, width - 15.0, 30.0, height - 40.0);
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let (x_low, x_high) = span(points().map(|point| point.0), 1.0);
        let (y_low, y_high) = span(points().map(|point| point.1), self.least_span);
        let x = |value: f64| left + (value - x_low) / (x_high - x_low) * (right - left);
        let y = |value: f64| bottom - (value - y_low) / (y_high - y_low) * (bottom - top);
        let mut text = |x: f64, y: f64, anchor: &str, text: &str| {
            let text = escaped(text);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
            );
        };
        let middle = (left + right) / 2.0;
        text(middle, 20.0, "middle", self.title);
        text(middle, height - 8.0, "middle", self.x_label);
        let named = || self.lines.iter().filter(|line| !line.name.is_empty());
        for (row, line) in (1..).zip(named()) {
            text(right - 32.0, top + 16.0 * f64::from(row), "end", line.name);
        }
        let (x_ticks, y_ticks) = (ticks(x_low, x_high, 1.0), ticks(y_low, y_high, 0.0));
        for (value, label) in &x_ticks {
            text(x(*value), bottom + 16.0, "middle", label);
        }
        for (value, label) in &y_ticks {
            text(left - 6.0, y(*value) + 4.0, "end", label);
        }
        let mut line = |points: &[(f64, f64)], colour: &str, width: u8| {
            let _ = write!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" points=\"");
            for (x, y) in points {
                let _ = write!(svg, "{x:.1},{y:.1} ");
            }
            let _ = writeln!(svg, "\" stroke-width=\"{width}\"/>");
        };
        for (value, _) in &x_ticks {
            line(&[(x(*value), top), (x(*value), bottom)], "lightgray", 1);
        }
        for (value, _) in &y_ticks {
            line(&[(left, y(*value)), (right, y(*value))], "lightgray", 1);
        }
        let axes = [(left, top), (left, bottom), (right, bottom)];
        line(&axes, "black", 1);
        for (row, Line { colour, .. }) in (1..).zip(named()) {
            let y = top + 16.0 * f64::from(row) - 4.0;
            line(&[(right - 26.0, y), (right - 4.0, y)], colour, 2);
        }
        for Line { colour, points, .. } in &self.lines {
            let points: Vec<_> = points.iter().map(|&(a, b)| (x(a), y(b))).collect();
            line(&points, colour, 2);
        }
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

fn escaped(text: &str) -> String {
    // XML 1.0 cannot represent control characters.
    text.replace(char::is_control, "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_drawn_whatever_the_points_are() {
        let all = [
            vec![],
            vec![(1.0, 0.25)],
            vec![(0.0, -3.0), (1e6, 1e9)],
            (1..=30)
                .map(|x| (f64::from(x), 0.1 / f64::from(x)))
                .collect(),
        ];
        let chart = |points| Chart {
            title: "a < b & \"c\"\x1b",
            x_label: "epoch",
            least_span: 1e-6,
            lines: vec![Line {
                name: "held out",
                colour: "blue",
                points,
            }],
        };
        let charts = all.map(chart);
        for some in [&charts[..0], &charts[1..2], &charts] {
            let svg = svg(some, (480, 200), 3);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert_eq!(
                svg.matches("a &lt; b &amp; &quot;c&quot;\u{fffd}").count(),
                some.len()
            );
            assert_eq!(svg.matches(">held out</text>").count(), some.len());
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            for tag in ["svg", "g", "text"] {
                let opened = svg.matches(&format!("<{tag} ")).count();
                assert_eq!(opened, svg.matches(&format!("</{tag}>")).count());
            }
        }
        assert!(svg(&charts, (480, 200), 3).contains("width=\"1440\" height=\"400\""));
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

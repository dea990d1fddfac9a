//! The losses of a training as a picture.

use plotters::prelude::*;
use vato::training::EpochReport;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (960, 540);

/// An SVG of the losses over the epochs: trained on, and held out (all, quiet, capturing).
///
/// # Errors
///
/// Says what the drawing failed at.
pub fn losses(history: &[EpochReport]) -> Result<String, String> {
    let mut svg = String::new();
    draw(history, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(
    history: &[EpochReport],
    svg: &mut String,
) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    type Line = (&'static str, RGBColor, fn(&EpochReport) -> Option<f64>);
    const LINES: [Line; 4] = [
        ("training", BLUE, |report| Some(report.training)),
        ("held out", RED, |report| report.held_out.all),
        ("held out, quiet", GREEN, |report| report.held_out.quiet),
        ("held out, capturing", MAGENTA, |report| {
            report.held_out.capturing
        }),
    ];
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let values = history
        .iter()
        .flat_map(|report| LINES.iter().filter_map(|(_, _, value)| value(report)));
    let (least, most) = values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    let least = if least.is_finite() { least } else { 0.0 };
    let margin = (0.05 * (most - least)).max(1e-6);
    let last = history.len().max(2);
    let mut chart = ChartBuilder::on(&area)
        .caption(
            "Mean squared error of the expected points",
            ("sans-serif", 20),
        )
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1..last, (least - margin)..(most + margin))?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_label_formatter(&|loss| format!("{loss:.5}"))
        .draw()?;
    for (name, colour, value) in LINES {
        let points = (1..)
            .zip(history)
            .filter_map(|(epoch, report)| Some((epoch, value(report)?)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()
}

#[cfg(test)]
mod tests {
    use vato::training::Losses;

    use super::*;

    #[test]
    fn histories_of_any_length_are_drawn() {
        let report = |epoch: u32| EpochReport {
            epoch,
            learning_rate: 0.001,
            training: 0.1 / f64::from(epoch),
            held_out: Losses {
                all: Some(0.11 / f64::from(epoch)),
                quiet: None,
                capturing: None,
                buckets: Vec::new(),
            },
            seconds: 1.0,
        };
        for epochs in [0, 1, 2, 30] {
            let history: Vec<EpochReport> = (1..=epochs).map(report).collect();
            let svg = losses(&history).expect("drawn");
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("held out, quiet"));
        }
    }
}

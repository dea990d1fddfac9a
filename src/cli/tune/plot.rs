//! How the parameters went, as a picture.

use plotters::prelude::*;
use vato::tournament::tuning::TuneState;

/// Width and height of the part for one parameter, in pixels.
const PART: (u32, u32) = (480, 200);
/// Parameters beside each other.
const COLUMNS: usize = 3;

/// An SVG with a small chart for every parameter: its value over the iterations, and the value that it
/// began with as a thin line.
///
/// # Errors
///
/// Says what the drawing failed at.
pub fn parameters(state: &TuneState) -> Result<String, String> {
    let mut svg = String::new();
    draw(state, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(state: &TuneState, svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let parameters = &state.settings.parameters;
    let columns = parameters.len().clamp(1, COLUMNS);
    let rows = parameters.len().div_ceil(columns).max(1);
    let size = (PART.0 * columns as u32, PART.1 * rows as u32);
    let area = SVGBackend::with_string(svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    let last = f64::from(state.done().max(1));
    let now: Vec<f64> = state.values().map(|(_, value)| value).collect();
    for (index, (parameter, part)) in parameters
        .iter()
        .zip(area.split_evenly((rows, columns)))
        .enumerate()
    {
        let points: Vec<(f64, f64)> = state
            .samples
            .iter()
            .map(|sample| (f64::from(sample.iterations), sample.values[index]))
            .chain([(last, now[index])])
            .collect();
        let start = f64::from(parameter.start);
        let step = f64::from(parameter.step);
        let values = points.iter().map(|&(_, value)| value);
        let (least, most) = values.fold((start - step, start + step), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let mut chart = ChartBuilder::on(&part)
            .caption(&parameter.name, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(50)
            .build_cartesian_2d(0.0..last, least..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(5)
            .y_labels(5)
            .x_label_formatter(&|iteration| format!("{iteration:.0}"))
            .draw()?;
        let level = [(0.0, start), (last, start)];
        chart.draw_series(LineSeries::new(level, BLACK.mix(0.4)))?;
        chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
    }
    area.present()
}

//! Progress bars.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// A bar on standard error, if that is a terminal, with the rate, and the message of the bar behind it; `things` names
/// the items counted, in the plural.
pub fn progress_bar(count: u64, things: &str) -> ProgressBar {
    let template = format!(
        "{{elapsed_precise}} [{{wide_bar}}] {{human_pos}}/{{human_len}} {things}, {{rate}}/s (eta {{eta}}){{msg}}"
    );
    bar_with_rate(Some(count), &template, short)
}

/// As [`progress_bar`], for an unknown total.
pub fn progress_counter(things: &str) -> ProgressBar {
    let template = format!("{{elapsed_precise}} {{human_pos}} {things} ({{rate}}/s){{msg}}");
    bar_with_rate(None, &template, short)
}

/// A rate, without decimals if it is high.
fn short(rate: f64) -> String {
    match rate {
        10.0.. => HumanCount(rate as u64).to_string(),
        _ => format!("{rate:.1}"),
    }
}

/// A bar of this template on standard error, if that is a terminal; its `{rate}` is what `text` makes of the rate per
/// second.
pub fn bar_with_rate(
    count: Option<u64>,
    template: &str,
    text: impl Fn(f64) -> String + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let bar = count.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        let rate = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // Formatting errors are ignored.
            let _ = out.write_str(&text(state.per_sec()));
        };
        bar.set_style(style.with_key("rate", rate).progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

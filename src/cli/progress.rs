//! Progress bars.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A bar on standard error, if that is a terminal; `things` names the items counted, in the plural.
pub fn progress_bar(count: u64, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template =
        format!("{{elapsed_precise}} [{{wide_bar}}] {{pos}}/{{len}} {things} (eta {{eta}}){{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A counter on standard error, if that is a terminal, for an unknown total: the number of `things` (in the
/// plural), the rate per second, and the message of the bar.
pub fn progress_counter(things: &str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    let template = format!("{{elapsed_precise}} {{pos}} {things} ({{rate}}/s){{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // Formatting errors are ignored.
            let _ = write!(text, "{:.0}", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

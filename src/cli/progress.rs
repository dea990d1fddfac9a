//! How far a long piece of work is.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error, if that is a terminal: so many of `count` things, in the plural.
pub fn progress_bar(count: u64, things: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template =
        format!("{{elapsed_precise}} [{{wide_bar}}] {{pos}}/{{len}} {things} (eta {{eta}})");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

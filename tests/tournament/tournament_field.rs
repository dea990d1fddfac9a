//! Engines for a tournament, and a tournament of them.

use crate::runner::{Contender, MatchFiles, MatchRun};

/// Engines that play at random, each in its own way.
pub fn field(count: u64) -> Vec<Contender> {
    (1..=count)
        .map(|seed| Contender::new(&format!("E{seed}"), "honest").seed(seed))
        .collect()
}

/// A tournament in this format, with further options.
pub fn run(files: &MatchFiles, engines: &[Contender], format: &str, options: &str) -> MatchRun {
    // On the small board games are short; riatra wants the large one.
    let rules = if format == "riatra" { "tsivy" } else { "dimy" };
    MatchRun::new(files, engines)
        .args(&format!("--format {format} --rules {rules} --each nodes=1"))
        .args(options)
}

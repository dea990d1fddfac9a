//! Searching to a fixed depth, one thread, with nothing learned before.

mod positions;

use divan::Bencher;
use vato_engine::search::{Control, Limits, SearchSettings, Searcher};

use positions::{PHASES, Phase};

/// Depth in plies.
const DEPTH: u32 = 8;

fn main() {
    divan::main();
}

#[divan::bench(args = &PHASES, sample_count = 10, sample_size = 1)]
fn to_depth_8(bencher: Bencher, phase: &Phase) {
    let game = phase.game();
    let limits = Limits {
        depth: Some(DEPTH),
        analyse: true,
        ..Limits::default()
    };
    let mut searcher = Searcher::new();
    let settings = SearchSettings::default();
    let prepared = searcher.prepare(&settings);
    prepared.expect("the default table is small");
    bencher.bench_local(|| {
        searcher.clear();
        searcher
            .search(&settings, &game, &limits, &Control::new(), &mut |_| {})
            .expect("it is prepared")
    });
}

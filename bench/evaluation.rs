//! The static evaluation.

mod positions;

use divan::{Bencher, black_box};
use vato_engine::eval::Evaluation;
use vato_engine::rules::Rules;

use positions::{PHASES, Phase};

fn main() {
    divan::main();
}

#[divan::bench(args = &PHASES)]
fn classical(bencher: Bencher, phase: &Phase) {
    let (evaluation, position) = (Evaluation::classical(), phase.position());
    bencher.bench_local(|| evaluation.evaluate(&Rules::STANDARD, black_box(&position)));
}

/// From nothing: a search does it incrementally (see `cargo bench --bench network`).
#[divan::bench(args = &PHASES)]
fn network(bencher: Bencher, phase: &Phase) {
    let (evaluation, position) = (Evaluation::default(), phase.position());
    bencher.bench_local(|| evaluation.evaluate(&Rules::STANDARD, black_box(&position)));
}

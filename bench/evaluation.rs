//! The static evaluation.

mod positions;

use divan::{Bencher, black_box};
use vato::eval::evaluate;
use vato::rules::Rules;

use positions::{PHASES, Phase};

fn main() {
    divan::main();
}

#[divan::bench(args = &PHASES)]
fn static_evaluation(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    bencher.bench_local(|| evaluate(&Rules::STANDARD, black_box(&position)));
}

//! Move generation, and perft beside the plain generator in the same run.

mod positions;
mod yardstick;

use std::sync::atomic::AtomicBool;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use vato_engine::rules::{Perft, Rules, has_capture, legal_moves, legal_paths, shortest_path};

use positions::{PHASES, Phase};

/// Depth of the perft, and its count.
const DEPTH: u32 = 6;
const COUNT: u64 = 9_205_774;

fn main() {
    divan::main();
}

#[divan::bench(args = &PHASES)]
fn moves(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    bencher.bench_local(|| legal_moves(&Rules::STANDARD, black_box(&position)));
}

#[divan::bench(args = &PHASES)]
fn paths(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    bencher.bench_local(|| legal_paths(&Rules::STANDARD, black_box(&position)));
}

#[divan::bench(args = &PHASES)]
fn paths_counted(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    let perft = Perft::new(Rules::STANDARD, 1, 0).expect("one thread");
    let never = AtomicBool::new(false);
    bencher.bench_local(|| perft.count(black_box(&position), 1, &never));
}

#[divan::bench(args = &PHASES)]
fn capture_found(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    bencher.bench_local(|| has_capture(&Rules::STANDARD, black_box(&position)));
}

/// A path for every move of the position.
#[divan::bench(args = &PHASES)]
fn shortest_paths(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    let moves = legal_moves(&Rules::STANDARD, &position);
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench_local(|| {
            for &mv in moves.iter() {
                black_box(shortest_path(&Rules::STANDARD, &position, mv));
            }
        });
}

/// One thread, no hash.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn perft(bencher: Bencher) {
    let perft = Perft::new(Rules::STANDARD, 1, 0).expect("no thread is started");
    let never = AtomicBool::new(false);
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        let count = perft.count(black_box(&Rules::STANDARD.start()), DEPTH, &never);
        assert_eq!(count, Some(COUNT));
    });
}

/// The same by the plain generator.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn perft_yardstick(bencher: Bencher) {
    let rules = yardstick::Rules::parse("").expect("the standard rules");
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        let count = yardstick::perft(&rules, black_box(&rules.start()), DEPTH);
        assert_eq!(count, COUNT);
    });
}

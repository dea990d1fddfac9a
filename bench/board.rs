//! Playing moves and hashing.

mod positions;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use vato_engine::board::Move;
use vato_engine::rules::{Game, Rules, legal_moves};

use positions::{PHASES, Phase};

fn main() {
    divan::main();
}

/// Every move of the position, with its key kept up to date.
#[divan::bench(args = &PHASES)]
fn play(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    let moves: Vec<Move> = legal_moves(&Rules::STANDARD, &position).to_vec();
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench_local(|| {
            for &mv in moves.iter() {
                black_box(black_box(&position).play(mv));
            }
        });
}

#[divan::bench(args = &PHASES)]
fn key_from_nothing(bencher: Bencher, phase: &Phase) {
    let position = phase.position();
    bencher.bench_local(|| black_box(&position).recomputed_key());
}

/// A move that is checked, with history and outcome.
#[divan::bench(args = &PHASES)]
fn play_in_game(bencher: Bencher, phase: &Phase) {
    let game = phase.game();
    let first = legal_moves(game.rules(), game.position())[0];
    bencher
        .with_inputs(|| game.clone())
        .bench_local_values(|mut game: Game| {
            game.play(first).expect("a legal move");
            game
        });
}

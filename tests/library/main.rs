//! Tests of the library through its public items.

mod certificates;
mod diagrams;
mod fuzz_corpus;
mod match_statistics;
mod opening_books;
mod perft_vectors;
mod pgn_records;
mod rules_cases;
mod rules_game;
mod rules_properties;
mod search;
mod search_claims;
mod search_limits;
mod search_threads;
mod tablebase_play;

use std::sync::atomic::AtomicBool;

use vato_engine::board::Position;
use vato_engine::rules::{Perft, Rules};

/// The number of legal paths at a position.
fn count_paths(rules: &Rules, position: &Position) -> u64 {
    let perft = Perft::new(*rules, 1, 0).expect("one thread");
    let count = perft.count(position, 1, &AtomicBool::new(false));
    count.expect("nothing stops it")
}

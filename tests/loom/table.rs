//! The transposition table: whatever two threads store, what is found is what was stored for the position.

use loom::sync::Arc;
use loom::thread;

use super::*;

/// Positions of one bucket.
const KEYS: [u64; 2] = [1 << 20, 2 << 20];

/// Data that differ in every part.
fn data(number: u32) -> TtData {
    let number_signed = number as i32;
    TtData {
        mv: TtMove(number),
        score: 100 * number_signed,
        evaluation: Some(-7 * number_signed),
        depth: number_signed,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][number as usize % 3],
    }
}

/// Two threads store data by these numbers, each for a position, while one looks for the first position.
fn model(full: bool, first: (usize, u32), second: (usize, u32)) {
    loom::model(move || {
        let table = Arc::new(TranspositionTable::new(1).expect("memory"));
        table.age();
        // Looked at once, so that the atomics are made before the threads begin.
        assert_eq!(table.probe(KEYS[0], 0, || i32::MAX), None);
        // Of a full bucket both threads take the same place.
        for number in 0..if full { ENTRIES_PER_BUCKET } else { 0 } {
            table.store((10 + number as u64) << 20, 0, data(20 + number as u32));
        }
        let threads = [first, second].map(|(key, number)| {
            let table = Arc::clone(&table);
            thread::spawn(move || {
                table.store(KEYS[key], 0, data(number));
            })
        });
        let reader = thread::spawn(move || {
            if let Some(found) = table.probe(KEYS[0], 0, || i32::MAX) {
                let is_it = |(key, number)| key == 0 && data(number) == found;
                assert!(is_it(first) || is_it(second), "{found:?}");
            }
        });
        // Those that store run first, as their joins come first: see the models of the groups.
        for thread in threads.into_iter().chain([reader]) {
            thread.join().expect("no panic");
        }
    });
}

#[test]
fn loom_results_for_two_positions_are_not_mixed() {
    model(false, (0, 1), (1, 2));
}

#[test]
fn loom_of_a_full_bucket_a_place_is_not_mixed() {
    model(true, (0, 1), (1, 2));
}

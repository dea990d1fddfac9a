//! How much memory there is for unpacked blocks changes nothing but the time that look-ups take.

use std::thread;

use vato_engine::board::Position;
use vato_engine::tablebase::{Tablebases, Value};

use super::placements::positions;
use super::set::{Set, slices};

/// From nothing at all to less than one block, a few blocks, and all of them.
const CACHES: [u64; 6] = [0, 1, 1_000, 20_000, 200_000, 64 << 20];

/// Some positions of every slice, in an order in which blocks come and go.
fn sample(set: &Set, stones: u32) -> Vec<Position> {
    let rules = set.rules();
    let slices = slices(&rules, stones);
    let mut sample: Vec<Position> = slices
        .into_iter()
        .flat_map(|slice| positions(&rules, slice).into_iter().step_by(37))
        .collect();
    sample.sort_by_key(|position| position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15));
    sample
}

fn open(set: &Set, cache_bytes: u64) -> Tablebases {
    let tables = Tablebases::open(&[set.path()], &set.rules(), cache_bytes);
    tables.unwrap_or_else(|error| panic!("{error}"))
}

fn look_up(tables: &Tablebases, sample: &[Position]) -> Vec<Option<Value>> {
    let values = sample.iter().map(|position| tables.value(position));
    values.collect()
}

#[test]
fn look_ups_do_not_depend_on_memory() {
    let set = Set::build("dimy", 4);
    let sample = sample(&set, 4);
    let expected = look_up(&set.open(), &sample);
    assert!(expected.iter().all(Option::is_some));
    for cache_bytes in CACHES {
        let tables = open(&set, cache_bytes);
        assert!(look_up(&tables, &sample) == expected, "{cache_bytes} bytes");
        assert!(tables.complaints().is_empty());
    }
}

/// Threads that look up at the same time, each beginning elsewhere.
#[test]
fn threads_share_the_memory() {
    let set = Set::build("board=3x3 capture=free", 9);
    let sample = sample(&set, 9);
    let expected = look_up(&set.open(), &sample);
    for cache_bytes in CACHES {
        let tables = open(&set, cache_bytes);
        thread::scope(|scope| {
            for number in 0..4 {
                let (tables, sample, expected) = (&tables, &sample, &expected);
                scope.spawn(move || {
                    let start = number * sample.len() / 4;
                    for place in (start..sample.len()).chain(0..start) {
                        let value = tables.value(&sample[place]);
                        assert_eq!(value, expected[place], "{:?}", sample[place]);
                    }
                });
            }
        });
    }
}

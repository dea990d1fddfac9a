//! Perft against `data/perft.jsonl`, counted by other programs, those with passes and `eating=must` by the yardstick; hashed, threaded and divided perft
//! against plain perft.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde_json::Value;
use vato_engine::board::Position;
use vato_engine::notation::{format_path, parse_fen};
use vato_engine::rules::{Perft, Rules, legal_moves, legal_paths};

/// Vectors with more turns than this take too long for every run.
const SLOW: u64 = 20_000_000;

struct Vector {
    fen: String,
    rules: Rules,
    position: Position,
    depth: u32,
    nodes: u64,
}

fn vectors() -> Vec<Vector> {
    let read = |line: &str| -> Option<Vector> {
        let value: Value = serde_json::from_str(line).ok()?;
        let rules: Rules = value["rules"].as_str()?.parse().ok()?;
        let fen = value["fen"].as_str()?.to_owned();
        Some(Vector {
            position: parse_fen(&fen, rules.board).ok()?,
            fen,
            rules,
            depth: u32::try_from(value["depth"].as_u64()?).ok()?,
            nodes: value["nodes"].as_u64()?,
        })
    };
    include_str!("../data/perft.jsonl")
        .lines()
        .map(|line| read(line).unwrap_or_else(|| panic!("a vector that does not read: {line}")))
        .collect()
}

fn perft(rules: Rules, threads: usize, hash_mib: usize) -> Perft {
    Perft::new(rules, threads, hash_mib).expect("threads start")
}

fn count(perft: &Perft, position: &Position, depth: u32) -> u64 {
    perft
        .count(position, depth, &AtomicBool::new(false))
        .expect("nothing stops it")
}

fn plain(rules: Rules, position: &Position, depth: u32) -> u64 {
    count(&perft(rules, 1, 0), position, depth)
}

/// Counts on all cores and lists every vector that differs.
fn check(vectors: &[Vector]) {
    assert!(!vectors.is_empty());
    let wrong: Vec<String> = vectors
        .par_iter()
        .filter_map(|vector| {
            let counted = plain(vector.rules, &vector.position, vector.depth);
            (counted != vector.nodes).then(|| {
                format!(
                    "{} [{}] depth {}: {counted}, expected {}",
                    vector.fen, vector.rules, vector.depth, vector.nodes
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn counts_agree_with_other_programs() {
    let mut vectors = vectors();
    assert_eq!(vectors.len(), 2133);
    vectors.retain(|vector| vector.nodes <= SLOW);
    check(&vectors);
}

#[test]
#[ignore = "counts 3.5 billion turns"]
fn large_counts_agree_with_other_programs() {
    let mut vectors = vectors();
    vectors.retain(|vector| vector.nodes > SLOW);
    check(&vectors);
}

#[test]
fn hash_and_threads_change_no_count() {
    let mut by_rules: BTreeMap<String, Vec<Vector>> = BTreeMap::new();
    for vector in vectors() {
        if vector.nodes <= 1_000_000 {
            let key = vector.rules.to_string();
            by_rules.entry(key).or_default().push(vector);
        }
    }
    by_rules.par_iter().for_each(|(key, vectors)| {
        let rules = vectors[0].rules;
        // One hash for all positions of these rules, so that what one leaves behind meets the next;
        // the small hash fills up.
        let roomy = perft(rules, 2, 64);
        let small = perft(rules, 1, 1);
        let threaded = perft(rules, 3, 0);
        for Vector {
            fen,
            position,
            depth,
            nodes,
            ..
        } in vectors
        {
            for perft in [&roomy, &small, &threaded] {
                assert_eq!(
                    count(perft, position, *depth),
                    *nodes,
                    "{fen} [{key}] {depth}"
                );
            }
        }
    });
}

#[test]
fn divide_adds_up() {
    let never = AtomicBool::new(false);
    let vectors = vectors();
    let small = vectors.par_iter().filter(|vector| vector.nodes <= 100_000);
    small.for_each(
        |Vector {
             rules,
             position,
             depth,
             nodes,
             fen,
         }| {
            let divided = perft(*rules, 1, 0).divide(position, *depth, &never);
            let divided = divided.expect("nothing stops it");
            assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), *nodes);
            let paths = divided.into_iter().map(|(path, _)| path);
            let legal = legal_paths(rules, position)
                .into_iter()
                .map(|(path, _)| path);
            assert!(paths.eq(legal), "{fen} [{rules}]");
        },
    );
    // As counted elsewhere.
    let rules = Rules::STANDARD;
    for (threads, hash) in [(1, 0), (2, 16)] {
        let divided = perft(rules, threads, hash).divide(&rules.start(), 4, &never);
        let counts = divided.expect("nothing stops it").into_iter();
        let counts =
            counts.map(|(path, count)| format!("{} {count}", format_path(&path, rules.board)));
        let expected = [
            "d2-e3A 3377",
            "d3-e3A 1268",
            "d3-e3W 10067",
            "e2-e3A 1045",
            "f2-e3A 2269",
        ];
        assert!(counts.eq(expected));
    }
}

/// Of the turns at depth 5, those are counted once that do the same at the same place: below each
/// sequence of four turns the distinct moves count.
#[test]
fn distinct_results_of_the_start_are_as_counted_elsewhere() {
    fn results(rules: &Rules, position: &Position, depth: u32) -> usize {
        if depth == 1 {
            return legal_moves(rules, position).len();
        }
        legal_paths(rules, position)
            .iter()
            .map(|&(_, mv)| results(rules, &position.play(mv), depth - 1))
            .sum()
    }
    let rules = Rules::STANDARD;
    assert_eq!(results(&rules, &rules.start(), 5), 431_830);
}

#[test]
fn depth_zero_is_one_turn_and_a_stopped_count_is_none() {
    let rules = Rules::STANDARD;
    let never = AtomicBool::new(false);
    let perft = perft(rules, 1, 0);
    assert_eq!(perft.count(&rules.start(), 0, &never), Some(1));
    assert_eq!(perft.divide(&rules.start(), 0, &never), Some(Vec::new()));
    let stopped = AtomicBool::new(true);
    assert_eq!(perft.count(&rules.start(), 9, &stopped), None);
    assert_eq!(perft.divide(&rules.start(), 9, &stopped), None);
}

#[test]
fn a_finished_game_has_no_turns() {
    for (fen, rules) in [
        ("9/9/9/9/w8 b 0 9", ""),
        ("9/9/9/9/w8 w 0 9", ""),
        ("9/9/9/9/w8 w 0 9", "capture=free chain=full"),
        ("9/9/9/ww7/bw7 b 0 9", ""),
        ("9/9/9/wwwwwwww1/9 w 0 9", "vela=white"),
    ] {
        let rules: Rules = rules.parse().expect("rules");
        let position = parse_fen(fen, rules.board).expect("a FEN");
        assert_eq!(plain(rules, &position, 1), 0, "{fen}");
        assert_eq!(plain(rules, &position, 3), 0, "{fen}");
    }
}

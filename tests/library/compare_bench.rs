//! The arithmetic of the bench that compares two engines.

#[path = "../../bench/compare/arithmetic.rs"]
mod arithmetic;

use arithmetic::{GeometricMean, Iteration, branching_factor, median};

fn iterations(nodes: impl IntoIterator<Item = (u32, u64)>) -> Vec<Iteration> {
    nodes
        .into_iter()
        .map(|(depth, nodes)| Iteration { depth, nodes })
        .collect()
}

fn assert_close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found}, want {wanted}");
}

#[test]
fn medians() {
    assert_eq!(median(vec![]), None);
    assert_eq!(median(vec![5.0, 1.0, 3.0]), Some(3.0));
    assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
}

#[test]
fn geometric_means_and_their_errors() {
    assert_eq!(GeometricMean::of([]), None);
    let one = GeometricMean::of([1.5]).expect("a mean");
    assert_close(one.value, 1.5);
    assert_eq!(one.log_error, None);
    let two = GeometricMean::of([0.5, 2.0]).expect("a mean");
    assert_close(two.value, 1.0);
    // The logarithms lie ln 2 to either side of 0: a deviation of √2 ln 2, by √2.
    assert_close(two.log_error.expect("an error"), 2_f64.ln());
    let same = GeometricMean::of([1.0; 4]).expect("a mean");
    assert_eq!(same.log_error, Some(0.0));
}

#[test]
fn branching_factors_look_at_the_last_iterations() {
    let doubling = (1..=20).map(|depth| (depth, 1 << depth));
    assert_close(branching_factor(&iterations(doubling)).expect("two"), 2.0);
    // What lies further back than six iterations does not count.
    let late = (1..=4).map(|depth| (depth, 1)).chain([
        (5, 10),
        (6, 30),
        (7, 90),
        (8, 270),
        (9, 810),
        (10, 2_430),
        (11, 7_290),
    ]);
    assert_close(branching_factor(&iterations(late)).expect("two"), 3.0);
    // Depths that an engine leaves out.
    let gaps = [(1, 7), (4, 100), (8, 1_600)];
    assert_close(branching_factor(&iterations(gaps)).expect("two"), 2.0);
    let few = [(1, 10), (2, 40)];
    assert_close(branching_factor(&iterations(few)).expect("two"), 4.0);
    assert_eq!(branching_factor(&iterations([(9, 500)])), None);
    assert_eq!(branching_factor(&[]), None);
}

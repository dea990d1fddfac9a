//! Parameters to integers, integers to scores.

use super::*;
use crate::network::samples::{header, network, parameters, random_positions};
use crate::network::{
    Active, BUCKETS, INPUT_WEIGHTS, MOST_WINDOW_WEIGHT, OUTPUT_WEIGHTS, WINDOW_WEIGHTS,
    active_features,
};

/// The definition, in floating point.
fn reference(network: &Network, own: Bitboard, other: Bitboard) -> f64 {
    let parameters: Vec<f64> = network.parameters().into_iter().map(f64::from).collect();
    let (weights, rest) = parameters.split_at(INPUT_WEIGHTS);
    let (biases, rest) = rest.split_at(HIDDEN);
    let (output_weights, output_biases) = rest.split_at(BUCKETS * OUTPUT_WEIGHTS);
    let bucket = output_bucket((own | other).count());
    let mut output = output_biases[bucket];
    for (view, (own, other)) in [(own, other), (other, own)].into_iter().enumerate() {
        let mut active = Active::new();
        active_features(own, other, &mut active);
        for unit in 0..HIDDEN {
            let rows = active.iter().map(|&feature| usize::from(feature));
            let sum: f64 = rows.map(|row| weights[row * HIDDEN + unit]).sum();
            let value = (biases[unit] + sum).clamp(0.0, 1.0);
            output += value * value * output_weights[(2 * bucket + view) * HIDDEN + unit];
        }
    }
    output * f64::from(network.header().search_scale)
}

#[test]
fn scores_are_those_of_the_definition() {
    let network = network(7);
    let mut scores = std::collections::BTreeSet::new();
    for position in random_positions(100) {
        let (own, other) = (position.own(), position.enemy());
        let score = network.evaluate(own, other);
        let expected = reference(&network, own, other);
        // Half for the rounding, a quarter for that of the multiplier.
        let error = (f64::from(score) - expected).abs();
        assert!(error < 0.76, "{score}, not {expected}");
        scores.insert(score);
    }
    assert!(scores.len() > 30, "{scores:?}");
}

#[test]
fn a_point_that_both_have_is_the_own_sides() {
    let (network, all) = (network(3), Bitboard::LATTICE);
    let alone = network.evaluate(all, Bitboard::EMPTY);
    assert_eq!(network.evaluate(all, all), alone);
}

#[test]
fn scores_are_rounded_and_clamped() {
    let mut parameters = vec![0.0; PARAMETERS];
    // With this scale, 65,536 units of the integer output are a unit of the search.
    let exact = f32::from(ACTIVATION_ONE).powi(2) / 1_024.0;
    let one = 65_536.0 / OUTPUT_ONE as f32;
    for (output, scale, score) in [
        (1.0, 100.0, 100),
        (-1.0, 100.0, -100),
        (0.126, 100.0, 13),
        (0.124, 100.0, 12),
        (-0.124, 100.0, -12),
        (2.5 * one, exact, 3),
        (-2.5 * one, exact, -2),
        (-2.6 * one, exact, -3),
        (300.0, 100.0, 20_000),
        (-300.0, 100.0, -20_000),
        (500.0, 1_000_000.0, 20_000),
        (-500.0, 1_000_000.0, -20_000),
    ] {
        // The bucket of many stones is the last.
        parameters[PARAMETERS - 1] = output;
        let mut header = header();
        header.search_scale = scale;
        let network = Network::quantise(header, &parameters).expect("nothing overflows");
        assert_eq!(network.evaluate(Bitboard::LATTICE, Bitboard::EMPTY), score);
    }
}

#[test]
fn parameters_come_back() {
    let parameters = parameters(5);
    let network = Network::quantise(header(), &parameters).expect("small");
    let rounded = network.parameters();
    for (index, (before, after)) in std::iter::zip(&parameters, &rounded).enumerate() {
        assert!((before - after).abs() <= 0.5 / 64.0, "parameter {index}");
    }
    let again = Network::quantise(header(), &rounded).expect("small");
    assert_eq!(again.weights, network.weights);
    assert_eq!(again.name(), network.name());
}

#[test]
fn another_header_changes_scale_and_name() {
    let network = network(1);
    let header = |search_scale| Header {
        search_scale,
        ..network.header().clone()
    };
    let doubled = network.with_header(header(2.0 * network.header().search_scale));
    let doubled = doubled.expect("twice the scale");
    assert_ne!(doubled.name(), network.name());
    for position in random_positions(5) {
        let (own, other) = (position.own(), position.enemy());
        let (once, twice) = (network.evaluate(own, other), doubled.evaluate(own, other));
        assert!((2 * once - twice).abs() <= 2, "{once} and {twice}");
    }
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 2_000_000.0] {
        let error = network.with_header(header(scale)).expect_err("no scale");
        assert!(error.to_string().contains("scale"), "{error}");
    }
    let message = |header| network.with_header(header).expect_err("wrong").to_string();
    let mut other = header(1.0);
    other.wdl_model.spread = 0.0;
    assert!(message(other).contains("a WDL model of "));
    let mut other = header(1.0);
    other.trained = "x".repeat(1 << 23);
    assert!(message(other).contains("more than 8388608 bytes"));
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let quantise = |index: usize, value: f32| {
        let mut parameters = vec![0.0; PARAMETERS];
        parameters[index] = value;
        Network::quantise(header(), &parameters)
    };
    for (index, fits, does_not) in [
        (0, MOST_WINDOW_WEIGHT, 0.84),
        (WINDOW_WEIGHTS, 214.0, 215.0),
        (INPUT_WEIGHTS, 214.0, 215.0),
        (INPUT_WEIGHTS + HIDDEN, 127.0 / 64.0, 2.0),
        (PARAMETERS - BUCKETS, 1_433.0, 1_434.0),
    ] {
        for sign in [1.0, -1.0] {
            assert!(quantise(index, sign * fits).is_ok(), "{index}: {fits}");
            for value in [sign * does_not, sign * f32::INFINITY, f32::NAN] {
                let error = quantise(index, value).expect_err("too large").to_string();
                let expected = format!("parameter {index} is ");
                assert!(error.starts_with(&expected), "{value} gives {error}");
            }
        }
    }
    let error = Network::quantise(header(), &[0.0; 3]).expect_err("three");
    assert!(error.to_string().starts_with("3 parameters"), "{error}");
}

//! Parameters to integers, integers to scores.

use super::*;
use crate::board::{Position, Side};
use crate::network::samples::{architectures, header, network, parameters, random_positions, walk};
use crate::network::{Active, Architecture, FeatureSet, OutputBuckets};

/// The definition, in floating point.
fn reference(network: &Network, own: Bitboard, other: Bitboard) -> f64 {
    let Architecture {
        features,
        hidden,
        perspectives,
        buckets,
    } = network.header().architecture;
    let parameters: Vec<f64> = network.parameters().into_iter().map(f64::from).collect();
    let (weights, rest) = parameters.split_at(features.count() * hidden);
    let (biases, rest) = rest.split_at(hidden);
    let (head_weights, head_biases) =
        rest.split_at(buckets.count() * perspectives.count() * hidden);
    let head = buckets.bucket((own | other).count());
    let mut output = head_biases[head];
    let views = [(own, other), (other, own)];
    for (view, (own, other)) in views.into_iter().take(perspectives.count()).enumerate() {
        let mut active = Active::new();
        features.active(own, other, &mut active);
        for unit in 0..hidden {
            let rows = active.iter().map(|&feature| usize::from(feature));
            let sum: f64 = rows.map(|row| weights[row * hidden + unit]).sum();
            let value = (biases[unit] + sum).clamp(0.0, 1.0);
            let place = (head * perspectives.count() + view) * hidden + unit;
            output += value * value * head_weights[place];
        }
    }
    output * f64::from(network.header().search_scale)
}

#[test]
fn scores_are_those_of_the_definition() {
    for architecture in architectures([32, 96, 512]) {
        let network = network(architecture, 7);
        let mut scores = std::collections::BTreeSet::new();
        for position in random_positions(40) {
            let (own, other) = (position.own(), position.enemy());
            let score = network.evaluate(own, other);
            let expected = reference(&network, own, other);
            // Half for the rounding, a quarter for that of the multiplier.
            let error = (f64::from(score) - expected).abs();
            assert!(error < 0.76, "{architecture:?}: {score}, not {expected}");
            scores.insert(score);
        }
        assert!(scores.len() > 10, "{architecture:?}: {scores:?}");
    }
}

#[test]
fn scores_depend_on_nothing_but_the_stones() {
    let network = network(Architecture::default(), 3);
    for position in random_positions(10) {
        let swapped = Position::new(
            [Side::Black, Side::White].map(|side| position.stones(side)),
            !position.side(),
            3,
            9,
        );
        assert_eq!(
            network.evaluate(position.own(), position.enemy()),
            network.evaluate(swapped.own(), swapped.enemy())
        );
    }
    let all = Bitboard::LATTICE;
    for architecture in architectures([32]) {
        let network = self::network(architecture, 4);
        assert_eq!(
            network.evaluate(all, all),
            network.evaluate(all, Bitboard::EMPTY),
            "a point that both have is the own side's"
        );
    }
}

#[test]
fn all_levels_give_the_same_scores() {
    for architecture in architectures([32, 64, 128, 160]) {
        let network = network(architecture, 11);
        let scores = |network: &Network| -> Vec<i32> {
            let positions = walk(2);
            let positions = positions.iter().map(|(position, _)| position);
            positions
                .map(|position| network.evaluate(position.own(), position.enemy()))
                .collect()
        };
        let scalar = scores(&network.clone().with_simd(SimdLevel::SCALAR));
        for level in SimdLevel::available() {
            let network = network.clone().with_simd(level);
            assert_eq!(network.simd(), level);
            assert_eq!(scores(&network), scalar, "{level}, {architecture:?}");
        }
    }
}

#[test]
fn scores_are_rounded_and_clamped() {
    let architecture = Architecture {
        hidden: 32,
        buckets: OutputBuckets::One,
        ..Architecture::default()
    };
    let mut parameters = vec![0.0; architecture.parameters()];
    let bias = parameters.len() - 1;
    // With this scale, 65,536 units of the integer output are a unit of the search.
    let exact = 65_025.0 / 1_024.0;
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
        parameters[bias] = output;
        let header = Header {
            search_scale: scale,
            ..header(architecture)
        };
        let network = Network::quantise(header, &parameters).expect("nothing overflows");
        let stones = Position::new([Bitboard::LATTICE, Bitboard::EMPTY], Side::White, 0, 1);
        assert_eq!(network.evaluate(stones.own(), stones.enemy()), score);
    }
}

#[test]
fn parameters_come_back() {
    for architecture in architectures([32]) {
        let parameters = parameters(architecture, 5);
        let header = header(architecture);
        let network = Network::quantise(header.clone(), &parameters).expect("small");
        let rounded = network.parameters();
        for (index, (before, after)) in std::iter::zip(&parameters, &rounded).enumerate() {
            assert!((before - after).abs() <= 0.5 / 64.0, "parameter {index}");
        }
        let again = Network::quantise(header, &rounded).expect("small");
        assert_eq!(again.weights, network.weights);
        assert_eq!(again.name(), network.name());
    }
}

#[test]
fn another_header_changes_scale_and_name() {
    let network = network(Architecture::default(), 1);
    let header = |scale| Header {
        search_scale: scale,
        ..network.header().clone()
    };
    let doubled = network
        .with_header(header(2.0 * network.header().search_scale))
        .expect("the same architecture");
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
    let mut other = header(1.0);
    other.architecture.hidden = 32;
    let message = |header| network.with_header(header).expect_err("wrong").to_string();
    assert!(message(other).contains("another architecture"));
    let mut other = header(1.0);
    other.wdl_model.spread = 0.0;
    assert!(message(other).contains("a WDL model of "));
    let mut other = header(1.0);
    other.trained = "x".repeat(1 << 23);
    assert!(message(other).contains("more than 8388608 bytes"));
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let architecture = Architecture {
        features: FeatureSet::Points,
        hidden: 64,
        perspectives: Perspectives::Double,
        buckets: OutputBuckets::Stones,
    };
    let quantise = |index: usize, value: f32| {
        let mut parameters = vec![0.0; architecture.parameters()];
        parameters[index] = value;
        Network::quantise(header(architecture), &parameters)
    };
    let input = architecture.input_weights();
    let heads = input + architecture.hidden;
    let biases = architecture.parameters() - architecture.buckets.count();
    for (index, fits, does_not) in [
        (0, 128.0, 129.0),
        (input, 128.0, 129.0),
        (heads, 127.0 / 64.0, 2.0),
        (biases, 515.0, 517.0),
    ] {
        for sign in [1.0, -1.0] {
            assert!(quantise(index, sign * fits).is_ok(), "{index}: {fits}");
            for value in [sign * does_not, sign * f32::INFINITY, f32::NAN] {
                let error = quantise(index, value).expect_err("too large").to_string();
                let expected = format!("parameter {index} is ");
                assert!(
                    error.starts_with(&expected),
                    "{index}: {value} gives {error}"
                );
            }
        }
    }
    let error = Network::quantise(header(architecture), &[0.0; 3]).expect_err("three");
    assert!(error.to_string().starts_with("3 parameters"), "{error}");
    let impossible = Architecture {
        hidden: 100,
        ..architecture
    };
    let parameters = vec![0.0; impossible.parameters()];
    let error = Network::quantise(header(impossible), &parameters).expect_err("100");
    assert!(error.to_string().starts_with("100 hidden units"), "{error}");
}

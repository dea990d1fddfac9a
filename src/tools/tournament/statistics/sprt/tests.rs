use super::*;
use crate::tournament::statistics::GameCounts;

fn test(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
    Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
        model,
        skip_abandoned: false,
    }
}

fn normalized(elo0: f64, elo1: f64) -> Sprt {
    test(elo0, elo1, SprtModel::Normalized)
}

fn logistic(elo0: f64, elo1: f64) -> Sprt {
    test(elo0, elo1, SprtModel::Logistic)
}

fn pairs(pairs: [u64; 5]) -> Tally {
    Tally::from_counts(GameCounts::default(), GameCounts::default(), pairs)
}

fn games(wins: u64, losses: u64, draws: u64) -> Tally {
    Tally::from_counts([wins, draws, losses].into(), GameCounts::default(), [0; 5])
}

// The counts are those of the self-test in Fishtest's server/fishtest/stats/stat_util.py and some
// extreme ones; the ratios are what the formulas of its LLRcalc.py yield.
#[test]
fn ratios_as_in_fishtest() {
    let logistic_of_pairs = [
        ([-3.0, 1.0], [10789, 19328, 33806, 19402, 10543], 2.131_068),
        ([-3.0, 1.0], [1187, 7410, 13475, 7378, 1164], 2.861_527),
        ([0.2, 0.9], [39, 2226, 31451, 2412, 40], 2.162_543),
        ([0.0, 5.0], [0, 0, 0, 2, 5], 0.100_024),
        ([0.0, 5.0], [0, 0, 40, 0, 0], -0.572_882),
    ];
    let normalized_of_pairs = [
        ([-3.0, 1.0], [10789, 19328, 33806, 19402, 10543], 0.300_870),
        ([0.764, 3.439], [39, 2226, 31451, 2412, 40], 2.162_941),
        ([0.0, 5.0], [0, 0, 0, 2, 5], 0.130_452),
        ([-10.0, 30.0], [3, 10, 25, 14, 6], 1.221_327),
        ([0.0, 5.0], [0, 0, 40, 0, 0], -0.013_658),
    ];
    let check = |sprt: Sprt, tally: &Tally, wanted: f64| {
        let found = sprt.log_likelihood_ratio(tally);
        let is_near = (found - wanted).abs() <= 1e-5;
        assert!(is_near, "{sprt:?} {tally:?}: {found}, want {wanted}");
    };
    for ([elo0, elo1], counts, wanted) in logistic_of_pairs {
        check(logistic(elo0, elo1), &pairs(counts), wanted);
    }
    for ([elo0, elo1], counts, wanted) in normalized_of_pairs {
        check(normalized(elo0, elo1), &pairs(counts), wanted);
        // Pairs go before games.
        let games = games(30, 5, 10).games();
        let both = Tally::from_counts(games, games, counts);
        check(normalized(elo0, elo1), &both, wanted);
    }
    let single = games(65388, 65804, 56553);
    check(logistic(-3.0, 1.0), &single, 2.049_043);
    check(normalized(-3.0, 1.0), &single, 0.491_712);
}

#[test]
fn the_bounds_decide() {
    let sprt = normalized(0.0, 5.0);
    let state = sprt.state(&Tally::default());
    assert_eq!(state.llr, 0.0);
    assert_eq!(state.decision, SprtDecision::Continue);
    assert!((state.upper - 19.0_f64.ln()).abs() < 1e-12);
    assert!((state.lower + 19.0_f64.ln()).abs() < 1e-12);
    let mut uneven = sprt;
    (uneven.alpha, uneven.beta) = (0.01, 0.1);
    assert!((uneven.bounds().0 - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    assert!((uneven.bounds().1 - 90.0_f64.ln()).abs() < 1e-12);
    let decision = |tally: &Tally| sprt.state(tally).decision;
    assert_eq!(decision(&games(2000, 1000, 3000)), SprtDecision::AcceptH1);
    assert_eq!(decision(&games(1000, 2000, 3000)), SprtDecision::AcceptH0);
}

#[test]
fn wrong_numbers_are_refused_and_do_no_harm() {
    let right = normalized(0.0, 5.0);
    assert_eq!(right.validate(), Ok(()));
    for [elo0, elo1] in [[5.0, 5.0], [f64::NAN, 5.0], [0.0, 201.0]] {
        normalized(elo0, elo1).validate().expect_err("wrong");
    }
    for rate in [0.0, -0.1, 0.5, f64::NAN, f64::INFINITY] {
        for (alpha, beta) in [(rate, 0.05), (0.05, rate)] {
            let mut sprt = right;
            (sprt.alpha, sprt.beta) = (alpha, beta);
            assert!(sprt.validate().is_err(), "{alpha}, {beta}");
        }
    }
    let tally = pairs([1, 2, 3, 4, 5]);
    for elo in [f64::NAN, f64::INFINITY, 1e300, -1e5] {
        for model in [SprtModel::Normalized, SprtModel::Logistic] {
            let state = test(elo, elo, model).state(&tally);
            assert_eq!(state.decision, SprtDecision::Continue);
        }
    }
}

#[test]
fn a_test_as_json() {
    let short: Sprt = serde_json::from_str("{\"elo0\":0,\"elo1\":5}").expect("right");
    assert_eq!(short, normalized(0.0, 5.0));
    let full = logistic(-3.0, 1.0);
    let text = serde_json::to_string(&full).expect("can be written");
    assert_eq!(serde_json::from_str::<Sprt>(&text).expect("right"), full);
    for wrong in ["{\"elo0\":0,\"elo1\":5,\"elo2\":7}", "{\"elo0\":0}"] {
        assert!(serde_json::from_str::<Sprt>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sentences() {
    use SprtDecision::{AcceptH0, AcceptH1, Continue};
    let mut uneven = logistic(-3.0, -1.5);
    (uneven.alpha, uneven.beta) = (0.07, 0.001);
    let test = normalized(-0.0, 5.0);
    let upper = "SPRT: H1 accepted: A is stronger than B (LLR 2.95 reached the upper bound 2.94; if the difference \
        were 0 normalised Elo or less, at most about 5 % of such matches would end this way)";
    let lower = "SPRT: H0 accepted: A is not stronger than B by 5 normalised Elo or more (LLR -2.95 reached the lower \
        bound -2.94; if the difference were 5 normalised Elo or more, at most about 5 % of such matches would end this \
        way)";
    let open = "SPRT: undecided between H0, 0 normalised Elo, and H1, 5 normalised Elo (LLR 1.00 between the bounds \
        -2.94 and 2.94)";
    let [early, late] = [(2, "upper"), (1, "lower")].map(|(llr, which)| {
        format!("(LLR {llr}.00, but with fewer games it reached the {which} bound ")
    });
    let not_weaker = "A is not weaker than B by 3 Elo or more (LLR|difference were -3 Elo or less, at most about 7 %";
    let weaker = "A is weaker than B by more than 1.5 Elo (LLR|difference were -1.5 Elo or more, at most about 0.1 %";
    let stronger = "A is stronger than B by more than 2 Elo (LLR";
    for (sprt, llr, decision, words) in [
        (test, 2.951, AcceptH1, upper),
        (test, -2.951, AcceptH0, lower),
        (test, 1.0, Continue, open),
        (test, 2.0, AcceptH1, &early),
        (test, 1.0, AcceptH0, &late),
        (uneven, 3.0, AcceptH1, not_weaker),
        (uneven, -8.0, AcceptH0, weaker),
        (logistic(2.0, 4.0), 3.0, AcceptH1, stronger),
        (
            logistic(-5.0, 0.0),
            -3.0,
            AcceptH0,
            "A is weaker than B (LLR",
        ),
    ] {
        let (lower, upper) = sprt.bounds();
        let state = SprtState {
            llr,
            lower,
            upper,
            decision,
        };
        let told = sprt.explain(&state, "A", "B");
        assert!(words.split('|').all(|words| told.contains(words)), "{told}");
        assert!(!words.starts_with("SPRT") || told == words, "{told}");
    }
}

#[test]
fn the_length_of_a_test_is_estimated() {
    let sprt = |text: &str| text.parse::<Sprt>().expect(text);
    let test = sprt("elo0=0,elo1=5");
    let games = |wins, losses| {
        let half = GameCounts::from([wins, 200, losses]);
        let pairs = [losses, 0, 400, 0, wins];
        test.expected_games(&Tally::from_counts(half, half, pairs))
    };
    // Without games: the mean exit time of a walk without drift, 2.944² in units of its variance.
    let start = test.expected_games(&Tally::default());
    assert!((start - 41_850.0).abs() < 100.0, "{start}");
    // A lead shortens the test as much as an equal deficit.
    let (ahead, behind) = (games(120, 80), games(80, 120));
    assert!(ahead > 800.0 && ahead < start / 2.0, "{ahead}");
    assert!(behind > 800.0 && behind < start / 2.0, "{behind}");
    assert!(sprt("elo0=0,elo1=10").expected_games(&Tally::default()) < start / 3.9);
    let logistic = sprt("elo0=0,elo1=5,model=logistic").expected_games(&Tally::default());
    assert!(logistic.is_finite() && logistic > 1000.0, "{logistic}");
}

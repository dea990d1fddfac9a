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
    let games = GameCounts {
        wins,
        draws,
        losses,
    };
    Tally::from_counts(games, GameCounts::default(), [0; 5])
}

fn assert_ratio(sprt: Sprt, tally: &Tally, wanted: f64, tolerance: f64) {
    let found = sprt.log_likelihood_ratio(tally);
    assert!(
        (found - wanted).abs() <= tolerance,
        "{sprt:?} {tally:?}: {found}, want {wanted}"
    );
}

// The counts are those of the self-test in Fishtest's server/fishtest/stats/stat_util.py and some
// extreme ones; the ratios are what the formulas of its LLRcalc.py yield.
#[test]
fn ratios_as_in_fishtest() {
    for (sprt, tally, wanted) in [
        (
            logistic(-3.0, 1.0),
            pairs([10789, 19328, 33806, 19402, 10543]),
            2.131_068,
        ),
        (
            normalized(-3.0, 1.0),
            pairs([10789, 19328, 33806, 19402, 10543]),
            0.300_870,
        ),
        (
            logistic(-3.0, 1.0),
            pairs([1187, 7410, 13475, 7378, 1164]),
            2.861_527,
        ),
        (
            logistic(0.2, 0.9),
            pairs([39, 2226, 31451, 2412, 40]),
            2.162_543,
        ),
        (
            normalized(0.764, 3.439),
            pairs([39, 2226, 31451, 2412, 40]),
            2.162_941,
        ),
        (logistic(-3.0, 1.0), games(65388, 65804, 56553), 2.049_043),
        (normalized(-3.0, 1.0), games(65388, 65804, 56553), 0.491_712),
        (logistic(0.0, 5.0), pairs([0, 0, 0, 2, 5]), 0.100_024),
        (normalized(0.0, 5.0), pairs([0, 0, 0, 2, 5]), 0.130_452),
        (
            normalized(-10.0, 30.0),
            pairs([3, 10, 25, 14, 6]),
            1.221_327,
        ),
        (logistic(0.0, 5.0), pairs([0, 0, 40, 0, 0]), -0.572_882),
        (normalized(0.0, 5.0), pairs([0, 0, 40, 0, 0]), -0.013_658),
    ] {
        assert_ratio(sprt, &tally, wanted, 1e-5);
    }
}

#[test]
fn pairs_go_before_games() {
    let some = GameCounts {
        wins: 30,
        draws: 10,
        losses: 5,
    };
    let sprt = normalized(0.0, 5.0);
    let both = Tally::from_counts(some, some, [2, 5, 20, 8, 3]);
    let found = sprt.log_likelihood_ratio(&both);
    assert_eq!(found, sprt.log_likelihood_ratio(&pairs([2, 5, 20, 8, 3])));
}

#[test]
fn the_bounds_decide() {
    let sprt = normalized(0.0, 5.0);
    let state = sprt.state(&Tally::default());
    assert_eq!(state.llr, 0.0);
    assert_eq!(state.decision, SprtDecision::Continue);
    assert!((state.upper - 19.0_f64.ln()).abs() < 1e-12);
    assert!((state.lower + 19.0_f64.ln()).abs() < 1e-12);
    let uneven = Sprt {
        alpha: 0.01,
        beta: 0.1,
        ..sprt
    };
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
    for wrong in [
        normalized(5.0, 5.0),
        normalized(f64::NAN, 5.0),
        logistic(0.0, 201.0),
    ] {
        wrong.validate().expect_err("wrong");
    }
    for rate in [0.0, -0.1, 0.5, f64::NAN, f64::INFINITY] {
        let alpha = Sprt {
            alpha: rate,
            ..right
        };
        let beta = Sprt {
            beta: rate,
            ..right
        };
        assert!(
            alpha.validate().is_err() && beta.validate().is_err(),
            "{rate}"
        );
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

fn explained(sprt: Sprt, llr: f64, decision: SprtDecision) -> String {
    let (lower, upper) = sprt.bounds();
    let state = SprtState {
        llr,
        lower,
        upper,
        decision,
    };
    sprt.explain(&state, "A", "B")
}

#[test]
fn sentences() {
    use SprtDecision::{AcceptH0, AcceptH1, Continue};
    assert_eq!(
        explained(normalized(0.0, 5.0), 2.951, AcceptH1),
        "SPRT: H1 accepted: A is stronger than B (LLR 2.95 reached the upper bound 2.94; if the \
         difference were 0 normalised Elo or less, at most about 5 % of such matches would end this way)"
    );
    assert_eq!(
        explained(normalized(-0.0, 5.0), -2.951, AcceptH0),
        "SPRT: H0 accepted: A is not stronger than B by 5 normalised Elo or more (LLR -2.95 reached \
         the lower bound -2.94; if the difference were 5 normalised Elo or more, at most about 5 % of \
         such matches would end this way)"
    );
    assert_eq!(
        explained(normalized(-0.0, 5.0), 1.0, Continue),
        "SPRT: undecided between H0, 0 normalised Elo, and H1, 5 normalised Elo (LLR 1.00 between \
         the bounds -2.94 and 2.94)"
    );
    for (llr, decision, bound) in [(2.0, AcceptH1, "upper"), (1.0, AcceptH0, "lower")] {
        let taken_back = explained(normalized(0.0, 5.0), llr, decision);
        let wanted = format!("(LLR {llr:.2}, but with fewer games it reached the {bound} bound ");
        assert!(taken_back.contains(&wanted), "{taken_back}");
    }
    let uneven = Sprt {
        alpha: 0.07,
        beta: 0.001,
        ..logistic(-3.0, -1.5)
    };
    for (sprt, llr, decision, words) in [
        (
            uneven,
            3.0,
            AcceptH1,
            "A is not weaker than B by 3 Elo or more (LLR",
        ),
        (
            uneven,
            3.0,
            AcceptH1,
            "difference were -3 Elo or less, at most about 7 %",
        ),
        (
            uneven,
            -8.0,
            AcceptH0,
            "A is weaker than B by more than 1.5 Elo (LLR",
        ),
        (
            uneven,
            -8.0,
            AcceptH0,
            "difference were -1.5 Elo or more, at most about 0.1 %",
        ),
        (
            logistic(2.0, 4.0),
            3.0,
            AcceptH1,
            "A is stronger than B by more than 2 Elo (LLR",
        ),
        (
            logistic(-5.0, 0.0),
            -3.0,
            AcceptH0,
            "A is weaker than B (LLR",
        ),
    ] {
        let told = explained(sprt, llr, decision);
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn the_length_of_a_test_is_estimated() {
    let sprt = |text: &str| text.parse::<Sprt>().expect(text);
    let test = sprt("elo0=0,elo1=5");
    let games = |wins, losses| {
        let half = |count| GameCounts {
            wins: count,
            draws: 200,
            losses,
        };
        let pairs = [losses, 0, 400, 0, wins];
        test.expected_games(&Tally::from_counts(half(wins), half(wins), pairs))
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

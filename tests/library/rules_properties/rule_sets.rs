//! The rule sets that are tested.

use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use vato_engine::board::BoardSize;
use vato_engine::rules::{
    Blocked, CaptureRule, ChainRule, DirectionRule, Eating, OpeningRule, Preset, Rules, Tie, Vela,
};

/// Every preset but `custom`.
pub fn presets() -> Vec<Rules> {
    Preset::ALL.into_iter().filter_map(Preset::rules).collect()
}

/// Every combination of the parameters that decide which turns are legal, on the standard board.
pub fn movements() -> Vec<Rules> {
    let mut all = vec![Rules::STANDARD];
    all = vary(all, &CaptureRule::ALL, |rules, value| rules.capture = value);
    all = vary(all, &ChainRule::ALL, |rules, value| rules.chain = value);
    all = vary(all, &DirectionRule::ALL, |rules, value| {
        rules.direction = value
    });
    all = vary(all, &OpeningRule::ALL, |rules, value| rules.opening = value);
    all = vary(all, &Vela::ALL, |rules, value| rules.vela = value);
    // What else there is decides the turns of some positions only.
    for (number, rules) in all.iter_mut().enumerate() {
        rules.blocked = Blocked::ALL[number % Blocked::ALL.len()];
        if rules.vela != Vela::Off {
            rules.eating = Eating::ALL[number / 2 % Eating::ALL.len()];
        }
    }
    all
}

fn vary<T: Copy>(all: Vec<Rules>, values: &[T], set: impl Fn(&mut Rules, T)) -> Vec<Rules> {
    all.into_iter()
        .flat_map(|rules| values.iter().map(move |&value| (rules, value)))
        .map(|(mut rules, value)| {
            set(&mut rules, value);
            rules
        })
        .collect()
}

/// Any rule set at all, the board included.
pub fn any(random: &mut SmallRng) -> Rules {
    fn pick<T: Copy>(random: &mut SmallRng, values: &[T]) -> T {
        *values.choose(random).expect("every parameter has values")
    }
    let vela = pick(random, &Vela::ALL);
    Rules {
        board: pick(random, &BoardSize::ALL),
        capture: pick(random, &CaptureRule::ALL),
        chain: pick(random, &ChainRule::ALL),
        direction: pick(random, &DirectionRule::ALL),
        opening: pick(random, &OpeningRule::ALL),
        blocked: pick(random, &Blocked::ALL),
        tie: pick(random, &Tie::ALL),
        repeat: random.random_range(0..4),
        limit: pick(random, &[0, 1, 5, 20, 100]),
        vela,
        eating: match vela {
            Vela::Off => Eating::Free,
            _ => pick(random, &Eating::ALL),
        },
    }
}

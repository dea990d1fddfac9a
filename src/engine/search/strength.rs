//! Playing strength: limiting the search for weaker opponents.
//!
//! A limited search has few *nodes*, and a *misjudgement*: an error added to every evaluation. Both follow from
//! one number, an Elo on a scale of our own, and neither depends on the speed of the machine. Moves are not
//! randomised: the search plays the best move by its own evaluation, so mistakes look natural. Errors alone do not
//! make a beginner: a search over random values still prefers to have a choice (Beal and Smith, *Random Evaluations in
//! Chess*, ICCA Journal 17(1), 1994). So the weakest players do not see all of their moves. Both are the same whenever a
//! position recurs in the same game, and differ in the next game, which has another *seed*.
//!
//! A limited search uses one thread, one line, no tablebases, and only table entries and statistics of searches of
//! the same strength and seed.

use std::fmt;

use crate::board::Position;
use crate::eval::{Evaluator, MOST_EVALUATION};
use crate::random::{drawn_number, split_mix};

/// Playing strength of a search: full, or limited to an Elo.
///
/// ```
/// use vato_engine::search::{Limits, Strength};
///
/// let strength = Strength::from_elo(1500).with_seed(Strength::drawn_seed());
/// let limits = Limits { strength, ..Limits::default() };
/// assert_eq!(limits.strength.elo(), Some(1500));
/// assert!(Strength::from_level(Strength::FULL_LEVEL).is_full());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Strength {
    limit: Option<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Limit {
    elo: u32,
    seed: u64,
}

/// Players of measured strength, from matches between neighbours (`bench/strength.sh`; results in
/// `bench/RESULTS.md`): Elo, nodes, misjudgement, and the percentage of their moves that they overlook. 2000 is the
/// engine at full strength with 1,000 nodes a move. Between two of them all numbers are interpolated.
const LADDER: [(u32, u64, u64, u64); 18] = [
    (500, 5, 520, 95),
    (600, 5, 520, 83),
    (700, 5, 520, 71),
    (800, 5, 520, 56),
    (900, 5, 520, 32),
    (1000, 5, 520, 0),
    (1100, 15, 270, 0),
    (1200, 35, 160, 0),
    (1300, 55, 122, 0),
    (1400, 80, 103, 0),
    (1500, 110, 86, 0),
    (1600, 160, 68, 0),
    (1700, 230, 55, 0),
    (1800, 330, 45, 0),
    (1900, 560, 33, 0),
    (2000, 1_300, 18, 0),
    (2100, 4_500, 7, 0),
    (2200, 30_000, 3, 0),
];

impl Strength {
    /// Full strength.
    pub const FULL: Strength = Strength { limit: None };
    /// The Elo of the weakest player.
    pub const MIN_ELO: u32 = LADDER[0].0;
    /// The Elo of the strongest limited player.
    pub const MAX_ELO: u32 = LADDER[LADDER.len() - 1].0;
    /// The level of full strength. The levels below are evenly spaced in Elo.
    pub const FULL_LEVEL: u32 = 20;
    /// The level of a first game: whoever only knows the rules, and always takes the most, wins some.
    pub const FIRST_LEVEL: u32 = 1;
    /// The largest seed: short enough to type.
    pub const MAX_SEED: u64 = u32::MAX as u64;

    /// Strength of this Elo, clamped to [`Strength::MIN_ELO`] to [`Strength::MAX_ELO`]. The seed is 0.
    pub fn from_elo(elo: u32) -> Strength {
        let elo = elo.clamp(Strength::MIN_ELO, Strength::MAX_ELO);
        Strength {
            limit: Some(Limit { elo, seed: 0 }),
        }
    }

    /// Strength of a level from 0 to [`Strength::FULL_LEVEL`] (clamped): 0 is [`Strength::MIN_ELO`],
    /// the last but one [`Strength::MAX_ELO`]. The seed is 0.
    pub fn from_level(level: u32) -> Strength {
        let strongest = Strength::FULL_LEVEL - 1;
        if level > strongest {
            return Strength::FULL;
        }
        let range = Strength::MAX_ELO - Strength::MIN_ELO;
        Strength::from_elo(Strength::MIN_ELO + (range * level + strongest / 2) / strongest)
    }

    /// The same strength with this seed. Use one seed per game, so that errors are consistent
    /// throughout it. Full strength makes no errors and has no seed.
    pub fn with_seed(self, seed: u64) -> Strength {
        Strength {
            limit: self.limit.map(|limit| Limit { seed, ..limit }),
        }
    }

    /// A random seed from 1 to [`Strength::MAX_SEED`].
    pub fn drawn_seed() -> u64 {
        1 + drawn_number() % Strength::MAX_SEED
    }

    /// Whether it is full strength.
    pub const fn is_full(&self) -> bool {
        self.limit.is_none()
    }

    /// The Elo, on the scale whose 2000 is full strength with 1,000 nodes a move; `None` at full strength.
    pub fn elo(&self) -> Option<u32> {
        self.limit.map(|limit| limit.elo)
    }

    /// Seed of the errors; `None` at full strength.
    pub fn seed(&self) -> Option<u64> {
        self.limit.map(|limit| limit.seed)
    }

    /// Nodes per move; `None` at full strength. They do not end the first iteration, which has more where much is
    /// misjudged: quiescence ends late then.
    pub fn nodes(&self) -> Option<u64> {
        self.elo().map(|elo| between(elo, |(_, nodes, ..)| nodes))
    }

    /// Standard deviation of the evaluation error, in units of the search (about 100 a stone). 0 at full strength.
    pub fn misjudgement(&self) -> u32 {
        let error = |elo| between(elo, |(_, _, misjudgement, _)| misjudgement);
        self.elo().map_or(0, error) as u32
    }

    /// How many of its turns at the root it does not see, in percent. 0 at full strength.
    pub fn overlooked(&self) -> u64 {
        let share = |elo| between(elo, |(.., overlooked)| overlooked);
        self.elo().map_or(0, share)
    }

    /// Leaves of the turns of a position those that the player sees, or else one of them; `after` is the position after
    /// one. Weak players overlook turns, the same ones whenever a position recurs in a game.
    pub(super) fn retain_seen<T>(&self, turns: &mut Vec<T>, after: impl Fn(&T) -> Position) {
        let overlooked = self.overlooked();
        let notice = |turn: &T| split_mix(!after(turn).key() ^ self.salt()) % 100;
        let most = turns.iter().map(notice).max().unwrap_or(0);
        if overlooked > 0 {
            turns.retain(|turn| notice(turn) >= overlooked.min(most));
        }
    }

    /// Salt of the errors and of the table keys: 0 at full strength, distinct for every strength and seed.
    pub(super) fn salt(&self) -> u64 {
        self.limit.map_or(0, |limit| {
            split_mix(split_mix(u64::from(limit.elo)) ^ limit.seed)
        })
    }
}

/// Interpolates a number of the ladder at an Elo within its range.
fn between(elo: u32, number: fn((u32, u64, u64, u64)) -> u64) -> u64 {
    let above = LADDER.iter().position(|&(higher, ..)| higher > elo);
    let above = above.unwrap_or(LADDER.len() - 1);
    let (low, high) = (LADDER[above.saturating_sub(1)], LADDER[above]);
    let (all, part) = (u64::from(high.0 - low.0), u64::from(elo - low.0));
    (number(low) * (all - part) + number(high) * part) / all
}

impl fmt::Display for Strength {
    /// `full`, or for instance `Elo 1500 (110 nodes, misjudgement 86, seed 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.limit, self.nodes()) {
            (Some(Limit { elo, seed }), Some(nodes)) => {
                let misjudgement = self.misjudgement();
                write!(
                    f,
                    "Elo {elo} ({nodes} nodes, misjudgement {misjudgement}, seed {seed})"
                )
            }
            _ => f.write_str("full"),
        }
    }
}

/// The standard deviation of the sum of four uniformly distributed numbers below 65,536.
const SPREAD_OF_SUM: i64 = 37_837;
/// The mean of such a sum.
const MEAN_OF_SUM: i64 = 131_070;

/// An evaluation with noise: each position has its own error, the same for every evaluation with the same seed.
pub(super) struct NoisyEvaluator<'a> {
    sound: Box<dyn Evaluator + 'a>,
    /// Seed of the errors.
    salt: u64,
    /// Standard deviation of the error.
    spread: i64,
}

impl<'a> NoisyEvaluator<'a> {
    /// Adds the errors of this strength to `sound`.
    pub(super) fn new(sound: Box<dyn Evaluator + 'a>, strength: Strength) -> NoisyEvaluator<'a> {
        NoisyEvaluator {
            sound,
            salt: strength.salt(),
            spread: i64::from(strength.misjudgement()),
        }
    }

    /// The error for a position, rounded towards zero: nearly normally distributed, at most 3.5 times the spread.
    fn error(&self, position: &Position) -> i32 {
        let hash = split_mix(position.key() ^ self.salt);
        let sum: u64 = (0..4).map(|part| hash >> (16 * part) & 0xffff).sum();
        ((sum.cast_signed() - MEAN_OF_SUM) * self.spread / SPREAD_OF_SUM) as i32
    }
}

impl Evaluator for NoisyEvaluator<'_> {
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.sound.evaluate(position, ply);
        (value + self.error(position)).clamp(-MOST_EVALUATION, MOST_EVALUATION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Point, Side};

    /// Evaluates every position as equal.
    struct Indifferent;

    impl Evaluator for Indifferent {
        fn evaluate(&mut self, _position: &Position, _ply: usize) -> i32 {
            0
        }
    }

    /// Positions of two stones each.
    fn positions() -> impl Iterator<Item = Position> {
        let columns = (0..9).flat_map(|column| (0..5).map(move |row| (column, row)));
        let points: Vec<Point> = columns
            .filter_map(|(column, row)| Point::at(column, row))
            .collect();
        (0..1_000).map(move |number| {
            let point = |place: usize| Bitboard::from(points[place]);
            let white = point(number % 7) | point(7 + number / 7 % 13);
            let black = point(20 + number / 91) | point(44);
            Position::new([white, black], Side::White, 0, 20)
        })
    }

    fn errors(strength: Strength) -> Vec<i32> {
        let mut evaluator = NoisyEvaluator::new(Box::new(Indifferent), strength);
        let error = |position| evaluator.evaluate(&position, 0);
        positions().map(error).collect()
    }

    #[test]
    fn errors_are_as_large_as_the_strength_says() {
        for elo in [Strength::MIN_ELO, 1500, Strength::MAX_ELO] {
            let strength = Strength::from_elo(elo);
            let spread = f64::from(strength.misjudgement());
            let errors = errors(strength);
            let count = errors.len() as f64;
            let mean = errors.iter().map(|&error| f64::from(error)).sum::<f64>() / count;
            let squares: f64 = errors.iter().map(|&error| f64::from(error).powi(2)).sum();
            let deviation = (squares / count).sqrt();
            assert!(mean.abs() < 0.15 * spread, "{elo}: mean {mean}");
            let is_near = (deviation / spread - 1.0).abs() < 0.15;
            assert!(is_near, "{elo}: {deviation}, not {spread}");
        }
    }

    #[test]
    fn errors_are_the_same_with_the_same_seed_only() {
        let strength = Strength::from_elo(1200);
        assert_eq!(errors(strength.with_seed(5)), errors(strength.with_seed(5)));
        let (some, others) = (errors(strength.with_seed(5)), errors(strength.with_seed(6)));
        let same = some.iter().zip(&others).filter(|(a, b)| a == b).count();
        assert!(same < some.len() / 20, "{same} are the same");
    }

    #[test]
    fn more_elo_is_never_worse() {
        let mut last = Strength::from_elo(0);
        assert_eq!(last.elo(), Some(Strength::MIN_ELO));
        for elo in Strength::MIN_ELO + 1..=Strength::MAX_ELO {
            let strength = Strength::from_elo(elo);
            assert!(strength.nodes() >= last.nodes(), "{strength}");
            assert!(strength.misjudgement() <= last.misjudgement(), "{strength}");
            assert!(strength.overlooked() <= last.overlooked(), "{strength}");
            let other = Strength::from_elo(elo.saturating_sub(40));
            let has_more = strength.nodes() > other.nodes();
            let sees_more = strength.overlooked() < other.overlooked();
            let is_first = other.elo() == Some(Strength::MIN_ELO);
            assert!(has_more || sees_more || is_first, "{other} {strength}");
            last = strength;
        }
        assert!(last.misjudgement() > 0, "the strongest varies its play too");
        assert_eq!(Strength::from_elo(u32::MAX), last);
    }

    #[test]
    fn rungs_are_what_the_ladder_says() {
        for rung in &LADDER {
            let strength = Strength::from_elo(rung.0);
            assert_eq!(strength.nodes(), Some(rung.1));
            assert_eq!(u64::from(strength.misjudgement()), rung.2);
            assert_eq!(strength.overlooked(), rung.3);
        }
    }

    #[test]
    fn levels_are_evenly_spaced() {
        let elo = |level| Strength::from_level(level).elo();
        assert_eq!(elo(0), Some(Strength::MIN_ELO));
        assert_eq!(elo(Strength::FULL_LEVEL - 1), Some(Strength::MAX_ELO));
        let levels: Vec<u32> = (0..Strength::FULL_LEVEL).filter_map(elo).collect();
        assert_eq!(levels.len(), 20);
        let even = (Strength::MAX_ELO - Strength::MIN_ELO) / 19;
        for pair in levels.windows(2) {
            assert!((even..=even + 1).contains(&(pair[1] - pair[0])));
        }
        for level in [Strength::FULL_LEVEL, u32::MAX] {
            assert_eq!(Strength::from_level(level), Strength::FULL);
        }
    }

    #[test]
    fn seeds_belong_to_players_that_make_mistakes() {
        assert_eq!(Strength::FULL.with_seed(7), Strength::FULL);
        assert_eq!(Strength::FULL.salt(), 0);
        let strength = Strength::from_elo(1500);
        assert_eq!(strength.with_seed(7).seed(), Some(7));
        assert_ne!(strength.with_seed(7).salt(), strength.with_seed(8).salt());
        let seeds: Vec<u64> = (0..8).map(|_| Strength::drawn_seed()).collect();
        let mut all = seeds.iter();
        assert!(all.all(|seed| (1..=Strength::MAX_SEED).contains(seed)));
        assert!(seeds.iter().any(|&seed| seed != seeds[0]), "{seeds:?}");
    }
}

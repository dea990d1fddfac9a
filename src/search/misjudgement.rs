//! Evaluation with mistakes, for players of limited strength.

use super::Strength;
use crate::board::Position;
use crate::eval::Evaluator;
use crate::split_mix::split_mix;

/// The standard deviation of the sum of four numbers below 65,536, all of them equally likely.
const SPREAD_OF_SUM: i64 = 37_837;
/// What such a sum is on average.
const MEAN_OF_SUM: i64 = 131_070;

/// The largest value of an evaluation.
const MOST: i32 = 20_000;

/// An evaluation that is wrong about every position by an amount of its own: the same amount whenever that
/// position is evaluated with the same seed, so that a search finds an opinion there, not noise.
pub(super) struct Misjudging<'a> {
    sound: Box<dyn Evaluator + 'a>,
    /// What the errors derive from.
    salt: u64,
    /// Standard deviation of the error.
    spread: i64,
}

impl<'a> Misjudging<'a> {
    /// What a player of this strength takes `sound` for.
    pub(super) fn new(sound: Box<dyn Evaluator + 'a>, strength: Strength) -> Misjudging<'a> {
        Misjudging {
            sound,
            salt: strength.salt(),
            spread: i64::from(strength.misjudgement()),
        }
    }

    /// The error about a position, in whole units, nearer to zero where it lies between two: distributed
    /// nearly normally, and never more than 3.5 times the spread.
    fn error(&self, position: &Position) -> i32 {
        let hash = split_mix(position.key() ^ self.salt);
        let sum: u64 = (0..4).map(|part| hash >> (16 * part) & 0xffff).sum();
        ((sum.cast_signed() - MEAN_OF_SUM) * self.spread / SPREAD_OF_SUM) as i32
    }
}

impl Evaluator for Misjudging<'_> {
    fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let value = self.sound.evaluate(position, ply);
        (value + self.error(position)).clamp(-MOST, MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Point, Side};

    /// Sees no difference between positions.
    struct Indifferent;

    impl Evaluator for Indifferent {
        fn evaluate(&mut self, _position: &Position, _ply: usize) -> i32 {
            0
        }
    }

    /// Positions of two stones each.
    fn positions() -> Vec<Position> {
        let points: Vec<Point> = (0..9)
            .flat_map(|column| (0..5).filter_map(move |row| Point::at(column, row)))
            .collect();
        let stones =
            |one: usize, other: usize| Bitboard::from(points[one]) | Bitboard::from(points[other]);
        (0..1_000)
            .map(|number| {
                let [a, b, c] = [number % 7, 7 + number / 7 % 13, 20 + number / 91];
                Position::new([stones(a, b), stones(c, 44)], Side::White, 0, 20)
            })
            .collect()
    }

    fn errors(strength: Strength) -> Vec<i32> {
        let mut evaluator = Misjudging::new(Box::new(Indifferent), strength);
        let positions = positions();
        positions
            .iter()
            .map(|position| evaluator.evaluate(position, 0))
            .collect()
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
            assert!(
                (deviation / spread - 1.0).abs() < 0.15,
                "{elo}: {deviation}, not {spread}"
            );
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
}

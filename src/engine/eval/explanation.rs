//! The breakdown of an evaluation, for display.

use super::{Evaluation, handmade};
use crate::board::{Bitboard, Point, Position, Side};
use crate::network::Network;
use crate::rules::Rules;

/// The breakdown of a position's evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The evaluation used: `classical`, or `network` and its name.
    pub evaluation: String,
    /// The score for the side to move, in centi-stones.
    pub score: i32,
    /// The breakdown.
    pub parts: Parts,
}

/// The parts of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Parts {
    /// The terms of the hand-made evaluation, by name, in stones for the side to move; they add up to
    /// the score, up to rounding.
    Terms(Vec<(&'static str, f64)>),
    /// By point: the change of the network's score when the stone is on the board instead of absent, in
    /// centi-stones from White's view. A side's only stone is left out.
    Stones(Vec<(Point, i32)>),
}

impl Evaluation {
    /// The breakdown of a position's evaluation; `None` if a side has no stones.
    pub fn explain(&self, rules: &Rules, position: &Position) -> Option<Explanation> {
        if position.own().is_empty() || position.enemy().is_empty() {
            return None;
        }
        let unit = self.centistones_per_unit(rules);
        let shown = |score: i32| (score as f32 * unit).round() as i32;
        Some(Explanation {
            evaluation: self.name_for(rules),
            score: shown(self.evaluate(rules, position)),
            parts: match self.network_for(rules) {
                Some(network) => Parts::Stones(stone_values(network, position, shown)),
                None => Parts::Terms(handmade::terms(rules, position)),
            },
        })
    }
}

fn stone_values(
    network: &Network,
    position: &Position,
    shown: impl Fn(i32) -> i32,
) -> Vec<(Point, i32)> {
    let for_white = |stones: [Bitboard; 2]| match position.side() {
        Side::White => network.evaluate(stones[0], stones[1]),
        Side::Black => -network.evaluate(stones[1], stones[0]),
    };
    let stones = Side::BOTH.map(|side| position.stones(side));
    let score = for_white(stones);
    let mut values = Vec::new();
    for side in Side::BOTH {
        for point in stones[side.index()] {
            let mut without = stones;
            without[side.index()] = without[side.index()] - Bitboard::from(point);
            if !without[side.index()].is_empty() {
                values.push((point, shown(score - for_white(without))));
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn stones_are_worth_something_to_their_owner() {
        let stones = [
            vec![(0, 0), (2, 0), (5, 0)],
            vec![(1, 4), (3, 4), (6, 4), (8, 4)],
        ];
        let point = |(column, row)| Point::at(column, row).expect("on the board");
        let stones = stones.map(|side| side.into_iter().map(point).collect());
        let position = Position::new(stones, Side::White, 3, 12);
        let explanation = Evaluation::default().explain(&Rules::STANDARD, &position);
        let explanation = explanation.expect("both have stones");
        assert!(explanation.evaluation.starts_with("network "));
        let Parts::Stones(values) = explanation.parts else {
            panic!("a network knows no terms");
        };
        assert_eq!(values.len(), 7);
        let sum = |side: Side| -> i32 {
            let own = values
                .iter()
                .filter(|(point, _)| position.stones(side).contains(*point));
            own.map(|(_, value)| value).sum()
        };
        assert!(sum(Side::White) > 0 && sum(Side::Black) < 0);
    }

    #[test]
    fn terms_add_up() {
        let rules = Preset::Dimy.rules().expect("rules");
        let start = rules.start();
        let explanation = Evaluation::default()
            .explain(&rules, &start)
            .expect("stones");
        assert_eq!(explanation.evaluation, "classical");
        let Parts::Terms(terms) = explanation.parts else {
            panic!("no network for small boards");
        };
        let sum: f64 = terms.iter().map(|(_, value)| value).sum();
        assert!((100.0 * sum - f64::from(explanation.score)).abs() <= 1.0);
    }
}

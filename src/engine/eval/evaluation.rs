//! The choice of the evaluation, and its breakdown for display.

use std::str::FromStr;
use std::sync::Arc;

use super::handmade;
use crate::board::{Bitboard, BoardSize, Point, Position, Side};
use crate::network::{Network, WdlModel};
use crate::rules::{ChainRule, Rules, Tie, Vela};
use crate::text::named_enum;

named_enum! {
    /// The two kinds of evaluation.
    #[derive(Default)]
    pub enum EvaluationKind {
        /// A network where there is one for the rules, else the hand-made evaluation.
        #[default]
        Network = "network",
        /// The hand-made evaluation.
        Classical = "classical",
    }
}

impl FromStr for EvaluationKind {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<EvaluationKind, &'static str> {
        EvaluationKind::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(text))
            .ok_or("expected network or classical")
    }
}

/// The evaluation to use. By default the built-in network, for rules that it suits.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The kind.
    pub kind: EvaluationKind,
    /// The network.
    pub network: Arc<Network>,
}

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

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation {
            kind: EvaluationKind::default(),
            network: Network::standard(),
        }
    }
}

impl Evaluation {
    /// The hand-made evaluation.
    pub fn classical() -> Evaluation {
        Evaluation {
            kind: EvaluationKind::Classical,
            ..Evaluation::default()
        }
    }

    /// Whether both give every position the same value.
    pub(crate) fn is_same(&self, other: &Evaluation) -> bool {
        self.kind == other.kind && Arc::ptr_eq(&self.network, &other.network)
    }

    /// The network used under these rules; `None` for the hand-made evaluation.
    pub fn network_for(&self, rules: &Rules) -> Option<&Arc<Network>> {
        (self.kind == EvaluationKind::Network && network_suits(rules)).then_some(&self.network)
    }

    /// The evaluation used under these rules: `network` and its name, or `classical`.
    pub fn name_for(&self, rules: &Rules) -> String {
        match self.network_for(rules) {
            Some(network) => format!("network {}", network.name()),
            None => EvaluationKind::Classical.name().to_owned(),
        }
    }

    /// Displayed centi-stones per internal unit of the search under these rules, such that a score of 100
    /// is won as often as not at ply 30 of a game of the engine against itself. The hand-made evaluation
    /// counts in centi-stones already.
    pub fn centistones_per_unit(&self, rules: &Rules) -> f32 {
        match self.network_for(rules) {
            Some(network) => network.header().scale / network.header().search_scale,
            None => 1.0,
        }
    }

    /// The win, draw and loss chances of a score under these rules.
    pub fn wdl_model(&self, rules: &Rules) -> WdlModel {
        match self.network_for(rules) {
            Some(network) => network.header().wdl_model,
            None => WdlModel::CLASSICAL,
        }
    }

    /// The static evaluation for the side to move, in internal units. 0 if a side has no stones.
    pub fn evaluate(&self, rules: &Rules, position: &Position) -> i32 {
        if position.own().is_empty() || position.enemy().is_empty() {
            return 0;
        }
        match self.network_for(rules) {
            Some(network) => network.evaluate(position.own(), position.enemy()),
            None => handmade::evaluate(rules, position),
        }
    }

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

/// Whether a network trained on the standard game suits these rules.
///
/// By matches: it does under `riatra`, `first-turns`, `full-chain`, `free-capture` and `direction=any`,
/// and does not where every turn is a single step. In a vela one side always wins, whatever the
/// evaluation.
pub fn network_suits(rules: &Rules) -> bool {
    rules.board == BoardSize::STANDARD
        && rules.chain != ChainRule::Single
        && rules.tie == Tie::Draw
        && rules.vela == Vela::Off
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn networks_play_where_they_were_seen_to_help() {
        let network = Evaluation::default();
        let classical = Evaluation::classical();
        for preset in Preset::ALL {
            let Some(rules) = preset.rules() else {
                continue;
            };
            let by_hand = [Preset::Dimy, Preset::Telo, Preset::SingleStep, Preset::Vela];
            let wanted = !by_hand.contains(&preset);
            assert_eq!(network.network_for(&rules).is_some(), wanted, "{preset}");
            assert!(classical.network_for(&rules).is_none());
        }
    }

    #[test]
    fn stones_are_worth_something_to_their_owner() {
        let fen = "1b1b2b1b/9/9/9/w1w2w3 w 3 12";
        let position = crate::notation::parse_fen(fen, Rules::STANDARD.board).expect(fen);
        let explanation = Evaluation::default().explain(&Rules::STANDARD, &position);
        let explanation = explanation.expect("both have stones");
        assert!(explanation.evaluation.starts_with("network "));
        let Parts::Stones(values) = explanation.parts else {
            panic!("a network knows no terms");
        };
        assert_eq!(values.len(), 7);
        let sum = |side: Side| -> i32 {
            let stones = position.stones(side);
            let own = values.iter().filter(|(point, _)| stones.contains(*point));
            own.map(|(_, value)| value).sum()
        };
        assert!(sum(Side::White) > 0 && sum(Side::Black) < 0);
    }

    #[test]
    fn terms_add_up() {
        let rules = Preset::Dimy.rules().expect("rules");
        let start = rules.start();
        let explanation = Evaluation::default().explain(&rules, &start);
        let explanation = explanation.expect("stones");
        assert_eq!(explanation.evaluation, "classical");
        let Parts::Terms(terms) = explanation.parts else {
            panic!("no network for small boards");
        };
        let sum: f64 = terms.iter().map(|(_, value)| value).sum();
        assert!((100.0 * sum - f64::from(explanation.score)).abs() <= 1.0);
    }
}

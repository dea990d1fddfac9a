//! Advantages that nobody makes use of, on the way to the no-capture limit.

use crate::board::Position;
use crate::rules::{Rules, Tie};

/// What is left of a static evaluation after plies without a capture: where ties are draws, an advantage
/// shrinks towards the one that the no-capture limit brings, by `percent` hundredths of itself (0 to 100)
/// at the limit. Where the limit counts stones, an advantage is as good there as before it.
#[inline(always)]
pub(super) fn damped(rules: &Rules, position: &Position, evaluation: i32, percent: i32) -> i32 {
    let limit = i64::from(rules.limit);
    if limit == 0 || rules.tie == Tie::Count {
        return evaluation;
    }
    // Limits may be long: the product does not always have room in 32 bits.
    let quiet = i64::from(position.halfmove_clock()).min(limit);
    let lost = i64::from(evaluation) * quiet * i64::from(percent);
    evaluation - (lost / (limit * 100)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_fen;
    use crate::rules::parse_rules;

    /// An evaluation of 20,000, the largest that there is, after so many quiet plies.
    fn left(rules: &str, halfmove_clock: u16) -> i32 {
        let rules = parse_rules(rules).expect(rules);
        let fen = format!("9/3b4b/6b2/2w1w4/3w5 w {halfmove_clock} 40000");
        let position = parse_fen(&fen, rules.board).expect("a position");
        let value = damped(&rules, &position, 20_000, 50);
        assert_eq!(damped(&rules, &position, -20_000, 50), -value);
        value
    }

    #[test]
    fn advantages_shrink_towards_a_draw() {
        assert_eq!(left("limit=100", 0), 20_000);
        assert_eq!(left("limit=100", 40), 16_000);
        assert_eq!(left("limit=100", 100), 10_000);
        assert_eq!(left("limit=100", 60_000), 10_000);
        assert_eq!(left("limit=65535", 60_000), 10_845);
        assert_eq!(left("limit=0", 60_000), 20_000);
    }

    #[test]
    fn where_stones_are_counted_nothing_shrinks() {
        for rules in ["tie=count limit=100", "tie=count limit=65535"] {
            assert_eq!(left(rules, 99), 20_000);
        }
    }
}

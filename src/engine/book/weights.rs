//! The probabilities of book moves.

use crate::search::Score;

/// The weight of the best move.
const BEST: f64 = 1_000.0;

/// Number of halvings of the weight from the best move to one at the margin.
const HALVINGS: f64 = 4.0;

/// The weight of a move `distance` centi-stones worse than the best of its position.
///
/// 1000 for the best move, halved with every quarter of the `margin`, 62 at the margin itself, and 0
/// (never played) beyond.
///
/// ```
/// use vato_engine::book::weight;
///
/// assert_eq!([0, 5, 10, 20, 21].map(|distance| weight(distance, 20)), [1000, 500, 250, 62, 0]);
/// ```
pub fn weight(distance: i32, margin: i32) -> u32 {
    if distance <= 0 {
        return BEST as u32;
    }
    if distance > margin {
        return 0;
    }
    let part = f64::from(distance) / f64::from(margin);
    (BEST * (-HALVINGS * part).exp2()) as u32
}

/// The weight of a move with this score in a position with the best score `best`.
///
/// If either score is decided or from a tablebase, distances do not count and only moves with the best
/// score are played.
pub(super) fn weight_of(best: Score, score: Score, margin: i32) -> u32 {
    match best.counts_plies() || score.counts_plies() {
        true if score < best => 0,
        true => weight(0, margin),
        false => weight(best.raw() - score.raw(), margin),
    }
}

/// The index of the move drawn by a random number, each with a probability in proportion to its weight;
/// `None` if all weights are 0.
pub fn choose(weights: &[u32], random: u64) -> Option<usize> {
    let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
    let mut rest = random.checked_rem(sum)?;
    weights.iter().position(|&weight| {
        let weight = u64::from(weight);
        let chosen = rest < weight;
        rest = rest.saturating_sub(weight);
        chosen
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fall_with_the_distance() {
        for margin in [0, 1, 20, 1_000] {
            assert_eq!(weight(0, margin), 1_000);
            for distance in 0..=margin {
                let (nearer, further) = (weight(distance, margin), weight(distance + 1, margin));
                assert!(nearer >= further && nearer > 0, "{distance} of {margin}");
                assert!(further < 1_000, "{distance} of {margin}");
            }
            assert_eq!(weight(margin + 1, margin), 0);
        }
        assert_eq!(weight(i32::MAX, 1_000), 0);
    }

    #[test]
    fn wins_are_won_and_losses_put_off() {
        let weight = |best, score| weight_of(best, score, 1_000);
        for (best, worse) in [
            (Score::win_in(5), Score::win_in(7)),
            (Score::loss_in(8), Score::loss_in(6)),
            (Score::tablebase_win(3), Score::tablebase_win(4)),
            (Score::tablebase_win(999), Score::from_centi_stones(28_999)),
            (Score::DRAW, Score::loss_in(2)),
        ] {
            assert_eq!((weight(best, best), weight(best, worse)), (1_000, 0));
        }
        let [some, less] = [30, 20].map(Score::from_centi_stones);
        assert!((1..1_000).contains(&weight(some, less)));
    }

    #[test]
    fn every_move_has_its_part() {
        let weights = [5, 0, 3];
        let mut chosen = [0; 3];
        for random in 0..8_000 {
            chosen[choose(&weights, random).expect("there are some")] += 1;
        }
        assert_eq!(chosen, [5_000, 0, 3_000]);
        assert_eq!(choose(&[], 7), None);
        assert_eq!(choose(&[0, 0], 7), None);
    }
}

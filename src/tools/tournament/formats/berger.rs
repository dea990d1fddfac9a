//! Encounters of a round robin in the order of the Berger tables.

/// All pairs of `engines` engines in the order of the Berger tables: in each of `engines - 1` rounds
/// (`engines` rounds, if their number is odd) every engine has at most one encounter, so no engine waits
/// long for its next one. Every pair occurs once; each engine is named first and second equally often, or
/// with a difference of one.
///
/// The tables, by Johann Berger ("Schach-Jahrbuch für 1892/93"), are those of the FIDE Handbook, C.05,
/// annex 1. They are the circle method with the rounds in steps of half the engines.
pub(super) fn everybody_meets(engines: usize) -> Vec<[usize; 2]> {
    let places = engines.next_multiple_of(2);
    let Some(circle) = places.checked_sub(1) else {
        return Vec::new();
    };
    let mut order = Vec::with_capacity(engines * engines.saturating_sub(1) / 2);
    for round in 0..circle {
        // Circle method: one engine stays, the others rotate and meet the one across the circle.
        let top = round * (places / 2) % circle;
        let fixed = match round % 2 {
            0 => [top, circle],
            _ => [circle, top],
        };
        let across =
            (1..places / 2).map(|step| [(top + step) % circle, (top + circle - step) % circle]);
        let pairs = std::iter::once(fixed).chain(across);
        // With an odd number of engines, one is paired with the dummy and has no opponent.
        order.extend(pairs.filter(|pair| pair.iter().all(|&engine| engine < engines)));
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for engines in 0..=17 {
            let order = everybody_meets(engines);
            let met: BTreeSet<[usize; 2]> = order
                .iter()
                .map(|&[one, other]| [one.min(other), one.max(other)])
                .collect();
            assert_eq!(met.len(), order.len(), "{engines}");
            assert_eq!(order.len(), engines * engines.saturating_sub(1) / 2);
            assert!(order.iter().flatten().all(|&engine| engine < engines));
            assert!(order.iter().all(|[one, other]| one != other));
            if engines < 2 {
                continue;
            }
            for round in order.chunks(engines / 2) {
                let playing: BTreeSet<&usize> = round.iter().flatten().collect();
                assert_eq!(playing.len(), 2 * round.len(), "{engines}: {round:?}");
            }
        }
    }

    /// The tables for three or four and for five or six, as the FIDE Handbook prints them.
    #[test]
    fn the_order_is_that_of_bergers_tables() {
        let four = [[1, 4], [2, 3], [4, 3], [1, 2], [2, 4], [3, 1]];
        let six = [
            [[1, 6], [2, 5], [3, 4]],
            [[6, 4], [5, 3], [1, 2]],
            [[2, 6], [3, 1], [4, 5]],
            [[6, 5], [1, 4], [2, 3]],
            [[3, 6], [4, 2], [5, 1]],
        ];
        for table in [four.as_slice(), six.as_flattened()] {
            let most = table[0][1];
            for engines in [most - 1, most] {
                let wanted = table.iter().filter(|pair| !pair.contains(&(engines + 1)));
                let wanted: Vec<[usize; 2]> = wanted.map(|pair| pair.map(|one| one - 1)).collect();
                assert_eq!(everybody_meets(engines), wanted, "{engines}");
            }
        }
    }

    #[test]
    fn everybody_is_named_first_half_the_time() {
        for engines in 2..=17 {
            let order = everybody_meets(engines);
            for engine in 0..engines {
                let first = order.iter().filter(|pair| pair[0] == engine).count();
                let second = engines - 1 - first;
                // As balanced as possible.
                assert_eq!(
                    first.abs_diff(second),
                    usize::from(engines.is_multiple_of(2)),
                    "{engine} of {engines}: {first}"
                );
            }
        }
    }
}

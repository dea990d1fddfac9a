//! The order in which everybody meets everybody.

/// All pairs of `engines` engines in rounds of the circle method, the order of Berger's tables: in
/// each of `engines - 1` rounds (`engines` rounds, if their number is odd) every engine has at most
/// one encounter, so that no engine waits long for its next. Each meets every other once; who is named
/// first alternates.
///
/// Johann Berger, "Schach-Jahrbuch für 1892/93"; the circle method is older.
pub(super) fn everybody_meets(engines: usize) -> Vec<[usize; 2]> {
    let places = engines.next_multiple_of(2);
    let Some(circle) = places.checked_sub(1) else {
        return Vec::new();
    };
    let mut order = Vec::with_capacity(engines * engines.saturating_sub(1) / 2);
    for round in 0..circle {
        // One engine stays where it is, the others go round a circle and meet across it.
        let fixed = [round, circle];
        let across =
            (1..places / 2).map(|step| [(round + step) % circle, (round + circle - step) % circle]);
        for (step, [one, other]) in std::iter::once(fixed).chain(across).enumerate() {
            if one >= engines || other >= engines {
                // With an odd number of engines one of them has nobody to play.
                continue;
            }
            let swapped = if step == 0 { round % 2 } else { step % 2 } == 1;
            order.push(if swapped { [other, one] } else { [one, other] });
        }
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

    #[test]
    fn everybody_is_named_first_about_half_the_time() {
        for engines in 2..=17 {
            let order = everybody_meets(engines);
            for engine in 0..engines {
                let first = order.iter().filter(|pair| pair[0] == engine).count();
                let second = engines - 1 - first;
                assert!(
                    first.abs_diff(second) <= 3,
                    "{engine} of {engines}: {first}"
                );
            }
        }
    }
}

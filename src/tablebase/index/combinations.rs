//! All sets of equally many points, in the order of their numbers.

/// Calls `each` with every union of `k` of the single bits `points`, which are sorted; in the order of
/// [`rank`](super::rank).
pub(in crate::tablebase) fn for_each_combination(
    points: &[u64],
    k: u32,
    each: &mut impl FnMut(u64),
) {
    go_through(points, k, 0, each);
}

fn go_through(points: &[u64], k: u32, chosen: u64, each: &mut impl FnMut(u64)) {
    match k {
        0 => each(chosen),
        1 => {
            for &point in points {
                each(chosen | point);
            }
        }
        _ => {
            for largest in k as usize - 1..points.len() {
                go_through(&points[..largest], k - 1, chosen | points[largest], each);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rank;
    use super::*;

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let points = [1, 4, 8, 32, 64, 256];
        let free = points.iter().sum();
        for k in 0..=6 {
            let mut expected = 0;
            for_each_combination(&points, k, &mut |set| {
                assert_eq!(rank(set, free), expected);
                expected += 1;
            });
            assert_eq!(expected, super::super::binomial::choose(6, k));
        }
    }
}

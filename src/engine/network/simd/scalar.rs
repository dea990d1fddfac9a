//! Scalar code.

use super::{Change, Inputs, Row};
use crate::network::HIDDEN;
use crate::network::architecture::ACTIVATION_ONE;
use crate::network::features::WINDOWS;

pub(super) fn update(
    to: &mut [Row; 2],
    from: Option<&[Row; 2]>,
    inputs: &Inputs<'_>,
    change: &Change,
) {
    if let Some(from) = from {
        *to = *from;
    }
    for window in (0..WINDOWS).filter(|&window| change.windows >> window & 1 != 0) {
        for (view, sums) in to.iter_mut().enumerate() {
            let [off, on] = change.window_features(view, window);
            change_by(sums, &inputs.windows[off], i16::wrapping_sub);
            change_by(sums, &inputs.windows[on], i16::wrapping_add);
        }
    }
    for (side, victims) in change.victims.into_iter().enumerate() {
        let operations: [fn(i16, i16) -> i16; 2] = [i16::wrapping_sub, i16::wrapping_add];
        for (points, operation) in std::iter::zip(victims, operations) {
            for bit in (0..u64::BITS).filter(|bit| points >> bit & 1 != 0) {
                let [own, other] = inputs.victim(bit);
                change_by(&mut to[side], own, operation);
                change_by(&mut to[1 - side], other, operation);
            }
        }
    }
}

fn change_by<T: Copy + Into<i16>>(
    sums: &mut Row,
    row: &[T; HIDDEN],
    operation: fn(i16, i16) -> i16,
) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = operation(*sum, weight.into());
    }
}

pub(super) fn output(views: [&Row; 2], weights: [&Row; 2]) -> i32 {
    let mut total = 0_i32;
    for (sums, weights) in std::iter::zip(views, weights) {
        for (&sum, &weight) in std::iter::zip(sums, weights) {
            let value = i32::from(sum.clamp(0, ACTIVATION_ONE));
            total = total.wrapping_add(value * value * i32::from(weight));
        }
    }
    total
}

//! Scalar code.

use crate::network::features::FeatureDelta;

/// See [`SimdLevel::update`](super::SimdLevel::update).
pub(super) fn update(to: &mut [i16], from: Option<&[i16]>, weights: &[i16], delta: &FeatureDelta) {
    if let Some(from) = from {
        to.copy_from_slice(from);
    }
    let hidden = to.len();
    let row = |feature: u16| &weights[usize::from(feature) * hidden..][..hidden];
    for &feature in delta.off() {
        for (sum, &weight) in to.iter_mut().zip(row(feature)) {
            *sum = sum.wrapping_sub(weight);
        }
    }
    for &feature in delta.on() {
        for (sum, &weight) in to.iter_mut().zip(row(feature)) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

/// See [`SimdLevel::output`](super::SimdLevel::output).
pub(super) fn output([first, second]: [&[i16]; 2], weights: &[i16]) -> i32 {
    let (first_weights, second_weights) = weights.split_at(first.len());
    let mut total = 0_i32;
    for (sums, weights) in [(first, first_weights), (second, second_weights)] {
        for (&sum, &weight) in sums.iter().zip(weights) {
            let value = i32::from(sum.clamp(0, 255));
            total = total.wrapping_add(value * value * i32::from(weight));
        }
    }
    total
}

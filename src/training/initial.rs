//! The weights that training begins with.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::network::Aligned;
use crate::network::{Architecture, FeatureSet};

/// About how many features are on in a position in the middle of a game.
const fn typical_active(features: FeatureSet) -> f32 {
    match features {
        FeatureSet::Points => 18.0,
        FeatureSet::Threats => 26.0,
        FeatureSet::Tuples => 32.0,
        FeatureSet::Patterns => 40.0,
    }
}

/// Hidden units begin in the middle of where they react.
const HIDDEN_BIAS: f32 = 0.5;

/// Small random weights: hidden units vary by about a half, outputs by about a third of a unit. The
/// biases of the buckets are 0.
pub(super) fn initial_parameters(architecture: &Architecture, seed: u64) -> Aligned<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut parameters = Aligned::zeros(architecture.parameters());
    let (inputs, rest) = parameters.split_at_mut(architecture.input_weights());
    let (biases, buckets) = rest.split_at_mut(architecture.hidden);
    let most = 1.0 / typical_active(architecture.features).sqrt();
    inputs.fill_with(|| random.random_range(-most..most));
    biases.fill(HIDDEN_BIAS);
    let weights = architecture.buckets.count() * architecture.output_weights();
    let most = 1.0 / (architecture.output_weights() as f32).sqrt();
    buckets[..weights].fill_with(|| random.random_range(-most..most));
    parameters
}

//! Networks as files: a [`Format`] whose body is the numbers in the order of [`Weights`]: 8 bits each for
//! the windows, 32 for the biases of the output buckets, 16 for all others. Integers are little-endian.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::weights::Weights;
use super::{BUCKETS, Header, Network, PARAMETERS, WINDOW_WEIGHTS};
use crate::container::{Checksum, ContainerError, Format};

/// What the file of a network begins with.
pub const MAGIC: [u8; 8] = *b"VATONET\0";

pub(super) const FORMAT: Format = Format {
    name: "a network",
    magic: MAGIC,
    version: 2,
    checksum: Checksum::Sha256,
    max_bytes: 1 << 23,
};

impl Network {
    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = encode(self.header(), &self.weights);
        bytes.expect("it was encoded when the network was made")
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    ///
    /// The bytes are no network, are damaged, or the network's sums could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, String> {
        let (header, mut body): (Header, _) = FORMAT.decode(bytes, |header: &Header| {
            header.is_standard().then_some(BODY_LENGTH)
        })?;
        header.check()?;
        let mut weights = Weights::zeros();
        let (windows, rest) = body.split_at(weights.windows.len());
        weights
            .windows
            .copy_from_slice(bytemuck::cast_slice(windows));
        body = rest;
        for weights in [
            &mut weights.victims,
            &mut weights.hidden_biases,
            &mut weights.outputs,
        ] {
            let (now, later) = body.split_at(2 * weights.len());
            for (weight, &bytes) in weights.iter_mut().zip(now.as_chunks().0) {
                *weight = i16::from_le_bytes(bytes);
            }
            body = later;
        }
        for (bias, &bytes) in weights.output_biases.iter_mut().zip(body.as_chunks().0) {
            *bias = i32::from_le_bytes(bytes);
        }
        Network::new(header, weights)
    }

    /// The embedded network.
    pub fn standard() -> Arc<Network> {
        static STANDARD: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!(env!("VATO_EVALFILE")));
            Arc::new(network.expect("the program has a network in it"))
        });
        Arc::clone(&STANDARD)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or holds no usable network.
    pub fn read(path: &Path) -> Result<Network, ContainerError> {
        Network::from_bytes(&FORMAT.load(path)?).map_err(ContainerError::content(path))
    }
}

/// Bytes of the weights and biases.
const BODY_LENGTH: usize = 2 * PARAMETERS - WINDOW_WEIGHTS + 2 * BUCKETS;

pub(super) fn encode(header: &Header, weights: &Weights) -> Result<Vec<u8>, String> {
    let mut body = Vec::with_capacity(BODY_LENGTH);
    body.extend_from_slice(bytemuck::cast_slice(&weights.windows));
    for weights in [&weights.victims, &weights.hidden_biases, &weights.outputs] {
        body.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
    }
    body.extend((weights.output_biases.iter()).flat_map(|bias| bias.to_le_bytes()));
    FORMAT.encode(header, &body)
}

#[cfg(test)]
mod tests;

//! Networks as files: a [`Format`] whose body is the weights, in the order of
//! [`Weights`](super::quantised::Weights), 16 bits each, and the biases of the output buckets, 32 bits
//! each. Integers are little-endian.

use std::path::Path;

use super::quantised::Numbers;
use super::{Header, Network, NetworkError};
use crate::container::{self, Checksum, ContainerError, Format};

pub(super) const FORMAT: Format = Format {
    name: "a network",
    magic: *b"VATONET\0",
    version: 1,
    checksum: Checksum::Sha256,
    max_bytes: 1 << 23,
};

impl Network {
    /// The network as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = encode(self.header(), self.numbers());
        bytes.expect("it was encoded when the network was made")
    }

    /// The network that a file holds.
    ///
    /// # Errors
    ///
    /// The bytes are no network, are damaged, or sums of the network could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let body_length = |header: &Header| {
            let is_possible = header.architecture.is_possible();
            is_possible.then(|| Numbers::zeros(header).file_bytes())
        };
        let (header, mut body): (Header, _) = FORMAT
            .decode(bytes, body_length)
            .map_err(NetworkError::Content)?;
        header.check()?;
        let mut numbers = Numbers::zeros(&header);
        for numbers in [
            &mut numbers.input_weights,
            &mut numbers.hidden_biases,
            &mut numbers.head_weights,
        ] {
            let (now, later) = body.split_at(2 * numbers.len());
            for (number, &bytes) in numbers.iter_mut().zip(now.as_chunks().0) {
                *number = i16::from_le_bytes(bytes);
            }
            body = later;
        }
        for (bias, &bytes) in numbers.head_biases.iter_mut().zip(body.as_chunks().0) {
            *bias = i32::from_le_bytes(bytes);
        }
        Network::new(header, numbers)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or holds no network that can be used.
    pub fn read(path: &Path) -> Result<Network, ContainerError> {
        Network::from_bytes(&FORMAT.load(path)?).map_err(ContainerError::content(path))
    }

    /// Writes a file under a temporary name, then gives it its own.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    #[cfg(any(feature = "tools", test))]
    pub fn write(&self, path: &Path) -> Result<(), ContainerError> {
        container::save(path, &self.to_bytes())
    }
}

pub(super) fn encode(header: &Header, numbers: &Numbers) -> Result<Vec<u8>, NetworkError> {
    let mut body = Vec::with_capacity(numbers.file_bytes());
    for numbers in [
        &numbers.input_weights,
        &numbers.hidden_biases,
        &numbers.head_weights,
    ] {
        body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    body.extend((numbers.head_biases.iter()).flat_map(|bias| bias.to_le_bytes()));
    FORMAT.encode(header, &body).map_err(NetworkError::Content)
}

#[cfg(test)]
mod tests;

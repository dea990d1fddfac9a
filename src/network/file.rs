//! Networks as files.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `VATONET` and a zero byte |
//! | 4 | version of the format |
//! | 4 | length of the header |
//! | … | the header, as JSON |
//! | … | input weights, hidden biases, weights of all heads, of 16 bits each |
//! | … | biases of all heads, of 32 bits each |
//! | 32 | SHA-256 of all before |
//!
//! Integers are little-endian.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::quantised::Numbers;
use super::{Header, Network, NetworkError};
use crate::files::replace;

/// What a file begins with.
const MAGIC: [u8; 8] = *b"VATONET\0";
/// The version of the format.
pub(super) const VERSION: u32 = 1;
/// Bytes before the header.
const PREAMBLE: usize = 16;
/// Bytes of a SHA-256.
const CHECKSUM: usize = 32;
/// The longest header, in bytes.
pub(super) const MOST_HEADER: usize = 1 << 16;
/// More than any network has, in bytes.
const MOST_BYTES: u64 = 1 << 23;

impl Network {
    /// The network as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(self.header());
        let header = header.expect("it was written when the network was made");
        to_bytes(&header, self.numbers())
    }

    /// The SHA-256 of the network as a file. Fails if the header is too long.
    pub(super) fn file_digest(&self) -> Result<[u8; 32], NetworkError> {
        let header = serde_json::to_vec(self.header()).map_err(NetworkError::Header)?;
        if header.len() > MOST_HEADER {
            return Err(NetworkError::HeaderLength(header.len() as u64));
        }
        Ok(sha256(&to_bytes(&header, self.numbers())))
    }

    /// The network that a file is.
    ///
    /// # Errors
    ///
    /// The bytes are no network, are damaged, or sums of the network could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        parse(bytes, bytes.len() as u64)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no network that can be used; the error names it.
    pub fn read(path: &Path) -> Result<Network, NetworkError> {
        let (bytes, length) = read(path).map_err(|error| NetworkError::Read {
            path: path.to_owned(),
            error,
        })?;
        parse(&bytes, length).map_err(|error| NetworkError::File {
            path: path.to_owned(),
            error: Box::new(error),
        })
    }

    /// Writes a file under a temporary name, then gives it its own.
    ///
    /// # Errors
    ///
    /// The file cannot be written; the error names it.
    pub fn write(&self, path: &Path) -> Result<(), NetworkError> {
        replace(path, |file| file.write_all(&self.to_bytes())).map_err(|error| {
            NetworkError::Write {
                path: path.to_owned(),
                error,
            }
        })
    }
}

/// The bytes of a file and how many there are; of a file that is longer than any network, its
/// beginning.
fn read(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let length = length.max(bytes.len() as u64);
    Ok((bytes, length))
}

fn to_bytes(header: &[u8], numbers: &Numbers) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(file_length(header.len(), numbers));
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    let Numbers {
        input_weights,
        hidden_biases,
        head_weights,
        head_biases,
    } = numbers;
    for numbers in [input_weights, hidden_biases, head_weights] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(head_biases.iter().flat_map(|bias| bias.to_le_bytes()));
    bytes.extend(sha256(&bytes));
    bytes
}

/// Bytes of a file with a header of so many bytes and with these numbers.
fn file_length(header: usize, numbers: &Numbers) -> usize {
    let short =
        numbers.input_weights.len() + numbers.hidden_biases.len() + numbers.head_weights.len();
    PREAMBLE + header + 2 * short + 4 * numbers.head_biases.len() + CHECKSUM
}

fn sha256(bytes: &[u8]) -> [u8; CHECKSUM] {
    Sha256::digest(bytes).into()
}

/// The network of a file that has `length` bytes, of which `bytes` are the first.
fn parse(bytes: &[u8], length: u64) -> Result<Network, NetworkError> {
    let too_short = |wanted: usize| NetworkError::Length {
        wanted: wanted as u64,
        found: length,
    };
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if bytes.is_empty() || !MAGIC.starts_with(magic) {
        return Err(NetworkError::NoNetwork);
    }
    let (preamble, rest) = bytes
        .split_first_chunk::<PREAMBLE>()
        .ok_or_else(|| too_short(PREAMBLE))?;
    let [.., v0, v1, v2, v3, l0, l1, l2, l3] = *preamble;
    let version = u32::from_le_bytes([v0, v1, v2, v3]);
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let header_length = u32::from_le_bytes([l0, l1, l2, l3]);
    if header_length as usize > MOST_HEADER {
        return Err(NetworkError::HeaderLength(u64::from(header_length)));
    }
    let header_length = header_length as usize;
    let (header, rest) = rest
        .split_at_checked(header_length)
        .ok_or_else(|| too_short(PREAMBLE + header_length + CHECKSUM))?;
    let header: Header = serde_json::from_slice(header).map_err(NetworkError::Header)?;
    header.check()?;
    let mut numbers = Numbers::zeros(&header);
    let wanted = file_length(header_length, &numbers);
    if length != wanted as u64 || bytes.len() != wanted {
        return Err(too_short(wanted));
    }
    if sha256(&bytes[..wanted - CHECKSUM])[..] != bytes[wanted - CHECKSUM..] {
        return Err(NetworkError::Damaged);
    }
    let mut rest = rest;
    for numbers in [
        &mut numbers.input_weights,
        &mut numbers.hidden_biases,
        &mut numbers.head_weights,
    ] {
        let (now, later) = rest.split_at(2 * numbers.len());
        for (number, &bytes) in numbers.iter_mut().zip(now.as_chunks().0) {
            *number = i16::from_le_bytes(bytes);
        }
        rest = later;
    }
    for (bias, &bytes) in numbers.head_biases.iter_mut().zip(rest.as_chunks().0) {
        *bias = i32::from_le_bytes(bytes);
    }
    Network::new(header, numbers)
}

#[cfg(test)]
mod tests;

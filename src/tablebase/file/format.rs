//! The parts of a file.

use serde::{Deserialize, Serialize};

use crate::tablebase::slice::Slice;

pub(super) const MAGIC: [u8; 8] = *b"VATO\r\nTB";
pub(super) const VERSION: u32 = 1;
pub(super) const PREAMBLE_BYTES: usize = 32;
pub(super) const DIRECTORY_ENTRY_BYTES: usize = 16;

/// Values in a block; the last block of a section may have fewer.
pub(in crate::tablebase) const BLOCK_VALUES: u64 = 1 << 16;

/// The longest way to a conversion in a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::tablebase) struct Longest {
    /// Plies.
    pub(in crate::tablebase) plies: u32,
    /// The number of a position that takes so many.
    pub(in crate::tablebase) number: u64,
}

/// Where the blocks of one kind are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::tablebase) struct SectionHeader {
    /// Offset of the directory.
    pub(super) directory: u64,
    /// CRC-32 of the directory.
    pub(super) crc: u32,
    /// Bytes of all blocks.
    pub(in crate::tablebase) bytes: u64,
    /// Bits of a value.
    pub(super) bits: u32,
}

/// What a file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::tablebase) struct Header {
    /// The rules string, every parameter written out.
    pub(in crate::tablebase) rules: String,
    pub(in crate::tablebase) slice: Slice,
    /// How many numbers there are.
    pub(in crate::tablebase) entries: u64,
    /// Positions of each outcome for the side to move, symmetric ones counted.
    pub(in crate::tablebase) wins: u64,
    pub(in crate::tablebase) draws: u64,
    pub(in crate::tablebase) losses: u64,
    /// `None` if no position is decided.
    pub(in crate::tablebase) longest: Option<Longest>,
    pub(in crate::tablebase) outcomes: SectionHeader,
    pub(in crate::tablebase) distances: SectionHeader,
}

/// The first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Preamble {
    pub(super) version: u32,
    pub(super) header_crc: u32,
    pub(super) header_offset: u64,
    pub(super) header_length: u64,
}

impl Preamble {
    pub(super) fn to_bytes(self) -> [u8; PREAMBLE_BYTES] {
        let mut bytes = [0; PREAMBLE_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.header_crc.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.header_offset.to_le_bytes());
        bytes[24..].copy_from_slice(&self.header_length.to_le_bytes());
        bytes
    }

    /// `None` if the bytes are too few or do not begin as a table does.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Preamble> {
        if bytes.get(..8)? != MAGIC {
            return None;
        }
        Some(Preamble {
            version: u32_at(bytes, 8)?,
            header_crc: u32_at(bytes, 12)?,
            header_offset: u64_at(bytes, 16)?,
            header_length: u64_at(bytes, 24)?,
        })
    }
}

/// A block as the directory describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DirectoryEntry {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) crc: u32,
}

impl DirectoryEntry {
    pub(super) fn to_bytes(self) -> [u8; DIRECTORY_ENTRY_BYTES] {
        let mut bytes = [0; DIRECTORY_ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..].copy_from_slice(&self.crc.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<DirectoryEntry> {
        Some(DirectoryEntry {
            offset: u64_at(bytes, 0)?,
            length: u32_at(bytes, 8)?,
            crc: u32_at(bytes, 12)?,
        })
    }
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset + 4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..offset + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

//! Tables on disk: one file for each slice, and a manifest.
//!
//! # Format, version 1
//!
//! All numbers are little-endian. A file is
//!
//! ```text
//! preamble    32 bytes: magic "VATO\r\nTB", version (u32), CRC-32 of the header (u32),
//!             offset of the header (u64), its length (u64)
//! blocks      of outcomes, then of distances, each compressed by itself (zstd)
//! directories of outcomes, then of distances: for each block its offset (u64), its compressed
//!             length (u32) and the CRC-32 of its compressed bytes (u32)
//! header      JSON, up to the end of the file: rules, slice, counts, and where the rest is
//! ```
//!
//! Values stand in the order of their numbers ([`index`](super::index)). A block of outcomes holds
//! 65,536 of them, two bits each, the lowest bits of a byte first: 0 loss, 1 draw, 2 win. A block of
//! distances holds 65,536 of them, one byte each, or two where the longest does not fit into one:
//! plies to the next conversion.
//!
//! What nobody looks at repeats what stands before it, which compresses best: distances of draws and,
//! where captures are forced, all values of positions with a capture.
//!
//! The manifest, `manifest.json`, repeats what the headers say of every slice, with the size and the
//! CRC-32 of the whole file.

mod format;
mod manifest;
mod reader;
mod writer;

pub(super) use self::format::BLOCK_VALUES;
pub use self::manifest::{Manifest, ManifestEntry};
pub(super) use self::reader::{Section, SliceFile};
pub(super) use self::writer::write_slice;
use super::slice::Slice;

/// The name of a slice's file within its folder.
pub(super) fn file_name(slice: Slice) -> String {
    format!("{slice}.vtb")
}

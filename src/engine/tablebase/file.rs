//! Tables on disk: one file for each slice.
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
//! header      JSON, up to the end of the file: rules, slice, counts, and section offsets
//! ```
//!
//! Values stand in the order of their numbers ([`index`](super::index)). A block of outcomes holds
//! 65,536 of them, two bits each, the lowest bits of a byte first: 0 loss, 1 draw, 2 win. A block of
//! distances holds 65,536 of them, one byte each, or two where the longest does not fit into one:
//! plies to the next conversion.
//!
//! Values that are never looked up repeat the value before, which compresses best: distances of draws
//! and, where captures are forced, all values of positions with a capture.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zstd::bulk::Decompressor;

use super::TablebaseError;
use super::cache::SectionCache;
use super::index::SliceIndex;
use super::rules::TableRules;
use super::slice::Slice;
use super::value::Section;
use crate::container::{Checksum, ContainerError, Format};
use crate::files;
use crate::memory::lock;
use crate::text::printable;

/// The start of a file.
pub const FORMAT: Format = Format {
    name: "a tablebase",
    magic: *b"VATO\r\nTB",
    version: 1,
    checksum: Checksum::Crc32,
    max_bytes: u64::MAX,
};

/// The bytes before the blocks.
pub const PREAMBLE_BYTES: usize = 32;

/// Values in a block; the last block of a section may have fewer.
pub const BLOCK_VALUES: u64 = 1 << 16;

/// The most characters of a file's rules in a message; a full rules string has about 120.
const MOST_RULES: usize = 200;

thread_local! {
    // Creating one takes longer than unpacking a block.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::default();
}

/// The name of a slice's file within its folder.
pub fn file_name(slice: Slice) -> String {
    format!("{slice}.vtb")
}

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceHeader {
    /// The rules string, every parameter written out.
    pub rules: String,
    /// The slice.
    pub slice: Slice,
    /// The number of values.
    pub entries: u64,
    /// What is counted of the values.
    #[serde(flatten)]
    pub counts: SliceCounts,
    /// The blocks of outcomes.
    pub outcomes: SectionHeader,
    /// The blocks of distances.
    pub distances: SectionHeader,
}

/// Positions of each outcome for the side to move, symmetric ones counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceCounts {
    /// Won ones.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
    /// `None` if no position is decided.
    pub longest: Option<Longest>,
}

/// The longest distance in a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Longest {
    /// Plies.
    pub plies: u32,
    /// The lowest number of a position with this distance.
    pub number: u64,
}

/// Where the blocks of a section are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionHeader {
    /// Where their directory is.
    pub directory: u64,
    /// CRC-32 of the directory.
    pub crc: u32,
    /// Their compressed bytes.
    pub bytes: u64,
    /// Bits of a value.
    pub bits: u32,
}

/// Position of a block in the file, and the CRC-32 of its compressed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEntry {
    /// Its first byte.
    pub offset: u64,
    /// Its length.
    pub length: u32,
    /// Its checksum.
    pub crc: u32,
}

impl BlockEntry {
    /// The bytes of an entry.
    pub const BYTES: usize = 16;

    /// As it is in the directory.
    pub fn to_bytes(self) -> [u8; BlockEntry::BYTES] {
        let [length, crc] = [self.length, self.crc].map(u128::from);
        (crc << 96 | length << 64 | u128::from(self.offset)).to_le_bytes()
    }

    fn from_bytes(bytes: [u8; BlockEntry::BYTES]) -> BlockEntry {
        let bits = u128::from_le_bytes(bytes);
        BlockEntry {
            offset: bits as u64,
            length: (bits >> 64) as u32,
            crc: (bits >> 96) as u32,
        }
    }
}

/// An open file. Its contents are untrusted: any bytes give a value or an error.
#[derive(Debug)]
pub struct SliceFile {
    path: PathBuf,
    bytes: FileBytes,
    /// The header.
    pub header: SliceHeader,
    /// The unpacked blocks, by [`Section`].
    pub(in crate::tablebase) cached: [SectionCache; 2],
    /// Whether a block was found damaged.
    pub(in crate::tablebase) is_damaged: AtomicBool,
}

/// The bytes of a file. Files are read, not mapped: if another process truncated a mapped file, this one would be
/// killed, and maps take address space. To read a block of 1,100 bytes takes 0.57 microseconds, 0.14 from a map, and to
/// unpack it far more.
#[derive(Debug)]
enum FileBytes {
    /// A file, and its length when it was opened.
    Opened(Mutex<File>, u64),
    BuiltIn(&'static [u8]),
}

impl FileBytes {
    fn length(&self) -> u64 {
        match self {
            FileBytes::Opened(_, length) => *length,
            FileBytes::BuiltIn(bytes) => bytes.len() as u64,
        }
    }

    /// A range of bytes; `None` if it lies outside the file, or cannot be read.
    fn get(&self, start: u64, length: u64) -> Option<Cow<'static, [u8]>> {
        let end = start
            .checked_add(length)
            .filter(|&end| end <= self.length())?;
        match self {
            FileBytes::Opened(file, _) => {
                let mut bytes = vec![0; usize::try_from(length).ok()?];
                let mut file = lock(file);
                file.seek(SeekFrom::Start(start))
                    .and_then(|_| file.read_exact(&mut bytes))
                    .ok()?;
                Some(Cow::Owned(bytes))
            }
            FileBytes::BuiltIn(bytes) => Some(Cow::Borrowed(&bytes[start as usize..end as usize])),
        }
    }

    /// The CRC-32 of a range of bytes, read in parts, as it may be larger than the memory.
    fn crc(&self, start: u64, length: u64) -> Option<u32> {
        let mut crc = crc32fast::Hasher::new();
        for done in (0..length).step_by(1 << 20) {
            crc.update(&self.get(start.checked_add(done)?, (length - done).min(1 << 20))?);
        }
        Some(crc.finalize())
    }
}

impl SliceFile {
    /// Opens a file and checks everything but the blocks.
    pub fn open(path: &Path) -> Result<SliceFile, TablebaseError> {
        let open = || files::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (length, file) = open().map_err(ContainerError::read(path))?;
        SliceFile::new(path, FileBytes::Opened(Mutex::new(file), length))
    }

    /// An embedded file; messages call it `name`.
    pub(in crate::tablebase) fn built_in(
        name: &str,
        bytes: &'static [u8],
    ) -> Result<SliceFile, TablebaseError> {
        SliceFile::new(Path::new(name), FileBytes::BuiltIn(bytes))
    }

    fn new(path: &Path, bytes: FileBytes) -> Result<SliceFile, TablebaseError> {
        let header = parse(&bytes).map_err(ContainerError::content(path))?;
        let blocks = header.entries.div_ceil(BLOCK_VALUES);
        Ok(SliceFile {
            path: path.to_owned(),
            bytes,
            cached: Section::ALL.map(|section| SectionCache::new(header.slice, section, blocks)),
            is_damaged: AtomicBool::new(false),
            header,
        })
    }

    /// Checks that the file is for these rules and holds the slice with the index `wanted`, which it returns.
    pub fn check(
        &self,
        rules: &TableRules,
        wanted: Option<SliceIndex>,
    ) -> Result<SliceIndex, TablebaseError> {
        let SliceHeader { slice, entries, .. } = self.header;
        let found = &self.header.rules;
        // Parsed: a file from before a parameter was there means its default.
        if found.parse() != Ok(*rules.rules()) {
            return Err(TablebaseError::OtherRules {
                path: self.path.clone(),
                found: printable(found, MOST_RULES),
                wanted: rules.to_string(),
            });
        }
        wanted
            .filter(|index| index.slice == slice && index.entries() == entries)
            .ok_or_else(|| {
                let found = format!(
                    "holds {entries} values of the slice {slice}, not those of the slice in its name"
                );
                ContainerError::content(&self.path)(found).into()
            })
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.bytes.length()
    }

    /// CRC-32 of the whole file.
    pub fn crc(&self) -> Result<u32, TablebaseError> {
        let crc = self.bytes.crc(0, self.size());
        crc.ok_or_else(|| ContainerError::content(&self.path)("truncated").into())
    }

    /// The number of blocks of each section.
    pub fn blocks(&self) -> u64 {
        self.header.entries.div_ceil(BLOCK_VALUES)
    }

    /// Checks that all blocks match their checksums.
    pub fn check_blocks(&self) -> Result<(), TablebaseError> {
        for section in Section::ALL {
            (0..self.blocks())
                .into_par_iter()
                .try_for_each(|block| self.compressed(section, block).map(drop))?;
        }
        Ok(())
    }

    /// The unpacked bytes of a block: outcomes four to a byte, distances of one or two bytes.
    pub fn block(&self, section: Section, block: u64) -> Result<Vec<u8>, TablebaseError> {
        let compressed = self.compressed(section, block)?;
        let bits = self.section(section).bits;
        let values = BLOCK_VALUES.min(self.header.entries - block * BLOCK_VALUES);
        let length = (values * u64::from(bits)).div_ceil(8) as usize;
        let bytes = DECOMPRESSOR
            .with_borrow_mut(|decompressor| decompressor.decompress(&compressed, length))
            .map_err(|error| self.damaged(section, block, error))?;
        if bytes.len() != length {
            let found = bytes.len();
            let what = format!("holds {found} bytes, expected {length}");
            return Err(self.damaged(section, block, what));
        }
        Ok(bytes)
    }

    fn section(&self, section: Section) -> &SectionHeader {
        [&self.header.outcomes, &self.header.distances][section as usize]
    }

    /// The compressed bytes of a block, which match its checksum.
    fn compressed(
        &self,
        section: Section,
        block: u64,
    ) -> Result<Cow<'static, [u8]>, TablebaseError> {
        let directory = self.section(section).directory;
        let entry = self.bytes.get(
            directory + block * BlockEntry::BYTES as u64,
            BlockEntry::BYTES as u64,
        );
        let entry = entry.filter(|_| block < self.blocks());
        let entry = (entry.as_deref().and_then(<[u8]>::first_chunk))
            .ok_or_else(|| self.damaged(section, block, "no such block"))?;
        let entry = BlockEntry::from_bytes(*entry);
        let compressed = (self.bytes.get(entry.offset, entry.length.into()))
            .ok_or_else(|| self.damaged(section, block, "outside the file"))?;
        if crc32fast::hash(&compressed) != entry.crc {
            return Err(self.damaged(section, block, "wrong checksum"));
        }
        Ok(compressed)
    }

    fn damaged(&self, section: Section, block: u64, what: impl Display) -> TablebaseError {
        let kind = ["outcomes", "distances"][section as usize];
        let what = format!("block {block} of {kind}: {what}");
        ContainerError::content(&self.path)(what).into()
    }
}

/// The longest valid header, in bytes; real ones have some hundreds.
const MOST_HEADER: u64 = 1 << 16;

fn parse(bytes: &FileBytes) -> Result<SliceHeader, String> {
    let start = bytes.get(0, bytes.length().min(PREAMBLE_BYTES as u64));
    let start = start.ok_or("cannot be read")?;
    let mut preamble = FORMAT.start(&start)?;
    let crc = preamble.u32()?;
    let [offset, length] = [preamble.array()?, preamble.array()?].map(u64::from_le_bytes);
    let end = offset.saturating_add(length);
    if end != bytes.length() || offset < PREAMBLE_BYTES as u64 {
        return Err(format!("{} bytes long, expected {end}", bytes.length()));
    }
    let header = bytes.get(offset, length.min(MOST_HEADER));
    let header = header.filter(|header| crc32fast::hash(header) == crc);
    let header = header.ok_or("wrong checksum of the header")?;
    let header: SliceHeader =
        serde_json::from_slice(&header).map_err(|error| format!("the header: {error}"))?;
    if header.outcomes.bits != 2 || ![8, 16].contains(&header.distances.bits) {
        return Err("the header: unknown bits per value".to_owned());
    }
    let blocks = header.entries.div_ceil(BLOCK_VALUES);
    for section in [&header.outcomes, &header.distances] {
        let crc = blocks
            .checked_mul(BlockEntry::BYTES as u64)
            .and_then(|length| bytes.crc(section.directory, length))
            .ok_or("a directory lies outside the file")?;
        if crc != section.crc {
            return Err("wrong checksum of a directory".to_owned());
        }
    }
    Ok(header)
}

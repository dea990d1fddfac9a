//! Reading a slice.

use std::cell::RefCell;
use std::fmt::Display;
use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use rayon::prelude::*;
use zstd::bulk::Decompressor;

use super::format::{
    BLOCK_VALUES, DIRECTORY_ENTRY_BYTES, DirectoryEntry, Header, PREAMBLE_BYTES, Preamble,
    SectionHeader, VERSION,
};
use crate::excerpt::printable;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::index::SliceIndex;
use crate::tablebase::table_rules::TableRules;

/// The most characters of a file's rules that are shown; a full rules string has about 120.
const MOST_RULES: usize = 200;

thread_local! {
    // Making one takes longer than unpacking a block.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::default();
}

/// The kind of values in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(in crate::tablebase) enum Section {
    Outcomes,
    Distances,
}

/// An open file. Nothing in it is trusted: whatever its bytes are, reading gives a value or an error.
#[derive(Debug)]
pub(in crate::tablebase) struct SliceFile {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
}

/// Where the bytes are.
#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    InProgram(&'static [u8]),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::InProgram(bytes) => bytes,
        }
    }
}

impl SliceFile {
    /// Opens a file and looks at all of it but the blocks themselves.
    pub(in crate::tablebase) fn open(path: &Path) -> Result<SliceFile, TablebaseError> {
        let file = File::open(path).map_err(TablebaseError::file(path))?;
        // SAFETY: the map is only read. Should another process write to the file or shorten it
        // meanwhile, which nothing can rule out, bytes change under us (they are checked before use
        // and never trusted) or the system ends the process; that is why tables are replaced by
        // renaming and never written in place. Measured: to get at a block of 1,100 bytes and check it
        // takes 0.14 microseconds from the map and 0.57 with a system call.
        let bytes = unsafe { Mmap::map(&file) }.map_err(TablebaseError::file(path))?;
        SliceFile::new(path, Bytes::Mapped(bytes))
    }

    /// A file that is part of this program; `path` is what it is called in messages.
    pub(in crate::tablebase) fn of_program(
        path: &Path,
        bytes: &'static [u8],
    ) -> Result<SliceFile, TablebaseError> {
        SliceFile::new(path, Bytes::InProgram(bytes))
    }

    fn new(path: &Path, bytes: Bytes) -> Result<SliceFile, TablebaseError> {
        let header = parse(&bytes).map_err(|what| TablebaseError::damaged(path, what))?;
        Ok(SliceFile {
            path: path.to_owned(),
            bytes,
            header,
        })
    }

    /// The index of the slice that this file is expected to hold, if that is what it does hold.
    pub(in crate::tablebase) fn check(
        &self,
        rules: &TableRules,
        wanted: Option<SliceIndex>,
    ) -> Result<SliceIndex, TablebaseError> {
        let Header {
            rules: found,
            slice,
            entries,
            ..
        } = &self.header;
        if *found != rules.to_string() {
            return Err(TablebaseError::OtherRules {
                path: self.path.clone(),
                found: printable(found, MOST_RULES),
                wanted: rules.to_string(),
            });
        }
        wanted
            .filter(|index| index.slice() == *slice && index.entries() == *entries)
            .ok_or_else(|| {
                let found = format!(
                    "holds {entries} values of the slice {slice}, which is not what its name says"
                );
                TablebaseError::damaged(&self.path, found)
            })
    }

    pub(in crate::tablebase) fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the whole file.
    pub(in crate::tablebase) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// CRC-32 of the whole file.
    pub(in crate::tablebase) fn crc(&self) -> u32 {
        crc32fast::hash(&self.bytes)
    }

    /// How many blocks each section has.
    pub(in crate::tablebase) fn blocks(&self) -> u64 {
        self.header.entries.div_ceil(BLOCK_VALUES)
    }

    /// Whether distances take two bytes.
    pub(in crate::tablebase) fn has_wide_distances(&self) -> bool {
        self.header.distances.bits == 16
    }

    /// Whether all blocks are as they were written.
    pub(in crate::tablebase) fn check_blocks(&self) -> Result<(), TablebaseError> {
        for section in [Section::Outcomes, Section::Distances] {
            (0..self.blocks())
                .into_par_iter()
                .try_for_each(|block| self.compressed(section, block).map(drop))?;
        }
        Ok(())
    }

    /// The bytes of a block, unpacked: outcomes by four to a byte, distances of one or two bytes.
    pub(in crate::tablebase) fn block(
        &self,
        section: Section,
        block: u64,
    ) -> Result<Vec<u8>, TablebaseError> {
        let compressed = self.compressed(section, block)?;
        let bits = self.section(section).bits;
        let values = BLOCK_VALUES.min(self.header.entries - block * BLOCK_VALUES);
        let length = (values * u64::from(bits)).div_ceil(8) as usize;
        let bytes = DECOMPRESSOR
            .with_borrow_mut(|decompressor| decompressor.decompress(compressed, length))
            .map_err(|error| self.damaged(section, block, error))?;
        if bytes.len() != length {
            let found = bytes.len();
            let what = format!("it holds {found} bytes, and {length} were expected");
            return Err(self.damaged(section, block, what));
        }
        Ok(bytes)
    }

    fn section(&self, section: Section) -> &SectionHeader {
        match section {
            Section::Outcomes => &self.header.outcomes,
            Section::Distances => &self.header.distances,
        }
    }

    /// The bytes of a block as they are in the file, their checksum being right.
    fn compressed(&self, section: Section, block: u64) -> Result<&[u8], TablebaseError> {
        let directory = self.section(section).directory as usize;
        let entry = self
            .bytes
            .get(directory + block as usize * DIRECTORY_ENTRY_BYTES..)
            .and_then(DirectoryEntry::from_bytes)
            .filter(|_| block < self.blocks())
            .ok_or_else(|| self.damaged(section, block, "there is no such block"))?;
        let start = usize::try_from(entry.offset).unwrap_or(usize::MAX);
        let compressed = self
            .bytes
            .get(start..start.saturating_add(entry.length as usize))
            .ok_or_else(|| self.damaged(section, block, "it lies outside the file"))?;
        if crc32fast::hash(compressed) != entry.crc {
            return Err(self.damaged(section, block, "its checksum is wrong"));
        }
        Ok(compressed)
    }

    fn damaged(&self, section: Section, block: u64, what: impl Display) -> TablebaseError {
        let kind = match section {
            Section::Outcomes => "outcomes",
            Section::Distances => "distances",
        };
        TablebaseError::damaged(&self.path, format!("block {block} of {kind}: {what}"))
    }
}

/// Looks at everything but the blocks; what is wrong is said in words.
fn parse(bytes: &[u8]) -> Result<Header, String> {
    let preamble = Preamble::from_bytes(bytes).ok_or("not a tablebase file")?;
    if preamble.version != VERSION {
        return Err(format!(
            "format version {}, and this program reads version {VERSION}",
            preamble.version
        ));
    }
    let offset = usize::try_from(preamble.header_offset).unwrap_or(usize::MAX);
    let header = bytes
        .get(offset..)
        .filter(|header| header.len() as u64 == preamble.header_length)
        .filter(|_| offset >= PREAMBLE_BYTES)
        .ok_or_else(|| {
            let wanted = preamble
                .header_offset
                .saturating_add(preamble.header_length);
            format!("{} bytes long, and should be {wanted}", bytes.len())
        })?;
    if crc32fast::hash(header) != preamble.header_crc {
        return Err("the checksum of the header is wrong".to_owned());
    }
    let header: Header =
        serde_json::from_slice(header).map_err(|error| format!("the header: {error}"))?;
    if header.outcomes.bits != 2 || ![8, 16].contains(&header.distances.bits) {
        return Err("the header: values of an unknown width".to_owned());
    }
    for section in [&header.outcomes, &header.distances] {
        check_directory(bytes, section, header.entries.div_ceil(BLOCK_VALUES))?;
    }
    Ok(header)
}

fn check_directory(bytes: &[u8], section: &SectionHeader, blocks: u64) -> Result<(), String> {
    let start = usize::try_from(section.directory).unwrap_or(usize::MAX);
    let directory = usize::try_from(blocks)
        .ok()
        .and_then(|blocks| blocks.checked_mul(DIRECTORY_ENTRY_BYTES))
        .and_then(|length| bytes.get(start..start.checked_add(length)?))
        .ok_or("a directory lies outside the file")?;
    if crc32fast::hash(directory) != section.crc {
        return Err("the checksum of a directory is wrong".to_owned());
    }
    Ok(())
}

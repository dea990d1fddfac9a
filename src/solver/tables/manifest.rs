//! The manifest of a folder of tables, and statistics of slices.

use std::io::{ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use vato_engine::container::ContainerError;
use vato_engine::files;
use vato_engine::notation::format_fen;
use vato_engine::tablebase::file::{SliceFile, file_name};
use vato_engine::tablebase::{Slice, TableFolders, TableRules, TablebaseError, Tablebases};

use crate::files::replace;

/// The contents of a folder: `manifest.json` repeats the headers of every slice, with the size and the
/// CRC-32 of the whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The rules string, every parameter written out.
    pub rules: String,
    /// One entry for each file, in the order in which they were built.
    pub slices: Vec<ManifestEntry>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// Its slice.
    pub slice: Slice,
    /// Its name within the folder.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// CRC-32 of all its bytes.
    pub crc: u32,
    /// Positions won for the side to move, symmetric ones counted.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
    /// The longest distance in plies, `None` if no position is decided.
    pub longest: Option<u32>,
}

impl ManifestEntry {
    pub(super) fn of(file: &SliceFile) -> Result<ManifestEntry, TablebaseError> {
        let header = &file.header;
        Ok(ManifestEntry {
            slice: header.slice,
            file: file_name(header.slice),
            bytes: file.size(),
            crc: file.crc()?,
            wins: header.counts.wins,
            draws: header.counts.draws,
            losses: header.counts.losses,
            longest: header.counts.longest.map(|longest| longest.plies),
        })
    }
}

impl Manifest {
    /// The manifest's name within its folder.
    pub const NAME: &str = TableFolders::MANIFEST;
    /// The first bytes, also of a damaged one.
    pub(super) const START: &[u8] = b"{\n  \"rules\": ";

    /// Reads the manifest of a folder; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is invalid.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, TablebaseError> {
        let path = folder.join(Manifest::NAME);
        match files::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|error| ContainerError::content(&path)(error).into()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ContainerError::read(&path)(error).into()),
        }
    }

    /// Writes the manifest of a folder atomically.
    pub(super) fn write(&self, folder: &Path) -> Result<(), TablebaseError> {
        let path = folder.join(Manifest::NAME);
        let written = replace(&path, |output| {
            writeln!(output, "{}", serde_json::to_string_pretty(self)?)
        });
        Ok(written.map_err(ContainerError::write(&path))?)
    }

    /// The entry of a slice.
    pub fn entry(&self, slice: Slice) -> Option<&ManifestEntry> {
        self.slices.iter().find(|entry| entry.slice == slice)
    }
}

/// Statistics of a slice in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SliceInfo {
    /// The slice.
    pub slice: Slice,
    /// The number of positions with a given side to move, symmetric ones counted.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// The longest distance; `None` if no position is decided.
    pub longest: Option<LongestInfo>,
    /// The number of values in the file: about one for each position up to symmetry.
    pub entries: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Bytes of compressed outcomes.
    pub outcome_bytes: u64,
    /// Bytes of compressed distances.
    pub distance_bytes: u64,
}

/// The longest distance in a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongestInfo {
    /// Plies.
    pub plies: u32,
    /// A position with that distance.
    pub fen: String,
}

/// The statistics of the slices from files, those with fewer stones first.
pub fn info(tables: &Tablebases) -> Vec<SliceInfo> {
    let board = tables.rules().rules().board;
    let info = |slice: Slice| {
        let file = tables.file(slice)?;
        let index = tables.indices.slice(slice)?;
        let (header, counts) = (&file.header, &file.header.counts);
        // The file may be damaged.
        let longest = (counts.longest).filter(|longest| longest.number < index.entries());
        Some(SliceInfo {
            slice,
            positions: slice.positions(board),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            longest: longest.map(|longest| {
                let (own, other) = index.stones(longest.number);
                LongestInfo {
                    plies: longest.plies,
                    fen: format_fen(&TableRules::position(own, other), board),
                }
            }),
            entries: header.entries,
            bytes: file.size(),
            outcome_bytes: header.outcomes.bytes,
            distance_bytes: header.distances.bytes,
        })
    };
    tables.slices().filter_map(info).collect()
}

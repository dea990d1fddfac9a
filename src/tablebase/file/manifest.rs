//! The manifest of a folder of tables.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::reader::SliceFile;
use crate::files::destination;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::slice::Slice;

/// What there is in a folder.
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
    /// Plies of the longest way to a conversion, `None` if no position is decided.
    pub longest: Option<u32>,
}

impl ManifestEntry {
    pub(in crate::tablebase) fn of(file: &SliceFile) -> ManifestEntry {
        let header = file.header();
        ManifestEntry {
            slice: header.slice,
            file: super::file_name(header.slice),
            bytes: file.size(),
            crc: file.crc(),
            wins: header.wins,
            draws: header.draws,
            losses: header.losses,
            longest: header.longest.as_ref().map(|longest| longest.plies),
        }
    }
}

impl Manifest {
    /// The manifest's name within its folder.
    pub const NAME: &str = "manifest.json";

    /// Reads the manifest of a folder; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no manifest.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, TablebaseError> {
        let path = folder.join(Manifest::NAME);
        match File::open(&path) {
            Ok(file) => serde_json::from_reader(BufReader::new(file))
                .map(Some)
                .map_err(|error| TablebaseError::damaged(&path, error.to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TablebaseError::File { path, error }),
        }
    }

    /// Writes the manifest of a folder under a temporary name, then gives it its own.
    pub(in crate::tablebase) fn write(&self, folder: &Path) -> Result<(), TablebaseError> {
        let path = folder.join(Manifest::NAME);
        let path = destination(&path).map_err(TablebaseError::file(&path))?;
        let temporary = path.with_extension("part");
        let write = || {
            let mut output = BufWriter::new(File::create(&temporary)?);
            serde_json::to_writer_pretty(&mut output, self)?;
            output.write_all(b"\n")?;
            output.flush()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(TablebaseError::file(&path))
    }

    /// The entry of a slice.
    #[must_use]
    pub fn entry(&self, slice: Slice) -> Option<&ManifestEntry> {
        self.slices.iter().find(|entry| entry.slice == slice)
    }
}

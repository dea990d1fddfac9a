//! Writing a slice.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::format::{
    BLOCK_VALUES, DirectoryEntry, Header, Longest, PREAMBLE_BYTES, Preamble, SectionHeader, VERSION,
};
use crate::files::destination;
use crate::tablebase::error::TablebaseError;
use crate::tablebase::generator::{Solved, Tally};
use crate::tablebase::packing;
use crate::tablebase::table_rules::TableRules;
use crate::tablebase::value::{Value, Wdl};

/// Compression: level 19 makes files of five stones a tenth smaller and takes the whole build three
/// times as long; level 3 makes them an eighth larger.
const LEVEL: i32 = 9;

/// Blocks that are compressed at a time.
const BATCH: u64 = 256;

/// Writes a solved slice under a temporary name, then gives it its own.
pub(in crate::tablebase) fn write_slice(
    path: &Path,
    rules: &TableRules,
    solved: &Solved,
    tally: &Tally,
) -> Result<(), TablebaseError> {
    // Large files may lie elsewhere, behind a link.
    let path = &destination(path).map_err(TablebaseError::file(path))?;
    let temporary = path.with_extension("part");
    let failed = |error| TablebaseError::File {
        path: temporary.clone(),
        error,
    };
    let written = File::create(&temporary).and_then(|file| {
        write(
            BufWriter::with_capacity(1 << 20, file),
            rules,
            solved,
            tally,
        )
    });
    if let Err(error) = written {
        // What is left of it is of no use; that it may not go away either changes nothing.
        let _ = fs::remove_file(&temporary);
        return Err(failed(error));
    }
    fs::rename(&temporary, path).map_err(TablebaseError::file(path))
}

fn write(
    mut output: BufWriter<File>,
    rules: &TableRules,
    solved: &Solved,
    tally: &Tally,
) -> io::Result<()> {
    output.write_all(&[0; PREAMBLE_BYTES])?;
    let entries = solved.index.entries();
    let longest = tally
        .longest
        .map(|(plies, number)| Longest { plies, number });
    let width = match &longest {
        Some(longest) if longest.plies > u32::from(u8::MAX) => 2,
        _ => 1,
    };
    let mut offset = PREAMBLE_BYTES as u64;
    let outcomes = write_blocks(&mut output, &mut offset, entries, |numbers, bytes| {
        let outcomes = kept_outcomes(solved, numbers);
        bytes.resize(packing::packed_bytes(outcomes.len() as u64) as usize, 0);
        packing::pack(&outcomes, bytes);
    })?;
    let distances = write_blocks(&mut output, &mut offset, entries, |numbers, bytes| {
        let plies = kept_distances(solved, numbers);
        if width == 1 {
            bytes.extend(plies.iter().map(|&plies| plies as u8));
        } else {
            bytes.extend(plies.iter().flat_map(|&plies| plies.to_le_bytes()));
        }
    })?;
    let outcomes = write_directory(&mut output, &mut offset, &outcomes, 2)?;
    let distances = write_directory(&mut output, &mut offset, &distances, 8 * width)?;
    let header = Header {
        rules: rules.to_string(),
        slice: solved.index.slice(),
        entries,
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        longest,
        outcomes,
        distances,
    };
    let header = serde_json::to_vec(&header)?;
    output.write_all(&header)?;
    let preamble = Preamble {
        version: VERSION,
        header_crc: crc32fast::hash(&header),
        header_offset: offset,
        header_length: header.len() as u64,
    };
    output.seek(SeekFrom::Start(0))?;
    output.write_all(&preamble.to_bytes())?;
    let file = output
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
}

/// The outcomes of a range of numbers; where captures settle the position, that of the number before.
fn kept_outcomes(solved: &Solved, numbers: std::ops::Range<u64>) -> Vec<Wdl> {
    let mut outcomes = Vec::with_capacity((numbers.end - numbers.start) as usize);
    let mut last = Wdl::Draw;
    solved.for_each(numbers, |value| {
        if let Some(Value { wdl, .. }) = value {
            last = wdl;
        }
        outcomes.push(last);
    });
    outcomes
}

/// The plies of a range of numbers; where nobody looks at them, those of the number before.
fn kept_distances(solved: &Solved, numbers: std::ops::Range<u64>) -> Vec<u16> {
    let mut distances = Vec::with_capacity((numbers.end - numbers.start) as usize);
    let mut last = 0;
    solved.for_each(numbers, |value| {
        if let Some(value) = value
            && value.wdl != Wdl::Draw
        {
            last = u16::try_from(value.plies).unwrap_or(u16::MAX);
        }
        distances.push(last);
    });
    distances
}

/// Writes blocks as `fill` makes them; returns where they are.
fn write_blocks(
    output: &mut impl Write,
    offset: &mut u64,
    entries: u64,
    fill: impl Fn(std::ops::Range<u64>, &mut Vec<u8>) + Sync,
) -> io::Result<Vec<DirectoryEntry>> {
    let blocks = entries.div_ceil(BLOCK_VALUES);
    let mut directory = Vec::with_capacity(blocks as usize);
    let mut first = 0;
    while first < blocks {
        let batch = first..blocks.min(first + BATCH);
        let compressed: Vec<Vec<u8>> = batch
            .clone()
            .into_par_iter()
            .map_init(
                || (zstd::bulk::Compressor::new(LEVEL), Vec::new()),
                |(compressor, bytes), block| {
                    bytes.clear();
                    let start = block * BLOCK_VALUES;
                    fill(start..entries.min(start + BLOCK_VALUES), bytes);
                    match compressor {
                        Ok(compressor) => compressor.compress(bytes),
                        Err(error) => Err(io::Error::other(error.to_string())),
                    }
                },
            )
            .collect::<io::Result<_>>()?;
        for bytes in compressed {
            output.write_all(&bytes)?;
            directory.push(DirectoryEntry {
                offset: *offset,
                length: bytes.len() as u32,
                crc: crc32fast::hash(&bytes),
            });
            *offset += bytes.len() as u64;
        }
        first = batch.end;
    }
    Ok(directory)
}

fn write_directory(
    output: &mut impl Write,
    offset: &mut u64,
    entries: &[DirectoryEntry],
    bits: u32,
) -> io::Result<SectionHeader> {
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    output.write_all(&bytes)?;
    let section = SectionHeader {
        directory: *offset,
        crc: crc32fast::hash(&bytes),
        bytes: entries.iter().map(|entry| u64::from(entry.length)).sum(),
        bits,
    };
    *offset += bytes.len() as u64;
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::tablebase::file::{Section, SliceFile};
    use crate::tablebase::index::Indices;
    use crate::tablebase::slice::Slice;

    /// Distances that do not fit into a byte are written in two.
    #[test]
    fn distances_of_any_length_come_back() {
        let rules = TableRules::of(&Rules::STANDARD).expect("standard");
        let slice = Slice::new(1, 2).expect("a slice");
        let indices = Indices::new(rules.rules().board);
        let folder = tempfile::tempdir().expect("a folder");
        for longest in [255, 256, 1_000] {
            let index = indices.slice(slice).expect("the board is large");
            let last = index.entries() - 1;
            let value = |wdl, plies| Value { wdl, plies };
            let values = [
                (0, value(Wdl::Win, 3)),
                (7, value(Wdl::Loss, longest)),
                (last, value(Wdl::Win, 90)),
            ];
            let solved = Solved::with_values(index, &values);
            let tally = Tally::of(&solved);
            assert_eq!(tally.longest, Some((longest, 7)));
            let path = folder.path().join("1v2.vtb");
            write_slice(&path, &rules, &solved, &tally).expect("there is room");
            let file = SliceFile::open(&path).expect("just written");
            assert_eq!(file.has_wide_distances(), longest > 255);
            let outcomes = file.block(Section::Outcomes, 0).expect("right");
            let distances = file.block(Section::Distances, 0).expect("right");
            for (number, value) in values {
                let place = number as usize;
                assert_eq!(packing::get(&outcomes, place), value.wdl);
                let plies = if file.has_wide_distances() {
                    u32::from(distances[2 * place]) + 256 * u32::from(distances[2 * place + 1])
                } else {
                    u32::from(distances[place])
                };
                assert_eq!(plies, value.plies);
            }
            assert_eq!(packing::get(&outcomes, 1), Wdl::Draw);
        }
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 1, "nothing temporary is left");
    }
}

//! Writing a slice.

use std::cmp::Reverse;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use vato_engine::container::ContainerError;
use vato_engine::tablebase::file::{
    BLOCK_VALUES, BlockEntry, FORMAT, Longest, PREAMBLE_BYTES, SectionHeader, SliceCounts,
    SliceHeader,
};
use vato_engine::tablebase::index::SliceIndex;
use vato_engine::tablebase::{PER_BYTE, TableRules, TablebaseError, Value, Wdl, pack};

use crate::files::replace;

/// Blocks compressed in parallel.
const BATCH: u64 = 256;

/// Writes a solved slice atomically, of which `value` is the value of a number, and whether it is stored.
pub(super) fn write_slice(
    path: &Path,
    rules: &TableRules,
    index: &SliceIndex,
    value: &(impl Fn(u64) -> (Value, bool) + Sync),
    level: i32,
) -> Result<(), TablebaseError> {
    let written = replace(path, |output| {
        output.write_all(&[0; PREAMBLE_BYTES])?;
        let entries = index.entries();
        let counts = counts(index, value);
        let is_wide = counts
            .longest
            .is_some_and(|longest| longest.plies > u32::from(u8::MAX));
        let mut offset = PREAMBLE_BYTES as u64;
        let outcomes = write_blocks(output, &mut offset, entries, level, |numbers, bytes| {
            let outcomes = stored(value, numbers, Wdl::Draw, |value| Some(value.wdl));
            bytes.resize((outcomes.len() as u64).div_ceil(PER_BYTE) as usize, 0);
            pack(&outcomes, bytes);
        })?;
        let distances = write_blocks(output, &mut offset, entries, level, |numbers, bytes| {
            let plies = |value: Value| {
                let plies = u16::try_from(value.plies).unwrap_or(u16::MAX);
                (value.wdl != Wdl::Draw).then_some(plies)
            };
            let plies = stored(value, numbers, 0, plies);
            if is_wide {
                bytes.extend(plies.iter().flat_map(|&plies| plies.to_le_bytes()));
            } else {
                bytes.extend(plies.iter().map(|&plies| plies as u8));
            }
        })?;
        let outcomes = write_directory(output, &mut offset, &outcomes, 2)?;
        let distances = write_directory(
            output,
            &mut offset,
            &distances,
            if is_wide { 16 } else { 8 },
        )?;
        let header = serde_json::to_vec(&SliceHeader {
            rules: rules.to_string(),
            slice: index.slice,
            entries,
            counts,
            outcomes,
            distances,
        })?;
        output.write_all(&header)?;
        output.seek(SeekFrom::Start(0))?;
        output.write_all(&FORMAT.magic)?;
        output.write_all(&FORMAT.version.to_le_bytes())?;
        output.write_all(&crc32fast::hash(&header).to_le_bytes())?;
        output.write_all(&offset.to_le_bytes())?;
        output.write_all(&(header.len() as u64).to_le_bytes())
    });
    Ok(written.map_err(ContainerError::write(path))?)
}

/// The stored data of a range of numbers: `of` each value. Where that is `None`, or the value is not stored, the data
/// of the number before is repeated.
fn stored<T: Copy>(
    value: &impl Fn(u64) -> (Value, bool),
    numbers: Range<u64>,
    first: T,
    of: impl Fn(Value) -> Option<T>,
) -> Vec<T> {
    let mut last = first;
    let stored = numbers.map(|number| {
        let (value, is_stored) = value(number);
        last = of(value).filter(|_| is_stored).unwrap_or(last);
        last
    });
    stored.collect()
}

/// Counts the values of a solved slice, on the threads of the current pool.
fn counts(index: &SliceIndex, value: &(impl Fn(u64) -> (Value, bool) + Sync)) -> SliceCounts {
    let counts_of_class = |class: usize| {
        let weight = u64::from(index.placements.images[class]);
        let first = class as u64 * index.block;
        let mut counts = SliceCounts::default();
        for number in first..first + index.block {
            let (Value { wdl, plies }, _) = value(number);
            match wdl {
                Wdl::Win => counts.wins += weight,
                Wdl::Draw => counts.draws += weight,
                Wdl::Loss => counts.losses += weight,
            }
            if wdl != Wdl::Draw && counts.longest.is_none_or(|longest| plies > longest.plies) {
                counts.longest = Some(Longest { plies, number });
            }
        }
        counts
    };
    // Of equally long ones the first.
    let longer = |longest: &Longest| (longest.plies, Reverse(longest.number));
    (0..index.placements.representatives.len())
        .into_par_iter()
        .map(counts_of_class)
        .reduce(SliceCounts::default, |a, b| SliceCounts {
            wins: a.wins + b.wins,
            draws: a.draws + b.draws,
            losses: a.losses + b.losses,
            longest: a.longest.into_iter().chain(b.longest).max_by_key(longer),
        })
}

/// Writes the blocks made by `fill`; returns their directory.
fn write_blocks(
    output: &mut impl Write,
    offset: &mut u64,
    entries: u64,
    level: i32,
    fill: impl Fn(Range<u64>, &mut Vec<u8>) + Sync,
) -> io::Result<Vec<BlockEntry>> {
    let blocks = entries.div_ceil(BLOCK_VALUES);
    let mut directory = Vec::with_capacity(blocks as usize);
    let mut first = 0;
    while first < blocks {
        let batch = first..blocks.min(first + BATCH);
        let compressed: Vec<Vec<u8>> = batch
            .clone()
            .into_par_iter()
            .map_init(
                || (zstd::bulk::Compressor::new(level), Vec::new()),
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
            directory.push(BlockEntry {
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
    entries: &[BlockEntry],
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
    use vato_engine::rules::Rules;
    use vato_engine::tablebase::Section;
    use vato_engine::tablebase::Slice;
    use vato_engine::tablebase::file::SliceFile;
    use vato_engine::tablebase::index::Indices;
    use vato_engine::tablebase::unpack;

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
            let values = [
                (0, Value::new(Wdl::Win, 3)),
                (7, Value::new(Wdl::Loss, longest)),
                (last, Value::new(Wdl::Win, 90)),
            ];
            let value = |number| {
                let found = values.iter().find(|(decided, _)| *decided == number);
                (found.map_or(Value::DRAW, |(_, value)| *value), true)
            };
            let counted = counts(&index, &value).longest;
            let counted = counted.map(|found| (found.plies, found.number));
            assert_eq!(counted, Some((longest, 7)));
            let path = folder.path().join("1v2.vtb");
            write_slice(&path, &rules, &index, &value, 1).expect("there is room");
            let file = SliceFile::open(&path).expect("just written");
            assert_eq!(file.header.distances.bits == 16, longest > 255);
            let outcomes = file.block(Section::Outcomes, 0).expect("right");
            let distances = file.block(Section::Distances, 0).expect("right");
            for (number, value) in values {
                let place = number as usize;
                assert_eq!(unpack(&outcomes, place), value.wdl);
                let bytes = file.header.distances.bits as usize / 8;
                let all = distances[bytes * place..][..bytes].iter().rev();
                let plies = all.fold(0, |plies, &byte| 256 * plies + u32::from(byte));
                assert_eq!(plies, value.plies);
            }
            assert_eq!(unpack(&outcomes, 1), Wdl::Draw);
        }
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 1, "nothing temporary is left");
    }
}

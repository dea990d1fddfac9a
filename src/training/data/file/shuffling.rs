//! Records in random order.

use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::merging::refuse_same;
use super::{DataFile, DataWriter};
use crate::training::data::DataError;

/// Writes the records of a file to another in an order that follows from `seed`; returns how many
/// there are. All of them are in memory meanwhile.
///
/// # Errors
///
/// If the file cannot be read, or the other cannot be written.
pub fn shuffle(path: &Path, out: &Path, seed: u64) -> Result<u64, DataError> {
    refuse_same(path, out)?;
    let mut file = DataFile::read(path)?;
    file.records.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    file.header.shuffled = true;
    let mut writer = DataWriter::create(out, &file.header)?;
    for record in &file.records {
        writer.write(record)?;
    }
    writer.finish()?;
    Ok(file.records.len() as u64)
}

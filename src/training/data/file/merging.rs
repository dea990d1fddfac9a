//! Several files into one.

use std::path::{Path, PathBuf};

use super::{DataWriter, Header, Records};
use crate::training::data::DataError;

/// Writes the records of all files to one, in their order; returns how many there are.
///
/// # Errors
///
/// If a file cannot be read, is of other rules than the first, or is the one that is written, or that
/// one cannot be written.
pub fn merge(files: &[PathBuf], out: &Path) -> Result<u64, DataError> {
    let mut header: Option<Header> = None;
    for path in files {
        refuse_same(path, out)?;
        let next = Records::open(path)?.header().clone();
        match &mut header {
            None => header = Some(next),
            Some(header) if header.rules == next.rules => {
                for origin in next.origins {
                    if !header.origins.contains(&origin) {
                        header.origins.push(origin);
                    }
                }
                header.shuffled |= next.shuffled;
            }
            Some(header) => {
                return Err(DataError::OtherRules {
                    path: path.clone(),
                    found: next.rules,
                    wanted: header.rules.clone(),
                });
            }
        }
    }
    let Some(header) = header else { return Ok(0) };
    let mut writer = DataWriter::create(out, &header)?;
    let mut count = 0;
    for path in files {
        for record in Records::open(path)? {
            writer.write(&record?)?;
            count += 1;
        }
    }
    writer.finish()?;
    Ok(count)
}

/// Refuses to write over a file that is being read.
pub(super) fn refuse_same(path: &Path, out: &Path) -> Result<(), DataError> {
    let real = |path: &Path| path.canonicalize().ok();
    match (real(path), real(out)) {
        (Some(one), Some(two)) if one == two => Err(DataError::Same {
            path: out.to_path_buf(),
        }),
        _ => Ok(()),
    }
}

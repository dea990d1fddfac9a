//! A file of training data in memory.

use std::path::Path;

use super::{Header, Records};
use crate::training::data::{DataError, Record};

/// A file of training data, all of it in memory: 24 bytes a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    /// What the file says of itself.
    pub header: Header,
    /// Its records, in the order of the file.
    pub records: Vec<Record>,
}

impl DataFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it does not read, is something else, or a record cannot be one.
    pub fn read(path: &Path) -> Result<DataFile, DataError> {
        let file = Records::open(path)?;
        let header = file.header().clone();
        let records = file.collect::<Result<_, _>>()?;
        Ok(DataFile { header, records })
    }
}

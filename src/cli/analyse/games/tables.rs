//! The tablebases of games under several rules.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use vato::rules::Rules;
use vato::tablebase::{TablebaseError, Tablebases};

/// Tables by rules, each opened (or solved) when the first game wants it.
#[derive(Debug)]
pub(super) struct TablesByRules {
    folders: Vec<PathBuf>,
    known: Mutex<HashMap<Rules, Option<Arc<Tablebases>>>>,
}

impl TablesByRules {
    /// With the tables of these folders beside the built-in ones.
    pub(super) fn new(folders: &[PathBuf]) -> TablesByRules {
        TablesByRules {
            folders: folders.to_vec(),
            known: Mutex::default(),
        }
    }

    /// The tables for games under these rules; `None` if there are none for them. That a folder is for
    /// other rules is no error: a file may have games under several. It is logged.
    ///
    /// # Errors
    ///
    /// If a folder has no tables, or cannot be read.
    pub(super) fn tables(&self, rules: &Rules) -> Result<Option<Arc<Tablebases>>, TablebaseError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = known.get(rules) {
            return Ok(tables.clone());
        }
        let cache = Tablebases::DEFAULT_CACHE_BYTES;
        let tables = match Tablebases::for_play(rules, &self.folders, cache, 1) {
            Ok((tables, None)) => Some(Arc::new(tables)),
            Ok((tables, Some(error @ TablebaseError::OtherRules { .. }))) => {
                log::warn!("{error}");
                Some(Arc::new(tables))
            }
            Err(error @ TablebaseError::Rules(_)) => {
                if !self.folders.is_empty() {
                    log::warn!("{error}");
                }
                None
            }
            Ok((_, Some(error))) | Err(error) => return Err(error),
        };
        known.insert(*rules, tables.clone());
        Ok(tables)
    }
}

//! Options for a search: threads, memory, evaluation.

use clap::Args;
use vato_engine::container::ContainerError;
pub use vato_engine::memory::processors;
use vato_engine::rules::Rules;
use vato_engine::search::{MAX_THREADS, SearchSettings};
use vato_engine::tablebase::{TableFolders, TablebaseError, Tablebases};

use super::arguments::{EvaluationArguments, mebibytes, number};
use super::failure::{Context, Failure};

#[derive(Args, Debug)]
pub struct SearchArguments {
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub threads: u64,

    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = SearchSettings::DEFAULT_HASH_MIB as u64, value_parser = mebibytes(1))]
    pub hash: u64,

    #[command(flatten)]
    evaluation: EvaluationArguments,
}

pub fn threads() -> impl Fn(&str) -> Result<u64, String> + Clone {
    number::<u64>(1..=MAX_THREADS as u64)
}

/// The threads of work for which none but all processors make sense, if no number is given.
pub fn threads_or_all(given: Option<u64>) -> usize {
    given.map_or_else(processors, |threads| threads as usize)
}

/// Starts the threads that share work: one for each processor, or as many as there is address space for, at least so
/// many. Started by the work itself they would end the process where the system has none.
pub fn start_threads(least: usize) -> Result<(), Failure> {
    vato_engine::memory::require_space(least).map_err(Failure::Error)?;
    let fits = |&threads: &usize| vato_engine::memory::require_space(threads).is_ok();
    let threads = (1..=processors()).rev().find(fits).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().context("cannot start threads")
}

/// The built-in tables and those of the folders, all of them intact.
pub fn tables(rules: &Rules, folders: &TableFolders) -> Result<Tablebases, TablebaseError> {
    match Tablebases::for_play(rules, folders, Tablebases::DEFAULT_CACHE_BYTES, 1, &|| true)? {
        (tables, None) => Ok(tables),
        (_, Some(error)) => Err(error),
    }
}

impl SearchArguments {
    pub fn settings(&self) -> Result<SearchSettings, ContainerError> {
        Ok(SearchSettings {
            threads: self.threads as usize,
            hash_mib: self.hash as usize,
            evaluation: self.evaluation.evaluation()?,
            ..SearchSettings::default()
        })
    }
}

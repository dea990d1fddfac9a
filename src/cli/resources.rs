//! Options for the resources of a search: threads and memory.

use clap::Args;
use vato::engine::Settings;
use vato::search::{MAX_THREADS, Searcher};

use super::arguments::{mebibytes, number};

/// The options for threads and memory.
#[derive(Args, Debug)]
pub struct ResourceArguments {
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub threads: u64,

    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = Searcher::DEFAULT_HASH_MIB as u64, value_parser = mebibytes(1))]
    pub hash: u64,
}

/// Parses a number of threads.
pub fn threads() -> impl Fn(&str) -> Result<u64, String> + Clone {
    number::<u64>(1..=MAX_THREADS as u64)
}

impl ResourceArguments {
    /// The engine settings with these resources.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads as usize,
            hash_mib: self.hash as usize,
            ..Settings::default()
        }
    }
}

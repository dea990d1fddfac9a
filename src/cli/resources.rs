//! Options for the resources of a search: threads and memory.

use clap::Args;
use vato::engine::Settings;
use vato::search::{MAX_HASH_MIB, MAX_THREADS, Searcher};

/// The options for threads and memory.
#[derive(Args, Debug)]
pub struct ResourceArguments {
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub threads: u64,

    /// Size of the transposition table, in MiB
    #[arg(
        long,
        value_name = "MB",
        default_value_t = Searcher::DEFAULT_HASH_MIB as u64,
        value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MIB as u64),
    )]
    pub hash: u64,
}

/// Parses a number of threads.
pub fn threads() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=MAX_THREADS as u64)
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

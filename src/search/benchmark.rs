//! The benchmark: fixed positions to a fixed depth. Its node count is the signature of the search.

use std::time::Duration;

use super::{Control, SearchError};

/// A run over the benchmark's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Depth of each search, in plies.
    pub depth: u32,
    /// Threads.
    pub threads: usize,
    /// Size of the table, in MiB.
    pub hash_mib: usize,
}

/// What a benchmark counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchmarkTotal {
    /// Nodes over all positions.
    pub nodes: u64,
    /// Time over all positions.
    pub time: Duration,
}

impl BenchmarkTotal {
    /// Nodes a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        super::report::nodes_per_second(self.nodes, self.time)
    }
}

impl Default for Benchmark {
    /// The arguments that give the signature.
    fn default() -> Benchmark {
        Benchmark {
            depth: 8,
            threads: 1,
            hash_mib: 16,
        }
    }
}

impl Benchmark {
    /// Searches every position with a fresh searcher. `progress` is called after each with its
    /// number (from 1), how many there are, its FEN and the total so far. Ends early if `control` is
    /// stopped.
    ///
    /// # Errors
    ///
    /// If memory or threads cannot be had.
    pub fn run(
        &self,
        _control: &Control,
        _progress: &mut dyn FnMut(usize, usize, &str, &BenchmarkTotal),
    ) -> Result<BenchmarkTotal, SearchError> {
        Ok(BenchmarkTotal::default())
    }
}

//! Why there is no comparison.

use std::fmt;
use std::io;

use thiserror::Error;
use vato_tools::openings::OpeningSuiteError;

use crate::engine::EngineError;

/// Which of the two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one that is compared with.
    Before,
    /// The one that is compared.
    After,
}

/// Why there is no comparison; the exit code is 1.
#[derive(Debug, Error)]
pub enum Failure {
    /// An engine that does not start or violates the protocol.
    #[error("the engine {role} ('{command}'): {error}")]
    Engine {
        /// Which one.
        role: Role,
        /// Its command line.
        command: String,
        /// The error.
        error: EngineError,
    },
    /// Positions that cannot be read.
    #[error("--positions: {0}")]
    Positions(#[from] OpeningSuiteError),
    /// A table that cannot be written.
    #[error("cannot write the results: {0}")]
    Output(#[from] io::Error),
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Before => "before",
            Role::After => "after",
        })
    }
}

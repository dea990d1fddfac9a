//! Files that are whole or not there, and that one process writes at a time.

mod lock;
mod replacement;

pub(crate) use lock::{Lock, LockError};
pub(crate) use replacement::require_regular;
pub use replacement::{create, destination, replace};

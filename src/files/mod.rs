//! Files that are whole or not there, and that one process writes at a time.

mod lock;
mod replacement;

pub(crate) use lock::{Lock, LockError};
pub use replacement::destination;
pub(crate) use replacement::{create, replace, require_regular};

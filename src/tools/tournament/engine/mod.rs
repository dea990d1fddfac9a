//! Engines: starting them, the protocol, and faults.
//!
//! Everything that is said goes through the types of [`vato_engine::protocol`], from the other side.

mod inbox;
mod io_log;
mod player;
mod process;
mod rules_support;
mod start;

pub use inbox::{Line, Received};
pub(super) use io_log::IoLog;
pub(super) use player::{Player, SearchAnswer, Trouble};
pub use process::Process;
pub(super) use process::available_processors;
pub use start::StartError;
pub(super) use start::{CheckedEngine, Launch};

//! Engines: starting them, the protocol, and faults.
//!
//! Everything that is said goes through the types of [`vato_engine::protocol`], from the other side.

mod inbox;
mod io_log;
mod player;
mod process;
mod start;

pub(super) use io_log::IoLog;
pub(super) use player::{Player, SearchAnswer, Trouble};
pub(super) use process::available_processors;
pub(super) use start::{CheckedEngine, Launch, StartError};

//! Runs `vato match` and looks at what it leaves behind.

mod contender;
mod files;
mod match_run;
mod pgn;
#[cfg(target_os = "linux")]
pub mod processes;
mod record;

pub use contender::{Contender, Proto};
pub use files::MatchFiles;
pub use match_run::{Ended, MatchRun, Running};
pub use pgn::assert_pgn_agrees;
pub use record::{Game, Record};

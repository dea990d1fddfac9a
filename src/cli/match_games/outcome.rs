//! What there is to tell of a match.

use vato::arbiter::record::Record;
use vato::arbiter::settings::Shard;
use vato::arbiter::{Ending, MatchState, Missing};

/// What there is to tell of a match, played here or put together from parts.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// How far it has come.
    pub state: &'a MatchState,
    /// How it came to its end, or that it did not.
    pub ending: Ending,
    /// Where it is recorded, if it is in one place.
    pub record: Option<&'a Record>,
    /// What parts that were put together lack: games, and shards.
    pub missing: Option<(Missing, &'a [Shard])>,
}

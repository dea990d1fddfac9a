//! What is to be done about it.

use std::path::PathBuf;

use crate::notation::pgn::GameRecord;
use crate::rules::Game;
use crate::search::Limits;

/// Something to be carried out for a game.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Search; what comes of it are [`Input::Search`](super::Input::Search)s.
    Search(Box<SearchRequest>),
    /// Stop the search that runs; what it still says is of no interest.
    StopSearch,
    /// Write a record; then [`Input::Saved`](super::Input::Saved) or
    /// [`Input::Failed`](super::Input::Failed).
    Save {
        /// The file.
        path: PathBuf,
        /// What to write.
        record: Box<GameRecord>,
        /// Whether the game was begun here: then, if it has no date, it is of today.
        is_of_today: bool,
        /// Whether a file that exists may be replaced.
        replace: bool,
    },
    /// Read a record; then [`Input::Opened`](super::Input::Opened) or
    /// [`Input::Failed`](super::Input::Failed).
    Open(PathBuf),
}

/// A search that is wanted.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Its number.
    pub id: u64,
    /// The game whose position is searched.
    pub game: Game,
    /// What ends it.
    pub limits: Limits,
    /// Who searches.
    pub mind: Mind,
}

/// The two who search. They do not share what they have learned, so that a weak player does not profit
/// from good advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mind {
    /// The player, at its level.
    Player,
    /// The adviser, at full strength.
    Adviser,
}

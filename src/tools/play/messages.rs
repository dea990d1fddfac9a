//! Inputs and effects of the model.

use std::path::PathBuf;
use std::time::Duration;

use super::Player;
use crate::notation::pgn::GameRecord;
use vato_engine::rules::{Capture, Game};
use vato_engine::search::{Limits, Line, SearchResult};

/// An input of the model.
#[derive(Clone, Debug)]
pub enum Input {
    /// Chooses between approach and withdrawal for a typed step that can be either.
    Capture(Capture),
    /// Plays a whole turn given in notation.
    Turn(String),
    /// Takes back the person's last turn with everything after it.
    TakeBack,
    /// Replays what was taken back last.
    Redo,
    /// Requests the best move.
    Hint,
    /// Sets the level of the engine.
    Level(u32),
    /// Sets which sides people play.
    Players(Player),
    /// Requests a review of the moves.
    Review,
    /// Pauses or resumes the game.
    TogglePause,
    /// Resigns for the player to move.
    Resign,
    /// Starts a new game.
    NewGame,
    /// Saves the game to a file.
    Save {
        /// The file.
        path: PathBuf,
        /// Whether an existing file may be replaced.
        replace: bool,
    },
    /// The game was saved.
    Saved(PathBuf),
    /// Requests to read a game from a file.
    Open(PathBuf),
    /// A game was read.
    Opened(Box<FoundGame>),
    /// An effect failed.
    Failed(String),
    /// An event of a search.
    Search {
        /// The number of the search.
        id: u64,
        /// The event.
        event: SearchEvent,
    },
    /// Time elapsed since the last input of this kind.
    Elapsed(Duration),
}

/// A game of a file.
#[derive(Clone, Debug)]
pub struct FoundGame {
    /// The file.
    pub path: PathBuf,
    /// The game.
    pub record: GameRecord,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The number of games in the file.
    pub games: u64,
}

/// A report of the engine about a search.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A line found.
    Line(Line),
    /// The final result.
    Done(SearchResult),
    /// The search failed, with the reason.
    Failed(String),
}

/// A side effect requested by the model.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Start a search; answered by [`Input::Search`].
    Search(Box<SearchRequest>),
    /// Stop the running search; its further events are ignored.
    StopSearch,
    /// Write a record; answered by [`Input::Saved`] or [`Input::Failed`].
    Save {
        /// The file.
        path: PathBuf,
        /// What to write.
        record: Box<GameRecord>,
        /// Whether the game was started in this program: a missing date is then set to today.
        is_of_today: bool,
        /// Whether an existing file may be replaced.
        replace: bool,
    },
    /// Read a record; answered by [`Input::Opened`] or [`Input::Failed`]. A path ending in `#N` names game
    /// N of the file.
    Open(PathBuf),
    /// Evaluate the moves of a game and show the result.
    Review(Box<Game>),
}

/// A request for a search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Its number.
    pub id: u64,
    /// The game whose position is searched.
    pub game: Game,
    /// The limits of the search.
    pub limits: Limits,
    /// What it is for.
    pub purpose: Purpose,
}

/// The purpose of a search. Moves are searched by an engine of their own, which shares no hash table with that of the
/// others: a weakened player gains nothing from searches at full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To choose a move of the engine, at its level.
    Move,
    /// To find the best move for a person, as a [review](crate::review::examine) does.
    Hint,
    /// To evaluate the position.
    Judging,
    /// To evaluate it as a [review](crate::review::examine) does.
    Review,
}

/// A message to the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}

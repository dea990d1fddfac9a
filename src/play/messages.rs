//! What the model is told, and what it wants done.

use std::path::PathBuf;
use std::time::Duration;

use super::Player;
use crate::board::Point;
use crate::notation::pgn::GameRecord;
use crate::rules::{Capture, Game};
use crate::search::{Limits, Line, SearchResult};

/// Something that happens to a game.
#[derive(Clone, Debug)]
pub enum Input {
    /// The cursor goes so many files to the right and ranks up, as far as the board reaches.
    MoveCursor {
        /// Files to the right; below 0: to the left.
        files: i8,
        /// Ranks up; below 0: down.
        ranks: i8,
    },
    /// A point is chosen: the stone on it, the step to it, or the end of the turn there. The cursor
    /// goes there.
    Choose(Point),
    /// The point under the cursor is chosen.
    ChooseAtCursor,
    /// Approach or withdrawal, where a step can be either.
    Capture(Capture),
    /// The turn ends where the stone stands.
    EndTurn,
    /// The stone goes back to where it came from.
    PutDown,
    /// The notice was read.
    NoticeRead,
    /// A whole turn in the notation.
    Turn(String),
    /// The last step of a turn under way is taken back, else the player's last turn with what came
    /// after it.
    TakeBack,
    /// What was taken back last is played again.
    Redo,
    /// The best move is wanted.
    Hint,
    /// One turn back, whoever played it; the game halts there.
    StepBack,
    /// One turn of those taken back is played again; the game halts there.
    StepForward,
    /// The engine is to play at this level from now on.
    Level(u32),
    /// Other sides are to be played by people.
    Players(Player),
    /// What the moves were worth.
    Review,
    /// Evaluating the position after each move goes on or off.
    ToggleJudging,
    /// The game halts, or goes on.
    TogglePause,
    /// The player to move resigns.
    Resign,
    /// Another game begins.
    NewGame,
    /// The game is to be written to a file.
    Save {
        /// The file.
        path: PathBuf,
        /// Whether a file that exists may be replaced.
        replace: bool,
    },
    /// The game was written.
    Saved(PathBuf),
    /// A game is to be read from a file.
    Open(PathBuf),
    /// A game was read.
    Opened {
        /// The file.
        path: PathBuf,
        /// The game.
        record: Box<GameRecord>,
        /// Which of the games of the file it is, from 1.
        number: u64,
        /// How many games the file has.
        games: u64,
    },
    /// An effect could not be carried out.
    Failed(String),
    /// An event of the search with this number.
    Search {
        /// The number.
        id: u64,
        /// The event.
        event: SearchEvent,
    },
    /// So much time went by since the last input of this kind.
    Elapsed(Duration),
}

/// What the engine says of a search.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A line of play.
    Line(Line),
    /// The end.
    Done(SearchResult),
    /// There is no result, and why.
    Failed(String),
}

/// A side effect requested by the model.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Search; answered by [`Input::Search`].
    Search(Box<SearchRequest>),
    /// Stop the search that runs; what it still says is ignored.
    StopSearch,
    /// Write a record; answered by [`Input::Saved`] or [`Input::Failed`].
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
    /// Read a record; answered by [`Input::Opened`] or [`Input::Failed`]. The path may end in `#N`, for
    /// game N of the file.
    Open(PathBuf),
    /// Judge the moves of a game and show what comes of it.
    Review(Box<Game>),
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

/// The two who search. They share no tables, so that a weak player does not profit from good advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mind {
    /// The engine as a player, at its level.
    Player,
    /// The engine as an adviser, at full strength.
    Adviser,
}

/// A line for the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it says.
    pub text: String,
    /// Whether something did not work.
    pub is_error: bool,
}

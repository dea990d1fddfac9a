//! What happens to a game.

use std::path::PathBuf;
use std::time::Duration;

use crate::board::Point;
use crate::notation::pgn::GameRecord;
use crate::rules::Capture;
use crate::search::{Line, SearchResult};

/// Something that happens to a game.
#[derive(Clone, Debug)]
pub enum Input {
    /// The cursor goes so many files to the right and ranks up (below 0: left and down), as far as the
    /// board reaches.
    MoveCursor {
        /// Files to the right.
        files: i8,
        /// Ranks up.
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
    /// The person turns to something else: the last line has been read.
    NoticeRead,
    /// A whole turn in the notation.
    Turn(String),
    /// The last step of a turn under way is taken back, else the person's last turn with what came
    /// after it.
    TakeBack,
    /// What was taken back last is played again.
    Redo,
    /// The person wants to know the best move.
    Hint,
    /// Judging the position after each move goes on or off.
    ToggleJudging,
    /// The game halts, or goes on.
    TogglePause,
    /// The person to move resigns.
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
        /// How many games the file has.
        games: u64,
    },
    /// An effect could not be carried out.
    Failed(String),
    /// Word from the engine.
    Search {
        /// The search that it is about.
        id: u64,
        /// What it says.
        event: SearchEvent,
    },
    /// So much time went by since this was said last.
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

//! What a game is played with.

use crate::board::Position;
use crate::clock::TimeControl;
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::search::Limits;

use super::{Level, Person};

/// What a game is played with.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// The rules.
    pub rules: Rules,
    /// The position that a new game begins with.
    pub start: Position,
    /// Which sides people play.
    pub person: Person,
    /// How strong the engine plays.
    pub level: Level,
    /// What ends a search for a move of the engine's, beside its level and its clock.
    pub limits: Limits,
    /// What ends a search for a hint.
    pub hint_limits: Limits,
    /// What ends a search that only tells who is better.
    pub judging_limits: Limits,
    /// A clock for each player; `None`: they take their time.
    pub clock: Option<TimeControl>,
    /// Whether the position is judged after each move, until somebody decides otherwise.
    pub judging: bool,
    /// What scores mean.
    pub evaluation: Evaluation,
}

//! The turns and the end of a game, and its record.

use std::fmt;

use super::Model;
use crate::clock::PlayerClock;
use crate::notation::pgn::{
    GameRecord, Nag, RecordError, RecordFault, RecordResult, Termination, Variation,
};
use vato_engine::board::{Move, Position, Side};
use vato_engine::notation::{format_path, parse_turn};
use vato_engine::rules::{Game, Outcome, Path};

/// A turn that was played.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The position before it.
    pub before: Position,
    /// The turn step by step.
    pub path: Path,
    /// The move on the board.
    pub mv: Move,
    /// Its comment in a record; `+0.35/12 0.840s` for a move of the engine.
    pub comment: Option<String>,
    /// The annotations of the record that it was read from.
    pub annotations: Vec<Nag>,
    /// Those of the record, in place of this turn.
    pub variations: Vec<Variation>,
    /// The clocks before it.
    pub(super) clocks: Option<[PlayerClock; 2]>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// Resignation of this side.
    Resigned(Side),
    /// Loss on time of this side.
    TimeUp(Side),
}

impl Ending {
    /// The winner, `None` for a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Rules(outcome) => outcome.winner,
            Ending::Resigned(side) | Ending::TimeUp(side) => Some(!side),
        }
    }
}

impl fmt::Display for Ending {
    /// A sentence such as `White wins: Black has resigned`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ending::Rules(outcome) => outcome.fmt(f),
            Ending::Resigned(side) => write!(f, "{} wins: {side} has resigned", !side),
            Ending::TimeUp(side) => write!(f, "{} wins: {side} has no time left", !side),
        }
    }
}

/// Tags determined by the game; all other tags of a record that was read are kept.
const OWN_TAGS: [&str; 8] = [
    "Result",
    "Variant",
    "Rules",
    "SetUp",
    "FEN",
    "Termination",
    "PlyCount",
    "TimeControl",
];

impl Model {
    /// The game as a record without a date. A game unchanged since it was read gives the record that was
    /// read, with all its tags and comments; else its introduction and the tags that no game determines are kept.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the game has more moves than a record can hold.
    pub fn record(&self) -> Result<GameRecord, RecordError> {
        if let Some(read) = self.read.as_ref().filter(|_| self.is_as_read) {
            return Ok(read.clone());
        }
        let rules = self.game.rules();
        let mut record = GameRecord::new(rules, self.game.start());
        for (side, name_tag, kind_tag) in [
            (Side::White, "White", "WhiteType"),
            (Side::Black, "Black", "BlackType"),
        ] {
            let (version, level) = (env!("CARGO_PKG_VERSION"), self.settings.level);
            let (name, kind) = match self.settings.player.plays(side) {
                true => ("Person".to_owned(), "human"),
                false => (format!("Vato {version} (level {level})"), "program"),
            };
            record.set_tag(name_tag, &name)?;
            record.set_tag(kind_tag, kind)?;
        }
        if let Some(control) = self.settings.clock {
            record.set_tag("TimeControl", &control.to_string())?;
        }
        if let Some(read) = &self.read {
            record.set_introduction(read.introduction().unwrap_or_default());
            let kept = |name: &str| !OWN_TAGS.contains(&name);
            for tag in read.tags().iter().filter(|tag| kept(tag.name())) {
                record.set_tag(tag.name(), tag.value())?;
            }
        }
        record.set_tag("PlyCount", &self.turns.len().to_string())?;
        for turn in &self.turns {
            let text = format_path(&turn.path, rules.board);
            record.push_move(&text, turn.comment.as_deref())?;
        }
        for (mv, turn) in record.moves_mut().iter_mut().zip(&self.turns) {
            mv.set_annotations(turn.annotations.iter().copied());
            mv.variations_mut().clone_from(&turn.variations);
        }
        if let Some(ending) = self.ending() {
            record.set_result(RecordResult::of_winner(ending.winner()));
            record.set_final_comment(&ending.to_string());
            match ending {
                Ending::Rules(_) => {}
                Ending::Resigned(_) => record.set_tag("Termination", "resignation")?,
                Ending::TimeUp(_) => record.set_tag("Termination", Termination::TimeLoss.pgn())?,
            }
        }
        Ok(record)
    }
}

/// The game of a record, turn by turn.
pub(super) fn turns_of(record: &GameRecord) -> Result<(Game, Vec<PlayedTurn>), RecordFault> {
    let whole = record.replay()?;
    let mut position = *whole.start();
    let mut turns = Vec::with_capacity(record.moves().len());
    for mv in record.moves() {
        // All moves were validated by the replay.
        let Ok((path, played)) = parse_turn(mv.text(), whole.rules(), &position) else {
            break;
        };
        turns.push(PlayedTurn {
            before: position,
            path,
            mv: played,
            comment: mv.comment().map(str::to_owned),
            annotations: mv.annotations().to_vec(),
            variations: mv.variations().to_vec(),
            clocks: None,
        });
        position = position.play(played);
    }
    Ok((whole, turns))
}

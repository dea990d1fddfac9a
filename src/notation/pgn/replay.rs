//! Playing the moves of a record under its rules.

use thiserror::Error;

use super::GameRecord;
use crate::board::{Position, Side};
use crate::excerpt::excerpt;
use crate::notation::{FenError, MoveTextError, parse_fen, parse_turn};
use crate::rules::{Game, IllegalMove, Outcome, ParseRulesError, Preset, Rules, parse_rules};

/// What keeps a record from being replayed, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{problem}", line_prefix(*.line))]
pub struct ReplayError {
    /// The line of the text, from 1; `None` if the record was not read from text.
    pub line: Option<u64>,
    /// What is wrong there.
    pub problem: Box<ReplayProblem>,
}

/// What keeps a record from being replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the fields are what the messages say they are
pub enum ReplayProblem {
    /// The tag `Rules` does not read.
    #[error("the tag Rules: {0}")]
    Rules(ParseRulesError),
    /// The tag `Variant` is no preset, and there is no tag `Rules`.
    #[error("the tag Variant: {0}")]
    Variant(ParseRulesError),
    /// `Variant` is `custom`, and there is no tag `Rules`.
    #[error("the variant custom needs a tag Rules")]
    RulesMissing,
    /// The tag `FEN` does not read.
    #[error("the tag FEN: {0}")]
    Fen(FenError),
    /// `SetUp` is 1, and there is no tag `FEN`.
    #[error("the tag SetUp says that there is a tag FEN, but there is none")]
    FenMissing,
    /// A move that does not read or is illegal; `why` names it.
    #[error("move {number}, {side}: {why}")]
    Move {
        number: u32,
        side: Side,
        why: MoveTextError,
    },
    /// A move that its path allows and the game does not.
    #[error("move {number}, {side}: move '{text}': {why}")]
    NotPlayed {
        number: u32,
        side: Side,
        text: String,
        why: IllegalMove,
    },
    /// A move after the end of the game.
    #[error("move {number}, {side}: '{text}' comes after the end of the game ({outcome})")]
    AfterEnd {
        number: u32,
        side: Side,
        text: String,
        outcome: Outcome,
    },
}

/// The words of an error that name the line.
pub(super) fn line_prefix(line: Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

impl GameRecord {
    /// The rules: those of the tag `Rules` (a rules string, or a preset), else the preset of the tag
    /// `Variant`, else the standard game.
    ///
    /// # Errors
    ///
    /// If the tag that decides does not read, or `Variant` is `custom` and there is no `Rules`.
    pub fn rules(&self) -> Result<Rules, ReplayError> {
        // An empty rules string is the standard game, an unknown one (`?`) says nothing.
        if let Some(tag) = self.tag("Rules")
            && tag.value() != "?"
        {
            return parse_rules(tag.value())
                .map_err(|error| self.tag_error("Rules", ReplayProblem::Rules(error)));
        }
        let Some(variant) = self.tag_value("Variant") else {
            return Ok(Rules::STANDARD);
        };
        if variant.trim().parse() == Ok(Preset::Custom) {
            return Err(self.tag_error("Variant", ReplayProblem::RulesMissing));
        }
        parse_rules(variant)
            .map_err(|error| self.tag_error("Variant", ReplayProblem::Variant(error)))
    }

    /// The rules and the position that the game begins with: that of the tag `FEN`, else the start
    /// of the rules.
    ///
    /// # Errors
    ///
    /// If the rules or the position do not read, or `SetUp` is 1 and there is no `FEN`.
    pub fn start(&self) -> Result<(Rules, Position), ReplayError> {
        let rules = self.rules()?;
        let Some(fen) = self.tag_value("FEN") else {
            return match self.tag_value("SetUp") {
                Some("1") => Err(self.tag_error("SetUp", ReplayProblem::FenMissing)),
                _ => Ok((rules, rules.start())),
            };
        };
        parse_fen(fen, rules.board)
            .map(|position| (rules, position))
            .map_err(|error| self.tag_error("FEN", ReplayProblem::Fen(error)))
    }

    /// Plays all moves.
    ///
    /// # Errors
    ///
    /// If the rules or the start do not read, or names the first move that is malformed, illegal, or
    /// comes after the end of the game.
    pub fn replay(&self) -> Result<Game, ReplayError> {
        self.replay_plies(usize::MAX)
    }

    /// Plays the first moves, at most `plies` of them.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::replay`], of the moves that are played.
    pub fn replay_plies(&self, plies: usize) -> Result<Game, ReplayError> {
        let (rules, start) = self.start()?;
        let mut game = Game::from_position(rules, start);
        for mv in self.moves().iter().take(plies) {
            play(&mut game, mv.text()).map_err(|problem| ReplayError {
                line: mv.line(),
                problem: Box::new(problem),
            })?;
        }
        Ok(game)
    }

    fn tag_error(&self, name: &str, problem: ReplayProblem) -> ReplayError {
        ReplayError {
            line: self.tag(name).and_then(|tag| tag.line()),
            problem: Box::new(problem),
        }
    }
}

fn play(game: &mut Game, text: &str) -> Result<(), ReplayProblem> {
    let (number, side) = (game.position().move_number(), game.position().side());
    if let Some(outcome) = game.outcome() {
        return Err(ReplayProblem::AfterEnd {
            number,
            side,
            text: excerpt(text),
            outcome,
        });
    }
    let (_, mv) = parse_turn(text, game.rules(), game.position())
        .map_err(|why| ReplayProblem::Move { number, side, why })?;
    game.play(mv).map_err(|why| ReplayProblem::NotPlayed {
        number,
        side,
        text: excerpt(text),
        why,
    })
}

//! The rules: rule sets, move generation, paths, game history and outcome, perft.
//!
//! Depends on the board only.

mod game;
mod generator;
mod perft;
mod preset;
mod rule_set;
mod rules_text;
mod turn;
mod turn_rules;
mod turn_under_way;

pub use game::{Game, IllegalMove, Outcome, Reason, tie_winner};
pub(crate) use game::{blocked_winner, position_outcome};
pub use generator::{MoveList, count_paths, has_capture, has_move, legal_moves, legal_paths};
pub(crate) use generator::{
    Visitor, can_capture, can_move, capturing_first_steps, generate_into, steps_to_empty_points,
    visit_turns,
};
pub use perft::Perft;
pub use preset::{Preset, UnknownPreset};
pub use rule_set::{
    Blocked, CaptureRule, ChainRule, DirectionRule, Eating, OpeningRule, Rules, Tie, Vela,
};
pub use rules_text::{ParseRulesError, parse_rules};
pub use turn::{Capture, IllegalTurn, MAX_STEPS, Path, Step, follow, shortest_path};
pub(crate) use turn_rules::{StandardMovement, TurnRules, Variant, with_variant};
pub use turn_under_way::{NextStep, TurnUnderWay, movable_stones};

//! The rules: rule sets, move generation, paths, game history and outcome, perft.
//!
//! Depends on the board only; perft also on the memory of hash tables.

mod game;
mod generator;
mod perft;
mod preset;
mod rule_set;
mod rules_text;
mod turn;
mod turn_rules;

pub(crate) use game::blocked_winner;
pub use game::{Game, IllegalMove, Outcome, Reason, position_outcome, tie_winner};
pub use generator::{
    MoveList, count_moves, has_capture, has_move, legal_moves, legal_paths, moves_into,
};
pub(crate) use generator::{
    Visitor, can_capture, can_move, capturing_first_steps, generate_into, steps_to_empty_points,
    visit_turns,
};
pub use perft::Perft;
pub use preset::Preset;
pub use rule_set::{
    Blocked, CaptureRule, ChainRule, DirectionRule, Eating, OpeningRule, Rules, Tie, Vela,
};
pub use rules_text::parse_rules;
pub use turn::{Capture, MAX_STEPS, NextWalk, Path, Step, TurnWalk, follow, shortest_path};
pub(crate) use turn_rules::{StandardMovement, TurnRules, Variant, with_variant};

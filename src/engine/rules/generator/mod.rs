//! Move generation.
//!
//! Capturing steps are found for all stones at once, with one shift per direction; only capturing
//! turns of several steps follow single stones. All code is generic over the rules of the turn
//! ([`TurnRules`]), so the standard game's generator is compiled without the variants, and over the
//! [`Visitor`] that receives the turns: a counter, a move list or a path list.

mod captures;
mod list;
mod stone;
mod walk;

pub use list::MoveList;

use self::list::PathCollector;
use self::walk::{count, walk};
use super::turn_rules::with_variant;
use super::{Path, Rules, TurnRules, Variant};
use crate::board::{Bitboard, Move, Position};

/// Fills `list` with the distinct moves of `position`, single-step captures first; a finished game (a
/// side without stones) has none.
pub(crate) fn generate_into<V: Variant>(variant: &V, position: &Position, list: &mut MoveList) {
    list.clear();
    visit(variant, position, list);
    list.finish();
}

#[inline(always)]
fn visit<V: Variant>(variant: &V, position: &Position, visitor: &mut impl Visitor) {
    let (own, enemy) = (position.own(), position.enemy());
    visit_turns(variant.turn(position), own, enemy, visitor);
}

/// Reports every turn of the side with the stones `own` to `visitor`, one for each path, so a move made
/// by several paths is reported several times; none if a side has no stones.
#[inline]
pub(crate) fn visit_turns<T: TurnRules, V: Visitor>(
    turn: T,
    own: Bitboard,
    enemy: Bitboard,
    visitor: &mut V,
) {
    walk(turn, own.bits(), enemy.bits(), visitor);
}

/// Fills `moves` with the move of every path; a move made by several paths is there several times.
pub(crate) fn path_moves_into<V: Variant>(variant: &V, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    visit(variant, position, &mut |from, to, captured, _| {
        moves.push(Move::from_single_bits(from, to, captured));
    });
}

/// All distinct moves (origin, end point, captured set) of `position`.
///
/// Empty if the player to move is blocked, unless it passes, or a side has no stones. The order is deterministic but
/// unspecified.
pub fn legal_moves(rules: &Rules, position: &Position) -> MoveList {
    let mut list = MoveList::new();
    moves_into(rules, position, &mut list);
    list
}

/// [`legal_moves`] into a list that is there already.
pub fn moves_into(rules: &Rules, position: &Position, list: &mut MoveList) {
    with_variant!(rules, |variant| generate_into(&variant, position, list));
}

/// The number of moves of `position`: distinct ones, which `list` has then, or where nothing can be captured, steps, which
/// are counted without a list.
pub fn count_moves(rules: &Rules, position: &Position, list: &mut MoveList) -> usize {
    with_variant!(rules, |variant| {
        let (own, enemy) = (position.own(), position.enemy());
        let turn = variant.turn(position);
        if capturing_first_steps(turn, own, enemy) == 0 {
            steps_to_empty_points(turn, own, enemy) as usize
        } else {
            generate_into(&variant, position, list);
            list.len()
        }
    })
}

/// All legal paths at `position`, each with the move that it makes, sorted by notation.
pub fn legal_paths(rules: &Rules, position: &Position) -> Vec<(Path, Move)> {
    let mut collector = PathCollector::default();
    visit(rules, position, &mut collector);
    collector.into_sorted_paths(rules.board)
}

/// The number of legal paths at `position`.
#[inline]
pub(crate) fn count_turns<V: Variant>(variant: &V, position: &Position) -> u64 {
    let (own, enemy) = (position.own().bits(), position.enemy().bits());
    count(variant.turn(position), own, enemy)
}

/// Whether the player to move has a capturing turn.
pub fn has_capture(rules: &Rules, position: &Position) -> bool {
    with_variant!(rules, |variant| can_capture(&variant, position))
}

/// [`has_capture`] for rules known at compile time.
#[inline]
pub(crate) fn can_capture<V: Variant>(variant: &V, position: &Position) -> bool {
    let turn = variant.turn(position);
    let (own, enemy) = (position.own().bits(), position.enemy().bits());
    captures::FirstSteps::find(turn, own, enemy).any()
}

/// Whether the player to move has a legal move; `false` if a side has no stones.
///
/// A step to an empty neighbouring point is part of a legal turn or shows that a capture exists, unless every turn
/// captures.
pub fn has_move(rules: &Rules, position: &Position) -> bool {
    with_variant!(rules, |variant| can_move(&variant, position))
}

/// [`has_move`] for rules known at compile time.
#[inline]
pub(crate) fn can_move<V: Variant>(variant: &V, position: &Position) -> bool {
    let (own, enemy) = (position.own().bits(), position.enemy().bits());
    let turn = variant.turn(position);
    match own != 0 && enemy != 0 {
        true if turn.rules().must_eat => captures::FirstSteps::find(turn, own, enemy).any(),
        true => captures::can_step(turn, own, enemy) || captures::may_pass(turn, own, enemy),
        false => false,
    }
}

/// The number of capturing first steps of the side with the stones `own`, as if it were to move under
/// the rules of this turn.
#[inline(always)]
pub(crate) fn capturing_first_steps<T: TurnRules>(turn: T, own: Bitboard, enemy: Bitboard) -> u32 {
    captures::FirstSteps::find(turn, own.bits(), enemy.bits()).count()
}

/// The number of steps of the side with the stones `own` to an empty neighbouring point, capturing or not.
#[inline(always)]
pub(crate) fn steps_to_empty_points<T: TurnRules>(turn: T, own: Bitboard, enemy: Bitboard) -> u32 {
    captures::open_steps(turn, own.bits(), enemy.bits())
}

/// Receives the turns found by the generator.
///
/// The generator reports each capturing step taken and taken back, so that a visitor can track the path;
/// a visitor that ignores them costs nothing.
pub(crate) trait Visitor {
    /// A step was taken, to the single bit `to`.
    #[inline(always)]
    fn enter(&mut self, to: u64, capture: Option<super::Capture>) {
        let _ = (to, capture);
    }

    /// The last step was taken back.
    #[inline(always)]
    fn leave(&mut self) {}

    /// A complete turn: single bits `from` and `to`, the captured set, and whether it has more than one
    /// step.
    fn turn(&mut self, from: u64, to: u64, captured: u64, chained: bool);
}

/// A visitor of whole turns.
impl<F: FnMut(u64, u64, u64, bool)> Visitor for F {
    #[inline(always)]
    fn turn(&mut self, from: u64, to: u64, captured: u64, chained: bool) {
        self(from, to, captured, chained);
    }
}

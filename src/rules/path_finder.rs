//! From a move to a path that plays it.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::turn_walk::TurnWalk;
use super::{MAX_STEPS, Path, Rules, Step};
use crate::board::{Move, Position};

/// The path of the fewest steps that plays `mv` at `position`, among those the first in the order of
/// the notation; `None` if `mv` is not legal there.
#[must_use]
pub fn shortest_path(rules: &Rules, position: &Position, mv: Move) -> Option<Path> {
    if position.enemy().is_empty() {
        return None;
    }
    let walk = TurnWalk::new(rules, position, mv.from())?;
    let mut steps = ArrayVec::new();
    if mv.is_capture() {
        // Every step takes at least one stone.
        let most = (mv.captured().count() as usize).min(MAX_STEPS);
        (1..=most)
            .any(|length| search(rules, mv, &walk, length, &mut steps))
            .then_some(())?;
    } else {
        let forbidden = walk.is_compulsory() && super::has_capture(rules, position);
        if forbidden || !walk.is_paika(mv.to()) {
            return None;
        }
        steps.push(Step {
            to: mv.to(),
            capture: None,
        });
    }
    Some(Path {
        from: mv.from(),
        steps,
    })
}

/// Whether exactly `length` further steps from `walk` complete `target`; if so, `steps` has them
/// added, and is unchanged otherwise.
fn search(
    rules: &Rules,
    target: Move,
    walk: &TurnWalk,
    length: usize,
    steps: &mut ArrayVec<Step, MAX_STEPS>,
) -> bool {
    if length == 0 {
        return walk.at() == target.to()
            && walk.captured() == target.captured()
            && !walk.must_go_on();
    }
    if !walk.may_go_on() {
        return false;
    }
    let mut candidates = walk.capturing_steps();
    // A step that removes a stone outside the target leads nowhere.
    candidates.retain(|candidate| candidate.after.captured().is_subset_of(target.captured()));
    candidates.sort_by_key(|candidate| {
        let step = candidate.step;
        Reverse((rules.board.file_and_rank(step.to), step.capture))
    });
    while let Some(candidate) = candidates.pop() {
        steps.push(candidate.step);
        if search(rules, target, &candidate.after, length - 1, steps) {
            return true;
        }
        steps.pop();
    }
    false
}

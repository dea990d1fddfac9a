//! Which move to try first.

use super::history::History;
use super::stored::MoveSignature;
use super::worker::Frame;
use crate::board::{Move, Position};

const HASH_MOVE: i32 = 1 << 30;
const KILLERS: [i32; 2] = [1 << 21, (1 << 21) - 1];
const REPLY: i32 = 1 << 20;
/// What each captured stone counts; more than history can make good.
const CAPTURED_STONE: i32 = 1 << 15;

/// Gives every move of `frame` its place: the hash move, then captures by what they win, then
/// killers, the reply that refuted the last move, and paikas by history.
pub(super) fn rate(
    frame: &mut Frame,
    history: &History,
    position: &Position,
    hash_move: MoveSignature,
    previous: Option<Move>,
) {
    let reply = history.reply(position, previous);
    frame.order.clear();
    for &mv in &frame.moves {
        let rating = if MoveSignature::of(mv) == hash_move {
            HASH_MOVE
        } else if mv.is_capture() {
            (1 << 22) + mv.captured().count() as i32 * CAPTURED_STONE + history.value(position, mv)
        } else if frame.killers[0] == Some(mv) {
            KILLERS[0]
        } else if frame.killers[1] == Some(mv) {
            KILLERS[1]
        } else if reply == Some(mv) {
            REPLY
        } else {
            history.value(position, mv)
        };
        frame.order.push(rating);
    }
}

/// Brings the best of the moves from `index` on to `index`, and returns it.
#[inline]
pub(super) fn pick(frame: &mut Frame, index: usize) -> Move {
    let mut best = index;
    for other in index + 1..frame.order.len() {
        if frame.order[other] > frame.order[best] {
            best = other;
        }
    }
    frame.order.swap(index, best);
    frame.moves.as_mut_slice().swap(index, best);
    frame.moves[index]
}

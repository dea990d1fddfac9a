//! The value of a position: both questions in turn.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answer, Claim, Progress, SolveError, Solver};
use crate::board::{Move, Side};
use crate::rules::Game;
use crate::tablebase::Wdl;

/// The nodes that a question is first given: some seconds.
const FIRST_LIMIT: u64 = 1 << 21;

/// What [`Solver::value`] tells of its questions, whether a side can win.
#[derive(Debug)]
pub enum Asked<'a> {
    /// How far it is.
    Progress(Side, Progress),
    /// Its answer, unknown if the nodes that it was given did not settle it.
    Answer(Side, &'a Answer),
}

/// What is known of the value of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Whether White and Black can force a win; `None` if it is not settled, or was not asked.
    pub claims: [Option<Claim>; 2],
    /// The value for the side to move, if the claims give it.
    pub value: Option<Wdl>,
    /// A line of best play up to the tables, or to where it comes round. Empty where no proof has been made.
    pub line: Vec<Move>,
}

impl Solver {
    /// The value of the current position of a game: whether each side can force a win, or `only` this one. The questions
    /// take turns, each with twice the nodes of the time before, for often one is far easier; a question alone is not
    /// broken off, which would make it longer. Nothing more is asked once `stop` is set, which `tell` may do.
    ///
    /// # Errors
    ///
    /// As [`Solver::can_win`].
    pub fn value(
        &self,
        game: &Game,
        only: Option<Side>,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Asked),
    ) -> Result<Solution, SolveError> {
        let mover = game.position().side();
        let mut answers = [Answer::Unknown, Answer::Unknown];
        let mut limit = only.map_or(FIRST_LIMIT, |_| u64::MAX);
        let wins =
            |answers: &[Answer; 2], side| answers[side as usize].claim() == Some(Claim::Wins);
        'settled: loop {
            let mut is_open = false;
            for side in [mover, !mover] {
                let is_asked = only.is_none_or(|only| only == side);
                if !is_asked || answers[side as usize].claim().is_some() {
                    continue;
                }
                if stop.load(Ordering::Relaxed) {
                    break 'settled;
                }
                let mut progress = |progress| tell(Asked::Progress(side, progress));
                let answer = self.can_win(game, side, limit, stop, &mut progress)?;
                tell(Asked::Answer(side, &answer));
                is_open |= answer.claim().is_none();
                answers[side as usize] = answer;
                if wins(&answers, side) {
                    break 'settled;
                }
            }
            if !is_open {
                break;
            }
            limit = limit.saturating_mul(2);
        }
        let claims = answers.each_ref().map(Answer::claim);
        let value = match [mover, !mover].map(|side| claims[side as usize]) {
            [Some(Claim::Wins), _] => Some(Wdl::Win),
            [_, Some(Claim::Wins)] => Some(Wdl::Loss),
            [Some(_), Some(_)] => Some(Wdl::Draw),
            _ => None,
        };
        // Of the winner's proof, or else of that which shows how the side to move holds.
        let first = if value == Some(Wdl::Win) {
            mover
        } else {
            !mover
        };
        let settled = [first, !first].map(|side| &answers[side as usize]);
        let line = match settled.into_iter().find(|answer| answer.claim().is_some()) {
            Some(Answer::Settled(certificate)) => self.line(certificate, game.position()),
            _ => Vec::new(),
        };
        Ok(Solution {
            claims,
            value,
            line,
        })
    }
}

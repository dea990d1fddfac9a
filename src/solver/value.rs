//! The value of a position, by the question whether a side can win for both sides.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answer, Progress, SolveError, Solver};
use vato_engine::board::{Move, Side};
use vato_engine::proofs::Claim;
use vato_engine::rules::Game;
use vato_engine::tablebase::Wdl;

/// The nodes of the first turn of a question: some seconds.
const FIRST_LIMIT: u64 = 1 << 21;

/// An event of [`Solver::value`], about the question whether this side can win.
#[derive(Debug)]
pub enum Asked<'a> {
    /// Progress of the search.
    Progress(Side, Progress),
    /// The answer; unknown if the turn of the question has ended without one.
    Answer(Side, &'a Answer),
}

/// The value of a position, as far as it is settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Whether White and Black can force a win; `None` if not settled, or not asked.
    pub claims: [Option<Claim>; 2],
    /// The value for the side to move, if the claims determine it.
    pub value: Option<Wdl>,
    /// A line of best play to the tables or to the first repetition. Empty if there is no certificate.
    pub line: Vec<Move>,
}

impl Solver {
    /// The value of the current position of a game: whether each side, or `only` this one, can force a win. As one
    /// question is often far easier than the other, they take turns, each with twice the nodes of its last one. A
    /// single question has one turn. Ends after about `most` nodes. No search is started once `stop` is set, which `tell`
    /// may do.
    ///
    /// # Errors
    ///
    /// As [`Solver::can_win`].
    pub fn value(
        &self,
        game: &Game,
        only: Option<Side>,
        most: u64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Asked),
    ) -> Result<Solution, SolveError> {
        let mover = game.position().side();
        let mut answers = [Answer::Unknown, Answer::Unknown];
        let end = self.nodes().saturating_add(most);
        let mut limit = only.map_or(FIRST_LIMIT, |_| u64::MAX);
        'settled: loop {
            let is_open = |&side: &Side| {
                only.is_none_or(|only| only == side) && answers[side as usize].claim().is_none()
            };
            let open: Vec<Side> = [mover, !mover].into_iter().filter(is_open).collect();
            if open.is_empty() {
                break;
            }
            for side in open {
                let left = end.saturating_sub(self.nodes());
                if left == 0 || stop.load(Ordering::Relaxed) {
                    break 'settled;
                }
                let mut progress = |progress| tell(Asked::Progress(side, progress));
                let answer = self.can_win(game, side, limit.min(left), stop, &mut progress)?;
                tell(Asked::Answer(side, &answer));
                let is_won = answer.claim() == Some(Claim::Wins);
                answers[side as usize] = answer;
                if is_won {
                    break 'settled;
                }
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
        // The winner's certificate, or those that neither side wins.
        let is_won = claims.contains(&Some(Claim::Wins));
        let deciding = answers.iter().filter_map(|answer| match answer {
            Answer::Settled(certificate) => Some(certificate),
            _ => None,
        });
        let deciding = deciding.filter(|one| !is_won || one.header.claim == Claim::Wins);
        let line = self.line(&deciding.collect::<Vec<_>>(), game.position());
        Ok(Solution {
            claims,
            value,
            line,
        })
    }
}

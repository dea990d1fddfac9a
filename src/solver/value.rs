//! The value of a position, by the question whether a side can win for both sides.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answer, Progress, SolveError, Solver};
use vato_engine::board::{Move, Side};
use vato_engine::proofs::Claim;
use vato_engine::rules::Game;
use vato_engine::tablebase::Wdl;

/// The nodes of the first turn of a question.
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
    /// A line of best play to the tables or to the first repetition. Empty if there is no certificate.
    pub line: Vec<Move>,
}

impl Solution {
    /// The value for a side, if the claims determine it.
    pub fn value(&self, side: Side) -> Option<Wdl> {
        match [side, !side].map(|side| self.claims[side as usize]) {
            [Some(Claim::Wins), _] => Some(Wdl::Win),
            [_, Some(Claim::Wins)] => Some(Wdl::Loss),
            [Some(_), Some(_)] => Some(Wdl::Draw),
            _ => None,
        }
    }

    /// Adds what follows from the solutions after all moves of a position that is not the end of the game, and to these
    /// what follows from its own.
    pub fn join(&mut self, mover: Side, moves: &mut [(Move, Solution)]) {
        let before = self.value(mover);
        let [wins, cannot] = [Claim::Wins, Claim::CannotWin].map(Some);
        for (side, best, worst) in [(mover, wins, cannot), (!mover, cannot, wins)] {
            let place = side as usize;
            if self.claims[place] == worst {
                (moves.iter_mut()).for_each(|(_, after)| after.claims[place] = worst);
            }
            let mut claims = moves.iter().map(|(_, after)| after.claims[place]);
            if claims.clone().any(|claim| claim == best) {
                self.claims[place] = best;
            } else if claims.all(|claim| claim == worst) {
                self.claims[place] = worst;
            }
        }
        let value = self.value(mover);
        let mut moves = moves.iter();
        if value != before
            && let Some((mv, after)) = moves.find(|(_, after)| after.value(mover) == value)
        {
            self.line = [&[*mv], &after.line[..]].concat();
        }
    }
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
        // Of a search that goes on they are fewer, so that a short run asks both questions, and finds what its checkpoint settles.
        let first = match only {
            Some(_) => u64::MAX,
            None if self.nodes() > 0 => FIRST_LIMIT >> 7,
            None => FIRST_LIMIT,
        };
        let sides = [mover, !mover].into_iter();
        let asked = sides.filter(|&side| only.is_none_or(|only| only == side));
        let mut open: VecDeque<_> = asked.map(|side| (side, first)).collect();
        while let Some((side, limit)) = open.pop_front() {
            let left = end.saturating_sub(self.nodes());
            if left == 0 || stop.load(Ordering::Relaxed) {
                break;
            }
            let mut progress = |progress| tell(Asked::Progress(side, progress));
            let answer = self.can_win(game, side, limit.min(left), stop, &mut progress)?;
            tell(Asked::Answer(side, &answer));
            match answer.claim() {
                None => open.push_back((side, limit.saturating_mul(2))),
                Some(Claim::CannotWin) => {}
                Some(Claim::Wins) => {
                    // The line is by the winner's certificate alone.
                    answers[!side as usize] = Answer::Known(Claim::CannotWin);
                    open.clear();
                }
            }
            answers[side as usize] = answer;
        }
        let deciding = answers.iter().filter_map(|answer| match answer {
            Answer::Settled(certificate) => Some(certificate),
            _ => None,
        });
        let line = self.line(&deciding.collect::<Vec<_>>(), game.position());
        let claims = answers.each_ref().map(Answer::claim);
        Ok(Solution { claims, line })
    }
}

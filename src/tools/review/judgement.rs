//! Expected scores, and move marks by their loss.

use serde::Serialize;
use vato_engine::board::{Move, Position, Side};
use vato_engine::network::WdlModel;
use vato_engine::proofs::Proven;
use vato_engine::rules::{Game, Outcome, legal_moves};
use vato_engine::search::Score;
use vato_engine::text::named_enum;

/// The score that the side to move can expect, from 0 (loss) over ½ (draw) to 1 (win): 1 or 0 if the
/// game is decided or the tablebases know who wins, else what the model says in this position.
pub fn expected_score(model: &WdlModel, score: Score, position: &Position) -> f64 {
    if score.counts_plies() {
        return if score > Score::DRAW { 1.0 } else { 0.0 };
    }
    let (stones, quiet_plies) = (position.occupied().count(), position.halfmove_clock());
    model.expected_score(score.raw(), stones, quiet_plies)
}

/// What `side` has from a game that has ended: 1, ½ or 0.
pub fn expected_of_outcome(outcome: Outcome, side: Side) -> f64 {
    match outcome.winner {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// What White can expect of a position, from 0 to 1: by a search, and at least and at most by what is proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Expectation {
    found: f64,
    proven: [f64; 2],
}

impl Expectation {
    /// `found` is what a search has found; where the game is over, its outcome counts.
    pub fn of(game: &Game, found: f64) -> Expectation {
        if let Some(outcome) = game.outcome() {
            let white = expected_of_outcome(outcome, Side::White);
            return Expectation {
                found: white,
                proven: [white; 2],
            };
        }
        let known = Proven::of(game).map(|proven| (proven.white_wins, proven.black_wins));
        let proven = match known.unwrap_or_default() {
            (Some(true), _) => [1.0, 1.0],
            (_, Some(true)) => [0.0, 0.0],
            (white, black) => [
                if black == Some(false) { 0.5 } else { 0.0 },
                if white == Some(false) { 0.5 } else { 1.0 },
            ],
        };
        Expectation { found, proven }
    }

    /// What White can expect of a game after a move: what is proven of the game before it counts as far as it is proven of
    /// the move as well.
    pub fn of_move(game: &Game, mv: Option<Move>, found: f64) -> Expectation {
        let mut white = Expectation::of(game, found);
        let mut after = game.clone();
        let is_played = mv.is_some_and(|mv| after.play(mv).is_ok());
        let kept = Expectation::of(if is_played { &after } else { game }, found).proven;
        match game.position().side() {
            Side::White => white.proven[0] = kept[0].min(white.proven[1]),
            Side::Black => white.proven[1] = kept[1].max(white.proven[0]),
        }
        white
    }

    /// What counts: what was found, as far as it is not refuted.
    pub fn value(self) -> f64 {
        self.found.clamp(self.proven[0], self.proven[1])
    }

    /// What was found counts, or the score to which it is refuted.
    pub fn score(self, white: Score) -> Score {
        match self.value() {
            value if value == self.found => white,
            1.0 => Score::tablebase_win(0),
            0.0 => -Score::tablebase_win(0),
            _ => Score::DRAW,
        }
    }

    /// What `side` can expect.
    pub fn seen_by(self, side: Side) -> Expectation {
        let [least, most] = self.proven;
        match side {
            Side::White => self,
            Side::Black => Expectation {
                found: 1.0 - self.found,
                proven: [1.0 - most, 1.0 - least],
            },
        }
    }
}

/// The moves among which a search finds the best one; none for all. Where the result of the position is proven, these are
/// the moves of which the same is proven, and in any case none that is proven to be worse.
pub(super) fn worth_searching(game: &Game) -> Vec<Move> {
    let side = game.position().side();
    let proven = |game: &Game| Expectation::of(game, 0.5).seen_by(side).proven;
    let [least, most] = proven(game);
    if least == 0.0 {
        return Vec::new();
    }
    let mut moves = Vec::new();
    for &mv in legal_moves(game.rules(), game.position()).iter() {
        let mut after = game.clone();
        if after.play(mv).is_ok() {
            moves.push((mv, proven(&after)));
        }
    }
    if least == most && moves.iter().any(|(_, after)| after[0] == least) {
        moves.retain(|(_, after)| after[0] == least);
    }
    moves.retain(|(_, after)| after[1] >= least);
    moves.into_iter().map(|(mv, _)| mv).collect()
}

/// From this expected score on a position counts as won: with draws else, four of five games are won.
const WON: f64 = 0.9;

/// Below this expected score it does not any more: if all else is drawn, fewer than every second game
/// is won. Between the two lies what is still good enough.
const NO_LONGER_WON: f64 = 0.75;

named_enum! {
    /// The mark of a bad move, ordered by severity. Losses count as they are shown, in whole
    /// hundredths ([`Judgement::hundredths`]).
    #[derive(PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mark {
        /// Costs a twentieth of a point or more.
        Inaccuracy = "inaccuracy",
        /// Costs a tenth of a point or more.
        Mistake = "mistake",
        /// Costs 0.15 points or more.
        Blunder = "blunder",
    }
}

impl Mark {
    /// The least loss of expected score that it stands for, in hundredths.
    ///
    /// Those of lichess (lila, `Advice.scala`), which marks moves that lose 0.1, 0.2 and 0.3 of the
    /// winning chances on a scale from -1 to 1; on the scale from 0 to 1 that is half as much.
    pub const fn least_loss(self) -> u32 {
        match self {
            Mark::Inaccuracy => 5,
            Mark::Mistake => 10,
            Mark::Blunder => 15,
        }
    }
}

/// The judgement of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Judgement {
    /// The expected score that it costs, from 0 to 1; never below 0, for a move cannot be better than
    /// the best one.
    pub loss: f64,
    /// Its mark, if any.
    pub mark: Option<Mark>,
    /// Whether it gave up a win: the expected score was 0.9 or more before it and is below 0.75 after
    /// it. Such a move is a blunder, too.
    pub missed_win: bool,
}

impl Judgement {
    /// The judgement of a move by the mover's expected scores (from 0 to 1) with the best move and
    /// after the move that was played.
    pub fn of(best: f64, played: f64) -> Judgement {
        let mut judgement = Judgement {
            loss: (best - played).clamp(0.0, 1.0),
            mark: None,
            missed_win: best >= WON && played < NO_LONGER_WON,
        };
        let mut marks = Mark::ALL.into_iter().rev();
        judgement.mark = marks.find(|mark| judgement.hundredths() >= mark.least_loss());
        judgement
    }

    /// The judgement of a move of `side`, by what White could expect before and after it. The loss is that between what the
    /// two searches found, as far as it is not refuted: a move that keeps a proven draw costs nothing, one that gives
    /// it up costs half a point at least, and of one that leads to where nothing is proven the searches say what it costs.
    pub(crate) fn between(side: Side, before: Expectation, after: Expectation) -> Judgement {
        let [before, after] = [before, after].map(|one| one.seen_by(side));
        let least = before.proven[0] - after.proven[1];
        let most = before.proven[1] - after.proven[0];
        let played = after.value();
        let best = before.found.min(before.proven[1]);
        let loss = (best - played).clamp(least, most).max(0.0);
        Judgement::of(played + loss, played)
    }

    /// The loss as shown, in whole hundredths from 0 to 100.
    pub fn hundredths(&self) -> u32 {
        (self.loss * 100.0).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::board::BoardSize;
    use vato_engine::rules::Reason;

    #[test]
    fn what_is_decided_is_certain() {
        let model = WdlModel::CLASSICAL;
        let start = BoardSize::STANDARD.start();
        let tables = [7, 900].map(Score::tablebase_win);
        for score in [Score::win_in(0), Score::win_in(99)]
            .into_iter()
            .chain(tables)
        {
            assert_eq!(expected_score(&model, score, &start), 1.0);
            assert_eq!(expected_score(&model, -score, &start), 0.0);
        }
        assert_eq!(expected_score(&model, Score::DRAW, &start), 0.5);
        let ahead = expected_score(&model, Score::from_centi_stones(100), &start);
        assert!(ahead > 0.5 && ahead < 1.0, "{ahead}");
        let reason = Reason::Limit;
        for (winner, wanted) in [(Some(Side::White), [1.0, 0.0]), (None, [0.5; 2])] {
            let outcome = Outcome { winner, reason };
            let expected = Side::BOTH.map(|side| expected_of_outcome(outcome, side));
            assert_eq!(expected, wanted);
        }
    }

    #[test]
    fn the_more_it_costs_the_worse_it_is() {
        use Mark::{Blunder, Inaccuracy, Mistake};
        let mark = |best, played| Judgement::of(best, played).mark;
        for (best, played, wanted) in [
            (0.5, 0.5, None),
            (0.5, 0.8, None),
            (0.50, 0.46, None),
            (0.50, 0.44, Some(Inaccuracy)),
            (0.50, 0.39, Some(Mistake)),
            (0.50, 0.34, Some(Blunder)),
            (1.0, 0.0, Some(Blunder)),
            // A loss shown as 0.10 counts as 0.10.
            (0.599, 0.5, Some(Mistake)),
            (0.594, 0.5, Some(Inaccuracy)),
        ] {
            assert_eq!(mark(best, played), wanted, "{best} {played}");
        }
        let costs = (0..=100).map(|hundredths| f64::from(hundredths) / 100.0);
        assert!(costs.map(|cost| mark(1.0, 1.0 - cost)).is_sorted());
        assert!(Mark::ALL.is_sorted_by_key(|mark| mark.least_loss()));
        // And none is negative.
        assert_eq!(Judgement::of(0.3, 0.9), Judgement::default());
        assert_eq!(Judgement::of(0.75, 0.5).loss, 0.25);
    }

    #[test]
    fn only_a_win_can_be_missed() {
        let missed = |best, played| Judgement::of(best, played).missed_win;
        assert!(missed(1.0, 0.5) && missed(0.9, 0.74));
        assert!(!missed(0.89, 0.0), "not won before");
        assert!(!missed(1.0, 0.8), "won all the same");
        for best in 0..=20 {
            for played in 0..=20 {
                let judgement = Judgement::of(f64::from(best) / 20.0, f64::from(played) / 20.0);
                let blunder = judgement.mark == Some(Mark::Blunder);
                assert!(!judgement.missed_win || blunder, "{judgement:?}");
            }
        }
    }
}

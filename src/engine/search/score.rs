//! Scores: units of the search, or a decided game with its distance in plies.

use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::board::Position;
use crate::network::WdlModel;

/// A score from the point of view of the side to move.
///
/// Undecided scores are units of the search, in which a stone is worth about 100 with any evaluation; in a
/// report they are centi-stones, scaled by the evaluation. Decided scores count from [`Score::WIN`]: a win in
/// `n` plies is `WIN - n`, a loss in `n` plies `n - WIN`, so nearer wins are better. Between the two are
/// tablebase wins and losses, which count from [`Score::TABLEBASE_WIN`] in the same way. All fit into 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(into = "ScoreEntry")]
pub struct Score(i32);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);
    /// A win in 0 plies.
    pub const WIN: Score = Score(32_000);
    /// Larger than any score.
    pub const INFINITE: Score = Score(32_001);
    /// Maximum number of plies in a decided score.
    pub const MOST_PLIES: i32 = 1_000;
    /// Scores of undecided positions lie strictly between this and its negative.
    pub const DECIDED: Score = Score(Score::WIN.0 - Score::MOST_PLIES);

    /// A tablebase win, less the plies to the position in the tables: below every proved win, above
    /// every evaluation.
    pub const TABLEBASE_WIN: Score = Score(30_000);
    /// Scores from here up to [`Score::DECIDED`] are tablebase wins.
    pub(super) const TABLEBASE: Score = Score(ScoreEntry::TABLEBASE);

    /// A tablebase win, `plies` plies away (at most [`Score::MOST_PLIES`]).
    #[inline]
    pub fn tablebase_win(plies: u32) -> Score {
        let plies = plies.min(Score::MOST_PLIES as u32 - 1);
        Score(Score::TABLEBASE_WIN.0 - plies as i32)
    }

    /// Whether the score counts plies from the root: a decided game, or a tablebase win or loss. As a score of a
    /// search, not as a bound from its other side, it is a proof, at whatever depth it was found.
    #[inline]
    pub const fn counts_plies(self) -> bool {
        self.0 >= Score::TABLEBASE.0 || self.0 <= -Score::TABLEBASE.0
    }

    /// The plies that such a score counts, to the end of the game or to the tablebases; `None` for any other.
    #[inline]
    pub(super) const fn plies_counted(self) -> Option<i32> {
        match self.0.abs() {
            score if score >= Score::DECIDED.0 => Some(Score::WIN.0 - score),
            score if score >= Score::TABLEBASE.0 => Some(Score::TABLEBASE_WIN.0 - score),
            _ => None,
        }
    }

    /// An undecided score, clamped strictly between the decided ones.
    #[inline]
    pub fn from_centi_stones(value: i32) -> Score {
        let most = Score::DECIDED.0 - 1;
        Score(value.clamp(-most, most))
    }

    /// The side to move wins after `plies` plies.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        Score(Score::WIN.0 - plies as i32)
    }

    /// The side to move has lost after `plies` plies.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i32 - Score::WIN.0)
    }

    /// The raw value, for arithmetic and storage; within ±32,001.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A score from its raw value.
    #[inline]
    pub const fn from_raw(value: i32) -> Score {
        Score(value)
    }

    /// The score as reported, with `unit` centi-stones per unit of the search; decided ones are unchanged.
    pub(super) fn shown(self, unit: f32) -> Score {
        if self.counts_plies() {
            self
        } else {
            let most = Score::TABLEBASE.0 - 1;
            Score(((self.0 as f32 * unit).round() as i32).clamp(-most, most))
        }
    }

    /// Whether the game is decided.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.0 >= Score::DECIDED.0 || self.0 <= -Score::DECIDED.0
    }

    /// Whether it is a tablebase win or loss, not proved to the end.
    #[inline]
    pub const fn is_tablebase(self) -> bool {
        self.counts_plies() && !self.is_decided()
    }

    /// Plies to the end of a decided game, negative (or zero) if the side to move loses; `None` if
    /// undecided. A game already lost is `Some(0)`.
    pub const fn plies_to_end(self) -> Option<i32> {
        match self.is_decided() {
            true if self.0 > 0 => Some(Score::WIN.0 - self.0),
            true => Some(-(Score::WIN.0 + self.0)),
            false => None,
        }
    }

    /// The usual form in game records: `+0.31` in stones, `+M5` for a win in so many plies, `+TB` for one that
    /// the tablebases know.
    pub fn short_text(self) -> String {
        match self {
            // An entry of no plies is a loss.
            Score::WIN => "+M0".to_owned(),
            score => ScoreEntry::from(score).to_string(),
        }
    }

    /// Win, draw and loss probabilities of a reported score by this model in this position, in thousandths; decided
    /// games and tablebase results are certain.
    pub fn win_draw_loss(self, model: &WdlModel, position: &Position) -> [u32; 3] {
        let (stones, quiet_plies) = (position.occupied().count(), position.halfmove_clock());
        match self.counts_plies() {
            true if self > Score::DRAW => [1000, 0, 0],
            true => [0, 0, 1000],
            false => model.win_draw_loss(self.0, stones, quiet_plies),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl From<Score> for ScoreEntry {
    fn from(score: Score) -> ScoreEntry {
        match score.plies_to_end() {
            Some(plies) => ScoreEntry::PliesToEnd(plies),
            None => ScoreEntry::CentiStones(score.raw()),
        }
    }
}

/// A score from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreEntry {
    /// Hundredths of a stone.
    CentiStones(i32),
    /// The game is decided: plies to its end, negative (or zero) if the mover loses.
    PliesToEnd(i32),
}

impl ScoreEntry {
    /// Hundredths of a stone from which on a score is a win that tablebases know, as engines report it.
    pub const TABLEBASE: i32 = 29_000;
}

impl fmt::Display for ScoreEntry {
    /// The usual form of engine tournaments: `+0.35` in stones, `+M5` for a win and `-M4` for a loss in that
    /// many plies, `+TB` for a win that tablebases know.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ScoreEntry::CentiStones(ScoreEntry::TABLEBASE..) => f.write_str("+TB"),
            ScoreEntry::CentiStones(value) if value <= -ScoreEntry::TABLEBASE => f.write_str("-TB"),
            ScoreEntry::CentiStones(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            ScoreEntry::PliesToEnd(plies) if plies > 0 => write!(f, "+M{plies}"),
            ScoreEntry::PliesToEnd(plies) => write!(f, "-M{}", plies.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_round_trip() {
        for plies in [1, 2, 17, 999] {
            assert_eq!(Score::win_in(plies).plies_to_end(), Some(plies as i32));
            assert_eq!(Score::loss_in(plies).plies_to_end(), Some(-(plies as i32)));
        }
        assert!(Score::win_in(1) > Score::win_in(3));
        for plies in [0, 9, 255, 100_000] {
            let score = Score::tablebase_win(plies);
            assert!(score.is_tablebase() && (-score).is_tablebase());
            assert_eq!(score.plies_to_end(), None);
            assert!(score < Score::win_in(999) && score > Score::from_centi_stones(20_000));
        }
        assert!(Score::tablebase_win(3) > Score::tablebase_win(4));
        assert!(!Score::win_in(9).is_tablebase() && !Score::DRAW.is_tablebase());
        assert!(!Score::from_centi_stones(1_000_000).is_decided());
        assert_eq!(Score(353).shown(0.3), Score(106));
        assert_eq!(Score(-20_000).shown(30.0), Score(-28_999));
        assert_eq!(Score::win_in(3).shown(0.3), Score::win_in(3));
        assert_eq!(Score::tablebase_win(3).shown(0.3), Score::tablebase_win(3));
        assert!(!Score::from_centi_stones(-1_000_000).is_decided());
    }
}

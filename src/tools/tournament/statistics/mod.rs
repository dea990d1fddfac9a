//! Match statistics: scores, Elo, SPRT, ratings. Pure arithmetic.
//!
//! Results of two engines are from the view of the first, A, against the second, B. Two games with the same
//! opening and swapped colours are a *pair*; as their results are correlated, errors are estimated from
//! pairs (*pentanomial*: 0 to 2 points in half points), and from single games (*trinomial*) only if no pair
//! is complete.
//!
//! More than two engines get [`Ratings`], computed from single games.
//!
//! The definitions are those of the testing tools of computer chess, so that numbers are comparable:
//! Michel Van den Bergh, "Normalized Elo" and "Comments on Normalized Elo"
//! (<https://www.cantate.be/Fishtest/>), as used by Fishtest and fastchess.

mod figures;
mod likelihood;
mod ratings;
mod sprt;
mod tally;

pub use figures::{
    Estimate, Figures, MARGIN, NORMALIZED_ELO_PER_DEVIATION, elo_of_score, normal_cdf, score_of_elo,
};
pub use ratings::{Bounds, Rating, Ratings, inverse};
pub use sprt::{Sprt, SprtDecision, SprtModel, SprtState};
pub use tally::{GameCounts, GameScore, Sample, Tally};

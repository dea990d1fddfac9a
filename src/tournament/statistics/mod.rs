//! Figures of a match: scores, Elo, sequential tests. Arithmetic only.
//!
//! Of two engines everything is seen from the first, A, against the second, B. Two games with the same
//! opening and swapped colours are a *pair*; as their results depend on each other, errors are
//! estimated from pairs (the five, *pentanomial*, results from 0 to 2 points) wherever a pair is
//! complete, and from single games (*trinomial*) only where none is.
//!
//! More than two engines have [`Ratings`], from their games alone.
//!
//! The definitions are those of the chess world's testing tools, so that numbers can be compared:
//! Michel Van den Bergh, "Normalized Elo" and "Comments on Normalized Elo"
//! (<https://www.cantate.be/Fishtest/>), as used by Fishtest and fastchess.

mod figures;
mod likelihood;
mod ratings;
mod sprt;
mod tally;

pub use figures::{Basis, Estimate, Figures, elo_of_score, score_of_elo};
pub use ratings::{Bounds, Rating, Ratings};
pub use sprt::{Sprt, SprtDecision, SprtModel, SprtState};
pub use tally::{GameCounts, GameScore, Tally};

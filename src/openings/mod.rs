//! Openings that games of a match begin with: built in, from files, generated. (What the engine itself
//! plays without a search is the [`book`](crate::book).)
//!
//! Knows the rules, the notation, the evaluation and the search. [`OpeningSuite`] is what a match takes
//! its openings from; [`Generator`] makes new ones.
//!
//! # The built-in suites
//!
//! 400 positions each after six random plies of the standard game, White to move, no two of them
//! images of one another, with the score of a search to depth 16. In `balanced` it is at most 0.20 for
//! either side. In `sharp` one side is better by 0.80 to 1.60, by turns White and Black, so that the
//! suite favours neither colour.
//!
//! These commands make them again, with the search whose signature (`vato bench`) is 42176171; another
//! search may judge the positions in another way:
//!
//! ```text
//! vato openings --plies 6 --count 400 --min-score -0.20 --max-score 0.20 --seed 1 --depth 16 \
//!     --threads 2 --scores --evaluation classical > src/openings/balanced.fen
//! vato openings --plies 6 --count 400 --min-score 0.80 --max-score 1.60 --both-sides --seed 2 \
//!     --depth 16 --threads 2 --scores --evaluation classical > src/openings/sharp.fen
//! ```
//!
//! The game is a draw with good play, and even positions mostly end as one. What tells two engines
//! apart is a pair (the same position with both colours) whose games have different results. Measured
//! with the engine against itself at 10,000 nodes a move, a fifth more or less at random so that the
//! games of a pair differ, 120 pairs of each suite:
//!
//! | suite | better side wins | draws | better side loses | pairs with different results |
//! |---|---|---|---|---|
//! | `balanced` | 14 % | 77 % | 9 % | 20 % (± 4) |
//! | `sharp` | 45 % | 53 % | 2 % | 32 % (± 4) |
//!
//! At scores from 3.00 to 4.00 the better side wins four games of five, beyond that nearly all, and
//! pairs with different results are under a tenth. After ten plies such pairs were somewhat fewer than
//! after six.

mod error;
mod generate;
mod line;
mod random_lines;
mod settings;
mod sources;
mod suite;

pub use error::OpeningSuiteError;
pub use generate::{
    Effort, GenerateCounts, GenerateError, GenerateSettings, Generator, ScoredPosition,
};
pub use line::{OpeningError, OpeningLine};
pub use random_lines::{FURTHEST_START, MOST_PLIES};
pub(crate) use random_lines::{random_game, random_of};
pub use settings::{OpeningOrder, OpeningSettings, OpeningSource};
pub use sources::BuiltInOpening;
pub use suite::{DEFAULT_PLIES, OpeningSuite};

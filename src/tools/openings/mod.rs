//! Openings of the games of a match: built-in, from files, or generated. (The engine's own opening book is
//! [`Book`](vato_engine::engine::Book).)
//!
//! [`OpeningSuite`] supplies the openings of a match; [`Generator`] makes new ones.
//!
//! # The built-in suites
//!
//! 400 positions each after six random plies of the standard game, White to move, no two of them
//! symmetric images, with the score of a search to depth 16. In `balanced` it is within ±0.20. In `sharp`
//! one side is better by 0.80 to 1.60, alternately White and Black, so that the suite favours neither
//! colour.
//!
//! These commands make them again, with the search whose signature (`vato bench`) is 42176171; another
//! search may give other scores:
//!
//! ```text
//! vato openings --plies 6 --count 400 --min-score -0.20 --max-score 0.20 --seed 1 --depth 16 \
//!     --threads 2 --scores --evaluation classical > src/tools/openings/balanced.fen
//! vato openings --plies 6 --count 400 --min-score 0.80 --max-score 1.60 --both-sides --seed 2 \
//!     --depth 16 --threads 2 --scores --evaluation classical > src/tools/openings/sharp.fen
//! ```
//!
//! Two engines are told apart by pairs (the same position with both colours) whose games have different results. At scores
//! from 3.00 to 4.00 the better side wins four games of five, beyond that nearly all, and such pairs are under a tenth.

mod generate;
mod random_lines;
mod settings;
mod sources;
mod suite;

pub use generate::{GenerateError, GenerateSettings, Generator, ScoredPosition};
pub use random_lines::{MOST_PLIES, random_game, random_of};
pub use settings::{OpeningOrder, OpeningSettings, OpeningSource};
pub use sources::{is_pgn, without_comment};
pub use suite::{DEFAULT_PLIES, OpeningLine, OpeningSuite, OpeningSuiteError};

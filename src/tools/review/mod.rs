//! Review: judging the moves of a game.
//!
//! Every position of a game is searched ([`examine`]), and what is proven counts more than what a search finds. The cost
//! of a move is the loss of the *expected score*, which is 1 for a win, ½ for a draw and 0 for a loss
//! ([`expected_score`]). [`Judgement`] marks inaccuracies, mistakes and blunders; [`move_accuracy`] and
//! [`game_accuracy`] rate the play.
//!
//! [`review`] does the work; the board asks for the same searches one by one:
//!
//! ```
//! use vato_engine::engine::{Engine, Settings};
//! use vato_tools::review::review;
//! use vato_engine::rules::{Game, Rules, legal_moves};
//! use vato_engine::search::{Control, Limits};
//!
//! let mut game = Game::new(Rules::STANDARD);
//! let first = legal_moves(game.rules(), game.position())[0];
//! game.play(first).expect("a legal move");
//! let limits = Limits { nodes: Some(500), ..Limits::default() };
//! let review = review(&game, &mut Engine::new(Settings::default()), &limits, &Control::new(), &mut || ())
//!     .expect("the default table is small")
//!     .expect("nobody stops it");
//! assert_eq!((review.positions().count(), review.moves.len()), (2, 1));
//! ```

mod game_review;
mod judgement;
mod player_review;

pub use game_review::{
    GameReview, MoveReview, NODES, PositionReview, by_side, engine, examine, review,
};
pub(crate) use game_review::{Judged, path_text};
pub(crate) use judgement::Expectation;
pub use judgement::{Judgement, Mark, expected_of_outcome, expected_score};
pub use player_review::{PlayerReview, game_accuracy, move_accuracy};

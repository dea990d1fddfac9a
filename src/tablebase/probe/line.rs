//! How a game goes on when both sides play by the tables.

use super::Tablebases;
use crate::board::Move;
use crate::rules::Game;
use crate::tablebase::value::Wdl;

impl Tablebases {
    /// The best moves of both sides from the current position of `game` on: to the end of a decided
    /// game, or to the next capture of a drawn one; at most `most` moves.
    #[must_use]
    pub fn line(&self, game: &Game, most: usize) -> Vec<Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while line.len() < most && game.outcome().is_none() {
            let Some(ranking) = self.rank(game.rules(), game.position()) else {
                break;
            };
            let best = ranking.best();
            if game.play(best.mv).is_err() {
                break;
            }
            line.push(best.mv);
            if best.outcome() == Wdl::Draw {
                break;
            }
        }
        line
    }
}

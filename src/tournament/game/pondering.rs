//! Thinking on the opponent's time.

use super::blame;
use super::table::{End, Table};
use crate::board::Side;
use crate::notation::parse_turn;
use crate::tournament::engine::Searched;

impl Table<'_> {
    /// Lets `side` think about the reply that it expects: the one that `bestmove` names (UCI), else
    /// the second move of its line of play. Without one that can be played it waits.
    pub(super) fn start_pondering(&mut self, side: Side, answer: &Searched) -> Result<(), End> {
        let expected = answer.best.ponder.as_ref().or_else(|| {
            let begins = answer.pv.first() == answer.best.best.as_ref();
            answer.pv.get(1).filter(|_| begins)
        });
        let Some(text) = expected else {
            return Ok(());
        };
        let Ok((_, mv)) = parse_turn(text, self.game.rules(), self.game.position()) else {
            return Ok(());
        };
        let mut ahead = self.game.clone();
        if ahead.play(mv).is_err() || ahead.outcome().is_some() {
            return Ok(());
        }
        let (position, go) = (self.position(Some(text)), self.go(side));
        self.player(side)
            .ponder(&position, &go, mv)
            .map_err(blame(side))
    }
}

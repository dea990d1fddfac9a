//! Taking turns back and playing them again.

use super::Model;
use crate::play::{Ending, Person};
use crate::rules::Game;

impl Model {
    /// Takes back the smallest thing that a person has done: a question, a step, a resignation, or
    /// the last turn of a person's with the answer of the engine.
    pub(super) fn take_back(&mut self) {
        if let Some(hand) = &mut self.hand {
            if hand.asking.take().is_some() {
                return;
            }
            if hand.turn.take_back().is_some() {
                self.cursor = hand.turn.at();
                return;
            }
        }
        if let Some(Ending::Resigned(_)) = self.declared {
            self.declared = None;
            self.mark_changed();
            return;
        }
        let person = self.settings.person;
        if person == Person::Neither && !self.paused && self.ending().is_none() {
            self.complain("pause the game first");
            return;
        }
        let kept = match person {
            Person::Neither => self.turns.len().checked_sub(1),
            _ => self
                .turns
                .iter()
                .rposition(|turn| person.plays(turn.before.side())),
        };
        let Some(kept) = kept else {
            self.complain("there is nothing to take back");
            return;
        };
        let taken = self.turns.split_off(kept);
        if let Some(first) = taken.first()
            && first.clocks.is_some()
        {
            self.clocks.clone_from(&first.clocks);
        }
        let count = taken.len();
        self.undone.extend(taken.into_iter().rev());
        self.declared = None;
        // Otherwise the engine would play on at once where nobody is to move but it.
        self.paused |= person == Person::Neither;
        self.replay();
        self.tell(match count {
            1 => "one turn taken back".to_owned(),
            _ => format!("{count} turns taken back"),
        });
    }

    /// Plays again what was taken back, up to where a person is to move.
    pub(super) fn redo(&mut self) {
        if self.steps_taken() > 0 {
            self.complain("a turn is under way");
            return;
        }
        if self.undone.is_empty() {
            self.complain("nothing was taken back");
            return;
        }
        if let Some(ending) = self.declared {
            self.complain(format!("the game is over ({ending})"));
            return;
        }
        let person = self.settings.person;
        while let Some(turn) = self.undone.pop() {
            self.turns.push(turn);
            let next = self.undone.last();
            if next.is_none_or(|next| person == Person::Neither || person.plays(next.before.side()))
            {
                break;
            }
        }
        self.replay();
    }

    /// Brings the game to what the turns say.
    fn replay(&mut self) {
        let mut game = Game::from_position(*self.game.rules(), *self.game.start());
        for turn in &self.turns {
            // They were legal when they were played for the first time.
            if game.play(turn.mv).is_err() {
                break;
            }
        }
        self.game = game;
        self.mark_changed();
        self.judgement = None;
        self.position_changed();
    }
}

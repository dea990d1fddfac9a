//! Turns as a person types them.

use super::{Ending, Model, PlayedTurn};
use crate::notation::read_turn;
use vato_engine::board::Move;
use vato_engine::notation::format_path;
use vato_engine::rules::{Capture, Path};

const WHICH: &str = "capture by approach (a) or by withdrawal (w)?";

/// The first step in which these turns capture in different ways.
fn difference(turns: &[(Path, Move)]) -> Option<usize> {
    let ((first, _), others) = turns.split_first()?;
    let capture = |path: &Path, step: usize| path.steps[step].capture;
    (0..first.steps.len()).find(|&step| {
        let differs = |(path, _): &(Path, Move)| capture(path, step) != capture(first, step);
        others.iter().any(differs)
    })
}

impl Model {
    /// Whether a person may move or ask for a hint now; if not, sets the notice.
    pub(super) fn may_touch(&mut self) -> bool {
        if self.ending().is_some() {
            self.complain("the game is over");
        } else if self.paused {
            self.complain("the game is paused");
        } else if !self.is_players_turn() {
            self.complain(format!("it is {}'s turn", self.side()));
        } else {
            return true;
        }
        false
    }

    pub(super) fn typed(&mut self, text: &str) {
        if !self.may_touch() {
            return;
        }
        match read_turn(text, self.game.rules(), self.game.position()) {
            Ok(turns) => self.play_or_ask(turns),
            Err(error) => self.complain(error.to_string()),
        }
    }

    pub(super) fn choose_capture(&mut self, capture: Capture) {
        let mut turns = self.asked.clone();
        if let Some(step) = difference(&turns) {
            turns.retain(|(path, _)| path.steps[step].capture == Some(capture));
        }
        match turns.is_empty() {
            true => self.complain("there is nothing to choose between"),
            false => self.play_or_ask(turns),
        }
    }

    /// Plays the turn that was typed, or asks for the first capture in which those that it may be differ.
    fn play_or_ask(&mut self, mut turns: Vec<(Path, Move)>) {
        if difference(&turns).is_some() {
            self.asked = turns;
            self.tell(WHICH);
        } else if let Some((path, mv)) = turns.pop() {
            self.commit(path, mv, None);
        }
    }

    /// Plays a turn known to be legal.
    pub(super) fn commit(&mut self, path: Path, mv: Move, comment: Option<String>) {
        let turn = PlayedTurn {
            before: *self.game.position(),
            path,
            mv,
            comment,
            annotations: Vec::new(),
            variations: Vec::new(),
            clocks: self.clocks.clone(),
        };
        if let Err(error) = self.game.play(mv) {
            let text = format_path(&turn.path, self.game.rules().board);
            self.complain(format!("'{text}': {error}"));
            return;
        }
        let mover = turn.before.side();
        self.turns.push(turn);
        self.undone.clear();
        self.mark_changed();
        if let Some(clocks) = &mut self.clocks
            && clocks[mover.index()].spend(self.spent).is_err()
        {
            self.declared = Some(Ending::TimeUp(mover));
        }
        self.position_changed();
    }
}

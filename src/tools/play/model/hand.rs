//! Selecting stones, playing step by step, and whole turns.

use super::{Ending, Model, PlayedTurn};
use vato_engine::board::{Bitboard, Move, Point};
use vato_engine::notation::{format_path, read_turn};
use vato_engine::rules::{Capture, NextStep, Path, TurnUnderWay, has_capture};

/// The selected stone: its turn so far, and the choice between captures, if open.
#[derive(Clone, Debug)]
pub struct Hand {
    /// The turn so far.
    pub turn: TurnUnderWay,
    /// The target of a step whose capture is still to be chosen.
    pub asking: Option<Point>,
    /// The turns that a typed one may be, if that is what is asked about.
    typed: Vec<(Path, Move)>,
}

const WHICH: &str = "capture by approach (a) or by withdrawal (w)?";

/// The kind of a step to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A step that captures nothing.
    Paika,
    /// A capture of one kind.
    Capture(Capture),
    /// A capture by approach or withdrawal; the player is asked which.
    Either,
}

impl Hand {
    fn steps_to(&self, point: Point) -> Vec<NextStep> {
        let mut steps = self.turn.next_steps();
        steps.retain(|next| next.step.to == point);
        steps
    }

    /// The points the stone can step to, with the kind of step.
    pub fn targets(&self) -> Vec<(Point, Target)> {
        let mut targets: Vec<(Point, Target)> = Vec::new();
        for next in self.turn.next_steps() {
            let target = next.step.capture.map_or(Target::Paika, Target::Capture);
            match targets.iter_mut().find(|(to, _)| *to == next.step.to) {
                Some((_, known)) => *known = Target::Either,
                None => targets.push((next.step.to, target)),
            }
        }
        targets
    }

    /// The stones that a step to `point` with this capture would take.
    pub fn would_capture(&self, point: Point, capture: Capture) -> Bitboard {
        self.steps_to(point)
            .into_iter()
            .filter(|next| next.step.capture == Some(capture))
            .map(|next| next.captured)
            .fold(Bitboard::EMPTY, |all, one| all | one)
    }
}

impl Model {
    pub(super) fn move_cursor(&mut self, files: i8, ranks: i8) {
        let board = self.game.rules().board;
        let (file, rank) = board.file_and_rank(self.cursor);
        let moved = |place: u8, by: i8, count: u8| place.saturating_add_signed(by).min(count - 1);
        let file = moved(file, files, board.columns());
        let rank = moved(rank, ranks, board.rows());
        if let Some(point) = board.point(file, rank) {
            self.cursor = point;
        }
    }

    /// Whether a person may move a stone or ask for a hint now; if not, sets the notice.
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

    pub(super) fn choose(&mut self, point: Point) {
        self.cursor = point;
        if !self.may_touch() {
            return;
        }
        let Some(hand) = &self.hand else {
            self.take_up(point);
            return;
        };
        if let Some(to) = hand.asking {
            // A stone that only one of the two captures would take decides.
            let by = |capture| hand.would_capture(to, capture).contains(point);
            match (by(Capture::Approach), by(Capture::Withdrawal)) {
                (true, false) => self.choose_capture(Capture::Approach),
                (false, true) => self.choose_capture(Capture::Withdrawal),
                _ if point == to => self.ask(to),
                _ => {
                    self.set_asking(None);
                    self.choose(point);
                }
            }
            return;
        }
        let steps = hand.steps_to(point);
        let is_fresh = hand.turn.steps().is_empty();
        match steps[..] {
            [next] => self.step(next),
            [_, _, ..] => self.ask(point),
            [] if point == hand.turn.at() && is_fresh => self.hand = None,
            [] if point == hand.turn.at() => self.end_turn(),
            [] if is_fresh && self.game.position().own().contains(point) => self.take_up(point),
            [] => {
                let name = |point| self.game.rules().board.name(point);
                let text = format!("no step from {} to {}", name(hand.turn.at()), name(point));
                self.complain(text);
            }
        }
    }

    fn take_up(&mut self, point: Point) {
        let (rules, position) = (*self.game.rules(), *self.game.position());
        let name = rules.board.name(point);
        let turn = TurnUnderWay::begin(&rules, &position, point);
        match turn.filter(|turn| !turn.next_steps().is_empty()) {
            Some(turn) => {
                self.hand = Some(Hand {
                    turn,
                    asking: None,
                    typed: Vec::new(),
                })
            }
            None if !position.own().contains(point) => {
                self.complain(format!("no stone of {}'s on {name}", position.side()));
            }
            None if has_capture(&rules, &position) => self.complain(format!(
                "the stone on {name} cannot move: another one can capture"
            )),
            None => self.complain(format!("the stone on {name} cannot move")),
        }
    }

    fn set_asking(&mut self, point: Option<Point>) {
        if let Some(hand) = &mut self.hand {
            hand.asking = point;
            hand.typed.clear();
        }
    }

    fn ask(&mut self, to: Point) {
        self.set_asking(Some(to));
        self.tell(WHICH);
    }

    pub(super) fn choose_capture(&mut self, capture: Capture) {
        if let Some(hand) = self.hand.as_mut().filter(|hand| hand.asking.is_some()) {
            let (mut typed, step) = (std::mem::take(&mut hand.typed), hand.turn.steps().len());
            typed.retain(|(path, _)| path.steps[step].capture == Some(capture));
            if !typed.is_empty() {
                return self.play_typed(typed);
            }
        }
        let asked = self.hand.as_ref().and_then(|hand| {
            let to = hand.asking?;
            let mut steps = hand.steps_to(to).into_iter();
            steps.find(|next| next.step.capture == Some(capture))
        });
        match asked {
            Some(next) => self.step(next),
            None => self.complain("there is nothing to choose between"),
        }
    }

    fn step(&mut self, next: NextStep) {
        let Some(hand) = &mut self.hand else {
            return;
        };
        hand.asking = None;
        if !hand.turn.play(next.step) {
            return;
        }
        self.cursor = next.step.to;
        match hand.turn.end() {
            Some((path, mv)) if hand.turn.next_steps().is_empty() => self.commit(path, mv, None),
            Some(_) => self.tell("the stone may capture again, or stop here"),
            None => self.tell("the stone must capture again"),
        }
    }

    pub(super) fn end_turn(&mut self) {
        if !self.may_touch() {
            return;
        }
        match self.hand.as_ref().map(|hand| hand.turn.end()) {
            Some(Some((path, mv))) => self.commit(path, mv, None),
            Some(None) if self.steps_taken() > 0 => self.complain("the stone must capture again"),
            _ => self.complain("no turn is under way"),
        }
    }

    pub(super) fn steps_taken(&self) -> usize {
        self.hand.as_ref().map_or(0, |hand| hand.turn.steps().len())
    }

    pub(super) fn typed(&mut self, text: &str) {
        if !self.may_touch() {
            return;
        }
        match read_turn(text, self.game.rules(), self.game.position()) {
            Ok(turns) => self.play_typed(turns),
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Plays the turn that was typed, or asks for the first capture in which those that it may be differ.
    fn play_typed(&mut self, mut turns: Vec<(Path, Move)>) {
        let Some((path, mv)) = turns.pop() else {
            return;
        };
        let capture = |step: usize, path: &Path| path.steps[step].capture;
        let differs = |&step: &usize| {
            turns
                .iter()
                .any(|(other, _)| capture(step, other) != capture(step, &path))
        };
        let (rules, position) = (*self.game.rules(), *self.game.position());
        let Some(step) = (0..path.steps.len()).find(differs) else {
            return self.commit(path, mv, None);
        };
        if let Some(mut turn) = TurnUnderWay::begin(&rules, &position, path.from)
            && path.steps[..step].iter().all(|&step| turn.play(step))
        {
            let to = path.steps[step].to;
            turns.push((path, mv));
            self.hand = Some(Hand {
                turn,
                asking: Some(to),
                typed: turns,
            });
            self.tell(WHICH);
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

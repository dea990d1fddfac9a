//! A second opinion on how games end, straight from the wording of the rules.

use vato_engine::board::{Position, Side};
use vato_engine::notation::format_fen;
use vato_engine::rules::{Blocked, Eating, Outcome, Reason, Rules, Tie, Vela};

use super::yardstick;

/// Every position of a game since the last capture, as text, and the first ending.
pub struct History {
    rules: Rules,
    yardstick_rules: yardstick::Rules,
    since_capture: Vec<String>,
    outcome: Option<Outcome>,
}

impl History {
    pub fn new(rules: &Rules, start: &Position) -> History {
        let text = format!("{rules:#}");
        let mut history = History {
            rules: *rules,
            yardstick_rules: yardstick::Rules::parse(&text).expect("the same rules strings"),
            since_capture: Vec::new(),
            outcome: None,
        };
        history.add(start);
        history
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The game went on to this position.
    pub fn add(&mut self, position: &Position) {
        if position.halfmove_clock() == 0 {
            self.since_capture.clear();
        }
        let fen = format_fen(position, self.rules.board);
        let stones_and_side: Vec<&str> = fen.split(' ').take(2).collect();
        // A first turn with rules of its own is not the same position as a later turn, if there is
        // something to capture: otherwise its turns are the same.
        let first = self.rules.is_special_first_turn(position)
            && vato_engine::rules::has_capture(&self.rules, position);
        self.since_capture
            .push(format!("{} {first}", stones_and_side.join(" ")));
        if self.outcome.is_none() {
            self.outcome = self.ending(position, &fen);
        }
    }

    fn ending(&self, position: &Position, fen: &str) -> Option<Outcome> {
        let [white, black] = Side::BOTH.map(|side| position.stones(side).count());
        let rules = &self.rules;
        if white == 0 || black == 0 {
            let winner = if white == 0 { Side::Black } else { Side::White };
            return Some(Outcome {
                winner: Some(winner),
                reason: Reason::NoStones,
            });
        }
        let plain = yardstick::Position::parse(fen, &self.yardstick_rules).expect("the same FEN");
        if yardstick::turns(&self.yardstick_rules, &plain).is_empty() {
            let (eater, given) = match rules.vela {
                Vela::Off => (None, 0),
                Vela::White => (Some(Side::Black), white),
                Vela::Black => (Some(Side::White), black),
            };
            let starves =
                rules.eating == Eating::Must && eater == Some(position.side()) && given > 5;
            return Some(Outcome {
                winner: match rules.blocked {
                    Blocked::Draw | Blocked::Pass if !starves => None,
                    _ => Some(!position.side()),
                },
                reason: Reason::Blocked,
            });
        }
        let current = self.since_capture.last();
        let occurrences = self
            .since_capture
            .iter()
            .filter(|&seen| Some(seen) == current)
            .count();
        let reason = if rules.repeat > 0 && occurrences >= usize::from(rules.repeat) {
            Reason::Repetition
        } else if rules.limit > 0 && position.halfmove_clock() >= rules.limit {
            Reason::Limit
        } else {
            return None;
        };
        let winner = match rules.tie {
            Tie::Count if white > black => Some(Side::White),
            Tie::Count if black > white => Some(Side::Black),
            Tie::Count | Tie::Draw => None,
        };
        Some(Outcome { winner, reason })
    }
}

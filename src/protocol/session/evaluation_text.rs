//! An evaluation, taken apart, as text for people.

use std::fmt::Write;

use crate::board::Side;
use crate::eval::{Explanation, Parts};
use crate::notation::{Charset, diagram_with_values};
use crate::rules::{Game, has_capture};

/// The parts and the sum: stones on the diagram from White's view, or terms from the view of the side to
/// move, then the score from both views.
pub(super) fn evaluation_text(explanation: &Explanation, game: &Game) -> String {
    let (rules, position) = (game.rules(), game.position());
    let mut text = String::new();
    match &explanation.parts {
        Parts::Terms(terms) => {
            for (name, value) in terms {
                let _ = writeln!(text, "{name:<12}{value:>+7.2}");
            }
        }
        Parts::Stones(values) => {
            let value = |point| {
                let found = values.iter().find(|(other, _)| *other == point);
                found.map(|&(_, value)| value)
            };
            text += &diagram_with_values(position, rules.board, Charset::Unicode, value);
            text += "(what each stone adds to the score for White)\n";
        }
    }
    let total = f64::from(explanation.score) / 100.0;
    let for_white = match position.side() {
        Side::White => total,
        Side::Black => -total,
    };
    let _ = writeln!(text, "{:<12}{total:>+7.2} for {}", "total", position.side());
    let _ = writeln!(text, "{:<12}{for_white:>+7.2} for White", "");
    let _ = writeln!(text, "{:<12}{}", "evaluation", explanation.evaluation);
    if has_capture(rules, position) {
        text.push_str("(the side to move can capture: only a search tells more)\n");
    }
    text
}

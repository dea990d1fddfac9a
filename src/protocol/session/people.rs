//! Commands for people: show, explain and list; the page that `help` prints.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Session;
use crate::board::Side;
use crate::eval::{Explanation, Parts};
use crate::notation::{Charset, diagram, diagram_with_values, format_fen, format_path};
use crate::rules::{Game, has_capture, legal_paths};

pub(super) const HELP: &str = "\
Vato speaks UGI and UCI. The commands, in both vocabularies:

  ugi | uci                         open the session: name, options, ugiok | uciok
  isready                           readyok, when all that came before has taken effect
  setoption name NAME [value V]     set an option (ugi lists them)
  uginewgame | ucinewgame           another game: forget everything, back to the start
  position startpos [moves M...]    set up the game: the start of the active rules,
  position fen FEN [moves M...]     or any position, and the moves played from there
  moves M...                        play on from the current position
  go [LIMIT...]                     search; without a limit until stop
     p1time p2time p1inc p2inc | wtime btime winc binc   clocks, in milliseconds
     movestogo N   movetime MS   depth N   nodes N   mate N   infinite   ponder
     searchmoves M...   perft N
  stop                              end the search with the best move so far
  ponderhit                         the expected move was played
  query p1turn|gameover|result      response ...
  debug on|off                      more notes
  quit

For people and scripts:

  d                                 show the position
  eval                              explain what it is worth
  legal                             list the legal turns
  perft N                           count turns to depth N
  bench [DEPTH [THREADS [HASH]]]    search fixed positions: the signature and the speed
  wait                              hold back what follows until the search has ended
  help                              this page

A move is written as origin, then for each step a hyphen, the landing point, and A (approach) or
W (withdrawal): d2-e3A-f4W. A step that captures nothing has no letter: d3-e3.
";

impl<W: Write> Session<W> {
    pub(super) fn show_position(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let (rules, position) = (game.rules(), game.position());
        let outcome = match (self.engine.offender(), game.outcome()) {
            (Some(offender), _) => format!("{} wins: illegal move by {offender}", !offender),
            (None, Some(outcome)) => outcome.to_string(),
            (None, None) => "none".to_owned(),
        };
        self.writer.text(format!(
            "{}\n\
             FEN: {}\n\
             Key: {:016x}\n\
             Variant: {}\n\
             Rules: {rules:#}\n\
             Side to move: {}\n\
             Moves played: {}\n\
             Outcome: {outcome}",
            diagram(position, rules.board, Charset::Unicode),
            format_fen(position, rules.board),
            rules.key(position),
            self.engine.settings().variant,
            position.side(),
            game.moves().len(),
        ))
    }

    pub(super) fn explain_evaluation(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let evaluation = &self.engine.settings().evaluation;
        let text = match evaluation.explain(game.rules(), game.position()) {
            Some(explanation) => evaluation_text(&explanation, game),
            None => "no evaluation: a side has no stones\n".to_owned(),
        };
        self.writer.text(text)
    }

    pub(super) fn list_turns(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let rules = game.rules();
        let paths = legal_paths(rules, game.position());
        let mut text = String::new();
        for (path, _) in &paths {
            text.push_str(&format_path(path, rules.board));
            text.push('\n');
        }
        if !paths.is_empty() {
            self.writer.text(text)?;
        }
        self.writer.note(format!("{} legal turns", paths.len()))
    }
}

/// The parts and the sum: stones on the diagram from White's view, or terms from the view of the side to
/// move, then the score from both views.
fn evaluation_text(explanation: &Explanation, game: &Game) -> String {
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

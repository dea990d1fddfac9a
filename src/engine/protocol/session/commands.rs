//! Commands handled at once or changing state: handshake, options, position, queries and user commands.

use std::fmt::Write as _;
use std::io::Write;

use super::Session;
use crate::board::Side;
use crate::engine::{OptionDeclaration, OptionKind, options};
use crate::eval::{Explanation, Parts};
use crate::notation::{Charset, diagram, diagram_with_values, format_fen, format_path};
use crate::protocol::Dialect;
use crate::protocol::answer::{Answer, GameResult, Response};
use crate::protocol::command::{Query, SetOption};
use crate::protocol::lines::TrafficLog;
use crate::rules::{Game, has_capture, legal_paths};
use crate::text::excerpt;

/// The option of the session itself, not of the engine.
fn log_file() -> OptionDeclaration {
    let default = String::new();
    OptionDeclaration {
        name: "Log File".to_owned(),
        kind: OptionKind::Text { default },
    }
}

/// The log in the file that this value of the option names, if it names one.
fn opened_log(value: Option<&str>) -> Result<Option<TrafficLog>, String> {
    let option = log_file();
    let path = option.value(value)?;
    if path.is_empty() {
        return Ok(None);
    }
    let mut log = TrafficLog::default();
    let opened = log.open_at(path.as_ref()).map(|()| Some(log));
    let path = excerpt(path);
    opened.map_err(|error| format!("option Log File: cannot write to '{path}': {error}"))
}

impl<W: Write> Session<W> {
    pub(super) fn shake_hands(&mut self, dialect: Dialect) {
        self.dialect = dialect;
        let network = self.engine.settings().search.evaluation.network.name();
        let name = format!("Vato {} (net {network})", env!("CARGO_PKG_VERSION"));
        self.writer.say(&Answer::Name(name));
        self.writer
            .say(&Answer::Author("the Vato authors".to_owned()));
        for option in options().chain([log_file()]) {
            self.writer.say(&Answer::Option(option));
        }
        self.writer.say(&Answer::Ok(dialect));
    }

    pub(super) fn set_option(&mut self, option: &SetOption) {
        let (name, value) = (&option.name, option.value.as_deref());
        if name.eq_ignore_ascii_case(&log_file().name) {
            return match opened_log(value) {
                Ok(log) => self.writer.log = log,
                Err(error) => self.writer.error(error),
            };
        }
        let before = *self.engine.current.game().rules();
        match self.engine.set_option(name, value) {
            Ok(false) => {}
            Ok(true) => {
                self.unprepared = true;
                self.set_up();
            }
            Err(error) => return self.writer.error(error),
        }
        let rules = self.engine.current.game().rules();
        if *rules != before && self.debug {
            let note = format!("other rules, so the position is their start: {rules:#}");
            self.writer.note(note);
        }
    }

    /// Opens the log before the option's turn, so that it has every line that follows; errors are told in turn.
    pub(super) fn open_log(&mut self, SetOption { name, value }: &SetOption) {
        if name.eq_ignore_ascii_case(&log_file().name)
            && let Ok(Some(log)) = opened_log(value.as_deref())
        {
            self.writer.log = Some(log);
        }
    }

    pub(super) fn answer_query(&mut self, query: Query) {
        let game = self.engine.current.game();
        let offender = self.engine.current.offender;
        let outcome = game.outcome().map(|outcome| outcome.winner);
        let is_stale = self.engine.current.is_stale;
        let result = match offender.map(|side| Some(!side)).or(outcome) {
            _ if is_stale => GameResult::None,
            None => GameResult::None,
            Some(None) => GameResult::Draw,
            Some(Some(Side::White)) => GameResult::P1Win,
            Some(Some(Side::Black)) => GameResult::P2Win,
        };
        self.writer.say(&Answer::Response(match query {
            Query::P1Turn => Response::Flag(game.position().side() == Side::White),
            // Otherwise the manager would play on with another game than the engine's.
            Query::GameOver => Response::Flag(is_stale || result != GameResult::None),
            Query::Result => Response::Result(result),
        }));
    }

    pub(super) fn show_position(&mut self) {
        let game = self.engine.current.game();
        let (rules, position) = (game.rules(), game.position());
        let outcome = match (self.engine.current.offender, game.outcome()) {
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
        ));
    }

    pub(super) fn explain_evaluation(&mut self) {
        let game = self.engine.current.game();
        let evaluation = &self.engine.settings().search.evaluation;
        let text = match evaluation.explain(game.rules(), game.position()) {
            Some(explanation) => evaluation_text(&explanation, game),
            None => "no evaluation: a side has no stones\n".to_owned(),
        };
        self.writer.text(text);
    }

    pub(super) fn list_turns(&mut self) {
        let game = self.engine.current.game();
        let rules = game.rules();
        let paths = legal_paths(rules, game.position());
        let turns = paths.iter();
        let turns: Vec<String> = turns
            .map(|(path, _)| format_path(path, rules.board))
            .collect();
        if !turns.is_empty() {
            self.writer.text(turns.join("\n"));
        }
        self.writer.note(format!("{} legal turns", paths.len()));
    }
}

/// The parts and the sum: values of the stones on the diagram from White's point of view, or terms from
/// that of the side to move, then the score from both.
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
    let for_white = position.side().for_white(total);
    let _ = writeln!(text, "{:<12}{total:>+7.2} for {}", "total", position.side());
    let _ = writeln!(text, "{:<12}{for_white:>+7.2} for White", "");
    let _ = writeln!(text, "{:<12}{}", "evaluation", explanation.evaluation);
    if has_capture(rules, position) {
        text.push_str("(the side to move can capture: only a search tells more)\n");
    }
    text
}

//! The analysis of a game for people: a row for each move, then how both have played.

use std::fmt::Write;

use vato::board::Side;
use vato::notation::format_fen;
use vato::notation::pgn::GameRecord;
use vato::review::{GameReview, MoveReview, PositionReview};
use vato::rules::{Game, Rules};
use vato::search::Bound;

use super::super::line_text;
use super::annotate::nag;
use super::better_line::better_line;
use super::played::played;
use super::player_table::player_table;
use crate::cli::text::score_text;

/// The table of game `number` of its file; `game` is the record, replayed.
pub(super) fn table(number: u64, record: &GameRecord, game: &Game, review: &GameReview) -> String {
    let rules = game.rules();
    // Writing to a string cannot fail.
    let mut text = format!("game {number}: {}, {}\n", record.players(), record.result());
    if *rules != Rules::STANDARD {
        let _ = writeln!(text, "rules: {rules}");
    }
    if *game.start() != rules.start() {
        let _ = writeln!(text, "start: {}", format_fen(game.start(), rules.board));
    }
    text.push('\n');
    if review.moves.is_empty() {
        text.push_str("no moves\n");
    } else {
        rows(record, rules, review, &mut text);
    }
    if let Some(outcome) = review.outcome {
        let _ = writeln!(text, "{outcome}");
    }
    text.push('\n');
    text += &player_table(
        Side::BOTH.map(|side| (side.to_string(), None, &review.players[side.index()])),
    );
    text
}

fn rows(record: &GameRecord, rules: &Rules, review: &GameReview, text: &mut String) {
    let rows: Vec<Row> = review
        .moves
        .iter()
        .zip(review.positions.windows(2))
        .enumerate()
        .map(|(ply, (mv, pair))| {
            let text = played(record, ply, rules.board);
            Row::new(rules, text, mv, &pair[0], &pair[1])
        })
        .collect();
    let label = rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
    let longest = rows.iter().map(|row| row.mv.len()).max().unwrap_or(0);
    let longest = longest.max("move".len());
    let heading = Row {
        label: String::new(),
        mv: "move".to_owned(),
        score: "score".to_owned(),
        depth: "depth".to_owned(),
        loss: "loss".to_owned(),
        sign: "",
        note: String::new(),
    };
    for row in [heading].iter().chain(&rows) {
        let line = format!(
            "{:<label$} {:<longest$} {:>10} {:>5} {:>5} {:<2} {}",
            row.label, row.mv, row.score, row.depth, row.loss, row.sign, row.note
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// The cells of a move.
struct Row {
    label: String,
    mv: String,
    score: String,
    depth: String,
    loss: String,
    sign: &'static str,
    note: String,
}

impl Row {
    /// The row of a move that was played with this text.
    fn new(
        rules: &Rules,
        text: String,
        mv: &MoveReview,
        before: &PositionReview,
        after: &PositionReview,
    ) -> Row {
        let position = &before.position;
        let dots = match mv.side {
            Side::White => ".",
            Side::Black => "...",
        };
        let mut notes = Vec::new();
        if mv.is_forced {
            notes.push("forced".to_owned());
        }
        if mv.judgement.missed_win {
            notes.push("missed win".to_owned());
        }
        if let Some(line) = better_line(mv, before) {
            let best = line_text(rules, position, &line[..1]).join("");
            let score = score_text(before.score, Bound::Exact);
            notes.push(format!("best {best} ({score})"));
        }
        Row {
            label: format!("{}{dots}", position.move_number()),
            mv: text,
            score: score_text(mv.score, Bound::Exact),
            depth: match after.depth {
                0 => String::new(),
                depth => depth.to_string(),
            },
            loss: match mv.is_forced {
                true => String::new(),
                false => format!("{:.2}", f64::from(mv.judgement.hundredths()) / 100.0),
            },
            sign: mv
                .judgement
                .mark
                .and_then(|mark| nag(mark).sign())
                .unwrap_or(""),
            note: notes.join(", "),
        }
    }
}

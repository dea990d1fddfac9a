//! A game of a report, in a compact form: a column of text for the moves, one for their scores, and so on.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;

use crate::review::{GameReview, PlayerReview, PositionReview, path_text};
use crate::tournament::record::MoveEntry;
use vato_engine::board::{BoardSize, Move, Position, Side};
use vato_engine::notation::{format_fen, format_line, parse_turn};
use vato_engine::rules::{Game, Preset, Rules};
use vato_engine::search::ScoreEntry;
use vato_records::pgn::{GameRecord, Nag, RecordResult, RecordedMove, Variation};

/// Tags that the report shows in places of their own, or not at all.
const TAGS_ELSEWHERE: [&str; 9] = [
    "White",
    "Black",
    "Result",
    "Variant",
    "Rules",
    "SetUp",
    "FEN",
    "WhiteAccuracy",
    "BlackAccuracy",
];

const LINE_PLIES: usize = 8;

/// What stands in a column where nothing is known.
const UNKNOWN: &str = "-";

/// A line that might have been played instead of a move: the best one, or a variation of the record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportLine {
    /// Its score from White's view, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// The depth of its search, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// The comment before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// With spaces between them: each as in the notation, then, if it captures, a colon and the captured points:
    /// `f2-e3A:d4c5 d5-d4A:d3`.
    turns: String,
}

/// What is said of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReportNote {
    /// Its annotations: `??`, `!`; those without a sign as numbers: `$14`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// Whether it gave up a win.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    missed_win: bool,
    /// Lines that begin instead of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<ReportLine>,
}

/// A game of a report. Columns are texts with a word for each move in order, `-` where nothing is known.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportGame {
    /// Its number in the file or the match.
    pub number: u64,
    white: String,
    black: String,
    result: &'static str,
    /// How it ended: in matches the termination's name, else the tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination: Option<String>,
    /// Whether an engine lost it by a fault.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fault: bool,
    /// Why the rules ended it, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    rules: String,
    columns: u8,
    start: String,
    tags: Vec<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    introduction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conclusion: Option<String>,
    /// How many moves, at the beginning, belong to the opening and were not the players' own.
    book: usize,
    plies: usize,
    /// As [`ReportLine::turns`].
    moves: String,
    /// Columns of which something is known: after each move `scores`, from White's view, `depths`, `times`, in
    /// milliseconds, and `losses`, the expected score that it cost, in hundredths (unknown for forced ones); in each
    /// position, from the first to the last, `chances`, the score that White can expect, in percent, and `best`, the
    /// best turn, `=` if it was played.
    #[serde(flatten)]
    known: BTreeMap<&'static str, String>,
    /// What is said of moves, by their place from 0.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<usize, ReportNote>,
    /// How White and Black have played, if the game was analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<[PlayerReview; 2]>,
}

impl ReportGame {
    /// A game by its record, its tags and comments included; `number` is its number in the file or match, `game`
    /// the record, replayed.
    pub fn new(number: u64, record: &GameRecord, game: &Game) -> ReportGame {
        let rules = game.rules();
        let name = |tag| record.tag_value(tag).unwrap_or("?").to_owned();
        let tags = record.tags().iter().filter(|tag| {
            let is_known = !matches!(tag.value(), "" | "?" | "????.??.??");
            is_known && !TAGS_ELSEWHERE.contains(&tag.name())
        });
        let mut notes = BTreeMap::new();
        let mut turns = Vec::new();
        let mut position = *game.start();
        for (ply, (recorded, &mv)) in record.moves().iter().zip(game.moves()).enumerate() {
            // Several paths may give one move: the one that was recorded is shown.
            turns.push(recorded_turn(recorded, mv, rules.board));
            let marks = recorded.annotations().iter().map(Nag::mark);
            let note = ReportNote {
                marks: marks.collect(),
                comment: recorded.comment.clone(),
                lines: recorded
                    .variations
                    .iter()
                    .map(|variation| variation_line(rules, position, variation))
                    .filter(|line| !line.turns.is_empty() || line.comment.is_some())
                    .collect(),
                ..ReportNote::default()
            };
            position = position.play(mv);
            if note != ReportNote::default() {
                notes.insert(ply, note);
            }
        }
        ReportGame {
            number,
            white: name("White"),
            black: name("Black"),
            result: match record.result() {
                RecordResult::Unfinished => RecordResult::from(game.outcome()).name(),
                given => given.name(),
            },
            termination: record.tag_value("Termination").map(str::to_owned),
            reason: game
                .outcome()
                .filter(|&outcome| {
                    [RecordResult::from(Some(outcome)), RecordResult::Unfinished]
                        .contains(&record.result())
                })
                .map(|outcome| outcome.reason.name()),
            rules: Preset::name_of(rules),
            columns: rules.board.columns(),
            start: format_fen(game.start(), rules.board),
            tags: tags
                .map(|tag| [tag.name(), tag.value()].map(str::to_owned))
                .collect(),
            introduction: record.introduction().map(str::to_owned),
            conclusion: record.final_comment().map(str::to_owned),
            plies: turns.len(),
            moves: turns.join(" "),
            notes,
            ..ReportGame::default()
        }
    }

    /// Adds what the engines of a match thought of each move.
    pub fn add_thoughts(&mut self, moves: &[MoveEntry], first: Side) {
        let is_white = |ply: usize| ply.is_multiple_of(2) == (first == Side::White);
        self.add_column(
            "scores",
            moves.iter().enumerate().map(|(ply, mv)| {
                let score = match mv.score? {
                    score if is_white(ply) => score,
                    ScoreEntry::CentiStones(value) => {
                        ScoreEntry::CentiStones(value.saturating_neg())
                    }
                    // A loss in no plies has no other sign: the game is over.
                    ScoreEntry::PliesToEnd(0) => return Some("+M0".to_owned()),
                    ScoreEntry::PliesToEnd(plies) => ScoreEntry::PliesToEnd(plies.saturating_neg()),
                };
                Some(score.to_string())
            }),
        );
        self.add_column("depths", moves.iter().map(|mv| mv.depth));
        self.add_column("times", moves.iter().map(|mv| mv.time_ms.map(rounded)));
        self.book = moves.iter().take_while(|mv| mv.book).count();
    }

    /// Adds the review of the game. Marks are those of the record.
    pub fn add_review(&mut self, review: &GameReview, rules: &Rules) {
        let chance = |position: &PositionReview| (100.0 * position.expected_of_white()).round();
        self.add_column(
            "chances",
            review.positions().map(|position| Some(chance(position))),
        );
        let moves = || review.moves.iter();
        self.add_column(
            "scores",
            moves().map(|mv| Some(mv.side.for_white(mv.score).short_text())),
        );
        self.add_column(
            "depths",
            moves().map(|mv| (mv.depth > 0).then_some(mv.depth)),
        );
        self.add_column(
            "losses",
            moves().map(|mv| (!mv.is_forced).then(|| mv.judgement.hundredths())),
        );
        self.add_column(
            "best",
            review.positions().enumerate().map(|(ply, position)| {
                let best = position.best?;
                match review.moves.get(ply) {
                    Some(played) if played.is_best => Some("=".to_owned()),
                    _ => turn_words(rules, &position.position, &[best]).pop(),
                }
            }),
        );
        for (ply, mv) in moves().enumerate() {
            let line = mv.better_line();
            if line.is_none() && !mv.judgement.missed_win {
                continue;
            }
            let note = self.notes.entry(ply).or_default();
            note.missed_win = mv.judgement.missed_win;
            note.lines.extend(line.map(|before| {
                let line = &before.line[..before.line.len().min(LINE_PLIES)];
                ReportLine {
                    score: Some(mv.side.for_white(before.score).short_text()),
                    depth: Some(before.depth),
                    comment: None,
                    turns: turn_words(rules, &before.position, line).join(" "),
                }
            }));
        }
        self.review = Some(review.players.clone());
    }

    /// Adds a column, if any of its words is known.
    fn add_column<T: Display>(
        &mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<T>>,
    ) {
        let values: Vec<Option<T>> = values.collect();
        if values.iter().any(Option::is_some) {
            let word =
                |value: Option<T>| value.map_or(UNKNOWN.to_owned(), |value| value.to_string());
            let words: Vec<String> = values.into_iter().map(word).collect();
            self.known.insert(name, words.join(" "));
        }
    }
}

/// Milliseconds, to a tenth where they are few.
fn rounded(milliseconds: f64) -> f64 {
    match milliseconds < 10.0 {
        true => (10.0 * milliseconds).round() / 10.0,
        false => milliseconds.round(),
    }
}

fn recorded_turn(recorded: &RecordedMove, mv: Move, board: BoardSize) -> String {
    let text = path_text(recorded.text(), board);
    turn_word(text, mv, board)
}

/// A variation from a position on, as far as its moves are legal, without what is nested in it.
fn variation_line(rules: &Rules, position: Position, variation: &Variation) -> ReportLine {
    let mut game = Game::from_position(*rules, position);
    let turns = variation.moves.iter().map_while(|recorded| {
        let (_, mv) = parse_turn(recorded.text(), rules, game.position()).ok()?;
        game.play(mv).ok()?;
        Some(recorded_turn(recorded, mv, rules.board))
    });
    ReportLine {
        turns: turns.collect::<Vec<_>>().join(" "),
        comment: variation.introduction.clone(),
        ..ReportLine::default()
    }
}

/// A turn with what it captures.
pub(crate) fn turn_word(mut text: String, mv: Move, board: BoardSize) -> String {
    if mv.is_capture() {
        text.push(':');
        text.extend(mv.captured().into_iter().map(|point| board.name(point)));
    }
    text
}

pub(crate) fn turn_words(rules: &Rules, position: &Position, line: &[Move]) -> Vec<String> {
    let texts = format_line(rules, position, line).into_iter().zip(line);
    texts
        .map(|(text, &mv)| turn_word(text, mv, rules.board))
        .collect()
}

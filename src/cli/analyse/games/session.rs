//! The analysis of one game after the other, by several threads at once.

use std::path::PathBuf;

use indicatif::ProgressBar;
use vato::eval::Evaluation;
use vato::notation::pgn::{GameRecord, PgnProblem, RecordError};
use vato::review::{GameReview, review};
use vato::rules::Game;
use vato::search::{Control, Limits};

use super::super::limits::limit_text;
use super::annotate::{annotate, annotator};
use super::arguments::Format;
use super::output::{Outputs, Texts};
use super::reading::Item;
use super::summary::{Players, players};
use super::tables::TablesByRules;
use super::{json, table};
use crate::cli::failure::Failure;
use crate::cli::resources::ResourceArguments;

/// What all games have in common.
pub struct Session<'a> {
    pub(super) resources: &'a ResourceArguments,
    pub(super) outputs: Outputs,
    evaluation: Evaluation,
    tables: TablesByRules,
    limits: Limits,
}

/// What has become of a game.
pub(super) enum Analysed {
    /// It is done.
    Done { texts: Texts, players: Box<Players> },
    /// It is not right.
    Wrong(WrongGame),
    /// The analysis was stopped before its end.
    BrokenOff,
    /// Nothing can be done about this or any other game.
    Failed(Failure),
}

/// What is wrong with a game, and where.
pub(super) struct WrongGame {
    pub(super) line: u64,
    pub(super) players: String,
    pub(super) problem: String,
}

impl<'a> Session<'a> {
    /// A session in which every game has a searcher of its own with these resources.
    pub fn new(
        resources: &'a ResourceArguments,
        evaluation: Evaluation,
        tablebases: &[PathBuf],
        limits: Limits,
        outputs: Outputs,
    ) -> Session<'a> {
        Session {
            resources,
            outputs,
            evaluation,
            tables: TablesByRules::new(tablebases),
            limits,
        }
    }

    /// Analyses a game. `bar` counts positions.
    pub(super) fn analyse(
        &self,
        item: Item,
        name: &str,
        control: &Control,
        bar: &ProgressBar,
    ) -> Analysed {
        let number = item.number;
        let record = match item.record {
            Ok(record) => record,
            Err(error) => {
                return match error.problem {
                    PgnProblem::Input(error) => Analysed::Failed(Failure::cannot_read(name)(error)),
                    problem => Analysed::Wrong(WrongGame {
                        line: error.line,
                        players: error.players,
                        problem: problem.to_string(),
                    }),
                };
            }
        };
        let begins = record.line().unwrap_or_default();
        let game = match record.replay() {
            Ok(game) => game,
            Err(error) => {
                return Analysed::Wrong(WrongGame {
                    line: error.line.unwrap_or(begins),
                    players: record.players(),
                    problem: error.problem.to_string(),
                });
            }
        };
        let reviewed = match self.review(&game, control, bar) {
            Ok(Some(reviewed)) => reviewed,
            Ok(None) => return Analysed::BrokenOff,
            Err(failure) => return Analysed::Failed(failure),
        };
        let (names, players) = (record.players(), players(&record, &reviewed));
        match self.texts(number, record, &game, &reviewed) {
            Ok(texts) => Analysed::Done {
                texts,
                players: Box::new(players),
            },
            Err(TextError::Json(error)) => Analysed::Failed(error.into()),
            Err(TextError::Record(error)) => Analysed::Wrong(WrongGame {
                line: begins,
                players: names,
                problem: format!("cannot be annotated: {error}"),
            }),
        }
    }

    fn review(
        &self,
        game: &Game,
        control: &Control,
        bar: &ProgressBar,
    ) -> Result<Option<GameReview>, Failure> {
        // What a searcher has learned from one game must not change what it says of another.
        let mut searcher = self.resources.searcher()?;
        searcher.set_evaluation(self.evaluation.clone());
        searcher.set_tablebases(self.tables.tables(game.rules())?);
        let mut count = || bar.inc(1);
        Ok(review(
            game,
            &mut searcher,
            &self.limits,
            control,
            &mut count,
        )?)
    }

    fn texts(
        &self,
        number: u64,
        mut record: GameRecord,
        game: &Game,
        review: &GameReview,
    ) -> Result<Texts, TextError> {
        let mut texts = Texts::default();
        match self.outputs.shown {
            Format::Text => texts.shown = table::table(number, &record, game, review),
            Format::Json => texts.shown = json::object(number, &record, game, review)?,
            Format::Pgn => {}
        }
        if self.outputs.shown == Format::Pgn || self.outputs.writes_file {
            let evaluation = self.evaluation.name_for(game.rules());
            let annotator = annotator(&evaluation, &limit_text(&self.limits));
            annotate(&mut record, review, game.rules(), &annotator)?;
            let annotated = record.to_string();
            if self.outputs.shown == Format::Pgn {
                texts.shown.clone_from(&annotated);
            }
            if self.outputs.writes_file {
                texts.filed = annotated;
            }
        }
        Ok(texts)
    }
}

/// Why a game that was analysed cannot be written.
enum TextError {
    Json(serde_json::Error),
    Record(RecordError),
}

impl From<serde_json::Error> for TextError {
    fn from(error: serde_json::Error) -> TextError {
        TextError::Json(error)
    }
}

impl From<RecordError> for TextError {
    fn from(error: RecordError) -> TextError {
        TextError::Record(error)
    }
}

//! Doing what a game wants done.

use std::path::PathBuf;
use std::time::SystemTime;

use humantime::format_rfc3339_seconds;
use vato::notation::pgn::GameRecord;
use vato::play::{Effect, Engine, FileError, Input, open, save};

/// What comes of an effect at once.
pub enum Consequence {
    /// The game is to be told.
    Input(Input),
    /// A file exists, and somebody has to say whether it may be replaced.
    MayReplace(PathBuf),
}

/// Carries out what a game wants; `None` if there is nothing to say about it now.
pub fn carry_out(engine: &mut Engine, effect: Effect) -> Option<Consequence> {
    let input = match effect {
        Effect::Search(request) => {
            engine.search(*request);
            return None;
        }
        Effect::StopSearch => {
            engine.stop();
            return None;
        }
        Effect::Save {
            path,
            mut record,
            is_of_today,
            replace,
        } => match date(&mut record, is_of_today).and_then(|()| {
            save(&path, &record, replace).map_err(|error| match error {
                FileError::Exists { path } => Trouble::Exists(path),
                error => Trouble::Other(error.to_string()),
            })
        }) {
            Ok(()) => Input::Saved(path),
            Err(Trouble::Exists(path)) => return Some(Consequence::MayReplace(path)),
            Err(Trouble::Other(text)) => Input::Failed(text),
        },
        Effect::Open(path) => match open(&path) {
            Ok((record, games)) => Input::Opened {
                path,
                record: Box::new(record),
                games,
            },
            Err(error) => Input::Failed(error.to_string()),
        },
    };
    Some(Consequence::Input(input))
}

/// Why a game was not saved.
enum Trouble {
    Exists(PathBuf),
    Other(String),
}

/// Dates a record of today that has no date: today (UTC), as PGN writes it.
fn date(record: &mut GameRecord, is_of_today: bool) -> Result<(), Trouble> {
    let is_dated = record
        .tag_value("Date")
        .is_some_and(|date| !date.starts_with('?'));
    if is_dated || !is_of_today {
        return Ok(());
    }
    let now = format_rfc3339_seconds(SystemTime::now()).to_string();
    let day = now.split('T').next().unwrap_or_default().replace('-', ".");
    record
        .set_tag("Date", &day)
        .map_err(|error| Trouble::Other(error.to_string()))
}

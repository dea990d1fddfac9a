//! Parts of a match that were played by themselves, joined.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use super::formats::{Missing, NotScheduled, Schedule};
use super::match_state::MatchState;
use super::missing::{MissingParts, Numbers};
use super::record::{GameEntry, Header, Reading, Record, RecordError, read_record};
use super::settings::{Anchor, MatchSettings, SettingsError, Shard, TournamentError};
use crate::openings::OpeningSource;

/// A match that was put together from parts.
#[derive(Debug)]
pub struct Merged {
    state: MatchState,
    header: Header,
    /// The games by their numbers.
    entries: Vec<GameEntry>,
    /// How many shards there are, if all parts are some, and those that are not among them.
    shards: Option<(u32, Numbers)>,
}

/// Why parts cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// There are none.
    #[error("want at least one record")]
    Nothing,
    /// A part that does not read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A part whose settings cannot be.
    #[error("{path}: {error}", path = path.display())]
    Settings {
        /// The part.
        path: PathBuf,
        /// What is wrong with them.
        error: SettingsError,
    },
    /// The engine that ratings are to be measured from cannot be.
    #[error(transparent)]
    Anchor(SettingsError),
    /// Parts of different matches.
    #[error(
        "{second} does not belong to {first}: {what} differs",
        first = first.display(),
        second = second.display()
    )]
    Different {
        /// One part.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// What differs between them.
        what: String,
    },
    /// The same part twice.
    #[error(
        "{first} and {second} are both shard {shard}",
        first = first.display(),
        second = second.display()
    )]
    SameShard {
        /// One part.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Which part both are.
        shard: Shard,
    },
    /// A game that is in two parts, or twice in one.
    #[error(
        "game {game} is in {first} and in {second}",
        first = first.display(),
        second = second.display()
    )]
    Twice {
        /// The game.
        game: u32,
        /// One part.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// A game that the match does not have, or that does not belong to its part.
    #[error("{path}: {error}", path = path.display())]
    NotScheduled {
        /// The part.
        path: PathBuf,
        /// Which game, and why not.
        error: NotScheduled,
    },
}

impl Merged {
    /// Joins the parts in these files (`NAME.jsonl`). Folders of programs and files may differ from
    /// part to part, as may the number of games at a time; everything else has to be the same.
    /// Ratings are measured from `anchor`, if it is given, else as the first part says.
    ///
    /// # Errors
    ///
    /// If a part does not read, or the parts do not belong together, overlap, or are doubled.
    pub fn read(paths: &[PathBuf], anchor: Option<&Anchor>) -> Result<Merged, MergeError> {
        let mut parts = Vec::with_capacity(paths.len());
        for path in paths {
            let mut reading = read_record(path)?;
            reading.header.settings.fill_in_format();
            parts.push((path.as_path(), reading));
        }
        let Some((first_path, first)) = parts.first() else {
            return Err(MergeError::Nothing);
        };
        for (index, (path, part)) in parts.iter().enumerate() {
            let wrong = |error| MergeError::Settings {
                path: path.to_path_buf(),
                error,
            };
            part.header.settings.validate().map_err(wrong)?;
            if let Some(what) = difference(&first.header, &part.header) {
                return Err(MergeError::Different {
                    first: first_path.to_path_buf(),
                    second: path.to_path_buf(),
                    what,
                });
            }
            compare_shards(path, part, &parts[..index])?;
        }
        let mut header = first.header.clone();
        header.settings.shard = None;
        header.settings.concurrency = None;
        if let Some(anchor) = anchor {
            // Before it is written: with an anchor that cannot be, no match could go on.
            header.settings.anchor = Some(anchor.clone());
            let settings = &header.settings;
            let playing = || Ok(settings.validate_anchor()?);
            settings
                .validate()
                .and_then(|()| playing())
                .map_err(MergeError::Anchor)?;
        }
        let mut state = MatchState::new(header.settings.clone()).map_err(settings(first_path))?;
        let shards = missing_shards(&parts);
        let mut games: Vec<(&Path, GameEntry)> = Vec::new();
        for (path, part) in parts {
            let schedule = Schedule::of(&part.header.settings).map_err(settings(path))?;
            for entry in part.entries {
                if !schedule.has(entry.game) {
                    return Err(MergeError::NotScheduled {
                        path: path.to_owned(),
                        error: NotScheduled::Foreign(entry.game),
                    });
                }
                games.push((path, entry));
            }
        }
        // A game comes after those that it depends on.
        games.sort_by_key(|(_, entry)| entry.game);
        for (place, (path, entry)) in games.iter().enumerate() {
            state.add(entry).map_err(|error| match error {
                NotScheduled::Twice(game) => MergeError::Twice {
                    game,
                    first: games[place.saturating_sub(1)].0.to_owned(),
                    second: path.to_path_buf(),
                },
                error => MergeError::NotScheduled {
                    path: path.to_path_buf(),
                    error,
                },
            })?;
        }
        Ok(Merged {
            state,
            header,
            entries: games.into_iter().map(|(_, entry)| entry).collect(),
            shards,
        })
    }

    /// How far the match has come.
    #[must_use]
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    /// What it lacks.
    #[must_use]
    pub fn missing(&self) -> MissingParts {
        let Missing { games, later } = self.state.missing();
        let (shard_count, shards) = self.shards.clone().unzip();
        MissingParts {
            shard_count,
            shards: shards.unwrap_or_default(),
            games,
            later,
        }
    }

    /// Writes the whole as the record of one match under `name`, a path without extension. If games
    /// are missing, the match can go on from there.
    ///
    /// # Errors
    ///
    /// If one of its files exists already, or cannot be made.
    pub fn write(&self, name: &Path) -> Result<Record, RecordError> {
        let mut record = Record::create(name, &self.header)?;
        match record.add_all(&self.entries) {
            Ok(()) => Ok(record),
            Err(error) => {
                // A part of it would pass for a match that was stopped.
                record.remove();
                Err(error)
            }
        }
    }
}

fn settings(path: &Path) -> impl FnOnce(TournamentError) -> MergeError {
    let path = path.to_owned();
    move |error| MergeError::Settings {
        path,
        error: error.into(),
    }
}

/// Whether a part is another one than those before it, of as many.
fn compare_shards(
    path: &Path,
    part: &Reading,
    before: &[(&Path, Reading)],
) -> Result<(), MergeError> {
    let Some(shard) = part.header.settings.shard else {
        return Ok(());
    };
    for (other_path, other) in before {
        let Some(other) = other.header.settings.shard else {
            continue;
        };
        let (first, second) = (other_path.to_path_buf(), path.to_owned());
        if other == shard {
            return Err(MergeError::SameShard {
                first,
                second,
                shard,
            });
        }
        if other.count() != shard.count() {
            return Err(MergeError::Different {
                first,
                second,
                what: format!("the number of shards ({other} and {shard})"),
            });
        }
    }
    Ok(())
}

/// How many shards there are and those that are not among the parts, if all of these are shards.
fn missing_shards(parts: &[(&Path, Reading)]) -> Option<(u32, Numbers)> {
    let shards = parts.iter().map(|(_, part)| part.header.settings.shard);
    let shards = shards.collect::<Option<Vec<Shard>>>()?;
    let count = shards.first()?.count();
    let there: BTreeSet<u32> = shards.iter().map(|shard| shard.number()).collect();
    Some((count, Numbers::between(there, count)))
}

/// The first thing that makes two parts different matches; `None` if they may be of the same.
fn difference(first: &Header, second: &Header) -> Option<String> {
    if first.openings != second.openings {
        return Some("'openings' (what they hold)".to_owned());
    }
    let [one, other] = [first, second].map(|header| {
        let settings = without_places(header.settings.clone());
        serde_json::to_value(settings).unwrap_or_default()
    });
    differing_key(&one, &other).map(|key| format!("'{key}'"))
}

/// The settings without what may be different on another machine, and what does not change games.
fn without_places(mut settings: MatchSettings) -> MatchSettings {
    let file_name = |path: &mut PathBuf| {
        if let Some(name) = path.file_name() {
            *path = PathBuf::from(name);
        }
    };
    settings.concurrency = None;
    settings.affinity = false;
    settings.shard = None;
    settings.anchor = None;
    settings.tablebase.as_mut().map(file_name);
    if let Some(OpeningSource::File(path)) = &mut settings.openings.source {
        file_name(path);
    }
    for engine in &mut settings.engines {
        engine.cmd.as_mut().map(file_name);
        engine.dir = None;
    }
    settings
}

/// The name of the first setting in which two sets of settings differ, such as `engine 2, nodes`.
fn differing_key(one: &Value, other: &Value) -> Option<String> {
    if one == other {
        return None;
    }
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            keys.into_iter().find_map(|key| {
                let values = [one, other].map(|map| map.get(key).unwrap_or(&Value::Null));
                let inner = differing_key(values[0], values[1])?;
                Some(match inner.as_str() {
                    "" => key.clone(),
                    inner if inner.starts_with(char::is_numeric) => format!("{key} {inner}"),
                    inner => format!("{key}, {inner}"),
                })
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.into_iter().find_map(|(index, (one, other))| {
                let inner = differing_key(one, other)?;
                let number = index + 1;
                Some(match inner.as_str() {
                    "" => number.to_string(),
                    inner => format!("{number}, {inner}"),
                })
            })
        }
        _ => Some(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let name = |one: Value, other: Value| differing_key(&one, &other);
        assert_eq!(name(json!({"a": 1}), json!({"a": 1})), None);
        assert_eq!(name(json!({"a": 1}), json!({"a": 2})).as_deref(), Some("a"));
        assert_eq!(name(json!({}), json!({"b": 2})).as_deref(), Some("b"));
        let engines = |nodes| json!({"engine": [{"nodes": 5}, {"nodes": nodes}]});
        assert_eq!(
            name(engines(5), engines(6)).as_deref(),
            Some("engine 2, nodes")
        );
        let more = json!({"engine": [{"nodes": 5}]});
        assert_eq!(name(engines(5), more).as_deref(), Some("engine"));
    }

    #[test]
    fn folders_and_machines_do_not_count() {
        let settings = |cmd: &str, concurrency| MatchSettings {
            concurrency,
            engines: vec![crate::tournament::settings::EngineSettings {
                cmd: Some(cmd.into()),
                ..Default::default()
            }],
            ..MatchSettings::default()
        };
        let here = without_places(settings("/here/new", Some(3)));
        assert_eq!(here, without_places(settings("/there/new", None)));
        assert_ne!(here, without_places(settings("/here/old", Some(3))));
    }
}

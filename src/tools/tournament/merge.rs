//! Merging the records of shards into one match, and the games and shards that are missing from it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::formats::NotScheduled;
use super::match_error::MatchError;
use super::match_state::MatchState;
use super::record::{GameEntry, Header, Reading, Record, read_record, record_files, remove_all};
use super::settings::{Anchor, Shard};
use vato_solver::conditions::differences;

/// Ranges beyond this number are counted but not listed.
const MOST_RANGES: usize = 1000;

/// A match that was merged from parts.
#[derive(Debug)]
pub struct Merged {
    /// How far the match has come.
    pub state: MatchState,
    /// The games by their numbers.
    pub entries: Vec<GameEntry>,
    header: Header,
    /// How many shards there are, if all parts are some, and those that are not among them.
    shards: Option<(u32, NumberRanges)>,
}

/// Games and shards missing from a merged match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Into how many shards the match was divided; `None` if it is not known to have been.
    pub shard_count: Option<u32>,
    /// The shards of which there is no part.
    pub shards: NumberRanges,
    /// The missing games whose numbers follow from the results.
    pub games: NumberRanges,
    /// How many encounters depend on these.
    pub later: u64,
}

/// Numbers of shards or games, which may be very many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NumberRanges {
    /// How many there are.
    pub count: u64,
    /// All of them as ranges, first and last, in order: the first 1000 ranges.
    pub ranges: Vec<[u32; 2]>,
    /// Whether there are more ranges than these.
    pub cut: bool,
}

impl NumberRanges {
    /// Adds the numbers from `first` to `last`, all of them larger than those before.
    pub(super) fn add(&mut self, first: u32, last: u32) {
        self.count += u64::from(last - first) + 1;
        let full = self.ranges.len() == MOST_RANGES;
        match self.ranges.last_mut() {
            _ if self.cut => {}
            Some([_, end]) if end.checked_add(1) == Some(first) => *end = last,
            _ if full => self.cut = true,
            _ => self.ranges.push([first, last]),
        }
    }

    /// Those from 1 to `most` that are not among `present`, which are in order.
    pub(super) fn between(present: impl IntoIterator<Item = u32>, most: u32) -> NumberRanges {
        let mut missing = NumberRanges::default();
        let end = u64::from(most) + 1;
        // The first number that may be missing.
        let mut next = 1;
        for number in present.into_iter().map(u64::from).chain([end]) {
            if next < number {
                missing.add(next as u32, (number - 1) as u32);
            }
            next = number + 1;
        }
        missing
    }
}

impl Merged {
    /// Merges the parts in these files (`NAME.jsonl`). Folders of programs and files may differ from
    /// part to part, as may the number of games at a time; everything else has to be the same.
    /// Ratings are measured from `anchor`, if it is given, else as the first part says.
    ///
    /// # Errors
    ///
    /// If a part cannot be read, or the parts do not belong together or overlap.
    pub fn read(paths: &[PathBuf], anchor: Option<&Anchor>) -> Result<Merged, MatchError> {
        let mut parts = Vec::with_capacity(paths.len());
        for path in paths {
            let mut reading = read_record(path)?;
            reading.header.settings.fill_in_format();
            parts.push((path.as_path(), reading));
        }
        let none = || MatchError::Missing("expected at least one record".to_owned());
        let (first_path, first) = parts.first().ok_or_else(none)?;
        for (index, (path, part)) in parts.iter().enumerate() {
            let valid = part.header.settings.validate();
            valid.map_err(|error| MatchError::missing(path.display(), error))?;
            if let Some(what) = difference(&first.header, &part.header) {
                let (first, second) = (first_path.display(), path.display());
                let what = format!("{second} does not belong to {first}: {what} differs");
                return Err(MatchError::Missing(what));
            }
            let shard = part.header.settings.shard;
            let is_twin = |(_, other): &&(_, Reading)| other.header.settings.shard == shard;
            let twin = parts[..index].iter().find(is_twin);
            if let (Some((first, _)), Some(shard)) = (twin, shard) {
                let (first, second) = (first.display(), path.display());
                let what = format!("{first} and {second} are both shard {shard}");
                return Err(MatchError::Missing(what));
            }
        }
        let mut header = first.header.clone();
        // As all machines see it, in whatever order the files are named.
        let heads = parts.iter().map(|(_, part)| &part.header);
        let verdicts = heads.filter_map(|head| Some((head.settings.shard, head.verdict?)));
        let first = verdicts.min_by_key(|(shard, _)| *shard);
        header.verdict = first.map(|(_, verdict)| verdict);
        let settings = &mut header.settings;
        (settings.shard, settings.concurrency) = (None, None);
        if let Some(anchor) = anchor {
            // Before it is written: with an anchor that does not play, no match could go on.
            settings.anchor = Some(anchor.clone());
            settings.validate()?;
            settings.validate_anchor()?;
        }
        let state = MatchState::new(settings.clone());
        let mut state = state.map_err(|error| MatchError::missing(first_path.display(), error))?;
        state.verdict = header.verdict;
        let shards = missing_shards(&parts);
        let mut games: Vec<(&Path, GameEntry)> = Vec::new();
        for (path, part) in parts {
            let shard = part.header.settings.shard;
            for entry in part.entries {
                if !state.schedule.lock().has(entry.game, shard) {
                    return Err(MatchError::missing(
                        path.display(),
                        NotScheduled::Foreign(entry.game),
                    ));
                }
                games.push((path, entry));
            }
        }
        // A game comes after those that it depends on.
        games.sort_by_key(|(_, entry)| entry.game);
        for (place, (path, entry)) in games.iter().enumerate() {
            state.add(entry).map_err(|error| match error {
                NotScheduled::Twice(game) => {
                    let first = games[place.saturating_sub(1)].0.display();
                    MatchError::Missing(format!(
                        "game {game} is in {first} and in {}",
                        path.display()
                    ))
                }
                error => MatchError::missing(path.display(), error),
            })?;
        }
        Ok(Merged {
            state,
            header,
            entries: games.into_iter().map(|(_, entry)| entry).collect(),
            shards,
        })
    }

    /// The missing games and shards.
    pub fn missing(&self) -> Missing {
        let mut missing = self.state.schedule.lock().missing();
        if let Some((count, shards)) = &self.shards {
            missing.shard_count = Some(*count);
            missing.shards = shards.clone();
        }
        missing
    }

    /// Writes the whole as the record of one match under `name`, a path without extension. If games
    /// are missing, the match can go on from there.
    pub fn write(&self, name: &Path) -> Result<Record, MatchError> {
        let mut record = Record::create(name, &self.header)?;
        let added = record.add_all(&self.entries);
        // A part of it would pass for a match that was stopped.
        added.inspect_err(|_| remove_all(&record_files(record.state_path())))?;
        Ok(record)
    }
}

/// How many shards there are and those that are not among the parts, if all of these are shards.
fn missing_shards(parts: &[(&Path, Reading)]) -> Option<(u32, NumberRanges)> {
    let shards = parts.iter().map(|(_, part)| part.header.settings.shard);
    let shards = shards.collect::<Option<Vec<Shard>>>()?;
    let count = shards.first()?.count;
    let there: BTreeSet<u32> = shards.iter().map(|shard| shard.number).collect();
    Some((count, NumberRanges::between(there, count)))
}

/// The first difference that makes two parts different matches; `None` if there is none.
pub(super) fn difference(first: &Header, second: &Header) -> Option<String> {
    if first.openings != second.openings {
        return Some("'openings' (what they hold)".to_owned());
    }
    let shards = first.settings.shard.zip(second.settings.shard);
    if let Some((one, other)) = shards.filter(|(one, other)| one.count != other.count) {
        return Some(format!("the number of shards ({one} and {other})"));
    }
    let mut all = differences(&first.settings, &second.settings).into_iter();
    let (name, ..) = all.find(|(name, one, other)| is_essential(name, [one, other]))?;
    Some(format!("'{name}'"))
}

/// Whether two parts are of different matches if this setting has these values: not if it may differ between machines
/// or does not affect games.
fn is_essential(name: &str, values: [&Value; 2]) -> bool {
    let is_of_engine = name.starts_with("engine ");
    match name.split_once(", ") {
        None if ["concurrency", "affinity", "shard", "anchor"].contains(&name) => false,
        Some((_, "dir")) if is_of_engine => false,
        Some((_, "cmd")) if is_of_engine => differ_in_name(values),
        Some(("adjudicate", "tablebase")) => differ_in_name(values),
        None if name == "openings" => differ_in_name(values),
        _ => true,
    }
}

/// Whether the files or folders at two paths have different names.
fn differ_in_name(paths: [&Value; 2]) -> bool {
    let [one, other] = paths.map(|path| {
        let path = Path::new(path.as_str()?);
        Some(path.file_name().unwrap_or(path.as_os_str()))
    });
    one != other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::OpeningsHeader;
    use crate::tournament::settings::MatchSettings;

    #[test]
    fn folders_and_machines_do_not_count() {
        let openings = OpeningsHeader {
            count: None,
            crc32: 0,
        };
        let header = |cmd: &str, concurrency| {
            let engine = format!("cmd={cmd}").parse().expect(cmd);
            let mut settings = MatchSettings::default();
            settings.engines.push(engine);
            settings.concurrency = concurrency;
            Header::new(settings, openings)
        };
        let here = header("/here/new", Some(3));
        assert_eq!(difference(&here, &header("/there/new", None)), None);
        let other = difference(&here, &header("/here/old", Some(3)));
        assert_eq!(other.as_deref(), Some("'engine 1, cmd'"));
    }

    fn numbers(all: impl IntoIterator<Item = u32>) -> NumberRanges {
        let mut numbers = NumberRanges::default();
        for number in all {
            numbers.add(number, number);
        }
        numbers
    }

    #[test]
    fn neighbours_are_a_range() {
        let found = numbers([3, 4, 7, 9, 10, 11, u32::MAX]);
        let ranges = vec![[3, 4], [7, 7], [9, 11], [u32::MAX, u32::MAX]];
        assert_eq!((found.count, found.cut), (7, false));
        assert_eq!(found.ranges, ranges);
        assert_eq!(numbers([]), NumberRanges::default());
        // What is not told is counted.
        let found = numbers((0..3000).map(|number| 2 * number));
        assert_eq!((found.count, found.cut), (3000, true));
        assert_eq!(found.ranges.len(), MOST_RANGES);
        let whole = numbers(0..3000);
        assert_eq!((whole.ranges, whole.cut), (vec![[0, 2999]], false));
    }

    #[test]
    fn what_lies_between() {
        let between = |present: &[u32], most| NumberRanges::between(present.to_vec(), most).ranges;
        assert_eq!(between(&[2, 5], 6), [[1, 1], [3, 4], [6, 6]]);
        assert_eq!(between(&[1, 2, 3], 3), [[0_u32; 2]; 0]);
        assert_eq!(between(&[], 4), [[1, 4]]);
        let most = u32::MAX;
        assert_eq!(between(&[2], most), [[1, 1], [3, most]]);
        assert_eq!(between(&[2, most], most), [[1, 1], [3, most - 1]]);
    }
}

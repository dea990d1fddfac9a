//! Going on with a record: what a kill has left is made whole, and what people have put there stays.

use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use super::GameEntry;
use super::entry::HeaderLine;
use super::files::{Reading, Record, to_line};
use super::pgn::{first_line, game_record};
use crate::tournament::match_error::MatchError;
use crate::tournament::settings::MatchSettings;
use vato_engine::container::ContainerError;
use vato_engine::files;
use vato_solver::files::AppendFile;

/// The record, ready for more games, or, if the match `is_over`, with its PGN in the order of the games.
///
/// Incomplete writes are cut off; a PGN that lacks games of the state is written from the state. What is in it
/// beyond that is somebody's own: it is an error, or stays if the match is over. This cannot be undone: check
/// first that the match can go on.
///
/// If the settings of the header `have_changed` since it was read, a new head is added to the state of a match
/// that goes on, and NAME.toml is written anew. `None` if the match is over and its files can only be read.
pub(in crate::tournament) fn mend(
    reading: Reading,
    state: Result<AppendFile, ContainerError>,
    have_changed: bool,
    is_over: bool,
) -> Result<Option<Record>, MatchError> {
    let header = reading.header;
    let settings = header.settings.clone();
    let files = state.and_then(|state| {
        let pgn = state.path().with_extension("pgn");
        Ok((state, AppendFile::open(&pgn, true)?.kept()))
    });
    let (mut state, mut pgn) = match files {
        Err(_) if is_over => return Ok(None),
        files => files?,
    };
    let as_ended: Vec<&GameEntry> = reading.entries.iter().collect();
    let mut sorted = as_ended.clone();
    sorted.sort_by_key(|entry| entry.game);
    let [wanted, other] = match is_over {
        true => [sorted, as_ended],
        false => [as_ended, sorted],
    };
    let mut found = Vec::new();
    let read = pgn.read_from(0)?.read_to_end(&mut found);
    read.map_err(|error| MatchError::missing(pgn.path().display(), error))?;
    let (end, is_whole) = agreement(&found, &settings, &wanted)?;
    let (other_end, is_other_order) = match is_whole {
        true => (end, false),
        false => agreement(&found, &settings, &other)?,
    };
    let rest = &found[end..];
    if is_whole && !rest.is_empty() && !is_over && is_game_begun(rest, &settings)? {
        pgn.cut(end as u64)?;
    } else if !is_whole && [end, other_end].contains(&found.len()) {
        if !is_other_order {
            log::warn!("{} lacks games; it is written anew", pgn.path().display());
        }
        pgn.cut(0)?;
        for entry in wanted {
            pgn.append(game_record(&settings, entry)?.to_string().as_bytes())?;
        }
    } else if !rest.is_empty() {
        let before = found[..end.max(other_end)].iter();
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        let path = pgn.path().display();
        let advice = "move this file away and repeat the command: it is written anew";
        let what = format!("{path}, line {line}: not what the record of the match has; {advice}");
        if !is_over {
            return Err(MatchError::Missing(what));
        }
        log::warn!("{what}");
    }
    if !is_over {
        state.cut(reading.length)?;
        if have_changed {
            let header = header.clone();
            state.append(to_line(&HeaderLine { header })?.as_bytes())?;
            state.sync()?;
        }
        let toml = state.path().with_extension("toml");
        mend_toml(&toml, &settings, &reading.heads)?;
    }
    Ok(Some(Record { header, state, pgn }))
}

/// How many bytes of a PGN are those of these games, and whether all of the games are there.
fn agreement(
    found: &[u8],
    settings: &MatchSettings,
    games: &[&GameEntry],
) -> Result<(usize, bool), MatchError> {
    let mut end = 0;
    for entry in games {
        let game = game_record(settings, entry)?.to_string();
        let pairs = game.bytes().zip(&found[end..]);
        let same = pairs.take_while(|(wanted, found)| wanted == *found).count();
        end += same;
        if same < game.len() {
            return Ok((end, false));
        }
    }
    Ok((end, true))
}

/// Whether what follows in a PGN is what a kill leaves: a game of the match, or a part of one, that is not in the state.
fn is_game_begun(rest: &[u8], settings: &MatchSettings) -> Result<bool, MatchError> {
    let rest = String::from_utf8_lossy(rest);
    let begins = first_line(settings)?;
    let is_game = rest.starts_with(&begins) || begins.starts_with(&*rest);
    Ok(is_game && rest.matches("\n[Event ").count() == 0)
}

/// Writes NAME.toml if it is not there, or is what the match has written before: people may have changed it.
fn mend_toml(
    path: &Path,
    settings: &MatchSettings,
    heads: &[MatchSettings],
) -> Result<(), MatchError> {
    let written = |settings| {
        toml::to_string_pretty(settings).map_err(|error| MatchError::missing(path.display(), error))
    };
    let wanted = written(settings)?;
    let found = match files::read_text(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        found => Some(found.unwrap_or_default()),
    };
    if let Some(found) = found {
        let mut own = heads.iter().map(written);
        if found == wanted {
            return Ok(());
        } else if !own.any(|own| own.is_ok_and(|own| own == found)) {
            let path = path.display();
            log::warn!("{path} is not as the match has written it, and is left as it is");
            return Ok(());
        }
    }
    let written = vato_solver::files::replace(path, |file| file.write_all(wanted.as_bytes()));
    written.map_err(|error| MatchError::missing(path.display(), error))
}

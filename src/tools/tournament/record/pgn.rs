//! A finished game as a game record (PGN).

use std::error::Error;

use super::{GameEntry, MoveEntry, PlaceEntry, RecordError};
use crate::tournament::settings::{EngineSettings, MatchSettings, TournamentFormat};
use vato_engine::notation::parse_fen;
use vato_engine::notation::pgn::{GameRecord, move_comment};

/// A finished game of a match with these settings as a game record.
///
/// # Errors
///
/// If the entry holds what no record can: it was not written by this program.
pub fn game_record(settings: &MatchSettings, entry: &GameEntry) -> Result<GameRecord, RecordError> {
    written(settings, entry).map_err(|error| {
        let game = entry.game;
        RecordError::new(format!("game {game} cannot be written as PGN: {error}"))
    })
}

/// The first line of each game of a match.
pub(super) fn first_line(settings: &MatchSettings) -> Result<String, RecordError> {
    let rules = settings.rules;
    let mut record = GameRecord::new(&rules, &rules.start());
    let set = record.set_tag("Event", &settings.event);
    set.map_err(|error| RecordError::new(error.to_string()))?;
    let text = record.to_string();
    Ok(text.split_inclusive('\n').take(1).collect())
}

fn written(settings: &MatchSettings, entry: &GameEntry) -> Result<GameRecord, Box<dyn Error>> {
    let own_rules = entry.rules.as_deref().map(str::parse).transpose()?;
    let rules = &own_rules.unwrap_or(settings.game_rules(false));
    let start = match &entry.opening.fen {
        Some(fen) => parse_fen(fen, rules.board)?,
        None => rules.start(),
    };
    let mut record = GameRecord::new(rules, &start);
    let limit = |name: &str| {
        let is_it = |engine: &&EngineSettings| engine.name.as_deref() == Some(name);
        let engine = settings.engines.iter().find(is_it);
        let engine = engine.map(|engine| engine.scaled(entry.scale));
        engine.map_or(String::new(), |engine| engine.limit_text())
    };
    let [white_limit, black_limit] = [limit(&entry.white), limit(&entry.black)];
    let (date, time) = entry
        .started
        .split_once('T')
        .unwrap_or((&entry.started, ""));
    let date = date.replace('-', ".");
    let time = time.split(['.', 'Z']).next().unwrap_or("");
    let format = settings.format();
    let place = entry.place;
    let number = match format == TournamentFormat::Pairs || place == PlaceEntry::default() {
        true => entry.game.to_string(),
        // As the PGN standard has it: round, encounter, game.
        false => format!("{}.{}.{}", place.round, place.encounter, place.game),
    };
    let plies = entry.plies.to_string();
    let mut tags = vec![
        ("Event", settings.event.as_str()),
        ("Date", &date),
        ("Round", &number),
        ("White", &entry.white),
        ("Black", &entry.black),
        ("Format", format.name()),
        ("Opening", &entry.opening.name),
        ("UTCDate", &date),
        ("UTCTime", time),
        ("PlyCount", &plies),
        ("Termination", entry.termination.pgn()),
    ];
    if white_limit == black_limit {
        tags.push(("TimeControl", &white_limit));
    } else {
        tags.push(("WhiteTimeControl", &white_limit));
        tags.push(("BlackTimeControl", &black_limit));
    }
    for (name, value) in tags {
        record.set_tag(name, value)?;
    }
    for mv in &entry.moves {
        record.push_move(&mv.text, comment(mv).as_deref())?;
    }
    record.set_final_comment(&entry.reason);
    record.set_result(entry.result.parse()?);
    Ok(record)
}

/// The comment on a move; `None` for a move of which no time is known.
fn comment(mv: &MoveEntry) -> Option<String> {
    if mv.book {
        return Some("book".to_owned());
    }
    Some(move_comment(mv.score, mv.depth, mv.time_ms? / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_the_opening_and_of_engines() {
        let mv = MoveEntry {
            depth: Some(12),
            time_ms: Some(840.4),
            text: "d3-e3A".to_owned(),
            ..MoveEntry::default()
        };
        assert_eq!(comment(&mv).as_deref(), Some("/12 0.840s"));
        let book = MoveEntry { book: true, ..mv };
        assert_eq!(comment(&book).as_deref(), Some("book"));
    }

    /// A record need not tell the place of a game.
    #[test]
    fn a_game_without_a_place_has_its_number() {
        let settings = MatchSettings {
            format: Some(TournamentFormat::RoundRobin),
            ..MatchSettings::default()
        };
        let entry = serde_json::json!({
            "game": 3, "pair": 2, "white": "A", "black": "B",
            "opening": { "name": "start", "fen": null, "moves": [] },
            "result": "1-0", "winner": "A", "termination": "normal", "reason": "", "line": null,
            "plies": 0, "started": "2026-01-01T00:00:00Z", "seconds": 1.0, "moves": [],
        });
        let mut entry: GameEntry = serde_json::from_value(entry).expect("an entry");
        let round = |entry: &GameEntry| {
            let record = game_record(&settings, entry).expect("a record");
            record.tag_value("Round").map(str::to_owned)
        };
        assert_eq!(round(&entry).as_deref(), Some("3"));
        entry.place = PlaceEntry {
            round: 2,
            encounter: 1,
            game: 4,
        };
        assert_eq!(round(&entry).as_deref(), Some("2.1.4"));
    }
}

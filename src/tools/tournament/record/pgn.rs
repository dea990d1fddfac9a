//! A finished game as a game record (PGN).

use std::error::Error;

use super::{GameEntry, MoveEntry, PlaceEntry};
use crate::tournament::match_error::MatchError;
use crate::tournament::settings::{EngineSettings, MatchSettings, TournamentFormat};
use vato_engine::notation::parse_fen;
use vato_records::pgn::{GameRecord, move_comment};

/// A finished game of a match with these settings as a game record.
///
/// # Errors
///
/// If the entry holds what no record can: it was not written by this program.
pub fn game_record(settings: &MatchSettings, entry: &GameEntry) -> Result<GameRecord, MatchError> {
    written(settings, entry).map_err(|error| {
        let game = entry.game;
        MatchError::Missing(format!("game {game} cannot be written as PGN: {error}"))
    })
}

/// The first line of each game of a match.
pub(super) fn first_line(settings: &MatchSettings) -> Result<String, MatchError> {
    let rules = settings.rules;
    let mut record = GameRecord::new(&rules, &rules.start());
    let set = record.set_tag("Event", &settings.event);
    set.map_err(|error| MatchError::Missing(error.to_string()))?;
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
    let none = EngineSettings::default();
    let [white, black] = [&entry.white, &entry.black].map(|name| {
        let mut engines = settings.engines.iter();
        let engine = engines.find(|engine| engine.name.as_ref() == Some(name));
        engine.unwrap_or(&none)
    });
    let started = entry.started.as_str();
    let (date, time) = started.split_once('T').unwrap_or((started, ""));
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
    let tags = [
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
    let controls = [white.time_control(), black.time_control()];
    let limits = [white.search_limit(), black.search_limit()];
    for (name, value) in tags {
        record.set_tag(name, value)?;
    }
    for (name, [white, black]) in [("TimeControl", controls), ("SearchLimit", limits)] {
        let tags = match white == black {
            true => vec![(name.to_owned(), white)],
            false => vec![
                (format!("White{name}"), white),
                (format!("Black{name}"), black),
            ],
        };
        for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
            record.set_tag(name, value)?;
        }
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

    fn entry() -> GameEntry {
        let entry = serde_json::json!({
            "game": 3, "pair": 2, "white": "A", "black": "B",
            "opening": { "name": "start", "fen": null, "moves": [] },
            "result": "1-0", "winner": "A", "termination": "normal", "reason": "", "line": null,
            "plies": 0, "started": "2026-01-01T00:00:00Z", "seconds": 1.0, "moves": [],
        });
        serde_json::from_value(entry).expect("an entry")
    }

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
        let settings = MatchSettings::of_format(TournamentFormat::RoundRobin, 2);
        let mut entry = entry();
        for (place, wanted) in [([0; 3], "3"), ([2, 1, 4], "2.1.4")] {
            let PlaceEntry {
                round,
                encounter,
                game,
            } = &mut entry.place;
            [*round, *encounter, *game] = place;
            let record = game_record(&settings, &entry).expect("a record");
            assert_eq!(record.tag_value("Round"), Some(wanted));
        }
    }

    /// The standard knows clocks; `-` is a game without one.
    #[test]
    fn limits_are_in_the_tags_of_the_standard() {
        let all = "\
            tc=10+0.1 tc=10+0.1 => TimeControl 10+0.1
            tc=1,nodes=20 tc=1,nodes=20 => TimeControl 1, SearchLimit nodes=20
            nodes=20 nodes=20 => TimeControl -, SearchLimit nodes=20
            st=0.5 tc=40/60 => WhiteTimeControl 1/0.5, BlackTimeControl 40/60
            depth=3 tc=9 => WhiteTimeControl -, BlackTimeControl 9, WhiteSearchLimit depth=3";
        for line in all.lines() {
            let (limits, wanted) = line.trim().split_once(" => ").expect("both");
            let engine = |(name, limit)| format!("name={name},{limit}").parse();
            let engines = ["A", "B"].into_iter().zip(limits.split(' ')).map(engine);
            let mut settings = MatchSettings::default();
            settings
                .engines
                .extend(engines.map(|engine| engine.expect(limits)));
            let record = game_record(&settings, &entry()).expect("a record");
            let tags = record.tags().iter();
            let tags = tags
                .filter(|tag| tag.name().contains("TimeControl") || tag.name().contains("Limit"));
            let tags = tags.map(|tag| format!("{} {}", tag.name(), tag.value()));
            assert_eq!(tags.collect::<Vec<_>>().join(", "), wanted);
        }
    }
}

//! Whether `NAME.pgn` says what `NAME.jsonl` says.

use std::fs;
use std::process::{Command, Stdio};

use vato_records::pgn::{GameRecord, PgnReader};

use super::files::MatchFiles;
use super::record::Game;

/// Requires that both files hold the same games, those of the PGN in the order of their numbers, and that
/// `vato pgn check` finds nothing wrong with them.
pub fn assert_pgn_agrees(files: &MatchFiles) {
    let record = files.record();
    let text = fs::read_to_string(files.pgn()).expect("the PGN is there");
    let games: Vec<GameRecord> = PgnReader::new(text.as_bytes())
        .map(|game| game.unwrap_or_else(|error| panic!("{error}")))
        .collect();
    assert_eq!(games.len(), record.games.len(), "games in the PGN");
    let format = &record.head["match"]["settings"]["format"];
    let in_pairs = format.as_str().is_none_or(|format| format == "pairs");
    for (pgn, game) in games.iter().zip(record.by_number().into_values()) {
        assert_same(pgn, game, in_pairs);
    }
    if let Some(last) = record.games.last() {
        assert_eq!(last.pgn_bytes, text.len() as u64, "length of the PGN");
    }
    check(files);
}

fn assert_same(pgn: &GameRecord, game: &Game, in_pairs: bool) {
    let number = game.game;
    let round = match &game.place {
        Some(place) if !in_pairs => {
            format!("{}.{}.{}", place.round, place.encounter, place.game)
        }
        _ => number.to_string(),
    };
    let termination = match game.termination.as_str() {
        "normal" => "normal",
        "resignation" => "resignation",
        kind if kind.starts_with("adjudicated-") => "adjudication",
        "time-loss" => "time forfeit",
        "illegal-move" | "unparsable-answer" => "rules infraction",
        "crash" | "hang" | "no-start" | "withdrawn" => "abandoned",
        other => panic!("termination '{other}' of game {number}"),
    };
    for (tag, value) in [
        ("Round", Some(round.as_str())),
        ("White", Some(&game.white)),
        ("Black", Some(&game.black)),
        ("Result", Some(&game.result)),
        ("Opening", Some(&game.opening.name)),
        ("Termination", Some(termination)),
        ("FEN", game.opening.fen.as_deref()),
    ] {
        assert_eq!(pgn.tag_value(tag), value, "{tag} of game {number}");
    }
    assert_eq!(pgn.result().name(), game.result, "game {number}");
    // Comments stand between braces.
    let reason = game.reason.replace('{', "(").replace('}', ")");
    assert_eq!(pgn.final_comment(), Some(reason.as_str()), "game {number}");
    let moves: Vec<&str> = pgn.moves().iter().map(|mv| mv.text()).collect();
    let wanted: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, wanted, "game {number}");
    assert_eq!(wanted.len(), game.plies, "game {number}");
}

fn check(files: &MatchFiles) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vato"));
    command
        .args(["pgn", "check"])
        .arg(files.pgn())
        .stdin(Stdio::null());
    let output = command.output().expect("vato can be run");
    assert!(output.status.success(), "vato pgn check: {output:?}");
}

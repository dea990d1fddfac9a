//! Records that a kill, a full disk or a person has damaged.

use std::fs;

use libtest_mimic::Trial;

use crate::engine::PLAY_AS;
use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

/// Games of the match whose record is damaged.
const GAMES: usize = 4;

pub fn trials() -> Vec<Trial> {
    trials!(
        trial,
        "torn",
        whatever_is_cut_off_is_played_again,
        a_pgn_that_was_lost_or_has_another_length,
        a_damaged_line_is_an_error_with_its_number,
        a_match_that_cannot_go_on_changes_nothing,
    )
}

/// A match that is over, and its record as text.
fn finished_match() -> (MatchFiles, String) {
    let files = MatchFiles::new();
    let engines =
        [("First", 1), ("Second", 2)].map(|(name, seed)| Contender::new(name, "honest").seed(seed));
    let options = "--each nodes=1 --rules dimy --openings random --concurrency 1 --games 4";
    files.play(&engines, options);
    let text = read(&files.state());
    (files, text)
}

fn read(path: &std::path::Path) -> String {
    fs::read_to_string(path).expect("the file is there")
}

fn write(path: &std::path::Path, text: impl AsRef<[u8]>) {
    fs::write(path, text).expect("it can be written");
}

/// Goes on and requires the same games as in the record that was whole.
fn assert_mended(torn: &MatchFiles, whole: &MatchFiles, what: &str) {
    MatchRun::resume(&torn.state()).args("--quiet").play_well();
    assert_eq!(
        torn.record().essences(),
        whole.record().essences(),
        "{what}"
    );
    assert_pgn_agrees(torn);
}

fn whatever_is_cut_off_is_played_again() {
    let (whole, state) = finished_match();
    let pgn = read(&whole.pgn());
    let record = whole.record();
    let last_line = 1 + state.trim_end().rfind('\n').expect("several lines");
    let last_game = record.games[GAMES - 2].pgn_bytes as usize;
    let moves = last_game + pgn[last_game..].find("\n\n").expect("tags, then moves") + 2;
    let (all, end) = (state.len(), pgn.len());
    assert_eq!(record.games[GAMES - 1].pgn_bytes as usize, end);

    for (state_length, pgn_length, what) in [
        (all - 1, end, "no end of line"),
        (all - 2, end, "no end of the object"),
        ((last_line + all) / 2, end, "half a line"),
        (last_line + 1, end, "a character of a line"),
        (last_line, end, "a game in the PGN only"),
        (last_line, end - 1, "a PGN without its last line's end"),
        (last_line, end - 3, "a game without its result"),
        (
            last_line,
            (moves + end) / 2,
            "a game without its last moves",
        ),
        (last_line, moves, "a game without moves"),
        (last_line, (last_game + moves) / 2, "half the tags"),
        (last_line, last_game + 1, "a character of the PGN"),
        (last_line + 20, moves + 10, "both"),
        (all, end - 1, "a shorter PGN beside a whole state"),
        (all, (moves + end) / 2, "half a game beside a whole state"),
        (all, last_game, "a game in the state only"),
        (all, last_game - 5, "two games torn"),
    ] {
        let torn = whole.copy();
        write(&torn.state(), &state[..state_length]);
        write(&torn.pgn(), &pgn[..pgn_length]);
        assert_mended(&torn, &whole, what);
    }
}

fn a_pgn_that_was_lost_or_has_another_length() {
    let (whole, state) = finished_match();
    let torn = whole.copy();
    fs::remove_file(torn.pgn()).expect("it can be removed");
    assert_mended(&torn, &whole, "no PGN");
    assert_eq!(
        read(&torn.pgn()),
        read(&whole.pgn()),
        "the state has all that it says"
    );

    // Where this record says that the PGN ends, half a game stands.
    let name = r#""event":"Fanorona match""#;
    assert!(state.contains(name));
    let longer = state.replacen(name, r#""event":"A match with a longer name""#, 1);
    write(&torn.state(), longer);
    fs::remove_file(torn.pgn()).expect("it can be removed");
    for _ in 0..2 {
        MatchRun::resume(&torn.state()).args("--quiet").play_well();
        let pgn = read(&torn.pgn());
        assert_eq!(pgn.matches("[Event \"A match with").count(), GAMES);
        let last = &torn.record().games[GAMES - 1];
        assert!(pgn.ends_with(&format!("{}\n\n", last.result)));
    }
}

fn a_damaged_line_is_an_error_with_its_number() {
    let (whole, state) = finished_match();
    let lines: Vec<&str> = state.lines().collect();
    let half = &lines[2][..lines[2].len() / 2];
    for (number, damage) in [
        (3, half),
        (3, ""),
        (3, "x"),
        (2, "{}"),
        (5, "{}"),
        (3, lines[0]),
    ] {
        let torn = whole.copy();
        let mut damaged = lines.clone();
        damaged[number - 1] = damage;
        write(&torn.state(), damaged.join("\n") + "\n");
        let before = read(&torn.pgn());
        MatchRun::resume(&torn.state()).fails(&["error", "bout.jsonl", &format!("line {number}")]);
        assert_eq!(before, read(&torn.pgn()));
        assert_eq!(torn.lines(), lines.len(), "nothing is cut off");
    }
    // The head.
    let length = lines[0].len();
    for left in [0, 1, length / 2, length] {
        let torn = whole.copy();
        write(&torn.state(), &state[..left]);
        let words = ["error", "bout.jsonl", "holds no match", "remove"];
        MatchRun::resume(&torn.state()).fails(&words);
        // A new match of this name cannot go on with it either.
        let begun = MatchRun::from_config(&whole.toml(), &torn).fails(&words);
        assert!(!begun.stderr.contains("--resume"), "{begun}");
        assert_eq!(torn.lines(), 0, "nothing is written");
    }
}

/// Whatever keeps a match from going on is found before its files are changed.
fn a_match_that_cannot_go_on_changes_nothing() {
    let (whole, state) = finished_match();
    let too_few = "invalid games '0': expected at least 1";
    for (from, to, words) in [
        ("\"games\":4", "\"games\":0", too_few),
        ("\"games\":4", "\"games\":2", "is not one of the match"),
        ("\"crc32\":", "\"crc32\":0,\"old\":", "the openings"),
        ("\"plies\":", "\"plys\":", "line 2"),
        (PLAY_AS, "--play-dead", "First"),
    ] {
        assert!(state.contains(from), "{from}");
        let torn = whole.copy();
        // The last game is half written, and whole in the PGN.
        let changed = state.replace(from, to);
        let changed = &changed[..changed.len() - 30];
        write(&torn.state(), changed);
        let pgn = read(&torn.pgn());
        MatchRun::resume(&torn.state()).fails(&["error", words]);
        assert_eq!(read(&torn.pgn()), pgn, "{words}");
        assert_eq!(read(&torn.state()), changed, "{words}");
    }
}

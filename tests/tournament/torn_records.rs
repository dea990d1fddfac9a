//! Records that a kill, a full disk or a person has damaged.

use std::fs::{self, OpenOptions};
use std::path::Path;

use libtest_mimic::Trial;

use crate::engine::PLAY_AS;
use crate::runner::{Contender, MatchFiles, MatchRun, assert_pgn_agrees};
use crate::trial;

/// Games of the match whose record is damaged.
const GAMES: u32 = 4;

pub fn trials() -> Vec<Trial> {
    vec![
        trial("torn: whatever is cut off is played again", cuts_are_mended),
        trial("torn: a PGN that was lost is written anew", lost_pgn),
        trial("torn: a PGN of another length is not cut", longer_pgn),
        trial(
            "torn: a damaged line is an error with its number",
            damaged_lines,
        ),
        trial("torn: a damaged head is an error", damaged_head),
        trial(
            "torn: a match that cannot go on changes nothing",
            refused_records,
        ),
    ]
}

/// A match that is over.
fn finished_match() -> MatchFiles {
    let files = MatchFiles::new();
    let first = Contender::new("First", "honest").seed(1);
    let second = Contender::new("Second", "honest").seed(2);
    MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --rules dimy --openings random --concurrency 1")
        .args(&format!("--games {GAMES}"))
        .play_well();
    files.record().assert_games(GAMES);
    files
}

/// Cuts a file off.
fn cut(path: &Path, length: usize) {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(length as u64))
        .expect("the file can be cut");
}

/// Goes on and requires the same games as in the record that was whole.
fn assert_mended(torn: &MatchFiles, whole: &MatchFiles, what: &str) {
    MatchRun::resume(&torn.state()).args("--quiet").play_well();
    let [mended, whole] = [torn.record(), whole.record()];
    assert_eq!(mended.games.len(), whole.games.len(), "{what}");
    for (mended, whole) in mended.games.iter().zip(&whole.games) {
        let [mended, whole] = [mended, whole].map(|game| format!("{:?}", game.essence()));
        assert_eq!(mended, whole, "{what}");
    }
    assert_pgn_agrees(torn);
}

fn cuts_are_mended() {
    let whole = finished_match();
    let state = fs::read(whole.state()).expect("the state is there");
    let pgn = fs::read_to_string(whole.pgn()).expect("the PGN is there");
    let record = whole.record();
    let [.., before_last, last] = record.games.as_slice() else {
        panic!("games are missing");
    };
    let last_line = 1 + state[..state.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .expect("several lines");
    let last_game = before_last.pgn_bytes as usize;
    let moves = last_game + pgn[last_game..].find("\n\n").expect("tags, then moves") + 2;
    let end = pgn.len();
    assert_eq!(last.pgn_bytes as usize, end);
    let all = state.len();

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
        cut(&torn.state(), state_length);
        cut(&torn.pgn(), pgn_length);
        assert_mended(&torn, &whole, what);
    }
}

fn lost_pgn() {
    let whole = finished_match();
    let torn = whole.copy();
    fs::remove_file(torn.pgn()).expect("it can be removed");
    assert_mended(&torn, &whole, "no PGN");
    let [mended, pgn] =
        [&torn, &whole].map(|files| fs::read(files.pgn()).expect("the PGN is there"));
    assert_eq!(mended, pgn, "the state has all that the PGN says");
}

/// Where the record says that the PGN ends, half a game stands.
fn longer_pgn() {
    let torn = finished_match();
    let state = fs::read_to_string(torn.state()).expect("the state is there");
    let name = r#""event":"Fanorona match""#;
    assert!(state.contains(name));
    let state = state.replacen(name, r#""event":"A match with a longer name""#, 1);
    fs::write(torn.state(), state).expect("it can be written");
    fs::remove_file(torn.pgn()).expect("it can be removed");
    for _ in 0..2 {
        MatchRun::resume(&torn.state()).args("--quiet").play_well();
        let pgn = fs::read_to_string(torn.pgn()).expect("the PGN is there");
        assert_eq!(pgn.matches("[Event \"A match with").count(), GAMES as usize);
        let last = &torn.record().games[GAMES as usize - 1];
        assert!(pgn.ends_with(&format!("{}\n\n", last.result)));
    }
}

fn damaged_lines() {
    let whole = finished_match();
    let text = fs::read_to_string(whole.state()).expect("the state is there");
    let lines: Vec<&str> = text.lines().collect();
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
        fs::write(torn.state(), damaged.join("\n") + "\n").expect("it can be written");
        let before = fs::read(torn.pgn()).expect("the PGN is there");
        MatchRun::resume(&torn.state()).fails(&["error", "bout.jsonl", &format!("line {number}")]);
        assert_eq!(before, fs::read(torn.pgn()).expect("the PGN is there"));
        assert_eq!(torn.lines(), lines.len(), "nothing is cut off");
    }
}

fn damaged_head() {
    let whole = finished_match();
    let length = fs::read_to_string(whole.state())
        .expect("the state is there")
        .find('\n')
        .expect("a line");
    for left in [0, 1, length / 2, length] {
        let torn = whole.copy();
        cut(&torn.state(), left);
        MatchRun::resume(&torn.state()).fails(&["error", "bout.jsonl", "holds no match", "remove"]);
        // A new match of this name cannot go on with it either.
        let begun = MatchRun::from_config(&whole.toml(), &torn).fails(&[
            "error",
            "bout.jsonl",
            "holds no match",
            "remove",
        ]);
        assert!(!begun.stderr.contains("--resume"), "{begun}");
        assert_eq!(fs::read(torn.state()).expect("it is there").len(), left);
    }
}

/// Whatever keeps a match from going on is found before its files are changed.
fn refused_records() {
    let whole = finished_match();
    let text = fs::read_to_string(whole.state()).expect("the state is there");
    for (from, to, words) in [
        (
            "\"games\":4",
            "\"games\":0",
            "invalid games '0': expected at least 1",
        ),
        ("\"games\":4", "\"games\":2", "is not one of the match"),
        ("\"crc32\":", "\"crc32\":0,\"old\":", "the openings"),
        ("\"plies\":", "\"plys\":", "line 2"),
        (PLAY_AS, "--play-dead", "First"),
    ] {
        assert!(text.contains(from), "{from}");
        let torn = whole.copy();
        // The last game is half written, and whole in the PGN.
        let changed = text.replace(from, to);
        let changed = &changed[..changed.len() - 30];
        fs::write(torn.state(), changed).expect("it can be written");
        let pgn = fs::read(torn.pgn()).expect("the PGN is there");
        MatchRun::resume(&torn.state()).fails(&["error", words]);
        assert_eq!(fs::read(torn.pgn()).expect("it is there"), pgn, "{words}");
        let left = fs::read_to_string(torn.state()).expect("it is there");
        assert_eq!(left, changed, "{words}");
    }
}

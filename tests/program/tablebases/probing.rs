//! `vato tablebase probe`.

use serde_json::Value;

use super::set::{Set, behind_the_diagram};
use crate::support::command_line::{Folder, object, objects, stderr, stdout};
use crate::support::transcript;

/// White needs seven plies.
const WON: &str = "9/9/3b5/9/w7w w 0 2";
/// Black needs twenty-nine plies.
const LOST: &str = "bb7/9/9/3w5/9 w 0 2";

#[test]
fn moves_come_with_what_they_achieve_the_best_first() {
    let set = Set::build("tsivy", 3);
    for (fen, outcome, plies) in [(WON, "win", 7), (LOST, "loss", 29)] {
        let probe = format!("tablebase probe --dir {} --fen '{fen}'", set.text());
        let text = stdout(&probe);
        let lines = behind_the_diagram(&text);
        assert_eq!(lines[0], format!("{outcome}, conversion in {plies}"));
        let json = stdout(&format!("{probe} --json"));
        let answer = object(&json);
        assert_eq!(answer["outcome"], outcome);
        assert_eq!(answer["plies"], plies);
        assert_eq!(answer["late"], false);
        let moves = answer["moves"].as_array().expect("a list");
        assert_eq!(lines.len(), 1 + moves.len() + 1);
        let worth = |mv: &Value| {
            let plies = mv["plies"].as_i64().expect("a number");
            match mv["outcome"].as_str() {
                Some("win") => (2, -plies),
                Some("draw") => (1, 0),
                Some("loss") => (0, plies),
                _ => panic!("{mv}"),
            }
        };
        assert!(moves.is_sorted_by(|a, b| worth(a) >= worth(b)), "{json}");
        for (mv, line) in moves.iter().zip(&lines[1..]) {
            let text = mv["move"].as_str().expect("text");
            assert!(line.trim_start().starts_with(text), "{line}");
        }
        assert_eq!(
            answer["fen"].as_str().map(|fen| text.contains(fen)),
            Some(true)
        );
        // Each move of the line is a ply nearer to the conversion, and the last one ends the game.
        let line = answer["line"].as_array().expect("a list");
        assert_eq!(line[0]["move"], moves[0]["move"]);
        let distances: Vec<u64> = line.iter().filter_map(|mv| mv["plies"].as_u64()).collect();
        assert_eq!((distances[0], distances.last()), (plies, Some(&1)));
        for pair in distances.windows(2) {
            assert!(pair[1] + 1 == pair[0] || pair[0] == 1, "{distances:?}");
        }
        let told = lines[lines.len() - 1];
        let first = line[0]["move"].as_str().expect("text");
        let wanted = format!("line: {first} {plies}, ");
        assert!(told.starts_with(&wanted), "{told}");
        let csv = stdout(&format!("{probe} --csv"));
        let row = format!("{first},{outcome},{plies},false");
        assert_eq!(csv.lines().nth(1), Some(&*row));
    }
}

/// The built-in tables say the same as those of a folder.
#[test]
fn without_a_folder_the_built_in_tables_answer() {
    for rules in ["tsivy", "dimy", "free-capture"] {
        let set = Set::build(rules, 3);
        let fen = if rules == "dimy" {
            "5/2b2/5/5/w3w w 0 2"
        } else {
            WON
        };
        let probe = format!("tablebase probe --rules {rules} --fen '{fen}'");
        let from_folder = stdout(&format!("{probe} --dir {}", set.text()));
        assert_eq!(from_folder, stdout(&probe));
    }
}

/// Several folders hold one set between them.
#[test]
fn a_set_may_be_split() {
    let set = Set::build("tsivy", 3);
    let rest = Set::empty("tsivy");
    rest.write("2v1.vtb", &set.read("2v1.vtb"));
    set.remove("2v1.vtb");
    let probe = format!("tablebase probe --fen '{WON}' --dir {}", set.text());
    let message = stderr(&probe, 1);
    assert!(message.contains("the slice 2v1 is missing"), "{message}");
    let text = stdout(&format!("{probe} --dir {}", rest.text()));
    assert_eq!(behind_the_diagram(&text)[0], "win, conversion in 7");
}

/// A conversion that comes after the no-capture limit is worth a draw.
#[test]
fn what_comes_too_late_is_said_to_be_a_draw() {
    let set = Set::build("tsivy", 3);
    let late = "draw by the no-capture limit (loss, conversion in 29)";
    assert_eq!(set.probe("limit=28", LOST), late);
    assert_eq!(set.probe("limit=29", LOST), "loss, conversion in 29");
    assert_eq!(set.probe("limit=0", LOST), "loss, conversion in 29");
    // Plies without a capture before the position count as well.
    let played = LOST.replace(" w 0 2", " w 72 60");
    assert_eq!(set.probe("tsivy", &played), late);
    let played = LOST.replace(" w 0 2", " w 71 60");
    assert_eq!(set.probe("tsivy", &played), "loss, conversion in 29");
}

#[test]
fn what_cannot_be_looked_up_is_explained() {
    let folder = Folder::new();
    folder.stdout("tablebase build --stones 3 --out tables");
    transcript::check(&folder, "probe_refused");
}

/// A game that is over has an outcome and no moves, as JSON too.
#[test]
fn finished_games_are_json_as_well() {
    for (fen, outcome) in [
        ("9/9/9/9/w8 b 0 9", "loss"),
        ("9/9/9/9/w8 w 0 9", "win"),
        ("8b/9/9/9/w8 w 100 90", "draw"),
    ] {
        let said = stdout(&format!("tablebase probe --json --fen '{fen}'"));
        let expected = format!(
            "{{\"fen\":\"{fen}\",\"outcome\":\"{outcome}\",\"plies\":0,\"late\":false,\"moves\":[],\"line\":[]}}\n"
        );
        assert_eq!(said, expected, "{fen}");
    }
}

/// The analysis tells the distance that the tables have.
#[test]
fn an_analysis_tells_the_plies_to_the_conversion() {
    let set = Set::build("tsivy", 3);
    for (fen, score, plies) in [(WON, "+TB 7", 7), (LOST, "-TB 29", 29)] {
        let line = format!(
            "analyse --fen '{fen}' --nodes 100 --tablebases {}",
            set.text()
        );
        assert!(stdout(&line).contains(score));
        let depths = objects(&stdout(&format!("{line} --json --multipv 9")));
        let answer = &depths[0];
        let lines = answer["lines"].as_array().expect("a list");
        assert_eq!(lines[0]["conversion"], plies);
        // Each move has the distance that the tables have for it.
        let probed = object(&stdout(&format!(
            "tablebase probe --json --dir {} --fen '{fen}'",
            set.text()
        )));
        for (line, mv) in lines
            .iter()
            .zip(probed["moves"].as_array().expect("a list"))
        {
            assert_eq!(line["pv"][0], mv["move"]);
            if mv["outcome"] != "draw" && line["score"]["plies_to_end"].is_null() {
                assert_eq!(line["conversion"], mv["plies"], "{line}");
            }
        }
    }
}

//! `vato tablebase probe`.

use serde_json::Value;

use super::set::{Set, behind_the_diagram};
use crate::support::command_line::{stderr, stdout};

/// White needs seven plies.
const WON: &str = "9/9/3b5/9/w7w w 0 2";
/// Black needs twenty-nine plies.
const LOST: &str = "bb7/9/9/3w5/9 w 0 2";

#[test]
fn moves_come_with_what_they_achieve_the_best_first() {
    let set = Set::build("tsivy", 3);
    for (fen, outcome, plies) in [(WON, "win", 7), (LOST, "loss", 29)] {
        let text = stdout(&["tablebase", "probe", "--dir", set.text(), "--fen", fen]);
        let lines = behind_the_diagram(&text);
        assert_eq!(lines[0], format!("{outcome}, conversion in {plies}"));
        let json = stdout(&[
            "tablebase",
            "probe",
            "--dir",
            set.text(),
            "--fen",
            fen,
            "--json",
        ]);
        let answer: Value = serde_json::from_str(&json).expect("JSON");
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
        let wanted = format!(
            "line: {} {plies}, ",
            line[0]["move"].as_str().expect("text")
        );
        assert!(told.starts_with(&wanted), "{told}");
        let csv = stdout(&[
            "tablebase",
            "probe",
            "--dir",
            set.text(),
            "--fen",
            fen,
            "--csv",
        ]);
        let first = format!(
            "{},{outcome},{plies},false",
            line[0]["move"].as_str().expect("text")
        );
        assert_eq!(csv.lines().nth(1), Some(&*first));
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
        let arguments = ["tablebase", "probe", "--rules", rules, "--fen", fen];
        let built_in = stdout(&arguments);
        assert_eq!(
            stdout(&[&arguments[..], &["--dir", set.text()]].concat()),
            built_in
        );
    }
}

/// Several folders hold one set between them.
#[test]
fn a_set_may_be_split() {
    let set = Set::build("tsivy", 3);
    let rest = Set::empty("tsivy");
    rest.write("2v1.vtb", &set.read("2v1.vtb"));
    set.remove("2v1.vtb");
    let arguments = ["tablebase", "probe", "--fen", WON, "--dir", set.text()];
    let message = stderr(&arguments, 1);
    assert!(message.contains("the slice 2v1 is missing"), "{message}");
    let text = stdout(&[&arguments[..], &["--dir", rest.text()]].concat());
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
    let set = Set::build("tsivy", 3);
    let folder = set.text();
    for (arguments, reason) in [
        (
            &["--dir", folder][..],
            "it has 44 stones, expected at most 3",
        ),
        (
            &["--dir", folder, "--fen", "9/9/3b5/b8/w7w w 0 2"],
            "it has 4 stones",
        ),
        (&["--fen", "9/9/3bbbb2/b8/w7w w 0 2"], "at most 6"),
        (
            &[
                "--dir",
                folder,
                "--rules",
                "riatra",
                "--fen",
                "9/9/3b5/9/w7w w 0 1",
            ],
            "first turns are played by other rules",
        ),
        (
            &["--dir", folder, "--rules", "dimy"],
            "made for other rules",
        ),
        (
            &["--dir", folder, "--rules", "single-step"],
            "no tablebases for tie=count",
        ),
        (&["--rules", "vela"], "no tablebases for the vela"),
        (&["--dir", "/no/such/folder"], "/no/such/folder: "),
    ] {
        let message = stderr(&[&["tablebase", "probe"], arguments].concat(), 1);
        assert!(message.starts_with("error: "), "{message}");
        assert!(message.contains(reason), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    let message = stderr(&["tablebase", "probe", "--fen", "nonsense"], 2);
    assert!(message.contains("1 row, but"), "{message}");
}

/// A game that is over has an outcome and no moves, as JSON too.
#[test]
fn finished_games_are_json_as_well() {
    for (fen, outcome) in [
        ("9/9/9/9/w8 b 0 9", "loss"),
        ("9/9/9/9/w8 w 0 9", "win"),
        ("8b/9/9/9/w8 w 100 90", "draw"),
    ] {
        let said = stdout(&["tablebase", "probe", "--json", "--fen", fen]);
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
        let arguments = [
            "analyse",
            "--fen",
            fen,
            "--nodes",
            "100",
            "--tablebases",
            set.text(),
        ];
        assert!(stdout(&arguments).contains(score));
        let json = stdout(&[&arguments[..], &["--json", "--multipv", "9"]].concat());
        let answer: Value =
            serde_json::from_str(json.lines().next().expect("a line")).expect("JSON");
        let lines = answer["lines"].as_array().expect("a list");
        assert_eq!(lines[0]["conversion"], plies);
        // Each move has the distance that the tables have for it.
        let probed = stdout(&[
            "tablebase",
            "probe",
            "--json",
            "--dir",
            set.text(),
            "--fen",
            fen,
        ]);
        let probed: Value = serde_json::from_str(&probed).expect("JSON");
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

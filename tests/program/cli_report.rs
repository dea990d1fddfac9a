//! The reports of `vato analyse --html` and `vato match --html`, seen from outside.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const VATO: &str = env!("CARGO_BIN_EXE_vato");

/// A name that would like to be more.
const HOSTILE: &str = "</script><script>alert(1)";

fn vato(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(VATO)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

/// The data of the report in this file.
fn data(path: &Path) -> Value {
    let html = fs::read_to_string(path).expect("a report");
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert_eq!(html.matches("<script").count(), 2);
    let (_, rest) = html.split_once("id=\"data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// A file with two games, the second of them invalid if so.
fn games(folder: &Path, valid: bool) {
    let second = if valid { "f2-e3A" } else { "f2-f3A" };
    let text = format!(
        "[White \"{HOSTILE}\"]\n[Black \"Soa\"]\n\n1. f2-e3A {{a <b>thought</b>}} d5-d4A 2. e1-d2A *\n\n1. {second} *\n"
    );
    fs::write(folder.join("games.pgn"), text).expect("there is room");
}

const ANALYSE: [&str; 7] = [
    "analyse",
    "--pgn",
    "games.pgn",
    "--nodes",
    "300",
    "--hash",
    "1",
];

#[test]
fn analysed_games_become_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    games(folder.path(), false);
    let output = vato(
        folder.path(),
        &[&ANALYSE[..], &["--html", "report.html"]].concat(),
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = data(&folder.path().join("report.html"));
    assert_eq!(report["title"], "games.pgn");
    assert_eq!(report["left_out"], 1);
    let [game] = &report["games"].as_array().expect("games")[..] else {
        panic!("{report}");
    };
    assert_eq!(game["white"], HOSTILE);
    assert_eq!(game["notes"]["0"]["comment"], "a <b>thought</b>");
    assert_eq!(game["plies"], 3);
    assert_eq!(report["players"].as_array().map(Vec::len), Some(2));
    // What it says is what the object says.
    let output = vato(folder.path(), &[&ANALYSE[..], &["--json"]].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let object: Value = serde_json::from_str(text.lines().next().expect("a game")).expect("JSON");
    assert_eq!(game["review"][0], object["players"]["white"]);
    let losses = object["moves"].as_array().expect("moves").iter().map(|mv| {
        let loss = mv["loss"].as_f64().expect("a number");
        format!("{}", (100.0 * loss).round())
    });
    assert_eq!(game["losses"], losses.collect::<Vec<_>>().join(" "));
}

/// A game analysed before has its own comments once.
#[test]
fn an_annotated_game_is_not_annotated_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    games(folder.path(), true);
    vato(
        folder.path(),
        &[&ANALYSE[..], &["--pgn-out", "annotated.pgn"]].concat(),
    );
    let arguments = [
        "analyse",
        "--pgn",
        "annotated.pgn",
        "--nodes",
        "300",
        "--html",
        "report.html",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let report = data(&folder.path().join("report.html"));
    let notes = &report["games"][0]["notes"];
    assert_eq!(notes["0"]["comment"], "a <b>thought</b>");
    assert!(notes["1"].get("comment").is_none(), "{notes}");
}

#[test]
fn files_that_are_there_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    games(folder.path(), true);
    let path = folder.path().join("report.html");
    fs::write(&path, "mine").expect("there is room");
    let analyse = [&ANALYSE[..], &["--html", "report.html"]].concat();
    let play = [
        "match",
        "--games",
        "2",
        "--each",
        "nodes=50",
        "--html",
        "report.html",
    ];
    for arguments in [&analyse[..], &play[..]] {
        let output = vato(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(
            error.starts_with("error: cannot write report.html: "),
            "{error}"
        );
        assert!(output.stdout.is_empty());
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some("mine"));
    }
    // Nothing was begun, and nothing stays of what cannot be done.
    for (html, code) in [("no/such.html", 1), ("-", 2)] {
        let output = vato(folder.path(), &[&ANALYSE[..], &["--html", html]].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
    }
    let missing = ["analyse", "--pgn", "none.pgn", "--html", "new.html"];
    assert_eq!(vato(folder.path(), &missing).status.code(), Some(1));
    let missing = ["match", "--resume", "none.jsonl", "--html", "new.html"];
    assert_eq!(vato(folder.path(), &missing).status.code(), Some(1));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn a_match_becomes_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, other] = [HOSTILE, "B"].map(|name| format!("name={name},cmd={VATO},nodes=60"));
    let arguments = [
        "match",
        "--engine",
        &one,
        "--engine",
        &other,
        "--games",
        "4",
        "--openings",
        "sharp",
        "--sprt",
        "elo0=0,elo1=100",
        "--out",
        "played",
        "--quiet",
        "--html",
        "played.html",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let report = data(&folder.path().join("played.html"));
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    assert_eq!(games[0]["white"], HOSTILE);
    assert_eq!(games[0]["termination"], "normal");
    let words = |key: &str| {
        games[0][key]
            .as_str()
            .map(|text| text.split(' ').count() as u64)
    };
    assert_eq!(words("scores"), games[0]["plies"].as_u64());
    assert_eq!(words("times"), words("moves"));
    let contest = &report["match"];
    assert!(
        contest.get("settings").is_none(),
        "no paths of this machine"
    );
    assert_eq!(contest["openings"].as_array().map(Vec::len), Some(2));
    // The charts end where the result is.
    let last = contest["progress"]
        .as_array()
        .and_then(|points| points.last());
    let last = last.expect("points");
    assert_eq!(last["games"], 4);
    assert_eq!(last["elo"], contest["figures"]["elo"]);
    assert_eq!(last["llr"], contest["sprt"]["llr"]);
    // The record tells the same later.
    let again = ["match", "merge", "played.jsonl", "--html", "merged.html"];
    assert!(vato(folder.path(), &again).status.success());
    let resumed = [
        "match",
        "--resume",
        "played.jsonl",
        "--quiet",
        "--html",
        "resumed.html",
    ];
    assert!(vato(folder.path(), &resumed).status.success());
    for file in ["merged.html", "resumed.html"] {
        let later = data(&folder.path().join(file));
        assert_eq!(later["games"], report["games"], "{file}");
        assert_eq!(later["match"]["figures"], contest["figures"], "{file}");
    }
}

#[test]
fn a_tournament_has_ratings_over_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let engines: Vec<String> = [30, 60, 120]
        .iter()
        .map(|nodes| format!("name=N{nodes},cmd={VATO},nodes={nodes}"))
        .collect();
    let mut arguments = vec![
        "match",
        "--games",
        "2",
        "--out",
        "three",
        "--quiet",
        "--html",
        "three.html",
    ];
    for engine in &engines {
        arguments.extend(["--engine", engine]);
    }
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let report = data(&folder.path().join("three.html"));
    let contest = &report["match"];
    let last = contest["progress"]
        .as_array()
        .and_then(|points| points.last());
    let ratings = last.expect("points")["ratings"]
        .as_array()
        .expect("ratings");
    for (rating, engine) in ratings
        .iter()
        .zip(contest["ratings"]["engines"].as_array().expect("engines"))
    {
        assert_eq!(*rating, engine["elo"]["value"]);
    }
    assert_eq!(ratings.len(), 3);
    assert_eq!(report["title"], "3 engines, roundrobin");
}

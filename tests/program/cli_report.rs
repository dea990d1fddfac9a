//! The reports of `vato analyse --html` and `vato match --html`, seen from outside.

#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::Value;

#[cfg(unix)]
use crate::support::command_line::interrupt;
use crate::support::command_line::{Folder, Run, VATO, objects};

/// A name that would like to be more.
const HOSTILE: &str = "</script><script>alert(1)";

/// The data of the report in this file.
fn data(folder: &Folder, name: &str) -> Value {
    let html = folder.read(name);
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert_eq!(html.matches("<script").count(), 2);
    let (_, rest) = html.split_once("id=\"data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// A file with two games, the second of them invalid if so.
fn games(folder: &Folder, valid: bool) {
    let second = if valid { "f2-e3A" } else { "f2-f3A" };
    let text = format!(
        "[White \"{HOSTILE}\"]\n[Black \"Soa\"]\n\n1. f2-e3A {{a <b>thought</b>}} d5-d4A 2. e1-d2A *\n\n1. {second} *\n"
    );
    folder.write("games.pgn", text);
}

const ANALYSE: &str = "analyse --pgn games.pgn --nodes 300 --hash 1";

#[test]
fn analysed_games_become_a_report() {
    let folder = Folder::new();
    games(&folder, false);
    let run = folder.run(&format!("{ANALYSE} --html report.html"));
    assert_eq!(run.code, Some(1), "{run:?}");
    let report = data(&folder, "report.html");
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
    let object = &objects(&folder.run(&format!("{ANALYSE} --json")).out)[0];
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
    let folder = Folder::new();
    games(&folder, true);
    folder.run(&format!("{ANALYSE} --pgn-out annotated.pgn"));
    folder
        .run("analyse --pgn annotated.pgn --nodes 300 --html report.html")
        .success();
    let report = data(&folder, "report.html");
    let notes = &report["games"][0]["notes"];
    assert_eq!(notes["0"]["comment"], "a <b>thought</b>");
    assert!(notes["1"].get("comment").is_none(), "{notes}");
}

#[test]
fn files_that_are_there_stay() {
    let folder = Folder::new();
    games(&folder, true);
    folder.write("report.html", "mine");
    let played = "match --games 2 --each nodes=50";
    for command in [ANALYSE, played] {
        let error = folder.stderr(&format!("{command} --html report.html"), 1);
        assert!(
            error.starts_with("error: cannot write report.html: "),
            "{error}"
        );
        assert_eq!(folder.read("report.html"), "mine");
    }
    // Nothing was begun, and nothing stays of what cannot be done.
    for (command, options, code) in [
        (ANALYSE, "--html no/such.html", 1),
        (ANALYSE, "--html -", 2),
        ("analyse --pgn none.pgn", "--html new.html", 1),
        ("match --resume none.jsonl", "--html new.html", 1),
        (played, "--pgn-live games.pgn", 1),
        (played, "--html no/such.html --live", 1),
    ] {
        let run = folder.run(&format!("{command} {options}"));
        assert_eq!(run.code, Some(code), "{command} {options}");
    }
    assert_eq!(folder.names(), ["games.pgn", "report.html"]);
}

#[test]
fn a_match_becomes_a_report() {
    let folder = Folder::new();
    folder
        .run(&format!(
            "match --engine 'name={HOSTILE},cmd={VATO},nodes=60' --engine name=B,cmd={VATO},nodes=60 --games 4 \
             --openings sharp --sprt elo0=0,elo1=100 --out played --quiet --html played.html"
        ))
        .success();
    let report = data(&folder, "played.html");
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
    for (command, file) in [
        ("merge played.jsonl", "merged.html"),
        ("--resume played.jsonl --quiet", "resumed.html"),
    ] {
        folder
            .run(&format!("match {command} --html {file}"))
            .success();
        let later = data(&folder, file);
        assert_eq!(later["games"], report["games"], "{file}");
        assert_eq!(later["match"]["figures"], contest["figures"], "{file}");
    }
}

/// The files of a match that runs, as readers see them at any moment. A slow machine writes them seldom.
#[cfg(unix)]
#[test]
fn a_match_that_runs_is_shown() {
    let folder = Folder::new();
    let mut running = folder.start(&format!(
        "match --engine name=A,cmd={VATO},tc=2.5+0.05 --engine name=B,cmd={VATO},tc=2.5+0.05 --games 400 --max-plies 28 \
         --concurrency 2 --openings sharp --quiet --out m --html m.html --live --pgn-live live.pgn"
    ));
    for name in ["m.html", "live.pgn"] {
        folder.wait_for(&mut running, name);
    }
    let state = || {
        let report = data(&folder, "m.html");
        let ending = report["match"]["ending"].as_str().map(str::to_owned);
        (report["live"].as_u64(), ending.expect("an ending"))
    };
    assert_eq!(state(), (Some(5), "running".to_owned()));
    let (mut has_begun, mut has_both) = (false, false);
    let begun = Instant::now();
    while !(has_begun && has_both) {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "nothing is seen"
        );
        let text = folder.read("live.pgn");
        let rounds: Vec<u32> = text
            .lines()
            .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"))
            .map(|number| number.parse().expect("a number"))
            .collect();
        assert!(rounds.is_sorted(), "{text}");
        let runs = text.matches("[Termination \"unterminated\"]").count();
        let open = text.matches("[Result \"*\"]").count();
        assert!(runs <= 2 && open == runs, "{text}");
        has_begun |= runs > 0 && text.contains("[%clk 0:00:0");
        has_both |= runs > 0 && runs < rounds.len();
        thread::sleep(Duration::from_millis(50));
    }
    interrupt(&running);
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert_eq!(state(), (None, "stopped".to_owned()));
    let report = data(&folder, "m.html");
    let games = report["games"].as_array().map_or(0, Vec::len);
    let stopped = format!("match        A against B, {games} games of 400 (stopped)\n");
    assert!(run.out.starts_with(&stopped), "{}", run.out);
    // The same games as those of the record, each move with its clock.
    let [live, own] = ["live.pgn", "m.pgn"].map(|name| {
        let words: Vec<String> = folder
            .read(name)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        words.join(" ")
    });
    let behind_clock = |part: &str| part.split_once("] ").expect("a clock").1.to_owned();
    let mut parts = live.split("[%clk ");
    let first = parts.next().expect("tags").to_owned();
    let others: Vec<String> = parts.map(behind_clock).collect();
    assert_eq!(first + &others.concat(), own);
    assert_eq!(others.len(), own.matches("s} ").count());
}

/// From the start of the command to its end, whatever that is.
#[cfg(unix)]
#[test]
fn files_that_show_a_match_are_its_own() {
    let folder = Folder::new();
    folder.write(
        "slow.sh",
        format!("until [ -e go ]; do sleep 0.05; done\nexec {VATO}\n"),
    );
    folder.write(
        "once.sh",
        format!("[ -e begun ] && exit 1\n: > begun\nexec {VATO}\n"),
    );
    let games = |engine: &str| {
        format!(
            "match --engine name=A,cmd=sh,args={engine},nodes=400 --engine name=B,cmd={VATO},depth=1 --games 2000 \
             --sprt elo0=0,elo1=200 --concurrency 4 --quiet"
        )
    };
    let mut running =
        folder.start(&(games("slow.sh") + " --out m --html m.html --live --pgn-live live.pgn"));
    while !folder.path("live.pgn").exists() {
        assert!(running.try_wait().expect("it can be asked").is_none());
        thread::sleep(Duration::from_millis(5));
    }
    for file in ["--html m.html", "--pgn-live live.pgn"] {
        let error = folder.stderr(&format!("match --each nodes=1 --out other {file}"), 1);
        assert!(error.contains("exists already"), "{error}");
    }
    folder.write("go", "");
    Run::end_of(running).success();
    // Those that were running when the test was decided are in neither file.
    let rounds = |name| folder.read(name).matches("[Round ").count();
    assert_eq!(rounds("live.pgn"), rounds("m.pgn"));
    let failed = folder.run(&(games("once.sh") + " --out failed --html failed.html --live"));
    assert_eq!(failed.code, Some(1), "{failed:?}");
    let report = data(&folder, "failed.html");
    assert_eq!(report.get("live"), None);
    assert_eq!(report["match"]["ending"], "stopped");
}

/// A page that cannot be written any more does not end the match.
#[test]
fn a_match_goes_on_without_its_page() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("shown")).expect("a folder");
    let mut running = folder.start(
        "match --each nodes=2000 --games 20 --concurrency 1 --quiet --out m --html shown/m.html --live \
         --pgn-live shown/m.pgn",
    );
    for name in ["shown/m.html", "shown/m.pgn"] {
        folder.wait_for(&mut running, name);
    }
    std::fs::remove_dir_all(folder.path("shown")).expect("it is there");
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains(", 20 games\n"), "{run:?}");
    assert_eq!(run.err.matches("shown/m.pgn: ").count(), 1, "{run:?}");
    assert!(
        run.err.contains("error: cannot write shown/m.html: "),
        "{run:?}"
    );
}

#[test]
fn a_tournament_has_ratings_over_time() {
    let folder = Folder::new();
    let engines =
        [30, 60, 120].map(|nodes| format!("--engine name=N{nodes},cmd={VATO},nodes={nodes}"));
    let line = format!(
        "match {} --games 2 --quiet --html three.html",
        engines.join(" ")
    );
    folder.run(&line).success();
    let report = data(&folder, "three.html");
    assert_eq!(report["title"], "3 engines, roundrobin");
    let contest = &report["match"];
    let points = contest["progress"]
        .as_array()
        .and_then(|points| points.last());
    let ratings = points
        .and_then(|last| last["ratings"].as_array())
        .expect("ratings");
    let engines = contest["ratings"]["engines"]
        .as_array()
        .expect("engines")
        .iter();
    let wanted: Vec<&Value> = engines.map(|engine| &engine["elo"]["value"]).collect();
    assert_eq!(ratings.iter().collect::<Vec<_>>(), wanted);
    assert_eq!(ratings.len(), 3);
}

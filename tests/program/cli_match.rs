//! `vato match` as a person uses it: arguments, files, output. What engines may do wrong is tested in
//! `tests/tournament/`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const VATO: &str = env!("CARGO_BIN_EXE_vato");

fn vato(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(VATO)
        .arg("match")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn games(path: &Path) -> Vec<Value> {
    let state = fs::read_to_string(path).expect("a record");
    let mut games: Vec<Value> = state
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// What of a game does not depend on time: colours, opening, moves, end.
fn essence(game: &Value) -> String {
    let moves = game["moves"].as_array().expect("moves");
    let moves: Vec<&str> = moves.iter().filter_map(|mv| mv["move"].as_str()).collect();
    let fixed = [
        "game", "pair", "white", "black", "opening", "result", "reason",
    ];
    let fixed: Vec<&Value> = fixed.iter().map(|key| &game[key]).collect();
    format!("{fixed:?} {moves:?}")
}

#[test]
fn without_an_engine_it_plays_itself() {
    let folder = folder();
    let output = vato(folder.path(), &["--games", "2", "--each", "nodes=200"]);
    assert!(output.status.success(), "{output:?}");
    let out = text(&output.stdout);
    assert!(out.starts_with("match        Vato "), "{out}");
    assert!(out.contains("2 games\n"), "{out}");
    assert!(out.contains("\nfaults       none\n"), "{out}");
    let files: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(
        files.iter().all(|file| file.starts_with("match-20")),
        "{files:?}"
    );
}

#[test]
fn the_file_of_settings_gives_the_same_match_again() {
    let folder = folder();
    let (name, command) = ("name=A", format!("cmd={VATO}"));
    let first = format!("{name},{command},nodes=300,option.Hash=1");
    let arguments = [
        "--engine",
        &first,
        "--engine",
        &format!("name=B,{command},depth=2"),
        "--games",
        "6",
        "--openings",
        "random",
        "--plies",
        "5",
        "--seed",
        "9",
        "--out",
        "one",
        "--quiet",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let warning = text(&output.stderr);
    assert!(warning.contains("vato openings --min-score"), "{warning}");
    assert_eq!(warning.lines().count(), 1, "{warning}");
    let again = ["--config", "one.toml", "--out", "two", "--concurrency", "1"];
    let output = vato(folder.path(), &again);
    assert!(output.status.success(), "{output:?}");
    let [one, two] = ["one.jsonl", "two.jsonl"].map(|name| games(&folder.path().join(name)));
    assert_eq!(one.len(), 6);
    let essences = |games: &[Value]| games.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(essences(&one), essences(&two));
    // Both games of a pair begin alike, pairs differ.
    assert_eq!(one[0]["opening"], one[1]["opening"]);
    assert_ne!(one[0]["opening"], one[2]["opening"]);
    assert_eq!(
        (&one[0]["white"], &one[1]["white"]),
        (&"A".into(), &"B".into())
    );
    let check = Command::new(VATO)
        .args(["pgn", "check", "one.pgn"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert_eq!(text(&check.stdout), "6 games, 6 right, 0 wrong\n");
}

#[test]
fn the_result_as_json() {
    let folder = folder();
    let arguments = [
        "--each",
        "nodes=100",
        "--games",
        "4",
        "--openings",
        "riatra",
        "--json",
        "--out",
        "j",
        "--sprt",
        "elo0=0,elo1=5",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text(&output.stderr), "");
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result["ending"], "complete");
    assert_eq!(result["tally"]["games"], 4);
    // Equal engines that do the same on both sides of an opening.
    assert_eq!(result["tally"]["pairs"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(result["figures"]["score"], 0.5);
    assert_eq!(result["openings"].as_object().expect("openings").len(), 2);
    assert!(
        result["sprt"]["sentence"]
            .as_str()
            .expect("text")
            .contains("undecided")
    );
    assert_eq!(result["faults"], 0);
}

#[test]
fn a_sequential_test_ends_the_match_and_says_why() {
    let folder = folder();
    let deep = format!("name=deep,cmd={VATO},nodes=2000");
    let shallow = format!("name=shallow,cmd={VATO},depth=1");
    let arguments = [
        "--engine",
        &deep,
        "--engine",
        &shallow,
        "--games",
        "2000",
        "--openings",
        "random",
        "--sprt",
        "elo0=0,elo1=100",
        "--out",
        "s",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let out = text(&output.stdout);
    assert!(out.contains("games (the test is decided)"), "{out}");
    assert!(
        out.contains("H1 accepted: deep is stronger than shallow"),
        "{out}"
    );
    // A match that is decided stays so.
    let before = games(&folder.path().join("s.jsonl")).len();
    assert!(before < 1000, "{before}");
    let output = vato(folder.path(), &["--resume", "s.jsonl"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(games(&folder.path().join("s.jsonl")).len(), before);
}

/// Long enough for a decision, wherever the test is asked for.
#[test]
fn a_sequential_test_of_a_file_is_as_long_as_any() {
    let folder = folder();
    let engine = |name: &str, limit: &str| {
        format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\n{limit}\n")
    };
    let engines = engine("deep", "nodes = 1000") + &engine("shallow", "depth = 1");
    let test = "[sprt]\nelo0 = 0.0\nelo1 = 150.0\n";
    for (name, file, arguments) in [
        ("file", format!("{engines}{test}"), &[][..]),
        ("line", engines.clone(), &["--sprt", "elo0=0,elo1=150"]),
    ] {
        let config = format!("{name}-set.toml");
        fs::write(folder.path().join(&config), file).expect("written");
        let set = ["--config", &config, "--out", name, "--json"];
        let output = vato(folder.path(), &[&set, arguments].concat());
        assert!(output.status.success(), "{output:?}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(result["ending"], "decided");
        assert_eq!(result["settings"]["games"], 100_000, "{name}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    fs::write(
        folder.path().join("bad.toml"),
        "games = 3\nrules = \"chess\"\n",
    )
    .expect("written");
    fs::write(folder.path().join("old.jsonl"), "x\n").expect("written");
    let name = folder.path().file_name().expect("a name").to_string_lossy();
    let elsewhere = format!("../{name}/new.pgn");
    for (arguments, code, wanted) in [
        (&["--engine", "cmd=a,speed=3"][..], 2, "unknown key 'speed'"),
        (
            &["--each", "tc=fast"],
            2,
            "invalid time control 'fast': expected [moves/]time",
        ),
        (&["--tc", "10+0.1"], 2, "--each KEY=…"),
        (&["-engine", "cmd=a"], 2, "two hyphens"),
        (&["--repeat"], 2, "leave it out"),
        (&["--variant", "dimy"], 2, "say --rules"),
        (&["--each", "st=0.0004"], 2, "at least 0.001"),
        (&["--each", "tc=inf"], 2, "nodes or depth beside it"),
        (
            &["--format", "pyramid"],
            2,
            "expected one of pairs, roundrobin",
        ),
        (&["--sprt", "elo0=0"], 2, "'elo1' is missing"),
        (&["--sprt", "elo0=5,elo1=0"], 2, "sprt: "),
        (&["--each", "st=1,tc=1"], 2, "either tc or st"),
        (
            &["--openings", "start", "--plies", "3"],
            2,
            "plies is for random",
        ),
        (
            &["--rules", "telo", "--openings", "sharp"],
            2,
            "are for the board 9x5",
        ),
        (&["--anchor", "A=3", "--each", "nodes=1"], 2, "two engines"),
        (&["--games", "0"], 2, "from 1"),
        (
            &["--order", "backwards"],
            2,
            "expected sequential or random",
        ),
        (&["--rules", "chess"], 2, "neither a preset"),
        (
            &["--resume", "old.jsonl", "--format", "swiss"],
            2,
            "cannot be used with",
        ),
        (
            &["--resume", "old.jsonl", "--each", "nodes=5"],
            2,
            "--each may only say timemargin",
        ),
        (
            &["--resume", "old.jsonl"],
            1,
            "old.jsonl, line 1: not the head of a match",
        ),
        (&["--resume", "none.jsonl"], 1, "none.jsonl"),
        (&["--config", "none.toml"], 1, "none.toml"),
        (&["--config", "bad.toml"], 2, "bad.toml"),
        (&["--out", "old"], 1, "old.jsonl exists already"),
        (&["--openings", "none.fen"], 1, "none.fen"),
        (&["--engine", "cmd=./no-such-engine"], 1, "cannot run"),
        (&["--each", "cmd=./no-such-engine"], 1, "cannot run"),
        (
            &["--each", "cmd=./no-such-engine", "--engine", "nodes=1"],
            1,
            "cannot run",
        ),
        (
            &["--engine", "cmd=a,option.Hash=8,option.HASH=9"],
            2,
            "is given twice",
        ),
        (
            &[
                "--out",
                "new",
                "--standings",
                "2",
                "--standings-file",
                "./new.jsonl",
            ],
            2,
            "--standings-file ./new.jsonl: another file of this match goes there",
        ),
        (
            &["--out", "new", "--html", &elsewhere],
            2,
            "new.pgn: another file of this match goes there",
        ),
        (
            &["--log", "io", "--html", "io-A.log"],
            2,
            "--html io-A.log: another file of this match goes there",
        ),
        (
            &["--html", "a", "--standings", "2", "--standings-file", "./a"],
            2,
            "--standings-file ./a: another file of this match goes there",
        ),
        (
            &[
                "--by-opening",
                "--engine",
                "name=A",
                "--engine",
                "name=B",
                "--engine",
                "name=C",
            ],
            2,
            "--by-opening tells games of two engines",
        ),
        (&["--by-opening", "--format", "vela"], 2, "rounds of a vela"),
        (
            &["--by-opening", "--superiority", "--csv"],
            2,
            "--csv prints one table",
        ),
        (
            &["--engine", "cmd=no-such-python eng.py -x"],
            1,
            "arguments go into args=: cmd=no-such-python,args=\"eng.py -x\"",
        ),
        (
            &["--log", "no/such/folder/log"],
            1,
            "cannot log to no/such/folder/log",
        ),
    ] {
        let output = vato(folder.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(wanted), "{arguments:?}: {error}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}

/// As it is written elsewhere, and as it comes to mind.
#[test]
fn what_people_type_is_taken() {
    let folder = folder();
    for (name, arguments, words) in [
        (
            "a",
            "--format Pairs --rules 5x5 --each tc=inf,nodes=20 --sprt [0,5]",
            "rules dimy",
        ),
        (
            "b",
            "--rules board=5x5 --each nodes=20 --sprt elo0=0,elo1=5,alpha=5%",
            "rules dimy",
        ),
        (
            "c",
            "--rules 5x5 --each st=1ms --draw number=0,moves=1,score=9 --sprt 0,5",
            "0.001s/move",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let output = vato(
            folder.path(),
            &[&arguments[..], &["--games", "2", "--out", name]].concat(),
        );
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        assert!(
            text(&output.stdout).contains(words),
            "{arguments:?}: {output:?}"
        );
        let warned = text(&output.stderr).contains("score=9 is 9 stones");
        assert_eq!(warned, name == "c", "{output:?}");
    }
    // Each of the files of a match, and its name, is the match.
    for file in ["a.jsonl", "a.pgn", "a.toml", "a"] {
        let output = vato(folder.path(), &["--resume", file]);
        assert!(output.status.success(), "{file}: {output:?}");
        assert!(text(&output.stdout).contains("record       a.jsonl, a.pgn"));
    }
}

/// What people have put into the files of a match stays, whether it is over or goes on, or cannot.
#[test]
fn what_is_not_of_the_match_stays() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read_to_string(path(name)).expect(name);
    let files = || ["m.jsonl", "m.pgn", "m.toml"].map(read);
    let play = |arguments: &str| {
        let output = vato(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
        (output.status.code(), text(&output.stderr))
    };
    let new = "--each nodes=20 --rules dimy --openings random --games 4 --concurrency 2 --out m";
    assert_eq!(play(new).0, Some(0));
    // A match that is over.
    let whole = files();
    assert_eq!(play("--resume m").0, Some(0));
    assert_eq!(files(), whole);
    fs::remove_file(path("m.pgn")).expect("it is there");
    assert_eq!(play("--resume m").0, Some(0));
    assert_eq!(files(), whole);
    let noted = whole[1].replacen("/", "good! /", 1);
    let commented = format!("# a test\n{}", whole[2]);
    for pgn in [&noted, "precious", &format!("{}{{a note}}", whole[1])] {
        fs::write(path("m.pgn"), pgn).expect("room");
        fs::write(path("m.toml"), &commented).expect("room");
        let (code, told) = play("--resume m.jsonl --html m.html");
        assert_eq!(code, Some(0), "{told}");
        assert!(told.contains("m.pgn, line "), "{told}");
        fs::remove_file(path("m.html")).expect("a report");
        assert_eq!(files(), [&whole[0], pgn, &commented]);
        // One that is to go on.
        let (code, told) = play("--resume m.jsonl --games 6");
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("m.pgn, line "), "{told}");
        assert!(told.contains("move this file away"), "{told}");
        assert_eq!(files(), [&whole[0], pgn, &commented]);
    }
    fs::rename(path("m.pgn"), path("old.pgn")).expect("it is moved away");
    let (code, told) = play("--resume m.jsonl --games 6");
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("m.toml is not as the match has written it"),
        "{told}"
    );
    let [_, pgn, toml] = files();
    assert_eq!((pgn.matches("[Event ").count(), toml), (6, commented));
    // Settings that a kill has left behind are of the match.
    fs::write(path("m.toml"), &whole[2]).expect("room");
    assert_eq!(play("--resume m.jsonl --games 8").0, Some(0));
    assert!(read("m.toml").contains("games = 8\n"));
    // A copy is another file.
    fs::copy(path("m.jsonl"), path("m.bak")).expect("room");
    let before = files();
    let (code, told) = play("--resume m.bak --games 10");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("m.bak: not the record of a match"), "{told}");
    assert_eq!(files(), before);
}

/// Devices may have no end.
#[cfg(unix)]
#[test]
fn a_record_is_a_file() {
    let folder = folder();
    std::os::unix::fs::symlink("/dev/null", folder.path().join("out.jsonl")).expect("a link");
    for (arguments, wanted) in [
        (
            &["--resume", "/dev/null"][..],
            "/dev/null: not a regular file",
        ),
        (&["merge", "/dev/null"], "/dev/null: not a regular file"),
        (
            &["--out", "out", "--games", "2"],
            "out.jsonl exists already",
        ),
    ] {
        let output = vato(folder.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains(wanted), "{arguments:?}: {error}");
    }
}

/// An engine that plays with other settings than it was given is measured in vain.
#[test]
fn options_that_have_no_effect_are_no_match() {
    let folder = folder();
    for (option, wanted) in [
        (
            "EvalFile=none.net",
            "complains of its options: option EvalFile: cannot read",
        ),
        (
            "Book File=none.book",
            "option Book File: cannot read none.book",
        ),
        ("TablebasePath=nowhere", "tablebases: cannot read nowhere: "),
        ("SearchParameters=none=3", "no parameter 'none'"),
        ("Threads=0", "Threads"),
        (
            "EvalFlie=x.net",
            "it does not declare the option 'EvalFlie'; it has ",
        ),
        ("UCI_Variant=telo", "UCI_Variant sets other rules ('telo')"),
        ("Rules=board=5x5", "Rules sets other rules ('board=5x5')"),
    ] {
        let engine = format!("cmd=\"{VATO}\",name=A,option.{option}");
        let output = vato(
            folder.path(),
            &["--engine", &engine, "--games", "2", "--each", "nodes=10"],
        );
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{option}: {error}");
        assert!(error.starts_with("error: A: "), "{option}: {error}");
        assert!(error.contains(wanted), "{option}: {error}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
    // What sets the rules of the match is no harm.
    for option in ["UCI_Variant=tsivy", "Rules=chain=free"] {
        let engine = format!("cmd=\"{VATO}\",name=A,option.{option}");
        let output = vato(
            folder.path(),
            &["--engine", &engine, "--games", "2", "--each", "nodes=10"],
        );
        assert!(output.status.success(), "{option}: {output:?}");
        for entry in fs::read_dir(folder.path()).expect("a folder") {
            fs::remove_file(entry.expect("an entry").path()).expect("removed");
        }
    }
}

#[test]
fn tablebases_decide_games() {
    let folder = folder();
    let built = Command::new(VATO)
        .args(["tablebase", "build", "--stones", "4", "--out", "tables"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert!(built.status.success(), "{built:?}");
    // Five stones, and the only moves are captures.
    let opening = "b7b/9/2w1b4/9/w8 w 0 30\n";
    fs::write(folder.path().join("five.fen"), opening).expect("room");
    let arguments = [
        "--games",
        "2",
        "--openings",
        "five.fen",
        "--each",
        "nodes=300,option.TablebaseProbeLimit=0",
        "--adjudicate",
        "tablebase=tables",
        "--out",
        "bout",
    ];
    let output = vato(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");
    let games = games(&folder.path().join("bout.jsonl"));
    assert_eq!(games.len(), 2);
    for game in games {
        let reason = game["reason"].as_str().unwrap_or_default();
        assert!(reason.contains("by the tablebases"), "{game}");
        assert_eq!(game["termination"], "adjudicated-tablebase", "{game}");
        assert_eq!(game["plies"], 1, "{game}");
    }

    let error = |arguments: &[&str]| {
        let output = vato(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        text(&output.stderr)
    };
    let missing = error(&["--adjudicate", "tablebase=nowhere", "--each", "nodes=1"]);
    assert!(missing.contains("nowhere"), "{missing}");
    let foreign = error(&[
        "--adjudicate",
        "tablebase=tables",
        "--each",
        "nodes=1",
        "--rules",
        "full-chain",
    ]);
    assert!(foreign.contains("other rules"), "{foreign}");
}

/// The score of White, who is A in the first game of each pair: what the tables tell is what the record has.
#[test]
fn standings_openings_and_superiority_are_told_when_asked_for() {
    let folder = folder();
    let engines = ["name=A", "name=B"].map(|name| format!("{name},cmd=\"{VATO}\",nodes=30"));
    let [a, b] = &engines;
    let output = vato(
        folder.path(),
        &[
            "--engine",
            a,
            "--engine",
            b,
            "--each",
            "option.Hash=1",
            "--games",
            "8",
            "--openings",
            "sharp",
            "--out",
            "m",
            "--quiet",
            "--standings",
            "3",
            "--by-opening",
            "--superiority",
        ],
    );
    assert!(output.status.success(), "{output:?}");
    let told = text(&output.stderr);
    for games in ["3 games of 8", "6 games of 8"] {
        let heads = told.lines().filter(|line| line.ends_with(games));
        assert_eq!(heads.count(), 1, "{told}");
    }
    let out = text(&output.stdout);
    assert!(out.contains("\n| stronger than | "), "{out}");
    let record = folder.path().join("m.jsonl");
    let points = |name: &str| -> f64 {
        let games = games(&record);
        let games = games.iter().filter(|game| game["opening"]["name"] == name);
        games
            .map(|game| match game["winner"].as_str() {
                Some("A") => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            })
            .sum()
    };
    let rows: Vec<Vec<&str>> = out
        .lines()
        .filter(|line| line.starts_with("| sharp "))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 4, "{out}");
    let told: Vec<f64> = rows
        .iter()
        .map(|row| row[3].parse().expect("points"))
        .collect();
    let wanted: Vec<f64> = rows.iter().map(|row| points(row[1])).collect();
    assert_eq!(told, wanted, "{out}");
    assert!(told.is_sorted(), "{out}");

    let merge =
        |more: &[&str]| text(&vato(folder.path(), &[&["merge", "m.jsonl"], more].concat()).stdout);
    let csv = merge(&["--csv"]);
    let total: f64 = wanted.iter().sum();
    assert!(
        csv.lines()
            .any(|row| row.contains(&format!(",A,{total},8,"))),
        "{csv}"
    );
    assert_eq!(merge(&["--csv", "--by-opening"]).lines().count(), 1 + 4);
    let json: Value = serde_json::from_str(&merge(&["--json"])).expect("JSON");
    assert_eq!(json["superiority"][0][1], json["figures"]["los"]);

    // A file is replaced each time.
    let more = [
        "--resume",
        "m.jsonl",
        "--games",
        "12",
        "--quiet",
        "--standings",
        "2",
        "--standings-file",
        "s.txt",
    ];
    let output = vato(folder.path(), &more);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    let standings = fs::read_to_string(folder.path().join("s.txt")).expect("standings");
    assert_eq!(standings.matches("match  ").count(), 1, "{standings}");
    assert!(
        standings.starts_with("match        A against B, 12 games"),
        "{standings}"
    );
    // Nothing else is.
    fs::write(folder.path().join("s.txt"), "a diary").expect("room");
    let output = vato(folder.path(), &more);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("s.txt: a file of another kind"), "{error}");
    // Names that would make hidden files, and an engine without a program.
    for (wrong, what) in [
        (["--out", "."], "expected the name of a file"),
        (["--out", "dir/"], "expected the name of a file"),
        (["--engine", "cmd="], "'cmd' is missing"),
    ] {
        let output = vato(folder.path(), &wrong);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(what), "{error}");
    }
}

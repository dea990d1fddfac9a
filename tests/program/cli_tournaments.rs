//! Tournaments in `vato match` as a person asks for them: arguments and files. How they are played is
//! tested in `tests/tournament/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

const VATO: &str = env!("CARGO_BIN_EXE_vato");

fn vato(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = crate::support::command_line::vato(&["match"]);
    let command = command.args(arguments).current_dir(folder);
    command.output().expect("the program starts")
}

/// The players, moves and result of each game of a record, by its number.
fn games(path: &Path) -> BTreeMap<u64, String> {
    let state = fs::read_to_string(path).expect("a record");
    let games = state.lines().skip(1).map(|line| {
        let game: Value = serde_json::from_str(line).expect(line);
        let moves = game["moves"].as_array().expect("moves");
        let moves: Vec<&Value> = moves.iter().map(|mv| &mv["move"]).collect();
        let players = [&game["white"], &game["black"], &game["result"]];
        let number = game["game"].as_u64().expect("a number");
        (number, format!("{players:?} {moves:?}"))
    });
    games.collect()
}

#[test]
fn what_is_wrong_with_a_tournament_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = format!("cmd={VATO},nodes=1");
    let engines =
        |count: usize| -> Vec<&str> { [["--engine", engine.as_str()]].repeat(count).concat() };
    for (count, arguments, code, wanted) in [
        (
            2,
            &["--format", "pyramid"][..],
            2,
            "invalid format 'pyramid'",
        ),
        (
            3,
            &["--format", "pairs"],
            2,
            "the format pairs has two engines, not 3",
        ),
        (
            3,
            &["--games", "3"],
            2,
            "invalid games '3': expected an even number",
        ),
        (3, &["--rounds", "0"], 2, "from 1"),
        (
            2,
            &["--rounds", "2"],
            2,
            "rounds: the format pairs has none; set --games",
        ),
        (
            3,
            &["--format", "knockout", "--rounds", "2"],
            2,
            "rounds: the format knockout has none",
        ),
        (
            3,
            &["--format", "riatra", "--games", "10"],
            2,
            "games: the format riatra has none",
        ),
        (
            2,
            &["--format", "riatra", "--openings", "start"],
            2,
            "its own five",
        ),
        (2, &["--format", "riatra", "--rules", "dimy"], 2, "9x5"),
        (
            2,
            &["--format", "vela", "--rules", "vela=white"],
            2,
            "White is the eater",
        ),
        (2, &["--format", "vela", "--round-games", "1"], 2, "from 2"),
        (
            3,
            &["--round-games", "4"],
            2,
            "round-games: the format roundrobin has none",
        ),
        (
            3,
            &["--extra-pairs", "4"],
            2,
            "extra-pairs: the format roundrobin has none",
        ),
        (
            4,
            &["--format", "swiss", "--rounds", "4"],
            2,
            "invalid rounds '4': expected at most 3: 4 engines are not to meet twice",
        ),
        (
            18,
            &["--format", "swiss", "--rounds", "10"],
            2,
            "invalid rounds '10': expected at most 9: with more than 16 engines it is not sure",
        ),
        (
            3,
            &["--games", "4294967294", "--rounds", "4294967295"],
            2,
            "more than 4294967295 games",
        ),
        (
            3,
            &["--format", "knockout", "--extra-pairs", "4294967295"],
            2,
            "more than 4294967295 games",
        ),
        (
            3,
            &["--format", "vela", "--rounds", "4294967295"],
            2,
            "more than 4294967295 games",
        ),
        (2, &["--anchor", "A=1"], 2, "two engines get no ratings"),
        (
            3,
            &["--anchor", "nobody=1"],
            2,
            "no engine is called 'nobody'; there are Vato",
        ),
        (3, &["--anchor", "A=much"], 2, "expected NAME=ELO"),
        (
            2,
            &["--shard", "3/2"],
            2,
            "invalid shard '3/2': expected NUMBER/COUNT",
        ),
        (
            4,
            &["--format", "swiss", "--shard", "1/2"],
            2,
            "cannot be played in parts",
        ),
        (
            3,
            &["--sprt", "elo0=0,elo1=5"],
            2,
            "sprt: expected two engines",
        ),
        (
            2,
            &["--format", "vela", "--sprt", "elo0=0,elo1=5"],
            2,
            "sprt: expected two engines",
        ),
        (257, &[], 2, "number of engines '257': expected 2 to 256"),
        (2, &["merge", "a.jsonl"], 2, "cannot be used with"),
        (0, &["merge"], 2, "required"),
        (0, &["merge", "none.jsonl"], 1, "none.jsonl"),
    ] {
        let output = vato(
            folder.path(),
            &[engines(count).as_slice(), arguments].concat(),
        );
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(wanted), "{arguments:?}: {error}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            0,
            "{arguments:?}"
        );
    }
}

/// Engines that always do the same, so that the same opening makes the same game.
fn deterministic(nodes: [u32; 2]) -> [String; 2] {
    nodes.map(|nodes| format!("name=N{nodes},cmd={VATO},nodes={nodes}"))
}

#[test]
fn velas_differ_from_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, other] = deterministic([60, 20]);
    let engines = ["--engine", &one, "--engine", &other];
    let arguments = [
        engines.as_slice(),
        &["--format", "vela", "--rules", "dimy", "--rounds", "6"],
        &["--seed", "1", "--json", "--out", "v"],
    ];
    let output = vato(folder.path(), &arguments.concat());
    assert!(output.status.success(), "{output:?}");
    let state = fs::read_to_string(folder.path().join("v.jsonl")).expect("a record");
    let games: Vec<Value> = state
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let velas: Vec<&Value> = games
        .iter()
        .filter(|game| game["rules"].is_string())
        .collect();
    let moves_of = |game: &Value| -> Vec<String> {
        let moves = game["moves"].as_array().expect("moves");
        moves.iter().map(|mv| mv["move"].to_string()).collect()
    };
    let games_of: BTreeSet<Vec<String>> = velas.iter().map(|game| moves_of(game)).collect();
    assert!(velas.len() >= 6, "{} velas", velas.len());
    assert_eq!(games_of.len(), velas.len(), "no vela is played twice");
    let beginnings: BTreeSet<Vec<String>> = velas
        .iter()
        .map(|game| moves_of(game)[..4].to_vec())
        .collect();
    // Only the other engine, in the other round of a pair, gives one with the same opening.
    assert!(2 * beginnings.len() >= velas.len(), "{beginnings:?}");

    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let places = result["ranking"]["places"].as_array().expect("places");
    let first = places.iter().find(|place| place["engine"] == 0);
    let figures = &first.expect("the first engine")["vela"];
    let sum = |kind: &str| -> u64 {
        let counts = figures[kind].as_object().expect(kind);
        counts.values().filter_map(Value::as_u64).sum()
    };
    assert_eq!(sum("normal") as usize, games.len() - velas.len());
    assert_eq!((sum("as_giver") + sum("as_eater")) as usize, velas.len());
}

#[test]
fn openings_that_two_engines_see_again_are_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, other] = deterministic([2, 1]);
    let engines = ["--engine", &one, "--engine", &other];
    for (number, (arguments, pairs)) in [
        ("--format swiss --games 4 --rounds 1", Some("2 pairs")),
        ("--format swiss --games 2 --rounds 1", None),
        ("--format knockout --extra-pairs 1", Some("up to 2 pairs")),
        ("--format knockout --extra-pairs 0", None),
        ("--format roundrobin --rounds 2", Some("2 pairs")),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("w{number}");
        let arguments = [
            engines.as_slice(),
            &["--rules", "telo", "--openings", "start", "--out", &name],
            &arguments.split(' ').collect::<Vec<&str>>(),
        ];
        let output = vato(folder.path(), &arguments.concat());
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        let wanted = pairs.map(|pairs| {
            format!("{pairs} of games between two engines from 1 opening: openings come again")
        });
        match wanted {
            Some(wanted) => {
                let wanted = format!("warning: {wanted}");
                assert!(
                    told.lines().any(|line| line.starts_with(&wanted)),
                    "{arguments:?}: {told}"
                );
            }
            None => assert!(!told.contains("come again"), "{arguments:?}: {told}"),
        }
    }
}

/// A file of settings says all that the command line says.
#[test]
fn a_tournament_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = |name: &str, nodes: u32| {
        format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\nnodes = {nodes}\n")
    };
    let text_of = [
        "format = \"gauntlet\"\ngames = 4\nrounds = 1\nanchor = \"B=1500\"\nrules = \"dimy\"\n",
        &engine("A", 50),
        &engine("B", 20),
        &engine("C", 1),
    ];
    fs::write(folder.path().join("set.toml"), text_of.concat()).expect("written");
    let output = vato(
        folder.path(),
        &["--config", "set.toml", "--out", "g", "--json", "--quiet"],
    );
    assert!(output.status.success(), "{output:?}");
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result["format"], "gauntlet");
    assert_eq!(result["games"], 8);
    assert_eq!(
        result["extent"],
        serde_json::json!({"done": 8, "total": 8, "unit": "games"})
    );
    assert_eq!(result["ratings"]["engines"][1]["elo"]["value"], 1500.0);
    assert_eq!(result["ratings"]["engines"][1]["bounds"], "given");
    assert!(result.get("tally").is_none(), "of two engines only");
    // The file that it writes makes the same tournament.
    let output = vato(
        folder.path(),
        &["--config", "g.toml", "--out", "h", "--concurrency", "1"],
    );
    assert!(output.status.success(), "{output:?}");
    let [one, two] = ["g.jsonl", "h.jsonl"].map(|name| games(&folder.path().join(name)));
    assert_eq!(one.len(), 8);
    assert_eq!(one, two);
    // Another format has its own numbers.
    let knockout = ["--config", "g.toml", "--format", "knockout", "--quiet"];
    let output = vato(folder.path(), &knockout);
    assert!(output.status.success(), "{output:?}");
    let warning = String::from_utf8_lossy(&output.stderr);
    let wanted = "--format knockout: games = 4 of the format gauntlet is not used";
    assert!(warning.contains(wanted), "{warning}");
}

/// The settings of three engines, with `text` in front.
fn three_engines(folder: &Path, text: &str) {
    let engine = |name: &str| format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\nnodes = 1\n");
    let text = [text.to_owned(), engine("A"), engine("B"), engine("C")].concat();
    fs::write(folder.join("set.toml"), text).expect("written");
}

/// Names stand in tables, lines and tags, and look like what they are there.
#[test]
fn names_that_would_break_what_they_stand_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |text: &str| {
        three_engines(folder.path(), text);
        vato(folder.path(), &["--config", "set.toml", "--out", "names"])
    };
    for name in ["A\\nmatch        forged", "", "  "] {
        let engine = format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\nnodes = 1\n");
        let output = run(&engine);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("engine 1: invalid name '"), "{error}");
    }
    let engine = format!("[[engine]]\nname = \"  D|x \"\ncmd = '{VATO}'\nnodes = 1\n");
    let output = run(&format!("rules = \"dimy\"\nevent = \" Bout \"\n{engine}"));
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("| D\\|x "), "{table}");
    let pgn = fs::read_to_string(folder.path().join("names.pgn")).expect("games");
    assert!(pgn.contains("[White \"D|x\"]"), "{pgn}");
    assert!(pgn.contains("[Event \"Bout\"]"), "{pgn}");
}

/// What a file says counts as long as its format is not changed, whether or not it names it.
#[test]
fn the_format_that_is_there_already_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    three_engines(folder.path(), "games = 4\nrules = \"dimy\"\n");
    for (arguments, games, warns) in [
        (&["--format", "roundrobin"][..], 12, false),
        (&["--format", "gauntlet"], 4, true),
        (&["--format", "gauntlet", "--games", "6"], 12, false),
    ] {
        let set = ["--config", "set.toml", "--json"];
        let output = vato(folder.path(), &[&set, arguments].concat());
        assert!(output.status.success(), "{output:?}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(result["games"], games, "{arguments:?}");
        let warning = String::from_utf8_lossy(&output.stderr);
        let warned = warning.contains("games = 4 of the format roundrobin is not used");
        assert_eq!(warned, warns, "{arguments:?}: {warning}");
    }
}

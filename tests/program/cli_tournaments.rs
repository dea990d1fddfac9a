//! Tournaments in `vato match` as a person asks for them: arguments and files. How they are played is
//! tested in `tests/tournament/`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::command_line::{Folder, VATO, object};
use crate::support::transcript;

/// The players, moves and result of each game of a record, by its number.
fn games(folder: &Folder, name: &str) -> BTreeMap<u64, String> {
    let games = folder.objects(name).into_iter().skip(1).map(|game| {
        let moves = game["moves"].as_array().expect("moves").iter();
        let moves: Vec<&Value> = moves.map(|mv| &mv["move"]).collect();
        let number = game["game"].as_u64().expect("a number");
        let players = [&game["white"], &game["black"], &game["result"]];
        (number, format!("{players:?} {moves:?}"))
    });
    games.collect()
}

#[test]
fn what_is_wrong_with_a_tournament_is_named() {
    let folder = Folder::new();
    transcript::check(&folder, "tournaments_refused");
    for (count, arguments, wanted) in [
        (
            18,
            "--format swiss --rounds 10",
            "invalid rounds '10': expected at most 9: with more than 16 engines it is not sure",
        ),
        (257, "", "number of engines '257': expected 2 to 256"),
    ] {
        let engines = "--engine nodes=1 ".repeat(count);
        let error = folder.stderr(&format!("match {engines} {arguments}"), 2);
        assert!(error.contains(wanted), "{error}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn openings_that_two_engines_see_again_are_warned_of() {
    for (arguments, pairs) in [
        ("--format swiss --games 4 --rounds 1", Some("2 pairs")),
        ("--format swiss --games 2 --rounds 1", None),
        ("--format knockout --extra-pairs 1", Some("up to 2 pairs")),
        ("--format knockout --extra-pairs 0", None),
        ("--format roundrobin --rounds 2", Some("2 pairs")),
    ] {
        let line = format!("match --each nodes=1 --rules telo --openings start {arguments}");
        let told = Folder::new().run(&line).success().err;
        let warnings: Vec<&str> = told
            .lines()
            .filter(|line| line.contains("come again"))
            .collect();
        let wanted = pairs.map(|pairs| {
            format!(
                "warning: {pairs} of games between two engines from 1 opening: openings come again"
            )
        });
        let is_it = |line: &&str| wanted.as_ref().is_some_and(|text| line.starts_with(text));
        assert!(warnings.iter().all(is_it), "{arguments}: {told}");
        assert_eq!(warnings.len(), pairs.iter().len(), "{arguments}: {told}");
    }
}

/// The settings of an engine.
fn engine(name: &str, nodes: u32) -> String {
    format!("[[engine]]\nname = \"{name}\"\ncmd = '{VATO}'\nnodes = {nodes}\n")
}

/// A file of settings says all that the command line says.
#[test]
fn a_tournament_from_a_file() {
    let folder = Folder::new();
    let settings =
        "format = \"gauntlet\"\ngames = 4\nrounds = 1\nanchor = \"B=1500\"\nrules = \"dimy\"\n";
    let engines = [engine("A", 50), engine("B", 20), engine("C", 1)].concat();
    folder.write("set.toml", settings.to_owned() + &engines);
    let first = folder.run("match --config set.toml --out g --json --quiet");
    let result = object(&first.success().out);
    assert_eq!(result["format"], "gauntlet");
    assert_eq!(result["games"], 8);
    let extent = json!({"done": 8, "total": 8, "unit": "games"});
    assert_eq!(result["extent"], extent);
    assert_eq!(result["ratings"]["engines"][1]["elo"]["value"], 1500.0);
    assert_eq!(result["ratings"]["engines"][1]["bounds"], "given");
    assert!(result.get("tally").is_none(), "of two engines only");
    // The file that it writes makes the same tournament.
    folder
        .run("match --config g.toml --out h --concurrency 1")
        .success();
    let [one, two] = ["g.jsonl", "h.jsonl"].map(|name| games(&folder, name));
    assert_eq!(one.len(), 8);
    assert_eq!(one, two);
}

/// The settings of three engines, with `text` in front.
fn three_engines(folder: &Folder, text: &str) {
    let engines = ["A", "B", "C"].map(|name| engine(name, 1)).concat();
    folder.write("set.toml", text.to_owned() + &engines);
}

/// Names stand in tables, lines and tags, and look like what they are there.
#[test]
fn names_that_would_break_what_they_stand_in() {
    let folder = Folder::new();
    let run = |text: &str| {
        three_engines(&folder, text);
        folder.run("match --config set.toml --out names")
    };
    let fourth = engine("  D|x ", 1);
    let table = run(&format!("rules = \"dimy\"\nevent = \" Bout \"\n{fourth}"));
    let table = table.success().out;
    assert!(table.contains("| D\\|x "), "{table}");
    let pgn = folder.read("names.pgn");
    assert!(pgn.contains("[White \"D|x\"]"), "{pgn}");
    assert!(pgn.contains("[Event \"Bout\"]"), "{pgn}");
}

/// What a file says counts as long as its format is not changed, whether or not it names it.
#[test]
fn the_format_that_is_there_already_changes_nothing() {
    let folder = Folder::new();
    three_engines(&folder, "games = 4\nrules = \"dimy\"\n");
    for (arguments, games, warns) in [
        ("--format roundrobin", 12, false),
        ("--format gauntlet", 4, true),
        ("--format gauntlet --games 6", 12, false),
    ] {
        let run = folder.run(&format!("match --config set.toml --json {arguments}"));
        let run = run.success();
        assert_eq!(object(&run.out)["games"], games, "{arguments}");
        let warned = run
            .err
            .contains("games = 4 of the format roundrobin is not used");
        assert_eq!(warned, warns, "{arguments}: {run:?}");
    }
}

//! What `docs/` says of matches: the schemas of records and results, and the sample of settings.

use std::fs;

use serde_json::Value;
use vato_tools::tournament::settings::MatchSettings;

use crate::support::command_line::{Folder, VATO, object};
use crate::support::schema::{check, documents, schema};

/// Plays a match with these arguments and checks its record and its result.
fn play(name: &str, engines: usize, arguments: &str) -> Folder {
    let folder = Folder::new();
    let engines: String = ["A", "B", "C"][..engines]
        .iter()
        .map(|engine| format!("--engine name={engine},cmd={VATO},option.Hash=2 "))
        .collect();
    let played = folder
        .run(&format!(
            "match {engines} --each nodes=20 --json --quiet --out {name} {arguments}"
        ))
        .success();
    let [lines, result] = ["match-record.json", "match-result.json"].map(schema);
    let valid = |value: &Value, schema: &Value| check(value, schema, schema, name).expect(name);
    valid(&object(&played.out), &result);
    for mut line in folder.objects(&format!("{name}.jsonl")) {
        valid(&line, &lines);
        line["unknown"] = Value::Null;
        check(&line, &lines, &lines, name).expect_err("a key that the schema does not have");
    }
    let merged = folder.run(&format!("match merge --json {name}.jsonl"));
    valid(&object(&merged.out), &result);
    folder
}

#[test]
fn records_and_results_of_two_engines_are_as_their_schemas_say() {
    let more = "--sprt elo0=0,elo1=5 --resign score=1 --draw score=0.1 --openings random --plies 4 --start 2";
    play(
        "two",
        2,
        &format!("--games 4 --max-plies 20 --concurrency 2 {more}"),
    );
}

#[test]
fn records_and_results_of_tournaments_are_as_their_schemas_say() {
    play(
        "vela",
        3,
        "--format vela --rounds 1 --round-games 2 --max-plies 30 --anchor B=5",
    );
    play(
        "knockout",
        3,
        "--format knockout --max-plies 30 --openings riatra",
    );
    let folder = play("swiss", 3, "--format swiss --max-plies 30 --rules dimy");
    // Whose points are not all those of games.
    let csv = folder.stdout("match merge swiss.jsonl --csv");
    let heading = csv.lines().next().expect("headings");
    assert!(heading.contains(",Sonneborn-Berger,byes,elo,"), "{csv}");
    let byes = csv.lines().skip(1).map(|row| row.split(',').rev().nth(3));
    assert_eq!(byes.filter(|&byes| byes == Some("2")).count(), 2, "{csv}");
}

/// A sample that does not read is none.
#[test]
fn the_sample_of_settings_is_read() {
    let page = fs::read_to_string(documents().join("match.md")).expect("the page");
    let mut samples = page.split("```toml\n").skip(1);
    let sample = samples.next().and_then(|rest| rest.split("```").next());
    let settings: MatchSettings = toml::from_str(sample.expect("a sample")).expect("TOML");
    settings.validate().expect("settings that can be");
    assert!(samples.next().is_none(), "one sample");
    // It shows every key, but for those that exclude each other.
    let written: Value = serde_json::to_value(&settings).expect("JSON");
    let known = schema("match-record.json");
    let known = known["$defs"]["settings"]["properties"]
        .as_object()
        .expect("keys");
    let missing: Vec<&String> = known
        .keys()
        .filter(|key| written.get(key).is_none())
        .collect();
    assert_eq!(
        missing,
        ["anchor", "extra-pairs", "round-games", "rounds", "shard"]
    );
}

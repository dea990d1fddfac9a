//! What `docs/` says of matches: the schemas of records and results, and the sample of settings.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use vato::tournament::settings::MatchSettings;

const VATO: &str = env!("CARGO_BIN_EXE_vato");

/// Requires that `value` is what `schema`, a part of `root`, says. Of JSON Schema it knows what the schemas
/// here need.
fn check(value: &Value, schema: &Value, root: &Value, place: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{place}: {what}: {value}"));
    let keys = schema.as_object().expect("a schema is an object");
    for (key, wanted) in keys {
        match key.as_str() {
            "$ref" => {
                let name = wanted.as_str().and_then(|name| name.strip_prefix('#'));
                let target = name.and_then(|name| root.pointer(name));
                check(value, target.expect("a definition"), root, place)?;
            }
            "type" => {
                let is = |name: &Value| match name.as_str().expect("a name") {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("no type {other}"),
                };
                let fits = match wanted.as_array() {
                    Some(names) => names.iter().any(is),
                    None => is(wanted),
                };
                if !fits {
                    return wrong(&format!("expected {wanted}"));
                }
            }
            "enum" if !wanted.as_array().expect("values").contains(value) => {
                return wrong(&format!("expected one of {wanted}"));
            }
            "const" if wanted != value => return wrong(&format!("expected {wanted}")),
            "required" => {
                for name in wanted.as_array().expect("names") {
                    if value.get(name.as_str().expect("a name")).is_none() {
                        return wrong(&format!("{name} is missing"));
                    }
                }
            }
            "properties" | "additionalProperties" => {}
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, wanted, root, &format!("{place}/{index}"))?;
                }
            }
            "oneOf" => {
                let schemas = wanted.as_array().expect("schemas").iter();
                let errors: Vec<String> = schemas
                    .filter_map(|schema| check(value, schema, root, place).err())
                    .collect();
                if errors.len() + 1 != wanted.as_array().map_or(0, Vec::len) {
                    return Err(errors.join("; "));
                }
            }
            "enum" | "const" | "$schema" | "$defs" | "title" | "description" => {}
            other => panic!("'{other}' is not known here"),
        }
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{name}");
        let known = schema.get("properties").and_then(|all| all.get(name));
        match known.or(schema.get("additionalProperties")) {
            Some(Value::Bool(false)) => return Err(format!("{place}: not in the schema")),
            Some(schema) => check(part, schema, root, &place)?,
            None => {}
        }
    }
    Ok(())
}

fn documents() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs"))
}

fn schema(name: &str) -> Value {
    let text = fs::read_to_string(documents().join("schema").join(name)).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Plays a match with these arguments and checks its record and its result.
fn play(name: &str, engines: usize, arguments: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(VATO);
    command.arg("match").current_dir(folder.path());
    for engine in &["A", "B", "C"][..engines] {
        let engine = format!("name={engine},cmd=\"{VATO}\",option.Hash=2");
        command.args(["--engine", &engine]);
    }
    command.args(["--each", "nodes=20", "--json", "--quiet", "--out", name]);
    let output = command
        .args(arguments.split_whitespace())
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let [lines, result] = ["match-record.json", "match-result.json"].map(schema);
    let valid = |value: &Value, schema: &Value| check(value, schema, schema, name).expect(name);
    valid(
        &serde_json::from_slice(&output.stdout).expect("JSON"),
        &result,
    );
    let record = fs::read_to_string(folder.path().join(name).with_extension("jsonl"));
    for line in record.expect("a record").lines() {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        valid(&line, &lines);
        line["unknown"] = Value::Null;
        check(&line, &lines, &lines, name).expect_err("a key that the schema does not have");
    }
    let mut merge = Command::new(VATO);
    merge
        .args(["match", "merge", "--json"])
        .current_dir(folder.path());
    let output = merge
        .arg(format!("{name}.jsonl"))
        .output()
        .expect("it starts");
    valid(
        &serde_json::from_slice(&output.stdout).expect("JSON"),
        &result,
    );
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
    play("swiss", 3, "--format swiss --max-plies 30 --rules dimy");
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

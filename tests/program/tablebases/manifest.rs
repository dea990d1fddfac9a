//! What `vato tablebase verify` makes of manifests that do not fit their files.

use serde_json::{Value, json};

use super::set::Set;
use crate::support::command_line::run;

const NAME: &str = "manifest.json";

fn read(set: &Set) -> Value {
    serde_json::from_slice(&set.read(NAME)).expect("JSON")
}

fn write(set: &Set, manifest: &Value) {
    set.write(NAME, manifest.to_string().as_bytes());
}

#[test]
fn the_manifest_describes_the_files() {
    let set = Set::build("tsivy", 3);
    let manifest = read(&set);
    assert_eq!(manifest["rules"], format!("{:#}", set.rules()));
    let entries = manifest["slices"].as_array().expect("a list");
    let names: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["file"].as_str())
        .collect();
    assert_eq!(names, super::set::THREE_STONES);
    for entry in entries {
        let bytes = set.read(entry["file"].as_str().expect("a name"));
        assert_eq!(entry["bytes"], bytes.len());
        assert_eq!(entry["crc"], crc32fast::hash(&bytes));
    }
    let counts = ["wins", "draws", "losses", "longest"].map(|key| &entries[1][key]);
    assert_eq!(counts, [2_822, 12_766, 26_982, 29]);
}

#[test]
fn a_manifest_that_does_not_fit_is_reported() {
    let set = Set::build("tsivy", 3);
    let manifest = read(&set);
    for key in ["bytes", "crc", "wins", "draws", "losses", "longest"] {
        let mut changed = manifest.clone();
        let value = &mut changed["slices"][2][key];
        *value = json!(value.as_u64().expect("a number") + 1);
        write(&set, &changed);
        let said = set.complaints_of_verify();
        assert!(
            said.starts_with("2v1: the file differs from its entry in the manifest\n"),
            "{said}"
        );
        assert!(
            said.contains("error: 1 difference in 29040 values"),
            "{key}: {said}"
        );
    }
    let mut shorter = manifest.clone();
    shorter["slices"].as_array_mut().expect("a list").remove(0);
    write(&set, &shorter);
    assert!(
        set.complaints_of_verify()
            .starts_with("1v1: not in the manifest\n")
    );
    write(&set, &manifest);
    set.expect_right();
}

#[test]
fn files_that_are_missing_are_reported() {
    let set = Set::build("tsivy", 3);
    // Those of most stones: no capture leads to them.
    set.remove("1v2.vtb");
    set.remove("2v1.vtb");
    let missing = format!("error: {}: the slice 1v2 is missing\n", set.text());
    assert_eq!(set.complaints_of_verify(), missing);
    let folder = set.text();
    for command in [
        format!("info {folder}"),
        format!("probe --dir {folder} --fen '9/9/3b5/9/w7w w 0 2'"),
    ] {
        let run = run(&format!("tablebase {command}"));
        assert_eq!((run.code, run.err), (Some(1), missing.clone()), "{command}");
    }
}

/// Every file has the rules, too.
#[test]
fn without_a_manifest_the_rules_are_known() {
    let set = Set::build("dimy", 3);
    set.remove(NAME);
    set.expect_right();
}

#[test]
fn a_manifest_that_does_not_read_is_named() {
    let set = Set::build("tsivy", 3);
    let whole = set.read(NAME);
    let path = set.file(NAME);
    let path = path.to_str().expect("UTF-8");
    let changed = |from: &str, to: &str| String::from_utf8_lossy(&whole).replace(from, to);
    let texts = [
        b"".to_vec(),
        b"{".to_vec(),
        b"[]".to_vec(),
        b"{\"rules\": 3, \"slices\": []}".to_vec(),
        b"\xff\xfe".to_vec(),
        vec![b'['; 100_000],
        changed("1v1\"", "0v1\"").into_bytes(),
        changed("592", "-592").into_bytes(),
    ];
    for text in texts {
        set.write(NAME, &text);
        let said = set.complaints_of_verify();
        assert!(said.starts_with(&format!("error: {path}: ")), "{said}");
    }
}

#[test]
fn a_manifest_of_other_rules_is_reported() {
    let set = Set::build("tsivy", 3);
    for (rules, told) in [
        ("chain=full", "1v1.vtb: made for other rules: board=9x5"),
        ("chess", "chess"),
        ("tie=count", "no tablebases for tie=count"),
    ] {
        let mut manifest = read(&set);
        manifest["rules"] = json!(rules);
        write(&set, &manifest);
        let said = set.complaints_of_verify();
        assert!(said.contains(told), "{said}");
    }
}

//! What the README says of presets, settings and commands is right, and its links lead somewhere.

use std::process::{Command, Stdio};

use serde_json::Value;
use vato::rules::Preset;

use crate::support::readme::{README, blocks, commands};

#[test]
fn the_first_two_commands_build_analyse_and_test() {
    let commands: Vec<String> = commands()
        .into_iter()
        .map(|(command, _)| command)
        .filter(|command| command.starts_with("cargo "))
        .collect();
    assert_eq!(
        commands,
        [
            "cargo run --release -- analyse --depth 12",
            "cargo test",
            "cargo install --path ."
        ]
    );
    // The script of the continuous integration runs the same tests.
    let script = include_str!("../../.ci/run");
    assert!(script.lines().any(|line| line == "cargo test"));
}

#[test]
fn the_table_of_presets_is_right() {
    let rows: Vec<(String, String)> = README
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(|cell| cell.trim()).collect();
            (cells[1].replace('`', ""), cells[2].replace('`', ""))
        })
        .collect();
    let presets: Vec<(String, String)> = Preset::ALL
        .into_iter()
        .filter_map(|preset| Some((preset.name().to_owned(), preset.rules()?.to_string())))
        .collect();
    assert_eq!(rows, presets);
}

/// The settings for a tournament manager are JSON, and their options are the engine's.
#[test]
fn the_settings_for_a_manager_are_right() {
    let blocks = blocks();
    let block = blocks
        .iter()
        .find(|block| block.language == "json")
        .expect("settings");
    let settings: Value = serde_json::from_str(&block.text).expect("JSON");
    let mut engine = Command::new(env!("CARGO_BIN_EXE_vato"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"ugi\nquit\n").expect("it reads");
    let output = engine.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let options = settings["options"].as_object().expect("options");
    assert!(!options.is_empty());
    for name in options.keys() {
        let declaration = format!("option name {name} type ");
        assert!(answers.contains(&declaration), "{name}: {answers}");
    }
}

/// Everything that people read.
const DOCUMENTS: [&str; 5] = [
    "README.md",
    "CONTRIBUTING.md",
    "protocol.md",
    "docs/architecture.md",
    "bench/RESULTS.md",
];

/// What a link can lead to in a document: its headings as GitHub names them, lower case with hyphens.
fn anchors(document: &str) -> Vec<String> {
    // Between fences, `#` begins comments.
    let outside = document.split("\n```").step_by(2);
    let headings = outside.flat_map(str::lines).filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len()).then(|| text.trim())
    });
    headings
        .map(|heading| {
            let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            let kept = heading.chars().filter(kept);
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in DOCUMENTS {
        let path = root.join(name);
        let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("a document");
        for link in read(&path).split("](").skip(1) {
            let target = link.split(')').next().expect("a split has a first part");
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => path.clone(),
                _ => path.with_file_name(file),
            };
            assert!(path.is_file(), "{name}: {target}");
            let is_there = anchor.is_empty() || anchors(&read(&path)).iter().any(|it| it == anchor);
            assert!(is_there, "{name}: {target}");
        }
    }
}

#[test]
fn files_that_are_named_are_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["CONTRIBUTING.md", "docs/architecture.md"] {
        let text = std::fs::read_to_string(root.join(name)).expect("a document");
        let quoted = text.split('`').skip(1).step_by(2);
        for file in quoted.filter(|text| {
            let folders = ["src/", "tests/", "bench/", ".ci/"];
            folders.iter().any(|folder| text.starts_with(folder))
        }) {
            assert!(root.join(file).exists(), "{name}: {file}");
        }
    }
}

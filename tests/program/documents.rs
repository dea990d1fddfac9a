//! What README and docs say of presets, settings and commands is right, and their links lead somewhere.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use vato_engine::rules::Preset;

use crate::support::command_line::{is_there, stdout};
use crate::support::documents::{blocks, commands, pages, read, readme};
use crate::support::schema;

/// All tests but the slow ones, those of what the default build leaves out among them.
const TESTS: &str = "cargo test --workspace --features lab";

#[test]
fn the_first_two_commands_build_analyse_and_test() {
    let commands = commands(&readme());
    let cargo: Vec<&str> = commands
        .iter()
        .map(|command| &*command.line)
        .filter(|line| line.starts_with("cargo "))
        .collect();
    assert_eq!(
        cargo,
        [
            "cargo run --release -- analyse --depth 4 | tail -n 3",
            TESTS
        ]
    );
    // The script of the continuous integration runs the same tests.
    let script = include_str!("../../.ci/run");
    assert!(script.lines().any(|line| line == TESTS));
}

#[test]
fn the_readme_is_short() {
    let readme = readme();
    for line in readme.lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
    assert!(!readme.contains("<details"));
}

/// Marked as long are only commands whose arguments the program understands.
#[test]
fn long_commands_are_parsed() {
    // For what is redirected to a file.
    let folder = tempfile::tempdir().expect("a folder");
    let mut parsed = 0;
    for page in pages() {
        for command in commands(&read(&page)).iter().filter(|command| command.long) {
            let arguments = command.line.strip_prefix("vato ");
            let Some(arguments) = arguments.filter(|words| is_there(words)) else {
                continue;
            };
            let output = Command::new("sh")
                .args([
                    "-c",
                    &format!("{} {arguments} --help", env!("CARGO_BIN_EXE_vato")),
                ])
                .current_dir(&folder)
                .output()
                .expect("a shell");
            assert!(output.status.success(), "{}: {output:?}", command.line);
            parsed += 1;
        }
    }
    assert!(parsed > 0);
}

#[test]
fn the_table_of_presets_is_right() {
    let presets: Vec<(String, String)> = Preset::ALL
        .into_iter()
        .filter_map(|preset| Some((preset.name().to_owned(), preset.rules()?.to_string())))
        .collect();
    let page = read(&schema::documents().join("rules.md"));
    let table = page
        .lines()
        .skip_while(|line| !line.starts_with("| preset |"));
    let rows: Vec<(String, String)> = table
        .skip(2)
        .take_while(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(|cell| cell.trim()).collect();
            (cells[1].replace('`', ""), cells[2].replace('`', ""))
        })
        .collect();
    assert_eq!(rows, presets);
}

/// What is to be put into files of others is JSON.
/// In a turn no step goes in the direction of the step before, and none to a point where the stone was.
#[test]
fn turns_of_several_steps_can_be_played() {
    let helps = ["analyse --help", "play --help"].map(stdout);
    let texts = documents().into_iter().map(|page| read(&page));
    let text = texts.chain(helps).collect::<Vec<_>>().join("\n");
    let mut found = 0;
    for word in text.split(|character: char| !character.is_ascii_alphanumeric() && character != '-')
    {
        let Some(points) = points(word).filter(|points| points.len() > 2) else {
            continue;
        };
        let direction = |pair: &[[u8; 2]]| [0, 1].map(|at| pair[1][at].cmp(&pair[0][at]));
        let directions: Vec<_> = points.windows(2).map(direction).collect();
        assert!(
            directions.windows(2).all(|pair| pair[0] != pair[1]),
            "{word}"
        );
        let different: HashSet<_> = points.iter().collect();
        assert_eq!(different.len(), points.len(), "{word}");
        found += 1;
    }
    assert!(found > 10, "{found}");
}

/// The points of a turn that captures: `d5`, `d4`, `c5` of `d5-d4A-c5W`.
fn points(word: &str) -> Option<Vec<[u8; 2]>> {
    let (from, steps) = word.split_once('-')?;
    let steps: Option<Vec<&str>> = (steps.split('-'))
        .map(|step| step.strip_suffix(['A', 'W']))
        .collect();
    let point = |text: &str| match *text.as_bytes() {
        [file @ b'a'..=b'i', rank @ b'1'..=b'5'] => Some([file, rank]),
        _ => None,
    };
    [from].into_iter().chain(steps?).map(point).collect()
}

#[test]
fn json_is_json() {
    for page in pages() {
        let blocks = blocks(&read(&page));
        for block in blocks.iter().filter(|block| block.info == "json") {
            let parsed = serde_json::from_str::<Value>(&block.text);
            assert!(parsed.is_ok(), "{}: {}", page.display(), block.text);
        }
    }
}

/// The settings for a tournament manager are JSON, and their options are the engine's.
#[test]
fn the_settings_for_a_manager_are_right() {
    let blocks = blocks(&read(&schema::documents().join("match.md")));
    let block = blocks
        .iter()
        .find(|block| block.info == "json" && block.text.contains("\"game\""))
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
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let others = ["CONTRIBUTING.md", "protocol.md", "bench/RESULTS.md"];
    pages()
        .into_iter()
        .chain(others.map(|name| root.join(name)))
        .collect()
}

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
    for page in documents() {
        let text = read(&page);
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().expect("a split has a first part");
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.clone(),
                _ => page.with_file_name(file),
            };
            let place = page.display();
            assert!(path.is_file(), "{place}: {target}");
            let is_there = anchor.is_empty() || anchors(&read(&path)).iter().any(|it| it == anchor);
            assert!(is_there, "{place}: {target}");
        }
    }
}

/// Every page of `docs/` is linked from the README.
#[test]
fn all_pages_are_found() {
    let readme = readme();
    for page in &pages()[1..] {
        let name = page.file_name().expect("a file").to_string_lossy();
        assert!(readme.contains(&format!("(docs/{name})")), "{name}");
    }
}

#[test]
fn files_that_are_named_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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

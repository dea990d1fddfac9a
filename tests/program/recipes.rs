//! The recipes of docs/match.md: each starts all parts of a test and brings it to its verdict, with a script in the
//! place of the tool, which does the same with the same command line.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::command_line::{Folder, Run, VATO};
use crate::support::documents::{blocks, read};

/// The number of parts that stands in the recipes, and the one here.
const PARTS: [&str; 2] = ["100", "4"];

/// A test that is decided after some games.
const TEST: &str = r#"
openings = "sharp"
concurrency = 1
sprt = { elo0 = 0.0, elo1 = 100.0 }
[[engine]]
name = "A"
cmd = "vato"
nodes = 300
option.Hash = 1
[[engine]]
name = "B"
cmd = "vato"
nodes = 5
option.Hash = 1
"#;

/// The machine is this one; the output is held until the command ends.
const SSH: &str = r#"[ "$1" = -f ] || exit 1
{ sh -c "$3"; echo over; } &"#;

const SLURM: &str = r#"for word; do case $word in --array=1-*) parts=${word#--array=1-};; esac; done
for part in $(seq $parts); do SLURM_ARRAY_TASK_ID=$part sh -c "$word" & done; wait"#;

fn page() -> String {
    read(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/match.md"
    )))
}

/// The recipe that has these words, for as many parts as there are here.
fn recipe(words: &str) -> String {
    let blocks = blocks(&page());
    let recipes = blocks.iter().filter(|block| block.info == "sh recipe");
    let mut found = recipes.filter(|block| block.text.contains(words));
    let text = &found.next().expect(words).text;
    assert!(found.next().is_none(), "{words}: one recipe");
    assert!(text.lines().count() <= 5, "{text}");
    text.replace(PARTS[0], PARTS[1])
}

/// Runs a script in a folder with the test, in which `tool` is a script too, and checks that all parts were played.
fn play(script: &str, (tool, text): (&str, &str)) {
    let folder = Folder::new();
    folder.write("test.toml", TEST);
    folder.write("part.sh", recipe("vato match"));
    folder.write("hosts", "a\nb\nc\nd\n");
    fs::create_dir(folder.path("bin")).expect("a folder");
    let name = format!("bin/{tool}");
    folder.write(&name, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(folder.path(&name), Permissions::from_mode(0o755)).expect("ours");
    let programs = Path::new(VATO).parent().expect("a folder");
    let path = env::var("PATH").unwrap_or_default();
    let run = |script| {
        let bin = folder.name("bin");
        Run::of(
            Command::new("sh")
                .args(["-c", script])
                .env("PATH", format!("{bin}:{}:{path}", programs.display()))
                .current_dir(folder.path("")),
        )
        .success()
        .out
    };
    let merge = "ls all/part-*.jsonl | wc -l; vato match merge all/part-*.jsonl";
    run(script);
    let said = run(merge);
    assert!(said.contains("(the test is decided)"), "{said}");
    assert_eq!(said.lines().next().map(str::trim), Some(PARTS[1]), "{said}");
    // Each goes on where it was: it is over.
    run(script);
    assert_eq!(run(merge), said);
}

#[test]
fn ssh_starts_all_parts() {
    play(&recipe("ssh -f"), ("ssh", SSH));
}

#[test]
fn slurm_starts_all_parts() {
    play(&recipe("sbatch"), ("sbatch", SLURM));
}

//! The bot of docs/scripting.md against an imitation of AbstractPlay, which is a script beside this file.

use std::process::Command;

use crate::support::command_line::{Folder, Run, VATO};

#[test]
fn the_bot_plays_at_an_imitation_of_abstractplay() {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = |name: &str| format!("{root}/{name}");
    let folder = Folder::new();
    let mut python = Command::new("python3");
    if let Err(error) = python.arg("--version").output() {
        println!("skipped, for python3 cannot be run: {error}");
        return;
    }
    let run = Run::of(
        Command::new("python3")
            .arg("-B")
            .arg(file("tests/program/abstractplay_bot.py"))
            .arg(file("docs/scripts/abstractplay_bot.py"))
            .arg(VATO)
            .arg(file("tests/data/games/abstractplay.json"))
            .arg(folder.path("")),
    );
    // The reason why it was skipped.
    print!("{}", run.success().out);
}

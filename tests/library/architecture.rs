//! Which room of the library uses which: the list at the head of `src/lib.rs`, held against the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Small things that any room may use, because they know none themselves.
const TOOLS: [&str; 8] = [
    "clock",
    "container",
    "files",
    "memory",
    "random",
    "stop",
    "sync",
    "text",
];

/// What the library may not do, for that is the command line's.
const FOR_THE_COMMAND_LINE: [&str; 8] = [
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "stdin()",
    "stdout()",
    "stderr()",
    "process::exit",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files of Rust at a path, those of folders below it included.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder that can be read");
        return entries
            .flat_map(|entry| files(&entry.expect("an entry").path()))
            .collect();
    }
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    is_rust.then(|| path.to_owned()).into_iter().collect()
}

/// The files of a room without those of its unit tests.
fn library(room: &str) -> Vec<PathBuf> {
    let folder = source().join(room);
    let all = files(&folder);
    let tests: BTreeSet<String> = all.iter().flat_map(|path| test_modules(path)).collect();
    let is_library = |path: &PathBuf| {
        let inside = path.with_extension("");
        let inside = inside.strip_prefix(&folder).expect("a file of the room");
        !inside
            .iter()
            .any(|part| part.to_str().is_some_and(|part| tests.contains(part)))
    };
    all.into_iter().filter(is_library).collect()
}

/// The modules of unit tests that a file declares.
fn test_modules(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file that can be read");
    let lines: Vec<&str> = text.lines().collect();
    lines
        .windows(2)
        .filter(|pair| pair[0] == "#[cfg(test)]")
        .filter_map(|pair| pair[1].strip_suffix(';')?.rsplit(' ').next())
        .map(str::to_owned)
        .collect()
}

/// The lines of a file without comments, up to its unit tests.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file that can be read");
    text.lines()
        .take_while(|line| *line != "mod tests {")
        .map(|line| line.split("//").next().unwrap_or_default().to_owned())
        .collect()
}

/// The rooms in their order, each with those that it uses, as `src/lib.rs` lists them.
fn listed() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(source().join("lib.rs")).expect("the library is there");
    let mut rooms: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        let uses = match line
            .strip_prefix(" - [`")
            .and_then(|item| item.split_once("`]: "))
        {
            Some((room, rest)) => {
                rooms.push((room.to_owned(), BTreeSet::new()));
                rest
            }
            None if line.starts_with("   ") => line,
            None => continue,
        };
        let (_, used) = rooms
            .last_mut()
            .expect("an item before what goes on with it");
        used.extend(uses.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    rooms
}

/// The rooms that a room uses, each with a place where it does.
fn used(room: &str) -> BTreeMap<String, String> {
    let mut used = BTreeMap::new();
    for path in library(room) {
        let is_top = path == source().join(room).join("mod.rs");
        for (number, line) in code(&path).iter().enumerate() {
            let goes_around = is_top && line.contains("super::");
            assert!(!goes_around, "{}: not by `crate::`", path.display());
            for (at, start) in line.match_indices("crate::") {
                let name: String = line[at + start.len()..]
                    .chars()
                    .take_while(|&character| character.is_ascii_lowercase() || character == '_')
                    .collect();
                let place = format!("{}:{}", path.display(), number + 1);
                assert!(!name.is_empty(), "{place}: name the room after `crate::`");
                if name != room && !TOOLS.contains(&name.as_str()) {
                    used.insert(name, place);
                }
            }
        }
    }
    used
}

#[test]
fn rooms_use_what_the_list_says_and_nothing_else() {
    for (room, listed) in listed() {
        let used = used(&room);
        for (name, place) in &used {
            assert!(
                listed.contains(name),
                "{place}: {room} uses {name}, but src/lib.rs says no"
            );
        }
        for name in &listed {
            assert!(
                used.contains_key(name),
                "src/lib.rs says {room} uses {name}, but it does not"
            );
        }
    }
}

#[test]
fn the_list_has_every_room_and_each_uses_only_those_before_it() {
    let mut before = BTreeSet::new();
    for (room, uses) in listed() {
        for name in uses {
            assert!(
                before.contains(&name),
                "{room} uses {name}, which does not come before it"
            );
        }
        before.insert(room);
    }
    let entries = fs::read_dir(source()).expect("a folder that can be read");
    let folders: BTreeSet<String> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .filter(|name| name != "cli" && !TOOLS.contains(&name.as_str()))
        .collect();
    assert_eq!(before, folders);
}

#[test]
fn only_the_command_line_prints_and_reads_standard_input() {
    for (room, _) in listed() {
        for path in library(&room) {
            for (number, line) in code(&path).iter().enumerate() {
                for what in FOR_THE_COMMAND_LINE {
                    assert!(
                        !line.contains(what),
                        "{}:{}: {what}",
                        path.display(),
                        number + 1
                    );
                }
            }
        }
    }
}

#[test]
fn tools_know_no_room() {
    let rooms = listed();
    for tool in TOOLS {
        let file = source().join(tool).with_extension("rs");
        let paths = if file.exists() {
            vec![file]
        } else {
            files(&source().join(tool))
        };
        for path in paths {
            for line in code(&path) {
                for (room, _) in &rooms {
                    let use_of_it = format!("crate::{room}");
                    assert!(!line.contains(&use_of_it), "{}: {line}", path.display());
                }
            }
        }
    }
}

//! Every command that is given files, and every option that names one, with what is no good file; disks that
//! take nothing; kills at random moments. `VATO_HUNT=N` tries everything, and kills N times as often.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command_line::{Folder, Run, VATO, Words, is_there, run};

/// How thorough the hunt is; 0 in a plain `cargo test`.
fn hunt() -> u32 {
    std::env::var("VATO_HUNT").map_or(0, |text| text.parse().expect("a number"))
}

/// The options and arguments of all commands that name files, from the completions for zsh: an argument is `FILE`.
fn named_files() -> BTreeSet<(String, String)> {
    let text = run("completions zsh").out;
    let mut found = BTreeSet::new();
    let (mut groups, mut group, mut next) = (Vec::new(), String::new(), None);
    let mut command = String::new();
    for line in text.lines().map(str::trim) {
        if let Some((_, rest)) = line.split_once(":vato-") {
            let names = rest.split_once("command-$line").map(|(names, _)| names);
            next = names.map(|names| names.replace('-', " "));
        } else if line.starts_with("case ") {
            groups.push(group.clone());
            group = next.take().unwrap_or(group);
        } else if line == "esac" {
            group = groups.pop().expect("a case before its end");
        } else if let Some(name) = line
            .strip_prefix('(')
            .and_then(|line| line.strip_suffix(')'))
        {
            command = format!("{group}{name}");
        } else if line.contains(":_files'") && !command.contains("help") {
            // '*--out=[…]:FILE:_files', '(--fen)--pgn=[…]', ':file -- …', '*::files -- …'
            let is_argument = line.trim_start_matches(['\'', '*']).starts_with(':');
            let head = line.split("=[").next().unwrap_or_default();
            let name = match head.rsplit_once("--") {
                Some((_, name)) if !is_argument => format!("--{name}"),
                _ => "FILE".to_owned(),
            };
            found.insert((command.clone(), name));
        }
    }
    // Those that may also be a name known to the program.
    for (command, name) in [("match", "--openings"), ("suite", "FILE")] {
        found.insert((command.to_owned(), name.to_owned()));
    }
    found
}

/// A short run of a command in a folder with good files, into which `@` may be put; `None` for a command that is not
/// known here.
fn short_run(command: &str) -> Option<&'static str> {
    Some(match command {
        "analyse" => "--nodes 10",
        "bench" => "--depth 1",
        "data convert" => "a.data --out new",
        "data merge" => "a.data --out new",
        "games find" => "a.pgn --material 2v2",
        "games filter" => "all a.pgn",
        "games tree" => "a.pgn",
        "gui" => "--no-open --port 0",
        "match" => {
            "--engine name=A,cmd=VATO,nodes=1 --engine name=B,cmd=VATO,nodes=1 --games 2 --out new --max-plies 2"
        }
        "match merge" | "solve verify" => "a.none",
        "openings" => "--count 1 --depth 1 --plies 4",
        "selfplay" => "--games 1 --nodes 10 --out new",
        "solve" => "--rules board=3x3",
        "solve strategy" => "a.none --out new",
        "suite" => "--nodes 1",
        "tablebase dump" => "--rules board=3x3 --slice 1v1",
        "tablebase build" => "--stones 2 --rules board=3x3 --out new",
        "train" => "--data a.data --out new --epochs 1 --validation 0.3",
        "data info" | "data show" | "diagram" | "games check" | "games import" | "games stats"
        | "pgn check" | "play" | "tablebase info" | "tablebase probe" | "tablebase verify" => "",
        _ => return None,
    })
}

/// What is no file for these: they begin the names of files, name a folder that is made, or are looked at later
/// or not in such a short run.
const NO_FILE: [(&str, &str); 9] = [
    ("games filter", "--out"),
    ("gui", "--tablebases"), // opened with the first search
    ("match", "--log"),
    ("match", "--out"),
    ("match merge", "--out"),
    ("solve", "--certificate"),
    ("solve strategy", "--tablebases"),
    ("solve verify", "--tablebases"),
    ("tablebase build", "--out"),
];

/// Runs the program, for ten seconds at most in `folder`: its exit code and what it says.
fn ended(folder: &Folder, words: &(impl Words + ?Sized)) -> (Option<i32>, String) {
    let mut command = folder.vato(words);
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let begun = Instant::now();
    // Far more than any of them takes: a command that waits does so for ever.
    while child.try_wait().expect("it can be asked").is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it runs");
            panic!("{:?} hangs", words.words());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let run = Run::end_of(child);
    (run.code, run.err)
}

fn good_files() -> Folder {
    let folder = Folder::new();
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. f2-e3A *\n";
    folder.write("a.pgn", game);
    folder.write("a.fen", "9/9/9/6b2/w2b3w1 w 0 40\n");
    let line = "selfplay --games 20 --nodes 10 --threads 1 --out a.data";
    assert!(!is_there(line) || ended(&folder, line).0 == Some(0));
    folder
}

#[test]
fn what_is_no_file_is_an_error_and_stays() {
    let folder = good_files();
    let junk: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    fs::create_dir(folder.path("folder")).expect("room");
    let made = Command::new("mkfifo").arg(folder.path("fifo")).status();
    assert!(made.expect("mkfifo runs").success());
    let all = "junk fifo folder /dev/zero /dev/full no/such";
    let all: Vec<&str> = all.split(' ').collect();
    let bad = if hunt() > 0 { &all[..] } else { &all[..2] };
    let found = named_files();
    assert!(found.len() > 50, "{found:?}");
    for (command, option) in &found {
        let Some(rest) = short_run(command) else {
            panic!("how is 'vato {command}' run for a moment?");
        };
        if NO_FILE.contains(&(command.as_str(), option.as_str())) {
            continue;
        }
        for &bad in bad {
            if hunt() == 0 && option == "FILE" && bad == "junk" {
                continue;
            }
            folder.write("junk", &junk);
            let mut words: Vec<&str> = command.split(' ').collect();
            let rest = rest.replace("VATO", VATO);
            words.extend(rest.split(' ').filter(|word| !word.is_empty()));
            match words.iter().position(|word| word == option) {
                Some(place) => words[place + 1] = bad,
                None if option == "FILE" => {
                    let is_good = |word: &&str| word.starts_with("a.");
                    match words.iter().position(is_good) {
                        Some(place) => words[place] = bad,
                        None => words.push(bad),
                    }
                }
                None => words.extend([option.as_str(), bad]),
            }
            if option == "--resume" {
                words.truncate(1);
                words.extend(["--resume", bad]);
            }
            words.extend(match (command.as_str(), option.as_str()) {
                ("analyse", "--pgn-out" | "--html") => &["--pgn", "a.pgn"][..],
                ("analyse", "--out") => &["--fens", "a.fen"],
                ("tablebase probe", _) => &["--rules", "board=3x3", "--fen", "3/3/wb1 w"],
                _ => &[],
            });
            let (code, said) = ended(&folder, &words);
            // Any bytes are a file of games, all of them wrong.
            let may_pass = bad == "junk" && command.starts_with("games");
            assert!(
                matches!(code, Some(1 | 2)) || may_pass,
                "{words:?}: {code:?} {said}"
            );
            assert!(
                said.contains(bad) || bad == "junk" && command.ends_with("check"),
                "{words:?}: {said}"
            );
            assert!(!said.contains("panicked"), "{words:?}: {said}");
            let is_same = folder.bytes("junk") == junk;
            assert!(is_same, "{words:?} has changed a file of another kind");
            let pipe = fs::metadata(folder.path("fifo")).expect("it stays");
            assert!(pipe.file_type().is_fifo() && folder.path("folder").is_dir());
            for name in folder.names().iter().filter(|name| name.starts_with("new")) {
                let path = folder.path(name);
                let removed = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                removed.expect("it can be removed");
            }
        }
    }
}

/// A process that may write no byte to a file, as on a full disk: nothing is left that was not there, and what was
/// there stays.
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let folder = good_files();
    let contents = || {
        let names = folder.names();
        let bytes = |name: &String| folder.bytes(name);
        names
            .iter()
            .map(bytes)
            .zip(names.clone())
            .collect::<Vec<_>>()
    };
    let before = contents();
    for words in [
        "selfplay --games 2 --nodes 10 --out new",
        "selfplay --games 30 --nodes 10 --threads 1 --out a.data",
        "openings --count 1 --depth 1 --plies 4 --out new",
        "analyse --nodes 10 --fens a.fen --json --out new",
        "analyse --nodes 10 --pgn a.pgn --pgn-out new",
        "analyse --nodes 10 --pgn a.pgn --html new",
        "data merge a.data --out new",
        "diagram --out new.svg",
        "games filter all a.pgn --split White --out new",
    ]
    .into_iter()
    .filter(|words| is_there(words))
    {
        let command = folder.vato(words);
        let variables = command.get_envs();
        let run = Run::of(
            Command::new("sh")
                .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", VATO])
                .args(words.split(' '))
                .envs(variables.filter_map(|(name, value)| Some((name, value?))))
                .current_dir(folder.path("")),
        );
        assert_eq!(run.code, Some(1), "{words}: {run:?}");
        assert!(run.err.contains("cannot write"), "{words}: {run:?}");
        assert!(contents() == before, "{words}: {:?}", folder.names());
    }
}

/// Where locks do not exist nothing is locked, and nothing stays behind that keeps the same command from working.
#[test]
fn file_systems_without_locks_are_written_to() {
    let folder = good_files();
    let library = folder.path("no_locks.so");
    let source = "unsafe extern \"C\" { fn __errno_location() -> *mut i32; }\n\
                  #[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 {\n\
                  unsafe { *__errno_location() = 37; } -1 }\n";
    folder.write("no_locks.rs", source);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .args([&library, &folder.path("no_locks.rs")])
        .output();
    if !cfg!(target_os = "linux") || !made.is_ok_and(|made| made.status.success()) {
        return; // no compiler here
    }
    for words in [
        "openings --count 1 --depth 1 --plies 4 --out new.fen",
        "analyse --nodes 10 --pgn a.pgn --pgn-out new.pgn",
        "selfplay --games 1 --nodes 10 --out new.data",
        "train --data a.data --epochs 1 --validation 0.3 --out new.net",
    ]
    .into_iter()
    .filter(|words| is_there(words))
    {
        Run::of(folder.vato(words).env("LD_PRELOAD", &library)).success();
        let name = words.split(' ').next_back().expect("a name");
        assert!(!folder.bytes(name).is_empty(), "{words}");
        assert!(!folder.names().iter().any(|name| name.ends_with(".lock")));
    }
}

/// What a file says that does not depend on the time.
fn told(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("it is there");
    if path.extension().is_none_or(|extension| extension != "json") {
        return bytes;
    }
    let line = |line: &str| {
        let mut object: Value = serde_json::from_str(line).expect("an object");
        for time in ["seconds", "nps", "time", "time_ms"] {
            object.as_object_mut().expect("an object").remove(time);
        }
        object.to_string() + "\n"
    };
    let text = String::from_utf8(bytes).expect("UTF-8");
    text.lines().map(line).collect::<String>().into_bytes()
}

/// Killed at random moments and begun again, every command comes to what it comes to when it is left alone.
#[test]
fn what_was_killed_comes_to_the_same_end() {
    let folder = good_files();
    let many = "9/9/9/6b2/w2b3w1 w 0 40\n9/2b6/3b5/9/w3w3w b 0 2\n".repeat(25);
    folder.write("many.fen", many);
    let mut state = 0x9e37_79b9_u64;
    let mut random = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    let line = "selfplay --games 60 --nodes 10 --threads 1 --out t.data";
    assert!(!is_there(line) || ended(&folder, line).0 == Some(0));
    for (words, thorough) in [
        (
            "selfplay --games 8 --nodes 200 --threads 1 --out data",
            false,
        ),
        ("openings --count 40 --depth 5 --plies 6 --out fen", false),
        (
            "analyse --nodes 3000 --fens many.fen --json --out json",
            false,
        ),
        (
            "train --data t.data --epochs 6 --batch 128 --validation 0.2 --out net",
            true,
        ),
    ] {
        if thorough && hunt() == 0 || !is_there(words) {
            continue;
        }
        let (words, end) = words.rsplit_once(' ').expect("an ending");
        let begun = Instant::now();
        let (code, said) = ended(&folder, &format!("{words} whole.{end}"));
        assert_eq!(code, Some(0), "{words}: {said}");
        let took = begun.elapsed().as_millis() as u64;
        for round in 0..hunt().max(1) {
            let killed = format!("killed{round}.{end}");
            let all = format!("{words} {killed}");
            for _ in 0..2 {
                let mut command = folder.vato(&all);
                let command = command.stdout(Stdio::null()).stderr(Stdio::null());
                let mut running = command.spawn().expect("it starts");
                std::thread::sleep(Duration::from_millis(random(took.max(1))));
                let _ = running.kill();
                running.wait().expect("it ends");
            }
            let (code, said) = ended(&folder, &all);
            assert_eq!(code, Some(0), "{all}: {said}");
            let same = told(&folder.path(&killed)) == told(&folder.path(&format!("whole.{end}")));
            assert!(same, "{all} after kills is not as without");
        }
    }
}

//! Every command that is given files, and every option that names one, with what is no good file; disks that
//! take nothing; kills at random moments. `VATO_HUNT=N` tries everything, and kills N times as often.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command_line::{run, vato};

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
    for (command, name) in [
        ("match", "--openings"),
        ("tune", "--openings"),
        ("suite", "FILE"),
    ] {
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
        "book build" => "--out new --nodes 1 --plies 1 --positions 1",
        "book probe" => "a.book",
        "data convert" => "a.data --out new",
        "data merge" | "data shuffle" => "a.data --out new",
        "games find" => "a.pgn --material 2v2",
        "games sort" => "a.pgn --by Date",
        "games split" => "a.pgn --by White --out new",
        "games tree" => "a.pgn",
        "gui" => "--no-open --port 0",
        "match" => {
            "--engine name=A,cmd=VATO,nodes=1 --engine name=B,cmd=VATO,nodes=1 --games 2 --out new --max-plies 2"
        }
        "match merge" | "solve verify" => "a.none",
        "openings" => "--count 1 --depth 1 --plies 4",
        "selfplay" => "--games 1 --nodes 10 --out new",
        "solve" => "--rules board=3x3",
        "stats" => "--games 1",
        "suite" => "--nodes 1",
        "tablebase build" => "--stones 2 --rules board=3x3 --out new",
        "train" => "--data a.data --out new --epochs 1 --validation 0.3",
        "tune" => "--parameters reverse_futility_margin --iterations 1 --out new",
        "book export" | "book info" | "data info" | "data show" | "diagram" | "games check"
        | "games dedupe" | "games filter" | "games index" | "games merge" | "games stats"
        | "man" | "pgn check" | "play" | "tablebase info" | "tablebase probe"
        | "tablebase verify" => "",
        _ => return None,
    })
}

/// What is no file for these: they begin the names of files, name a folder that is made, or are looked at later
/// or not in such a short run.
const NO_FILE: [(&str, &str); 10] = [
    ("book probe", "--tablebases"), // with certificates only
    ("games split", "--out"),
    ("gui", "--tablebases"), // opened with the first search
    ("match", "--log"),
    ("match", "--out"),
    ("match merge", "--out"),
    ("solve", "--certificate"),
    ("solve verify", "--tablebases"), // after the certificate
    ("tablebase build", "--out"),
    ("tune", "--out"),
];

/// Runs the program, for ten seconds at most in `folder`: its exit code and what it says.
fn ended(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut child = vato(words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    // Far more than any of them takes: a command that waits does so for ever.
    while child.try_wait().expect("it can be asked").is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it runs");
            panic!("{words:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut said).expect("UTF-8");
    (child.wait().expect("it has ended").code(), said)
}

fn good_files(folder: &Path) {
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. f2-e3A *\n";
    fs::write(folder.join("a.pgn"), game).expect("room");
    fs::write(folder.join("a.fen"), "9/9/9/6b2/w2b3w1 w 0 40\n").expect("room");
    for words in [
        "selfplay --games 20 --nodes 10 --threads 1 --out a.data",
        "book build --nodes 10 --plies 1 --positions 1 --out a.book",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!(ended(folder, &words).0, Some(0), "{words:?}");
    }
}

#[test]
fn what_is_no_file_is_an_error_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    good_files(folder);
    let junk: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    fs::create_dir(folder.join("folder")).expect("room");
    let made = Command::new("mkfifo").arg(folder.join("fifo")).status();
    assert!(made.expect("mkfifo runs").success());
    let all = [
        "junk",
        "fifo",
        "folder",
        "/dev/zero",
        "/dev/full",
        "no/such",
    ];
    let bad = if hunt() > 0 { &all[..] } else { &all[..2] };
    let found = named_files();
    assert!(found.len() > 60, "{found:?}");
    for (command, option) in &found {
        let Some(rest) = short_run(command) else {
            panic!("how is 'vato {command}' run for a moment?");
        };
        if NO_FILE.contains(&(command.as_str(), option.as_str())) {
            continue;
        }
        for &bad in bad {
            if (command.as_str(), bad) == ("man", "folder") || bad == "no/such" && command == "man"
            {
                continue; // a folder is what it wants
            }
            if hunt() == 0 && option == "FILE" && bad == "junk" {
                continue;
            }
            fs::write(folder.join("junk"), &junk).expect("room");
            let mut words: Vec<&str> = command.split(' ').collect();
            let rest = rest.replace("VATO", env!("CARGO_BIN_EXE_vato"));
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
                ("match", "--standings-file") => &["--standings", "1"],
                ("tablebase probe", _) => &["--rules", "board=3x3", "--fen", "3/3/wb1 w"],
                _ => &[],
            });
            let (code, said) = ended(folder, &words);
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
            let after = fs::read(folder.join("junk")).expect("it stays");
            assert!(
                after == junk,
                "{words:?} has changed a file of another kind"
            );
            let pipe = fs::metadata(folder.join("fifo")).expect("it stays");
            assert!(pipe.file_type().is_fifo() && folder.join("folder").is_dir());
            let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").path();
            for path in fs::read_dir(folder).expect("a folder").map(name) {
                let name = path.file_name().and_then(|name| name.to_str());
                if name.is_some_and(|name| name.starts_with("new")) {
                    let removed = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                    removed.expect("it can be removed");
                }
            }
        }
    }
}

/// A process that may write no byte to a file, as on a full disk: nothing is left that was not there, and what was
/// there stays.
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    good_files(folder);
    let names = || -> BTreeSet<_> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    };
    let contents = || -> Vec<Vec<u8>> {
        let names = ["a.pgn", "a.fen", "a.data", "a.book"];
        names
            .map(|name| fs::read(folder.join(name)).expect("it is there"))
            .into()
    };
    let before = (names(), contents());
    for words in [
        "selfplay --games 2 --nodes 10 --out new",
        "selfplay --games 30 --nodes 10 --threads 1 --out a.data",
        "book build --nodes 10 --plies 1 --positions 1 --out new",
        "book build --nodes 10 --plies 2 --positions 9 --out a.book",
        "openings --count 1 --depth 1 --plies 4 --out new",
        "analyse --nodes 10 --fens a.fen --json --out new",
        "analyse --nodes 10 --pgn a.pgn --pgn-out new",
        "analyse --nodes 10 --pgn a.pgn --html new",
        "data convert a.data --out new",
        "data merge a.data --out new",
        "diagram --out new.svg",
        "games index a.pgn",
        "games split a.pgn --by White --out new",
    ] {
        let command = vato("");
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_vato"))
            .args(words.split(' '))
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert!(said.contains("cannot write"), "{words}: {said}");
        assert!((names(), contents()) == before, "{words}: {:?}", names());
    }
}

/// Where locks do not exist nothing is locked, and nothing stays behind that keeps the same command from working.
#[test]
fn file_systems_without_locks_are_written_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let library = folder.join("no_locks.so");
    let source = "unsafe extern \"C\" { fn __errno_location() -> *mut i32; }\n\
                  #[unsafe(no_mangle)] pub extern \"C\" fn flock(_: i32, _: i32) -> i32 {\n\
                  unsafe { *__errno_location() = 37; } -1 }\n";
    fs::write(folder.join("no_locks.rs"), source).expect("room");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .args([&library, &folder.join("no_locks.rs")])
        .output();
    if !cfg!(target_os = "linux") || !made.is_ok_and(|made| made.status.success()) {
        return; // no compiler here
    }
    good_files(folder);
    for words in [
        "openings --count 1 --depth 1 --plies 4 --out new.fen",
        "analyse --nodes 10 --pgn a.pgn --pgn-out new.pgn",
        "selfplay --games 1 --nodes 10 --out new.data",
        "book build --nodes 10 --plies 1 --positions 1 --out new.book",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let output = vato(&words)
            .env("LD_PRELOAD", &library)
            .current_dir(folder)
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{words:?}: {output:?}");
        let new = folder.join(words.last().expect("a name"));
        assert!(
            fs::metadata(&new).is_ok_and(|file| file.len() > 0),
            "{words:?}"
        );
        assert!(!new.with_extension("book.lock").exists());
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
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    good_files(folder);
    let many = "9/9/9/6b2/w2b3w1 w 0 40\n9/2b6/3b5/9/w3w3w b 0 2\n".repeat(25);
    fs::write(folder.join("many.fen"), many).expect("room");
    let mut state = 0x9e37_79b9_u64;
    let mut random = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    let made = ended(
        folder,
        &"selfplay --games 60 --nodes 10 --threads 1 --out t.data"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    assert_eq!(made.0, Some(0), "{}", made.1);
    for (words, end, thorough) in [
        (
            "selfplay --games 8 --nodes 200 --threads 1 --out",
            "data",
            false,
        ),
        (
            "openings --count 40 --depth 5 --plies 6 --out",
            "fen",
            false,
        ),
        (
            "analyse --nodes 3000 --fens many.fen --json --out",
            "json",
            false,
        ),
        (
            "book build --nodes 3000 --plies 4 --positions 120 --threads 2 --out",
            "book",
            true,
        ),
        (
            "train --data t.data --epochs 6 --batch 128 --validation 0.2 --out",
            "net",
            true,
        ),
    ] {
        if thorough && hunt() == 0 {
            continue;
        }
        let whole = format!("whole.{end}");
        let words: Vec<&str> = words.split(' ').collect();
        let begun = Instant::now();
        let (code, said) = ended(folder, &[&words[..], &[&whole]].concat());
        assert_eq!(code, Some(0), "{words:?}: {said}");
        let took = begun.elapsed().as_millis() as u64;
        for round in 0..hunt().max(1) {
            let killed = format!("killed{round}.{end}");
            let all = [&words[..], &[&killed]].concat();
            for _ in 0..2 {
                let running = vato(&all)
                    .current_dir(folder)
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn();
                let mut running = running.expect("it starts");
                std::thread::sleep(Duration::from_millis(random(took.max(1))));
                let _ = running.kill();
                running.wait().expect("it ends");
            }
            let (code, said) = ended(folder, &all);
            assert_eq!(code, Some(0), "{all:?}: {said}");
            let same = told(&folder.join(&killed)) == told(&folder.join(&whole));
            assert!(same, "{all:?} after kills is not as without");
        }
    }
}

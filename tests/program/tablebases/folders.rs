//! The folders of the option `TablebasePath`: good ones, bad ones, and damage that comes to light during a
//! search.

use std::env;
use std::ffi::OsStr;
use std::fs;

use super::engine::{last_info, number, session, starting};
use super::set::Set;
use crate::support::command_line::{Folder, Run, VATO, objects, run};
use crate::support::{Engine, WAIT};

/// The whole game on 3x3 with tables from this folder: the answer to the start position.
fn telo_session(folders: &str) -> Vec<String> {
    session(&format!(
        "setoption name UCI_Variant value telo\nsetoption name TablebasePath value {folders}\n\
         position startpos\ngo depth 6\nwait\n"
    ))
}

/// The one error of a session, which names `path`; a move has been played all the same.
fn expect_error(lines: &[String], path: &str, what: &str) {
    let strings = starting(lines, "info string");
    assert_eq!(strings.len(), 1, "{lines:#?}");
    assert!(
        strings[0].starts_with("info string error tablebases: "),
        "{strings:?}"
    );
    assert!(strings[0].contains(path), "{path}: {strings:?}");
    assert!(strings[0].contains(what), "{what}: {strings:?}");
    last_info(lines);
    assert!(starting(lines, "bestmove 0000").is_empty(), "{lines:#?}");
}

/// The last line has the win of the tables, without a search.
fn expect_win(lines: &[String]) {
    let info = last_info(lines);
    let found = (number(info, "nodes"), number(info, "cp"));
    assert_eq!(found, (0, 29_999), "{info}");
}

fn joined(folders: &[&Set]) -> String {
    let joined = env::join_paths(folders.iter().map(|set| set.path())).expect("plain paths");
    let joined: &OsStr = &joined;
    joined.to_str().expect("UTF-8").to_owned()
}

#[test]
fn the_tables_of_a_folder_are_used() {
    let set = Set::build("telo", 9);
    let lines = telo_session(set.text());
    assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
    expect_win(&lines);
    // The option comes before the rules, and is taken back at last.
    let lines = session(&format!(
        "setoption name UCI_Variant value telo\nsetoption name TablebasePath value {}\n\
         setoption name TablebasePath value\nposition startpos\ngo depth 6\nwait\n",
        set.text()
    ));
    assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
    assert!(number(last_info(&lines), "nodes") > 0, "{lines:#?}");
}

#[test]
fn what_is_wrong_with_a_folder_is_said_once() {
    let set = Set::build("telo", 9);
    let missing = set.file("nowhere");
    let missing = missing.to_str().expect("UTF-8");
    expect_error(&telo_session(missing), missing, "");

    let empty = Set::empty("telo");
    expect_error(
        &telo_session(empty.text()),
        empty.text(),
        "no tablebase here",
    );

    let other = Set::build("board=3x3 chain=full", 6);
    let lines = telo_session(other.text());
    expect_error(&lines, other.text(), "made for other rules: board=3x3");

    let file = set.file("manifest.json");
    let file = file.to_str().expect("UTF-8");
    expect_error(&telo_session(file), file, "");

    let damaged = set.copy();
    for (bytes, what) in [
        (&set.read("3v3.vtb")[..300], "300 bytes long"),
        (b"nonsense", "not a tablebase"),
        (&set.read("4v4.vtb"), "the slice 4v4"),
    ] {
        damaged.write("3v3.vtb", bytes);
        let path = damaged.file("3v3.vtb");
        let path = path.to_str().expect("UTF-8");
        expect_error(&telo_session(path.trim_end_matches("3v3.vtb")), path, what);
    }
    damaged.remove("3v3.vtb");
    expect_error(
        &telo_session(damaged.text()),
        damaged.text(),
        "the slice 3v3 is missing",
    );
    // Without those of most stones no slice lacks what captures lead to, but the manifest lists them.
    for name in set.files().into_keys() {
        let stones: u32 = name.chars().filter_map(|c| c.to_digit(10)).sum();
        if stones == 9 {
            set.remove(&name);
        }
    }
    expect_error(&telo_session(set.text()), set.text(), "the slice ");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let set = Set::build("telo", 5);
    for (name, what) in [
        ("2v2.vtb", Some("not a regular file")),
        ("manifest.json", None),
    ] {
        let pipe = set.copy();
        pipe.remove(name);
        let made = std::process::Command::new("mkfifo")
            .arg(pipe.file(name))
            .status();
        assert!(made.expect("mkfifo runs").success());
        let lines = telo_session(pipe.text());
        // The engine needs no manifest.
        match what {
            Some(what) => expect_error(&lines, name, what),
            None => assert!(starting(&lines, "info string").is_empty(), "{lines:#?}"),
        }
    }
    let folder = set.copy();
    folder.remove("2v2.vtb");
    std::fs::create_dir(folder.file("2v2.vtb")).expect("a folder");
    expect_error(&telo_session(folder.text()), "2v2.vtb", "directory");
}

/// A folder without fault does not make up for one that is not there, but its tables are used.
#[test]
fn one_bad_folder_of_two_is_named() {
    let set = Set::build("telo", 9);
    let missing = Set::empty("telo");
    let folders = joined(&[&set, &missing]);
    let path = missing.text().to_owned();
    drop(missing);
    let lines = telo_session(&folders);
    expect_error(&lines, &path, "");
    assert_eq!(number(last_info(&lines), "nodes"), 0, "{lines:#?}");
}

#[test]
fn two_folders_serve_as_one() {
    let set = Set::build("telo", 9);
    let rest = Set::empty("telo");
    for name in set
        .files()
        .into_keys()
        .filter(|name| name.starts_with(['3', '4']))
    {
        rest.write(&name, &set.read(&name));
        set.remove(&name);
    }
    assert!(rest.files().len() > 5);
    for folders in [joined(&[&set, &rest]), joined(&[&rest, &set])] {
        let lines = telo_session(&folders);
        assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
        expect_win(&lines);
    }
    expect_error(&telo_session(set.text()), set.text(), " is missing");
}

/// A folder that is asked for under rules that have no tables.
#[test]
fn a_folder_for_rules_without_tables_is_reported() {
    let set = Set::build("telo", 5);
    for (rules, what) in [("single-step", "tie=count"), ("vela", "the vela")] {
        let lines = session(&format!(
            "setoption name UCI_Variant value {rules}\nsetoption name TablebasePath value {}\n\
             go depth 3\nwait\n",
            set.text()
        ));
        expect_error(&lines, "no tablebases for", what);
    }
}

/// All blocks of larger slices are damaged, which shows only when they are read.
#[test]
fn damage_that_is_met_during_a_search_costs_no_answer() {
    let set = Set::build("telo", 9);
    let mut names: Vec<String> = set.files().into_keys().collect();
    names.retain(|name| name.ends_with(".vtb"));
    for name in &names {
        let mut bytes = set.read(name);
        bytes[40] ^= 0x10;
        set.write(name, &bytes);
    }
    let lines = session(&format!(
        "setoption name UCI_Variant value telo\nsetoption name TablebasePath value {}\n\
         position startpos\ngo depth 9\nwait\nisready\ngo depth 9\nwait\nisready\n",
        set.text()
    ));
    assert_eq!(starting(&lines, "bestmove ").len(), 2, "{lines:#?}");
    assert!(starting(&lines, "bestmove 0000").is_empty());
    let errors = starting(&lines, "info string");
    assert!(!errors.is_empty(), "{lines:#?}");
    for (place, error) in errors.iter().enumerate() {
        assert!(
            error.starts_with(&format!("info string error tablebases: {}", set.text())),
            "{error}"
        );
        assert!(error.contains(": block 0 of "), "{error}");
        assert!(!errors[..place].contains(error), "said twice: {error}");
    }
    // Everything is found by the search, as if there were no folder.
    let info = starting(&lines, "info depth 9 ")
        .pop()
        .expect("a line of play");
    assert!(number(info, "cp") > 200, "{info}");
}

/// A game that is played on a damaged set, by the built program and over real pipes.
#[test]
fn the_program_plays_on_with_a_damaged_set() {
    let set = Set::build("telo", 9);
    for name in ["3v4.vtb", "4v3.vtb", "2v3.vtb", "4v4.vtb"] {
        let mut bytes = set.read(name);
        bytes[40] ^= 0x10;
        set.write(name, &bytes);
    }
    let mut engine = Engine::ugi();
    engine.send("setoption name UCI_Variant value telo");
    engine.send(&format!(
        "setoption name TablebasePath value {}",
        set.text()
    ));
    assert!(engine.sync().is_empty());
    let mut moves = String::new();
    for _ in 0..40 {
        engine.send(&format!("position startpos{moves}"));
        if engine.query("gameover") == "true" {
            break;
        }
        let search = engine.search("go depth 6");
        search.check().expect("a whole answer");
        if moves.is_empty() {
            moves.push_str(" moves");
        }
        moves.push(' ');
        moves.push_str(&search.best.turn);
    }
    assert_eq!(engine.query("result"), "p1win", "{moves}");
    engine.expect_no_panic();
    engine.send("quit");
    assert!(engine.wait_exit(WAIT).success());
}

/// The command for people takes folders too.
#[test]
fn analyse_takes_folders() {
    let set = Set::build("telo", 9);
    let run = |folder: &str| {
        run(&format!(
            "analyse --rules telo --depth 9 --json --tablebases {folder}"
        ))
    };
    let text = run(set.text()).stdout();
    let last = objects(&text).pop().expect("a line");
    assert_eq!(last["nodes"], 0, "{text}");
    let message = run("/no/such/folder").err;
    assert!(message.contains("/no/such/folder: "), "{message}");
}

/// Also where the built-in tables hold all that the folder should.
#[test]
fn what_is_wrong_is_said_within_the_built_in_tables() {
    let script = |folder: &str| {
        session(&format!(
            "setoption name TablebasePath value {folder}\nposition startpos\ngo depth 2\nwait\n"
        ))
    };
    let foreign = Set::build("full-chain", 3);
    expect_error(&script(foreign.text()), foreign.text(), "other rules");
    let damaged = Set::build("tsivy", 3);
    damaged.write("1v2.vtb", b"junk");
    expect_error(&script(damaged.text()), "1v2.vtb", "not a tablebase");
}

/// What is built without `--out` is found without an option, named once, and left alone when that is wanted.
#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn the_tables_of_the_user_are_found() {
    let data = Folder::new();
    let folder = data.path("vato/tablebases/telo");
    let at_home = |line: &str| {
        let mut command = data.vato(line);
        command.env("XDG_DATA_HOME", data.path(""));
        command
    };
    let play = |options: &str| {
        let script = format!(
            "ugi\nsetoption name UCI_Variant value telo\n{options}\nisready\ngo depth 6\nwait\nquit\n"
        );
        let out = Run::with_input(&mut at_home(""), &script).out;
        out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    // Without the folder it is not missed.
    let lines = play("");
    assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
    assert!(number(last_info(&lines), "nodes") > 0, "{lines:#?}");

    // Nor named where it has no more than the program.
    for stones in ["3", "9"] {
        let lines = play("");
        assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
        let build = format!("tablebase build --stones {stones} --rules telo");
        Run::of(&mut at_home(&build)).success();
    }
    let found = format!("info string tablebases of 9 stones in {}", folder.display());
    for options in ["", "setoption name TablebasePath value auto"] {
        let lines = play(options);
        // An option that is set loads them anew.
        let told = starting(&lines, "info string");
        let times = if options.is_empty() { 1 } else { 2 };
        assert_eq!(told, vec![found.as_str(); times], "{lines:#?}");
        assert_eq!(number(last_info(&lines), "nodes"), 0, "{lines:#?}");
        let greeting = lines.iter().position(|line| line == "ugiok");
        let told = lines.iter().position(|line| *line == found);
        assert!(greeting < told, "{lines:#?}");
    }
    for none in ["none", "<empty>", ""] {
        let lines = play(&format!("setoption name TablebasePath value {none}"));
        assert!(number(last_info(&lines), "nodes") > 0, "{none}: {lines:#?}");
    }
    Run::of(&mut at_home("tablebase probe --rules telo --json")).success();

    // Some slices are missing, as while tables are built: no error.
    fs::remove_file(folder.join("4v4.vtb")).expect("a file");
    let lines = play("");
    let found = format!("info string tablebases of 7 stones in {}", folder.display());
    assert_eq!(
        starting(&lines, "info string"),
        [found.as_str()],
        "{lines:#?}"
    );

    // A damaged one is, for the engine; a match does not look there unless it is told to.
    fs::write(folder.join("1v1.vtb"), "damaged").expect("a file");
    let lines = play("");
    expect_error(&lines, "1v1.vtb", "");
    for (option, plays) in [("", true), (",option.TablebasePath=auto", false)] {
        let engine = |name| format!("--engine name={name},cmd={VATO},nodes=10{option}");
        let line = format!(
            "match {} {} --rules telo --games 2",
            engine("A"),
            engine("B")
        );
        let run = Run::of(&mut at_home(&line));
        assert_eq!(run.code == Some(0), plays, "{run:?}");
    }
}

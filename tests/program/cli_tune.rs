//! Tuning, seen from outside: `vato tune`, and the option that takes what comes of it.

use std::fs;
use std::path::Path;

use crate::support::command_line::{interrupt, signal, stderr, stdout};
use serde_json::{Value, json};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn name(folder: &TempDir) -> String {
    folder.path().join("my.numbers").display().to_string()
}

/// The arguments of a short tuning of two parameters.
fn arguments<'a>(name: &'a str, iterations: &'a str) -> Vec<&'a str> {
    vec![
        "tune",
        "--parameters",
        "reverse_futility_margin,late_move_base",
        "--engine",
        "nodes=60",
        "--iterations",
        iterations,
        "--concurrency",
        "2",
        "--out",
        name,
    ]
}

fn state(name: &str) -> Value {
    let text = fs::read_to_string(format!("{name}.json")).expect("the state is there");
    serde_json::from_str(&text).expect("JSON")
}

/// The games of a state.
fn games(state: &Value) -> u64 {
    let counts = ["wins", "draws", "losses"].iter();
    counts.filter_map(|key| state["games"][key].as_u64()).sum()
}

#[test]
fn all_parameters_are_listed() {
    let list = stdout(&["tune", "--list"]);
    let names: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 20, "{list}");
    for name in ["aspiration_window", "reduction_factor", "stand_pat_bonus"] {
        assert!(names.contains(&name), "{list}");
    }
}

#[test]
fn parameters_are_tuned_and_plotted() {
    let folder = folder();
    let name = name(&folder);
    let text = stdout(&arguments(&name, "6"));
    assert!(text.contains("6 of 6 pairs"), "{text}");
    assert!(text.contains(" 0 pairs with faults"), "{text}");
    assert!(
        text.contains("SearchParameters: reverse_futility_margin="),
        "{text}"
    );
    let state = state(&name);
    assert_eq!(state["spsa"]["progress"]["all_to"], 6);
    assert_eq!(games(&state), 12);
    assert_eq!(state["samples"].as_array().map(Vec::len), Some(7));
    let plot = fs::read_to_string(format!("{name}.svg")).expect("the plot is there");
    assert!(plot.starts_with("<svg") && plot.contains("late_move_base"));
    assert!(!Path::new(&format!("{name}.json.part")).exists());
    // What is done is not done again.
    let again = stdout(&arguments(&name, "6"));
    assert_eq!(again, text);
}

#[test]
fn a_tuning_that_was_cut_off_goes_on() {
    let folder = folder();
    let name = name(&folder);
    stdout(&arguments(&name, "6"));
    // As a kill leaves it: pairs end in another order than they begin, so the third is missing.
    let path = format!("{name}.json");
    let mut left = state(&name);
    left["spsa"]["progress"] = json!({"all_to": 2, "beyond": [4]});
    left["games"] = json!({"wins": 2, "draws": 2, "losses": 2});
    left["samples"].as_array_mut().expect("samples").truncate(4);
    left["samples"][1]["values"][0] = 12.5.into();
    fs::write(&path, left.to_string()).expect("there is room");
    let text = stdout(&arguments(&name, "6"));
    assert!(text.contains("6 of 6 pairs"), "{text}");
    let after = state(&name);
    assert_eq!(
        after["spsa"]["progress"],
        json!({"all_to": 6, "beyond": []})
    );
    assert_eq!(games(&after), 12);
    assert_eq!(after["samples"][1]["values"][0], 12.5);
    assert_eq!(after["samples"].as_array().map(Vec::len), Some(7));
}

/// Arguments whose engine is a script of the shell around this program.
#[cfg(unix)]
fn scripted<'a>(name: &'a str, script: &'a str, iterations: &'a str) -> Vec<&'a str> {
    let mut words = arguments(name, iterations);
    let place = words.iter().position(|&word| word == "nodes=60");
    words[place.expect("it is there")] = script;
    words
}

#[cfg(unix)]
#[test]
fn the_players_are_told_different_numbers() {
    let folder = folder();
    let name = name(&folder);
    let log = folder.path().join("log").display().to_string();
    let vato = env!("CARGO_BIN_EXE_vato");
    let script = format!("cmd=/bin/sh,nodes=60,args=\"-c 'tee -a {log} | {vato}'\"");
    stdout(&scripted(&name, &script, "3"));
    let text = fs::read_to_string(&log).expect("the log is there");
    let mut told: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("setoption name SearchParameters"))
        .collect();
    told.sort_unstable();
    told.dedup();
    // Two for each pair, beside what they begin with.
    assert!((6..=7).contains(&told.len()), "{told:?}");
    assert!(told[0].contains("reverse_futility_margin="), "{told:?}");
}

#[cfg(unix)]
#[test]
fn engines_that_take_no_numbers_are_refused() {
    let folder = folder();
    let name = name(&folder);
    let vato = env!("CARGO_BIN_EXE_vato");
    let without = format!(
        "cmd=/bin/sh,nodes=60,args=\"-c '{vato} | grep -v --line-buffered SearchParameters'\""
    );
    let error = stderr(&scripted(&name, &without, "3"), 1);
    assert!(error.contains("has no option SearchParameters"), "{error}");
    let changed = |lines: &str| {
        let sed = format!("{lines}s/late_move_base=/late_move_bass=/");
        format!("cmd=/bin/sh,nodes=60,args=\"-c 'sed -u {sed} | {vato}'\"")
    };
    let complaint = "option SearchParameters: no parameter";
    let error = stderr(&scripted(&name, &changed(""), "3"), 1);
    let wanted = format!("complains of its options: {complaint}");
    assert!(error.contains(&wanted), "{error}");
    // The numbers that it begins with are taken, all others are not.
    let others = changed("1,/late_move_base=/!");
    let error = stderr(&scripted(&name, &others, "3"), 1);
    let wanted = format!("refuses the numbers: {complaint}");
    assert!(error.contains(&wanted), "{error}");
    let taken = format!("cmd={vato},option.searchparameters=late_move_base=3");
    let error = stderr(&scripted(&name, &taken, "3"), 2);
    assert!(error.contains("say by --start"), "{error}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_pairs() {
    let folder = folder();
    let name = name(&folder);
    let path = format!("{name}.json");
    let mut running = crate::support::command_line::vato(&arguments(&name, "100000"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let started = std::time::Instant::now();
    while !Path::new(&path).exists() {
        assert!(started.elapsed().as_secs() < 60, "no state");
        assert!(running.try_wait().expect("it can be asked").is_none());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let second = stderr(&arguments(&name, "100000"), 1);
    assert!(second.contains("in use"), "{second}");
    interrupt(&running);
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("goes on when the same command"), "{error}");
    // No pair was cut in two. Some may be finished whose predecessor was still to begin.
    let state = state(&name);
    let progress = &state["spsa"]["progress"];
    let beyond = progress["beyond"].as_array().map(Vec::len);
    let pairs = progress["all_to"].as_u64().zip(beyond);
    let played = pairs.map(|(to, beyond)| 2 * (to + beyond as u64));
    assert_eq!(Some(games(&state)), played, "{progress}");
}

/// With one game at a time what comes of it does not depend on when it was stopped or killed.
#[cfg(unix)]
#[test]
fn a_stopped_tuning_ends_as_any_other() {
    let folder = folder();
    let whole = name(&folder);
    let stopped = folder.path().join("stopped").display().to_string();
    let words = |name| {
        let mut words = arguments(name, "16");
        words[8] = "1";
        words
    };
    stdout(&words(&whole));
    for round in 0..4 {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vato"));
        command
            .args(words(&stopped))
            .stdout(std::process::Stdio::null());
        let mut running = command.spawn().expect("the program starts");
        std::thread::sleep(std::time::Duration::from_millis(300 + 100 * round));
        if running.try_wait().expect("it can be asked").is_none() {
            signal(&running, ["-INT", "-KILL"][round as usize % 2]);
        }
        running.wait().expect("it ends");
    }
    stdout(&words(&stopped));
    assert_eq!(state(&whole), state(&stopped));
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder();
    let name = name(&folder);
    let error = stderr(&["tune", "--parameters", "no_such", "--out", &name], 2);
    assert!(error.contains("no parameter 'no_such'"), "{error}");
    let error = stderr(&["tune", "--start", "late_move_base=x", "--out", &name], 2);
    assert!(
        error.contains("late_move_base: 'x', expected a number from"),
        "{error}"
    );
    let error = stderr(&["tune", "--rate", "0", "--out", &name], 2);
    assert!(error.contains("rate: '0'"), "{error}");
    assert!(!Path::new(&format!("{name}.json")).exists());
    stdout(&arguments(&name, "1"));
    let error = stderr(&arguments(&name, "2"), 1);
    assert!(
        error.contains("my.numbers.json is of a tuning with another setting 'iterations'"),
        "{error}"
    );
    fs::write(format!("{name}.json"), "{\n  \"format\"").expect("there is room");
    let error = stderr(&arguments(&name, "1"), 1);
    assert!(error.contains("my.numbers.json"), "{error}");
    // What cannot begin leaves what is there alone.
    let mut anew = arguments(&name, "1");
    anew.push("--restart");
    let error = stderr(&[anew.as_slice(), &["--rate", "7"]].concat(), 2);
    assert!(error.contains("rate: '7'"), "{error}");
    assert_eq!(
        fs::read_to_string(format!("{name}.json")).ok().as_deref(),
        Some("{\n  \"format\"")
    );
    stdout(&anew);
    let mut wrong = state(&name);
    assert_eq!(wrong["spsa"]["progress"]["all_to"], 1);
    // Damage that reads.
    for (place, value, what) in [
        ("/spsa/progress/all_to", json!(7), "more is done"),
        ("/spsa/values/0", json!(1e300), "do not fit"),
        (
            "/settings/parameters/0/step",
            json!(0),
            "a step of at least 1",
        ),
        (
            "/settings/parameters/0/least",
            json!(5000),
            "least <= start",
        ),
        ("/games/wins", json!(900), "more games"),
        ("/format", json!(2), "format 2"),
    ] {
        let right = std::mem::replace(wrong.pointer_mut(place).expect(place), value);
        fs::write(format!("{name}.json"), wrong.to_string()).expect("there is room");
        let error = stderr(&arguments(&name, "1"), 1);
        assert!(error.contains(what), "{place}: {error}");
        *wrong.pointer_mut(place).expect(place) = right;
    }
}

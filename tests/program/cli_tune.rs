//! Tuning, seen from outside: `vato tune`, and the option that takes what comes of it.

use crate::support::command_line::{Folder, Run, VATO, interrupt, object, signal, split, stdout};
use crate::support::transcript;
use serde_json::{Value, json};

/// A short tuning of two parameters.
const TUNE: &str =
    "tune --parameters reverse_futility_margin,late_move_base --concurrency 2 --out my.numbers";

/// The same with the usual engine.
fn tune(iterations: u32) -> String {
    format!("{TUNE} --engine nodes=60 --iterations {iterations}")
}

fn state(folder: &Folder) -> Value {
    object(&folder.read("my.numbers.json"))
}

/// The games of a state.
fn games(state: &Value) -> u64 {
    let counts = ["wins", "draws", "losses"].iter();
    counts.filter_map(|key| state["games"][key].as_u64()).sum()
}

#[test]
fn all_parameters_are_listed() {
    let list = stdout("tune --list");
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
    let folder = Folder::new();
    let text = folder.stdout(&tune(6));
    assert!(text.contains("6 of 6 pairs"), "{text}");
    assert!(text.contains(" 0 pairs with faults"), "{text}");
    assert!(
        text.contains("SearchParameters: reverse_futility_margin="),
        "{text}"
    );
    let state = state(&folder);
    assert_eq!(state["spsa"]["progress"]["all_to"], 6);
    assert_eq!(games(&state), 12);
    assert_eq!(state["samples"].as_array().map(Vec::len), Some(7));
    let plot = folder.read("my.numbers.svg");
    assert!(plot.starts_with("<svg") && plot.contains("late_move_base"));
    assert!(!folder.exists("my.numbers.json.part"));
    // What is done is not done again.
    let again = folder.stdout(&tune(6));
    assert_eq!(again, text);
}

#[test]
fn a_tuning_that_was_cut_off_goes_on() {
    let folder = Folder::new();
    folder.stdout(&tune(6));
    // As a kill leaves it: pairs end in another order than they begin, so the third is missing.
    let mut left = state(&folder);
    left["spsa"]["progress"] = json!({"all_to": 2, "beyond": [4]});
    left["games"] = json!({"wins": 2, "draws": 2, "losses": 2});
    left["samples"].as_array_mut().expect("samples").truncate(4);
    left["samples"][1]["values"][0] = 12.5.into();
    folder.write("my.numbers.json", left.to_string());
    let text = folder.stdout(&tune(6));
    assert!(text.contains("6 of 6 pairs"), "{text}");
    let after = state(&folder);
    assert_eq!(
        after["spsa"]["progress"],
        json!({"all_to": 6, "beyond": []})
    );
    assert_eq!(games(&after), 12);
    assert_eq!(after["samples"][1]["values"][0], 12.5);
    assert_eq!(after["samples"].as_array().map(Vec::len), Some(7));
}

/// A tuning whose engine is a script of the shell around this program.
#[cfg(unix)]
fn scripted(script: &str) -> Vec<String> {
    let engine = format!("cmd=/bin/sh,nodes=60,args=\"-c '{script}'\"");
    let words = split(&format!("{TUNE} --iterations 3 --engine"));
    [words, vec![engine]].concat()
}

#[cfg(unix)]
#[test]
fn the_players_are_told_different_numbers() {
    let folder = Folder::new();
    let log = folder.name("log");
    folder.stdout(&scripted(&format!("tee -a {log} | {VATO}")));
    let text = folder.read("log");
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
    let folder = Folder::new();
    let complaint = "option SearchParameters: no parameter";
    for (script, wanted) in [
        (
            format!("{VATO} | grep -v --line-buffered SearchParameters"),
            "has no option SearchParameters",
        ),
        (
            format!("sed -u s/late_move_base=/late_move_bass=/ | {VATO}"),
            &format!("complains of its options: {complaint}"),
        ),
        // The numbers that it begins with are taken, all others are not.
        (
            format!("sed -u 1,/late_move_base=/!s/late_move_base=/late_move_bass=/ | {VATO}"),
            &format!("refuses the numbers: {complaint}"),
        ),
    ] {
        let error = folder.stderr(&scripted(&script), 1);
        assert!(error.contains(wanted), "{error}");
    }
    let taken = "option.searchparameters=late_move_base=3";
    let error = folder.stderr(
        &format!("{TUNE} --iterations 3 --engine cmd={VATO},{taken}"),
        2,
    );
    assert!(error.contains("say by --start"), "{error}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_pairs() {
    let folder = Folder::new();
    let mut running = folder.start(&tune(100_000));
    folder.wait_for(&mut running, "my.numbers.json");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let second = folder.stderr(&tune(100_000), 1);
    assert!(second.contains("in use"), "{second}");
    interrupt(&running);
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(3), "{run:?}");
    let told = "to continue, run the same command";
    assert!(run.err.contains(told), "{run:?}");
    // No pair was cut in two. Some may be finished whose predecessor was still to begin.
    let state = state(&folder);
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
    let [whole, stopped] = [Folder::new(), Folder::new()];
    let line = tune(16).replace("--concurrency 2", "--concurrency 1");
    whole.stdout(&line);
    for round in 0..4 {
        let mut running = stopped.start(&line);
        std::thread::sleep(std::time::Duration::from_millis(300 + 100 * round));
        if running.try_wait().expect("it can be asked").is_none() {
            signal(&running, ["-INT", "-KILL"][round as usize % 2]);
        }
        running.wait().expect("it ends");
    }
    stopped.stdout(&line);
    assert_eq!(state(&whole), state(&stopped));
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    transcript::check(&folder, "tune_refused");
    assert_eq!(folder.names(), [""; 0]);
    folder.stdout(&tune(1));
    let error = folder.stderr(&tune(2), 1);
    assert!(
        error.contains("my.numbers.json is of a tuning with another setting 'iterations'"),
        "{error}"
    );
    folder.write("my.numbers.json", "{\n  \"format\"");
    let error = folder.stderr(&tune(1), 1);
    assert!(error.contains("my.numbers.json"), "{error}");
    // What cannot begin leaves what is there alone.
    let anew = format!("{} --restart", tune(1));
    let error = folder.stderr(&format!("{anew} --rate 7"), 2);
    assert!(error.contains("rate: '7'"), "{error}");
    assert_eq!(folder.read("my.numbers.json"), "{\n  \"format\"");
    folder.stdout(&anew);
    let mut wrong = state(&folder);
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
        folder.write("my.numbers.json", wrong.to_string());
        let error = folder.stderr(&tune(1), 1);
        assert!(error.contains(what), "{place}: {error}");
        *wrong.pointer_mut(place).expect(place) = right;
    }
}

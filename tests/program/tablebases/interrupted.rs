//! Builds in several steps, and builds that are killed.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::set::Set;
use crate::support::command_line::{run, vato};

/// What does not come within this time will not come.
const HANG: Duration = Duration::from_secs(60);

/// Begins a build and kills it as soon as `is_time`, which is told how long it has been running.
fn kill_when(set: &Set, stones: &str, is_time: impl Fn(Duration) -> bool) {
    let mut build = vato(&set.build_arguments(stones))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while !is_time(start.elapsed()) {
        assert!(start.elapsed() < HANG, "the build does not get there");
        thread::sleep(Duration::from_millis(1));
    }
    build.kill().expect("it can be killed");
    build.wait().expect("it ends");
}

/// Four stones first and a fifth later, with the second build killed on its way: the files are those
/// of a build in one go.
#[test]
fn a_killed_build_goes_on() {
    let whole = Set::build("tsivy", 5);
    let set = Set::build("tsivy", 4);
    let four = set.files();
    // It is at 2v3 then.
    kill_when(&set, "5", |since| since >= Duration::from_millis(150));
    for (name, bytes) in &four {
        let is_same = name == "manifest.json" || set.read(name) == *bytes;
        assert!(is_same, "{name} has changed");
    }
    let said = set.build_up_to(5);
    assert!(!said.contains("1v2:"), "all of it is solved again: {said}");
    for (name, bytes) in whole.files() {
        assert!(set.read(&name) == bytes, "{name}");
    }
}

/// Killed again and again, each time a little later, and checked to the last value at the end.
#[test]
fn a_build_may_be_killed_anywhere() {
    let set = Set::empty("tsivy");
    for name in ["1v1.vtb", "1v2.vtb", "2v1.vtb", "2v2.vtb", "1v3.vtb"] {
        if !set.file(name).exists() {
            kill_when(&set, "4", |_| set.file(name).exists());
        }
        // Whatever there is can be told from damaged tables: it opens, or a slice is missing.
        let output = run(&["tablebase", "info", set.text()]);
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        let is_gap = message.contains(" is missing");
        assert!(output.status.success() || is_gap, "{name}: {message}");
    }
    set.build_up_to(4);
    set.expect_right();
}

/// The steps do not show in the files.
#[test]
fn stones_may_be_added_one_by_one() {
    let whole = Set::build("dimy", 5);
    let set = Set::empty("dimy");
    for stones in 2..=5 {
        set.build_up_to(stones);
    }
    assert!(set.files() == whole.files());
}

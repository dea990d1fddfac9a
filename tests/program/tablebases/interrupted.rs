//! Builds in several steps, and builds that are killed.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use super::set::Set;
use crate::support::command_line::{Folder, Run, run, signal, start, stderr, vato};

/// What does not come within this time will not come.
const HANG: Duration = Duration::from_secs(60);

/// Begins a build and kills it as soon as `is_time`, which is told how long it has been running.
fn kill_when(set: &Set, stones: u32, is_time: impl Fn(Duration) -> bool) {
    let mut build = start(&mut vato(&set.build_line(stones)));
    let begun = Instant::now();
    while !is_time(begun.elapsed()) {
        assert!(begun.elapsed() < HANG, "the build does not get there");
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
    kill_when(&set, 5, |since| since >= Duration::from_millis(150));
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
            kill_when(&set, 4, |_| set.file(name).exists());
        }
        // Whatever there is can be told from damaged tables: it opens, or a slice is missing.
        let run = run(&format!("tablebase info {}", set.text()));
        let is_gap = run.err.contains(" is missing");
        assert!(run.code == Some(0) || is_gap, "{name}: {run:?}");
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

/// Stopped at random moments, by a kill or a signal, with more and with fewer stones in between: the files are those
/// of a build in one go, and what was stopped leaves nothing beside them.
#[cfg(unix)]
fn compare_with_stops(rules: &str, stones: [u32; 2], seeds: Range<u64>, longest: u64) {
    let whole = Set::build(rules, stones[1]);
    for seed in seeds {
        let set = Set::empty(rules);
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for _ in 0..10 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let stones = stones[(random >> 50 & 1) as usize];
            let mut build = start(&mut vato(&set.build_line(stones)));
            let end = Instant::now() + Duration::from_millis(random % longest);
            while Instant::now() < end && build.try_wait().expect("it runs").is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            let is_kill = random >> 51 & 1 == 0;
            if build.try_wait().expect("it runs").is_none() {
                signal(&build, if is_kill { "-KILL" } else { "-TERM" });
            }
            let Run {
                code, err: what, ..
            } = Run::end_of(build);
            match code {
                Some(3) => assert!(
                    what.starts_with("stopped; finished slices are kept"),
                    "{what}"
                ),
                code => assert!(code.is_none_or(|code| code == 0), "{what}"),
            }
        }
        set.build_up_to(stones[1]);
        assert!(set.files() == whole.files(), "{rules}, seed {seed}");
    }
}

#[cfg(unix)]
#[test]
fn stopped_builds_come_to_the_same_files() {
    compare_with_stops("board=5x3", [4, 6], 0..2, 200);
}

#[cfg(unix)]
#[test]
#[ignore = "minutes: larger tables, stopped at hundreds of moments"]
fn stopped_builds_of_larger_tables_come_to_the_same_files() {
    for rules in [
        "tsivy",
        "dimy",
        "board=3x7 capture=free",
        "board=5x5 chain=full",
    ] {
        compare_with_stops(rules, [4, 5], 1..15, 1_500);
    }
}

/// A second build is refused while one is at work, whatever it builds; no lock stays behind.
#[cfg(unix)]
#[test]
fn a_folder_has_one_builder() {
    let set = Set::empty("tsivy");
    let mut build = start(&mut vato(&set.build_line(6)));
    set.wait_for(&mut build, "1v1.vtb");
    for rules in ["tsivy", "dimy"] {
        let second = set.build_line(3).replace("'tsivy'", rules);
        let message = stderr(&second, 1);
        assert!(message.contains("in use"), "{message}");
    }
    signal(&build, "-TERM");
    assert_eq!(Run::end_of(build).code, Some(3));
    let names: Vec<String> = set.files().into_keys().collect();
    let is_ours = |name: &String| name.ends_with(".vtb") || name == "manifest.json";
    assert!(names.iter().all(is_ours), "{names:?}");
}

/// What is refused leaves no folder; what is complete is not written again, so that it may be read-only; a folder in
/// the place of a file is found before anything is solved.
#[test]
fn nothing_is_written_without_need() {
    let folder = Folder::new();
    let refused = folder.run("tablebase build --stones 12 --out new/tables");
    assert_eq!(refused.code, Some(1));
    assert_eq!(folder.names(), [""; 0]);

    let set = Set::build("tsivy", 3);
    let manifest = || std::fs::metadata(set.file("manifest.json")).expect("there");
    let before = manifest().modified().expect("a time");
    let mut permissions = std::fs::metadata(set.path()).expect("there").permissions();
    let writable = permissions.clone();
    permissions.set_readonly(true);
    std::fs::set_permissions(set.path(), permissions).expect("ours");
    assert!(set.build_up_to(3).contains("already complete"));
    std::fs::set_permissions(set.path(), writable).expect("ours");
    assert_eq!(manifest().modified().expect("a time"), before);

    std::fs::create_dir(set.file("2v2.vtb")).expect("a folder");
    let message = run(&set.build_line(4)).err;
    assert!(message.contains("2v2.vtb: is a directory"), "{message}");
}

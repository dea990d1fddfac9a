//! Engines that do not start, or not always.

use std::fs;
use std::time::Duration;

use libtest_mimic::Trial;

use crate::engine::{LAST_WORDS, PLAY_AS};
use crate::runner::{Contender, MatchFiles, MatchRun, Proto};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        timed_trial("starting: no such program", no_such_program),
        timed_trial("starting: an option cannot have its value", bad_option),
        timed_trial("starting: an option is complained of", complaint),
        timed_trial("starting: a slow start is a start", slow_start),
        timed_trial("starting: now and then a failure is forgiven", sometimes),
        timed_trial(
            "starting: an engine that dies between games",
            dies_between_games,
        ),
        #[cfg(unix)]
        timed_trial(
            "starting: a program is looked for in its folder first",
            in_its_folder,
        ),
        timed_trial(
            "starting: engines of one name, and their logs",
            logs_of_one_name,
        ),
    ];
    for (behaviour, patience, words) in [
        ("crash-at-start", "", &["crashed", LAST_WORDS][..]),
        ("no-handshake", SHORT, &["ok'", "0.5 s"]),
        ("slow-start:5000", SHORT, &["ok'", "0.5 s"]),
        ("crash-at-newgame", "", &["crashed", LAST_WORDS]),
        ("hang-at-newgame", SHORT, &["isready", "0.5 s"]),
    ] {
        for proto in Proto::BOTH {
            let name = format!("starting: {behaviour} in {}", proto.name());
            trials.push(timed_trial(name, move || {
                never(behaviour, patience, words, proto)
            }));
        }
    }
    trials
}

/// For an engine that is waited for in vain.
const SHORT: &str = "--start-timeout 0.5";

/// Three failures in a row, and the match is over before its first game.
fn never(behaviour: &str, patience: &str, words: &[&str], proto: Proto) {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    let faulty = Contender::new("Faulty", behaviour)
        .proto(proto)
        .transcripts(&told);
    let steady = Contender::new("Steady", "honest");
    let ended = MatchRun::new(&files, [&steady, &faulty])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1")
        .args(patience)
        .fails(&["error", "Faulty", "3 attempts"]);
    ended.assert_error(words);
    files.assert_no_game();
    let processes = fs::read_dir(&told).expect("the folder is there").count();
    // Those that fail at a new game pass the trial before the match.
    let tried = if behaviour.ends_with("newgame") { 4 } else { 3 };
    assert_eq!(processes, tried);
}

fn no_such_program() {
    let files = MatchFiles::new();
    let steady = Contender::new("Steady", "honest");
    let missing = files.folder().join("nothing-here");
    let missing = Contender::new("Missing", "honest").program(&missing);
    let ended = MatchRun::new(&files, [&steady, &missing])
        .args("--games 2")
        .fails(&["error", "Missing", "nothing-here"]);
    files.assert_no_game();
    assert!(ended.time < Duration::from_secs(25), "{ended}");
}

fn bad_option() {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    let faulty = Contender::new("Faulty", "honest")
        .transcripts(&told)
        .with("option.Hash=9999");
    let steady = Contender::new("Steady", "honest");
    MatchRun::new(&files, [&steady, &faulty])
        .args("--each nodes=1 --games 2")
        .fails(&["error", "Faulty", "Hash", "9999", "1024"]);
    files.assert_no_game();
    let processes = fs::read_dir(&told).expect("the folder is there").count();
    assert_eq!(processes, 1, "trying again would be no use");
}

/// Who plays with other settings than it was given would be measured in vain.
fn complaint() {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    let faulty = Contender::new("Faulty", "complain").transcripts(&told);
    let steady = Contender::new("Steady", "honest");
    MatchRun::new(&files, [&steady, &faulty])
        .args("--each nodes=1 --games 2")
        .fails(&["error", "Faulty", "complains", "option Hash: no memory"]);
    files.assert_no_game();
    let processes = fs::read_dir(&told).expect("the folder is there").count();
    assert_eq!(processes, 1, "trying again would be no use");
}

fn slow_start() {
    let files = MatchFiles::new();
    let slow = Contender::new("Slow", "slow-start:500").seed(1);
    let steady = Contender::new("Steady", "honest").seed(2);
    MatchRun::new(&files, [&slow, &steady])
        .args("--each nodes=1 --games 2 --openings start --concurrency 1")
        .play_well();
    files.record().assert_games(2);
    files.record().assert_faultless();
}

/// An engine that fails at every second new game is started anew, and no game is lost by it.
fn sometimes() {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", "crash-at-newgame:2").seed(1);
    let steady = Contender::new("Steady", "honest").seed(2);
    let ended = MatchRun::new(&files, [&odd, &steady])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1")
        .play_well();
    files.record().assert_games(4);
    files.record().assert_faultless();
    ended.assert_error(&["Odd", LAST_WORDS]);
}

/// A process that is gone before the next game is no crash in a game.
fn dies_between_games() {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    // Its fifth move as White is the last of the game; as Black it has four.
    let odd = Contender::new("Odd", "leave:5").seed(1).transcripts(&told);
    let steady = Contender::new("Steady", "honest").seed(2);
    MatchRun::new(&files, [&odd, &steady])
        .args("--each nodes=1 --games 3 --openings start --concurrency 1 --max-plies 9")
        .play_well();
    let record = files.record();
    record.assert_games(3);
    for game in &record.games {
        assert_eq!(game.termination, "adjudicated-length", "{}", game.reason);
    }
    assert_eq!(files.transcripts(&told).len(), 2);
}

/// Not the one of the same name in the folder of the match.
#[cfg(unix)]
fn in_its_folder() {
    let files = MatchFiles::new();
    let inside = files.subfolder("inside");
    let program = std::env::current_exe().expect("this program is somewhere");
    std::os::unix::fs::symlink(program, inside.join("eng")).expect("a new link");
    let other = |text: &str| fs::write(files.folder().join("eng"), text).expect("a new file");
    other("no program");
    let engines = ["First", "Second"]
        .map(|name| format!("name={name},cmd=./eng,dir=inside,args=\"{PLAY_AS} honest seed=1\""));
    MatchRun::with(&["--out", "bout", "--engine"])
        .arg(&engines[0])
        .arg("--engine")
        .arg(&engines[1])
        .args("--each nodes=1 --games 2 --rules dimy --openings random")
        .within(files.folder())
        .play_well();
    files.record().assert_faultless();
}

/// A log is called as its engine is in the results, and has what it says on standard error.
fn logs_of_one_name() {
    let files = MatchFiles::new();
    let engines = ["honest", "crash:2"].map(Contender::nameless);
    let log = files.folder().join("io");
    let ended = MatchRun::new(&files, &engines)
        .args("--each nodes=1 --games 2 --openings start --max-plies 20 --concurrency 1 --log")
        .arg(&log)
        .play();
    ended.assert_code(0);
    ended.assert_summary(&[
        "Stooge --play-as crash:2: ",
        "crash of Stooge --play-as crash:2 2",
    ]);
    for (name, says) in [("honest", false), ("crash_2", true)] {
        let path = files
            .folder()
            .join(format!("io-Stooge_--play-as_{name}.log"));
        let text = fs::read_to_string(&path).expect("a log of that name");
        assert!(text.contains(" try > ugi"), "{text}");
        assert_eq!(text.contains(&format!(" 1 ! {LAST_WORDS}")), says, "{text}");
    }
}

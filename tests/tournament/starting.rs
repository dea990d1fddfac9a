//! Engines that do not start, or not always.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, MatchFiles, MatchRun, Proto};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        timed_trial,
        "starting",
        an_option_is_refused_or_complained_of,
        late_or_not_every_time,
        an_engine_that_dies_between_games,
        engines_of_one_name_and_their_logs,
    );
    // For an engine that is waited for in vain.
    let short = "--start-timeout 0.5";
    let never: [(_, _, &[&str]); 5] = [
        ("crash-at-start", "", &["crashed", LAST_WORDS]),
        ("no-handshake", short, &["ok'", "0.5 s"]),
        ("slow-start:5000", short, &["ok'", "0.5 s"]),
        ("crash-at-newgame", "", &["crashed", LAST_WORDS]),
        ("hang-at-newgame", short, &["isready", "0.5 s"]),
    ];
    for ((behaviour, patience, words), proto) in
        never.into_iter().zip(Proto::BOTH.into_iter().cycle())
    {
        let name = format!("starting: {behaviour} in {}", proto.name());
        trials.push(timed_trial(name, move || {
            never_starts(behaviour, patience, words, proto)
        }));
    }
    trials
}

/// How often an engine has been started that writes down there what it is told.
fn starts(told: &Path) -> usize {
    fs::read_dir(told).expect("the folder is there").count()
}

/// Three failures in a row, and the match is over before its first game.
fn never_starts(behaviour: &str, patience: &str, words: &[&str], proto: Proto) {
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
    // Those that fail at a new game pass the trial before the match.
    let tried = if behaviour.ends_with("newgame") { 4 } else { 3 };
    assert_eq!(starts(&told), tried);
}

/// Who plays with other settings than it was given would be measured in vain.
fn an_option_is_refused_or_complained_of() {
    for (behaviour, option, words) in [
        ("honest", "option.Hash=1025", ["Hash", "1025", "1024"]),
        (
            "complain",
            "option.Hash=9",
            ["complains", "option Hash:", "no memory"],
        ),
        (
            "complain-at-start",
            "option.Hash=9",
            ["complains", "option Hash:", "no memory"],
        ),
    ] {
        let files = MatchFiles::new();
        let told = files.subfolder("told");
        let faulty = Contender::new("Faulty", behaviour)
            .transcripts(&told)
            .with(option);
        let steady = Contender::new("Steady", "honest");
        MatchRun::new(&files, [&steady, &faulty])
            .args("--each nodes=1 --games 2")
            .fails(&["error", "Faulty"])
            .assert_error(&words);
        files.assert_no_game();
        assert_eq!(starts(&told), 1, "trying again would be no use");
    }
}

/// One that fails at every second new game is started anew, and no game is lost by it.
fn late_or_not_every_time() {
    for (behaviour, told) in [("slow-start:500", ""), ("crash-at-newgame:2", LAST_WORDS)] {
        let files = MatchFiles::new();
        let odd = Contender::new("Odd", behaviour).seed(1);
        let steady = Contender::new("Steady", "honest").seed(2);
        let options = "--each nodes=1 --games 4 --openings start --concurrency 1";
        let (record, ended) = files.play([&odd, &steady], options);
        record.assert_games(4);
        record.assert_faultless();
        ended.assert_error(&[told]);
    }
}

/// A process that is gone before the next game is no crash in a game.
fn an_engine_that_dies_between_games() {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    // Its fifth move as White is the last of the game; as Black it has four.
    let odd = Contender::new("Odd", "leave:5").seed(1).transcripts(&told);
    let steady = Contender::new("Steady", "honest").seed(2);
    let options = "--each nodes=1 --games 3 --openings start --concurrency 1 --max-plies 9";
    let (record, _) = files.play([&odd, &steady], options);
    record.assert_games(3);
    for game in &record.games {
        assert_eq!(game.termination, "adjudicated-length", "{}", game.reason);
    }
    assert_eq!(files.transcripts(&told).len(), 2);
}

/// A log is called as its engine is in the results, and has what it says on standard error.
fn engines_of_one_name_and_their_logs() {
    let files = MatchFiles::new();
    let engines = ["honest", "crash:2"].map(Contender::nameless);
    let log = files.folder().join("io");
    let options = "--each nodes=1 --games 2 --openings start --max-plies 20 --concurrency 1 --log";
    let ended = MatchRun::new(&files, &engines)
        .args(options)
        .arg(&log)
        .play_well();
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

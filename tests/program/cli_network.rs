//! The way from games to a network, seen from outside: `vato selfplay`, `vato data`, `vato train`, and the
//! options that load what comes of it.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use crate::support::command_line::signal;
use crate::support::command_line::{Folder, Run, objects, stderr};
use crate::support::transcript;
use vato_engine::network::{MAGIC, Network};
use vato_lab::data::DataFile;

/// A folder with `games.data`, a few short games.
fn games() -> Folder {
    let folder = Folder::new();
    let text = folder.stdout("selfplay --games 40 --nodes 100 --threads 2 --out games.data");
    assert!(text.contains("40 games with "), "{text}");
    folder
}

/// The training on the games.
const TRAIN: &str = "train --data games.data --batch 256 --validation 0.2";

#[test]
fn games_are_joined_and_converted() {
    let folder = games();
    let records = |name: &str| DataFile::read(&folder.path(name)).expect("right").records;
    let lines = folder.stdout("data show games.data --lines");
    // A byte order mark at the beginning is no part of the first record.
    folder.write("games.txt", format!("\u{feff}{lines}"));
    folder.stdout("data convert games.txt --out back.data");
    assert_eq!(records("back.data"), records("games.data"));
    folder.stdout("data merge games.data back.data --out both.data");
    assert_eq!(records("both.data").len(), 2 * records("games.data").len());
}

/// What is told of data, and what is wrong with some; nothing is written then.
#[test]
fn what_is_wrong_with_data_is_named() {
    let folder = games();
    let position = |result: &str| format!("8b/9/9/9/w8 w 0 20\t0\t{result}\t40\t0\t0\n");
    let good = "8b/9/9/9/w8 w 0 20\t0\t1-0\t40\t0\t1\n";
    folder.write("bad.txt", format!("{good}nonsense\n"));
    folder.write("both.txt", position("1-0") + &position("0-1"));
    folder.write("copy.data", folder.bytes("games.data"));
    let before = folder.names();
    transcript::check(&folder, "data_refused");
    assert_eq!(folder.names(), before);
}

#[test]
fn a_network_is_trained_and_loaded() {
    let folder = games();
    let text = folder.stdout(&format!(
        "{TRAIN} --out small.net --epochs 3 --untrained untrained.net"
    ));
    assert!(text.contains("epoch  learning rate  training"), "{text}");
    let read = |name: &str| Network::read(&folder.path(name)).expect("a network");
    let (network, start) = (read("small.net"), read("untrained.net"));
    let told = format!("network {}", network.name());
    assert!(text.contains(&told), "{text}");
    assert_ne!(network.name(), start.name());

    // Once more: the training is done, and gives the same network.
    folder.stdout(&format!("{TRAIN} --out small.net --epochs 3"));
    assert_eq!(read("small.net").name(), network.name());

    // Another training begins where this one ended.
    folder.stdout(&format!(
        "{TRAIN} --out further.net --start small.net --untrained begun.net --epochs 1"
    ));
    assert_eq!(read("begun.net").parameters(), network.parameters());
    assert_ne!(read("further.net").parameters(), network.parameters());

    let score = |extra: &str| {
        let depths = objects(&folder.stdout(&format!("analyse --depth 3 --json {extra}")));
        depths.last()?["lines"][0]["score"]["centi_stones"].as_i64()
    };
    let with = score("--eval-file small.net");
    assert!(with.is_some());
    assert_ne!(with, score(""));
    assert_ne!(with, score("--evaluation classical"));
    // Elsewhere the network is not used.
    let dimy = score("--rules dimy --eval-file small.net");
    assert_eq!(dimy, score("--rules dimy"));
    let signature = |extra: &str| {
        let text = folder.stdout(&format!("bench --depth 3 {extra}"));
        let last = text.lines().last().expect("a line");
        last.split(' ').next().map(str::to_owned)
    };
    assert_ne!(
        signature("--eval-file small.net"),
        signature("--evaluation classical")
    );
}

#[test]
fn what_is_wrong_with_a_training_is_named() {
    let folder = games();
    folder.stdout(&format!("{TRAIN} --out small.net --epochs 2"));
    folder.write("train.toml", "epoch = 3\n");
    let mut bytes = folder.bytes("small.net");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("damaged.net", bytes);
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    transcript::check(&folder, "training_refused");
}

/// A training that goes on, or comes to its end, leaves what is not its own; one that begins anew replaces it.
#[test]
fn a_training_replaces_nothing_unasked() {
    let folder = games();
    folder.stdout(&format!("{TRAIN} --out small.net --epochs 1"));
    for (begins, extra) in [
        (&MAGIC[..], "--out small.net --untrained other"),
        (&MAGIC, "--out other --checkpoint small.checkpoint"),
    ] {
        folder.write("other", begins);
        let error = folder.run(&format!("{TRAIN} --epochs 1 {extra}")).err;
        assert!(
            error.contains("other: it exists already"),
            "{extra}: {error}"
        );
        assert_eq!(folder.bytes("other"), begins, "{extra}");
    }
    folder.write("other", MAGIC);
    folder.stdout(&format!(
        "{TRAIN} --out small.net --epochs 1 --restart --untrained other"
    ));
    Network::read(&folder.path("other")).expect("the untrained one");
    // There when it is done, and not when it began.
    let mut running = folder.start(&format!("{TRAIN} --epochs 8 --out late.net"));
    folder.wait_for(&mut running, "late.checkpoint");
    folder.write("late.net", MAGIC);
    let error = Run::end_of(running).err;
    assert!(error.contains("late.net: it exists already"), "{error}");
    assert_eq!(folder.bytes("late.net"), MAGIC);
}

/// Long searches and the search for openings are broken off.
#[cfg(unix)]
#[test]
fn self_play_stops_within_a_search() {
    use std::io::{BufRead, BufReader};
    use std::time::Instant;

    let folder = Folder::new();
    for (number, (words, signals)) in [
        ("--nodes 5000000000", &["-TERM"][..]),
        ("--nodes 5000000000", &["-INT", "-INT"]),
        (
            "--opening-score 0 --random-plies 4..4 --rules vela",
            &["-INT"],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let words = format!("selfplay --games 5 --threads 2 {words} --out {number}");
        let mut command = folder.vato(&words);
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut running = command.spawn().expect("the program starts");
        folder.wait_for(&mut running, &number.to_string());
        let mut said = BufReader::new(running.stderr.take().expect("a pipe"));
        let mut text = String::new();
        for (again, name) in signals.iter().enumerate() {
            while again > 0 && !text.contains("Ctrl-C again stops now") {
                assert_ne!(said.read_line(&mut text).expect("UTF-8"), 0);
            }
            signal(&running, name);
        }
        let end = Instant::now() + Duration::from_secs(60);
        while running.try_wait().expect("it can be asked").is_none() {
            if Instant::now() > end {
                running.kill().expect("it runs");
            }
            thread::sleep(Duration::from_millis(5));
        }
        let status = running.wait().expect("it has ended");
        assert_eq!(status.code(), Some(3), "{words}, {signals:?}: {status}");
    }
}

/// Nothing stays of a file that is not written to its end.
#[cfg(unix)]
#[test]
fn data_that_are_not_all_written_do_not_stay() {
    let folder = games();
    let lines = folder.stdout("data show games.data --lines");
    folder.write("many.txt", lines.repeat(4000));
    let there = folder.names().len();
    let mut running = folder.start("data convert many.txt --out all.data");
    while folder.names().len() == there {
        assert!(running.try_wait().expect("it can be asked").is_none());
        thread::sleep(Duration::from_millis(1));
    }
    signal(&running, "-INT");
    let run = Run::end_of(running);
    assert!(run.err.contains("all.data is not written"), "{run:?}");
    assert_eq!((run.code, folder.names().len()), (Some(3), there));
}

/// A file that cannot be read to its end is named; standard output is not.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_files_are_not_those_of_standard_output() {
    // A regular file whose first page is not there.
    let broken = "/proc/self/mem";
    let commands =
        "games stats,games check,analyse --pgn,analyse --fens,play --pgn,suite,data info";
    for command in commands.split(',') {
        let error = stderr(&format!("{command} {broken}"), 1);
        assert!(error.contains(broken), "{command}: {error}");
        assert!(!error.contains("standard output"), "{command}: {error}");
    }
}

/// Ctrl-C ends what is under way and a termination signal everything; both leave what the same command completes.
#[cfg(unix)]
#[test]
fn what_is_stopped_says_how_it_goes_on() {
    let folder = games();
    let train = format!("{TRAIN} --out n.net --epochs 1000 --restart --checkpoint");
    let ends = "to continue, run the same command again";
    for (line, written, goes_on) in [
        (
            "selfplay --games 1000000 --nodes 50 --threads 1 --out more.data",
            "more.data",
            format!("{ends}\n"),
        ),
        (
            &format!("{train} n.ckpt"),
            "n.ckpt",
            format!("{ends} without --restart\n"),
        ),
    ] {
        for name in ["-INT", "-TERM"] {
            let _ = std::fs::remove_file(folder.path(written));
            folder.write("n.net", MAGIC);
            let mut command = folder.vato(line);
            let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut running = command.spawn().expect("the program starts");
            folder.wait_for(&mut running, written);
            if written == "n.ckpt" {
                let second = folder.stderr(&format!("{train} o.ckpt"), 1);
                assert!(second.contains("n.net: in use"));
                // One of an earlier training would keep this one from going on.
                assert!(!folder.exists("n.net"));
            }
            signal(&running, name);
            let run = Run::end_of(running);
            assert_eq!(run.code, Some(3), "{line}: {run:?}");
            assert!(run.err.ends_with(&goes_on), "{line}: {run:?}");
        }
    }
}

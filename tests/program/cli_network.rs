//! The way from games to a network, seen from outside: `vato selfplay`, `vato data`, `vato train`, and the
//! options that load what comes of it.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use crate::support::command_line::signal;
use crate::support::command_line::{run, stderr, stdout, vato};
use serde_json::Value;
use tempfile::TempDir;
use vato_engine::network::{MAGIC, Network};
use vato_tools::training::data::DataFile;

/// A folder with `games.data`, a few short games.
fn games() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(&[
        "selfplay",
        "--games",
        "40",
        "--nodes",
        "100",
        "--threads",
        "2",
        "--out",
        &path(&folder, "games.data"),
    ]);
    assert!(text.contains("40 games with "), "{text}");
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Runs `vato train` on the games, into `small.net`; the text that it prints.
fn train(folder: &TempDir, extra: &[&str]) -> String {
    let out = path(folder, "small.net");
    train_into(folder, &[&["--out", &out], extra].concat())
}

/// The same into the file after `--out`.
fn train_into(folder: &TempDir, extra: &[&str]) -> String {
    let data = path(folder, "games.data");
    let fixed = [
        "train",
        "--data",
        &data,
        "--batch",
        "256",
        "--validation",
        "0.2",
    ];
    stdout(&[&fixed, extra].concat())
}

#[test]
fn games_are_told_shown_joined_and_converted() {
    let folder = games();
    let data = path(&folder, "games.data");
    let info = stdout(&["data", "info", &data]);
    for wanted in [
        "rules        tsivy",
        "100 nodes a move",
        "games        40:",
        "order        game by game",
    ] {
        assert!(info.contains(wanted), "{info}");
    }
    let shown = stdout(&["data", "show", &data, "--from", "3", "--count", "2"]);
    assert!(shown.starts_with("record 3: "), "{shown}");
    assert_eq!(shown.matches("record ").count(), 2);

    let text = path(&folder, "games.txt");
    // The games have their rules.
    let ruled = ["data", "convert", &data, "--rules", "dimy", "--out", &text];
    assert!(stderr(&ruled, 2).contains("has its own"));
    stdout(&["data", "convert", &data, "--out", &text]);
    let lines = stdout(&["data", "show", &data, "--lines", "--count", "1000000"]);
    assert_eq!(fs::read_to_string(&text).expect("written"), lines);
    let back = path(&folder, "back.data");
    // A byte order mark at the beginning is no part of the first record.
    fs::write(&text, format!("\u{feff}{lines}")).expect("written");
    stdout(&["data", "convert", &text, "--out", &back]);
    let records = |file: &str| DataFile::read(Path::new(file)).expect("right").records;
    assert_eq!(records(&back), records(&data));

    let both = path(&folder, "both.data");
    stdout(&["data", "merge", &data, &back, "--out", &both]);
    assert_eq!(records(&both).len(), 2 * records(&data).len());
    let mixed = path(&folder, "mixed.data");
    stdout(&["data", "shuffle", &data, "--out", &mixed, "--seed", "4"]);
    assert_ne!(records(&mixed), records(&data));
    assert!(stdout(&["data", "info", &mixed]).contains("shuffled"));
}

#[test]
fn what_is_wrong_with_data_is_named() {
    let folder = games();
    let data = path(&folder, "games.data");
    let error = stderr(
        &[
            "selfplay", "--games", "50", "--nodes", "200", "--out", &data,
        ],
        1,
    );
    assert!(error.contains("nodes 100 there, 200 here"), "{error}");
    let text = path(&folder, "bad.txt");
    fs::write(&text, "8b/9/9/9/w8 w 0 20\t0\t1-0\t40\t0\t1\nnonsense\n").expect("written");
    let error = stderr(
        &["data", "convert", &text, "--out", &path(&folder, "x.data")],
        1,
    );
    assert!(!folder.path().join("x.data.part").exists());
    assert!(error.contains("bad.txt: line 2: 1 field(s)"), "{error}");
    let position = |result: &str| format!("8b/9/9/9/w8 w 0 20\t0\t{result}\t40\t0\t0\n");
    fs::write(&text, position("1-0") + &position("0-1")).expect("written");
    let error = stderr(
        &["data", "convert", &text, "--out", &path(&folder, "x.data")],
        1,
    );
    let both = "bad.txt: line 2: another result than in the lines of the game before it";
    assert!(error.contains(both), "{error}");
    let error = stderr(&["data", "show", &data, "--from", "1000000"], 1);
    let behind = "games.data: --from 1000000 is behind its last record, ";
    assert!(error.contains(behind), "{error}");
    let error = stderr(&["data", "info", &text], 1);
    assert!(
        error.contains("bad.txt: not a file of training data"),
        "{error}"
    );
    let error = stderr(&["data", "merge", &data, "--out", &data], 1);
    assert!(error.contains("exists already"), "{error}");
    let fails = |extra: &[&str]| stderr(&[&["selfplay", "--out", "x"], extra].concat(), 2);
    let error = fails(&[]);
    assert!(error.contains("<--games <N>|--positions <N>>"), "{error}");
    let error = fails(&["--games", "1", "--positions", "1"]);
    assert!(error.contains("cannot be used with"), "{error}");
    let error = fails(&["--games", "1", "--random-plies", "5..4"]);
    assert!(error.contains("'5..4', expected two numbers"), "{error}");
}

#[test]
fn a_network_is_trained_and_loaded() {
    let folder = games();
    let untrained = path(&folder, "untrained.net");
    let text = train(&folder, &["--epochs", "3", "--untrained", &untrained]);
    assert!(text.contains("epoch  learning rate  training"), "{text}");
    let read = |name: &str| Network::read(&folder.path().join(name)).expect("a network");
    let (network, start) = (read("small.net"), read("untrained.net"));
    assert!(
        text.contains(&format!("network {}", network.name())),
        "{text}"
    );
    assert_ne!(network.name(), start.name());
    let plot = fs::read_to_string(folder.path().join("small.svg")).expect("a plot");
    assert!(plot.contains("<svg"));

    // Once more: the training is done, and gives the same network.
    train(&folder, &["--epochs", "3"]);
    assert_eq!(read("small.net").name(), network.name());

    // Another training begins where this one ended.
    let file = path(&folder, "small.net");
    let (begun, further) = (path(&folder, "begun.net"), path(&folder, "further.net"));
    let more = ["--out", &further, "--start", &file, "--untrained", &begun];
    train_into(&folder, &[&more[..], &["--epochs", "1"]].concat());
    assert_eq!(read("begun.net").parameters(), network.parameters());
    assert_ne!(read("further.net").parameters(), network.parameters());

    let score = |extra: &[&str]| {
        let text = stdout(&[&["analyse", "--depth", "3", "--json"], extra].concat());
        let last: Value = serde_json::from_str(text.lines().last()?).ok()?;
        last["lines"][0]["score"]["centi_stones"].as_i64()
    };
    let with = score(&["--eval-file", &file]);
    assert!(with.is_some());
    assert_ne!(with, score(&[]));
    assert_ne!(with, score(&["--evaluation", "classical"]));
    // Elsewhere the network is not used.
    let dimy = ["--rules", "dimy", "--eval-file", &file];
    assert_eq!(score(&dimy), score(&["--rules", "dimy"]));
    let bench = |extra: &[&str]| stdout(&[&["bench", "--depth", "3"], extra].concat());
    let nodes = |text: String| text.lines().last().map(|line| line.to_owned());
    let signature = |text: String| nodes(text)?.split(' ').next().map(str::to_owned);
    assert_ne!(
        signature(bench(&["--eval-file", &file])),
        signature(bench(&["--evaluation", "classical"]))
    );
}

#[test]
fn what_is_wrong_with_a_training_is_named() {
    let folder = games();
    train(&folder, &["--epochs", "2"]);
    let data = path(&folder, "games.data");
    let out = path(&folder, "small.net");
    let fails = |extra: &[&str], code: i32| {
        let fixed = [
            "train",
            "--data",
            &data,
            "--out",
            &out,
            "--validation",
            "0.2",
        ];
        stderr(&[&fixed, extra].concat(), code)
    };
    let error = fails(&["--batch", "64"], 1);
    assert!(error.contains("batch is 256 there and 64 here"), "{error}");
    let error = fails(&["--epochs", "0", "--restart"], 2);
    assert!(error.contains("epochs 0: expected at least 1"), "{error}");
    let error = fails(&["--untrained", &data], 2);
    let both = "games.data is both an input and an output";
    assert!(error.contains(both), "{error}");
    // Before hours of training, not after them.
    for wrong in ["--plot", "--checkpoint"] {
        let error = fails(&[wrong, &path(&folder, "none/here")], 1);
        assert!(error.contains("none/here"), "{error}");
        let error = fails(&[wrong, &path(&folder, "games.data/here")], 1);
        assert!(error.contains("games.data/here"), "{error}");
        let error = fails(&[wrong, &folder.path().display().to_string()], 1);
        assert!(error.contains("is a directory"), "{error}");
    }
    let error = fails(&["--positions", "loud"], 2);
    assert!(error.contains("loud"), "{error}");
    let config = path(&folder, "train.toml");
    fs::write(&config, "epoch = 3\n").expect("written");
    let error = fails(&["--config", &config], 2);
    assert!(error.contains("unknown field `epoch`"), "{error}");
    let damaged = path(&folder, "damaged.net");
    let mut bytes = fs::read(&out).expect("a network");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).expect("written");
    let error = fails(&["--restart", "--start", &damaged], 1);
    assert!(error.contains("damaged.net"), "{error}");
    let error = stderr(&["analyse", "--depth", "1", "--eval-file", &damaged], 1);
    assert!(
        error.contains("damaged.net") && error.contains("SHA-256"),
        "{error}"
    );
    let error = stderr(&["analyse", "--depth", "1", "--eval-file", &data], 1);
    assert!(error.contains("games.data"), "{error}");
    let games = ["selfplay", "--games", "1", "--out", &data];
    let error = stderr(&[&games[..], &["--tablebase-cache", "0"]].concat(), 2);
    assert!(
        error.contains("'0'") && error.contains("--tablebase-cache"),
        "{error}"
    );
    let error = stderr(&["analyse", "--evaluation", "best"], 2);
    assert!(error.contains("network or classical"), "{error}");
}

/// A training that goes on, or comes to its end, leaves what is not its own; one that begins anew replaces it.
#[test]
fn a_training_replaces_nothing_unasked() {
    let folder = games();
    train(&folder, &["--epochs", "1"]);
    let [data, out, checkpoint, other, plot] = [
        "games.data",
        "small.net",
        "small.checkpoint",
        "other",
        "plot",
    ]
    .map(|name| path(&folder, name));
    let words = [
        "train",
        "--batch",
        "256",
        "--validation",
        "0.2",
        "--data",
        &data,
    ];
    for (begins, extra) in [
        (&MAGIC[..], &["--out", &out, "--untrained", &other][..]),
        (
            &MAGIC,
            &[
                "--out",
                &other,
                "--checkpoint",
                &checkpoint,
                "--plot",
                &plot,
            ],
        ),
        (b"<svg", &["--out", &out, "--plot", &other]),
    ] {
        fs::write(&other, begins).expect("room");
        let output = run(&[&words[..], &["--epochs", "1"], extra].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            error.contains("other: it exists already"),
            "{extra:?}: {error}"
        );
        assert_eq!(fs::read(&other).expect("there"), begins, "{extra:?}");
    }
    fs::write(&other, MAGIC).expect("room");
    train(
        &folder,
        &["--epochs", "1", "--restart", "--untrained", &other],
    );
    Network::read(Path::new(&other)).expect("the untrained one");
    // There when it is done, and not when it began.
    let [out, checkpoint] = ["late.net", "late.checkpoint"].map(|name| path(&folder, name));
    let mut running = vato(&[&words[..], &["--epochs", "8", "--out", &out]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    wait_for(&mut running, &checkpoint);
    fs::write(&out, MAGIC).expect("room");
    let output = running.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("late.net: it exists already"), "{error}");
    assert_eq!(fs::read(&out).expect("there"), MAGIC);
}

/// Waits until a run has begun to write a file.
fn wait_for(running: &mut Child, path: &str) {
    while fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        assert!(running.try_wait().expect("it can be asked").is_none());
        thread::sleep(Duration::from_millis(5));
    }
}

/// Long searches and the search for openings are broken off.
#[cfg(unix)]
#[test]
fn self_play_stops_within_a_search() {
    use std::io::{BufRead, BufReader};
    use std::time::Instant;

    let folder = tempfile::tempdir().expect("a folder");
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
        let data = path(&folder, &number.to_string());
        let words = format!("selfplay --games 5 --threads 2 {words} --out {data}");
        let mut running = vato(&words.split(' ').collect::<Vec<_>>())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        wait_for(&mut running, &data);
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
    let [data, out] = ["games.data", "all.data"].map(|name| path(&folder, name));
    let files = vec![data.as_str(); 5_000];
    let names = || fs::read_dir(folder.path()).expect("a folder").count();
    let mut running = vato(&[&["data", "merge", "--out", &out], &files[..]].concat())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while names() == 1 {
        assert!(running.try_wait().expect("it can be asked").is_none());
        thread::sleep(Duration::from_millis(1));
    }
    signal(&running, "-INT");
    let output = running.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("all.data is not written"), "{error}");
    assert_eq!((output.status.code(), names()), (Some(3), 1));
}

/// A file that cannot be read to its end is named; standard output is not.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_files_are_not_those_of_standard_output() {
    // A regular file whose first page is not there.
    let broken = "/proc/self/mem";
    for command in [
        &["games", "stats"][..],
        &["games", "check"],
        &["analyse", "--pgn"],
        &["analyse", "--fens"],
        &["play", "--plain", "--pgn"],
        &["suite"],
        &["data", "info"],
        &["book", "info"],
    ] {
        let error = stderr(&[command, &[broken]].concat(), 1);
        assert!(error.contains(broken), "{command:?}: {error}");
        assert!(!error.contains("standard output"), "{command:?}: {error}");
    }
}

/// Ctrl-C ends what is under way and a termination signal everything; both leave what the same command completes.
#[cfg(unix)]
#[test]
fn what_is_stopped_says_how_it_goes_on() {
    let folder = games();
    let [data, more, net, checkpoint, other] =
        ["games.data", "more.data", "n.net", "n.ckpt", "o.ckpt"].map(|name| path(&folder, name));
    let play = "selfplay --games 1000000 --nodes 50 --threads 1 --out".split(' ');
    let play: Vec<&str> = play.chain([more.as_str()]).collect();
    let train = "train --epochs 1000 --batch 256 --validation 0.2 --restart --data".split(' ');
    let train = train.chain([&data, "--out", &net, "--checkpoint", &checkpoint]);
    let train: Vec<&str> = train.collect();
    for (arguments, written) in [(&play, &more), (&train, &checkpoint)] {
        for name in ["-INT", "-TERM"] {
            let _ = fs::remove_file(written);
            fs::write(&net, MAGIC).expect("room");
            let mut running = vato(arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            wait_for(&mut running, written);
            if arguments[0] == "train" {
                let second = [&train[..train.len() - 1], &[&other]].concat();
                assert!(stderr(&second, 1).contains("n.net: in use"));
                // One of an earlier training would keep this one from going on.
                assert!(!Path::new(&net).exists());
            }
            signal(&running, name);
            let output = running.wait_with_output().expect("it ends");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{arguments:?}: {error}");
            let goes_on = match arguments[0] {
                "train" => "goes on when the same command is given again without --restart\n",
                _ => "goes on when the same command is given again\n",
            };
            assert!(error.ends_with(goes_on), "{arguments:?}: {error}");
        }
    }
}

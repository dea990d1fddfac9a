//! `vato openings`, seen from outside.

use std::fs;
use std::process::{Command, Output, Stdio};

use vato_engine::rules::parse_rules;
use vato_tools::openings::{OpeningSettings, OpeningSource, OpeningSuite};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vato"))
        .arg("openings")
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

/// What a run that succeeds puts out: results and the rest.
fn good(arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    let [results, rest] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    (results, rest)
}

/// Standard error of a run that ends with this code, and how many lines of results it had.
fn bad(arguments: &[&str], code: i32) -> (String, usize) {
    let output = run(arguments);
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    let results = String::from_utf8(output.stdout).expect("UTF-8");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    (message, results.lines().count())
}

const SMALL: [&str; 6] = ["--plies", "6", "--count", "12", "--depth", "5"];

#[test]
fn help_is_complete() {
    let (help, _) = good(&["--help"]);
    for option in [
        "plies",
        "count",
        "min-score",
        "max-score",
        "both-sides",
        "seed",
        "depth",
        "nodes",
        "rules",
        "threads",
        "builtin",
        "scores",
        "out",
    ] {
        assert!(help.contains(&format!("--{option}")), "{option}");
    }
    let (_, examples) = help.split_once("Examples:\n").expect("examples");
    let examples: Vec<&str> = examples
        .lines()
        .map_while(|line| line.strip_prefix("  vato openings "))
        .collect();
    assert!(examples.len() >= 3, "{help}");
    for example in examples {
        // Only whether the arguments are understood: with `--help` behind them nothing runs.
        let quoted: Vec<&str> = example.split('"').collect();
        let mut arguments: Vec<&str> = quoted[0].split_whitespace().collect();
        if let [_, rules, rest] = quoted[..] {
            arguments.push(rules);
            arguments.extend(rest.split_whitespace());
        }
        arguments.push("--help");
        assert_eq!(good(&arguments).0, help);
    }
}

#[test]
fn a_book_is_made_and_taken_back() {
    let (text, rest) = good(&SMALL);
    assert_eq!(text.lines().count(), 12);
    assert!(
        text.lines().all(|line| line.split(' ').count() == 4),
        "{text}"
    );
    assert_eq!(rest.lines().count(), 1, "{rest}");
    assert!(rest.contains(" 12 kept; scores from "), "{rest}");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.fen");
    let name = path.to_str().expect("UTF-8");
    let to_file = [&SMALL[..], &["--scores", "--threads", "2", "--out", name]].concat();
    assert_eq!(good(&to_file).0, "");
    let written = fs::read_to_string(&path).expect("a file");
    let fens: Vec<&str> = written
        .lines()
        .map(|line| line.split_once(" ; ").expect("a score").0)
        .collect();
    assert_eq!(fens, text.lines().collect::<Vec<_>>());

    let rules = parse_rules("tsivy").expect("rules");
    let settings = OpeningSettings::new(OpeningSource::File(path.clone()));
    let book = OpeningSuite::open(&settings, &rules).expect("a book");
    assert_eq!(book.count(), Some(12));

    // Wherever it ends, the same command makes the same of it; another file is not overwritten.
    for length in [0, 5, written.len() / 2, written.len()] {
        fs::write(&path, &written[..length]).expect("there is room");
        good(&to_file);
        assert_eq!(fs::read_to_string(&path).expect("a file"), written);
    }
    let more = format!("{written}9/9/9/6b2/w2b3w1 w\n");
    for other in ["a letter", "a letter\n", &more] {
        fs::write(&path, other).expect("there is room");
        let (message, _) = bad(&to_file, 1);
        assert!(
            message.contains("book.fen has other positions"),
            "{message}"
        );
        assert_eq!(fs::read_to_string(&path).expect("a file"), other);
        assert!(!path.with_extension("fen.tried").exists());
    }
    // What is no suite at all is found out before the searches, and before their notes.
    fs::create_dir(path.with_extension("fen.tried")).expect("a folder");
    for (other, found_at_once) in [("a letter\n", true), ("9/9/9/6b2/w2b3w1 w\n", false)] {
        fs::write(&path, other).expect("there is room");
        let (message, _) = bad(&to_file, 1);
        assert_eq!(
            message.contains("other positions"),
            found_at_once,
            "{message}"
        );
    }
}

/// Stopped, it says so; what was found is in the file, and the same command comes to the same end.
#[cfg(unix)]
#[test]
fn a_book_that_was_stopped_is_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.fen");
    let name = path.to_str().expect("UTF-8");
    let arguments = ["--plies", "6", "--depth", "7", "--out", name, "--count"];
    let mut running =
        crate::support::command_line::vato(&[&["openings"], &arguments[..], &["100000"]].concat())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
    while fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        assert!(running.try_wait().expect("it can be asked").is_none());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    crate::support::command_line::interrupt(&running);
    let output = running.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        message.contains("goes on when the same command"),
        "{message}"
    );
    // What was searched is noted, and not searched again: where no score is noted, nothing is found.
    let stopped = fs::read_to_string(&path).expect("a file");
    let tried = folder.path().join("book.fen.tried");
    let notes = fs::read_to_string(&tried).expect("notes");
    assert!(notes.lines().count() > stopped.lines().count());
    let others = [&arguments[..], &["100000", "--seed", "2"]].concat();
    assert!(bad(&others, 1).0.contains("begun with other settings"));
    let none: Vec<&str> = (notes.lines().enumerate())
        .map(|(number, line)| if number == 0 { line } else { "-" })
        .collect();
    fs::write(&tried, none.join("\n") + "\n").expect("room");
    fs::remove_file(&path).expect("it is there");
    good(&[&arguments[..], &["1"]].concat());
    assert!(!stopped.contains(&*fs::read_to_string(&path).expect("a file")));
    assert!(!tried.exists());
    fs::write(&tried, notes).expect("room");
    fs::write(&path, &stopped).expect("room");
    let count = (stopped.lines().count() + 3).to_string();
    good(&[&arguments[..], &[count.as_str()]].concat());
    let whole = fs::read_to_string(&path).expect("a file");
    assert!(whole.starts_with(&stopped) && whole != stopped);
    let never_stopped = good(&[&arguments[..4], &["--count", &count]].concat()).0;
    assert_eq!(whole, never_stopped);
    assert!(!tried.exists());
}

#[test]
fn scores_lie_within_bounds() {
    let bounds = ["--min-score", "-2.5", "--max-score", "-1.25", "--scores"];
    let (text, rest) = good(&[&SMALL[..], &bounds].concat());
    let scores: Vec<f64> = text
        .lines()
        .map(|line| line.split_once(" ; ").expect("a score").1)
        .map(|score| score.parse().expect("a number"))
        .collect();
    assert_eq!(scores.len(), 12);
    assert!(scores.iter().all(|score| (-2.5..=-1.25).contains(score)));
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(
        rest.contains(&format!("scores from {least:+.2} to")),
        "{rest}"
    );
    let both = [
        "--min-score",
        "1",
        "--max-score",
        "2",
        "--both-sides",
        "--scores",
    ];
    let (text, _) = good(&[&SMALL[..], &both].concat());
    let sign = |index: usize| {
        if index.is_multiple_of(2) {
            " ; +1."
        } else {
            " ; -1."
        }
    };
    for (index, line) in text.lines().enumerate() {
        assert!(
            line.contains(sign(index)) || line.ends_with("2.00"),
            "{text}"
        );
    }
}

#[test]
fn other_rules_other_boards() {
    let rules = "board=5x5 chain=full";
    let arguments = [
        "--rules",
        rules,
        "--plies",
        "4",
        "--count",
        "5",
        "--nodes",
        "300",
        "--min-score",
        "-9",
        "--max-score",
        "9",
    ];
    let (text, _) = good(&arguments);
    assert_eq!(text.lines().count(), 5);
    assert!(
        text.lines().all(|line| line.split('/').count() == 5),
        "{text}"
    );
    let other_seed = [&arguments[..], &["--seed", "2"]].concat();
    assert_ne!(good(&other_seed).0, text);
}

#[test]
fn the_built_in_books_are_printed() {
    for name in ["balanced", "sharp"] {
        let (fens, rest) = good(&["--builtin", name]);
        assert_eq!(rest, "");
        assert!(!fens.contains(';'));
        let (scored, _) = good(&["--builtin", name, "--scores"]);
        assert_eq!(scored.lines().count(), 400);
        for (fen, scored) in fens.lines().zip(scored.lines()) {
            assert!(scored.starts_with(&format!("{fen} ; ")), "{scored}");
        }
    }
}

#[test]
fn an_exhausted_board_is_an_error() {
    let arguments = [
        "--rules",
        "telo",
        "--plies",
        "1",
        "--count",
        "100",
        "--depth",
        "3",
        "--min-score",
        "-9",
        "--max-score",
        "9",
    ];
    let (message, found) = bad(&arguments, 1);
    assert!(found < 100);
    assert_eq!(message.lines().count(), 2, "{message}");
    assert!(message.contains(&format!(" {found} kept")), "{message}");
    assert!(message.contains(&format!("error: {found} of 100 positions found")));
}

#[test]
fn wrong_usage_is_told_apart() {
    for arguments in [
        &["--plies", "0"][..],
        &["--plies", "201"],
        &["--count", "0"],
        &["--min-score", "nan"],
        &["--max-score", "1e9"],
        &["--depth", "3", "--nodes", "3"],
        &["--depth", "0"],
        &["--threads", "0"],
        &["--builtin", "other"],
        &["--builtin", "sharp", "--plies", "4"],
        &["--builtin", "sharp", "--evaluation", "classical"],
        &["--builtin", "sharp", "--eval-file", "/no/such"],
    ] {
        bad(arguments, 2);
    }
    for (arguments, code, wanted) in [
        (&["--min-score", "1"][..], 2, "between +1.00 and +0.50"),
        (&["--both-sides"], 2, "below 0"),
        (&["--rules", "chess"], 2, "neither a preset"),
        (
            &["--out", "/no/such/folder/book"],
            1,
            "cannot write /no/such",
        ),
    ] {
        let (message, found) = bad(arguments, code);
        assert_eq!(found, 0);
        assert!(
            message.starts_with("error: ") && message.contains(wanted),
            "{message}"
        );
    }
}

//! The command line, seen from outside: the built program, its output and its exit codes.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::support::command_line::{run, stderr, stdout, vato};
use vato_engine::network::Network;

fn last_line(text: &str) -> &str {
    text.lines().last().expect("a line")
}

#[test]
fn help_is_complete() {
    let help = stdout(&["--help"]);
    for word in [
        "analyse",
        "perft",
        "bench",
        "play",
        "match",
        "openings",
        "pgn",
        "stats",
        "selfplay",
        "data",
        "train",
        "Examples:",
        "RUST_LOG",
        "Exit codes",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for (preset, rules) in [
        ("first-turns", "opening=both"),
        ("full-chain", "chain=full"),
    ] {
        assert!(help.contains(preset) && help.contains(rules));
    }
    let options = [
        (
            "analyse",
            "--fen --moves --rules --depth --nodes --movetime --multipv --threads --hash --tablebases --json --ascii",
        ),
        ("perft", "<DEPTH> --fen --rules --divide --threads --hash"),
        ("bench", "--depth --threads --hash"),
        (
            "play",
            "--as --level --movetime --nodes --depth --tc --fen --rules --pgn --threads --hash \
             --evaluation --eval-file --plain --ascii NO_COLOR",
        ),
        (
            "match",
            "--engine --each --config --resume --rules --games --concurrency --affinity --event \
             --openings --order --seed --plies --start --resign --draw --adjudicate --max-plies --sprt \
             --start-timeout --hang-timeout --move-timeout --out --log --quiet --json name= cmd= \
             args= dir= proto= tc= st= nodes= depth= timemargin= ponder= restart= option.",
        ),
        (
            "openings",
            "--plies --count --min-score --max-score --seed --builtin",
        ),
        (
            "games",
            "check filter sort merge dedupe split stats index tree find",
        ),
        (
            "games filter",
            "player winner elo plies result ending opening rules position material pattern --format",
        ),
        (
            "games tree",
            "--fen --rules --plies --min-games --nodes --book --format",
        ),
        (
            "pgn check",
            "<FILE> Termination FEN Variant standard Examples: Exit",
        ),
        (
            "stats",
            "--games --nodes --depth --rules --openings --plies --seed --threads --hash --json",
        ),
    ];
    for (command, words) in options {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("--help");
        let help = stdout(&arguments);
        for word in words.split_whitespace() {
            assert!(help.contains(word), "{command}: {word}");
        }
        assert!(help.contains("Examples:"), "{command}");
    }
    assert_eq!(
        stdout(&["--version"]).trim(),
        format!(
            "vato {} (net {})",
            env!("CARGO_PKG_VERSION"),
            Network::standard().name()
        )
    );
}

/// The examples of every help are commands that the program takes.
#[test]
fn the_examples_of_the_help_are_understood() {
    for command in [
        "analyse",
        "perft",
        "bench",
        "diagram",
        #[cfg(feature = "gui")]
        "gui",
        "match",
        "openings",
        "games",
        "games filter",
        "games tree",
        "games find",
        "pgn check",
        "solve",
        "play",
        "suite",
        "selfplay",
        "train",
        "book build",
        "book probe",
        "book export",
        "tablebase build",
        "tablebase probe",
        "tablebase info",
        "tablebase verify",
        "match merge",
        "stats",
    ] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("--help");
        let help = stdout(&arguments);
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        let examples: Vec<&str> = examples
            .lines()
            .take_while(|line| line.starts_with("  vato "))
            .collect();
        assert!(examples.len() >= 2, "{help}");
        for example in examples {
            // Only whether the arguments are understood: with `--help` behind them nothing runs.
            // What the shell does with the input is not the program's business.
            let is_shell = |word: &String| ["<", ">", "|"].contains(&&**word);
            let mut arguments = split(example);
            arguments.truncate(
                arguments
                    .iter()
                    .position(is_shell)
                    .unwrap_or(arguments.len()),
            );
            assert_eq!(arguments.remove(0), "vato");
            arguments.push("--help".to_owned());
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            stdout(&arguments);
            // And that the positions and moves in them are good.
            if ["analyse", "perft", "diagram"].contains(&command) {
                check_position(&arguments);
            }
        }
    }
}

/// Runs a command line of the help with its position, rules and moves, and the least to do.
fn check_position(arguments: &[&str]) {
    let mut short = vec!["analyse", "--depth", "1"];
    for pair in arguments.windows(2) {
        if ["--fen", "--rules", "--moves"].contains(&pair[0]) {
            short.extend(pair);
        }
    }
    assert!(stdout(&short).contains("best move: "), "{arguments:?}");
}

/// Splits a command line as a shell does, quotes included.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.trim().chars() {
        match character {
            '"' | '\'' if quote.is_none() => quote = Some(character),
            _ if quote == Some(character) => quote = None,
            ' ' if quote.is_none() => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(character),
        }
    }
    words
}

#[test]
fn perft_counts() {
    let text = stdout(&["perft", "4"]);
    assert_eq!(last_line(&text), "Nodes searched: 18026");
    assert_eq!(last_line(&stdout(&["perft", "0"])), "Nodes searched: 1");
    for extra in [
        &["--threads", "2"][..],
        &["--hash", "16"],
        &["--threads", "2", "--hash", "1", "--divide"],
    ] {
        let text = stdout(&[&["perft", "5"], extra].concat());
        assert_eq!(last_line(&text), "Nodes searched: 431852");
    }
    let text = stdout(&["perft", "3", "--rules", "telo"]);
    let same = stdout(&["perft", "3", "--rules", "board=3x3"]);
    assert_eq!(last_line(&text), last_line(&same));
    let text = stdout(&[
        "perft",
        "1",
        "--fen",
        "9/9/9/9/bw2b4 w",
        "--rules",
        "direction=any",
    ]);
    assert_eq!(last_line(&text), "Nodes searched: 2");
    let many = ["perft", "90", "--rules", "telo", "--hash", "100"];
    for more in [&[][..], &["--divide"], &["--threads", "2"]] {
        let message = stderr(&[&many, more].concat(), 1);
        assert!(message.ends_with("there are more than 18446744073709551615 turns\n"));
    }
}

#[test]
fn perft_divides() {
    let text = stdout(&["perft", "4", "--divide"]);
    let counts: Vec<&str> = text.lines().filter(|line| line.contains("-e3")).collect();
    assert_eq!(
        counts,
        [
            "d2-e3A: 3377",
            "d3-e3A: 1268",
            "d3-e3W: 10067",
            "e2-e3A: 1045",
            "f2-e3A: 2269"
        ]
    );
    assert_eq!(last_line(&text), "Nodes searched: 18026");
}

#[test]
fn bench_ends_with_its_total() {
    let text = stdout(&["bench", "--depth", "1"]);
    let words: Vec<&str> = last_line(&text).split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{text}");
    assert!(words[0].parse::<u64>().is_ok() && words[2].parse::<u64>().is_ok());
    let again = stdout(&["bench", "--depth", "1"]);
    assert_eq!(last_line(&again).split(' ').next(), Some(words[0]));
}

#[test]
fn analyse_prints_plain_lines_in_a_pipe() {
    let text = stdout(&["analyse", "--depth", "4"]);
    assert!(!text.contains('\u{1b}'), "no escape sequences");
    assert!(text.contains("●───●") && text.contains("White to move"));
    assert!(text.contains("bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1"));
    let best = text
        .lines()
        .find_map(|line| line.strip_prefix("best move: "))
        .expect("a best move");
    assert!(["d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"].contains(&best));
    let last_row = text
        .lines()
        .rfind(|line| line.ends_with(best) || line.contains(&format!("  {best} ")));
    assert!(last_row.is_some(), "the best move begins a line:\n{text}");
}

#[test]
fn analyse_finds_mates_or_says_that_there_are_none() {
    let text = stdout(&["analyse", "--mate", "5", "--fen", "9/8w/9/4b4/2w6 w 0 40"]);
    assert!(text.contains(" +M5 "), "{text}");
    assert!(!text.contains("at most"), "{text}");
    let text = stdout(&["analyse", "--mate", "3"]);
    let end = "\nNo win and no loss in at most 3 plies.\n";
    assert!(
        text.contains("best move: ") && text.ends_with(end),
        "{text}"
    );
}

#[test]
fn analyse_plays_moves_first() {
    let text = stdout(&["analyse", "--moves", "f2e3a", "--depth", "2", "--ascii"]);
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("Black to move"));
    assert!(text.contains(" b 0 1\n"));
    let rules = "board=5x5 chain=full";
    let text = stdout(&[
        "analyse",
        "--rules",
        rules,
        "--depth",
        "2",
        "--multipv",
        "2",
    ]);
    assert!(text.contains(&format!("rules: {rules}")));
}

#[test]
fn the_diagram_follows_the_locale() {
    let text = |name: &str, value: &str| {
        let output = vato(&["analyse", "--depth", "1"])
            .env_remove("LC_ALL")
            .env_remove("LC_CTYPE")
            .env_remove("LANG")
            .env(name, value)
            .output()
            .expect("the program starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(text("LC_ALL", "C").is_ascii());
    assert!(text("LANG", "de_DE.ISO-8859-1").is_ascii());
    assert!(!text("LC_CTYPE", "en_US.UTF-8").is_ascii());
    assert!(!text("LANG", "C.utf8").is_ascii());
}

#[test]
fn json_is_one_object_for_each_depth() {
    for (multipv, expected) in [("1", 1), ("3", 3), ("99", 5)] {
        let text = stdout(&["analyse", "--json", "--depth", "5", "--multipv", multipv]);
        let depths: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let mut last = 0;
        for depth in &depths {
            let number = depth["depth"].as_u64().expect("a depth");
            assert!(number > last, "each depth once, in order:\n{text}");
            last = number;
            for key in ["seldepth", "nodes", "time_ms", "nps", "hashfull"] {
                assert!(depth[key].is_u64(), "{key}: {depth}");
            }
            let lines = depth["lines"].as_array().expect("lines");
            assert_eq!(lines.len(), expected, "{depth}");
            for (place, line) in lines.iter().enumerate() {
                assert_eq!(line["multipv"], place as u64 + 1);
                assert!(line["score"]["centi_stones"].is_i64(), "{line}");
                assert!(line["pv"][0].is_string(), "{line}");
            }
        }
        assert!(!depths.is_empty());
    }
}

#[test]
fn json_tells_a_decided_game() {
    let text = stdout(&[
        "analyse",
        "--json",
        "--depth",
        "3",
        "--fen",
        "9/9/3w1b3/9/9 w",
    ]);
    let depth: Value = serde_json::from_str(last_line(&text)).expect("JSON");
    assert_eq!(depth["lines"][0]["score"]["plies_to_end"], 1, "{text}");
    assert_eq!(depth["lines"][0]["pv"][0], "d3-e3A");
}

#[test]
fn a_finished_game_is_said_to_be_one() {
    for (fen, why) in [
        ("9/9/4w4/9/9 b", "White wins: Black has no stones"),
        ("9/9/9/ww7/bw7 b", "White wins: Black has no legal move"),
        ("7bb/9/9/9/ww7 w 100 60", "draw: no capture for too long"),
    ] {
        let text = stdout(&["analyse", "--fen", fen]);
        assert_eq!(last_line(&text), format!("The game is over: {why}."));
        // JSON has depths only, and there are none.
        let output = run(&["analyse", "--json", "--fen", fen]);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stdout.is_empty());
        assert!(String::from_utf8_lossy(&output.stderr).contains(why));
    }
    let moves = ["a1-a2 i5-i4 a2-a1 i4-i5"; 2].join(" ");
    let text = stdout(&["analyse", "--fen", "7bb/9/9/9/ww7 w", "--moves", &moves]);
    assert_eq!(last_line(&text), "The game is over: draw: repetition.");
}

#[test]
fn what_does_not_read_is_named() {
    for (arguments, wanted) in [
        (&["analyse", "--fen", "9/9/9/9 w"][..], "4 rows"),
        (&["analyse", "--fen", ""], "empty"),
        (&["analyse", "--rules", "chess"], "neither a preset"),
        (&["analyse", "--rules", "board=9x6"], "9x6"),
        (
            &["analyse", "--rules", "dimy", "--fen", "9/9/4w4/9/9 w"],
            "5x5",
        ),
        (&["analyse", "--moves", "f2-e3A e3-e4"], "number 2"),
        (&["analyse", "--moves", "z9"], "character 1"),
        (
            &["analyse", "--json", "--moves", "d3-e3"],
            "may be d3-e3A or d3-e3W",
        ),
        (&["perft", "2", "--fen", "x"], "1 row,"),
        (&["perft", "2", "--rules", "limit=x"], "0 to 65535"),
    ] {
        let message = stderr(arguments, 2);
        assert!(message.starts_with("error: "), "{message}");
        assert!(message.contains(wanted), "{message}");
    }
    // Moves that follow the end of a game.
    let message = stderr(
        &["analyse", "--fen", "9/9/4w4/9/9 b", "--moves", "e3-e4"],
        2,
    );
    assert!(message.contains("the game is over"), "{message}");
}

#[test]
fn shells_and_manuals_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        assert!(
            script.contains("--multipv") || script.contains("-l multipv"),
            "{shell}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let man = folder.path().join("man1");
    assert_eq!(stdout(&["man", man.to_str().expect("UTF-8")]), "");
    let page = std::fs::read_to_string(man.join("vato-analyse.1")).expect("a page");
    assert!(page.contains(".TH") && page.contains("multipv"));
    // Pages are replaced, other files are not.
    stdout(&["man", man.to_str().expect("UTF-8")]);
    let diary = man.join("vato.1");
    std::fs::write(&diary, "a diary").expect("room");
    let error = stderr(&["man", man.to_str().expect("UTF-8")], 1);
    assert!(error.contains("vato.1: a file of another kind"), "{error}");
    assert_eq!(std::fs::read(&diary).ok().as_deref(), Some(&b"a diary"[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for option in ["--help", "--version"] {
        let full = std::fs::File::create("/dev/full").expect("a full disk");
        let output = vato(&[option]).stdout(full).output().expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.starts_with("error: cannot write to standard output: "),
            "{error}"
        );
    }
}

/// Behind `--` a file may have any name; and what else a value says of itself.
#[test]
fn names_and_values_are_taken_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("-d.pgn"), "1. d3-e3A *\n").expect("room");
    let output = vato(&["diagram", "--", "-d.pgn"])
        .current_dir(&folder)
        .output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let error = stderr(
        &[
            "selfplay",
            "--games",
            "1",
            "--out",
            "x",
            "--random-plies",
            "5..2",
        ],
        2,
    );
    assert!(
        error.contains("such as 4..12, the smaller first"),
        "{error}"
    );
}

/// `-h` is a screen; `--help` has everything.
#[test]
fn short_help_has_what_matters() {
    for (command, shown, hidden) in [
        ("match", "--sprt", "--hang-timeout"),
        ("analyse", "--multipv", "--eval-file"),
        ("train", "--epochs", "--checkpoint"),
    ] {
        let [short, long] = ["-h", "--help"].map(|help| stdout(&[command, help]));
        assert!(
            short.contains(shown) && !short.contains(&format!("{hidden} ")),
            "{short}"
        );
        assert!(long.contains(shown) && long.contains(hidden), "{command}");
        assert!(short.lines().count() <= 50, "{short}");
    }
}

#[test]
fn nobody_is_greeted_in_a_pipe() {
    let output = run(&[]);
    assert!(output.status.success());
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn wrong_usage_is_told_apart() {
    for arguments in [
        &["analyzer"][..],
        &["perft"],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "100"],
        &["perft", "4", "--threads", "0"],
        &["bench", "--depth", "0"],
        &["bench", "--hash", "0"],
        &["analyse", "--depth", "4", "--nodes", "4"],
        &["analyse", "--movetime", "-5"],
        &["analyse", "--multipv", "0"],
        &["analyse", "--fen"],
        &["--no-such-option"],
        &["pgn"],
        &["pgn", "check"],
        &["pgn", "chek", "x"],
    ] {
        stderr(arguments, 2);
    }
}

/// A number below zero is a value, and no option that nobody knows.
#[test]
fn numbers_below_zero_are_values_that_are_refused() {
    for (arguments, option) in [
        (&["match", "--games", "-2"][..], "--games <N>"),
        (&["match", "--seed", "-1"], "--seed <N>"),
        (&["match", "--move-timeout", "-1.5"], "--move-timeout <S>"),
        (&["play", "--level", "-1"], "--level"),
        (&["analyse", "--nodes", "-1"], "--nodes <N>"),
        (&["analyse", "--pgn", "a", "--games", "-2"], "--games <"),
        (
            &["book", "build", "--out", "a", "--plies", "-3"],
            "--plies <",
        ),
        (&["perft", "-1"], "DEPTH"),
    ] {
        let text = stderr(arguments, 2);
        let number = arguments.last().expect("a number");
        let wanted = format!("error: invalid value '{number}' for '");
        assert!(text.starts_with(&wanted), "{arguments:?}: {text}");
        assert!(text.contains(option), "{arguments:?}: {text}");
    }
    let text = stderr(&["analyse", "-1"], 2);
    assert!(text.contains("unexpected argument '-1'"), "{text}");
}

/// Presets are known in letters of either case.
#[test]
fn presets_may_be_in_capitals() {
    let small = stdout(&["perft", "2", "--rules", "telo"]);
    assert_eq!(
        stdout(&["perft", "2", "--rules", "TELO"]).lines().last(),
        small.lines().last()
    );
}

#[test]
fn the_log_goes_to_standard_error() {
    let output = vato(&["perft", "2"])
        .env("RUST_LOG", "debug")
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    assert!(!output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().count(), 2, "{text}");
}

/// A reader that goes away after the first line, like `head -1`.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [
        &["perft", "1", "--divide", "--fen", MANY_TURNS][..],
        &["analyse", "--depth", "30"],
        &["analyse", "--depth", "30", "--json"],
        &["bench", "--depth", "2"],
        &["--help"],
    ] {
        let mut child = vato(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        let mut reader = BufReader::with_capacity(16, stdout);
        reader.read_line(&mut line).expect("a first line");
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

/// Settings that cannot be are wrong usage, whichever part of the program finds it out.
#[test]
fn wrong_settings_are_wrong_usage() {
    for arguments in [
        "stats --openings start --plies 3",
        "stats --openings random --plies 300",
        "selfplay --games 2 --random-plies 300..400 --out z",
        "tune --rate 0 --out z",
        "train --data z --out z --score-weight 2",
        "match --openings start --plies 3 --out z",
        "openings --min-score 1",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        stderr(&words, 2);
    }
}

/// More turns than a pipe holds as text.
const MANY_TURNS: &str = "bwbbbbbwb/b2bbb2b/1b2b2b1/2b3b2/bwbbbbbwb w 0 2";

/// Every command that takes a position takes it as people have it.
#[test]
fn positions_and_moves_are_taken_as_they_are_copied() {
    let fen = "9/9/3b5/9/w7w w 0 2";
    for command in [
        &["analyse", "--depth", "1"][..],
        &["perft", "1"],
        &["tablebase", "probe"],
        &["diagram"],
        &["solve", "--attacker", "black"],
        &["play", "--plain", "--as", "both"],
        &["games", "find", "-"],
    ] {
        let plain = [command, &["--fen", fen]].concat();
        let told = |arguments: &[&str]| {
            let output = run(arguments);
            assert_ne!(output.status.code(), Some(2), "{arguments:?}");
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            // Times differ.
            let lines = text
                .lines()
                .filter(|line| !line.starts_with(['T', 't', ' ', 'N', 'n']));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        for form in [
            &format!("{fen} ; won"),
            &format!("{fen} bm a1-b2; id \"won\";"),
            "9/9/3b5/9/w7w W - - 0 2",
            "\"9/9/3b5/9/w7w white 0 2\"",
        ] {
            assert_eq!(
                told(&[command, &["--fen", form]].concat()),
                told(&plain),
                "{command:?} {form}"
            );
        }
    }
    let moves = [
        "f2-e3A d5-d4A",
        "1. f2-e3A! {+0.3/8} d5d4 $1 (1... f3-f2A) *",
        "f2–e3,d5-d4A",
    ];
    for command in [
        &["analyse", "--depth", "1"][..],
        &["diagram"],
        &["solve", "--movetime", "1ms", "--hash", "1MB"],
    ] {
        let first = run(&[command, &["--moves", moves[0]]].concat()).stdout;
        let begin = String::from_utf8_lossy(&first)
            .lines()
            .take(12)
            .map(str::to_owned)
            .collect::<Vec<_>>();
        for form in &moves[1..] {
            let other = run(&[command, &["--moves", form]].concat()).stdout;
            let other = String::from_utf8_lossy(&other)
                .lines()
                .take(12)
                .map(str::to_owned)
                .collect::<Vec<_>>();
            assert!(
                !begin.is_empty()
                    && (begin == other || command[0] == "solve" && begin[0] == other[0]),
                "{command:?} {form}"
            );
        }
    }
    let text = stderr(&["analyse", "--moves", "d3e3"], 2);
    assert!(
        text.contains("--moves, number 1: move 'd3e3' may be d3-e3A or d3-e3W"),
        "{text}"
    );
}

/// Scores are from White's view, whoever is to move; in JSON they are for the side to move.
#[test]
fn scores_are_for_white() {
    // Black wins whoever is to move.
    for fen in ["b8/3b5/4b4/9/8w w 0 9", "b8/3b5/4b4/9/8w b 0 9"] {
        let text = stdout(&["analyse", "--fen", fen, "--depth", "6"]);
        assert!(text.contains("(scores for White)"), "{text}");
        let rows = text
            .lines()
            .skip_while(|line| !line.starts_with("depth"))
            .skip(1);
        let last = rows
            .take_while(|line| !line.is_empty())
            .last()
            .expect("a row");
        let score = last.split_whitespace().nth(1).expect("a score");
        assert!(
            score.starts_with("-TB") || score.starts_with("-M"),
            "{text}"
        );
    }
}

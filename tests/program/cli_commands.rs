//! The command line, seen from outside: the built program, its output and its exit codes.

use std::io::{BufRead, BufReader};
use std::process::Command;

use crate::support::command_line::{
    Folder, Run, engine, is_there, object, objects, run, split, start, stderr, stdout, vato,
};
use crate::support::transcript;
use vato_engine::network::Network;

fn last_line(text: &str) -> &str {
    text.lines().last().expect("a line")
}

#[test]
fn help_is_complete() {
    let help = stdout(&["--help"]);
    let words =
        "analyse perft bench play match openings pgn selfplay data train Examples: RUST_LOG";
    let words = words.split(' ').filter(|word| is_there(word));
    for word in words.chain(["Exit codes"]) {
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
             --evaluation --eval-file --ascii",
        ),
        (
            "match",
            "--engine --each --config --resume --rules --games --concurrency --affinity --event \
             --openings --order --seed --plies --start --resign --draw --adjudicate --max-plies --sprt \
             --start-timeout --hang-timeout --move-timeout --out --html --live --pgn-live --dry-run --log --quiet --json name= cmd= \
             args= dir= proto= tc= st= nodes= depth= timemargin= ponder= restart= option.",
        ),
        (
            "openings",
            "--plies --count --min-score --max-score --both-sides --seed --depth --nodes --rules --threads \
             --builtin --scores --out",
        ),
        ("games", "check filter import stats tree find"),
        (
            "games filter",
            "player winner elo plies result ending opening rules position material pattern all --sort --once --split \
             --out --json --csv",
        ),
        (
            "games tree",
            "--fen --rules --plies --min-games --nodes --json --csv",
        ),
        (
            "pgn check",
            "[FILE] Termination FEN Variant standard Examples: Exit",
        ),
    ];
    for (command, words) in options {
        let help = stdout(&format!("{command} --help"));
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
    let commands = "analyse,perft,bench,diagram,match,openings,games,games filter,games tree,games find,pgn check,\
        solve,play,suite,selfplay,train,tablebase build,tablebase probe,\
        tablebase info,tablebase verify,match merge";
    let gui = cfg!(feature = "gui").then_some("gui");
    let commands = commands.split(',').filter(|command| is_there(command));
    for command in commands.chain(gui) {
        let help = stdout(&format!("{command} --help"));
        let (_, examples) = help.split_once("Examples:\n").expect("examples");
        let examples: Vec<&str> = examples
            .lines()
            .take_while(|line| line.starts_with("  vato "))
            .collect();
        let least = if command == "openings" { 3 } else { 2 };
        assert!(examples.len() >= least, "{help}");
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
            let usage = format!("Usage: vato {}", arguments[0]);
            assert!(stdout(&arguments).contains(&usage), "{example}");
            // And that the positions and moves in them are good.
            if ["analyse", "perft", "diagram"].contains(&command) {
                check_position(&arguments);
            }
        }
    }
}

/// Runs a command line of the help with its position, rules and moves, and the least to do.
fn check_position(arguments: &[String]) {
    let mut short = split("analyse --depth 1");
    for pair in arguments.windows(2) {
        if ["--fen", "--rules", "--moves"].contains(&pair[0].as_str()) {
            short.extend_from_slice(pair);
        }
    }
    assert!(stdout(&short).contains("best move: "), "{arguments:?}");
}

#[test]
fn perft_counts() {
    let folder = Folder::new();
    transcript::check(&folder, "perft");
    // Presets are known in letters of either case.
    let telo = ["telo", "TELO", "board=3x3"].map(|rules| {
        let text = stdout(&format!("perft 3 --rules {rules}"));
        last_line(&text).to_owned()
    });
    assert!(telo.iter().all(|count| *count == telo[0]), "{telo:?}");
    for more in ["", "--divide", "--threads 2"] {
        let message = stderr(&format!("perft 90 --rules telo --hash 100 {more}"), 1);
        assert!(message.ends_with("there are more than 18446744073709551615 turns\n"));
    }
}

#[test]
fn bench_ends_with_its_total() {
    let text = stdout("bench --depth 1");
    let words: Vec<&str> = last_line(&text).split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{text}");
    assert!(words[0].parse::<u64>().is_ok() && words[2].parse::<u64>().is_ok());
    let again = stdout("bench --depth 1");
    assert_eq!(last_line(&again).split(' ').next(), Some(words[0]));
}

#[test]
fn analyse_prints_plain_lines_in_a_pipe() {
    let text = stdout("analyse --depth 4");
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
    let text = stdout("analyse --mate 5 --fen '9/8w/9/4b4/2w6 w 0 40'");
    assert!(text.contains(" +M5 "), "{text}");
    assert!(!text.contains("at most"), "{text}");
    let text = stdout("analyse --mate 3");
    let end = "\nNo win and no loss in at most 3 plies.\n";
    assert!(
        text.contains("best move: ") && text.ends_with(end),
        "{text}"
    );
}

#[test]
fn analyse_plays_moves_first() {
    let text = stdout("analyse --moves f2e3a --depth 2 --ascii");
    assert!(text.is_ascii(), "{text}");
    assert!(text.contains("Black to move"));
    assert!(text.contains(" b 0 1\n"));
    let rules = "board=5x5 chain=full";
    let text = stdout(&format!("analyse --rules '{rules}' --depth 2 --multipv 2"));
    assert!(text.contains(&format!("rules: {rules}")));
}

#[test]
fn the_diagram_follows_the_locale() {
    let text = |name: &str, value: &str| {
        let mut command = vato("analyse --depth 1");
        for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(variable);
        }
        Run::of(command.env(name, value)).out
    };
    assert!(text("LC_ALL", "C").is_ascii());
    assert!(text("LANG", "de_DE.ISO-8859-1").is_ascii());
    assert!(!text("LC_CTYPE", "en_US.UTF-8").is_ascii());
    assert!(!text("LANG", "C.utf8").is_ascii());
}

#[test]
fn json_is_one_object_for_each_depth() {
    for (multipv, expected) in [("1", 1), ("3", 3), ("99", 5)] {
        let text = stdout(&format!("analyse --json --depth 5 --multipv {multipv}"));
        let depths = objects(&text);
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
    // A better move of a depth that was not completed has a bound for a score.
    let analyse = "analyse --fen 'b5bb1/9/9/2b6/ww1w1w1w1 w 0 7' --nodes 1500";
    let text = stdout(&format!("{analyse} --json"));
    let last = object(last_line(&text));
    assert_eq!(last["depth"], 5);
    assert_eq!(last["lines"][0]["pv"][0], "h1-h2");
    let text = stdout(analyse);
    assert!(
        text.contains(">=+0.15") && last_line(&text) == "best move: f1-f2",
        "{text}"
    );
}

#[test]
fn json_tells_a_decided_game() {
    let text = stdout("analyse --json --depth 3 --fen '9/9/3w1b3/9/9 w'");
    let depth = object(last_line(&text));
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
        let text = stdout(&format!("analyse --fen '{fen}'"));
        assert_eq!(last_line(&text), format!("The game is over: {why}."));
        // JSON has depths only, and there are none.
        let run = run(&format!("analyse --json --fen '{fen}'")).success();
        assert_eq!(run.out, "");
        assert!(run.err.contains(why));
    }
    let moves = ["a1-a2 i5-i4 a2-a1 i4-i5"; 2].join(" ");
    let text = stdout(&format!(
        "analyse --fen '7bb/9/9/9/ww7 w' --moves '{moves}'"
    ));
    assert_eq!(last_line(&text), "The game is over: draw: repetition.");
}

/// Settings that cannot be are wrong usage, whichever part of the program finds it out; a number below zero is a
/// value, and no option that nobody knows.
#[test]
fn what_does_not_read_is_named() {
    let folder = Folder::new();
    transcript::check(&folder, "refused");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn shells_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        assert!(
            script.contains("--multipv") || script.contains("-l multipv"),
            "{shell}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for option in ["--help", "--version"] {
        let full = std::fs::File::create("/dev/full").expect("a full disk");
        let error = Run::of(vato(option).stdout(full)).stderr(1);
        assert!(
            error.starts_with("error: cannot write to standard output: "),
            "{error}"
        );
    }
}

/// Behind `--` a file may have any name.
#[test]
fn names_are_taken_as_they_are() {
    let folder = Folder::new();
    folder.write("-d.pgn", "1. d3-e3A *\n");
    folder.run("diagram -- -d.pgn").success();
}

/// `-h` is a screen; `--help` has everything.
#[test]
fn short_help_has_what_matters() {
    for (command, shown, hidden) in [
        ("match", "--sprt", "--hang-timeout"),
        ("analyse", "--multipv", "--eval-file"),
        ("train", "--epochs", "--checkpoint"),
    ]
    .into_iter()
    .filter(|(command, ..)| is_there(command))
    {
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
    assert_eq!(stdout(""), "");
}

#[test]
fn the_log_goes_to_standard_error() {
    let run = Run::of(vato("perft 2").env("RUST_LOG", "debug")).success();
    assert_ne!(run.err, "");
    assert_eq!(run.out.lines().count(), 2, "{run:?}");
}

/// A reader that goes away after the first line, like `head -1`.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [
        &format!("perft 1 --divide --fen '{MANY_TURNS}'"),
        "analyse --depth 30",
        "analyse --depth 30 --json",
        "bench --depth 2",
        "--help",
    ] {
        let mut child = start(&mut vato(arguments));
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        let mut reader = BufReader::with_capacity(16, stdout);
        reader.read_line(&mut line).expect("a first line");
        drop(reader);
        assert_eq!(Run::end_of(child).success().err, "", "{arguments}");
    }
}

/// More turns than a pipe holds as text.
const MANY_TURNS: &str = "bwbbbbbwb/b2bbb2b/1b2b2b1/2b3b2/bwbbbbbwb w 0 2";

/// Every command that takes a position takes it as people have it.
#[test]
fn positions_and_moves_are_taken_as_they_are_copied() {
    let fen = "9/9/3b5/9/w7w w 0 2";
    for command in [
        "analyse --depth 1",
        "perft 1",
        "tablebase probe",
        "diagram",
        "solve --attacker black",
        "play --as both",
        "games find -",
    ] {
        let told = |form: &str| {
            let run = run(&[split(command), vec!["--fen".to_owned(), form.to_owned()]].concat());
            assert_ne!(run.code, Some(2), "{run:?}");
            // Times differ.
            let lines = run.out.lines();
            let lines = lines.filter(|line| !line.starts_with(['T', 't', ' ', 'N', 'n']));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        for form in [
            &format!("{fen} ; won"),
            &format!("{fen} bm a1-b2; id \"won\";"),
            "9/9/3b5/9/w7w W - - 0 2",
            "\"9/9/3b5/9/w7w white 0 2\"",
        ] {
            assert_eq!(told(form), told(fen), "{command} {form}");
        }
    }
    for command in [
        "analyse --depth 1",
        "diagram",
        "solve --movetime 1ms --hash 1MB",
    ] {
        let begin = |moves: &str| -> Vec<String> {
            let text = run(&format!("{command} --moves '{moves}'")).out;
            text.lines().take(12).map(str::to_owned).collect()
        };
        let wanted = begin("f2-e3A d5-d4A");
        for form in [
            "1. f2-e3A! {+0.3/8} d5d4 $1 (1... f3-f2A) *",
            "f2–e3,d5-d4A",
            "f2;e3;d5-d4A",
        ] {
            let other = begin(form);
            let first_only = command.starts_with("solve") && wanted[0] == other[0];
            assert!(
                !wanted.is_empty() && (wanted == other || first_only),
                "{command} {form}"
            );
        }
    }
}

/// Also a build without the tools, which has no other notations.
#[test]
fn the_engine_takes_moves_in_its_own_notation() {
    let analyse = |moves: &str| {
        let arguments = ["analyse", "--depth", "1", "--moves", moves];
        Run::of(Command::new(engine()).args(arguments))
    };
    let text = analyse("f2-e3A d5-d4A").stdout();
    assert!(text.contains("\nbest move: "), "{text}");
    let error = analyse("f2-e3A d5-d9").stderr(2);
    assert!(error.starts_with("error: --moves, number 2: "), "{error}");
}

/// Scores are from White's view, whoever is to move; in JSON they are for the side to move.
#[test]
fn scores_are_for_white() {
    // Black wins whoever is to move.
    for fen in ["b8/3b5/4b4/9/8w w 0 9", "b8/3b5/4b4/9/8w b 0 9"] {
        let text = stdout(&format!("analyse --fen '{fen}' --depth 6"));
        assert!(text.contains("(scores for White)"), "{text}");
        let lines = text.lines();
        let rows = lines.skip_while(|line| !line.starts_with("depth")).skip(1);
        let last = rows.take_while(|line| !line.is_empty()).last();
        let last = last.expect("a row");
        let score = last.split_whitespace().nth(1).expect("a score");
        assert!(
            score.starts_with("-TB") || score.starts_with("-M"),
            "{text}"
        );
    }
}

/// The start of another program, whose rank 3 is none of Vato's: a position like any other.
#[test]
fn another_start_is_told_by_its_fen() {
    let fen = "bbbbbbbbb/bbbbbbbbb/wbwb1bwbw/wwwwwwwww/wwwwwwwww w 0 1";
    let folder = Folder::new();
    let with_fen = |words: &str| {
        let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        words.extend(["--fen".to_owned(), fen.to_owned()]);
        folder.stdout(&words)
    };
    assert_eq!(last_line(&with_fen("perft 3")), "Nodes searched: 278");
    assert!(!objects(&with_fen("analyse --nodes 100 --json")).is_empty());
    assert!(with_fen("diagram").contains("</svg>"));
    folder.write("book.fen", fen);
    let vato = env!("CARGO_BIN_EXE_vato");
    let engines = format!("--engine name=a,cmd={vato} --engine name=b,cmd={vato}");
    let run = folder.run(&format!(
        "match {engines} --each nodes=1 --games 2 --max-plies 4 --openings book.fen --out games --quiet"
    ));
    assert_eq!(run.code, Some(0), "{run:?}");
    let checked = folder.stdout("games check games.pgn");
    assert_eq!(checked, "2 games, 2 right, 0 wrong\n");
    let tree = with_fen("games tree games.pgn");
    assert!(tree.starts_with("2 games with "), "{tree}");
}

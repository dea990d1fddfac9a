//! The commands of README and docs run, and the output shown is the program's, up to figures that vary.

use std::process::{Command, Stdio};

use rayon::prelude::*;
use serde_json::Value;

use crate::support::command_line::{self, no_data, object};
use crate::support::documents::{blocks, commands, pages, read};
use crate::support::schema;

/// The lines of a match's or a suite's result that are figures and a few words between them.
const FIGURES_OF_A_MATCH: &str =
    "test score Elo normalised pairs colours draws ends late engine ratings games remark solved";

/// Those whose figures follow from the searches alone.
const SEARCHED: &str = "score Elo normalised pairs colours draws ends";

/// The files whose first lines are told with figures.
const FILES_WITH_FIGURES: [&str; 2] = ["games.data:", "small.net:"];

/// What varies from machine to machine and from version to version: scores, times, counts, and the
/// lines of play of an analysis. The rest must be as it is shown; so must the nodes of a search if they are `has_nodes`,
/// those of a limit of depth, and the figures of a match if it `has_score`, as far as the searches alone decide them.
fn without_figures(output: &str, has_nodes: bool, has_score: bool) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in output.trim_end().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = match words[..] {
            [depth, .., _] if is_row(depth, &words) => {
                let nodes = nodes_of_row(&words).filter(|_| has_nodes);
                format!("a row of an analysis {}", nodes.unwrap_or_default())
            }
            [number, mv, ..] if is_move_number(number) => format!("{number} {mv}"),
            [side @ ("White" | "Black"), _, "%", ..] => side.to_owned(),
            ["best", "move:", _] => "best move:".to_owned(),
            ["expected", "reply:", _] => "expected reply:".to_owned(),
            [time @ ("Time:" | "time:"), _, "s"] => time.to_owned(),
            // Of two questions asked in turn, for some seconds each.
            ["nodes:", _] => "nodes:".to_owned(),
            [file, ..] if FILES_WITH_FIGURES.contains(&file) => letters(line),
            ["info", "depth", ..] | ["Finished", "game", ..] | ["Score", "of", ..] => {
                format!("{} {}", words[0], words[1])
            }
            ["bestmove", _] => "bestmove".to_owned(),
            [nodes, "nodes", _, "nps"] if has_nodes => format!("{nodes} nodes nps"),
            [_, "nodes", _, "nps"] => "nodes nps".to_owned(),
            // Of a match as fastchess prints it.
            ["Elo:" | "LOS:" | "Games:" | "Ptnml(0-2):" | "Total", ..] => words_alone(line),
            [_, "games:", ..] => words_alone(line),
            [_, "w" | "b", _, _] => "a position".to_owned(),
            ["epoch", ..] => "epoch".to_owned(),
            [epoch, ..] if words.len() == 7 && is_figure(epoch) => "an epoch".to_owned(),
            ["held", "out,", ..] | ["scale", ..] | ["win", "model:", ..] => words[0].to_owned(),
            // How many games a round of the vela takes is a figure.
            ["match", ..] if words.contains(&"rounds,") => letters(line),
            // So is who stands where in a table, and how wide its columns are.
            ["|", "|" | "machine", ..] => words.join(" "),
            ["|", part, "|", shard, ..] if shard.contains('/') => part.to_owned(),
            [edge] if edge.starts_with("|-") => "|-".to_owned(),
            ["|", place, ..] if place.starts_with(char::is_numeric) => {
                "a row of a table".to_owned()
            }
            [heading, ..] if has_score && SEARCHED.split(' ').any(|word| word == heading) => {
                line.to_owned()
            }
            // Moves and depth; times follow.
            ["engine", ..] if has_score => match line.match_indices(", ").nth(1) {
                Some((end, _)) => line[..end].to_owned() + &words_alone(&line[end..]),
                None => words_alone(line),
            },
            [heading, ..] if FIGURES_OF_A_MATCH.split(' ').any(|word| word == heading) => {
                words_alone(line)
            }
            [name, start, value] if is_figure(start) && is_figure(value) => name.to_owned(),
            [_, "of", _, "pairs,", ..] => letters(line),
            ["SearchParameters:", ..] => words[0].to_owned(),
            _ => match serde_json::from_str::<Value>(line) {
                Ok(Value::Object(object)) => {
                    object.keys().cloned().collect::<Vec<String>>().join(" ")
                }
                _ => line.trim_end().to_owned(),
            },
        };
        // An analysis may report a depth more than once.
        if kept.last() != Some(&line) {
            kept.push(line);
        }
    }
    kept
}

/// A line without its figures.
fn letters(line: &str) -> String {
    let words = line.split_whitespace();
    let words: Vec<&str> = words.filter(|word| !is_figure(word)).collect();
    match words.contains(&"network") {
        // Its name follows.
        true => words[..words.len() - 1].join(" "),
        false => words.join(" "),
    }
}

/// The words of a line without those that have a digit or a fraction in them, and without what a ratio to
/// nothing is: what says of which kind the figures are.
fn words_alone(line: &str) -> String {
    let is_number = |word: &str| ["inf", "nan"].contains(&word.trim_end_matches(','));
    let is_word = |word: &&str| !is_number(word) && !word.contains(char::is_numeric);
    let words: Vec<&str> = line.split_whitespace().filter(is_word).collect();
    words.join(" ")
}

fn is_figure(word: &str) -> bool {
    word.chars()
        .all(|character| character.is_ascii_digit() || ",.".contains(character))
}

/// `12.` or `12...`
fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.parse::<u32>().is_ok()
}

/// A depth, a score in one to three words, nodes, seconds, and moves.
fn is_row(depth: &str, words: &[&str]) -> bool {
    depth.parse::<u32>().is_ok() && words.iter().skip(4).take(3).any(|&word| word == "s")
}

fn nodes_of_row<'a>(words: &[&'a str]) -> Option<&'a str> {
    let unit = words.iter().position(|&word| word == "s")?;
    words.get(unit.checked_sub(2)?).copied()
}

/// The output of a command line in `folder`, run by a shell that finds the built program under its name.
#[cfg(unix)]
fn run(command: &str, folder: &std::path::Path) -> String {
    output_of(&["sh", "-c", command], folder)
}

/// The output of a command that finds the built program under its name.
fn output_of(command: &[&str], folder: &std::path::Path) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_vato"));
    let programs = program.parent().expect("a file lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(command[0])
        .args(&command[1..])
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("LC_ALL", "C.UTF-8")
        .env("XDG_DATA_HOME", no_data())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn figures_vary_and_what_they_are_does_not() {
    let kept = |line: &str| without_figures(line, false, false).concat();
    for (one, other, same) in [
        (
            "score  9 of 40 (22.5 %): +4 =10 -26",
            "score 1 of 4 (25.0 %): +1 =0 -3",
            true,
        ),
        ("score  9 of 40 (22.5 %): +4 =10 -26", "score ½", false),
        (
            "Elo  -2.8 ± 1.6 (95 %: -3.4 to -1.3)",
            "Elo  +0.1 ± 1.6 (95 %: -3 to +1)",
            true,
        ),
        (
            "Elo  -2.8 ± 1.6 (95 %: -3.4 to -1.3)",
            "Elo  not known: all results are alike",
            false,
        ),
        (
            "remark round by round: 1 (2 games), ½ (20 games)",
            "remark round by round: ½",
            false,
        ),
    ] {
        assert_eq!(kept(one) == kept(other), same, "{one}\n{other}");
    }
}

/// Runs the commands of a page in a folder of their own: later ones read what earlier ones have written.
/// Returns how many there are.
#[cfg(unix)]
fn check(page: &std::path::Path) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut checked = 0;
    for command in commands(&read(page)) {
        // What cargo would build and run has been built for this test.
        let line = command.line.replacen("cargo run --release --", "vato", 1);
        // For such a line xargs, which is everywhere, does the same as GNU parallel, which is not.
        let line = line.replacen("| parallel ", "| xargs -P 2 -I {} ", 1);
        // As few games show as much of a training.
        let line = line.replacen("selfplay --games 1000 ", "selfplay --games 50 ", 1);
        if command.long || line.starts_with("cargo ") {
            continue;
        }
        let output = run(&line, folder.path());
        let has_nodes = line.contains("--depth") && !line.contains("--threads");
        // Of a network that is trained on other games here, the score is another.
        let has_score = !line.contains("EvalFile");
        match command.output {
            Some(shown) => assert_eq!(
                without_figures(&output, has_nodes, has_score),
                without_figures(&shown, has_nodes, has_score),
                "{}: {line}",
                page.display()
            ),
            None => assert_eq!(output, "", "{}: {line}", page.display()),
        }
        checked += 1;
    }
    checked
}

#[cfg(unix)]
#[test]
fn the_output_shown_is_the_programs() {
    // Some commands wait for clocks, and other tests need the threads that all share.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
    let checked: usize = pool
        .expect("threads")
        .install(|| pages().par_iter().map(|page| check(page)).sum());
    assert!(checked >= 20, "{checked} commands");
}

/// The examples in Python print what is shown below them.
#[cfg(unix)]
#[test]
fn the_python_examples_run() {
    if let Err(error) = Command::new("python3").arg("--version").output() {
        println!("skipped, for python3 cannot be run: {error}");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = 0;
    for page in pages() {
        let blocks = blocks(&read(&page));
        for pair in blocks.windows(2).filter(|pair| pair[0].info == "python") {
            let output = output_of(&["python3", "-c", &pair[0].text], folder.path());
            assert_eq!(pair[1].info, "text", "{}", pair[0].text);
            assert_eq!(output.trim_end(), pair[1].text, "{}", pair[0].text);
            run += 1;
        }
    }
    assert_eq!(run, 4);
}

/// The values of the page of solved games that come quickly.
#[test]
fn solved_boards_are_as_they_are_told() {
    let page = read(&schema::documents().join("solved.md"));
    let mut checked = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [rules, value, _, seconds, ..] = cells[..] else {
            panic!("{line}");
        };
        let value = match value {
            "White wins" => "win",
            "draw" => "draw",
            _ => continue,
        };
        if seconds.parse::<f64>().is_ok_and(|seconds| seconds < 4.0) {
            let rules = rules.trim_matches('`');
            let solved = command_line::run(&format!("solve --json --hash 64 --rules '{rules}'"));
            let solution = object(&solved.success().out);
            let schema = schema::schema("solution.json");
            schema::check(&solution, &schema, &schema, "").expect("as the schema says");
            assert_eq!(solution["value"], value, "{line}");
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked} rows");
}

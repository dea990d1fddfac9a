//! `vato analyse --fens`, and what else is asked of the analysis of positions.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::command_line::{run, stderr, stdout, vato};

const POSITIONS: &str = "# positions\n\n9/9/9/6b2/w2b3w1 w 0 40 ; lost\nnonsense\n\
    bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1\n9/9/4w4/9/9 b 0 9\n\
    9/2b6/3b5/9/w3w3w b 0 2\n9/2b1b4/3b1b3/2w6/w2b3w1 w 0 40\n";

fn arguments<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["analyse", "--fens", file, "--nodes", "300"], more].concat()
}

/// The results without what time there was.
fn without_times(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        for key in ["time_ms", "nps"] {
            value[key] = Value::Null;
        }
        value
    });
    lines.collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn results_come_in_the_order_of_the_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.fen");
    fs::write(&file, POSITIONS).expect("room");
    let file = file.to_str().expect("UTF-8");
    let mut all = Vec::new();
    for concurrency in ["1", "3"] {
        let output = run(&arguments(file, &["--concurrency", concurrency]));
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(told.starts_with(&format!("{file}:4: fen: 1 row")), "{told}");
        assert!(told.ends_with("error: 1 line is no position\n"), "{told}");
        all.push(without_times(
            std::str::from_utf8(&output.stdout).expect("UTF-8"),
        ));
    }
    let [one, several] = &all[..] else { panic!() };
    assert_eq!(one, several);
    let lines: Vec<u64> = one
        .iter()
        .filter_map(|value| value["line"].as_u64())
        .collect();
    assert_eq!(lines, [3, 5, 6, 7, 8]);
    assert_eq!(one[0]["best"], "a1-b2");
    assert_eq!(one[2]["outcome"], "White wins: Black has no stones");
    assert_eq!(one[2]["best"], Value::Null);
}

/// Wherever the file ends, the same command makes the same of it.
#[test]
fn a_file_of_results_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let good = POSITIONS.replace("nonsense\n", "\n");
    fs::write(path("a.fen"), good).expect("room");
    let file = path("a.fen");
    let file = file.to_str().expect("UTF-8");
    for format in [&["--json"][..], &["--csv"], &["--csv", "--multipv", "2"]] {
        let out = path("out");
        let more = [format, &["--out", out.to_str().expect("UTF-8")]].concat();
        assert_eq!(stdout(&arguments(file, &more)), "");
        let whole = fs::read(&out).expect("results");
        // What is equal in each run: the lines without times.
        let told = |text: &str| -> Vec<String> {
            let lines = text.lines();
            lines
                .map(|line| line.split(',').take(5).collect::<Vec<_>>().join(","))
                .collect()
        };
        let wanted = told(&read(&out));
        for length in (0..whole.len())
            .step_by(97)
            .chain([whole.len() - 1, whole.len()])
        {
            fs::write(&out, &whole[..length]).expect("room");
            assert_eq!(stdout(&arguments(file, &more)), "", "{length}");
            assert_eq!(told(&read(&out)), wanted, "{length}");
        }
        fs::write(path("b.fen"), "9/9/9/6b2/w2b3w1 b\n").expect("room");
        let other = path("b.fen");
        let message = stderr(&arguments(other.to_str().expect("UTF-8"), &more), 1);
        let next = "the next position of the results";
        assert!(message.contains(next), "{message}");
        // The same last position, and another one before it.
        let changed = POSITIONS.replace("nonsense\n", "\n");
        let changed = changed.replacen("w 0 40", "w 0 39", 1);
        fs::write(path("b.fen"), changed).expect("room");
        assert_ne!(read(&path("b.fen")), read(&path("a.fen")));
        let message = stderr(&arguments(other.to_str().expect("UTF-8"), &more), 1);
        assert!(message.contains(next), "{message}");
        fs::write(&out, "a diary\n").expect("room");
        let message = stderr(&arguments(file, &more), 1);
        assert!(message.contains("has no results of --fens"), "{message}");
        assert_eq!(read(&out), "a diary\n");
        fs::remove_file(&out).expect("it is there");
    }
}

/// More positions may follow, but not with other settings.
#[test]
fn results_of_other_settings_are_not_mixed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, out] = ["a.fen", "out"].map(|name| folder.path().join(name));
    let [from, to] = [&file, &out].map(|path| path.to_str().expect("UTF-8"));
    let fens: Vec<&str> = POSITIONS
        .lines()
        .filter(|line| line.contains('/'))
        .collect();
    for format in ["--json", "--csv"] {
        let more = [format, "--out", to, "--multipv", "2"];
        fs::write(&file, fens[..2].join("\n")).expect("room");
        stdout(&arguments(from, &more));
        fs::write(&file, fens.join("\n")).expect("room");
        let before = read(&out);
        for (option, value) in [
            ("--nodes", "301"),
            ("--multipv", "3"),
            ("--evaluation", "classical"),
            ("--rules", "riatra"),
        ] {
            let mut words = arguments(from, &more);
            match words.iter().position(|word| *word == option) {
                Some(at) => words[at + 1] = value,
                None => words.extend([option, value]),
            }
            let message = stderr(&words, 1);
            assert!(
                message.contains("out was begun with other settings"),
                "{message}"
            );
            assert_eq!(read(&out), before, "{option}");
        }
        stdout(&arguments(from, &more));
        let whole = read(&out);
        assert!(
            whole.contains(fens[fens.len() - 1]) && whole.contains("nodes=300 multipv=2 tsivy")
        );
        fs::remove_file(&out).expect("it is there");
    }
}

#[test]
fn standard_input_has_positions_too() {
    let mut child = vato(&["analyse", "--fens", "-", "--depth", "1", "--rules", "dimy"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"bbbbb/bbbbb/bw1bw/wwwww/wwwww w\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(
        without_times(std::str::from_utf8(&output.stdout).expect("UTF-8")).len(),
        1
    );
}

#[test]
fn only_the_moves_wanted_are_searched() {
    let moves = ["--searchmoves", "f2e3A d3-e3A f2-e3A", "--nodes", "500"];
    let json = stdout(&[&["analyse", "--multipv", "9", "--json"], &moves[..]].concat());
    let last: Value = serde_json::from_str(json.lines().last().expect("a line")).expect("JSON");
    let mut first: Vec<&str> = last["lines"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| line["pv"][0].as_str())
        .collect();
    first.sort_unstable();
    assert_eq!(first, ["d3-e3A", "f2-e3A"]);
    let message = stderr(&["analyse", "--json", "--searchmoves", "a1-a2"], 2);
    assert!(
        message.starts_with("error: --searchmoves: move 'a1-a2'"),
        "{message}"
    );
}

/// The rows of a position have the figures of its JSON.
#[test]
fn a_position_as_csv() {
    let start = ["analyse", "--depth", "3", "--multipv", "2"];
    let csv = stdout(&[&start[..], &["--csv"]].concat());
    let json = stdout(&[&start[..], &["--json"]].concat());
    let depths = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<(Value, Value)> = depths
        .flat_map(|depth| {
            let lines = depth["lines"].as_array().cloned().unwrap_or_default();
            lines
                .into_iter()
                .map(move |line| (depth["depth"].clone(), line))
        })
        .collect();
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0][0], "depth");
    assert_eq!(rows.len(), 1 + lines.len());
    for (row, (depth, line)) in rows[1..].iter().zip(&lines) {
        assert_eq!(row[0], depth.to_string());
        assert_eq!(row[6], line["multipv"].to_string());
        assert_eq!(row[7], line["score"]["centi_stones"].to_string());
        assert!(
            row[10].starts_with(line["pv"][0].as_str().expect("text")),
            "{row:?}"
        );
    }
}

//! `vato analyse --fens`, and what else is asked of the analysis of positions.

use serde_json::Value;

use crate::support::command_line::{Folder, Run, objects, stderr, stdout, vato};

const POSITIONS: &str = "# positions\n\n9/9/9/6b2/w2b3w1 w 0 40 ; lost\nnonsense\n\
    bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1\n9/9/4w4/9/9 b 0 9\n\
    9/2b6/3b5/9/w3w3w b 0 2\n9/2b1b4/3b1b3/2w6/w2b3w1 w 0 40\n";

const ANALYSE: &str = "analyse --nodes 300 --fens";

/// The results without what time there was.
fn without_times(text: &str) -> Vec<Value> {
    let mut values = objects(text);
    for value in &mut values {
        for key in ["time_ms", "nps"] {
            value[key] = Value::Null;
        }
    }
    values
}

#[test]
fn results_come_in_the_order_of_the_lines() {
    let folder = Folder::new();
    folder.write("a.fen", POSITIONS);
    let [one, several] = [1, 3].map(|concurrency| {
        let run = folder.run(&format!("{ANALYSE} a.fen --concurrency {concurrency}"));
        assert_eq!(run.code, Some(1));
        assert!(run.err.starts_with("a.fen:4: fen: 1 row"), "{run:?}");
        let end = "error: 1 line is no position\n";
        assert!(run.err.ends_with(end), "{run:?}");
        without_times(&run.out)
    });
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

/// Those of a search that was not completed do not count.
#[test]
fn nodes_are_those_of_the_deepest_completed_search() {
    let fen = "bbbbbb1bb/b1bbb2bb/bw5bw/www1wb2w/wwww3w1 w 0 4";
    let folder = Folder::new();
    folder.write("a.fen", fen);
    let listed = objects(&folder.stdout("analyse --nodes 5000 --json --fens a.fen"));
    let depths = objects(&folder.stdout(&format!("analyse --nodes 5000 --json --fen '{fen}'")));
    let last = depths.last().expect("a depth");
    for key in ["depth", "nodes", "lines"] {
        assert_eq!(listed[0][key], last[key], "{key}");
    }
}

/// Wherever the file ends, the same command makes the same of it; more positions may follow, but neither other ones nor
/// other settings.
#[test]
fn a_file_of_results_is_gone_on_with() {
    let folder = Folder::new();
    let fens: Vec<&str> = POSITIONS
        .lines()
        .filter(|line| line.contains('/'))
        .collect();
    let good = fens.join("\n");
    folder.write("fewer.fen", fens[..2].join("\n"));
    // Another last position, and the same with another one before it.
    folder.write("b.fen", "9/9/9/6b2/w2b3w1 b\n");
    folder.write("c.fen", good.replacen("w 0 40", "w 0 39", 1));
    for format in ["--json", "--csv --multipv 2"] {
        folder.write("a.fen", &good);
        let line = format!("{ANALYSE} a.fen {format} --out out");
        folder.stdout(&line.replace("a.fen", "fewer.fen"));
        assert_eq!(folder.stdout(&line), "");
        let whole = folder.bytes("out");
        // What is equal in each run: the lines without times.
        let told = || -> Vec<String> {
            let text = folder.read("out");
            let lines = text
                .lines()
                .map(|line| line.split(',').take(5).collect::<Vec<_>>().join(","));
            lines.collect()
        };
        let wanted = told();
        let lengths = (0..whole.len()).step_by(97);
        for length in lengths.chain([whole.len() - 1, whole.len()]) {
            folder.write("out", &whole[..length]);
            assert_eq!(folder.stdout(&line), "", "{length}");
            assert_eq!(told(), wanted, "{length}");
        }
        let before = folder.read("out");
        let other_settings = "out was begun with other settings: ";
        for (from, to, told) in [
            ("a.fen", "b.fen", "the next position of the results"),
            ("a.fen", "c.fen", "the next position of the results"),
            ("--nodes 300", "--nodes 301", other_settings),
            ("--out", "--evaluation classical --out", other_settings),
            ("--out", "--rules riatra --out", other_settings),
            ("--out", "--threads 2 --out", other_settings),
            ("--out", "--hash 8 --out", other_settings),
        ] {
            folder.write("out", &before);
            let message = folder.stderr(&line.replace(from, to), 1);
            assert!(message.contains(told), "{message}");
            assert_eq!(folder.read("out"), before, "{to}");
        }
        folder.write("out", "a diary\n");
        let message = folder.stderr(&line, 1);
        assert!(message.contains("has no results of --fens"), "{message}");
        assert_eq!(folder.read("out"), "a diary\n");
        folder.remove("out");
    }
}

#[test]
fn standard_input_has_positions_too() {
    let mut command = vato("analyse --fens - --depth 1 --rules dimy");
    let run = Run::with_input(&mut command, "bbbbb/bbbbb/bw1bw/wwwww/wwwww w\n");
    assert_eq!(objects(&run.out).len(), 1);
}

#[test]
fn only_the_moves_wanted_are_searched() {
    let json = stdout("analyse --multipv 9 --json --searchmoves 'f2e3A d3-e3A f2-e3A' --nodes 500");
    let depths = objects(&json);
    let last = depths.last().expect("a line");
    let mut first: Vec<&str> = last["lines"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| line["pv"][0].as_str())
        .collect();
    first.sort_unstable();
    assert_eq!(first, ["d3-e3A", "f2-e3A"]);
    let message = stderr("analyse --json --searchmoves a1-a2", 2);
    assert!(
        message.starts_with("error: --searchmoves: move 'a1-a2'"),
        "{message}"
    );
}

/// The rows of a position have the figures of its JSON.
#[test]
fn a_position_as_csv() {
    let start = "analyse --depth 3 --multipv 2";
    let csv = stdout(&format!("{start} --csv"));
    let json = stdout(&format!("{start} --json"));
    let mut lines: Vec<(Value, Value)> = Vec::new();
    let mut proven = Value::Null;
    for depth in objects(&json) {
        proven = depth["proven"].clone();
        let of_depth = depth["lines"].as_array().cloned().unwrap_or_default();
        lines.extend(
            of_depth
                .into_iter()
                .map(|line| (depth["depth"].clone(), line)),
        );
    }
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0][0], "depth");
    assert_eq!(
        rows[0][11..],
        ["proven_white_wins", "proven_black_wins", "proven_reply"]
    );
    assert_eq!(proven["white_wins"], false);
    assert_eq!(rows.len(), 1 + lines.len());
    for (row, (depth, line)) in rows[1..].iter().zip(&lines) {
        assert_eq!(row[0], depth.to_string());
        assert_eq!(row[11], proven["white_wins"].to_string());
        assert_eq!(row[12], proven["black_wins"].to_string());
        assert_eq!(row[13], proven["reply"].as_str().unwrap_or_default());
        assert_eq!(row[6], line["multipv"].to_string());
        assert_eq!(row[7], line["score"]["centi_stones"].to_string());
        assert!(
            row[10].starts_with(line["pv"][0].as_str().expect("text")),
            "{row:?}"
        );
    }
}

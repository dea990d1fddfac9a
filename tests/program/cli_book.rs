//! Opening books, seen from outside: `vato book`.

use crate::support::Engine;
#[cfg(unix)]
use crate::support::command_line::interrupt;
use crate::support::command_line::{Folder, Run, object, objects};
use crate::support::transcript;
use serde_json::Value;

/// A short build of the book `my.book`.
const BUILD: &str = "book build --hash 1 --threads 2 --out my.book";

const SMALL: &str =
    "book build --hash 1 --threads 2 --out my.book --rules dimy --nodes 200 --plies 3";

#[test]
fn a_book_is_built_told_and_exported() {
    let folder = Folder::new();
    let text = folder.stdout(SMALL);
    let (first, main_line) = text.split_once('\n').expect("two lines");
    assert!(
        first.ends_with(" of them new: all within the margins of the first 3 plies"),
        "{text}"
    );
    assert!(main_line.starts_with("main line    "), "{text}");
    let bytes = folder.bytes("my.book");
    assert!(!folder.exists("my.book.part"));

    // What is done is not done again.
    let again = folder.stdout(SMALL);
    assert!(again.contains(" 0 of them new"), "{again}");
    assert_eq!(folder.bytes("my.book"), bytes);

    let info = folder.stdout("book info my.book");
    for part in [
        "rules        dimy",
        "evaluation classical, 200 nodes a position for at most 5 moves",
        "for both sides, moves within 0.20, replies within 0.60",
        "limits       3 plies, 1,000 positions; complete",
        ", by ply 1 ",
        main_line.trim_end(),
        "| move ",
    ] {
        assert!(info.contains(part), "{part}: {info}");
    }

    // A probe has what the export has of a position.
    let probe = |moves: &str| {
        object(&folder.stdout(&format!("book probe my.book --json --moves '{moves}'")))
    };
    for known in objects(&folder.stdout("book export my.book --json")) {
        let line = known["line"].as_array().expect("moves").iter();
        let line: Vec<&str> = line.filter_map(|mv| mv.as_str()).collect();
        let probed = probe(&line.join(" "));
        let moves = |of: &Value| of["moves"].as_array().cloned().unwrap_or_default();
        assert_eq!(moves(&probed).len(), moves(&known).len());
        for (one, other) in moves(&probed).iter().zip(&moves(&known)) {
            for key in ["move", "score", "weight"] {
                assert_eq!(one[key], other[key], "{line:?}");
            }
        }
    }
    let probed = probe("");
    assert_eq!(probed["played"], true);
    let best = probed["moves"][0]["move"].as_str().expect("text");
    // For the side to move, as in JSON.
    for moves in ["", best] {
        let first = &probe(moves)["moves"][0];
        let csv = folder.stdout(&format!("book probe my.book --csv --moves '{moves}'"));
        let row = csv.lines().nth(1).expect("a row");
        let name = first["move"].as_str().expect("text");
        let score = &first["score"]["centi_stones"];
        assert!(row.starts_with(&format!("{name},{score},")), "{csv}");
    }
    let message = folder.stderr("book probe my.book --fen '5/2b2/1w3/4b/5 w 0 20'", 1);
    assert_eq!(message, "error: the position is not in the book\n");

    let export = folder.stdout("book export my.book");
    let lines: Vec<&str> = export.lines().collect();
    assert!(
        first.contains(&format!(": {} positions", lines.len())),
        "{first}"
    );
    assert!(
        lines[0].starts_with("bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1 ; "),
        "{export}"
    );
    let objects = objects(&folder.stdout("book export my.book --json"));
    assert_eq!(objects.len(), lines.len());
    for (object, line) in objects.iter().zip(&lines) {
        let (fen, moves) = line.split_once(" ; ").expect("a FEN and moves");
        assert_eq!(object["fen"], fen);
        let listed = object["moves"].as_array().expect("moves");
        assert_eq!(moves.split(", ").count(), listed.len());
        // The best move is the first, and has the largest weight.
        assert_eq!(listed[0]["weight"], 1_000);
        assert!(
            listed[0]["score"]["centi_stones"].is_i64()
                || listed[0]["score"]["plies_to_end"].is_i64()
        );
        let name = listed[0]["move"].as_str().expect("a move");
        assert!(moves.starts_with(&format!("{name} ")), "{line}");
        assert!(object["line"].as_array().expect("moves").len() < 3);
    }
}

/// Positions as they stand in the export are openings for games.
#[test]
fn the_export_is_a_book_of_openings() {
    let folder = Folder::new();
    folder.stdout(&format!("{BUILD} --nodes 100 --plies 2"));
    folder.write("openings.fen", folder.stdout("book export my.book"));
    let played = folder.run("match --games 2 --each nodes=20 --openings openings.fen --out games");
    assert!(played.out.contains("faults       none"), "{played:?}");
}

/// What other programs want: a FEN a line, as `position fen` takes it.
#[test]
fn bare_fens_are_positions() {
    let folder = Folder::new();
    folder.stdout(SMALL);
    let fens = |which: &str| -> Vec<String> {
        let text = folder.stdout(&format!("book export my.book --fen {which}"));
        text.lines().map(str::to_owned).collect()
    };
    let text = folder.stdout("book export my.book");
    let known = text.lines().filter_map(|line| line.split(" ; ").next());
    let (all, ends) = (fens("all"), fens("ends"));
    assert_eq!(all, known.collect::<Vec<_>>());
    assert!(!ends.is_empty());
    assert!(ends.iter().all(|fen| !all.contains(fen)));
    let mut engine = Engine::ugi();
    engine.send("setoption name UCI_Variant value dimy");
    for fen in all.iter().chain(&ends) {
        assert_eq!(engine.ask(&format!("position fen {fen}")), [""; 0]);
        assert_eq!(engine.query("result"), "none");
    }
    engine.finish();
    let error = folder.stderr("book export my.book --fen all --json", 2);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_book_that_grows_has_no_more_positions_than_wanted() {
    let small = Folder::new().stdout(SMALL);
    let (_, rest) = small.split_once(": ").expect("a number");
    let (all, _) = rest.split_once(' ').expect("a number");
    let all: usize = all.parse().expect("a number");
    let folder = Folder::new();
    folder.stdout(&format!("{SMALL} --positions {all}"));
    let most = all + 1;
    let large = folder.stdout(&format!(
        "{BUILD} --rules dimy --nodes 200 --plies 20 --positions {most}"
    ));
    assert!(
        large.contains(" 1 of them new: as many as requested"),
        "{large}"
    );
    let export = folder.stdout("book export my.book");
    assert_eq!(export.lines().count(), most);
}

#[test]
fn settings_decide_what_is_searched() {
    let count = |more: &str| {
        let folder = Folder::new();
        folder.stdout(&format!(
            "{BUILD} --rules dimy --nodes 100 --plies 4 --margin 0.1 {more}"
        ));
        folder.stdout("book export my.book").lines().count()
    };
    let [both, white, black] =
        ["both", "white", "black"].map(|side| count(&format!("--side {side}")));
    assert!(white < both && black < both, "{white}, {black}, {both}");
    let narrow = count("--reply-margin 0");
    assert!(narrow < both, "{narrow} of {both}");
    assert_eq!(count("--positions 7"), 7);
    let one = count("--moves 1");
    assert!(one <= 4, "a single line: {one}");
}

#[cfg(unix)]
#[test]
fn a_build_that_was_killed_comes_to_the_same_book() {
    let [whole, killed] = [Folder::new(), Folder::new()];
    let build = format!("{BUILD} --nodes 1000 --plies 6 --positions 100");
    whole.stdout(&build);
    let mut running = killed.start(&build);
    killed.wait_for(&mut running, "my.book");
    running.kill().expect("it is ours");
    running.wait().expect("it ends");
    let text = killed.stdout(&build);
    assert!(text.contains(": 100 positions, "), "{text}");
    assert!(
        !text.contains(" 100 of them new"),
        "something had been kept: {text}"
    );
    assert_eq!(killed.bytes("my.book"), whole.bytes("my.book"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_searches() {
    let folder = Folder::new();
    let long = format!("{BUILD} --nodes 3000 --plies 200 --positions 1000000");
    let mut running = folder.start(&long);
    folder.wait_for(&mut running, "my.book");
    let second = folder.stderr(&long, 1);
    assert!(second.contains("my.book: in use"), "{second}");
    interrupt(&running);
    let run = Run::end_of(running);
    assert_eq!(run.code, Some(3), "{run:?}");
    for told in [
        "finishing the running searches",
        "to continue, run the same command",
    ] {
        assert!(run.err.contains(told), "{run:?}");
    }
    assert!(run.out.contains("of them new: stopped"), "{run:?}");
    let info = folder.stdout("book info my.book");
    assert!(
        info.contains("not complete, the same build goes on"),
        "{info}"
    );
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    folder.stdout(SMALL);
    let right = folder.bytes("my.book");
    let error = folder.stderr(&format!("{SMALL} --margin 0.3"), 1);
    let wanted = "my.book was begun with other settings: margin: 0.20 in the book, 0.30 requested";
    assert!(error.contains(wanted), "{error}");
    transcript::check(&folder, "book_refused");
    assert_eq!(folder.bytes("my.book"), right);
    let flipped = |place: usize| {
        let mut bytes = right.clone();
        bytes[place] ^= 0x20;
        bytes
    };
    let damaged: [(Vec<u8>, &str); 6] = [
        (Vec::new(), "not an opening book"),
        (b"GIF89a and more".to_vec(), "not an opening book"),
        (
            flipped(8),
            "an opening book of format version 34; this program reads version 2",
        ),
        (flipped(right.len() / 2), "damaged: CRC-32 mismatch"),
        (right[..right.len() - 1].to_vec(), "damaged"),
        (right[..10].to_vec(), "truncated"),
    ];
    for (bytes, what) in damaged {
        folder.write("my.book", &bytes);
        for line in ["book info my.book", "book export my.book", SMALL] {
            let error = folder.stderr(line, 1);
            assert!(
                error.contains(what) && error.contains("my.book"),
                "{what}: {error}"
            );
        }
        assert_eq!(folder.bytes("my.book"), bytes, "it is left alone");
    }
}

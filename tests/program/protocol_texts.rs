//! The errors and notes that `protocol.md` lists, held against what sessions print: whatever is
//! printed here is listed, and whatever is listed is printed here.

use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use vato_engine::board::Side;

use crate::own_book::proofs::prove;
use crate::support::command_line::{engine, stdout};
use crate::support::patterns::matches;
use vato_engine::protocol::run;

/// Texts that no input can provoke on every machine: they need one without memory or threads, or a
/// fault of the program.
const NOT_PROVOKED: [&str; 7] = [
    "go: MESSAGE",
    "tablebases: cannot start N threads: MESSAGE",
    "no memory for a table of N MiB: it has N MiB",
    "cannot start N threads: MESSAGE",
    "perft: MESSAGE",
    "bench: MESSAGE",
    "internal error: MESSAGE",
];

/// What the errors of positions and moves, which have tables of their own, are called.
const PARTS: [&str; 3] = ["FEN-ERROR", "MOVE-ERROR", "ILLEGALITY"];

/// The texts of the reference, as patterns in which `…` stands for anything.
struct Reference {
    /// Of what follows `info string error`.
    errors: BTreeSet<String>,
    /// Of what follows `info string`.
    notes: BTreeSet<String>,
    /// Of those [`PARTS`].
    parts: [BTreeSet<String>; 3],
}

impl Reference {
    fn read() -> Reference {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
        let text = std::fs::read_to_string(path).expect("the reference is there");
        let section = |heading: &str| {
            let start = text.find(heading).expect("the section is there") + heading.len();
            text[start..].split("\n## ").next().unwrap_or_default()
        };
        let mut reference = Reference {
            errors: BTreeSet::new(),
            notes: BTreeSet::new(),
            parts: Default::default(),
        };
        let mut part = None;
        for line in section("\n## Errors\n").lines() {
            if let Some(heading) = line.strip_prefix("| ").filter(|cell| !cell.contains('`')) {
                part = PARTS.iter().position(|name| heading.starts_with(name));
            }
            match part {
                None => reference.errors.extend(texts(line)),
                Some(part) => reference.parts[part].extend(texts(line)),
            }
        }
        for text in NOT_PROVOKED {
            let is_listed = section("\n## Errors\n").contains(&format!("`{text}`"));
            assert!(is_listed, "protocol.md does not list `{text}`");
        }
        for line in section("\n## Notes\n").lines() {
            reference.notes.extend(texts(line));
        }
        reference
    }

    /// The pattern that a line fits; none if it is not of a kind that is listed.
    fn found(&self, line: &str) -> Option<&str> {
        let (listed, text) = match line.strip_prefix("info string error ") {
            Some(text) => (&self.errors, text),
            None => (
                &self.notes,
                line.strip_prefix("info string ").unwrap_or(line),
            ),
        };
        fitting(listed, text)
    }
}

/// The texts in the first cell of a row, as patterns.
fn texts(line: &str) -> Vec<String> {
    let cell = line
        .strip_prefix("| `")
        .and_then(|row| row.split("` |").next());
    cell.into_iter()
        .flat_map(|cell| cell.split("`, `"))
        .filter(|text| !NOT_PROVOKED.contains(text))
        .map(pattern)
        .collect()
}

/// A text with `…` for each word in capitals, which stands for something that varies.
fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    let mut word = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_alphanumeric() || character == '-' && !word.is_empty() {
            word.push(character);
            continue;
        }
        let varies = |c: char| c.is_ascii_uppercase() || c == '-';
        // The letters of a capture are meant as they are.
        match !word.is_empty() && word.chars().all(varies) && !["A", "W"].contains(&word.as_str()) {
            true => pattern.push('…'),
            false => pattern.push_str(&word),
        }
        word.clear();
        pattern.push(character);
    }
    pattern.pop();
    pattern
}

/// The pattern that fits a text; of several the one that says most of it in its own words.
fn fitting<'a>(patterns: &'a BTreeSet<String>, text: &str) -> Option<&'a str> {
    patterns
        .iter()
        .map(String::as_str)
        .filter(|pattern| matches(pattern, text))
        .max_by_key(|pattern| pattern.chars().filter(|&letter| letter != '…').count())
}

/// The errors and notes of a session.
fn session(script: &str) -> Vec<String> {
    let mut output = Vec::new();
    // Whatever options take is waited for.
    run(Cursor::new(format!("{script}wait\n")), &mut output).expect("a vector can be written to");
    let output = String::from_utf8(output).expect("answers are text");
    let lines = output
        .lines()
        .filter(|line| line.starts_with("info string "));
    lines.map(str::to_owned).collect()
}

/// Something of each kind that can be wrong, and of each kind that is told.
fn sessions(book: &str, proof: &str) -> Vec<String> {
    let not_a_book = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let too_long = format!("a1{}", "b1A".repeat(45));
    let option = |name: &str, value: &str| format!("setoption name {name} value {value}\n");
    let position = |fen: &str| format!("position fen {fen}\n");
    let moves = |moves: &str| format!("position startpos moves {moves}\n");
    let under = |rules: &str, moves: &str| {
        format!("setoption name UCI_Variant value {rules}\nposition startpos moves {moves}\n")
    };
    vec![
        "hello\nposition\nquery winner\nwait\n".to_owned(),
        "go depth x\nwait\ngo nodes\nwait\ngo banana\nwait\ngo banana apple\nwait\n".to_owned(),
        "go p2time 60000\nwait\ngo movestogo 5\nwait\ngo depth 1 searchmoves zz d3-e3A\nwait\n"
            .to_owned(),
        "go depth 1 searchmoves zz yy d3-e3A\nwait\ngo depth 1 searchmoves zz\n".to_owned(),
        "go infinite\nposition startpos\nwait\nstop\n".to_owned(),
        "legal\nbench 1\n".to_owned(),
        "bench 30\nstop\n".to_owned(),
        "perft 30\nstop\n".to_owned(),
        format!(
            "debug on\nstop it\n{}go nodes 9\n",
            option("Skill Level", "0")
        ),
        format!("debug on\n{}", option("UCI_Variant", "dimy")),
        [
            option("No", "1"),
            option("Hash", "0"),
            "setoption name Hash\n".to_owned(),
        ]
        .concat(),
        [
            "board",
            "no=1",
            "repeat=1 repeat=1",
            "chain=ful",
            "board=2x2",
        ]
        .map(|rules| option("Rules", rules))
        .concat(),
        ["/no/such/folder", env!("CARGO_MANIFEST_DIR")]
            .map(|path| option("TablebasePath", path))
            .concat(),
        option("UCI_Variant", "single-step") + &option("TablebasePath", "/no/such/folder"),
        ["/no/such.net", not_a_book, "<empty>"]
            .map(|path| option("EvalFile", path))
            .concat(),
        option("Evaluation", "classical") + &option("EvalFile", "<empty>"),
        ["/no/such.book", not_a_book, book]
            .map(|path| option("Book File", path))
            .concat(),
        [
            option("Book File", book),
            option("OwnBook", "true"),
            option("UCI_Variant", "dimy"),
            "go depth 1\n".to_owned(),
        ]
        .concat(),
        [
            option("Book File", proof),
            option("OwnBook", "true"),
            option("UCI_Variant", "dimy"),
            "go depth 1\n".to_owned(),
        ]
        .concat(),
        [
            "a",
            "a=1",
            "late_move_base=1 late_move_base=1",
            "late_move_base=x",
        ]
        .map(|numbers| option("SearchParameters", numbers))
        .concat(),
        option("Log File", "/no/such/folder/log"),
        [
            "9/9/9/9 w",
            "9/9/9/9/8 w",
            "9/9/4q4/9/w7b w",
            "9/9/9/9/9 w",
            "9/9/9/9/w7b",
            "9/9/9/9/w7b x",
            "9/9/9/9/w7b w x",
            "9/9/9/9/w7b w 0 0",
            "9/9/9/9/w7b w 0 1 x",
        ]
        .map(position)
        .concat(),
        ["zz", "a9", "d2", "d2-e3-f4W", &too_long]
            .map(moves)
            .concat(),
        [
            "d5-d4A",
            "d1-f1A",
            "a1-a2",
            "d3-e3A-d3A",
            "d3-e3A-f3A",
            "e2-e3W",
            "a1-a2A",
            "d3-e3",
        ]
        .map(moves)
        .concat(),
        position("9/9/9/9/w8 b 0 40 moves a1-a2"),
        position("9/9/b8/9/w7w w 0 40 moves i1-h1"),
        position("9/9/4b4/9/w1b5b w 0 40 moves a1-b1A-b2"),
        position("9/9/9/9/1w1b4b w 0 40 moves b1-a1A"),
        under("vela", "d3-e3A d4-d3A"),
        under("riatra", "d2-e3A-f4W"),
        under("full-chain", "f2-e3A d5-d4A"),
        moves("a1-a2") + "moves d3-e3A\n",
        "setoption name Threads value 1024\n".to_owned(),
    ]
}

/// A small book.
fn book() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.book");
    let path = path.to_str().expect("a path in UTF-8").to_owned();
    stdout(&[
        "book", "build", "--out", &path, "--nodes", "50", "--plies", "1",
    ]);
    (folder, path)
}

#[test]
fn what_is_printed_is_listed_and_what_is_listed_is_printed() {
    let (folder, book) = book();
    let proof = folder.path().join("proof");
    prove(5, Side::White, &proof);
    let mut scripts = sessions(&book, proof.to_str().expect("a path in UTF-8"));
    if cfg!(target_os = "linux") {
        scripts.push("setoption name Log File value /dev/full\nd\n".to_owned());
    }
    let reference = Reference::read();
    let mut printed = BTreeSet::new();
    for script in &scripts {
        for line in session(script) {
            let found = reference.found(&line);
            assert!(
                found.is_some(),
                "protocol.md does not list `{line}` of:\n{script}"
            );
            printed.extend(found);
        }
    }
    let mut missing: Vec<&str> = reference
        .errors
        .iter()
        .chain(&reference.notes)
        .map(String::as_str)
        .filter(|text| !printed.contains(text))
        .collect();
    if !cfg!(target_os = "linux") {
        missing.retain(|text| !text.contains("given up"));
    }
    assert_eq!(missing, [""; 0], "listed, but not printed by any session");
}

/// What rejects an option, a position or moves is also on standard error.
#[test]
fn managers_are_told_what_is_refused() {
    for script in sessions("/no/such.book", "/no/such.proof") {
        let mut engine = Command::new(engine())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine");
        let mut input = engine.stdin.take().expect("piped");
        write!(input, "{script}wait\nquit\n").expect("the engine reads");
        let output = engine.wait_with_output().expect("it ends");
        let told = String::from_utf8(output.stderr).expect("text");
        for line in String::from_utf8(output.stdout).expect("text").lines() {
            let error = line.strip_prefix("info string error ").unwrap_or_default();
            let what = error.split([' ', ':']).next().unwrap_or_default();
            if ["option", "tablebases", "position", "moves"].contains(&what) {
                assert!(
                    told.contains(&format!("error: {error}\n")),
                    "{error}\n{told}"
                );
            }
        }
    }
}

/// The errors of positions and moves, each in the place where it stands in an error.
#[test]
fn errors_of_positions_and_moves_are_listed() {
    let reference = Reference::read();
    let mut printed = [(); 3].map(|()| BTreeSet::new());
    for line in sessions("/no/such.book", "/no/such.proof")
        .iter()
        .flat_map(|script| session(script))
    {
        let Some(error) = line.strip_prefix("info string error position: ") else {
            continue;
        };
        let (part, text) = match (error.strip_prefix("fen: "), error.split_once(" (ply ")) {
            (Some(text), _) => (0, text),
            (None, Some((text, _))) => (1, text),
            (None, None) => continue,
        };
        let texts = [Some((part, text)), illegality(text).map(|text| (2, text))];
        for (part, text) in texts.into_iter().flatten() {
            let found = fitting(&reference.parts[part], text);
            assert!(
                found.is_some(),
                "protocol.md does not list `{text}` of `{line}`"
            );
            printed[part].extend(found);
        }
    }
    for (part, listed) in reference.parts.iter().enumerate() {
        let listed: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
        assert!(!listed.is_empty(), "{}", PARTS[part]);
        assert_eq!(printed[part], listed, "{}", PARTS[part]);
    }
}

/// Why a move is illegal, if that is what is wrong with it.
fn illegality(text: &str) -> Option<&str> {
    text.starts_with("move '")
        .then(|| text.split_once("' is illegal: "))
        .flatten()
        .map(|(_, why)| why)
}

#[test]
fn patterns_take_capitals_for_what_varies() {
    assert_eq!(
        pattern("go: PARAMETER 'VALUE', expected a word"),
        "go: … '…', expected a word"
    );
    assert_eq!(pattern("MOVE-ERROR (ply N)"), "… (ply …)");
    assert_eq!(pattern("rank N, N MiB, A or W"), "rank …, … MiB, A or W");
}

#[test]
fn each_gap_takes_any_text() {
    assert!(matches("a…c", "abc") && matches("a…c", "ac") && matches("…", ""));
    assert!(matches("a … c … e", "a b c c d e"));
    assert!(!matches("a…c", "abcd") && !matches("ab", "a…"));
}

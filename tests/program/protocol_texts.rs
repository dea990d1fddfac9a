//! The errors and notes that `protocol.md` lists, held against what sessions print: whatever is
//! printed here is listed, and whatever is listed is printed here.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::process::Command;

use vato_engine::board::Side;

use crate::own_book::proofs::prove;
use crate::support::command_line::{Folder, Run, engine};
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
    let text = include_str!("sessions.txt")
        .replace("BOOK", book)
        .replace("PROOF", proof)
        .replace("FOLDER", env!("CARGO_MANIFEST_DIR"))
        .replace("TOO-LONG", &format!("a1{}", "b1A".repeat(45)));
    let sessions = text.split("\n\n");
    sessions
        .map(|script| format!("{}\n", script.trim_end()))
        .collect()
}

/// A small book.
fn book() -> (Folder, String) {
    let folder = Folder::new();
    folder.write("small.book", "startpos ; d3-e3A");
    let path = folder.name("small.book");
    (folder, path)
}

#[test]
fn what_is_printed_is_listed_and_what_is_listed_is_printed() {
    let (folder, book) = book();
    prove(5, Side::White, &folder.path("proof"));
    let mut scripts = sessions(&book, &folder.name("proof"));
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
        let script = format!("{script}wait\nquit\n");
        let run = Run::with_input(&mut Command::new(engine()), &script);
        for line in run.out.lines() {
            let error = line.strip_prefix("info string error ").unwrap_or_default();
            let what = error.split([' ', ':']).next().unwrap_or_default();
            if ["option", "tablebases", "position", "moves"].contains(&what) {
                let told = format!("error: {error}\n");
                assert!(run.err.contains(&told), "{run:?}");
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

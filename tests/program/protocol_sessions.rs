//! Sessions as they stand in `transcripts/session_*.txt`: what is asked, and everything that is answered.
//!
//! A line `> COMMAND | COMMAND` is the input of a session, which ends with it. Below it stands what the engine prints, but
//! for the lines of searches and of the handshake. `protocol.md` lists the errors and notes: whatever is printed in one of
//! these sessions is listed there, and whatever is listed is printed in one of them.

use std::collections::BTreeSet;

use vato_engine::board::Side;
use vato_engine::protocol::Answer;
use vato_engine::search::Parameters;
use vato_tools::answers::read_answer;

use crate::own_book::proofs::prove;
use crate::support::Search;
use crate::support::command_line::{Folder, Run, vato};
use crate::support::patterns::matches;
use crate::support::transcript::compare;

/// What every build prints on every system.
const FILES: [&str; 6] = ["words", "go", "positions", "endings", "order", "options"];

/// The lines that a session prints which has this input. Every session must end well, answer each `go` once, print what the
/// types read, and tell managers on standard error what it refuses.
pub fn session(script: &str) -> Vec<String> {
    let run = Run::with_input(&mut vato(""), script).success();
    let lines: Vec<String> = run.out.lines().map(str::to_owned).collect();
    let mut answers = Vec::new();
    let mut answer = Vec::new();
    for line in &lines {
        let read = read_answer(line).unwrap_or_else(|error| panic!("{error}: {line} of\n{script}"));
        assert!(
            matches!(read, Answer::Text(_)) || read.to_string() == *line,
            "{line}"
        );
        assert!(line.chars().count() <= 1_020, "a long line: {line}");
        if let Answer::Error(error) = &read {
            let is_refusal = ["option", "tablebases", "position"]
                .contains(&error.split([' ', ':']).next().unwrap_or_default());
            assert!(
                !is_refusal || run.err.contains(&format!("error: {error}\n")),
                "{run:?}"
            );
        }
        if let Answer::Info(info) = &read {
            let is_asked_for = script.contains("UCI_ShowWDL value true");
            let is_whole = |wdl: [u32; 3]| wdl.iter().sum::<u32>() == 1000;
            assert!(
                info.wdl.is_none_or(|wdl| is_asked_for && is_whole(wdl)),
                "{line}"
            );
        }
        answer.push(line.clone());
        if let Answer::BestMove(_) = read {
            answers.push(Search::parse(std::mem::take(&mut answer)).expect("a good answer"));
        }
    }
    assert!(
        !run.out.contains("internal error") && !run.err.contains("panicked"),
        "{run:?}"
    );
    for answer in &answers {
        answer
            .check()
            .unwrap_or_else(|error| panic!("{error} in\n{script}"));
    }
    let is_go = |line: &&str| line.split_whitespace().next() == Some("go");
    assert_eq!(
        answers.len(),
        script.lines().filter(is_go).count(),
        "{script}\n{lines:#?}"
    );
    lines
}

fn check(name: &str, names: &[(&str, String)]) {
    compare(&format!("session_{name}"), "> ", |line| {
        let replaced = |text: &str, forth: bool| {
            names
                .iter()
                .fold(text.to_owned(), |text, (short, long)| match forth {
                    true => text.replace(short, long),
                    false => text.replace(long, short),
                })
        };
        // Whatever options take is waited for, but where the end itself is the matter.
        let end = if name == "order" { "" } else { "wait\n" };
        let lines = session(&format!(
            "{}\n{end}",
            replaced(line, true).replace(" | ", "\n")
        ));
        let is_shown = |line: &&String| {
            let hidden = ["info depth ", "id ", "option "];
            let is_of_few_processors = line.contains(" threads on ") && !line.contains("1024");
            !hidden.iter().any(|start| line.starts_with(start)) && !is_of_few_processors
        };
        let shown: Vec<&str> = lines.iter().filter(is_shown).map(String::as_str).collect();
        replaced(&shown.join("\n"), false)
    });
}

#[test]
fn sessions_are_as_written() {
    let folder = Folder::new();
    folder.write("small.book", "startpos ; d3-e3A");
    prove(5, Side::White, &folder.path("proof"));
    let names = [
        ("BOOK", folder.name("small.book")),
        ("PROOF", folder.name("proof")),
        ("FOLDER", env!("CARGO_MANIFEST_DIR").to_owned()),
        ("TOO-LONG", format!("a1{}", "b1A".repeat(45))),
    ];
    let is_other_build = std::env::var_os("VATO_ENGINE").is_some();
    let of_this_build = (cfg!(target_os = "linux") && !is_other_build).then_some("build");
    std::thread::scope(|scope| {
        for name in FILES.into_iter().chain(of_this_build) {
            let names = &names;
            scope.spawn(move || check(name, names));
        }
    });
}

/// Texts that no input can provoke on every machine: they need one without memory or threads, or a
/// fault of the program.
const NOT_PROVOKED: [&str; 5] = [
    "no memory for a table of N MiB: it has N MiB",
    "cannot start N threads: MESSAGE",
    "perft: MESSAGE",
    "bench: MESSAGE",
    "internal error: MESSAGE",
];

/// The section of `protocol.md` with this heading.
fn section(heading: &str) -> &'static str {
    let text = include_str!("../../protocol.md");
    let (_, rest) = text
        .split_once(&format!("\n## {heading}\n"))
        .expect(heading);
    rest.split("\n## ").next().unwrap_or_default()
}

/// The tables of errors and notes of `protocol.md`, as patterns in which `…` stands for anything.
fn listed() -> [BTreeSet<String>; 2] {
    for text in NOT_PROVOKED {
        let is_listed = section("Errors").contains(&format!("`{text}`"));
        assert!(is_listed, "protocol.md does not list `{text}`");
    }
    ["Errors", "Notes"].map(|heading| section(heading).lines().flat_map(texts).collect())
}

/// The texts in the first cell of a row, as patterns.
fn texts(line: &str) -> Vec<String> {
    let cell = line
        .strip_prefix("| `")
        .and_then(|row| row.split("` |").next());
    let texts = cell.into_iter().flat_map(|cell| cell.split("`, `"));
    texts
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

#[test]
fn what_is_printed_is_listed_and_what_is_listed_is_printed() {
    let listed = listed();
    let mut printed = [(); 2].map(|()| BTreeSet::new());
    for name in FILES.into_iter().chain(["build"]) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/transcripts");
        let text = std::fs::read_to_string(format!("{folder}/session_{name}.txt")).expect(name);
        for note in text
            .lines()
            .filter_map(|line| line.strip_prefix("info string "))
        {
            let error = note.strip_prefix("error ");
            let (table, text) = error.map_or((1, note), |error| (0, error));
            let fitting = listed[table]
                .iter()
                .filter(|pattern| matches(pattern, text));
            // Of several the one that says most of it in its own words.
            let own = |pattern: &&String| pattern.chars().filter(|&letter| letter != '…').count();
            let found = fitting.max_by_key(own);
            assert!(found.is_some(), "protocol.md does not list `{text}`");
            printed[table].extend(found.cloned());
        }
    }
    assert_eq!(printed, listed);
}

#[test]
fn patterns_take_capitals_for_what_varies() {
    for (text, wanted) in [
        (
            "go: PARAMETER 'VALUE', expected a word",
            "go: … '…', expected a word",
        ),
        ("MOVE-ERROR (ply N)", "… (ply …)"),
        ("rank N, N MiB, A or W", "rank …, … MiB, A or W"),
    ] {
        assert_eq!(pattern(text), wanted);
    }
}

/// The table of options has what the engine declares.
#[test]
fn options_are_listed() {
    let rows = section("Options")
        .lines()
        .filter(|line| line.starts_with("| `"));
    let listed = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        format!("{} {}", cells[1].trim_matches('`'), cells[2])
    });
    // Builds that are not for tests have no parameters.
    let is_other_build = std::env::var_os("VATO_ENGINE").is_some();
    let is_there = |row: &String| !is_other_build || !row.starts_with("SearchParameters ");
    let listed: BTreeSet<String> = listed.filter(is_there).collect();
    let declared = session("uci\n").into_iter().filter_map(|line| {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        // Those of the search are in builds for tuning alone.
        let is_parameter = Parameters::TUNABLE
            .iter()
            .any(|tunable| tunable.name == name);
        let kind = rest.split(" var ").next()?.replace("default <empty>", "");
        let kind = kind
            .replace("default ", "")
            .replace(" min ", ", ")
            .replace(" max ", " to ");
        (!is_parameter).then(|| format!("{name} {}", kind.trim_end()))
    });
    assert_eq!(declared.collect::<BTreeSet<String>>(), listed);
}

//! The engine with an opening book of its own: `OwnBook`, `Book File` and `Best Book Move`.

pub mod proofs;

use std::collections::HashSet;

use crate::protocol_process::searches;
use crate::protocol_sessions::session;
use crate::support::Search;
use crate::support::command_line::Folder;
use crate::support::patterns::matches;

/// The start of the standard game, and a position after each of two first moves.
const BOOK: &str = "\
# A few moves.
startpos ; d3-e3A 2, f2-e3A 3, e2-e3A 0
bb1bbbbbb/bbb1bbbbb/bwbwwbwbw/wwwww1www/wwwwwwwww b ; f3-f2A, d5-d4A
bbbbbbbbb/bbbbbbbbb/bwb1w1wbw/wwwwwwwww/wwwwwwwww b ; c3-d3W
9/9/9/6b2/w2b3w1 w ; a1-a2
";

/// The searches of a session that plays from this book, and whether the book has answered.
fn play(book: &str, script: &str) -> Vec<(Search, bool)> {
    let folder = Folder::new();
    // Spaces are part of the name of a file.
    folder.write("my own.book", book);
    folder.write("wrong.book", "startpos ; b2-c3W");
    let (path, wrong) = (folder.name("my own.book"), folder.name("wrong.book"));
    let opening =
        format!("setoption name OwnBook value true\nsetoption name Book File value {path}\n");
    let lines = session(&(opening + &script.replace("WRONG", &wrong)));
    let is_from_book = |search: &Search| {
        let line = search.last().expect("a scored line");
        let is_book =
            line.nodes == Some(0) && search.lines.iter().any(|line| line.contains(" tbhits 0 "));
        assert!(!is_book || search.scored.len() == 1, "{:?}", search.lines);
        is_book
    };
    let searches = searches(&lines).into_iter();
    searches
        .map(|search| (search.clone(), is_from_book(&search)))
        .collect()
}

/// The moves that are played in forty games.
fn drawn(option: &str) -> HashSet<String> {
    let games = "uginewgame\ngo nodes 100\nwait\n".repeat(40);
    let answers = play(BOOK, &format!("setoption name {option}\n{games}"));
    assert!(answers.len() == 40 && answers.iter().all(|(_, from_book)| *from_book));
    answers
        .into_iter()
        .map(|(search, _)| search.best.turn)
        .collect()
}

#[test]
fn moves_are_drawn_by_their_weights() {
    // Forty times the same would be a wonder.
    let both = HashSet::from(["d3-e3A", "f2-e3A"].map(str::to_owned));
    assert_eq!(drawn("Best Book Move value false"), both);
    // A match can be repeated.
    let mut all = HashSet::new();
    for seed in 1..20 {
        let option = format!("Skill Seed value {seed}");
        let chosen = drawn(&option);
        assert_eq!(chosen.len(), 1, "{chosen:?}");
        assert_eq!(drawn(&option), chosen);
        all.extend(chosen);
    }
    assert_eq!(all, both);
    assert_eq!(
        drawn("Best Book Move value true"),
        HashSet::from(["f2-e3A".to_owned()])
    );
}

#[test]
fn the_line_goes_on_in_the_book() {
    for (position, wanted) in [
        // A score it has not.
        ("startpos", Some(" score cp 0 nodes 0 …pv f2-e3A f3-f2A")),
        ("startpos moves d3-e3A", Some("pv c3-d3W")),
        // The same from left to right.
        (
            "fen bbbbbbbbb/bbbbbbbbb/wbw1w1bwb/wwwwwwwww/wwwwwwwww b",
            Some("pv g3-f3W"),
        ),
        // Other moves than those of the book lead out of it.
        ("startpos moves e2-e3A", None),
    ] {
        let script = format!(
            "setoption name Best Book Move value true\nposition {position}\ngo p1time 9000 p2time 9000 depth 1\nwait\n"
        );
        let (search, from_book) = &play(BOOK, &script)[0];
        assert_eq!(*from_book, wanted.is_some(), "{position}");
        if let Some(wanted) = wanted {
            let line = &search.lines[search.lines.len() - 2];
            assert!(matches(&format!("…{wanted}"), line), "{line}");
        }
    }
}

#[test]
fn whoever_analyses_gets_a_search() {
    // What the built-in tables know needs no book, unless they are off, or are not for a weak player.
    let few = "position fen 9/9/9/6b2/w2b3w1 w";
    for (before, go, wanted) in [
        ("", "go depth 2", true),
        ("", "go movetime 5", true),
        ("", "go p1time 50 p2time 50", true),
        ("", "go depth x", true),
        ("", "go depth 2 searchmoves d3-e3A", false),
        ("", "go mate 1 depth 2", false),
        ("", "go\nstop", false),
        ("", "go infinite\nstop", false),
        ("", "go ponder p1time 1000 p2time 1000\nstop", false),
        ("setoption name MultiPV value 2", "go depth 2", false),
        (
            "setoption name UCI_AnalyseMode value true",
            "go depth 2",
            false,
        ),
        ("setoption name OwnBook value false", "go depth 2", false),
        (
            "setoption name Book File value <empty>",
            "go depth 2",
            false,
        ),
        (few, "go depth 2", false),
        (
            &format!("{few}\nsetoption name Skill Level value 0"),
            "go depth 2",
            true,
        ),
        (
            &format!("{few}\nsetoption name TablebaseProbeLimit value 0"),
            "go depth 2",
            true,
        ),
    ] {
        let from_book = play(BOOK, &format!("{before}\n{go}\nwait\n"))[0].1;
        assert_eq!(from_book, wanted, "{before} {go}");
    }
}

#[test]
fn other_rules_are_told_once_and_a_wrong_file_leaves_the_old_one() {
    let go = "go depth 2\nwait\n";
    let mut script = format!("{go}uginewgame\n{go}setoption name UCI_Variant value dimy\n");
    for wrong in ["WRONG", "/", "/dev/zero", "/no/such.book"] {
        script += &format!("setoption name Book File value {wrong}\n{go}");
    }
    let answers = play("rules dimy\nstartpos ; b2-c3A", &script);
    let note = "info string the book is for other rules (dimy), so it is not used";
    let told: Vec<_> = answers
        .iter()
        .map(|(search, from_book)| (search.count(note), *from_book))
        .collect();
    assert_eq!(
        told,
        [
            (1, false),
            (0, false),
            (0, true),
            (0, true),
            (0, true),
            (0, true)
        ]
    );
    let is_refused =
        |(search, _): &(Search, bool)| search.count("info string error option Book File: ") == 1;
    assert!(answers[2..].iter().all(is_refused), "{answers:?}");
}

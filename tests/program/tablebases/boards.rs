//! The tables of other rules and other boards.

use super::set::Set;
use crate::support::command_line::stderr;

/// The whole game on 3x3: White wins, as Schadd et al. published in 2008.
#[test]
fn white_wins_on_three_by_three() {
    let set = Set::build("telo", 9);
    let said = set.probe("telo", "bbb/b1w/www w 0 1");
    assert_eq!(said, "win, conversion in 1");
    set.expect_right();
}

/// The whole game on 5x3: White wins, as published with it. The check of crowded boards takes minutes, so
/// it is made of the smaller slices.
#[test]
fn white_wins_on_five_by_three() {
    let set = Set::build("board=5x3", 14);
    let said = set.probe("board=5x3", "bbbbb/bw1bw/wwwww w 0 1");
    assert_eq!(said, "win, conversion in 1");
    let small = Set::build("board=5x3", 6);
    small.expect_right();
    for (name, bytes) in small.files() {
        let is_same = name == "manifest.json" || set.read(&name) == bytes;
        assert!(is_same, "{name} depends on how many stones are built");
    }
}

#[test]
fn full_chains_are_right() {
    Set::build("full-chain", 4).expect_right();
}

#[test]
fn free_captures_are_right() {
    Set::build("free-capture", 4).expect_right();
}

#[test]
fn single_steps_in_any_direction_are_right() {
    Set::build("capture=free chain=single direction=any blocked=draw", 4).expect_right();
}

#[test]
fn square_boards_are_right() {
    Set::build("dimy", 4).expect_right();
    Set::build("board=3x3 chain=full capture=free", 9).expect_right();
}

/// More ranks than files: the board lies on its side within the program.
#[test]
fn tall_boards_are_right() {
    Set::build("board=5x9", 4).expect_right();
}

/// What tables know nothing of: special first turns, repetition, and the no-capture limit.
#[test]
fn rules_that_differ_elsewhere_have_the_same_tables() {
    let standard = Set::build("tsivy", 3);
    for rules in ["riatra", "first-turns", "repeat=2 limit=0"] {
        let set = Set::build(rules, 3);
        assert!(set.files() == standard.files(), "{rules}");
        for (tables, rules) in [(&standard, rules), (&set, "tsivy")] {
            let said = tables.probe(rules, "9/9/3b5/9/w7w w 0 2");
            assert_eq!(said, "win, conversion in 7", "{rules}");
        }
    }
    // Captures that are forced on the first turn only are free in every position of a table.
    let [opening, free] = ["free-capture", "capture=free"].map(|rules| Set::build(rules, 3));
    assert!(opening.files() == free.files());
    assert!(opening.files() != standard.files());
}

#[test]
fn rules_without_tables_are_refused() {
    for (rules, reason) in [
        ("single-step", "there are no tablebases for tie=count"),
        ("tie=count", "there are no tablebases for tie=count"),
        ("vela", "there are no tablebases for the vela"),
        (
            "vela=white capture=free",
            "there are no tablebases for the vela",
        ),
    ] {
        let set = Set::empty(rules);
        let message = stderr(&set.build_line(3), 1);
        assert!(
            message.starts_with(&format!("error: {reason}")),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(set.files().is_empty(), "{rules}");
    }
}

//! The tables of the standard game with up to four stones, in figures.

use super::set::Set;
use crate::support::command_line::{object, stdout};

/// Won, drawn and lost positions for the side to move, and all of them; symmetric ones are counted.
const FOUR_STONES: [(&str, [u64; 4]); 6] = [
    ("1v1", [592, 1_288, 100, 1_980]),
    ("1v2", [2_822, 12_766, 26_982, 42_570]),
    ("2v1", [40_996, 1_550, 24, 42_570]),
    ("2v2", [509_777, 314_953, 69_240, 893_970]),
    ("1v3", [16_682, 63_186, 516_112, 595_980]),
    ("3v1", [595_618, 358, 4, 595_980]),
];

#[test]
fn four_stones_have_the_known_counts() {
    let set = Set::build("tsivy", 4);
    let info = object(&stdout(&format!("tablebase info {} --json", set.text())));
    let slices = info["slices"].as_array().expect("a list");
    assert_eq!(slices.len(), FOUR_STONES.len());
    for (slice, (name, counts)) in slices.iter().zip(FOUR_STONES) {
        assert_eq!(slice["slice"], name);
        let found = ["wins", "draws", "losses", "positions"].map(|key| slice[key].as_u64());
        assert_eq!(found, counts.map(Some), "{name}");
        let size = set.read(&format!("{name}.vtb")).len() as u64;
        assert_eq!(slice["bytes"].as_u64(), Some(size), "{name}");
        let packed = ["outcome_bytes", "distance_bytes"].map(|key| slice[key].as_u64());
        let packed: u64 = packed.iter().flatten().sum();
        assert!(packed > 0 && packed < size, "{name}");
        // Symmetric positions are kept once; the board has four symmetries.
        let entries = slice["entries"].as_u64().expect("a number");
        assert!(
            entries >= counts[3] / 4 && entries < counts[3] / 2,
            "{name}"
        );
    }
    assert_eq!(info["positions"].as_u64(), Some(2_173_050));
    assert_eq!(info["rules"], format!("{:#}", set.rules()));

    let text = stdout(&format!("tablebase info {}", set.text()));
    for (name, [wins, draws, losses, positions]) in FOUR_STONES {
        let row = text.lines().find(|line| {
            let mut cells = line.split('|').map(str::trim);
            cells.nth(1) == Some(name)
        });
        let row = row.unwrap_or_else(|| panic!("no row for {name}:\n{text}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let expected = [positions, wins, draws, losses].map(|count| count.to_string());
        assert_eq!(cells[2..6], expected, "{name}");
    }
    assert!(text.starts_with(&format!("{:#}\n", set.rules())), "{text}");
    assert!(text.contains("2173050 positions in "), "{text}");
}

/// The longest way is one that the tables themselves confirm.
#[test]
fn the_longest_ways_are_as_long_as_said() {
    let set = Set::build("tsivy", 3);
    let info = object(&stdout(&format!("tablebase info {} --json", set.text())));
    for (slice, plies) in info["slices"]
        .as_array()
        .expect("a list")
        .iter()
        .zip([7, 29, 28])
    {
        assert_eq!(slice["longest"]["plies"], plies, "{slice}");
        let fen = slice["longest"]["fen"].as_str().expect("a FEN");
        let probed = object(&stdout(&format!(
            "tablebase probe --json --dir {} --fen '{fen}'",
            set.text()
        )));
        assert_eq!(probed["plies"], plies, "{fen}");
        assert_ne!(probed["outcome"], "draw", "{fen}");
    }
}

#[test]
fn four_stones_are_right() {
    Set::build("tsivy", 4).expect_right();
}

/// Without a manifest a folder is taken for one with tables of the standard game.
#[test]
fn tables_of_the_standard_game_go_without_a_manifest() {
    let set = Set::build("tsivy", 3);
    set.remove("manifest.json");
    set.expect_right();
}

/// How the work is shared out must not be seen in what comes of it.
#[test]
fn the_number_of_threads_makes_no_difference() {
    let [one, three] = ["1", "3"].map(|threads| {
        let set = Set::empty("tsivy");
        let line = set.build_line(4);
        stdout(&line.replace("--threads 2", &format!("--threads {threads}")));
        set.files()
    });
    assert!(one == three, "the files are not the same");
}

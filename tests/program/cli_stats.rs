//! `vato stats`, seen from outside. Run with the feature `stats` as well: then there is more to see.

use crate::support::command_line::{object, stdout};

/// Two short games.
fn two_games(extra: &str) -> String {
    stdout(&format!("stats --games 2 --nodes 500 {extra}"))
}

#[test]
fn tables_show_what_games_are_made_of() {
    let text = two_games("");
    assert!(text.starts_with("2 games: White won "), "{text}");
    for heading in ["must capture", "branching factor", "new best move"] {
        assert!(text.contains(heading), "{heading}: {text}");
    }
    // Tests count what the search does at its nodes.
    assert!(text.contains("stood pat"));
    assert!(!text.contains("--features stats"));
    // Phases that do not occur are left out.
    let small = stdout("stats --games 1 --depth 2 --rules telo");
    assert!(!small.contains("|    40+ |"), "{small}");
}

#[test]
fn the_same_options_give_the_same_figures() {
    let text = two_games("");
    assert_eq!(two_games("--threads 2"), text);
    assert_ne!(two_games("--seed 1"), text);
}

#[test]
fn json_has_all_sums() {
    let json = object(&two_games("--json"));
    let games: u64 = ["white_wins", "draws", "black_wins"]
        .iter()
        .map(|key| json["results"][key].as_u64().expect("a count"))
        .sum();
    assert_eq!(games, 2);
    let nodes = json["nodes"].as_u64().expect("a count");
    assert!(nodes > 0);
    assert!(json["search"].is_object());
    let by_stones = json["search"]["by_stones"].as_array().expect("a list");
    let visited = |key: &str| -> u64 {
        let counts = by_stones.iter().map(|counts| counts[key].as_u64());
        counts.map(|count| count.expect("a count")).sum()
    };
    // Nodes that are searched again are counted again.
    let counted = visited("main_nodes") + visited("quiescence_nodes");
    assert!(counted >= nodes - nodes / 10, "{counted} of {nodes}");
}

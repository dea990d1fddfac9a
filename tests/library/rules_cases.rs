//! Small positions where programs differ, first turns, the vela, and the longest turns.

use std::collections::HashSet;

use vato_engine::board::{BoardSize, Position};
use vato_engine::notation::{format_path, parse_fen, parse_path, parse_turn};
use vato_engine::rules::{MAX_STEPS, Rules, follow, legal_moves, legal_paths, shortest_path};

use crate::count_paths;

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

fn position(text: &str, rules: &Rules) -> Position {
    parse_fen(text, rules.board).expect("a FEN")
}

/// Every turn, as text, in order.
fn turns(rules_text: &str, fen: &str) -> Vec<String> {
    let rules = rules(rules_text);
    legal_paths(&rules, &position(fen, &rules))
        .iter()
        .map(|(path, _)| format_path(path, rules.board))
        .collect()
}

/// Rules, a position, and its turns in order; `…` for others before or behind.
const TURNS: [&str; 33] = [
    // The direction of the last step.
    " | 9/9/9/9/bw2b4 w | b1-c1W",
    "direction=any | 9/9/9/9/bw2b4 w | b1-c1W b1-c1W-d1A",
    // Stopping early.
    " | 9/9/2w6/b8/b8 w | c3-b2A c3-b2A-c2W",
    "chain=full | 9/9/2w6/b8/b8 w | c3-b2A-c2W",
    "chain=single | 9/9/2w6/b8/b8 w | c3-b2A",
    // No point twice.
    " | 9/9/1bw1b4/9/9 w | c3-d3A c3-d3W",
    // b1 is weak, and a1 is strong.
    " | 8b/9/9/9/1w7 w | b1-a1 b1-b2 b1-c1",
    " | 8b/9/9/9/w8 w | a1-a2 a1-b1 a1-b2",
    // Who cannot move passes where the rules have it; where nobody can the game is over.
    " | 9/9/9/ww7/bw7 b | ",
    "blocked=pass | 9/9/9/ww7/bw7 b | pass",
    "blocked=pass | 9/9/9/9/w7b w | a1-a2 a1-b1 a1-b2",
    "board=3x3 blocked=pass | www/wbw/www b | ",
    "blocked=pass vela=white | 9/9/9/bb7/wb7 w | pass",
    // The eater of a vela has to eat while there are six stones.
    "board=5x5 blocked=pass vela=black eating=must | bbb2/bbb2/5/5/w4 w | ",
    "board=5x5 blocked=pass vela=black eating=must | bbb2/bbb2/5/2w2/5 w | c2-c3A",
    "board=5x5 blocked=pass vela=black eating=must | bbb2/bb3/5/5/w4 w | a1-a2 a1-b1 a1-b2",
    // Where captures are free, the paikas are those that line up with nothing.
    " | 9/9/2bw1b3/9/9 w 0 5 | d3-e3A d3-e3W",
    "capture=free | 9/9/2bw1b3/9/9 w 0 5 | d3-d2 d3-d4 d3-e3A d3-e3W",
    // The first move of the game, which Black's is not.
    "capture=opening | 9/9/2bw1b3/9/8b w 0 1 | d3-e3A d3-e3W",
    "capture=opening opening=both | 9/9/2bw1b3/9/8b w 0 1 | d3-e3A d3-e3W",
    "capture=opening | 9/9/2bw1b3/9/8b w 0 2 | d3-d2 d3-d4 d3-e3A d3-e3W",
    "capture=opening | 9/9/2w1b4/9/9 b 0 1 | e3-d2 e3-d3A e3-d4 e3-e2 e3-e4 e3-f2 e3-f3 e3-f4",
    // The giver of a vela, here Black, plays paikas only, and the other side normally.
    "vela=black | 9/bbbbb4/9/4b4/4w4 b 0 9 | … e2-f2 …",
    "vela=white | 9/9/2b6/2w6/9 b 0 9 | c3-c4W",
    // The eater takes one stone a turn, which is forced unless `capture` says otherwise.
    "vela=black | 9/9/w1bbbbbb1/9/9 w 0 9 | a3-b3A",
    "vela=black capture=opening | 9/9/w1bbbbbb1/9/9 w 0 9 | a3-a2 a3-a4 a3-b2 a3-b3A a3-b4",
    "vela=black capture=opening | 9/9/w1bbbbbb1/9/9 w 0 1 | a3-b3A",
    // Single first turns, of White or of both.
    "opening=first | 9/9/2w6/b8/b8 w 0 1 | c3-b2A",
    "opening=first | 9/9/2w6/b8/b8 w 0 2 | c3-b2A c3-b2A-c2W",
    "opening=first | 9/9/2b6/w8/w8 b 0 1 | c3-b2A c3-b2A-c2W",
    "opening=both | 9/9/2b6/w8/w8 b 0 1 | c3-b2A",
    "opening=both chain=full | 9/9/2b6/w8/w8 b 0 1 | c3-b2A",
    "opening=both chain=full | 9/9/2b6/w8/w8 b 0 2 | c3-b2A-c2W",
];

#[test]
fn turns_are_those_of_the_rules() {
    for row in TURNS {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [rules, fen, expected] = cells[..] else {
            panic!("{row}");
        };
        let found = turns(rules, fen).join(" ");
        let is_right = match expected
            .strip_prefix('…')
            .and_then(|text| text.strip_suffix('…'))
        {
            Some(part) => format!(" {found} ").contains(part) && !found.contains(['A', 'W']),
            None => found == expected,
        };
        assert!(is_right, "{row}: {found}");
    }
}

#[test]
fn what_makes_a_turn_illegal_is_named() {
    for (rules_text, fen, turn, why) in [
        ("", "9/9/1bw1b4/9/9 w", "c3-d3A-c3A", "was on c3 before"),
        ("", "9/9/9/ww7/bw7 b", "pass", "these rules have no pass"),
        (
            "blocked=pass",
            "9/9/9/ww7/bw7 w",
            "pass",
            "only a player that cannot move passes",
        ),
        (
            "capture=free",
            "9/9/2bw1b3/9/9 w 0 5",
            "d3-e3",
            "needs its letter",
        ),
        (
            "vela=black",
            "bbbbb4/9/4b4/9/4w4 b 0 9",
            "e3-e2A",
            "paikas only",
        ),
    ] {
        let rules = rules(rules_text);
        let wrong = parse_turn(turn, &rules, &position(fen, &rules)).expect_err("illegal");
        assert!(wrong.to_string().contains(why), "{wrong}");
    }
}

#[test]
fn a_line_falls_up_to_the_first_gap() {
    for (rules_text, fen, turn, fallen) in [
        ("", "9/9/w1bbb1bb1/9/9 w", "a3-b3A", 3),
        ("", "9/9/w1bbwbbb1/9/9 w", "a3-b3A", 2),
        ("", "9/9/bbbbbbbw1/9/9 w", "h3-i3W", 7),
        // The eater of a vela takes one stone, until there are five.
        ("vela=black", "9/9/w1bbbbbb1/9/9 w 0 9", "a3-b3A", 1),
        ("vela=black", "9/9/w1bbbbb2/9/9 w 0 9", "a3-b3A", 5),
    ] {
        let rules = rules(rules_text);
        let (_, mv) = parse_turn(turn, &rules, &position(fen, &rules)).expect("legal");
        assert_eq!(mv.captured().count(), fallen, "{fen}");
    }
}

/// From no start can White's first turn go on, so `opening=first` alone changes nothing there;
/// `opening=both` holds back Black's reply.
#[test]
fn opening_rules_at_the_starts() {
    let mut shown = 0;
    for board in BoardSize::ALL {
        let with = |text: &str| Rules {
            board,
            ..rules(text)
        };
        let (free, both) = (with(""), with("opening=both"));
        let first_turns = legal_paths(&free, &board.start());
        assert!(first_turns.iter().all(|(path, _)| path.steps.len() == 1));
        assert_eq!(legal_paths(&both, &board.start()), first_turns);
        for (_, mv) in first_turns {
            let after = board.start().play(mv);
            let mut single = legal_paths(&free, &after);
            let all = single.len();
            single.retain(|(path, _)| path.steps.len() == 1);
            shown += usize::from(single.len() < all);
            assert_eq!(legal_paths(&both, &after), single);
            assert_eq!(legal_paths(&with("opening=first"), &after).len(), all);
        }
    }
    assert!(shown > 10, "{shown} positions show the difference");
}

/// Every turn fits into [`MAX_STEPS`]: the points of a turn (its origin included) are all different,
/// and the largest board has one point more than that.
#[test]
fn no_turn_is_longer_than_the_board() {
    let largest = BoardSize::ALL
        .into_iter()
        .map(|board| board.points().count() as usize)
        .max();
    assert_eq!(largest, Some(MAX_STEPS + 1));
    for (rules_text, fen, _) in LONG_LISTS {
        let rules = rules(rules_text);
        for (path, _) in legal_paths(&rules, &position(fen, &rules)) {
            let mut points: HashSet<_> = path.steps.iter().map(|step| step.to).collect();
            points.insert(path.from);
            assert_eq!(points.len(), path.steps.len() + 1);
        }
    }
    // A text with more steps is refused before it could overflow.
    let board = BoardSize::STANDARD;
    let most = format!("a1{}", "-b1A-a1A".repeat(MAX_STEPS / 2));
    assert_eq!(
        parse_path(&most, board).map(|path| path.steps.len()),
        Ok(MAX_STEPS)
    );
    assert!(parse_path(&format!("{most}-b1A"), board).is_err());
}

/// Rules, positions with many long turns, and how many there are.
const LONG_LISTS: [(&str, &str, usize); 2] = [
    (
        "",
        "bwbbbbbwb/b2bbb2b/1b2b2b1/2b3b2/bwbbbbbwb w 0 2",
        15_556,
    ),
    (
        "direction=any",
        "bbbbbbbwb/2b2bb1w/b2b3b1/bb2b3b/bbbbbbbwb w 0 2",
        44_217,
    ),
];

#[test]
fn long_lists_are_complete() {
    for (rules_text, fen, paths) in LONG_LISTS {
        let rules = rules(rules_text);
        let position = position(fen, &rules);
        let all = legal_paths(&rules, &position);
        assert_eq!(all.len(), paths, "{fen}");
        assert_eq!(count_paths(&rules, &position), paths as u64);
        let distinct: HashSet<_> = all.iter().map(|&(_, mv)| mv).collect();
        assert!(distinct.len() < paths, "some moves have several paths");
        let list = legal_moves(&rules, &position);
        assert_eq!(list.len(), distinct.len());
        assert!(list.iter().all(|mv| distinct.contains(mv)));
        // Every hundredth: each one is a search of its own.
        for (path, mv) in all.iter().step_by(100) {
            assert_eq!(follow(&rules, &position, path), Ok(*mv));
            let shortest = shortest_path(&rules, &position, *mv).expect("legal");
            assert!(shortest.steps.len() <= path.steps.len());
        }
        let longest = all.iter().map(|(path, _)| path.steps.len()).max();
        assert!(longest.is_some_and(|steps| steps > 15 && steps <= MAX_STEPS));
    }
}

//! Small positions where programs differ, first turns, the vela, and the longest turns.

use std::collections::HashSet;

use vato_engine::board::{BoardSize, Position, Symmetry};
use vato_engine::notation::{format_path, parse_fen, parse_path, parse_turn};
use vato_engine::rules::{
    Game, MAX_STEPS, Rules, follow, has_capture, legal_moves, legal_paths, shortest_path,
};

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

#[test]
fn the_direction_of_the_last_step() {
    let fen = "9/9/9/9/bw2b4 w";
    assert_eq!(turns("", fen), ["b1-c1W"]);
    assert_eq!(turns("direction=any", fen), ["b1-c1W", "b1-c1W-d1A"]);
}

#[test]
fn stopping_early() {
    let fen = "9/9/2w6/b8/b8 w";
    let all = turns("", fen);
    assert_eq!(all.len(), 2);
    let full = turns("chain=full", fen);
    assert_eq!(full, all[1..]);
    assert!(full[0].starts_with(&all[0]));
    assert_eq!(turns("chain=single", fen), all[..1]);
}

#[test]
fn no_return() {
    let fen = "9/9/1bw1b4/9/9 w";
    assert_eq!(turns("", fen), ["c3-d3A", "c3-d3W"]);
    let rules = Rules::STANDARD;
    let message = parse_turn("c3-d3A-c3A", &rules, &position(fen, &rules)).expect_err("illegal");
    assert!(
        message.to_string().contains("was on c3 before"),
        "{message}"
    );
}

#[test]
fn a_blocked_player_has_no_turn() {
    assert!(turns("", "9/9/9/ww7/bw7 b").is_empty());
    assert_eq!(turns("blocked=pass", "9/9/9/ww7/bw7 b"), ["pass"]);
    // Who can move does, and where nobody can the game is over.
    assert!(!turns("blocked=pass", "9/9/9/ww7/bw7 w").contains(&"pass".to_owned()));
    assert!(turns("board=3x3 blocked=pass", "www/wbw/www b").is_empty());
    // The eater of a vela has to eat.
    let vela = "board=5x5 blocked=pass vela=black eating=must";
    assert!(turns(vela, "bbb2/bbb2/5/5/w4 w").is_empty());
    assert_eq!(turns(vela, "bbb2/bbb2/5/2w2/5 w"), ["c2-c3A"]);
    assert!(!turns(vela, "bbb2/bb3/5/5/w4 w").is_empty());
    assert_eq!(
        turns("blocked=pass vela=white", "9/9/9/bb7/wb7 w"),
        ["pass"]
    );
}

#[test]
fn only_a_blocked_player_passes() {
    let why = |rules: &str, fen: &str| {
        let rules: Rules = rules.parse().expect("rules");
        let wrong = parse_turn("pass", &rules, &position(fen, &rules)).expect_err("illegal");
        wrong.to_string()
    };
    assert!(why("", "9/9/9/ww7/bw7 b").contains("these rules have no pass"));
    let can_move = why("blocked=pass", "9/9/9/ww7/bw7 w");
    assert!(
        can_move.contains("only a player that cannot move passes"),
        "{can_move}"
    );
}

#[test]
fn weak_points_have_no_diagonals() {
    // b1 is weak, and a1 is strong.
    assert_eq!(turns("", "8b/9/9/9/1w7 w"), ["b1-a1", "b1-b2", "b1-c1"]);
    assert_eq!(turns("", "8b/9/9/9/w8 w"), ["a1-a2", "a1-b1", "a1-b2"]);
}

#[test]
fn a_line_falls_up_to_the_first_gap() {
    let rules = Rules::STANDARD;
    let start = position("9/9/w1bbb1bb1/9/9 w", &rules);
    let (_, mv) = parse_turn("a3-b3A", &rules, &start).expect("legal");
    assert_eq!(mv.captured().count(), 3);
    let start = position("9/9/w1bbwbbb1/9/9 w", &rules);
    let (_, mv) = parse_turn("a3-b3A", &rules, &start).expect("legal");
    assert_eq!(mv.captured().count(), 2);
    let start = position("9/9/bbbbbbbw1/9/9 w", &rules);
    let (_, mv) = parse_turn("h3-i3W", &rules, &start).expect("legal");
    assert_eq!(mv.captured().count(), 7);
}

#[test]
fn paikas_where_captures_are_free() {
    // d3-e3 captures either way; with capture=free the paikas are those that line up with nothing.
    let fen = "9/9/2bw1b3/9/9 w 0 5";
    assert_eq!(turns("", fen), ["d3-e3A", "d3-e3W"]);
    assert_eq!(
        turns("capture=free", fen),
        ["d3-d2", "d3-d4", "d3-e3A", "d3-e3W"]
    );
    let rules = rules("capture=free");
    let message = parse_turn("d3-e3", &rules, &position(fen, &rules)).expect_err("illegal");
    assert!(
        message.to_string().contains("needs its letter"),
        "{message}"
    );
}

#[test]
fn capture_opening_binds_the_first_move_of_the_game() {
    let stones = "9/9/2bw1b3/9/8b";
    let forced = ["d3-e3A", "d3-e3W"];
    for rules in ["capture=opening", "capture=opening opening=both"] {
        assert_eq!(turns(rules, &format!("{stones} w 0 1")), forced);
        assert_eq!(turns(rules, &format!("{stones} w 0 2")).len(), 4);
        // Black's first move is not the first of the game.
        assert!(turns(rules, &format!("{stones} b 0 1")).len() > 10);
    }
}

#[test]
fn single_first_turns() {
    // Half a turn of the board swaps the sides; either stone on rank 3 can capture twice.
    let stones = "8w/8w/2w3b2/b8/b8";
    let lengths = |rules: &str, side_and_counters: &str| -> usize {
        turns(rules, &format!("{stones} {side_and_counters}"))
            .iter()
            .map(|turn| turn.matches('-').count())
            .max()
            .expect("a turn")
    };
    for (rules, expected) in [
        ("", [2, 2, 2, 2]),
        ("opening=first", [1, 2, 2, 2]),
        ("opening=both", [1, 1, 2, 2]),
        ("opening=both chain=full", [1, 1, 2, 2]),
        ("chain=single", [1, 1, 1, 1]),
    ] {
        let found = ["w 0 1", "b 0 1", "w 0 2", "b 0 2"].map(|rest| lengths(rules, rest));
        assert_eq!(found, expected, "{rules}");
    }
}

#[test]
fn opening_rules_change_nothing_on_the_standard_board() {
    let standard = legal_paths(&Rules::STANDARD, &Rules::STANDARD.start());
    for text in ["opening=first", "capture=opening"] {
        let rules = rules(text);
        assert_eq!(legal_paths(&rules, &rules.start()), standard);
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

#[test]
fn the_giver_of_a_vela_plays_paikas_only() {
    // Six black stones: Black gives. e3 could capture; every step of it is a paika.
    let fen = "bbbbb4/9/4b4/9/4w4 b 0 9";
    let rules = rules("vela=black");
    let giver = position(fen, &rules);
    assert!(!has_capture(&rules, &giver));
    let all = turns("vela=black", fen);
    assert!(all.contains(&"e3-e2".to_owned()));
    assert!(all.iter().all(|turn| !turn.ends_with(['A', 'W'])));
    let message = parse_turn("e3-e2A", &rules, &giver).expect_err("illegal");
    assert!(message.to_string().contains("paikas only"), "{message}");
    // The same for White as the giver of `vela=white`, while Black eats.
    let normal = turns("vela=white", fen);
    assert_eq!(normal, turns("", fen));
}

#[test]
fn the_eater_of_a_vela_takes_one_stone() {
    let fen = "9/9/w1bbbbbb1/9/9 w 0 9";
    let rules = rules("vela=black");
    let eater = position(fen, &rules);
    let (_, mv) = parse_turn("a3-b3A", &rules, &eater).expect("legal");
    assert_eq!(mv.captured().count(), 1);
    assert!(
        legal_paths(&rules, &eater)
            .iter()
            .all(|(path, _)| path.steps.len() == 1)
    );
    // Forced unless `capture` says otherwise.
    assert_eq!(turns("vela=black", fen), ["a3-b3A"]);
    assert_eq!(
        turns("vela=black capture=opening", fen),
        ["a3-a2", "a3-a4", "a3-b2", "a3-b3A", "a3-b4"]
    );
    assert_eq!(
        turns("vela=black capture=opening", &fen.replace(" 9", " 1")),
        ["a3-b3A"]
    );
}

#[test]
fn a_vela_is_over_with_five_stones() {
    let mut game = Game::from_position(
        rules("vela=black"),
        position("9/9/w1bbbbbb1/9/9 w 0 9", &rules("vela=black")),
    );
    let play = |game: &mut Game, text: &str| {
        let (_, mv) = parse_turn(text, game.rules(), game.position()).expect(text);
        game.play(mv).expect(text);
        mv
    };
    assert_eq!(play(&mut game, "a3-b3A").captured().count(), 1);
    // Five are left; Black captures now.
    assert_eq!(play(&mut game, "d3-c3A").captured().count(), 1);
    // And with White to move the whole line would fall.
    let five = position("9/9/w1bbbbb2/9/9 w 0 9", game.rules());
    let (_, mv) = parse_turn("a3-b3A", game.rules(), &five).expect("legal");
    assert_eq!(mv.captured().count(), 5);
}

/// The symmetries of a board are as many as it has, all different, and keep strong points strong.
#[test]
fn symmetries_are_all_different() {
    for board in BoardSize::ALL {
        let square = board.columns() == board.rows();
        let symmetries = Symmetry::of(board);
        assert_eq!(symmetries.len(), if square { 8 } else { 4 });
        let mut images = HashSet::new();
        for &symmetry in symmetries {
            let image: Vec<_> = board
                .points()
                .into_iter()
                .map(|point| symmetry.point(board, point))
                .collect();
            for (point, image) in board.points().into_iter().zip(&image) {
                assert!(board.points().contains(*image));
                assert_eq!(point.is_strong(), image.is_strong());
            }
            assert!(images.insert(image), "{symmetry:?} on {board} comes twice");
        }
    }
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

//! What is checked of a position.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use vato_engine::board::{BoardSize, Move, Position, Symmetry};
use vato_engine::notation::{
    format_fen, format_move, format_path, parse_fen, parse_path, parse_turn,
};
use vato_engine::rules::{
    CaptureRule, ChainRule, DirectionRule, OpeningRule, Path, Rules, Vela, follow, has_capture,
    has_move, legal_moves, legal_paths, shortest_path,
};
use vato_records::{read_first_turn, read_turn};

use super::yardstick;
use crate::count_paths;

/// With more paths than this, only the cheap checks are made.
const MANY: usize = 2000;

/// Checks everything that must hold of any position.
pub fn position(rules: &Rules, position: &Position) {
    let fen = format_fen(position, rules.board);
    let case = format!("{fen} [{rules}]");
    let paths = legal_paths(rules, position);
    keys_and_fen(rules, position, &fen);
    lists_agree(rules, position, &paths, &case);
    chains_are_as_the_rules_say(rules, position, &paths, &case);
    second_opinion(rules, position, &paths, &fen, &case);
    if paths.len() > MANY {
        return;
    }
    paths_read_and_follow(rules, position, &paths, &case);
    others_are_read(rules, position, &paths, &case);
    shortest_paths(rules, position, &paths, &case);
    only_legal_turns_follow(rules, position, &paths, &case);
    images(rules, position, &case);
}

fn keys_and_fen(rules: &Rules, position: &Position, fen: &str) {
    assert_eq!(position.key(), position.recomputed_key(), "{fen}");
    if position.occupied().is_empty() {
        assert!(parse_fen(fen, rules.board).is_err());
    } else {
        assert_eq!(parse_fen(fen, rules.board), Ok(*position), "{fen}");
    }
}

fn lists_agree(rules: &Rules, position: &Position, paths: &[(Path, Move)], case: &str) {
    let moves = legal_moves(rules, position);
    let distinct: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(distinct.len(), moves.len(), "a move comes twice: {case}");
    let made: HashSet<Move> = paths.iter().map(|&(_, mv)| mv).collect();
    assert_eq!(distinct, made, "moves and paths differ: {case}");
    assert_eq!(count_paths(rules, position), paths.len() as u64, "{case}");
    assert_eq!(has_move(rules, position), !moves.is_empty(), "{case}");
    let captures = moves.iter().any(|mv| mv.is_capture());
    assert_eq!(has_capture(rules, position), captures, "{case}");
    for &mv in moves.iter() {
        let is_pass = mv == Move::PASS;
        assert!(is_pass || position.own().contains(mv.from()), "{case}");
        assert!(mv.captured().is_subset_of(position.enemy()), "{case}");
        let next = position.play(mv);
        assert_eq!(is_pass, next.occupied() == position.occupied(), "{case}");
        assert_eq!(next.key(), next.recomputed_key(), "{case}");
        assert_eq!(next.enemy().count(), position.own().count(), "{case}");
    }
}

/// Where the player may stop, every beginning of a turn is a turn; where he must go on, none is.
fn chains_are_as_the_rules_say(
    rules: &Rules,
    position: &Position,
    paths: &[(Path, Move)],
    case: &str,
) {
    let known: HashSet<&Path> = paths.iter().map(|(path, _)| path).collect();
    assert_eq!(known.len(), paths.len(), "a path comes twice: {case}");
    let first_turn_is_single = position.move_number() == 1 && rules.opening != OpeningRule::Free;
    let free_to_stop = match rules.chain {
        ChainRule::Free => true,
        ChainRule::Single => {
            assert!(known.iter().all(|path| path.steps.len() < 2), "{case}");
            return;
        }
        ChainRule::Full if first_turn_is_single || rules.vela != Vela::Off => return,
        ChainRule::Full => false,
    };
    for path in &known {
        if path.steps.len() > 1 {
            let mut beginning = (*path).clone();
            beginning.steps.pop();
            assert_eq!(known.contains(&beginning), free_to_stop, "{case}");
        }
    }
}

/// The plain generator finds the same turns, leading to the same positions.
fn second_opinion(
    rules: &Rules,
    position: &Position,
    paths: &[(Path, Move)],
    fen: &str,
    case: &str,
) {
    // It gives paikas to a side whose opponent has no stones.
    if position.own().is_empty() || position.enemy().is_empty() {
        assert!(paths.is_empty(), "{case}");
        return;
    }
    let plain_rules = yardstick::Rules::parse(&format!("{rules:#}")).expect("the same strings");
    let plain = yardstick::Position::parse(fen, &plain_rules).expect("the same FEN");
    let expected: BTreeMap<String, String> = yardstick::turns(&plain_rules, &plain)
        .into_iter()
        .map(|turn| (turn.text, turn.position.fen(&plain_rules)))
        .collect();
    let found: BTreeMap<String, String> = paths
        .iter()
        .map(|(path, mv)| {
            (
                format_path(path, rules.board),
                format_fen(&position.play(*mv), rules.board),
            )
        })
        .collect();
    assert_eq!(found, expected, "{case}");
}

fn paths_read_and_follow(rules: &Rules, position: &Position, paths: &[(Path, Move)], case: &str) {
    let mut texts = Vec::new();
    for (path, mv) in paths {
        assert_eq!(follow(rules, position, path), Ok(*mv), "{case}");
        let text = format_path(path, rules.board);
        let short = text.replace('-', "").to_lowercase();
        for form in [&text, &short, &short.to_uppercase()] {
            assert_eq!(
                parse_turn(form, rules, position),
                Ok((path.clone(), *mv)),
                "{form}: {case}"
            );
        }
        texts.push(text);
    }
    assert!(texts.is_sorted(), "{texts:?}: {case}");
}

/// A notation: what stands before the origin and behind a step by approach and by withdrawal, what joins steps, whether the
/// origin of each is repeated, whether steps are directions, and whether the letters are capital.
type Notation = (
    [&'static str; 2],
    [&'static str; 2],
    &'static str,
    bool,
    bool,
    bool,
);

const NOTATIONS: [Notation; 13] = [
    // Vato, jeriks31; the same joined otherwise.
    (["", ""], ["A", "W"], "-", false, false, false),
    (["", ""], ["A", "W"], " ", false, false, true),
    (["", ""], ["A", "W"], ".", false, false, false),
    // AbstractPlay, SuperDuperGames.
    (["", ""], ["+", "-"], ", ", false, false, false),
    (["", ""], ["+", "-"], ",", true, false, false),
    // SkudPaiSho, the tactician.
    (["", ""], ["A", "W"], ",", true, false, false),
    (["", ""], ["a", "w"], ";", true, false, false),
    // AiAi, by steps and by lines.
    (["", "x"], ["x", ""], "|", true, false, false),
    (["", "x"], ["x", ""], ", ", true, false, false),
    // By compass.
    (["", ""], ["F", "B"], " ", true, true, true),
    (["", ""], ["F", "B"], "", false, true, true),
    // Those that tell captures only, or nothing.
    (["", ""], ["X", "X"], ",", true, false, false),
    (["", ""], ["", ""], "", false, false, false),
];

fn written(path: &Path, board: BoardSize, notation: &Notation) -> String {
    let (before, behind, between, repeats, by_compass, is_capital) = *notation;
    if path.steps.is_empty() {
        return ["pass", "PASS", "0000", "--"][usize::from(is_capital) + 2 * usize::from(repeats)]
            .to_owned();
    }
    let (mut text, mut from) = (String::new(), path.from);
    for (number, step) in path.steps.iter().enumerate() {
        let sign = |signs: [&'static str; 2]| step.capture.map_or("", |by| signs[by as usize]);
        if number > 0 {
            text += between;
        }
        if number == 0 || repeats {
            text += sign(before);
            text += &board.name(from);
            // Dashes of people.
            text += if is_capital { "" } else { "–" };
        }
        let ((file, rank), (to_file, to_rank)) =
            (board.file_and_rank(from), board.file_and_rank(step.to));
        if by_compass {
            text += ["s", "", "n"][(1 + to_rank - rank) as usize];
            text += ["w", "", "e"][(1 + to_file - file) as usize];
        } else {
            text += &board.name(step.to);
        }
        text += sign(behind);
        from = step.to;
    }
    if is_capital {
        text.to_uppercase()
    } else {
        text
    }
}

/// A turn in any notation is read as that, or as those that are written alike in it. Each position is tried in one notation.
fn others_are_read(rules: &Rules, position: &Position, paths: &[(Path, Move)], case: &str) {
    let notation = &NOTATIONS[(position.key() % NOTATIONS.len() as u64) as usize];
    let mut alike: BTreeMap<String, BTreeSet<Move>> = BTreeMap::new();
    for (path, mv) in paths {
        let text = written(path, rules.board, notation);
        alike.entry(text).or_default().insert(*mv);
    }
    for (text, moves) in alike {
        let read = read_turn(&text, rules, position).map_err(|error| error.to_string());
        let read = read.unwrap_or_else(|error| panic!("{error}: {case}"));
        let read: BTreeSet<Move> = read.into_iter().map(|(_, mv)| mv).collect();
        assert_eq!(read, moves, "{text}: {case}");
        // In a list, where the steps may be words, behind it a turn of the other side.
        let next = moves.first().and_then(|&mv| {
            let after = position.play(mv);
            let mv = *legal_moves(rules, &after).first()?;
            shortest_path(rules, &after, mv)
        });
        let next = next.map(|path| written(&path, rules.board, notation));
        let next = next.iter().flat_map(|next| next.split(' '));
        let count = text.split(' ').count();
        match read_first_turn(text.split(' ').chain(next), rules, position) {
            Ok((words, (_, mv))) => {
                assert_eq!(
                    (words, BTreeSet::from([mv])),
                    (count, moves),
                    "{text}: {case}"
                );
            }
            Err(error) => {
                let is_named = error.to_string().contains("may be");
                assert!(moves.len() > 1 && is_named, "{error}: {case}");
            }
        }
    }
}

/// For every move the shortest path, and of these the first.
fn shortest_paths(rules: &Rules, position: &Position, paths: &[(Path, Move)], case: &str) {
    let mut expected: BTreeMap<Move, (usize, String)> = BTreeMap::new();
    for (path, mv) in paths {
        let candidate = (path.steps.len(), format_path(path, rules.board));
        let best = expected.entry(*mv).or_insert_with(|| candidate.clone());
        if candidate < *best {
            *best = candidate;
        }
    }
    for (mv, (length, text)) in expected {
        let path = shortest_path(rules, position, mv).expect("a legal move has a path");
        assert_eq!(path.steps.len(), length, "{text}: {case}");
        assert_eq!(format_move(rules, position, mv), Some(text), "{case}");
    }
}

/// Of the turns that looser rules allow, those are accepted that these rules list.
fn only_legal_turns_follow(rules: &Rules, position: &Position, paths: &[(Path, Move)], case: &str) {
    let loose = Rules {
        board: rules.board,
        capture: CaptureRule::Free,
        direction: DirectionRule::Any,
        ..Rules::STANDARD
    };
    let candidates = legal_paths(&loose, position);
    if candidates.len() > MANY {
        return;
    }
    let legal: HashSet<&Path> = paths.iter().map(|(path, _)| path).collect();
    let moves: BTreeSet<Move> = paths.iter().map(|&(_, mv)| mv).collect();
    for (mut path, mv) in candidates {
        let accepted = follow(rules, position, &path);
        assert_eq!(accepted.is_ok(), legal.contains(&path), "{path:?}: {case}");
        let found = shortest_path(rules, position, mv).is_some();
        assert_eq!(found, moves.contains(&mv), "{mv:?}: {case}");
        // The same without the letter of its last step.
        if let Some(step) = path.steps.last_mut() {
            step.capture = None;
        }
        let accepted = follow(rules, position, &path);
        assert_eq!(accepted.is_ok(), legal.contains(&path), "{path:?}: {case}");
        let text = format_path(&path, rules.board);
        assert_eq!(parse_path(&text, rules.board), Ok(path), "{case}");
    }
}

/// A symmetry of the board maps moves onto moves, and keeps the number of turns.
fn images(rules: &Rules, position: &Position, case: &str) {
    let board = rules.board;
    let turns_below = |position: &Position| -> u64 {
        legal_moves(rules, position)
            .iter()
            .map(|&mv| count_paths(rules, &position.play(mv)))
            .sum()
    };
    let moves = legal_moves(rules, position);
    let below = turns_below(position);
    for &symmetry in Symmetry::of(board) {
        let image = symmetry.position(board, position);
        let expected: BTreeSet<Move> = moves
            .iter()
            .map(|&mv| symmetry.apply_to_move(board, mv))
            .collect();
        let found: BTreeSet<Move> = legal_moves(rules, &image).iter().copied().collect();
        assert_eq!(found, expected, "{symmetry:?} of {case}");
        assert_eq!(turns_below(&image), below, "{symmetry:?} of {case}");
        for &mv in moves.iter() {
            let after = symmetry.position(board, &position.play(mv));
            assert_eq!(image.play(symmetry.apply_to_move(board, mv)), after);
        }
    }
}

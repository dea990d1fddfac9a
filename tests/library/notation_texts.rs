//! Texts in and out: whatever is written reads back, and whatever does not read is refused with one
//! readable line.

use proptest::prelude::*;
use vato_engine::board::{BoardSize, Position, Side};
use vato_engine::notation::{
    Charset, diagram, format_fen, format_path, parse_fen, parse_path, parse_turn,
};
use vato_engine::rules::{Game, Rules, Vela, parse_rules};
use vato_records::read_first_turn;

/// The longest error message.
const LONGEST: usize = 400;

fn boards() -> impl Strategy<Value = BoardSize> {
    prop::sample::select(BoardSize::ALL.to_vec())
}

/// A string of whole `key=value` pairs, most of them well formed.
fn rules_strings() -> impl Strategy<Value = String> {
    let pairs = "board=9x5 board=5x5 board=3x9 board=5x6 capture=forced capture=opening capture=free \
        chain=full chain=single chain=none direction=any opening=first opening=both blocked=draw \
        blocked=pass eating=free eating=must tie=count repeat=0 repeat=65536 limit=40 limit=-1 vela=white vela=black colour=red chain";
    let pair = prop::sample::select(pairs.split(' ').collect::<Vec<_>>());
    prop::collection::vec(pair, 0..6).prop_map(|pairs| pairs.join(" "))
}

/// A FEN with a few characters changed.
fn damaged_fens() -> impl Strategy<Value = String> {
    let start = format_fen(&BoardSize::STANDARD.start(), BoardSize::STANDARD);
    let damage = prop::collection::vec((0..start.len(), "[wbWB0-9/ x-]"), 0..4);
    damage.prop_map(move |changes| {
        let mut text = start.clone();
        for (place, with) in changes {
            text.replace_range(place..=place, &with);
        }
        text
    })
}

fn readable(message: &str) -> bool {
    !message.is_empty() && message.len() < LONGEST && !message.contains('\n')
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn fens_read_back_or_are_refused(text in damaged_fens(), board in boards()) {
        match parse_fen(&text, board) {
            Ok(position) => {
                let written = format_fen(&position, board);
                prop_assert_eq!(parse_fen(&written, board), Ok(position));
            }
            Err(error) => prop_assert!(readable(&error.to_string()), "{}", error),
        }
    }

    #[test]
    fn any_text_is_refused_politely(text in ".*", board in boards()) {
        let rules = Rules { board, ..Rules::STANDARD };
        if let Err(error) = parse_fen(&text, board) {
            prop_assert!(readable(&error.to_string()), "{}", error);
        }
        if let Err(error) = parse_turn(&text, &rules, &rules.start()) {
            prop_assert!(readable(&error.to_string()), "{}", error);
        }
        if let Err(error) = parse_rules(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn paths_read_back(text in "[a-i][1-5](-?[a-i][1-5][AWaw]?){0,5}", board in boards()) {
        match parse_path(&text, board) {
            Ok(path) => {
                let written = format_path(&path, board);
                prop_assert_eq!(parse_path(&written, board), Ok(path));
                let bare = |text: &str| text.replace('-', "").to_lowercase();
                prop_assert_eq!(bare(&written), bare(&text));
            }
            Err(error) => prop_assert!(readable(&error.to_string()), "{}", error),
        }
    }

    #[test]
    fn rules_read_back(text in rules_strings()) {
        if let Ok(rules) = parse_rules(&text) {
            prop_assert_eq!(rules.to_string().parse(), Ok(rules));
            prop_assert_eq!(format!("{rules:#}").parse(), Ok(rules));
            let shown = if rules.vela == Vela::Off { 10 } else { 11 };
            prop_assert_eq!(format!("{rules:#}").split(' ').count(), shown);
        }
    }
}

/// Both character sets draw the same picture: every stone once, files and ranks named.
#[test]
fn diagrams_show_every_stone() {
    for board in BoardSize::ALL {
        let position: Position = board.start();
        let ascii = diagram(&position, board, Charset::Ascii);
        let unicode = diagram(&position, board, Charset::Unicode);
        assert!(ascii.is_ascii());
        assert_eq!(ascii.chars().count(), unicode.chars().count());
        for (side, letter, stone) in [(Side::White, 'W', '○'), (Side::Black, 'B', '●')] {
            let count = position.stones(side).count() as usize;
            assert_eq!(ascii.matches(letter).count(), count);
            assert_eq!(unicode.matches(stone).count(), count);
        }
        let lines: Vec<&str> = ascii.lines().collect();
        assert_eq!(lines.len(), 2 * usize::from(board.rows()));
        for rank in 1..=board.rows() {
            let line = lines[2 * usize::from(board.rows() - rank)];
            assert!(line.starts_with(&rank.to_string()), "{ascii}");
        }
        let files: String = ('a'..).take(usize::from(board.columns())).collect();
        assert_eq!(lines[lines.len() - 1].replace(' ', ""), files);
    }
}

/// A game in the notations of other programs, each as a list of words. Where a notation does not tell the turn, those that it may be
/// are named.
#[test]
fn lists_of_turns_in_all_notations() {
    let lines = include_str!("../data/notations.txt").lines();
    let rows: Vec<Vec<&str>> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(" / ").collect())
        .collect();
    assert_eq!((rows.len(), rows[0].len()), (38, 8));
    let rules = Rules::STANDARD;
    for notation in 0..8 {
        let words = rows.iter().flat_map(|row| row[notation].split(' '));
        let (words, mut game) = (words.collect::<Vec<_>>(), Game::new(rules));
        let (mut at, mut untold) = (0, 0);
        for row in &rows {
            let (_, mv) = parse_turn(row[0], &rules, game.position()).expect(row[0]);
            let own = row[notation].split(' ').count();
            match read_first_turn(words[at..].iter().copied(), &rules, game.position()) {
                Ok((count, (path, _))) => {
                    let read = format_path(&path, rules.board);
                    assert_eq!((count, &*read), (own, row[0]), "{}", row[notation]);
                }
                Err(error) => {
                    let choices = format!("'{}' may be ", row[notation]);
                    let error = error.to_string();
                    assert!(
                        error.contains(&choices) && error.contains(row[0]),
                        "{error}"
                    );
                    untold += 1;
                }
            }
            at += own;
            game.play(mv).expect("legal");
        }
        assert_eq!(untold, if notation == 6 { 2 } else { 0 });
        assert!(game.outcome().is_some());
    }
}

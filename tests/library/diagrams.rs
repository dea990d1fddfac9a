//! Starts of games, and diagrams.

use vato_engine::board::{BoardSize, Position, Side};
use vato_engine::notation::{Charset, diagram, format_fen};

#[test]
fn the_starts_are_as_described() {
    for (board, fen) in [
        (
            "9x5",
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
        ),
        ("7x3", "bbbbbbb/bwb1wbw/wwwwwww w 0 1"),
        ("5x5", "bbbbb/bbbbb/bw1bw/wwwww/wwwww w 0 1"),
        ("3x7", "bbb/bbb/bbb/b1w/www/www/www w 0 1"),
        ("3x3", "bbb/b1w/www w 0 1"),
    ] {
        let board: BoardSize = board.parse().expect("a board");
        assert_eq!(format_fen(&board.start(), board), fen);
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

//! What a position can look like: a position, its material, a pattern.

use vato_engine::board::{Bitboard, BoardSize, Canonical, Position, Side, Symmetry};
use vato_engine::notation::read_position;
use vato_engine::text::excerpt;

/// A set of positions that every symmetry of the board maps to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// This position, with the side to move; counters do not matter.
    Position(BoardSize, Canonical),
    /// Numbers of stones: one side has the first, the other the second.
    Material(u32, u32),
    /// Points that are known, in all orientations: white stones, black stones, empty points, side to move.
    Pattern(BoardSize, Vec<[Bitboard; 3]>, Option<Side>),
}

impl Shape {
    /// Parses a FEN. The board is as large as the FEN says.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn position(text: &str) -> Result<Shape, String> {
        let mut words = text.split([' ', '_', '"', '\'']);
        let board = match words.find(|word| word.contains('/')) {
            Some(ranks) => {
                let first = ranks.split('/').next().unwrap_or_default().chars();
                let points = first.map(|character| character.to_digit(10).unwrap_or(1));
                board(points.sum(), ranks)?
            }
            None => BoardSize::STANDARD,
        };
        let position = read_position(text, board).map_err(|error| error.to_string())?;
        Ok(Shape::Position(board, Canonical::of(board, &position)))
    }

    /// Parses material: `4v3`.
    ///
    /// # Errors
    ///
    /// If it is not two numbers with a `v` between them.
    pub fn material(text: &str) -> Result<Shape, String> {
        let numbers = text.split_once('v').and_then(|(first, second)| {
            Some(Shape::Material(first.parse().ok()?, second.parse().ok()?))
        });
        numbers.ok_or_else(|| {
            let text = excerpt(text);
            format!("invalid material '{text}': expected numbers of stones such as 4v3")
        })
    }

    /// Parses a pattern: ranks from the top as in a FEN, with a character for each point: `w`, `b`, `.`
    /// (empty), `?` (anything); `*` alone is a rank of anything. The side to move may follow.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn pattern(text: &str) -> Result<Shape, String> {
        let mut words = text.split_ascii_whitespace();
        let ranks = words.next().unwrap_or_default();
        let side = match (words.next(), words.next()) {
            (None, None) => None,
            (Some("w"), None) => Some(Side::White),
            (Some("b"), None) => Some(Side::Black),
            _ => return Err("invalid pattern: expected ranks, then w, b or nothing".to_owned()),
        };
        let known = ranks.split('/').find(|&rank| rank != "*");
        let known = known.ok_or("invalid pattern: expected a rank other than *")?;
        let columns = known.chars().count() as u32;
        let board = board(columns, ranks)?;
        let mut sets = [Bitboard::default(); 3];
        for (rank, line) in ranks.split('/').rev().enumerate() {
            if line == "*" {
                continue;
            }
            if line.chars().count() as u32 != columns {
                let line = excerpt(line);
                return Err(format!(
                    "invalid pattern: expected {columns} points in the rank '{line}'"
                ));
            }
            for (file, character) in line.chars().enumerate() {
                let set = match character {
                    'w' => 0,
                    'b' => 1,
                    '.' => 2,
                    '?' => continue,
                    other => {
                        let other = other.escape_default();
                        return Err(format!(
                            "invalid pattern: unknown point '{other}', expected w, b, . or ?"
                        ));
                    }
                };
                let point = board
                    .point(file as u8, rank as u8)
                    .ok_or("a point off the board")?;
                sets[set] |= Bitboard::from(point);
            }
        }
        let mut images: Vec<[Bitboard; 3]> = (Symmetry::of(board).iter())
            .map(|symmetry| sets.map(|set| symmetry.set(board, set)))
            .collect();
        images.dedup();
        Ok(Shape::Pattern(board, images, side))
    }

    /// Whether a position with these stones and this side to move is one of the set.
    pub fn contains(&self, board: BoardSize, stones: [Bitboard; 2], side: Side) -> bool {
        let [white, black] = stones;
        let counts = stones.map(Bitboard::count);
        match self {
            Shape::Position(own, position) => {
                *own == board
                    && position.stones().map(Bitboard::count) == counts
                    && Canonical::of(board, &Position::new(stones, side, 0, 1)) == *position
            }
            Shape::Material(first, second) => {
                counts == [*first, *second] || counts == [*second, *first]
            }
            Shape::Pattern(own, images, to_move) => {
                *own == board
                    && to_move.is_none_or(|own| own == side)
                    && images.iter().any(|&[own_white, own_black, empty]| {
                        own_white & white == own_white
                            && own_black & black == own_black
                            && (empty & (white | black)).is_empty()
                    })
            }
        }
    }
}

/// The board with these columns and as many rows as there are ranks.
fn board(columns: u32, ranks: &str) -> Result<BoardSize, String> {
    let rows = ranks.split('/').count();
    let size = u8::try_from(columns).ok().zip(u8::try_from(rows).ok());
    size.and_then(|(columns, rows)| BoardSize::new(columns, rows))
        .ok_or_else(|| format!("no board has {columns} columns and {rows} rows"))
}

//! States of a game.

use crate::board::{Game, Stones, Turn, bits};
use crate::tables::{Tables, Value};

/// A position, who is to move, and whether it is a first turn under special rules.
#[derive(Clone, Copy)]
pub struct State {
    pub stones: Stones,
    pub black: bool,
    pub special: bool,
}

impl State {
    fn new(white: u64, blacks: u64, black: bool, special: bool) -> State {
        let (mover, other) = if black { (blacks, white) } else { (white, blacks) };
        State { stones: Stones { mover, other }, black, special }
    }

    /// Whose first turn is special: White's under most rules that have special first turns, Black's under one of them.
    fn special_first(game: &Game, black: bool) -> bool {
        let white = game.rules.is("opening", "first") || game.rules.is("capture", "opening");
        game.rules.is("opening", "both") || white && !black
    }

    /// The position of the first two words of a record, without a rank.
    pub fn from_words(words: [u64; 2]) -> State {
        State::new(words[0] & !(3 << 62), words[1], words[0] >> 62 & 1 == 1, words[0] >> 63 == 1)
    }

    /// The first two words of a record without a rank.
    pub fn words(&self) -> [u64; 2] {
        let Stones { mover, other } = self.stones;
        let (white, blacks) = if self.black { (other, mover) } else { (mover, other) };
        [white | u64::from(self.black) << 62 | u64::from(self.special) << 63, blacks]
    }

    /// The image that a record holds.
    pub fn canonical(&self, game: &Game) -> State {
        let image = |places: &[u64; 49]| {
            let image = |set| bits(set).map(|bit| places[bit.trailing_zeros() as usize]).sum();
            let Stones { mover, other } = self.stones;
            State { stones: Stones { mover: image(mover), other: image(other) }, ..*self }
        };
        game.symmetries.iter().map(image).min_by_key(State::words).unwrap_or(*self)
    }

    /// The legal moves, equal ones once.
    pub fn turns(&self, game: &Game) -> Vec<Turn> {
        let mut turns = game.turns(self.stones, game.manner(self.special, self.black));
        turns.sort();
        turns.dedup();
        turns
    }

    pub fn play(&self, game: &Game, turn: &Turn) -> State {
        // After White's first turn comes Black's.
        let special = self.special && !self.black && State::special_first(game, true);
        State { stones: turn.play(self.stones), black: !self.black, special }
    }

    /// The value for the player to move, if the game is over or the position is in the tables.
    pub fn value(&self, game: &Game, tables: &Tables) -> Option<Value> {
        if self.stones.mover == 0 {
            Some(Value::Loss(0))
        } else if self.stones.other != 0 && !game.can_move(self.stones) {
            Some(if game.blocked_draws { Value::Draw } else { Value::Loss(0) })
        } else if self.special {
            None
        } else {
            tables.value(self.stones)
        }
    }

    /// The position in words.
    pub fn fen(&self, game: &Game) -> String {
        let words = self.words();
        let letter = |bit| match [words[0] & bit, words[1] & bit] {
            [0, 0] => '.',
            [_, 0] => 'w',
            _ => 'b',
        };
        let row = |rank| (0..game.columns).map(|file| letter(point(game, file, rank))).collect::<String>();
        let rows = (0..game.ranks).rev().map(row).collect::<Vec<_>>().join("/");
        let rows = (1..10).rev().fold(rows, |rows, count| rows.replace(&".".repeat(count), &count.to_string()));
        format!("{rows} {} 0 {}", if self.black { 'b' } else { 'w' }, if self.special { 1 } else { 2 })
    }

    /// Reads a FEN with all its fields: the position, and the plies since the last capture.
    pub fn parse(game: &Game, fen: &str) -> Result<(State, u32), String> {
        let wrong = |what: &str| format!("the position '{fen}': {what}");
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let [rows, side @ ("w" | "b"), quiet, number] = fields[..] else {
            return Err(wrong("it does not have four fields, or the side to move is neither w nor b"));
        };
        let (Ok(quiet), Ok(number @ 1..)) = (quiet.parse::<u16>(), number.parse::<u32>()) else {
            return Err(wrong("a number is wrong"));
        };
        let rows = (1..10).fold(rows.to_string(), |rows, n| rows.replace(&n.to_string(), &".".repeat(n)));
        let rows: Vec<&str> = rows.rsplit('/').collect();
        if rows.len() != game.ranks || rows.iter().any(|row| row.chars().count() != game.columns) {
            return Err(wrong("it does not fit the board"));
        }
        let (mut white, mut blacks) = (0, 0);
        for (rank, row) in rows.iter().enumerate() {
            for (file, letter) in row.chars().enumerate() {
                match letter {
                    'w' => white |= point(game, file, rank),
                    'b' => blacks |= point(game, file, rank),
                    '.' => {}
                    _ => return Err(wrong("a letter is unknown")),
                }
            }
        }
        let black = side == "b";
        Ok((State::new(white, blacks, black, number == 1 && State::special_first(game, black)), quiet.into()))
    }
}

/// The point on a file and a rank, both from 0.
fn point(game: &Game, file: usize, rank: usize) -> u64 {
    1 << if game.columns >= game.ranks { 10 * rank + file } else { 10 * file + rank }
}

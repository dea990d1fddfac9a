//! States of a game.

use crate::board::{Game, Stones, Turn, bits};
use crate::tables::{LOST, Tables};

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

    /// The legal moves, equal ones once; none without an opponent.
    pub fn turns(&self, game: &Game) -> Vec<Turn> {
        if self.stones.other == 0 {
            return Vec::new();
        }
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
    pub fn value(&self, game: &Game, tables: &Tables) -> Option<u8> {
        match self.stones {
            Stones { mover: 0, .. } => Some(LOST),
            Stones { other: 0, .. } => Some(1),
            stones if !game.can_move(stones) => Some(if game.rules.is("blocked", "draw") { 0 } else { LOST }),
            stones => tables.value(stones).filter(|_| !self.special),
        }
    }

    /// Reads a FEN with all its fields: the position, and the plies since the last capture.
    pub fn parse(game: &Game, fen: &str) -> Option<(State, u32)> {
        let [rows, side @ ("w" | "b"), quiet, number] = fen.split(' ').collect::<Vec<_>>()[..] else { return None };
        let (quiet, number) = (quiet.parse::<u16>().ok()?, number.parse::<u32>().ok().filter(|&number| number > 0)?);
        let rows = (1..10).fold(rows.to_string(), |rows, n| rows.replace(&n.to_string(), &".".repeat(n)));
        let (rows, (columns, ranks)): (Vec<&str>, _) = (rows.rsplit('/').collect(), game.rules.board());
        // On boards with more ranks than columns a row of a set is a file.
        let point = |file, rank| 1u64 << if columns >= ranks { 10 * rank + file } else { 10 * file + rank };
        let fits = |row: &&str| row.len() == columns && row.chars().all(|letter| "wb.".contains(letter));
        if rows.len() != ranks || !rows.iter().all(fits) {
            return None;
        }
        let on = |rank: usize, letter: char| rows[rank].match_indices(letter).map(move |(file, _)| point(file, rank));
        let [white, blacks] = ['w', 'b'].map(|letter| (0..ranks).flat_map(|rank| on(rank, letter)).sum());
        let black = side == "b";
        Some((State::new(white, blacks, black, number == 1 && State::special_first(game, black)), quiet.into()))
    }
}

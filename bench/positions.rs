//! The positions that are measured, one for each phase of the game.

// Each bench uses a part of this.
#![allow(dead_code)]

use std::fmt;

use vato_engine::board::Position;
use vato_engine::notation::parse_fen;
use vato_engine::rules::{Game, Rules};

/// A position of the standard game with a name.
pub struct Phase {
    name: &'static str,
    fen: &'static str,
}

/// From the opening to the ending.
pub const PHASES: [Phase; 4] = [
    Phase {
        name: "start",
        fen: "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w 0 1",
    },
    Phase {
        name: "opening",
        fen: "1b1bbbbbb/3bb1bbb/wbwbwbwbw/1w2w1www/wwwww1www b 0 4",
    },
    Phase {
        name: "middle game",
        fen: "1b1bbbbb1/1w3bb2/5bwbw/6ww1/ww3w1ww b 0 5",
    },
    Phase {
        name: "ending",
        fen: "6b1b/9/3w5/1w5b1/5ww2 b 2 11",
    },
];

impl Phase {
    /// The position.
    pub fn position(&self) -> Position {
        parse_fen(self.fen, Rules::STANDARD.board).expect("a FEN of the list above")
    }

    /// A game that begins with the position.
    pub fn game(&self) -> Game {
        Game::from_position(Rules::STANDARD, self.position())
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

//! Boards, positions and moves.

use crate::rules::{Capture, Chain, Opening, Rules};

/// The points of a set, one bit each, from the lowest.
pub fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// A rule set on its board. A set of points is a word with bit `long * row + column`, where rows run along the longer
/// side: on boards with more ranks than columns a row here is a file. Lines are the same in both directions, so moves
/// need not know.
pub struct Game {
    pub rules: Rules,
    pub long: usize,
    pub points: usize,
    pub all: u64,
    /// For each of the eight directions the points from which a line goes on. Direction `7 - d` is the opposite of `d`.
    from: [u64; 8],
    by: [usize; 8],
    /// For each reflection and rotation the new place of every point.
    symmetries: Vec<Vec<usize>>,
}

/// A position, with the stones of the player to move first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Stones {
    pub mover: u64,
    pub other: u64,
}

/// A move: the origin and the end as sets of one point, and what it captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Turn {
    pub origin: u64,
    pub end: u64,
    pub captured: u64,
}

impl Turn {
    /// The position after the move, for the other player to move.
    pub fn play(&self, stones: Stones) -> Stones {
        Stones { mover: stones.other & !self.captured, other: stones.mover & !self.origin | self.end }
    }
}

/// How the player to move may move.
#[derive(Clone, Copy)]
pub struct Manner {
    pub must_capture: bool,
    pub chain: Chain,
}

/// A capturing turn that is not complete.
struct Chained {
    turn: Turn,
    direction: usize,
    /// Where the stone has been.
    visited: u64,
    /// The stones of the player, without the one that moves.
    own: u64,
    other: u64,
}

impl Game {
    pub fn new(rules: Rules) -> Game {
        let (long, short) = (rules.columns.max(rules.ranks), rules.columns.min(rules.ranks));
        let ways = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        let mut from = [0; 8];
        for (d, (right, up)) in ways.into_iter().enumerate() {
            for (row, column) in (0..short).flat_map(|row| (0..long).map(move |column| (row, column))) {
                let strong = (row + column) % 2 == 0;
                let inside = column.checked_add_signed(right).is_some_and(|c| c < long)
                    && row.checked_add_signed(up).is_some_and(|r| r < short);
                if inside && (strong || right == 0 || up == 0) {
                    from[d] |= 1 << (row * long + column);
                }
            }
        }
        let by = ways.map(|(right, up)| (up * long as isize + right).unsigned_abs());
        let mut symmetries = Vec::new();
        for image in 0..if long == short { 8 } else { 4 } {
            let place = |point: usize| {
                let (mut row, mut column) = (point / long, point % long);
                if image & 1 != 0 {
                    column = long - 1 - column;
                }
                if image & 2 != 0 {
                    row = short - 1 - row;
                }
                if image & 4 != 0 { column * long + row } else { row * long + column }
            };
            symmetries.push((0..long * short).map(place).collect());
        }
        Game { rules, long, points: long * short, all: (1 << (long * short)) - 1, from, by, symmetries }
    }

    /// The neighbours of the points of a set in one direction.
    pub fn shift(&self, set: u64, direction: usize) -> u64 {
        let set = set & self.from[direction];
        if direction < 4 { set >> self.by[direction] } else { set << self.by[direction] }
    }

    /// The unbroken line of `stones` that begins behind `point`.
    fn line(&self, mut point: u64, direction: usize, stones: u64) -> u64 {
        let mut line = 0;
        loop {
            point = self.shift(point, direction) & stones;
            if point == 0 {
                return line;
            }
            line |= point;
        }
    }

    /// `first`: whether this is the first turn of the player to move.
    pub fn manner(&self, first: bool, black: bool) -> Manner {
        let single = match self.rules.opening {
            Opening::Free => false,
            Opening::First => first && !black,
            Opening::Both => first,
        };
        Manner {
            must_capture: match self.rules.capture {
                Capture::Forced => true,
                Capture::Opening => first && !black,
                Capture::Free => false,
            },
            chain: if single { Chain::Single } else { self.rules.chain },
        }
    }

    /// The stones that can step in a direction: those that capture, and the others.
    fn steps(&self, stones: Stones, direction: usize) -> (u64, u64) {
        let Stones { mover, other } = stones;
        let back = 7 - direction;
        let able = mover & self.shift(self.all & !(mover | other), back);
        let ahead = self.shift(self.shift(other, back), back);
        let capturing = able & (ahead | self.shift(other, direction));
        (capturing, able & !capturing)
    }

    pub fn can_move(&self, stones: Stones) -> bool {
        (0..8).any(|d| self.shift(stones.mover, d) & !(stones.mover | stones.other) != 0)
    }

    /// The number of moves that capture nothing, were they allowed.
    pub fn paikas(&self, stones: Stones) -> u32 {
        (0..8).map(|d| self.steps(stones, d).1.count_ones()).sum()
    }

    /// From where the player not to move can have come, without a capture, to be where it is: pairs of a point that a
    /// stone is on and the empty one that it was on.
    pub fn back(&self, stones: Stones, mut visit: impl FnMut(u64, u64)) {
        let Stones { mover, other } = stones;
        let empty = self.all & !(mover | other);
        for direction in 0..8 {
            let back = 7 - direction;
            // No stone was in line with the step, or it would have captured.
            let in_line = self.shift(mover, back) | self.shift(self.shift(mover, direction), direction);
            for end in bits(other & self.shift(empty, direction) & !in_line) {
                visit(end, self.shift(end, back));
            }
        }
    }

    /// Visits every capturing turn, path by path, until a visit returns true.
    pub fn captures(&self, stones: Stones, manner: Manner, visit: &mut impl FnMut(Turn) -> bool) -> bool {
        for direction in 0..8 {
            for origin in bits(self.steps(stones, direction).0) {
                let turn = Turn { origin, end: origin, captured: 0 };
                let start =
                    Chained { turn, direction: 8, visited: origin, own: stones.mover & !origin, other: stones.other };
                if self.step(&start, direction, manner, visit) {
                    return true;
                }
            }
        }
        false
    }

    /// The capturing turns that go on from here by a step in one direction.
    fn step(&self, chain: &Chained, direction: usize, manner: Manner, visit: &mut impl FnMut(Turn) -> bool) -> bool {
        for captured in self.step_captures(chain, direction) {
            if captured == 0 {
                continue;
            }
            let end = self.shift(chain.turn.end, direction);
            let turn = Turn { end, captured: chain.turn.captured | captured, ..chain.turn };
            let next = Chained {
                turn,
                direction,
                visited: chain.visited | end,
                own: chain.own,
                other: chain.other & !captured,
            };
            let goes_on = |d: usize| self.step_captures(&next, d) != [0, 0];
            let may_stop = manner.chain != Chain::Full || !(0..8).any(goes_on);
            if may_stop && visit(turn) {
                return true;
            }
            if manner.chain != Chain::Single && (0..8).any(|d| self.step(&next, d, manner, visit)) {
                return true;
            }
        }
        false
    }

    /// What a step would capture by approach and by withdrawal.
    fn step_captures(&self, chain: &Chained, direction: usize) -> [u64; 2] {
        let at = chain.turn.end;
        let end = self.shift(at, direction) & !(chain.own | chain.other | chain.visited);
        if end == 0 || direction == chain.direction && !self.rules.any_direction {
            return [0, 0];
        }
        [self.line(end, direction, chain.other), self.line(at, 7 - direction, chain.other)]
    }

    /// Every legal turn; equal ones by different paths are there more than once.
    pub fn turns(&self, stones: Stones, manner: Manner) -> Vec<Turn> {
        let mut turns = Vec::new();
        if stones.mover == 0 || stones.other == 0 {
            return turns;
        }
        self.captures(stones, manner, &mut |turn| {
            turns.push(turn);
            false
        });
        if turns.is_empty() || !manner.must_capture {
            for direction in 0..8 {
                let paikas = bits(self.steps(stones, direction).1);
                turns.extend(paikas.map(|origin| Turn { origin, end: self.shift(origin, direction), captured: 0 }));
            }
        }
        turns
    }

    /// The image of a set under a symmetry.
    pub fn image(&self, set: u64, symmetry: usize) -> u64 {
        bits(set).map(|bit| 1 << self.symmetries[symmetry][bit.trailing_zeros() as usize]).sum()
    }

    pub fn symmetries(&self) -> std::ops::Range<usize> {
        0..self.symmetries.len()
    }

    /// A set as certificates have it, with ten bits a row.
    pub fn padded(&self, set: u64) -> u64 {
        bits(set).map(|bit| bit.trailing_zeros() as usize).map(|p| 1 << (p / self.long * 10 + p % self.long)).sum()
    }

    /// A set of points whose words are as certificates have them, with ten bits a row.
    pub fn read_set(&self, mut word: u64) -> Option<u64> {
        let mut set = 0;
        for row in 0..self.points / self.long {
            let stones = word & 0x3ff;
            if stones >> self.long != 0 {
                return None;
            }
            set |= stones << (row * self.long);
            word >>= 10;
        }
        (word == 0).then_some(set)
    }

    /// The point on a file and a rank, both from 0.
    fn point(&self, file: usize, rank: usize) -> usize {
        if self.rules.columns >= self.rules.ranks { rank * self.long + file } else { file * self.long + rank }
    }

    /// The point in words, such as `e3`.
    pub fn name(&self, point: u64) -> String {
        let point = point.trailing_zeros() as usize;
        let (row, column) = (point / self.long, point % self.long);
        let (file, rank) = if self.rules.columns >= self.rules.ranks { (column, row) } else { (row, column) };
        format!("{}{}", (b'a' + file as u8) as char, rank + 1)
    }

    /// The position in words.
    pub fn fen(&self, stones: Stones, black: bool, quiet: u32, number: u32) -> String {
        let (white, blacks) = if black { (stones.other, stones.mover) } else { (stones.mover, stones.other) };
        let mut rows = Vec::new();
        for rank in (0..self.rules.ranks).rev() {
            let mut row = String::new();
            for file in 0..self.rules.columns {
                let bit = 1 << self.point(file, rank);
                match (white & bit != 0, blacks & bit != 0) {
                    (true, _) => row.push('w'),
                    (_, true) => row.push('b'),
                    _ => match row.pop() {
                        Some(digit @ '1'..='8') => row.push((digit as u8 + 1) as char),
                        last => row.extend(last.into_iter().chain(['1'])),
                    },
                }
            }
            rows.push(row);
        }
        format!("{} {} {quiet} {number}", rows.join("/"), if black { 'b' } else { 'w' })
    }

    /// The stones, whether Black is to move, the plies since the last capture and the move number of a FEN with all
    /// its fields.
    pub fn parse(&self, fen: &str) -> Result<(Stones, bool, u32, u32), String> {
        let wrong = |what: &str| format!("the position '{}': {what}", fen.chars().take(100).collect::<String>());
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let [rows, side, quiet, number] = fields[..] else {
            return Err(wrong("four fields are expected"));
        };
        let (mut white, mut blacks) = (0, 0);
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != self.rules.ranks {
            return Err(wrong("the number of rows is wrong"));
        }
        for (rank, row) in rows.iter().rev().enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                let width = letter.to_digit(10).unwrap_or(1) as usize;
                if width == 0 || file + width > self.rules.columns {
                    return Err(wrong("a row has the wrong number of points"));
                }
                match letter {
                    'w' | 'W' => white |= 1 << self.point(file, rank),
                    'b' | 'B' => blacks |= 1 << self.point(file, rank),
                    '1'..='9' => {}
                    _ => return Err(wrong("a letter is unknown")),
                }
                file += width;
            }
            if file != self.rules.columns {
                return Err(wrong("a row has the wrong number of points"));
            }
        }
        let black = match side {
            "w" => false,
            "b" => true,
            _ => return Err(wrong("the side to move is neither w nor b")),
        };
        let quiet = quiet.parse().ok().filter(|&q| q <= 65535).ok_or_else(|| wrong("the plies are not a number"))?;
        let number = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| wrong("the move number is not a number"))?;
        let stones =
            if black { Stones { mover: blacks, other: white } } else { Stones { mover: white, other: blacks } };
        Ok((stones, black, quiet, number))
    }

    /// The number of sequences of turns, path by path.
    #[cfg(test)]
    pub fn perft(&self, stones: Stones, black: bool, first: bool, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let turns = self.turns(stones, self.manner(first, black));
        turns.iter().map(|turn| self.perft(turn.play(stones), !black, first && !black, depth - 1)).sum()
    }
}

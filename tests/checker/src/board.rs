//! Boards and moves. A set of points is a word with bit `10 * row + column`, as in certificates; rows run along the
//! longer side: on boards with more ranks than columns a row here is a file. Lines are the same in both directions, so
//! moves need not know.

use crate::rules::Rules;

/// The points of a set, one bit each, from the lowest.
pub fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// A rule set on its board.
pub struct Game {
    pub rules: Rules,
    pub all: u64,
    any_direction: bool,
    /// For each direction the points that have a line in it. Direction `7 - d` is the opposite of `d`.
    from: [u64; 8],
    /// For each reflection and rotation the new place of every point.
    pub symmetries: Vec<[u64; 49]>,
}

/// How far a step in each direction leads: its bit number becomes less in the first four, more in the others.
const BY: [u32; 8] = [11, 10, 9, 1, 1, 9, 10, 11];

/// The stones of the player to move, and of the other one.
#[derive(Clone, Copy)]
pub struct Stones {
    pub mover: u64,
    pub other: u64,
}

/// A move: the origin and the end as sets of one point, and what it captures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The word that a record has for the move.
    pub fn word(&self) -> u64 {
        let [origin, end] = [self.origin, self.end].map(|point| u64::from(point.trailing_zeros()));
        self.captured | origin << 49 | end << 55
    }
}

/// How the player to move may move: what `capture` and `chain` say about this turn.
#[derive(Clone, Copy)]
pub struct Manner {
    pub must_capture: bool,
    /// A turn is one step.
    single: bool,
    /// A capturing stone goes on as long as it can.
    full: bool,
}

/// A capturing turn that may go on.
struct Chain {
    turn: Turn,
    /// The direction of the last step; 8 before the first.
    direction: usize,
    /// Where the stone has been, and the other stones of the player.
    closed: u64,
    other: u64,
}

impl Game {
    pub fn new(rules: Rules) -> Game {
        let (columns, ranks) = rules.board();
        let (long, short) = (columns.max(ranks), columns.min(ranks));
        let points = || (0..short).flat_map(|row| (0..long).map(move |column| (row, column)));
        let all = points().map(|(row, column)| 1 << (10 * row + column)).sum();
        let strong = bits(all).filter(|bit| (bit.trailing_zeros() / 10 + bit.trailing_zeros() % 10) % 2 == 0).sum();
        let symmetry = |image: usize| {
            let mut places = [0; 49];
            for (row, column) in points() {
                let to_column = if image & 1 != 0 { long - 1 - column } else { column };
                let to_row = if image & 2 != 0 { short - 1 - row } else { row };
                let place = if image & 4 != 0 { 10 * to_column + to_row } else { 10 * to_row + to_column };
                places[10 * row + column] = 1 << place;
            }
            places
        };
        Game {
            all,
            any_direction: rules.is("direction", "any"),
            from: [strong, all, strong, all, all, strong, all, strong],
            symmetries: (0..if long == short { 8 } else { 4 }).map(symmetry).collect(),
            rules,
        }
    }

    /// `special`: whether this is a first turn under special rules.
    pub fn manner(&self, special: bool, black: bool) -> Manner {
        let opening = special && !black && self.rules.is("capture", "opening");
        Manner {
            must_capture: opening || self.rules.is("capture", "forced"),
            single: special && !self.rules.is("opening", "free") || self.rules.is("chain", "single"),
            full: self.rules.is("chain", "full"),
        }
    }

    /// The neighbours of the points of a set in one direction.
    fn shift(&self, set: u64, direction: usize) -> u64 {
        let (set, by) = (set & self.from[direction], BY[direction]);
        (if direction < 4 { set >> by } else { set << by }) & self.all
    }

    /// The unbroken line of `stones` that begins behind `point`.
    fn line(&self, point: u64, direction: usize, stones: u64) -> u64 {
        let next = |&point: &u64| Some(self.shift(point, direction) & stones).filter(|&next| next != 0);
        std::iter::successors(next(&point), next).sum()
    }

    /// The stones that can step in a direction: those that capture, and the others.
    fn steps(&self, stones: Stones, direction: usize) -> [u64; 2] {
        let Stones { mover, other } = stones;
        let back = 7 - direction;
        let able = mover & self.shift(self.all & !(mover | other), back);
        let ahead = self.shift(self.shift(other, back), back);
        let capturing = able & (ahead | self.shift(other, direction));
        [capturing, able & !capturing]
    }

    pub fn can_move(&self, stones: Stones) -> bool {
        (0..8).any(|direction| self.steps(stones, direction) != [0, 0])
    }

    /// The moves that capture nothing, were they allowed.
    pub fn paikas(&self, stones: Stones) -> impl Iterator<Item = Turn> {
        let turn = move |direction, origin| Turn { origin, end: self.shift(origin, direction), captured: 0 };
        (0..8).flat_map(move |d| bits(self.steps(stones, d)[1]).map(move |origin| turn(d, origin)))
    }

    /// Visits the positions from which a move without a capture has led here.
    pub fn before(&self, stones: Stones, mut visit: impl FnMut(Stones)) {
        let Stones { mover, other } = stones;
        let empty = self.all & !(mover | other);
        for direction in 0..8 {
            let back = 7 - direction;
            // No stone was in line with the step, or it would have captured.
            let in_line = self.shift(mover, back) | self.shift(self.shift(mover, direction), direction);
            for end in bits(other & self.shift(empty, direction) & !in_line) {
                visit(Stones { mover: other ^ end ^ self.shift(end, back), other: mover });
            }
        }
    }

    /// Visits every capturing turn, path by path, until a visit returns true.
    pub fn captures(&self, stones: Stones, manner: Manner, visit: &mut impl FnMut(Turn) -> bool) -> bool {
        (0..8).any(|direction| {
            bits(self.steps(stones, direction)[0]).any(|origin| {
                let turn = Turn { origin, end: origin, captured: 0 };
                let start = Chain { turn, direction: 8, closed: stones.mover, other: stones.other };
                self.step(&start, direction, manner, visit)
            })
        })
    }

    /// The capturing turns that go on from here by a step in one direction.
    fn step(&self, chain: &Chain, direction: usize, manner: Manner, visit: &mut impl FnMut(Turn) -> bool) -> bool {
        self.step_captures(chain, direction).into_iter().filter(|captured| *captured != 0).any(|captured| {
            let end = self.shift(chain.turn.end, direction);
            let turn = Turn { end, captured: chain.turn.captured | captured, ..chain.turn };
            let next = Chain { turn, direction, closed: chain.closed | end, other: chain.other & !captured };
            let must_go_on = !manner.single && manner.full && (0..8).any(|d| self.step_captures(&next, d) != [0, 0]);
            !must_go_on && visit(turn) || !manner.single && (0..8).any(|d| self.step(&next, d, manner, visit))
        })
    }

    /// What a step would capture by approach and by withdrawal.
    fn step_captures(&self, chain: &Chain, direction: usize) -> [u64; 2] {
        let at = chain.turn.end;
        let end = self.shift(at, direction) & !(chain.closed | chain.other);
        if end == 0 || direction == chain.direction && !self.any_direction {
            return [0, 0];
        }
        [self.line(end, direction, chain.other), self.line(at, 7 - direction, chain.other)]
    }

    /// Every legal turn; equal ones by different paths are there more than once.
    pub fn turns(&self, stones: Stones, manner: Manner) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.captures(stones, manner, &mut |turn| {
            turns.push(turn);
            false
        });
        if stones.other != 0 && (turns.is_empty() || !manner.must_capture) {
            turns.extend(self.paikas(stones));
        }
        turns
    }
}

//! Tables of every position with few stones, by retrograde analysis.
//!
//! First every position is judged by its captures, which lead to tables with fewer stones. What they do not decide stays
//! open, with the number of its moves that capture nothing. Then, for one distance after the other, each position that
//! was decided there tells those one move earlier: if the player to move has lost, they are won; if it has won, they have
//! one move less that may hold, and without any left they are lost. What is open in the end is a draw.

use crate::board::{Game, Manner, Stones, bits};
use crate::rules::Rules;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

/// The outcome for the player to move, with the plies to the next capture or the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Win(u8),
    Draw,
    Loss(u8),
}

/// One byte a position: 0 is a draw, then come the wins, the losses and the open positions with the number of moves that
/// may still hold.
const FARTHEST: u8 = 100;
const LOSS: u8 = FARTHEST + 1;
const OPEN: u8 = LOSS + FARTHEST;
/// Open, and not to be lost.
const HOLDS: u8 = u8::MAX;

fn byte(value: Value) -> u8 {
    match value {
        Value::Draw => 0,
        Value::Win(plies) => plies,
        Value::Loss(plies) => LOSS + plies,
    }
}

fn value(byte: u8) -> Value {
    match byte {
        1..LOSS => Value::Win(byte),
        LOSS..=OPEN => Value::Loss(byte - LOSS),
        _ => Value::Draw,
    }
}

/// The positions with the same number of stones. They are ordered by the set of the side with fewer stones (of the player
/// to move if both have as many), then by the set of the other side among the points that are left: then a move of the
/// side with more stones stays within a short piece of the table.
pub struct Slice {
    game: std::sync::Arc<Game>,
    mover: u32,
    other: u32,
    choose: Choose,
    values: Vec<AtomicU8>,
}

/// Binomial coefficients: `[n][k]`.
type Choose = Vec<[usize; 46]>;

fn choose() -> Choose {
    let mut table = vec![[0; 46]; 46];
    for n in 0..46 {
        table[n][0] = 1;
        for k in 1..=n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
        }
    }
    table
}

/// All sets of `count` of the first `points` bits, in increasing order.
fn sets(points: usize, count: u32) -> Vec<u64> {
    let mut sets = Vec::new();
    let mut set: u64 = (1 << count) - 1;
    while set < 1 << points {
        sets.push(set);
        // The next larger number with as many bits.
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        set = ripple | (((set ^ ripple) / low) >> 2);
    }
    sets
}

/// Moves the bits of a set apart, so that none is at a place of `taken`, and back.
fn spread(mut set: u64, taken: u64) -> u64 {
    for bit in bits(taken) {
        set = set & (bit - 1) | (set & !(bit - 1)) << 1;
    }
    set
}

fn squeeze(mut set: u64, mut taken: u64) -> u64 {
    while taken != 0 {
        let below = (1 << taken.ilog2()) - 1;
        set = set & below | set >> 1 & !below;
        taken &= below;
    }
    set
}

impl Slice {
    fn new(game: &std::sync::Arc<Game>, mover: u32, other: u32) -> Slice {
        let choose = choose();
        let (fewer, more) = (mover.min(other) as usize, mover.max(other) as usize);
        let count = choose[game.points][fewer] * choose[game.points - fewer][more];
        let values = (0..count).map(|_| AtomicU8::new(0)).collect();
        Slice { game: game.clone(), mover, other, choose, values }
    }

    fn rank(&self, set: u64) -> usize {
        bits(set).zip(1..).map(|(bit, k)| self.choose[bit.trailing_zeros() as usize][k]).sum()
    }

    /// The number of positions with the same set of the side with fewer stones.
    fn block(&self) -> usize {
        let (fewer, more) = (self.mover.min(self.other) as usize, self.mover.max(self.other) as usize);
        self.choose[self.game.points - fewer][more]
    }

    fn index(&self, stones: Stones) -> usize {
        let Stones { mover, other } = stones;
        let (first, second) = if self.mover <= self.other { (mover, other) } else { (other, mover) };
        self.rank(first) * self.block() + self.rank(squeeze(second, first))
    }

    fn stones(&self, first: u64, second: u64) -> Stones {
        let second = spread(second, first);
        if self.mover <= self.other {
            Stones { mover: first, other: second }
        } else {
            Stones { mover: second, other: first }
        }
    }

    fn get(&self, stones: Stones) -> u8 {
        self.values[self.index(stones)].load(Relaxed)
    }

    pub fn name(&self) -> String {
        format!("{}v{}", self.mover, self.other)
    }

    /// The numbers of wins, draws and losses, and the longest distance.
    pub fn count(&self) -> ([usize; 3], u8) {
        let (mut counts, mut longest) = ([0; 3], 0);
        let mut bytes = [0; 256];
        for byte in &self.values {
            bytes[byte.load(Relaxed) as usize] += 1;
        }
        for (byte, count) in (0..=255).zip(bytes).filter(|(_, count)| *count > 0) {
            let (outcome, plies) = match value(byte) {
                Value::Win(plies) => (0, plies),
                Value::Draw => (1, 0),
                Value::Loss(plies) => (2, plies),
            };
            counts[outcome] += count;
            longest = longest.max(plies);
        }
        (counts, longest)
    }

    /// A random position with its value, and the next state of the generator (splitmix64).
    pub fn random(&self, state: &mut u64) -> (Stones, Value) {
        let mut below = |limit: usize| {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ mixed >> 31) % limit as u64) as usize
        };
        let mut place = |stones: &mut u64, taken: u64| loop {
            let bit = 1 << below(self.game.points);
            if (*stones | taken) & bit == 0 {
                *stones |= bit;
                return;
            }
        };
        let mut stones = Stones { mover: 0, other: 0 };
        (0..self.mover).for_each(|_| place(&mut stones.mover, 0));
        (0..self.other).for_each(|_| place(&mut stones.other, stones.mover));
        (stones, value(self.get(stones)))
    }

    /// Visits every position in the order of the sets of the player to move, then of the other player.
    pub fn each(&self, mut visit: impl FnMut(Stones, Value) -> bool) -> bool {
        let seconds = sets(self.game.points - self.mover as usize, self.other);
        sets(self.game.points, self.mover).into_iter().all(|mover| {
            seconds.iter().all(|&second| {
                let stones = Stones { mover, other: spread(second, mover) };
                visit(stones, value(self.get(stones)))
            })
        })
    }
}

pub struct Tables {
    pub game: std::sync::Arc<Game>,
    pub stones: u32,
    manner: Manner,
    slices: HashMap<(u32, u32), Slice>,
}

impl Tables {
    /// `note` gets every slice once it is complete.
    pub fn build(
        rules: Rules,
        stones: u32,
        threads: usize,
        memory: usize,
        mut note: impl FnMut(&Slice),
    ) -> Result<Tables, String> {
        let game = std::sync::Arc::new(Game::new(rules.of_tables()));
        if !(2..=game.points).contains(&(stones as usize)) {
            return Err(format!("there are no tables of {stones} stones on {} points", game.points));
        }
        let choose = choose();
        let sides = (2..=stones).map(|sum| choose[game.points][sum as usize] as f64 * (2f64.powi(sum as i32) - 2.0));
        let bytes = sides.sum::<f64>();
        if bytes > memory as f64 * 1e6 {
            return Err(format!("tables of {stones} stones need {:.0} MB, more than --memory {memory}", bytes / 1e6));
        }
        let manner = game.manner(false, false);
        let mut tables = Tables { game, stones, manner, slices: HashMap::new() };
        for (fewer, more) in tables.pairs() {
            let mut pair = vec![Slice::new(&tables.game, fewer, more)];
            if fewer < more {
                pair.push(Slice::new(&tables.game, more, fewer));
            }
            tables.solve(&pair, threads)?;
            for slice in pair {
                note(&slice);
                tables.slices.insert((slice.mover, slice.other), slice);
            }
        }
        Ok(tables)
    }

    /// The numbers of stones of both sides, the smaller one first, in the order in which they are solved and listed.
    fn pairs(&self) -> Vec<(u32, u32)> {
        (2..=self.stones).flat_map(|sum| (1..=sum / 2).rev().map(move |fewer| (fewer, sum - fewer))).collect()
    }

    /// All slices, in the order of `vato tablebase info`.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        let both = |(a, b): (u32, u32)| [(a, b), (b, a)].into_iter().take(if a == b { 1 } else { 2 });
        self.pairs().into_iter().flat_map(both).map(|key| &self.slices[&key])
    }

    /// The value of a position with stones of both sides, if it is in the tables.
    pub fn value(&self, stones: Stones) -> Option<Value> {
        let slice = self.slices.get(&(stones.mover.count_ones(), stones.other.count_ones()))?;
        Some(value(slice.get(stones)))
    }

    /// Solves the slices of two numbers of stones, of which a move that captures nothing leads from one to the other.
    fn solve(&self, pair: &[Slice], threads: usize) -> Result<(), String> {
        let firsts = sets(self.game.points, pair[0].mover);
        let seconds = sets(self.game.points - pair[0].mover as usize, pair[0].other);
        let too_many = AtomicBool::new(false);
        let each_block = |visit: &(dyn Fn(&Slice, u64, &[AtomicU8]) + Sync)| {
            for slice in pair {
                let next = AtomicUsize::new(0);
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| {
                            while let Some(&first) = firsts.get(next.fetch_add(1, Relaxed)) {
                                let start = slice.rank(first) * seconds.len();
                                visit(slice, first, &slice.values[start..start + seconds.len()]);
                            }
                        });
                    }
                });
            }
        };
        each_block(&|slice, first, values| {
            for (&second, value) in seconds.iter().zip(values) {
                match self.by_captures(slice.stones(first, second)) {
                    Some(byte) => value.store(byte, Relaxed),
                    None => too_many.store(true, Relaxed),
                }
            }
        });
        for plies in 0..=FARTHEST {
            let found = AtomicBool::new(false);
            each_block(&|slice, first, values| {
                let before = if slice.mover == pair[0].mover { &pair[pair.len() - 1] } else { &pair[0] };
                for (&second, value) in seconds.iter().zip(values) {
                    let value = value.load(Relaxed);
                    let lost = value == LOSS + plies;
                    if !lost && (value != plies || plies == 0) {
                        continue;
                    }
                    found.store(true, Relaxed);
                    let stones = slice.stones(first, second);
                    self.game.back(stones, |end, origin| {
                        let earlier = Stones { mover: stones.other ^ end ^ origin, other: stones.mover };
                        tell(&before.values[before.index(earlier)], lost, plies + 1, &too_many);
                    });
                }
            });
            if !found.load(Relaxed) && plies > 0 {
                break;
            }
        }
        if too_many.load(Relaxed) {
            return Err("too many stones: a distance or a number of moves does not fit into a byte".to_string());
        }
        each_block(&|_, _, values| {
            for value in values.iter().filter(|value| value.load(Relaxed) > OPEN) {
                value.store(0, Relaxed);
            }
        });
        Ok(())
    }

    /// What the captures say about a position, as a byte; none if it has too many moves.
    fn by_captures(&self, stones: Stones) -> Option<u8> {
        let (mut captures, mut draws) = (false, false);
        let wins = self.game.captures(stones, self.manner, &mut |turn| {
            captures = true;
            let next = turn.play(stones);
            let value = if next.mover == 0 {
                Value::Loss(0)
            } else {
                self.value(next).expect("fewer stones are solved before")
            };
            draws |= value == Value::Draw;
            matches!(value, Value::Loss(_))
        });
        if wins {
            return Some(byte(Value::Win(1)));
        }
        if captures && self.manner.must_capture {
            return Some(byte(if draws { Value::Draw } else { Value::Loss(1) }));
        }
        let paikas = self.game.paikas(stones);
        match (paikas, captures, draws) {
            (0, false, _) => Some(byte(if self.game.rules.blocked_draws { Value::Draw } else { Value::Loss(0) })),
            (0, true, _) => Some(byte(if draws { Value::Draw } else { Value::Loss(1) })),
            (_, _, true) => Some(HOLDS),
            (1.., _, _) => u8::try_from(paikas).ok().filter(|&n| n < HOLDS - OPEN).map(|n| OPEN + n),
        }
    }
}

/// Tells a position that one of its moves leads to a position that is decided in one ply less than `plies`: lost or won
/// for the player to move there.
fn tell(value: &AtomicU8, lost: bool, plies: u8, too_far: &AtomicBool) {
    let _ = value.fetch_update(Relaxed, Relaxed, |byte| {
        let decided = match byte {
            ..=OPEN => return None,
            _ if lost => plies,
            HOLDS => return None,
            _ if byte == OPEN + 1 => LOSS + plies,
            _ => return Some(byte - 1),
        };
        if plies > FARTHEST {
            too_far.store(true, Relaxed);
            return None;
        }
        Some(decided)
    });
}

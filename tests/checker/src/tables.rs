//! Tables of every position with few stones, by retrograde analysis.
//!
//! First every position is judged by its captures, which lead to tables with fewer stones. What they do not decide
//! stays open, with the number of its moves that capture nothing. Then, for one distance after the other, each position
//! decided there tells those one move earlier: if the player to move has lost, they are won; if it has won, they have
//! one move less that may hold, and without any left they are lost. What is open in the end is a draw.

use crate::board::{Game, Manner, Stones, bits};
use crate::rules::Rules;
use sha2::{Digest, Sha256};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};

/// The value of a position for the player to move is a byte, as in `vato tablebase dump`: 0 for a draw, the plies to
/// the next capture or the end of the game for a win, and `LOST` more for a loss.
pub const LOST: u8 = 128;

/// While a slice is solved, a byte is 0, the plies to a win, `LOSS` and the plies to a loss, or `OPEN` and the number
/// of moves that may still hold.
const FARTHEST: u8 = 100;
const LOSS: u8 = FARTHEST + 1;
const OPEN: u8 = LOSS + FARTHEST;
/// Open, and not to be lost.
const HOLDS: u8 = u8::MAX;

/// The positions with the same number of stones, in the order of the sets of the player to move, then of the other one.
pub struct Slice {
    mover: u32,
    other: u32,
    pub values: Vec<AtomicU8>,
    pub longest: u8,
}

impl Slice {
    pub fn name(&self) -> String {
        format!("{}v{}", self.mover, self.other)
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.values.iter().map(|byte| byte.load(Relaxed)).collect()
    }

    /// Gives the bytes the form that they have in the end.
    fn finish(&mut self) {
        for byte in &mut self.values {
            let byte = byte.get_mut();
            *byte = match *byte {
                LOSS..=OPEN => *byte - LOSS + LOST,
                ..LOSS => *byte,
                _ => 0,
            };
            self.longest = self.longest.max(*byte & 127);
        }
    }
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All sets of `count` of some points, in increasing order.
fn sets(among: u64, count: u32) -> impl Iterator<Item = u64> {
    let lowest = move |count| bits(among).take(count as usize).sum::<u64>();
    std::iter::successors(Some(lowest(count)), move |&set| {
        // The lowest run of stones: one goes to the free point above, the others to the lowest points.
        let moved = (set | !among).wrapping_add(set & set.wrapping_neg()) & among;
        (moved > set).then(|| moved | lowest((set & !moved).count_ones() - 1))
    })
}

pub struct Tables {
    pub game: Game,
    pub stones: u32,
    manner: Manner,
    /// Binomial coefficients: `[n][k]`.
    choose: Vec<[usize; 46]>,
    /// The slices in the order in which they are solved, which is that of `vato tablebase info`.
    pub slices: Vec<Slice>,
}

impl Tables {
    /// Solves all positions of up to so many stones.
    pub fn solve(rules: Rules, stones: u32) -> Result<Tables, String> {
        let game = Game::new(rules);
        let points = game.all.count_ones();
        let mut choose = vec![[0; 46]; 46];
        for n in 0..46 {
            for k in 0..=n {
                choose[n][k] = if k == 0 { 1 } else { choose[n - 1][k - 1] + choose[n - 1][k] };
            }
        }
        let manner = game.manner(false, false);
        let mut tables = Tables { game, stones, manner, choose, slices: Vec::new() };
        let fits = |sum: &u32| tables.choose[points as usize][*sum as usize] as f64 * 2f64.powi(*sum as i32) < 6e9;
        if !(2..=points).contains(&stones) || !(2..=stones).all(|sum| fits(&sum)) {
            return Err(format!("there is no room for tables of {stones} stones on {points} points"));
        }
        for (sum, fewer) in (2..=stones).flat_map(|sum| (1..=sum / 2).rev().map(move |fewer| (sum, fewer))) {
            let pair = [[fewer, sum - fewer], [sum - fewer, fewer]];
            let slices = pair[..if 2 * fewer == sum { 1 } else { 2 }].iter().map(|&[mover, other]| {
                let values = (0..tables.block(mover, 0) * tables.block(other, mover)).map(|_| AtomicU8::new(0));
                Slice { mover, other, values: values.collect(), longest: 0 }
            });
            let mut slices: Vec<Slice> = slices.collect();
            tables.solve_pair(&slices);
            slices.iter_mut().for_each(Slice::finish);
            tables.slices.extend(slices);
        }
        Ok(tables)
    }

    /// The digest that certificates have.
    pub fn digest(&self) -> String {
        let slices = self.slices.iter().map(|slice| format!("{} {}\n", slice.name(), slice.longest));
        sha256(format!("{}\n{}", self.game.rules.text(), slices.collect::<String>()).as_bytes())
    }

    /// The value of a position, if it is in the tables.
    pub fn value(&self, stones: Stones) -> Option<u8> {
        let numbers = [stones.mover.count_ones(), stones.other.count_ones()];
        let slice = self.slices.iter().find(|slice| [slice.mover, slice.other] == numbers)?;
        Some(slice.values[self.index(stones)].load(Relaxed))
    }

    fn index(&self, stones: Stones) -> usize {
        let Stones { mover, other } = stones;
        let rank = |set, among: u64| -> usize {
            bits(set).zip(1..).map(|(bit, k)| self.choose[(among & (bit - 1)).count_ones() as usize][k]).sum()
        };
        let block = self.block(other.count_ones(), mover.count_ones());
        rank(mover, self.game.all) * block + rank(other, self.game.all & !mover)
    }

    /// The number of sets of stones beside so many others.
    fn block(&self, stones: u32, others: u32) -> usize {
        self.choose[(self.game.all.count_ones() - others) as usize][stones as usize]
    }

    /// Solves two slices, or one: a move that captures nothing exchanges the numbers of stones.
    fn solve_pair(&self, slices: &[Slice]) {
        // Visits the values of the positions with the same stones of the player to move.
        let each_block = |visit: &(dyn Fn(&Slice, u64, &[AtomicU8]) + Sync)| {
            for slice in slices {
                let blocks = slice.values.chunks(self.block(slice.other, slice.mover));
                let blocks = Mutex::new(sets(self.game.all, slice.mover).zip(blocks));
                let next = || blocks.lock().expect("no thread panics").next();
                let work = || {
                    while let Some((mover, values)) = next() {
                        visit(slice, mover, values);
                    }
                };
                let threads = available_parallelism().map_or(1, usize::from);
                scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
            }
        };
        each_block(&|slice, mover, values| {
            for (other, value) in sets(self.game.all & !mover, slice.other).zip(values) {
                value.store(self.by_captures(Stones { mover, other }), Relaxed);
            }
        });
        for plies in 0..=FARTHEST {
            let found = AtomicBool::new(false);
            each_block(&|slice, mover, values| {
                let earlier = slices.iter().find(|earlier| earlier.mover == slice.other).expect("it is in the pair");
                let decided = |value: &AtomicU8| {
                    let byte = value.load(Relaxed);
                    byte == LOSS + plies || byte == plies && plies > 0
                };
                if !values.iter().any(decided) {
                    return;
                }
                found.store(true, Relaxed);
                for (other, value) in sets(self.game.all & !mover, slice.other).zip(values) {
                    if decided(value) {
                        let lost = value.load(Relaxed) > FARTHEST;
                        self.game.before(Stones { mover, other }, |before| {
                            tell(&earlier.values[self.index(before)], lost, plies + 1);
                        });
                    }
                }
            });
            if !found.load(Relaxed) && plies > 0 {
                break;
            }
        }
    }

    /// What the captures say about a position, as a byte.
    fn by_captures(&self, stones: Stones) -> u8 {
        let (mut captures, mut draws) = (false, false);
        let wins = self.game.captures(stones, self.manner, &mut |turn| {
            captures = true;
            let next = turn.play(stones);
            let value = if next.mover == 0 { LOST } else { self.value(next).expect("it has fewer stones") };
            draws |= value == 0;
            value >= LOST
        });
        let paikas = self.game.paikas(stones).count();
        match (captures, draws) {
            _ if wins => 1,
            (false, _) if paikas == 0 && self.game.rules.is("blocked", "draw") => 0,
            (false, _) if paikas == 0 => LOSS,
            (true, true) if paikas == 0 || self.manner.must_capture => 0,
            (true, false) if paikas == 0 || self.manner.must_capture => LOSS + 1,
            (_, true) => HOLDS,
            _ => OPEN + u8::try_from(paikas).ok().filter(|&n| n < HOLDS - OPEN).expect("the moves fit into a byte"),
        }
    }
}

/// Tells a position that one of its moves leads to a position that is decided in one ply less than `plies`: lost or won
/// for the player to move there.
fn tell(value: &AtomicU8, lost: bool, plies: u8) {
    let change = |byte| match byte {
        ..=OPEN => None,
        _ if lost => Some(plies),
        HOLDS => None,
        _ if byte == OPEN + 1 => Some(LOSS + plies),
        _ => Some(byte - 1),
    };
    let changed = value.fetch_update(Relaxed, Relaxed, change);
    assert!(plies <= FARTHEST || changed.is_err(), "the distance has to fit into a byte");
}

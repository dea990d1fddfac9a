//! Tables of every position with few stones, by retrograde analysis.
//!
//! First every position is judged by its captures, which lead to tables with fewer stones. What they do not decide stays
//! open, with the number of its moves that capture nothing. Then, for one distance after the other, each position that
//! was decided there tells those one move earlier: if the player to move has lost, they are won; if it has won, they have
//! one move less that may hold, and without any left they are lost. What is open in the end is a draw.

use crate::board::{Game, Manner, Stones, bits};
use crate::rules::Rules;
use sha2::{Digest, Sha256};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};

/// The outcome for the player to move, with the plies to the next capture or the end of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Win(u8),
    Draw,
    Loss(u8),
}

/// While a slice is solved, a byte is 0, the plies to a win, `LOSS` and the plies to a loss, or `OPEN` and the number of
/// moves that may still hold.
const FARTHEST: u8 = 100;
const LOSS: u8 = FARTHEST + 1;
const OPEN: u8 = LOSS + FARTHEST;
/// Open, and not to be lost.
const HOLDS: u8 = u8::MAX;

/// The positions with the same number of stones, in the order of the sets of the player to move, then of the other one.
pub struct Slice {
    mover: u32,
    other: u32,
    /// When it is solved, 0 for a draw, the plies to a win, or 128 and the plies to a loss, as `vato tablebase dump` has it.
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
                LOSS..=OPEN => *byte - LOSS + 128,
                ..LOSS => *byte,
                _ => 0,
            };
            self.longest = self.longest.max(*byte & 127);
        }
    }
}

pub fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All sets of `count` of some points, in increasing order.
pub fn sets(among: u64, count: u32) -> impl Iterator<Item = u64> {
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
    /// The slices in the order in which they are solved and listed, those with exchanged numbers of stones together: a
    /// move that captures nothing leads from one to the other.
    pairs: Vec<Vec<Slice>>,
}

impl Tables {
    /// Solves all positions of up to so many stones.
    pub fn solve(rules: Rules, stones: u32) -> Result<Tables, String> {
        let game = Game::new(rules);
        let points = game.all.count_ones();
        let mut choose = vec![[0; 46]; 46];
        for n in 0..46 {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let manner = game.manner(false, false);
        let mut tables = Tables { game, stones, manner, choose, pairs: Vec::new() };
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
            tables.solve_pair(&slices)?;
            slices.iter_mut().for_each(Slice::finish);
            tables.pairs.push(slices);
        }
        Ok(tables)
    }

    /// All slices, in the order of `vato tablebase info`.
    pub fn slices(&self) -> impl Iterator<Item = &Slice> {
        self.pairs.iter().flatten()
    }

    /// The digest that certificates have.
    pub fn digest(&self) -> String {
        let slices = self.slices().map(|slice| format!("{} {}\n", slice.name(), slice.longest));
        hex(Sha256::digest(format!("{}\n{}", self.game.rules, slices.collect::<String>())))
    }

    /// The value of a position, if it is in the tables.
    pub fn value(&self, stones: Stones) -> Option<Value> {
        let numbers = [stones.mover.count_ones(), stones.other.count_ones()];
        let slice = self.slices().find(|slice| [slice.mover, slice.other] == numbers)?;
        Some(match slice.values[self.index(stones)].load(Relaxed) {
            0 => Value::Draw,
            byte @ ..128 => Value::Win(byte),
            byte => Value::Loss(byte - 128),
        })
    }

    /// The position at an index of a slice.
    pub fn position(&self, slice: &Slice, index: usize) -> Stones {
        let set = |among, count, number| sets(among, count).nth(number).expect("the index is within the slice");
        let block = self.block(slice.other, slice.mover);
        let mover = set(self.game.all, slice.mover, index / block);
        Stones { mover, other: set(self.game.all & !mover, slice.other, index % block) }
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

    /// Solves one or two slices.
    fn solve_pair(&self, slices: &[Slice]) -> Result<(), String> {
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
        let does_not_fit = AtomicBool::new(false);
        each_block(&|slice, mover, values| {
            for (other, value) in sets(self.game.all & !mover, slice.other).zip(values) {
                let byte = self.by_captures(Stones { mover, other });
                does_not_fit.fetch_or(byte.is_none(), Relaxed);
                value.store(byte.unwrap_or(0), Relaxed);
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
                            tell(&earlier.values[self.index(before)], lost, plies + 1, &does_not_fit);
                        });
                    }
                }
            });
            if !found.load(Relaxed) && plies > 0 {
                break;
            }
        }
        if does_not_fit.load(Relaxed) {
            return Err("too many stones: a distance or a number of moves does not fit into a byte".to_string());
        }
        Ok(())
    }

    /// What the captures say about a position, as a byte; none if it has too many moves.
    fn by_captures(&self, stones: Stones) -> Option<u8> {
        let (mut captures, mut draws) = (false, false);
        let wins = self.game.captures(stones, self.manner, &mut |turn| {
            captures = true;
            let next = turn.play(stones);
            let value = if next.mover == 0 { Value::Loss(0) } else { self.value(next).expect("it has fewer stones") };
            draws |= value == Value::Draw;
            matches!(value, Value::Loss(_))
        });
        let paikas = self.game.paikas(stones).count();
        Some(match (captures, draws) {
            _ if wins => 1,
            (false, _) if paikas == 0 && self.game.blocked_draws => 0,
            (false, _) if paikas == 0 => LOSS,
            (true, true) if paikas == 0 || self.manner.must_capture => 0,
            (true, false) if paikas == 0 || self.manner.must_capture => LOSS + 1,
            (_, true) => HOLDS,
            _ => OPEN + u8::try_from(paikas).ok().filter(|&paikas| paikas < HOLDS - OPEN)?,
        })
    }
}

/// Tells a position that one of its moves leads to a position that is decided in one ply less than `plies`: lost or won
/// for the player to move there.
fn tell(value: &AtomicU8, lost: bool, plies: u8, does_not_fit: &AtomicBool) {
    let _ = value.fetch_update(Relaxed, Relaxed, |byte| {
        let decided = match byte {
            ..=OPEN => return None,
            _ if lost => plies,
            HOLDS => return None,
            _ if byte == OPEN + 1 => LOSS + plies,
            _ => return Some(byte - 1),
        };
        does_not_fit.fetch_or(plies > FARTHEST, Relaxed);
        (plies <= FARTHEST).then_some(decided)
    });
}

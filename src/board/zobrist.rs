//! Zobrist keys (A. L. Zobrist, *A New Hashing Method with Application for Game Playing*, 1970),
//! made at compile time from a fixed seed, so that keys are the same in every build.

/// Keys of stones: `[side][lattice index]`. 64 entries a side keep indexing free of checks.
pub(super) const STONES: [[u64; 64]; 2] = TABLE.stones;
/// Added when Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = TABLE.black_to_move;
/// Added on a first turn whose moves differ from those of the same stones later in the game.
pub(crate) const FIRST_TURN_KEY: u64 = TABLE.first_turn;

struct Table {
    stones: [[u64; 64]; 2],
    black_to_move: u64,
    first_turn: u64,
}

const TABLE: Table = {
    let mut state = 0x5661_746f; // "Vato"
    let mut stones = [[0; 64]; 2];
    let mut side = 0;
    while side < 2 {
        let mut index = 0;
        while index < 64 {
            (state, stones[side][index]) = split_mix(state);
            index += 1;
        }
        side += 1;
    }
    let (state, black_to_move) = split_mix(state);
    let (_, first_turn) = split_mix(state);
    Table {
        stones,
        black_to_move,
        first_turn,
    }
};

/// One step of SplitMix64 (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*,
/// 2014): the next state and the number drawn.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

//! The values of tables, compared with those of the plainest solver there is: all positions in one map, gone through
//! again and again until nothing changes.

use std::collections::HashMap;
use std::thread;

use vato_engine::board::Position;
use vato_engine::rules::{Blocked, Rules, legal_moves};
use vato_engine::tablebase::{Slice, Tablebases, Value, Wdl};
use vato_solver::tables::verify;

use super::placements;
use super::set::{Set, positions};

/// What is known, by the stones of the side to move and those of the other side.
#[derive(Default)]
struct Known(HashMap<(u64, u64), Value>);

impl Known {
    fn key(position: &Position) -> (u64, u64) {
        (position.own().bits(), position.enemy().bits())
    }

    /// All positions with at most `stones` stones.
    fn solve(rules: &Rules, stones: u32) -> Known {
        let mut known = Known::default();
        for sum in 2..=stones {
            let mut open: Vec<Position> = Slice::all_up_to(stones, rules.board)
                .filter(|slice| slice.stones() == sum)
                .flat_map(|slice| placements::positions(rules, slice))
                .collect();
            // Whatever is decided in a round takes as many plies as there were rounds before.
            for plies in 0.. {
                let mut decided = Vec::new();
                open.retain(|position| match known.look(rules, position, plies) {
                    Some(value) => {
                        decided.push((Known::key(position), value));
                        false
                    }
                    None => true,
                });
                if decided.is_empty() && plies > 0 {
                    break;
                }
                known.0.extend(decided);
            }
            let drawn = open
                .iter()
                .map(|position| (Known::key(position), Value::DRAW));
            known.0.extend(drawn);
        }
        known
    }

    /// Whether a position is decided in `plies` plies, everything that takes fewer being known.
    fn look(&self, rules: &Rules, position: &Position, plies: u32) -> Option<Value> {
        let moves = legal_moves(rules, position);
        if moves.is_empty() {
            let wdl = match rules.blocked {
                Blocked::Loss => Wdl::Loss,
                Blocked::Draw | Blocked::Pass => Wdl::Draw,
            };
            return Some(Value { wdl, plies: 0 });
        }
        if plies == 0 {
            return None;
        }
        let after = |mv| {
            let after = position.play(mv);
            match after.own().is_empty() {
                true => Some(Wdl::Loss),
                false => self.0.get(&Known::key(&after)).map(|value| value.wdl),
            }
        };
        let outcomes: Vec<Option<Wdl>> = moves.iter().map(|&mv| after(mv)).collect();
        if outcomes.contains(&Some(Wdl::Loss)) {
            let wdl = Wdl::Win;
            return Some(Value { wdl, plies });
        }
        let loses = outcomes.iter().all(|&outcome| outcome == Some(Wdl::Win));
        let wdl = Wdl::Loss;
        loses.then_some(Value { wdl, plies })
    }
}

fn compare(known: &Known, tables: &Tablebases, rules: &Rules, stones: u32) {
    let mut compared = 0;
    let infos = vato_solver::tables::info(tables);
    for slice in Slice::all_up_to(stones, rules.board) {
        let mut counts = [0; 3];
        for position in placements::positions(rules, slice) {
            let expected = known.0[&Known::key(&position)];
            assert_eq!(
                tables.value(&position),
                Some(expected),
                "{rules}: {position:?}"
            );
            assert_eq!(tables.outcome(&position), Some(expected.wdl));
            counts[expected.wdl as usize] += 1;
            compared += 1;
        }
        if let Some(info) = infos.iter().find(|info| info.slice == slice) {
            let listed = [info.losses, info.draws, info.wins];
            assert_eq!(listed, counts, "{rules}: {slice}");
        }
    }
    assert_eq!(compared, known.0.len());
}

/// All rules of movement, on boards that can be gone through, from files and as they are solved in memory.
#[test]
fn a_plain_solver_finds_the_same() {
    for (board, stones) in [("3x3", 9), ("5x3", 4), ("3x7", 3), ("5x5", 3)] {
        for movement in [
            "",
            "capture=free",
            "chain=full blocked=draw",
            "chain=single direction=any capture=free",
            "direction=any capture=free blocked=draw",
        ] {
            let set = Set::build(&format!("board={board} {movement}"), stones);
            let rules = set.rules();
            let known = Known::solve(&rules, stones);
            let files = set.open();
            compare(&known, &files, &rules, stones);
            let solved = Tablebases::solve(&rules, stones, 1 << 20, &|| true).expect("tables");
            compare(&known, &solved, &rules, stones);
            assert_eq!(
                (solved.stones(), solved.longest()),
                (stones, files.longest())
            );
        }
    }
}

/// Values of larger tables follow from those one move later. More ranks than files: the board lies on its side within
/// the program. The other rules and boards in the program are checked with it.
#[test]
fn larger_tables_are_right() {
    for (rules, stones) in [("board=5x9", 4), ("board=5x3", 6)] {
        let tables = Set::build(rules, stones).open();
        let verification = verify(&tables, None, &|_| {});
        assert_eq!(verification.wrong, 0, "{:?}", verification.differences);
    }
}

/// Threads that look up at the same time, each beginning elsewhere: how much memory there is for unpacked blocks, from
/// nothing at all to all of them, changes nothing but the time that look-ups take.
#[test]
fn look_ups_do_not_depend_on_memory() {
    let set = Set::build("dimy", 4);
    let all = positions(&set.rules(), 4);
    let mut sample: Vec<&Position> = all.iter().step_by(37).collect();
    // Blocks come and go.
    sample.sort_by_key(|position| position.key().wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let tables = set.open();
    let expected: Vec<Option<Value>> = sample.iter().map(|one| tables.value(one)).collect();
    assert!(expected.iter().all(Option::is_some));
    for cache_bytes in [0, 1, 1_000, 20_000, 200_000, 64 << 20] {
        let tables = set.try_open(cache_bytes).expect("whole files");
        thread::scope(|scope| {
            for number in 0..4 {
                let (tables, sample, expected) = (&tables, &sample, &expected);
                scope.spawn(move || {
                    let start = number * sample.len() / 4;
                    for place in (start..sample.len()).chain(0..start) {
                        let value = tables.value(sample[place]);
                        assert_eq!(value, expected[place], "{:?}", sample[place]);
                    }
                });
            }
        });
        assert!(tables.complaints().is_empty());
    }
}

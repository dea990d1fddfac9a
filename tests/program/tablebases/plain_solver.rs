//! The tables compared with the plainest solver there is: all positions in one map, gone through again and
//! again until nothing changes.

use std::collections::HashMap;

use vato_engine::board::Position;
use vato_engine::rules::{Blocked, Rules, legal_moves};
use vato_engine::tablebase::{Tablebases, Value, Wdl};

use super::placements::positions;
use super::set::{Set, slices};

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
            let mut open: Vec<Position> = slices(rules, stones)
                .into_iter()
                .filter(|slice| slice.stones() == sum)
                .flat_map(|slice| positions(rules, slice))
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
            known.0.extend(drawn.collect::<Vec<_>>());
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
            return Some(Value {
                wdl: Wdl::Win,
                plies,
            });
        }
        let loses = outcomes.iter().all(|&outcome| outcome == Some(Wdl::Win));
        loses.then_some(Value {
            wdl: Wdl::Loss,
            plies,
        })
    }
}

fn compare(known: &Known, tables: &Tablebases, rules: &Rules, stones: u32) {
    let mut compared = 0;
    for slice in slices(rules, stones) {
        let mut counts = [0; 3];
        for position in positions(rules, slice) {
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
        let info = vato_solver::tables::info(tables)
            .into_iter()
            .find(|info| info.slice == slice);
        if let Some(info) = info {
            assert_eq!(
                [info.losses, info.draws, info.wins],
                counts,
                "{rules}: {slice}"
            );
        }
    }
    assert_eq!(compared, known.0.len());
}

/// All rules of movement, on boards that can be gone through.
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
            compare(&known, &set.open(), &rules, stones);
        }
    }
}

/// Tables that are solved in memory are the same as those in files.
#[test]
fn the_tables_in_memory_are_the_same() {
    for rules in ["telo", "board=3x3 capture=free blocked=draw"] {
        let set = Set::build(rules, 4);
        let rules = set.rules();
        let tables = Tablebases::solve(&rules, 4, 1 << 20, &|| true).expect("there are tables");
        compare(&Known::solve(&rules, 4), &tables, &rules, 4);
        assert_eq!(tables.stones(), 4);
        assert_eq!(tables.longest(), set.open().longest());
    }
}

//! Looking positions up: random ones, from tables whose blocks have all been read before.
//!
//! `VATO_TABLEBASES` names a folder of tables; without it the built-in ones serve. The positions have
//! as many stones as the largest slices, and each slice is met as often as its share of all positions
//! says. `cargo bench --bench tablebase` prints probes a second.

use std::path::PathBuf;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use vato_engine::board::{Bitboard, Point, Position};
use vato_engine::rules::{Rules, has_capture};
use vato_engine::tablebase::{TableFolders, TableRules, Tablebases};

fn main() {
    divan::main();
}

/// Probes in one sample.
const POSITIONS: usize = 100_000;

fn tables() -> Tablebases {
    let folders: Vec<PathBuf> = std::env::var_os("VATO_TABLEBASES")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    // Caches every block, so that only probes are measured.
    let (tables, complaint) = Tablebases::for_play(
        &Rules::STANDARD,
        &TableFolders::of(folders),
        8 << 30,
        1,
        &|| true,
    )
    .expect("there are tables for the standard rules");
    assert!(complaint.is_none(), "{complaint:?}");
    tables
}

fn random_position(stones: u32, random: &mut SmallRng) -> Position {
    let mut points: Vec<Point> = Rules::STANDARD.board.points().into_iter().collect();
    points.shuffle(random);
    loop {
        let mut sides = [Bitboard::EMPTY; 2];
        for &point in &points[..stones as usize] {
            sides[usize::from(random.random::<bool>())] |= point.into();
        }
        if sides.iter().all(|side| !side.is_empty()) {
            return TableRules::position(sides[0], sides[1]);
        }
    }
}

/// Random positions of the largest slices that pass a test.
fn positions(tables: &Tablebases, wanted: impl Fn(&Position) -> bool) -> Vec<Position> {
    let mut random = SmallRng::seed_from_u64(7);
    std::iter::repeat_with(|| random_position(tables.stones(), &mut random))
        .filter(wanted)
        .take(POSITIONS)
        .collect()
}

fn look_up<T>(
    bencher: Bencher<'_, '_>,
    wanted: fn(&Position) -> bool,
    of: fn(&Tablebases, &Position) -> T,
) {
    let tables = tables();
    let positions = positions(&tables, wanted);
    for position in &positions {
        black_box(of(&tables, position));
    }
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| {
            for position in &positions {
                black_box(of(&tables, position));
            }
        });
    assert!(tables.complaints().is_empty());
}

/// Outcomes of positions as they come; captures are followed where there are any.
#[divan::bench]
fn outcome(bencher: Bencher<'_, '_>) {
    look_up(bencher, |_| true, Tablebases::outcome);
}

/// Outcomes where the side to move has no capture: what the search looks up.
#[divan::bench]
fn outcome_of_quiet_positions(bencher: Bencher<'_, '_>) {
    let is_quiet = |position: &Position| !has_capture(&Rules::STANDARD, position);
    look_up(bencher, is_quiet, Tablebases::outcome);
}

/// Outcomes and distances of positions as they come.
#[divan::bench]
fn value(bencher: Bencher<'_, '_>) {
    look_up(bencher, |_| true, Tablebases::value);
}

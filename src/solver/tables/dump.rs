//! Every value of a slice, in an order that other programs can follow.

use std::io::{self, Write};

use rayon::prelude::*;

use vato_engine::board::{Bitboard, BoardSize};
use vato_engine::tablebase::index::{choose, unrank};
use vato_engine::tablebase::{Slice, TableRules, Tablebases, Value, Wdl};

/// Sets of the side to move that are looked up together.
const BATCH: usize = 256;

/// All sets of so many points of a board, the smallest number first: the order of their ranks.
fn sets(board: BoardSize, count: u32) -> impl Iterator<Item = Bitboard> {
    let points = board.points();
    let set = move |number| Bitboard::from_bits(unrank(number, count, points.bits()));
    (0..choose(points.count(), count)).map(set)
}

/// Writes a byte for every position of a slice, symmetric ones too: 0 for a draw, the distance for a win, 128 more for
/// a loss. Positions are in order of the stones of the side to move, then of those of the other side, both as
/// numbers ([`Bitboard::bits`]). On the threads of the current pool.
///
/// # Errors
///
/// If `out` fails, or a value is not in the tables or takes more than 127 plies.
pub fn dump(tables: &Tablebases, slice: Slice, out: &mut impl Write) -> io::Result<()> {
    let board = tables.rules().rules().board;
    let others: Vec<Bitboard> = sets(board, slice.other()).collect();
    let byte = |own, other| {
        let value = tables.value(&TableRules::position(own, other));
        let wrong = || {
            io::Error::other(format!(
                "{slice}: {value:?}, expected a value of up to 127 plies"
            ))
        };
        let Value { wdl, plies } = value.ok_or_else(wrong)?;
        let plies = u8::try_from(plies).ok().filter(|&plies| plies < 128);
        Ok(plies.ok_or_else(wrong)? + if wdl == Wdl::Loss { 128 } else { 0 })
    };
    let row = |own: &Bitboard| -> io::Result<Vec<u8>> {
        let apart = others.iter().filter(|other| !other.intersects(*own));
        apart.map(|&other| byte(*own, other)).collect()
    };
    let mut own = sets(board, slice.own());
    loop {
        let batch: Vec<Bitboard> = own.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let rows: Vec<io::Result<Vec<u8>>> = batch.par_iter().map(row).collect();
        for row in rows {
            let damage = || tables.complaints().pop().map(io::Error::other);
            out.write_all(&row.map_err(|error| damage().unwrap_or(error))?)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::parse_rules;

    #[test]
    fn every_position_has_its_byte_in_order() {
        let rules = parse_rules("board=3x3").expect("rules");
        let tables = Tablebases::solve(&rules, 4, 1 << 20, &|| true).expect("tables");
        for slice in tables.slices() {
            let mut bytes = Vec::new();
            dump(&tables, slice, &mut bytes).expect("all are there");
            assert_eq!(bytes.len() as u64, slice.positions(rules.board), "{slice}");
            let positions = (0..1_u64 << 23).filter_map(|own| {
                let own = Bitboard::from_bits(own);
                (own.bits() < 1 << 23
                    && own.is_subset_of(rules.board.points())
                    && own.count() == slice.own())
                .then_some(own)
            });
            let mut owns: Vec<Bitboard> = positions.collect();
            owns.sort_unstable_by_key(|own| own.bits());
            owns.dedup();
            let first = sets(rules.board, slice.own()).collect::<Vec<_>>();
            assert_eq!(first, owns, "{slice}");
        }
    }
}

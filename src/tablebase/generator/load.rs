//! What files say, taken back into memory to go on from.

use rayon::prelude::*;

use super::captures::first_cell;
use super::cell;
use super::knowledge::Knowledge;
use crate::rules::{TurnRules, with_variant};
use crate::tablebase::error::TablebaseError;
use crate::tablebase::file::{BLOCK_VALUES, Section, SliceFile};
use crate::tablebase::index::SliceIndex;
use crate::tablebase::packing::{self, PackedWdl};
use crate::tablebase::table_rules::TableRules;
use crate::tablebase::value::Wdl;

/// Adds the outcomes of a file to what is known. Those that captures decide are not in the file, and
/// are worked out again from smaller slices, which must be known.
pub(super) fn outcomes_of(
    rules: &TableRules,
    knowledge: &mut Knowledge,
    file: &SliceFile,
) -> Result<(), TablebaseError> {
    let Some(index) = knowledge.indices().slice(file.header().slice) else {
        return Ok(());
    };
    let blocks: Vec<Vec<u8>> = (0..file.blocks())
        .into_par_iter()
        .map(|block| {
            let bytes = file.block(Section::Outcomes, block)?;
            if !rules.captures_are_forced() {
                return Ok(bytes);
            }
            let start = block * BLOCK_VALUES;
            let numbers = start..index.entries().min(start + BLOCK_VALUES);
            Ok(with_variant!(rules.rules(), |variant| work_out_captures(
                TableRules::turn(&variant),
                rules,
                knowledge,
                &index,
                numbers,
                &bytes
            )))
        })
        .collect::<Result<_, TablebaseError>>()?;
    knowledge.add(index, PackedWdl::from_bytes(blocks.concat()));
    Ok(())
}

fn work_out_captures<T: TurnRules>(
    turn: T,
    rules: &TableRules,
    knowledge: &Knowledge,
    index: &SliceIndex,
    numbers: std::ops::Range<u64>,
    kept: &[u8],
) -> Vec<u8> {
    let outcomes: Vec<Wdl> = numbers
        .enumerate()
        .map(|(place, number)| {
            let (own, other) = index.position(number);
            let first = first_cell(turn, rules.rules(), knowledge, own, other);
            if cell::is_settled_by_capture(first) {
                cell::value(first).wdl
            } else {
                packing::get(kept, place)
            }
        })
        .collect();
    let mut bytes = vec![0; kept.len()];
    packing::pack(&outcomes, &mut bytes);
    bytes
}

//! What there is in a set.

use serde::Serialize;

use super::Tablebases;
use crate::notation::format_fen;
use crate::tablebase::slice::Slice;
use crate::tablebase::table_rules::TableRules;

/// A slice in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SliceInfo {
    /// The slice.
    pub slice: Slice,
    /// Positions, symmetric ones counted, the side to move being known.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that are drawn.
    pub draws: u64,
    /// Those that the side to move loses.
    pub losses: u64,
    /// The longest way to a conversion; `None` if no position is decided.
    pub longest: Option<LongestInfo>,
    /// How many values are in the file: positions, symmetric ones only once (or nearly so).
    pub entries: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Bytes of outcomes, compressed.
    pub outcome_bytes: u64,
    /// Bytes of distances, compressed.
    pub distance_bytes: u64,
}

/// The longest way to a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongestInfo {
    /// Plies.
    pub plies: u32,
    /// A position that takes so many.
    pub fen: String,
}

impl Tablebases {
    /// What there is in every file of the set, those with fewer stones first.
    #[must_use]
    pub fn info(&self) -> Vec<SliceInfo> {
        self.slices()
            .filter_map(|slice| self.slice_info(slice))
            .collect()
    }

    fn slice_info(&self, slice: Slice) -> Option<SliceInfo> {
        let file = self.file(slice)?;
        let header = file.header();
        let index = self.index(slice)?;
        let board = self.rules.rules().board;
        let longest = header.longest.as_ref();
        // The number is from the file.
        let longest = longest.filter(|longest| longest.number < index.entries());
        Some(SliceInfo {
            slice,
            positions: slice.positions(board),
            wins: header.wins,
            draws: header.draws,
            losses: header.losses,
            longest: longest.map(|longest| {
                let (own, other) = index.stones(longest.number);
                LongestInfo {
                    plies: longest.plies,
                    fen: format_fen(&TableRules::position(own, other), board),
                }
            }),
            entries: header.entries,
            bytes: file.size(),
            outcome_bytes: header.outcomes.bytes,
            distance_bytes: header.distances.bytes,
        })
    }
}

//! What a search counts when it is built to be looked into.
//!
//! The types are always there; only with the cargo feature `stats` does a search fill them in. Without
//! it [`Counters`] has no size and [`Counters::record`] is empty, so that neither the counting nor the
//! reasons for it are compiled.

use serde::Serialize;

use super::table::Replaced;

/// Counts of the nodes of one kind: those with so many stones on the board, or those with so many
/// plies left to search.
///
/// A node is a position that the search reached, counted again if it is searched again with another
/// window or depth. It is in `main_nodes` or in
/// `quiescence_nodes`, and under the first of these headings that applies:
///
/// - main search: `ended`, `table_cutoffs`, `static_cutoffs`, else `expanded`;
/// - quiescence: `quiescence_table_cutoffs`, `quiescence_quiet`, `stand_pats`, else
///   `quiescence_expanded`.
///
/// Nodes that the deepest ply, a proven win nearer to the root, or a side without stones or moves ends
/// have no heading of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeCounts {
    /// Nodes of the main search, the root's own not included.
    pub main_nodes: u64,
    /// Of these, ended by repetition, by the no-capture limit or for want of stones.
    pub ended: u64,
    /// Probes of the table in the main search.
    pub table_probes: u64,
    /// Probes that found the position.
    pub table_hits: u64,
    /// Nodes that the table settled.
    pub table_cutoffs: u64,
    /// Nodes whose static evaluation was far enough above beta (reverse futility).
    pub static_cutoffs: u64,
    /// Nodes whose moves were searched.
    pub expanded: u64,
    /// Expanded nodes in which the side to move can capture.
    pub capture_nodes: u64,
    /// Moves generated at expanded nodes.
    pub moves: u64,
    /// Moves searched at expanded nodes.
    pub searched: u64,
    /// Expanded nodes with a move from the table.
    pub hash_moves: u64,
    /// Moves from the table that are not among the legal ones: another position under the same key.
    pub foreign_hash_moves: u64,
    /// Expanded nodes that ended with a move at or above beta.
    pub cutoffs: u64,
    /// Those where it was the first move.
    pub first_move_cutoffs: u64,
    /// Those where it was the move from the table.
    pub hash_move_cutoffs: u64,
    /// Expanded nodes with a move from the table that ended with some move at or above beta.
    pub cutoffs_with_hash_move: u64,
    /// Sum of the places, from 0, of the moves that were at or above beta.
    pub cutoff_places: u64,
    /// Moves left out as late paikas.
    pub pruned: u64,
    /// Moves searched less deep than others.
    pub reduced: u64,
    /// Those searched again to the full depth.
    pub researched: u64,
    /// Expanded nodes that lost a ply for want of a move from the table.
    pub internal_reductions: u64,
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// Probes of the table that found the position, in quiescence.
    pub quiescence_table_hits: u64,
    /// Quiescence nodes that the table settled.
    pub quiescence_table_cutoffs: u64,
    /// Quiescence nodes without a capture: the static evaluation is their score.
    pub quiescence_quiet: u64,
    /// Quiescence nodes that stood pat at or above beta.
    pub stand_pats: u64,
    /// Quiescence nodes whose captures were looked at.
    pub quiescence_expanded: u64,
    /// Moves generated at them; where capturing is not compulsory, paikas too.
    pub quiescence_moves: u64,
    /// Captures left out since they take too little.
    pub quiescence_pruned: u64,
    /// Captures searched at them.
    pub quiescence_searched: u64,
    /// Expanded quiescence nodes that ended with a capture at or above beta.
    pub quiescence_cutoffs: u64,
    /// Those where it was the first that was searched.
    pub quiescence_first_cutoffs: u64,
    /// Static evaluations computed, in both searches.
    pub evaluations: u64,
}

impl NodeCounts {
    /// Every count, in the order of the fields.
    fn each(&mut self) -> [&mut u64; 33] {
        [
            &mut self.main_nodes,
            &mut self.ended,
            &mut self.table_probes,
            &mut self.table_hits,
            &mut self.table_cutoffs,
            &mut self.static_cutoffs,
            &mut self.expanded,
            &mut self.capture_nodes,
            &mut self.moves,
            &mut self.searched,
            &mut self.hash_moves,
            &mut self.foreign_hash_moves,
            &mut self.cutoffs,
            &mut self.first_move_cutoffs,
            &mut self.hash_move_cutoffs,
            &mut self.cutoffs_with_hash_move,
            &mut self.cutoff_places,
            &mut self.pruned,
            &mut self.reduced,
            &mut self.researched,
            &mut self.internal_reductions,
            &mut self.quiescence_nodes,
            &mut self.quiescence_table_hits,
            &mut self.quiescence_table_cutoffs,
            &mut self.quiescence_quiet,
            &mut self.stand_pats,
            &mut self.quiescence_expanded,
            &mut self.quiescence_moves,
            &mut self.quiescence_pruned,
            &mut self.quiescence_searched,
            &mut self.quiescence_cutoffs,
            &mut self.quiescence_first_cutoffs,
            &mut self.evaluations,
        ]
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, mut other: NodeCounts) {
        for (sum, count) in self.each().into_iter().zip(other.each()) {
            *sum += *count;
        }
    }

    /// Nodes of both searches.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }
}

/// What became of the entries written to the transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableCounts {
    /// Into an entry never used.
    pub into_empty: u64,
    /// Over an older result for the same position.
    pub same_position: u64,
    /// Over another position that an earlier search left.
    pub over_earlier: u64,
    /// Over another position of the same search: a collision.
    pub over_current: u64,
    /// Not written, since a deeper result for the same position is there.
    pub kept_deeper: u64,
}

/// What happened at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RootCounts {
    /// Searches of the root, each in its aspiration window.
    pub windows: u64,
    /// Those whose score lay at or below the window.
    pub failed_low: u64,
    /// Those whose score lay at or above it.
    pub failed_high: u64,
}

/// What the searches of one thread, or of several, have counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchCounts {
    /// By number of stones on the board.
    pub by_stones: Vec<NodeCounts>,
    /// By remaining depth in plies, quiescence being 0.
    pub by_depth: Vec<NodeCounts>,
    /// Writes to the transposition table.
    pub table: TableCounts,
    /// The root.
    pub root: RootCounts,
}

impl Default for SearchCounts {
    fn default() -> SearchCounts {
        SearchCounts {
            by_stones: vec![NodeCounts::default(); SearchCounts::STONE_COUNTS],
            by_depth: vec![NodeCounts::default(); SearchCounts::DEPTHS],
            table: TableCounts::default(),
            root: RootCounts::default(),
        }
    }
}

impl SearchCounts {
    /// Numbers of stones that a position can have, 0 included.
    pub const STONE_COUNTS: usize = 46;
    /// Remaining depths told apart, in plies; what is deeper counts with the last.
    pub const DEPTHS: usize = 41;

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &SearchCounts) {
        let sums = self.by_stones.iter_mut().chain(&mut self.by_depth);
        for (sum, counts) in sums.zip(other.by_stones.iter().chain(&other.by_depth)) {
            sum.add(*counts);
        }
        let (table, more) = (&mut self.table, &other.table);
        table.into_empty += more.into_empty;
        table.same_position += more.same_position;
        table.over_earlier += more.over_earlier;
        table.over_current += more.over_current;
        table.kept_deeper += more.kept_deeper;
        let (root, more) = (&mut self.root, &other.root);
        root.windows += more.windows;
        root.failed_low += more.failed_low;
        root.failed_high += more.failed_high;
    }

    /// All nodes together.
    #[must_use]
    pub fn total(&self) -> NodeCounts {
        let mut total = NodeCounts::default();
        for counts in &self.by_stones {
            total.add(*counts);
        }
        total
    }

    /// Counts something of a node with so many stones and so many plies left.
    #[cfg_attr(not(feature = "stats"), allow(dead_code))]
    fn at(&mut self, stones: u32, depth: i32, count: impl Fn(&mut NodeCounts)) {
        count(&mut self.by_stones[(stones as usize).min(SearchCounts::STONE_COUNTS - 1)]);
        count(&mut self.by_depth[(depth.max(0) as usize).min(SearchCounts::DEPTHS - 1)]);
    }
}

/// The counters of one thread; nothing at all without the feature `stats`.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    #[cfg(feature = "stats")]
    counts: SearchCounts,
}

#[cfg(feature = "stats")]
impl Counters {
    /// Counts something of a node with so many stones and so many plies left.
    #[inline(always)]
    pub(super) fn node(&mut self, stones: u32, depth: i32, count: impl Fn(&mut NodeCounts)) {
        self.counts.at(stones, depth, count);
    }

    /// Counts a write to the table.
    #[inline(always)]
    pub(super) fn stored(&mut self, replaced: Replaced) {
        let table = &mut self.counts.table;
        *match replaced {
            Replaced::Empty => &mut table.into_empty,
            Replaced::SamePosition => &mut table.same_position,
            Replaced::Earlier => &mut table.over_earlier,
            Replaced::Current => &mut table.over_current,
            Replaced::Nothing => &mut table.kept_deeper,
        } += 1;
    }

    /// Counts something of the root.
    #[inline(always)]
    pub(super) fn root(&mut self, count: impl Fn(&mut RootCounts)) {
        count(&mut self.counts.root);
    }

    /// What has been counted; `None` without the feature `stats`.
    pub(super) fn counts(&self) -> Option<&SearchCounts> {
        Some(&self.counts)
    }
}

#[cfg(not(feature = "stats"))]
impl Counters {
    #[inline(always)]
    pub(super) fn node(&mut self, _stones: u32, _depth: i32, _count: impl Fn(&mut NodeCounts)) {}

    #[inline(always)]
    pub(super) fn stored(&mut self, _replaced: Replaced) {}

    #[inline(always)]
    pub(super) fn root(&mut self, _count: impl Fn(&mut RootCounts)) {}

    pub(super) fn counts(&self) -> Option<&SearchCounts> {
        None
    }
}

#[cfg(not(feature = "stats"))]
const _: () = assert!(size_of::<Counters>() == 0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added() {
        let mut one = NodeCounts::default();
        for (place, count) in one.each().into_iter().enumerate() {
            *count = place as u64 + 1;
        }
        let mut sum = one;
        sum.add(one);
        for (place, count) in sum.each().into_iter().enumerate() {
            assert_eq!(*count, 2 * (place as u64 + 1));
        }
        assert_eq!(size_of::<NodeCounts>(), 33 * size_of::<u64>());
    }

    #[test]
    fn what_is_counted_of_a_node_is_counted_by_stones_and_by_depth() {
        let mut counts = SearchCounts::default();
        counts.at(44, 7, |node| node.main_nodes += 1);
        counts.at(44, 1_000, |node| node.main_nodes += 1);
        let mut sum = counts.clone();
        sum.add(&counts);
        assert_eq!(sum.by_stones[44].main_nodes, 4);
        assert_eq!(sum.by_depth[7].main_nodes, 2);
        assert_eq!(sum.by_depth[SearchCounts::DEPTHS - 1].main_nodes, 2);
        assert_eq!(sum.total().nodes(), 4);
    }
}

//! What a search counts in a build with the feature `stats`. The types are always there; without the
//! feature [`Counters`] has no size, and counting is compiled to nothing.

use serde::Serialize;

use super::tt::Replaced;

/// Structs of counts that can be added.
macro_rules! counts {
    ($($(#[$doc:meta])* $type:ident { $($(#[$field_doc:meta])* $field:ident;)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct $type {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl $type {
            /// Adds the counts of `other`.
            pub fn add(&mut self, other: $type) {
                $(self.$field += other.$field;)*
            }
        })*
    };
}

counts! {
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
    NodeCounts {
        /// Nodes of the main search, the root's own not included.
        main_nodes;
        /// Of these, ended by repetition, by the no-capture limit or for want of stones.
        ended;
        /// Probes of the table in the main search.
        table_probes;
        /// Probes that found the position.
        table_hits;
        /// Nodes that the table settled.
        table_cutoffs;
        /// Nodes whose static evaluation was far enough above beta (reverse futility).
        static_cutoffs;
        /// Nodes whose moves were searched.
        expanded;
        /// Expanded nodes in which the side to move can capture.
        capture_nodes;
        /// Moves generated at expanded nodes.
        moves;
        /// Moves searched at expanded nodes.
        searched;
        /// Expanded nodes with a move from the table.
        hash_moves;
        /// Moves from the table that are not among the legal ones: another position under the same key.
        foreign_hash_moves;
        /// Expanded nodes that ended with a move at or above beta.
        cutoffs;
        /// Those where it was the first move.
        first_move_cutoffs;
        /// Those where it was the move from the table.
        hash_move_cutoffs;
        /// Expanded nodes with a move from the table that ended with some move at or above beta.
        cutoffs_with_hash_move;
        /// Sum of the places, from 0, of the moves that were at or above beta.
        cutoff_places;
        /// Moves left out as late paikas.
        pruned;
        /// Moves searched less deep than others.
        reduced;
        /// Those searched again to the full depth.
        researched;
        /// Expanded nodes that lost a ply for want of a move from the table.
        internal_reductions;
        /// Nodes of the quiescence search.
        quiescence_nodes;
        /// Probes of the table that found the position, in quiescence.
        quiescence_table_hits;
        /// Quiescence nodes that the table settled.
        quiescence_table_cutoffs;
        /// Quiescence nodes without a capture: the static evaluation is their score.
        quiescence_quiet;
        /// Quiescence nodes that stood pat at or above beta.
        stand_pats;
        /// Quiescence nodes whose captures were looked at.
        quiescence_expanded;
        /// Moves generated at them; where capturing is not compulsory, paikas too.
        quiescence_moves;
        /// Captures left out since they take too little.
        quiescence_pruned;
        /// Captures searched at them.
        quiescence_searched;
        /// Expanded quiescence nodes that ended with a capture at or above beta.
        quiescence_cutoffs;
        /// Those where it was the first that was searched.
        quiescence_first_cutoffs;
        /// Static evaluations computed, in both searches.
        evaluations;
    }

    /// What became of the entries written to the transposition table.
    TableCounts {
        /// Into an entry never used.
        into_empty;
        /// Over an older result for the same position.
        same_position;
        /// Over another position that an earlier search left.
        over_earlier;
        /// Over another position of the same search: a collision.
        over_current;
        /// Not written, since a deeper result for the same position is there.
        kept_deeper;
    }

    /// What happened at the root.
    RootCounts {
        /// Searches of the root, each in its aspiration window.
        windows;
        /// Those whose score lay at or below the window.
        failed_low;
        /// Those whose score lay at or above it.
        failed_high;
    }
}

impl NodeCounts {
    /// Nodes of both searches.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }
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
        self.table.add(other.table);
        self.root.add(other.root);
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

    /// The counts that a node with so many stones and so many plies left belongs to.
    pub(super) fn at(&mut self, stones: u32, depth: i32) -> [&mut NodeCounts; 2] {
        let depth = (depth.max(0) as usize).min(SearchCounts::DEPTHS - 1);
        [
            &mut self.by_stones[(stones as usize).min(SearchCounts::STONE_COUNTS - 1)],
            &mut self.by_depth[depth],
        ]
    }

    /// Counts a write to the table.
    pub(super) fn count_store(&mut self, replaced: Replaced) {
        *match replaced {
            Replaced::Empty => &mut self.table.into_empty,
            Replaced::SamePosition => &mut self.table.same_position,
            Replaced::Earlier => &mut self.table.over_earlier,
            Replaced::Current => &mut self.table.over_current,
            Replaced::Nothing => &mut self.table.kept_deeper,
        } += 1;
    }
}

/// The counters of one thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Counters {
    #[cfg(feature = "stats")]
    counts: SearchCounts,
}

impl Counters {
    /// The counts, to be counted up; `None` without the feature `stats`.
    #[inline(always)]
    pub(super) fn active(&mut self) -> Option<&mut SearchCounts> {
        #[cfg(feature = "stats")]
        return Some(&mut self.counts);
        #[cfg(not(feature = "stats"))]
        return None;
    }

    /// What has been counted; `None` without the feature `stats`.
    pub(super) fn counts(&self) -> Option<&SearchCounts> {
        #[cfg(feature = "stats")]
        return Some(&self.counts);
        #[cfg(not(feature = "stats"))]
        return None;
    }
}

#[cfg(not(feature = "stats"))]
const _: () = assert!(size_of::<Counters>() == 0);

/// Counts something of a node: `count!(worker, position, depth, cutoffs += 1)`.
macro_rules! count {
    ($worker:expr, $position:expr, $depth:expr, $($field:ident += $amount:expr),+) => {
        if let Some(counts) = $worker.data.counters.active() {
            for node in counts.at($position.occupied().count(), $depth) {
                $(node.$field += $amount as u64;)+
            }
        }
    };
}
pub(super) use count;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added() {
        // Distinct numbers for all fields, by way of their names.
        let numbers = |factor: u64| {
            let mut counts = SearchCounts::default();
            for (place, node) in counts.by_stones.iter_mut().enumerate() {
                node.main_nodes = factor * place as u64;
                node.evaluations = factor * (place as u64 + 1);
            }
            counts.table.kept_deeper = factor * 5;
            counts.root.failed_high = factor * 7;
            counts
        };
        let mut sum = numbers(1);
        sum.add(&numbers(1));
        assert_eq!(sum, numbers(2));
    }

    #[test]
    fn what_is_counted_of_a_node_is_counted_by_stones_and_by_depth() {
        let mut counts = SearchCounts::default();
        for depth in [7, 1_000] {
            for node in counts.at(44, depth) {
                node.main_nodes += 1;
            }
        }
        let mut sum = counts.clone();
        sum.add(&counts);
        assert_eq!(sum.by_stones[44].main_nodes, 4);
        assert_eq!(sum.by_depth[7].main_nodes, 2);
        assert_eq!(sum.by_depth[SearchCounts::DEPTHS - 1].main_nodes, 2);
        assert_eq!(sum.total().nodes(), 4);
    }
}

//! Search statistics in a build with the feature `stats`. The types always exist; without the feature counting
//! compiles to nothing.

use serde::Serialize;

/// Structs of counts, with addition.
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
    /// Counts of the nodes with a given number of stones on the board, or a given remaining depth.
    ///
    /// A node is a position reached by the search, counted again for each re-search. It is counted in
    /// `main_nodes` or in `quiescence_nodes`, and in the first of these that applies:
    ///
    /// - main search: `ended`, `table_cutoffs`, `static_cutoffs`, else `expanded`;
    /// - quiescence: `quiescence_table_cutoffs`, `quiescence_quiet`, `stand_pats`, else
    ///   `quiescence_expanded`.
    ///
    /// Nodes that end by the maximum ply, mate distance pruning, or a side without stones or moves are
    /// in none of these.
    NodeCounts {
        /// Nodes of the main search, excluding the root.
        main_nodes;
        /// Of these, ended by repetition, by the no-capture limit or for lack of stones.
        ended;
        /// Probes of the table in the main search.
        table_probes;
        /// Probes that found the position.
        table_hits;
        /// Nodes with a table cutoff.
        table_cutoffs;
        /// Nodes cut off by their static evaluation (reverse futility pruning).
        static_cutoffs;
        /// Nodes whose moves were searched.
        expanded;
        /// Expanded nodes in which the side to move can capture.
        capture_nodes;
        /// Moves generated at expanded nodes.
        moves;
        /// Moves searched at expanded nodes.
        searched;
        /// Expanded nodes with a tt move.
        hash_moves;
        /// tt moves that are not legal: key collisions.
        foreign_hash_moves;
        /// Expanded nodes that failed high.
        cutoffs;
        /// Of these, by the first move.
        first_move_cutoffs;
        /// Of these, by the tt move.
        hash_move_cutoffs;
        /// Expanded nodes with a tt move that failed high, by any move.
        cutoffs_with_hash_move;
        /// Sum of the indices, from 0, of the moves that failed high.
        cutoff_places;
        /// Paikas pruned (late move and futility pruning).
        pruned;
        /// Moves searched with a reduction.
        reduced;
        /// Of these, searched again to the full depth.
        researched;
        /// Expanded nodes reduced by a ply for lack of a tt move.
        internal_reductions;
        /// Nodes of the quiescence search.
        quiescence_nodes;
        /// Probes of the table that found the position, in quiescence.
        quiescence_table_hits;
        /// Quiescence nodes with a table cutoff.
        quiescence_table_cutoffs;
        /// Quiescence nodes without a capture: the static evaluation is their score.
        quiescence_quiet;
        /// Quiescence nodes that stood pat at or above beta.
        stand_pats;
        /// Quiescence nodes whose captures were generated.
        quiescence_expanded;
        /// Moves generated at them, including paikas where capturing is not compulsory.
        quiescence_moves;
        /// Captures pruned (delta pruning).
        quiescence_pruned;
        /// Captures searched at them.
        quiescence_searched;
        /// Expanded quiescence nodes that failed high.
        quiescence_cutoffs;
        /// Of these, by the first capture searched.
        quiescence_first_cutoffs;
        /// Static evaluations computed, in both searches.
        evaluations;
    }

    /// Writes to the transposition table, by what they replaced.
    TableCounts {
        /// An unused entry.
        into_empty;
        /// An older result for the same position.
        same_position;
        /// Another position from an earlier search.
        over_earlier;
        /// Another position from the same search: a collision.
        over_current;
        /// Not written: a deeper result for the same position is kept.
        kept_deeper;
    }

    /// Counts of the root.
    RootCounts {
        /// Searches of the root, one per aspiration window.
        windows;
        /// Of these, fail-lows.
        failed_low;
        /// Of these, fail-highs.
        failed_high;
    }
}

impl NodeCounts {
    /// Nodes of main search and quiescence.
    pub const fn nodes(&self) -> u64 {
        self.main_nodes + self.quiescence_nodes
    }
}

/// Search statistics of one or several threads.
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
    /// Possible numbers of stones of a position, 0 included.
    pub const STONE_COUNTS: usize = 46;
    /// Number of remaining depths counted separately, in plies; greater depths are counted in the last.
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

    /// Sum over all nodes.
    pub fn total(&self) -> NodeCounts {
        let mut total = NodeCounts::default();
        for counts in &self.by_stones {
            total.add(*counts);
        }
        total
    }

    /// The counts to add to; `None` without the feature `stats`.
    #[inline(always)]
    pub(super) fn active(&mut self) -> Option<&mut SearchCounts> {
        cfg!(feature = "stats").then_some(self)
    }

    /// The counts of a node with this number of stones and this remaining depth.
    pub(super) fn at(&mut self, stones: u32, depth: i32) -> [&mut NodeCounts; 2] {
        let depth = (depth.max(0) as usize).min(SearchCounts::DEPTHS - 1);
        [
            &mut self.by_stones[(stones as usize).min(SearchCounts::STONE_COUNTS - 1)],
            &mut self.by_depth[depth],
        ]
    }
}

/// Counts node statistics: `count!(worker, position, depth, cutoffs += 1)`.
macro_rules! count {
    ($worker:expr, $position:expr, $depth:expr, $($field:ident += $amount:expr),+) => {
        if let Some(counts) = $worker.data.counts.active() {
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
        // Distinct numbers for all fields, set by field name.
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

//! Which engines can be compared at all.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::GameCounts;

/// The engines as nodes, with an edge from each to those that have scored against it.
///
/// Without draws the most likely strengths are finite, relative to each other, just for engines that lead
/// to each other along such edges (L. R. Ford, "Solution of a Ranking Problem from Binary Comparisons",
/// 1957). With draws strengths and `ν` may still grow together for ever, unless `ν` is bounded: it is if
/// somewhere engines have beaten each other in a circle. (There are other ways, which are not looked for.)
#[derive(Debug)]
pub(super) struct Network {
    anchor: usize,
    /// For each engine the number of the group in which each leads to each.
    groups: Vec<usize>,
    /// Whether there are no draws, or something that bounds how likely they are.
    draws_are_bounded: bool,
    /// For each engine whether any games connect it with the anchor.
    connected: Vec<bool>,
}

impl Network {
    /// The network of these results; `None` if the anchor is not in it.
    pub(super) fn new(results: &[Vec<GameCounts>], anchor: usize) -> Option<Network> {
        if anchor >= results.len() {
            return None;
        }
        let mut groups = vec![0; results.len()];
        let scored = circles(results, |counts| counts.losses + counts.draws > 0);
        for (number, group) in scored.into_iter().enumerate() {
            for engine in group {
                groups[engine] = number;
            }
        }
        let mut connected = vec![false; results.len()];
        let mut open = vec![anchor];
        while let Some(one) = open.pop() {
            if std::mem::replace(&mut connected[one], true) {
                continue;
            }
            let opponents = results[one].iter().enumerate();
            open.extend(
                opponents
                    .filter(|(_, counts)| counts.games() > 0)
                    .map(|(other, _)| other),
            );
        }
        // Of those that are compared: others say nothing of these.
        let beaten = circles(results, |counts| counts.losses > 0);
        let is_circle = |group: &Vec<usize>| group.len() > 1 && connected[group[0]];
        let mut rows = results.iter().zip(&connected);
        let has_draws =
            rows.any(|(row, &connected)| connected && row.iter().any(|counts| counts.draws > 0));
        let draws_are_bounded = !has_draws || beaten.iter().any(is_circle);
        Some(Network {
            anchor,
            groups,
            draws_are_bounded,
            connected,
        })
    }

    /// For each engine whether any games connect it with the anchor.
    pub(super) fn connected(&self) -> Vec<bool> {
        self.connected.clone()
    }

    /// Whether results alone say how far the engine is from the anchor.
    pub(super) fn is_comparable(&self, engine: usize) -> bool {
        self.draws_are_bounded && self.groups[engine] == self.groups[self.anchor]
    }

    /// Whether they do for all engines that are connected with the anchor, itself included.
    pub(super) fn is_strong(&self) -> bool {
        let engines = 0..self.groups.len();
        engines
            .filter(|&engine| self.connected[engine])
            .all(|engine| self.is_comparable(engine))
    }
}

/// The groups of engines in which each leads to each along edges to those against whom games have gone
/// as `has_edge` wants, from the view of where the edge begins.
fn circles(results: &[Vec<GameCounts>], has_edge: impl Fn(&GameCounts) -> bool) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = results.iter().map(|_| graph.add_node(())).collect();
    for (one, row) in results.iter().enumerate() {
        for (other, counts) in row.iter().enumerate() {
            if has_edge(counts) {
                graph.add_edge(nodes[one], nodes[other], ());
            }
        }
    }
    let groups = tarjan_scc(&graph).into_iter();
    let engines = |group: Vec<NodeIndex>| group.into_iter().map(NodeIndex::index).collect();
    groups.map(engines).collect()
}

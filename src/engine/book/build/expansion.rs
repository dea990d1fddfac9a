//! The choice of the positions to search next: drop-out expansion (Lincke 2000, see [`crate::book`]).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::BuildSettings;
use crate::board::Canonical;
use crate::book::graph::{BackedUpScores, Graph};
use crate::rules::has_move;

/// The cost of each ply on the path to a position, in centi-stones given away.
const PLY: u64 = 10;

/// The most urgent positions to expand that are not in the graph yet, at most `count`, most urgent first.
///
/// The cost of a position is the least sum over its paths of [`PLY`] for each ply and the loss of each
/// move. Paths use moves within the margins, no decided games, and end one ply before
/// [`BuildSettings::plies`].
pub(super) fn most_urgent(
    graph: &Graph,
    scores: &BackedUpScores,
    settings: &BuildSettings,
    count: usize,
) -> Vec<Canonical> {
    let mut found = FxHashMap::default();
    for &side in settings.side.sides() {
        // Shortest paths (Dijkstra 1959).
        let mut costs = vec![u64::MAX; graph.nodes.len()];
        let mut queue = BinaryHeap::new();
        if let Some(start) = graph.place(graph.start()) {
            costs[start] = 0;
            queue.push(Reverse((0, start)));
        }
        while let Some(Reverse((cost, place))) = queue.pop() {
            let (Some(ply), Some(best)) = (scores.plies[place], scores.best(place)) else {
                continue;
            };
            if cost > costs[place] {
                continue;
            }
            let node = &graph.nodes[place];
            let margin = if node.key.position().side() == side {
                settings.margin
            } else {
                settings.reply_margin
            };
            for (link, &score) in node.links.iter().zip(&scores.scores[place]) {
                let loss = best.raw() - score.raw();
                if loss > margin || score.counts_plies() {
                    continue;
                }
                let cost = cost + PLY + u64::from(loss.unsigned_abs());
                match graph.place(link.to) {
                    Some(next) if cost < costs[next] => {
                        costs[next] = cost;
                        queue.push(Reverse((cost, next)));
                    }
                    Some(_) => {}
                    None if ply + 1 >= settings.plies => {}
                    // A blocked player may have a draw by the rules, which is not a decided score.
                    None if !has_move(&graph.rules, &link.to.position()) => {}
                    None => {
                        let least = found.entry(link.to).or_insert(cost);
                        *least = cost.min(*least);
                    }
                }
            }
        }
    }
    let mut wanted: Vec<(u64, Canonical)> =
        found.into_iter().map(|(key, cost)| (cost, key)).collect();
    wanted.sort_unstable();
    wanted.truncate(count);
    wanted.into_iter().map(|(_, key)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::graph::SearchedMove;
    use crate::book::header::BookSide;
    use crate::rules::{Rules, legal_moves};
    use crate::search::Score;

    /// The start position with its five moves, with these scores.
    fn start_with(scores: [i32; 5]) -> Graph {
        let rules = Rules::STANDARD;
        let mut graph = Graph::new(rules);
        add(&mut graph, rules.canonical(&rules.start()).0, &scores);
        graph
    }

    fn add(graph: &mut Graph, key: Canonical, scores: &[i32]) {
        let moves = legal_moves(&graph.rules, &key.position());
        let records: Vec<SearchedMove> = (moves.iter().zip(scores))
            .map(|(&mv, &score)| SearchedMove {
                mv,
                score: Score::from_raw(score),
            })
            .collect();
        graph.add(key, &records);
    }

    fn settings(side: BookSide) -> BuildSettings {
        BuildSettings {
            side,
            margin: 10,
            reply_margin: 30,
            plies: 3,
            ..BuildSettings::default()
        }
    }

    /// The indices of the start position's moves that lead to the positions found.
    fn found(graph: &Graph, settings: &BuildSettings, count: usize) -> Vec<usize> {
        let scores = BackedUpScores::of(graph);
        let links = &graph.nodes[0].links;
        most_urgent(graph, &scores, settings, count)
            .into_iter()
            .filter_map(|key| links.iter().position(|link| link.to == key))
            .collect()
    }

    #[test]
    fn the_margin_depends_on_who_the_book_is_for() {
        let graph = start_with([0, -25, -8, -31, Score::loss_in(8).raw()]);
        let of = |side| found(&graph, &settings(side), 9);
        assert_eq!(of(BookSide::White), [0, 2]);
        // White is the opponent.
        assert_eq!(of(BookSide::Black), [0, 2, 1]);
        assert_eq!(of(BookSide::Both), [0, 2, 1]);
        assert_eq!(found(&graph, &settings(BookSide::Both), 2), [0, 2]);
        let shallow = BuildSettings {
            plies: 1,
            ..settings(BookSide::Both)
        };
        assert_eq!(found(&graph, &shallow, 9), [0; 0]);
    }

    #[test]
    fn a_move_is_put_off_by_what_it_gives_away() {
        let mut graph = start_with([0, -25, -99, -99, -99]);
        let first = graph.nodes[0].links[0].to;
        add(&mut graph, first, &[0, -9]);
        let settings = settings(BookSide::Black);
        let scores = BackedUpScores::of(&graph);
        let wanted = most_urgent(&graph, &scores, &settings, 9);
        // Two plies without loss, two plies with little, one ply with much.
        let links = |place: usize| &graph.nodes[place].links;
        let second = links(0)[1].to;
        assert_eq!(wanted, [links(1)[0].to, links(1)[1].to, second]);
    }
}

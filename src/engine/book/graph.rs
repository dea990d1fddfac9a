//! The positions of a book, the moves between them, and the scores backed up through them.

use rustc_hash::FxHashMap;

use crate::board::{Canonical, Move};
use crate::rules::Rules;
use crate::search::Score;

/// A move of a position, mapped by its key's symmetry, and its search score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchedMove {
    pub(super) mv: Move,
    pub(super) score: Score,
}

/// Positions by number, in order of insertion, and an index from key to number.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) rules: Rules,
    pub(super) nodes: Vec<Node>,
    places: FxHashMap<Canonical, usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) key: Canonical,
    /// Its best moves, best first; at least one.
    pub(super) links: Vec<Link>,
}

/// A move of a position, mapped by its key's symmetry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) mv: Move,
    /// Its score by the search of the position.
    pub(super) searched: Score,
    /// The position it leads to, in the book or not.
    pub(super) to: Canonical,
}

impl Graph {
    pub(super) fn new(rules: Rules) -> Graph {
        Graph {
            rules,
            nodes: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    /// The start position of the rules.
    pub(super) fn start(&self) -> Canonical {
        self.rules.canonical(&self.rules.start()).0
    }

    /// Adds a position, which must not be there yet.
    pub(super) fn add(&mut self, key: Canonical, moves: &[SearchedMove]) {
        let position = key.position();
        let link = |record: &SearchedMove| Link {
            mv: record.mv,
            searched: record.score,
            to: self.rules.canonical(&position.play(record.mv)).0,
        };
        let links = moves.iter().map(link).collect();
        self.places.insert(key, self.nodes.len());
        self.nodes.push(Node { key, links });
    }

    /// The number of a position, if it is there.
    pub(super) fn place(&self, key: Canonical) -> Option<usize> {
        self.places.get(&key).copied()
    }
}

/// The scores of all moves by negamax, and the distance of each position from the start.
#[derive(Clone, Debug)]
pub(super) struct BackedUpScores {
    /// By position: the fewest plies from the start; `None` if not reachable by moves of the book.
    pub(super) plies: Vec<Option<u32>>,
    /// By position: the score of each move for the side to move, in the order of its links; empty if not
    /// reachable.
    pub(super) scores: Vec<Vec<Score>>,
}

impl BackedUpScores {
    /// Backs up scores from the furthest positions to the start.
    ///
    /// A move has the score of the position that it leads to if that is one ply further from the start; else
    /// (it leads out of the book, or back into it) its search score. So there are no cycles.
    pub(super) fn of(graph: &Graph) -> BackedUpScores {
        let size = graph.nodes.len();
        let mut backed_up = BackedUpScores {
            scores: vec![Vec::new(); size],
            plies: vec![None; size],
        };
        // Breadth-first from the start.
        let mut order = Vec::with_capacity(size);
        if let Some(start) = graph.place(graph.start()) {
            backed_up.plies[start] = Some(0);
            order.push(start);
        }
        let mut done = 0;
        while let Some(&place) = order.get(done) {
            done += 1;
            let links = graph.nodes[place].links.iter();
            for to in links.filter_map(|link| graph.place(link.to)) {
                if backed_up.plies[to].is_none() {
                    backed_up.plies[to] = backed_up.plies[place].map(|ply| ply + 1);
                    order.push(to);
                }
            }
        }
        for &place in order.iter().rev() {
            let next = backed_up.plies[place].map(|ply| ply + 1);
            let score = |link: &Link| {
                graph
                    .place(link.to)
                    .filter(|&to| backed_up.plies[to] == next)
                    .and_then(|to| backed_up.best(to))
                    .map_or(link.searched, one_ply_back)
            };
            backed_up.scores[place] = graph.nodes[place].links.iter().map(score).collect();
        }
        backed_up
    }

    pub(super) fn best(&self, place: usize) -> Option<Score> {
        self.scores[place].iter().copied().max()
    }
}

/// The score of a move that leads to a position with this score for the opponent; decided games are one
/// ply longer.
fn one_ply_back(score: Score) -> Score {
    let score = -score;
    if score.counts_plies() {
        Score::from_raw(score.raw() - score.raw().signum())
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::legal_moves;

    /// Adds a position with these scores for its first moves; returns the positions that they lead to.
    fn add(graph: &mut Graph, position: &Position, scores: &[i32]) -> Vec<Position> {
        let rules = graph.rules;
        let (key, _) = rules.canonical(position);
        let position = key.position();
        let moves = legal_moves(&rules, &position);
        let records: Vec<SearchedMove> = (moves.iter().zip(scores))
            .map(|(&mv, &score)| SearchedMove {
                mv,
                score: Score::from_raw(score),
            })
            .collect();
        assert_eq!(records.len(), scores.len());
        graph.add(key, &records);
        records
            .iter()
            .map(|record| position.play(record.mv))
            .collect()
    }

    #[test]
    fn scores_come_back_from_the_leaves() {
        let rules = Rules::STANDARD;
        let mut graph = Graph::new(rules);
        let replies = add(&mut graph, &rules.start(), &[50, 20, -10]);
        let judged = |graph: &Graph| {
            let backed_up = BackedUpScores::of(graph);
            (backed_up.best(0), backed_up.scores[0].to_vec())
        };
        let scores = |raw: [i32; 3]| raw.map(Score::from_raw).to_vec();
        assert_eq!(
            judged(&graph),
            (Some(Score::from_raw(50)), scores([50, 20, -10]))
        );
        // The best move has a good answer, and the second wins.
        let further = add(&mut graph, &replies[0], &[30, 5]);
        add(&mut graph, &replies[1], &[Score::loss_in(4).raw()]);
        let won = Score::win_in(5);
        assert_eq!(judged(&graph), (Some(won), scores([-30, won.raw(), -10])));
        // One ply deeper, the good answer is refuted.
        add(&mut graph, &further[0], &[15]);
        assert_eq!(judged(&graph).1, scores([-5, won.raw(), -10]));
        let backed_up = BackedUpScores::of(&graph);
        let plies: Vec<_> = (0..4).map(|place| backed_up.plies[place]).collect();
        assert_eq!(plies, [Some(0), Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn positions_that_nothing_leads_to_are_known_as_such() {
        let rules = Rules::STANDARD;
        let mut graph = Graph::new(rules);
        let start = rules.start();
        let lost = start.play(legal_moves(&rules, &start)[0]);
        add(&mut graph, &lost, &[1]);
        let backed_up = BackedUpScores::of(&graph);
        assert_eq!((backed_up.plies[0], backed_up.best(0)), (None, None));
    }
}

//! What the positions of a book say together: how far each is from the start, what its moves are
//! worth.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::graph::Graph;
use crate::search::Score;

/// What follows from the scores of all positions.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// By position: the fewest plies from the start; `None` if no moves of the book lead there.
    plies: Vec<Option<u32>>,
    /// By position: what each of its moves is worth for the side to move; empty where no moves lead.
    scores: Vec<Vec<Score>>,
}

impl Judgement {
    /// Carries scores back from the furthest positions to the start.
    ///
    /// A move is worth what the position that it leads to is worth, if that is one ply further from
    /// the start; else (it leads out of the book, or back into it) what the search gave it. So nothing
    /// goes round in circles.
    pub(super) fn of(graph: &Graph) -> Judgement {
        let plies = plies(graph);
        let mut order: Vec<usize> = (0..plies.len())
            .filter(|&place| plies[place].is_some())
            .collect();
        order.sort_by_key(|&place| Reverse(plies[place]));
        let mut judgement = Judgement {
            scores: vec![Vec::new(); plies.len()],
            plies,
        };
        for place in order {
            let next = judgement.plies[place].map(|ply| ply + 1);
            let score = |link: &super::graph::Link| {
                graph
                    .place(link.to)
                    .filter(|&to| judgement.plies[to] == next)
                    .and_then(|to| judgement.best(to))
                    .map_or(link.searched, backed_up)
            };
            judgement.scores[place] = graph.nodes()[place].links.iter().map(score).collect();
        }
        judgement
    }

    /// The fewest plies from the start to a position; `None` if no moves lead there.
    pub(super) fn ply(&self, place: usize) -> Option<u32> {
        self.plies[place]
    }

    /// What the moves of a position are worth, in the order of its links.
    pub(super) fn scores(&self, place: usize) -> &[Score] {
        &self.scores[place]
    }

    /// What a position is worth.
    pub(super) fn best(&self, place: usize) -> Option<Score> {
        self.scores[place].iter().copied().max()
    }
}

/// What a move is worth that leads to a position with this score for the opponent: ends of the game are
/// a ply further away.
fn backed_up(score: Score) -> Score {
    let score = -score;
    if score.counts_plies() {
        Score::from_raw(score.raw() - score.raw().signum())
    } else {
        score
    }
}

/// The fewest plies from the start to every position.
fn plies(graph: &Graph) -> Vec<Option<u32>> {
    let mut plies = vec![None; graph.nodes().len()];
    let mut queue = VecDeque::new();
    if let Some(start) = graph.place(graph.start()) {
        plies[start] = Some(0);
        queue.push_back((start, 0));
    }
    while let Some((place, ply)) = queue.pop_front() {
        for link in &graph.nodes()[place].links {
            if let Some(to) = graph.place(link.to)
                && plies[to].is_none()
            {
                plies[to] = Some(ply + 1);
                queue.push_back((to, ply + 1));
            }
        }
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::super::folded::Folded;
    use super::super::searching::SearchedMove;
    use super::*;
    use crate::board::Position;
    use crate::rules::{Rules, legal_moves};

    /// Adds a position with these scores for its first moves; returns where the moves lead.
    fn add(graph: &mut Graph, position: &Position, scores: &[i32]) -> Vec<Position> {
        let rules = *graph.rules();
        let (folded, _) = Folded::of(&rules, position);
        let position = folded.position();
        let moves = legal_moves(&rules, &position);
        let records: Vec<SearchedMove> = (moves.iter().zip(scores))
            .map(|(&mv, &score)| SearchedMove {
                mv,
                score: Score::from_raw(score),
            })
            .collect();
        assert_eq!(records.len(), scores.len());
        graph.add(folded, &records);
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
            let judgement = Judgement::of(graph);
            (judgement.best(0), judgement.scores(0).to_vec())
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
        // One ply more, and the good answer was none.
        add(&mut graph, &further[0], &[15]);
        assert_eq!(judged(&graph).1, scores([-5, won.raw(), -10]));
        let judgement = Judgement::of(&graph);
        let plies: Vec<_> = (0..4).map(|place| judgement.ply(place)).collect();
        assert_eq!(plies, [Some(0), Some(1), Some(1), Some(2)]);
    }

    #[test]
    fn positions_that_nothing_leads_to_are_known_as_such() {
        let rules = Rules::STANDARD;
        let mut graph = Graph::new(rules);
        let start = rules.start();
        let lost = start.play(legal_moves(&rules, &start)[0]);
        add(&mut graph, &lost, &[1]);
        let judgement = Judgement::of(&graph);
        assert_eq!((judgement.ply(0), judgement.best(0)), (None, None));
    }
}

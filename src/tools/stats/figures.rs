//! Counters of the games of a run and of their searches.

use std::fmt;

use serde::{Serialize, Serializer};

use vato_engine::board::{Move, Position, Side};
use vato_engine::rules::{Outcome, Rules, count_paths, legal_moves, shortest_path};
use vato_engine::search::{Bound, NodeCounts, Report, SearchCounts};

/// Adds each of these fields of the second struct to the first.
macro_rules! add {
    ($sum:ident += $more:ident: $($field:ident),+) => {
        $($sum.$field += $more.$field;)+
    };
}

/// A phase of the game, by the least and the largest number of stones on the board, both sides together.
///
/// The game opens with 44 stones and many captures; after some ten turns a dozen stones are left, and most
/// of the game is played with those. Smaller boards begin in a later phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase(pub u32, pub u32);

impl Phase {
    /// All phases, from the start of the game to its end.
    pub const ALL: [Phase; 7] = [
        Phase(40, 45),
        Phase(30, 39),
        Phase(20, 29),
        Phase(13, 19),
        Phase(8, 12),
        Phase(5, 7),
        Phase(0, 4),
    ];

    /// The index in [`Phase::ALL`] of positions with this many stones.
    pub fn index_of(stones: u32) -> usize {
        let phase = Phase::ALL.iter().position(|phase| stones >= phase.0);
        phase.unwrap_or(Phase::ALL.len() - 1)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Phase(least, 45) => format!("{least}+"),
            Phase(0, most) => format!("1-{most}"),
            Phase(least, most) => format!("{least}-{most}"),
        };
        f.pad(&text)
    }
}

impl Serialize for Phase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Results of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameResults {
    /// Games that White won.
    pub white_wins: u64,
    /// Drawn games, including those aborted at the maximum length.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Plies of all games, including those of the opening.
    pub plies: u64,
}

impl GameResults {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins
    }

    pub(super) fn count(&mut self, outcome: Option<Outcome>, plies: usize) {
        self.plies += plies as u64;
        match outcome.and_then(|outcome| outcome.winner) {
            Some(Side::White) => self.white_wins += 1,
            Some(Side::Black) => self.black_wins += 1,
            None => self.draws += 1,
        }
    }

    fn add(&mut self, other: &GameResults) {
        add!(self += other: white_wins, draws, black_wins, plies);
    }
}

/// Sums over positions of one phase.
///
/// Paths with the same origin, end point and captured stones make one move (a *result*); the search sees moves,
/// players choose paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PositionFigures {
    /// Positions in which a move was chosen.
    pub positions: u64,
    /// Those in which a capture is compulsory.
    pub compulsory: u64,
    /// Those with a single legal move.
    pub forced: u64,
    /// Legal moves, summed.
    pub results: u64,
    /// The maximum number of legal moves in one position.
    pub most_results: u64,
    /// Legal paths, summed.
    pub paths: u64,
    /// Steps of the shortest path of each legal move, summed.
    pub result_steps: u64,
    /// Capturing turns played.
    pub captures: u64,
    /// Their steps.
    pub capture_steps: u64,
    /// The maximum number of steps of one of them.
    pub most_capture_steps: u64,
    /// The stones they captured.
    pub captured: u64,
}

impl PositionFigures {
    /// Counts a position and the turn played in it. Returns the number of legal moves.
    pub(super) fn count(&mut self, rules: &Rules, position: &Position, played: Move) -> u64 {
        let moves = legal_moves(rules, position);
        let results = moves.len() as u64;
        let paika = moves.iter().any(|mv| !mv.is_capture());
        self.positions += 1;
        self.compulsory += u64::from(!paika);
        self.forced += u64::from(results == 1);
        self.results += results;
        self.most_results = self.most_results.max(results);
        self.paths += count_paths(rules, position);
        for &mv in &moves {
            self.result_steps += steps(rules, position, mv);
        }
        if played.is_capture() {
            let steps = steps(rules, position, played);
            self.captures += 1;
            self.capture_steps += steps;
            self.most_capture_steps = self.most_capture_steps.max(steps);
            self.captured += u64::from(played.captured().count());
        }
        results
    }

    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &PositionFigures) {
        self.most_results = self.most_results.max(other.most_results);
        self.most_capture_steps = self.most_capture_steps.max(other.most_capture_steps);
        add!(self += other: positions, compulsory, forced, results, paths, result_steps);
        add!(self += other: captures, capture_steps, captured);
    }
}

/// Steps of the shortest path of a legal move.
fn steps(rules: &Rules, position: &Position, mv: Move) -> u64 {
    shortest_path(rules, position, mv).map_or(0, |path| path.steps.len() as u64)
}

/// The maximum depth with a counter of its own, in plies.
const MOST_DEPTH: usize = 40;

/// The first iteration used for the growth of the tree, in plies; earlier ones are too small.
const FIRST_DEPTH: u32 = 4;

/// Sums over the iterations of one depth. Scores are in centi-stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DepthFigures {
    /// Iterations whose score and previous score are both undecided.
    pub iterations: u64,
    /// Sum of the score changes since the previous iteration.
    pub change: i64,
    /// Sum of their absolute values.
    pub swing: u64,
    /// Iterations whose best move differs from that of the previous one.
    pub new_best: u64,
}

impl DepthFigures {
    fn add(&mut self, other: &DepthFigures) {
        add!(self += other: iterations, change, swing, new_best);
    }
}

/// Sums over the searches of one phase. Scores are in centi-stones, from the view of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationFigures {
    /// Searches with more than one legal move.
    pub searches: u64,
    /// Sum of the completed depths.
    pub depths: u64,
    /// Iterations by depth, from 0 to 40.
    pub by_depth: Vec<DepthFigures>,
    /// Sum of the logarithms of the growth factors of the nodes (cumulative) from the end of iteration 4 to
    /// that of the last completed one.
    pub growth: f64,
    /// Sum of the plies of that growth.
    pub growth_plies: u64,
    /// Moves where this score and that of the same side's previous move are both undecided.
    pub successive: u64,
    /// Sum of the absolute score changes between them.
    pub successive_swing: u64,
}

impl Default for IterationFigures {
    fn default() -> IterationFigures {
        IterationFigures {
            searches: 0,
            depths: 0,
            by_depth: vec![DepthFigures::default(); MOST_DEPTH + 1],
            growth: 0.0,
            growth_plies: 0,
            successive: 0,
            successive_swing: 0,
        }
    }
}

impl IterationFigures {
    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &IterationFigures) {
        add!(self += other: searches, depths, growth, growth_plies, successive, successive_swing);
        for (sum, more) in self.by_depth.iter_mut().zip(&other.by_depth) {
            sum.add(more);
        }
    }

    /// The effective branching factor: growth of the cumulative nodes per iteration; `None` if no search was
    /// deep enough.
    pub fn branching_factor(&self) -> Option<f64> {
        (self.growth_plies > 0).then(|| (self.growth / self.growth_plies as f64).exp())
    }

    /// The sums over the iterations of depths from 5 on with these remainders by 2.
    pub fn deep(&self, parities: &[usize]) -> DepthFigures {
        let mut sum = DepthFigures::default();
        let deep = self.by_depth.iter().enumerate().skip(5);
        for (_, figures) in deep.filter(|(depth, _)| parities.contains(&(depth % 2))) {
            sum.add(figures);
        }
        sum
    }

    /// Counts a search by its reports; returns its score if undecided. `before` is the score of the same side's
    /// previous search.
    pub(super) fn count(&mut self, lines: &[Iteration], before: Option<i32>) -> Option<i32> {
        let last = lines.last()?;
        self.searches += 1;
        self.depths += u64::from(last.depth);
        for pair in lines.windows(2) {
            let (Some(old), Some(new)) = (pair[0].score, pair[1].score) else {
                continue;
            };
            let Some(figures) = self.by_depth.get_mut(pair[1].depth as usize) else {
                continue;
            };
            figures.iterations += 1;
            figures.change += i64::from(new - old);
            figures.swing += u64::from(new.abs_diff(old));
            figures.new_best += u64::from(pair[0].best != pair[1].best);
        }
        let first = lines.iter().find(|line| line.depth == FIRST_DEPTH);
        if let Some(first) = first
            && last.depth > first.depth
        {
            self.growth += (last.nodes as f64 / first.nodes as f64).ln();
            self.growth_plies += u64::from(last.depth - first.depth);
        }
        if let (Some(score), Some(before)) = (last.score, before) {
            self.successive += 1;
            self.successive_swing += u64::from(score.abs_diff(before));
        }
        last.score
    }
}

/// A completed iteration of a search.
#[derive(Debug)]
pub(super) struct Iteration {
    depth: u32,
    /// In centi-stones; `None` if it is decided.
    score: Option<i32>,
    best: Option<Move>,
    /// Nodes since the search began.
    nodes: u64,
}

impl Iteration {
    /// The iteration of this depth, if a search with one thread reports it.
    pub(super) fn of(report: &Report, depth: u32) -> Option<Iteration> {
        let Report::Line(line) = report else {
            return None;
        };
        let is_it = line.bound == Bound::Exact && line.multipv == 1 && line.depth == depth;
        (line.complete && is_it).then(|| Iteration {
            depth,
            score: (!line.score.is_decided()).then(|| line.score.raw()),
            best: line.pv.first().copied(),
            nodes: line.nodes.max(1),
        })
    }
}

/// The figures of one phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseFigures {
    /// The positions of the games and the turns played in them.
    pub positions: PositionFigures,
    /// The searches from them.
    pub iterations: IterationFigures,
}

impl PhaseFigures {
    fn add(&mut self, other: &PhaseFigures) {
        self.positions.add(&other.positions);
        self.iterations.add(&other.iterations);
    }
}

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// The results of the games.
    pub results: GameResults,
    /// The figures by phase, in the order of [`Phase::ALL`].
    pub phases: [PhaseFigures; Phase::ALL.len()],
    /// Nodes of all searches.
    pub nodes: u64,
    /// The counters of the search; `None` in a build without the feature `stats`.
    pub search: Option<SearchCounts>,
}

impl Figures {
    /// Adds the figures of `other`.
    pub fn add(&mut self, other: &Figures) {
        self.results.add(&other.results);
        for (sum, more) in self.phases.iter_mut().zip(&other.phases) {
            sum.add(more);
        }
        self.nodes += other.nodes;
        if let Some(more) = &other.search {
            self.search.get_or_insert_default().add(more);
        }
    }

    /// The counters of the search at nodes of each of [`Phase::ALL`]; `None` in a build without the feature
    /// `stats`.
    pub fn search_by_phase(&self) -> Option<[NodeCounts; Phase::ALL.len()]> {
        let search = self.search.as_ref()?;
        let mut phases = [NodeCounts::default(); Phase::ALL.len()];
        for (stones, counts) in search.by_stones.iter().enumerate() {
            phases[Phase::index_of(stones as u32)].add(*counts);
        }
        Some(phases)
    }

    /// The sums over all phases.
    pub fn all_phases(&self) -> PhaseFigures {
        let mut all = PhaseFigures::default();
        self.phases.iter().for_each(|phase| all.add(phase));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::Game;

    #[test]
    fn every_number_of_stones_has_its_phase() {
        for stones in 0..=45 {
            let Phase(least, most) = Phase::ALL[Phase::index_of(stones)];
            assert!((least..=most).contains(&stones), "{stones}");
        }
    }

    #[test]
    fn the_start_position() {
        let game = Game::new(Rules::STANDARD);
        let mut figures = PositionFigures::default();
        for &mv in &legal_moves(game.rules(), game.position()) {
            figures.count(game.rules(), game.position(), mv);
        }
        assert_eq!(figures.positions, 5);
        assert_eq!(figures.compulsory, 5);
        assert_eq!(figures.results, 25);
        assert_eq!(figures.paths, 25);
        assert_eq!((figures.captures, figures.forced), (5, 0));
        assert_eq!(figures.capture_steps, 5);
    }
}

//! How a match stands.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;

use super::game::Check;
use super::record::GameEntry;
use super::settings::MatchSettings;
use super::statistics::{GameScore, Tally};
use super::verdict::Termination;
use crate::board::Side;

/// The longest delay that is told apart, in microseconds.
const LONGEST_DELAY: u64 = 3_600_000_000;

/// Everything that the summary of a match says. From the view of the first engine where one has to
/// be chosen.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The engines' names.
    pub names: [String; 2],
    /// Points, games and pairs.
    pub tally: Tally,
    /// The same for each opening, by its name.
    pub by_opening: BTreeMap<String, Tally>,
    /// How games ended; faults by the engine (0 or 1) that lost by them.
    pub terminations: BTreeMap<(Termination, Option<usize>), u32>,
    /// What each engine did.
    pub engines: [EngineFigures; 2],
    /// Plies of all games.
    pub plies: u64,
}

/// What an engine did over the match.
#[derive(Clone, Debug)]
pub struct EngineFigures {
    /// Moves of its own.
    pub moves: u64,
    /// Their time, in seconds.
    pub seconds: f64,
    /// Nodes, as far as it told them; without those of moves that it thought about on the opponent's
    /// time.
    pub nodes: u64,
    /// The time of these nodes, in seconds.
    pub node_seconds: f64,
    /// Sum of the depths that it told, and how often it did.
    pub depths: (u64, u64),
    /// Failed checks: how often, and the first example with its game.
    pub checks: BTreeMap<Check, (u64, String)>,
    /// Microseconds between the time that it announced and the time that was measured.
    delays: Histogram<u64>,
}

impl Default for EngineFigures {
    fn default() -> EngineFigures {
        EngineFigures {
            moves: 0,
            seconds: 0.0,
            nodes: 0,
            node_seconds: 0.0,
            depths: (0, 0),
            checks: BTreeMap::new(),
            delays: Histogram::new_with_bounds(1, LONGEST_DELAY, 2)
                .expect("bounds and precision are valid"),
        }
    }
}

impl EngineFigures {
    /// Mean depth, `None` if it told none.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        let (sum, count) = self.depths;
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// Nodes a second, `None` if it told none.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        let known = self.nodes > 0 && self.node_seconds > 0.0;
        known.then(|| self.nodes as f64 / self.node_seconds)
    }

    /// Median and longest delay between the time that it announced and the time that was measured,
    /// in milliseconds; `None` if it announced none.
    #[must_use]
    pub fn delays(&self) -> Option<(f64, f64)> {
        let milliseconds = |micros: u64| micros as f64 / 1e3;
        (!self.delays.is_empty()).then(|| {
            (
                milliseconds(self.delays.value_at_quantile(0.5)),
                milliseconds(self.delays.max()),
            )
        })
    }

    /// Adds a failed check.
    pub(super) fn add_check(&mut self, check: Check, count: u32, example: impl FnOnce() -> String) {
        self.checks.entry(check).or_insert_with(|| (0, example())).0 += u64::from(count);
    }
}

impl Standings {
    /// A match without games.
    #[must_use]
    pub fn new(settings: &MatchSettings) -> Standings {
        let name = |index: usize| {
            let engine = settings.engines.get(index);
            engine
                .and_then(|engine| engine.name.clone())
                .unwrap_or_default()
        };
        Standings {
            names: [name(0), name(1)],
            tally: Tally::default(),
            by_opening: BTreeMap::new(),
            terminations: BTreeMap::new(),
            engines: Default::default(),
            plies: 0,
        }
    }

    /// Adds a finished game.
    pub fn add(&mut self, entry: &GameEntry) {
        let first_is_white = entry.white == self.names[0];
        let colour = if first_is_white {
            Side::White
        } else {
            Side::Black
        };
        let score = match &entry.winner {
            None => GameScore::Draw,
            Some(winner) if *winner == self.names[0] => GameScore::Win,
            Some(_) => GameScore::Loss,
        };
        self.tally.add(entry.pair, colour, score);
        self.by_opening
            .entry(entry.opening.name.clone())
            .or_default()
            .add(entry.pair, colour, score);
        let loser = entry
            .winner
            .as_ref()
            .map(|winner| usize::from(*winner == self.names[0]));
        let blamed = loser.filter(|_| entry.termination.is_fault());
        *self
            .terminations
            .entry((entry.termination, blamed))
            .or_default() += 1;
        self.plies += u64::from(entry.plies);
        self.add_moves(entry, first_is_white);
        for finding in &entry.checks {
            let engine = usize::from(finding.engine != self.names[0]);
            self.engines[engine].add_check(finding.check, finding.count, || {
                format!("game {}: {}", entry.game, finding.example)
            });
        }
    }

    fn add_moves(&mut self, entry: &GameEntry, first_is_white: bool) {
        // Black may have begun, in an opening that is a position.
        let black_begins = entry
            .opening
            .fen
            .as_ref()
            .is_some_and(|fen| fen.split_whitespace().nth(1) == Some("b"));
        for (ply, mv) in entry.moves.iter().enumerate() {
            let Some(time_ms) = mv.time_ms else {
                continue;
            };
            let by_white = ply.is_multiple_of(2) != black_begins;
            let figures = &mut self.engines[usize::from(by_white != first_is_white)];
            figures.moves += 1;
            figures.seconds += time_ms / 1e3;
            if let Some(nodes) = mv.nodes.filter(|_| !mv.pondered) {
                figures.nodes += nodes;
                figures.node_seconds += time_ms / 1e3;
            }
            if let Some(depth) = mv.depth {
                figures.depths.0 += u64::from(depth);
                figures.depths.1 += 1;
            }
            if let Some(announced) = mv.announced_ms.filter(|_| !mv.pondered) {
                // Engines round to milliseconds: a delay below zero is none.
                let delay = (time_ms - announced as f64).max(0.0) * 1e3;
                figures.delays.saturating_record(delay as u64);
            }
        }
    }

    /// Games that engines have lost by faults of their own.
    #[must_use]
    pub fn faults(&self) -> u32 {
        self.terminations
            .iter()
            .filter(|((termination, _), _)| termination.is_fault())
            .map(|(_, count)| count)
            .sum()
    }
}

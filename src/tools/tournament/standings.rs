//! How a match stands.

use std::collections::BTreeMap;
use std::time::Duration;

use super::formats::Scored;
use super::game::Check;
use super::record::GameEntry;
use super::settings::{EngineSettings, MatchSettings, TournamentFormat};
use super::statistics::{GameCounts, Tally};
use crate::clock::{PlayerClock, TimeControl};
use vato_engine::board::Side;
use vato_records::pgn::Termination;

use serde::{Serialize, Serializer};

/// All figures of a summary; of two engines from the view of the first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standings {
    /// Games that have been played.
    pub games: u64,
    /// Figures of each engine.
    pub engines: Vec<EngineFigures>,
    /// For two engines: points, games and pairs. A vela counts rounds, not games.
    #[serde(skip)]
    pub tally: Tally,
    /// The games (or rounds) of each engine against each other, from its own view.
    pub crosstable: Vec<Vec<GameCounts>>,
    /// How games ended; faults by the engine that lost by them.
    #[serde(rename = "terminations", serialize_with = "values")]
    pub ends: BTreeMap<(Termination, Option<usize>), Ends>,
    /// Games that engines have lost by faults of their own.
    pub faults: u32,
    /// Plies of a game on average.
    pub mean_plies: f64,
    /// The tally of each opening, by its name, with the first pair that began with it; where games are
    /// counted.
    #[serde(rename = "openings", serialize_with = "write_openings")]
    by_opening: BTreeMap<String, (u32, Tally)>,
    #[serde(skip)]
    plies: u64,
    /// Whether games are counted, not rounds.
    #[serde(skip)]
    counts_games: bool,
    /// The engines' time controls, where they have clocks.
    #[serde(skip)]
    clocks: Vec<Option<TimeControl>>,
}

/// The values of a map, without its keys.
fn values<K, V: Serialize, S: Serializer>(
    map: &BTreeMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map.values())
}

fn write_openings<S: Serializer>(
    by_opening: &BTreeMap<String, (u32, Tally)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(in_order(by_opening))
}

/// The tallies of the openings, in the order of the numbers at the end of their names, those without
/// a number in the order of the schedule.
fn in_order(by_opening: &BTreeMap<String, (u32, Tally)>) -> Vec<(&str, &Tally)> {
    let mut openings: Vec<_> = by_opening.iter().collect();
    openings.sort_by_key(|(name, (first, _))| {
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (name[digits..].parse().unwrap_or(0_u64), *first)
    });
    let openings = openings.into_iter();
    let openings = openings.map(|(name, (_, tally))| (name.as_str(), tally));
    openings.collect()
}

/// The figures of an engine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EngineFigures {
    /// Its name.
    pub name: String,
    /// Moves of its own.
    pub moves: u64,
    /// Its answers: the moves, and what lost games in place of one.
    #[serde(skip)]
    pub answers: u64,
    /// Their time, in seconds.
    pub seconds: f64,
    /// Reported nodes, without those of moves that it pondered.
    pub nodes: u64,
    /// The time of these nodes, in seconds.
    #[serde(skip)]
    node_seconds: f64,
    /// `None` if no depth was reported.
    pub mean_depth: Option<f64>,
    /// Sum and number of reported depths.
    #[serde(skip)]
    depths: (u64, u64),
    /// Of the delays between the time that it announced and the time that was measured; `None` if it announced none.
    pub median_delay_ms: Option<f64>,
    /// The longest of these delays.
    pub longest_delay_ms: Option<f64>,
    /// Histogram of delays: microseconds, to three digits, beyond the reported time.
    #[serde(skip)]
    delays: BTreeMap<u64, u64>,
    /// The share of the time on its clocks that it has used, from 0 to 1; `None` without a clock.
    pub time_share: Option<f64>,
    /// Seconds used of clocks, and left on them at the ends of games.
    #[serde(skip)]
    clock_seconds: (f64, f64),
    /// The least that was left on its clock when it answered; `None` without a clock.
    pub least_left_ms: Option<f64>,
    /// Games forfeited after it was withdrawn.
    pub withdrawn: u32,
    /// Answers later than their time, within the margin or not.
    pub late: u64,
    /// Failed checks, but for late answers.
    #[serde(serialize_with = "values")]
    pub checks: BTreeMap<Check, FailedCheck>,
}

/// A failed check of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedCheck {
    /// The check.
    pub check: Check,
    /// How often it failed.
    pub count: u64,
    /// The first example with its game.
    pub example: String,
}

/// An end of games.
#[derive(Clone, Debug, Serialize)]
pub struct Ends {
    /// The end.
    pub termination: Termination,
    /// The engine that lost by it, if it is a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How many games.
    pub games: u32,
}

impl EngineFigures {
    /// Nodes a second, `None` if none were reported.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let known = self.nodes > 0 && self.node_seconds > 0.0;
        known.then(|| self.nodes as f64 / self.node_seconds)
    }

    /// Completes the figures after a game that has left so many seconds on its clock.
    fn end_game(&mut self, left: f64) {
        let (sum, count) = self.depths;
        self.mean_depth = (count > 0).then(|| sum as f64 / count as f64);
        let middle = self.delays.values().sum::<u64>().div_ceil(2);
        let mut count = 0;
        let median = self.delays.iter().find(|(_, times)| {
            count += *times;
            count >= middle
        });
        let milliseconds = |(micros, _): (&u64, &u64)| *micros as f64 / 1e3;
        self.median_delay_ms = median.map(milliseconds);
        self.longest_delay_ms = self.delays.last_key_value().map(milliseconds);
        self.clock_seconds.1 += left;
        let (used, left) = self.clock_seconds;
        self.time_share = self.least_left_ms.map(|_| used / (used + left).max(1e-9));
    }
}

impl Standings {
    /// A match without games.
    pub fn new(settings: &MatchSettings) -> Standings {
        let figures = |engine: &EngineSettings| EngineFigures {
            name: engine.name.clone().unwrap_or_default(),
            ..EngineFigures::default()
        };
        let engines: Vec<EngineFigures> = settings.engines.iter().map(figures).collect();
        let count = engines.len();
        let mut tally = Tally::default();
        tally.skips_abandoned = settings.sprt.is_some_and(|sprt| sprt.skip_abandoned);
        Standings {
            engines,
            tally,
            crosstable: vec![vec![GameCounts::default(); count]; count],
            counts_games: settings.format() != TournamentFormat::Vela,
            clocks: settings.engines.iter().map(|engine| engine.tc).collect(),
            ..Standings::default()
        }
    }

    /// The engines' names.
    pub fn names(&self) -> Vec<&str> {
        self.engines.iter().map(|engine| &*engine.name).collect()
    }

    pub(super) fn engine(&self, name: &str) -> Option<usize> {
        self.engines.iter().position(|engine| engine.name == name)
    }

    /// All games (or rounds) of an engine.
    pub fn total(&self, engine: usize) -> GameCounts {
        let games = self.crosstable[engine].iter();
        games.fold(GameCounts::default(), |sum, counts| sum.plus(counts))
    }

    /// Adds a finished game between these players, White first, and `scored` to the score.
    pub(super) fn add(
        &mut self,
        entry: &GameEntry,
        players: [usize; 2],
        winner: Option<Side>,
        scored: Option<Scored>,
    ) {
        self.games += 1;
        if let Some(scored) = scored {
            self.score(entry, scored);
        }
        let loser = winner.map(|winner| players[(!winner).index()]);
        let blamed = loser.filter(|_| entry.termination.is_fault());
        let name = blamed.map(|engine| self.engines[engine].name.clone());
        let end = self.ends.entry((entry.termination, blamed));
        let end = end.or_insert(Ends {
            termination: entry.termination,
            engine: name,
            games: 0,
        });
        end.games += 1;
        self.faults += u32::from(blamed.is_some());
        for engine in players {
            let has_won = loser.is_some_and(|loser| loser != engine);
            if entry.termination == Termination::Withdrawn && !has_won {
                self.engines[engine].withdrawn += 1;
            }
        }
        use Termination::{IllegalMove, Resignation, TimeLoss, UnparsableAnswer};
        let answers = [Resignation, TimeLoss, IllegalMove, UnparsableAnswer];
        if let Some(loser) = loser.filter(|_| answers.contains(&entry.termination)) {
            self.engines[loser].answers += 1;
        }
        self.plies += u64::from(entry.plies);
        self.mean_plies = self.plies as f64 / self.games as f64;
        self.add_moves(entry, players);
        for finding in &entry.checks {
            let by_white = finding.engine == entry.white;
            let figures = &mut self.engines[players[usize::from(!by_white)]];
            let (check, count) = (finding.check, u64::from(finding.count));
            if check == Check::LateAnswer {
                figures.late += count;
                continue;
            }
            let failed = figures.checks.entry(check).or_insert_with(|| FailedCheck {
                check,
                count: 0,
                example: format!("game {}: {}", entry.game, finding.example),
            });
            failed.count += count;
        }
    }

    /// Adds the score of a game, or of its round.
    fn score(&mut self, entry: &GameEntry, scored: Scored) {
        let [first, second] = scored.players;
        self.crosstable[first][second].add(scored.score);
        self.crosstable[second][first].add(scored.score.reversed());
        if self.engines.len() != 2 {
            return;
        }
        let pair = scored.pair;
        let (colour, score) = match first {
            0 => (Side::White, scored.score),
            _ => (Side::Black, scored.score.reversed()),
        };
        let is_abandoned = entry.termination.is_abandoned();
        self.tally.add(pair, colour, score, is_abandoned);
        if self.counts_games {
            let opening = self.by_opening.entry(entry.opening.name.clone());
            let (first, tally) = opening.or_insert_with(|| (pair, Tally::default()));
            *first = pair.min(*first);
            tally.add(pair, colour, score, is_abandoned);
        }
    }

    fn add_moves(&mut self, entry: &GameEntry, [white, black]: [usize; 2]) {
        // Black may have begun, in an opening that is a position.
        let fen = entry.opening.fen.as_deref().unwrap_or_default();
        let black_begins = fen.split_whitespace().nth(1) == Some("b");
        let clock = |engine: usize| PlayerClock::new(self.clocks[engine], None, Duration::ZERO);
        let mut clocks = [white, black].map(clock);
        for (ply, mv) in entry.moves.iter().enumerate() {
            let Some(time_ms) = mv.time_ms else {
                continue;
            };
            let by_white = ply.is_multiple_of(2) != black_begins;
            let figures = &mut self.engines[if by_white { white } else { black }];
            let clock = &mut clocks[usize::from(!by_white)];
            // Records may say any time.
            let used = Duration::try_from_secs_f64(time_ms / 1e3).unwrap_or_default();
            if let Some(left) = clock.clock().map(|clock| clock.remaining) {
                let used = used.min(left);
                let still = 1e3 * (left - used).as_secs_f64();
                figures.least_left_ms = Some(figures.least_left_ms.unwrap_or(still).min(still));
                figures.clock_seconds.0 += used.as_secs_f64();
                // No more than there is.
                let _ = clock.spend(used);
            }
            figures.moves += 1;
            figures.answers += 1;
            figures.seconds += time_ms / 1e3;
            if let Some(nodes) = mv.nodes.filter(|_| !mv.pondered) {
                // Engines may report any number.
                figures.nodes = figures.nodes.saturating_add(nodes);
                figures.node_seconds += time_ms / 1e3;
            }
            if let Some(depth) = mv.depth {
                figures.depths.0 += u64::from(depth);
                figures.depths.1 += 1;
            }
            if let Some(announced) = mv.announced_ms.filter(|_| !mv.pondered) {
                // Engines round to milliseconds: a delay below zero is none.
                let delay = ((time_ms - announced as f64).max(0.0) * 1e3) as u64;
                let digits = delay.checked_ilog10().unwrap_or(0);
                let unit = 10_u64.pow(digits.saturating_sub(2));
                *figures.delays.entry(delay / unit * unit).or_default() += 1;
            }
        }
        for (engine, clock) in [white, black].into_iter().zip(clocks) {
            let left = clock.clock().unwrap_or_default().remaining;
            self.engines[engine].end_game(left.as_secs_f64());
        }
    }

    /// The tallies of the openings, in the order of the suite.
    pub fn openings(&self) -> Vec<(&str, &Tally)> {
        in_order(&self.by_opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match of engines with these names.
    fn standings(names: &[&str]) -> Standings {
        let mut settings = MatchSettings::default();
        for name in names {
            let engine = format!("name={name}").parse();
            settings.engines.push(engine.expect("an engine"));
        }
        Standings::new(&settings)
    }

    /// Adds a game of A, White, against B.
    fn add(standings: &mut Standings, termination: &str, winner: Option<Side>, moves: &str) {
        let text = format!(
            r#"{{"game": 1, "pair": 1, "white": "A", "black": "B", "result": "1-0",
            "opening": {{"name": "start", "fen": null, "moves": []}}, "winner": null,
            "termination": "{termination}", "reason": "", "line": null, "plies": 2,
            "started": "", "seconds": 0.0, "moves": {moves}}}"#
        );
        let entry = serde_json::from_str(&text).expect("an entry");
        standings.add(&entry, [0, 1], winner, None);
    }

    #[test]
    fn openings_are_in_the_order_of_the_suite() {
        let mut standings = standings(&["A", "B"]);
        let [one, ten, eleven, two] = ["x 1", "x 10", "x 11", "x 2"].map(|name| (1, name));
        for (pair, name) in [(4, "vakiloha"), (3, "havanana"), one, ten, eleven, two] {
            let counted = (pair, Tally::default());
            standings.by_opening.insert(name.to_owned(), counted);
        }
        let names: Vec<&str> = standings.openings().iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            ["havanana", "vakiloha", "x 1", "x 2", "x 10", "x 11"]
        );
    }

    #[test]
    fn engines_may_say_any_number() {
        let mut standings = standings(&["A", "B"]);
        let most = format!(
            r#"[{{"move": "a", "time_ms": 1.0, "nodes": {0}, "depth": {1}, "announced_ms": {0}}}]"#,
            u64::MAX,
            u32::MAX
        );
        for _ in 0..3 {
            add(&mut standings, "normal", Some(Side::White), &most);
        }
        assert_eq!(standings.engines[0].nodes, u64::MAX);
        assert_eq!(standings.engines[0].mean_depth, Some(f64::from(u32::MAX)));
    }

    /// 10 s and 1 s a move: 4 s used leave 6, of 7 with the increment 6.5 leave a half.
    #[test]
    fn clocks_tell_what_was_used_and_left() {
        let mut standings = standings(&["A", "B"]);
        standings.clocks[0] = "10+1".parse().ok();
        let moves = r#"[{"move": "a", "time_ms": 4000.0}, {"move": "b", "time_ms": 1.0},
            {"move": "c", "time_ms": 6500.0}, {"move": "d", "time_ms": -1e300}]"#;
        add(&mut standings, "normal", Some(Side::White), moves);
        let [a, b] = [0, 1].map(|engine| &standings.engines[engine]);
        assert_eq!(a.least_left_ms, Some(500.0));
        // 10.5 of 12 seconds.
        assert_eq!(a.time_share, Some(10.5 / 12.0));
        assert_eq!((b.least_left_ms, b.time_share), (None, None));
    }

    /// A late one loses the game and is no move.
    #[test]
    fn answers_are_moves_and_what_lost_a_game() {
        let mut standings = standings(&["A", "B"]);
        let moves = r#"[{"move": "a", "time_ms": 1.0}]"#;
        for end in ["time-loss", "resignation", "hang", "normal"] {
            add(&mut standings, end, Some(Side::White), moves);
        }
        let answers = [0, 1].map(|engine| standings.engines[engine].answers);
        assert_eq!(answers, [4, 2]);
    }

    #[test]
    fn games_without_a_withdrawn_engine_are_its_own() {
        let mut standings = standings(&["A", "B", "C"]);
        let won = Some(Side::White);
        // It is for the runner to say when an engine is withdrawn.
        for (termination, winner, withdrawn) in [
            ("no-start", won, [0, 0]),
            ("no-start", won, [0, 0]),
            ("no-start", won, [0, 0]),
            ("withdrawn", won, [0, 1]),
            ("normal", won, [0, 1]),
            ("withdrawn", None, [1, 2]),
            ("withdrawn", Some(Side::Black), [2, 2]),
        ] {
            add(&mut standings, termination, winner, "[]");
            let found = [0, 1].map(|engine| standings.engines[engine].withdrawn);
            assert_eq!(found, withdrawn, "{termination}");
        }
        // A game that nobody came to was lost by nobody.
        assert_eq!(standings.faults, 5);
    }
}

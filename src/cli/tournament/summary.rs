//! The result of a match: as JSON, and the data of its text.

use serde::{Serialize, Serializer};
use sysinfo::System;
use vato_engine::notation::pgn::Termination;
use vato_tools::tournament::record::Record;
use vato_tools::tournament::settings::MatchSettings;
use vato_tools::tournament::statistics::{Figures, GameCounts, Ratings, SprtState, Tally};
use vato_tools::tournament::{
    Check, Ending, EngineFigures, Extent, MatchState, Missing, Ranking, Standings,
};

/// The whole result. What is about two engines is from the view of the first.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// `complete`, `decided` (by the sequential test) or `stopped`.
    pub ending: &'static str,
    /// The system by which engines are paired.
    pub format: &'static str,
    /// How much of it has been played.
    pub extent: Extent,
    /// Games that have been played.
    pub games: u64,
    pub engines: Vec<Engine<'a>>,
    /// Of two engines: games (in a vela, rounds) and pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<&'a Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// The engines in their order.
    pub ranking: Ranking,
    /// The games (in a vela, rounds) of each engine against each, from the view of the first; engines as
    /// in `engines`.
    pub crosstable: &'a [Vec<GameCounts>],
    /// The likelihood that each engine is stronger than each other, by the single games of the crosstable; engines as
    /// there. `null` where they have not met.
    pub superiority: Vec<Vec<Option<f64>>>,
    /// Of three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Ratings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    pub terminations: Vec<Ends<'a>>,
    pub faults: u32,
    pub mean_plies: f64,
    /// For each opening, in the order of the suite.
    #[serde(serialize_with = "as_map")]
    pub openings: Vec<(&'a str, &'a Tally)>,
    /// Load averages of the machine over 1, 5 and 15 minutes at the end, and its processors, where the
    /// match was played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    pub settings: &'a MatchSettings,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// Games and shards missing from a merged match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
}

#[derive(Serialize)]
pub struct Engine<'a> {
    pub name: &'a str,
    pub moves: u64,
    #[serde(skip)]
    pub answers: u64,
    pub seconds: f64,
    pub nodes: u64,
    #[serde(skip)]
    pub nodes_per_second: Option<f64>,
    pub mean_depth: Option<f64>,
    pub median_delay_ms: Option<f64>,
    pub longest_delay_ms: Option<f64>,
    /// The share of the time on its clocks that it has used, from 0 to 1.
    pub time_share: Option<f64>,
    /// The least that was left on its clock when it answered.
    pub least_left_ms: Option<f64>,
    /// Games that were given to others without trying it.
    pub withdrawn: u32,
    /// Answers later than their time, within the margin or not.
    pub late: u64,
    pub checks: Vec<FailedCheck<'a>>,
}

/// How busy the machine is.
#[derive(Serialize)]
pub struct Load {
    pub averages: [f64; 3],
    pub processors: usize,
}

impl Load {
    /// The load now; `None` where the system does not tell.
    pub fn now() -> Option<Load> {
        let load = System::load_average();
        let averages = [load.one, load.five, load.fifteen];
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let is_known = averages.iter().any(|&average| average > 0.0);
        is_known.then_some(Load {
            averages,
            processors,
        })
    }
}

#[derive(Serialize)]
pub struct FailedCheck<'a> {
    pub check: Check,
    pub count: u64,
    pub example: &'a str,
}

/// How games ended; faults with the engine that lost by them.
#[derive(Serialize)]
pub struct Ends<'a> {
    pub termination: Termination,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'a str>,
    pub games: u32,
}

#[derive(Serialize)]
pub struct Sprt {
    #[serde(flatten)]
    pub state: SprtState,
    pub sentence: String,
}

impl<'a> Summary<'a> {
    /// The result of a match, played here or merged; `record` is where it is recorded, if it is in one
    /// place.
    pub fn new(
        state: &'a MatchState,
        ending: Ending,
        record: Option<&Record>,
        missing: Option<Missing>,
    ) -> Summary<'a> {
        let standings = &state.standings;
        let names = standings.names.as_slice();
        let sprt = match (state.settings.sprt, names) {
            (Some(sprt), [first, second]) => {
                let state = sprt.state(&standings.tally);
                let sentence = sprt.explain(&state, first, second);
                Some(Sprt { state, sentence })
            }
            _ => None,
        };
        let tally = (names.len() == 2).then_some(&standings.tally);
        let ends = standings.terminations.iter();
        let engines = names.iter().zip(&standings.engines);
        Summary {
            ending: match ending {
                Ending::Complete => "complete",
                Ending::Decided => "decided",
                Ending::Stopped => "stopped",
            },
            format: state.settings.format().name(),
            extent: state.extent(),
            games: standings.games,
            engines: engines
                .map(|(name, figures)| Engine::new(name, figures))
                .collect(),
            tally,
            figures: tally.and_then(Tally::figures),
            ranking: state.ranking(),
            crosstable: &standings.crosstable,
            superiority: superiority(standings),
            ratings: state.ratings(),
            sprt,
            terminations: ends
                .map(|(&(termination, engine), &games)| Ends {
                    termination,
                    engine: engine.map(|index| names[index].as_str()),
                    games,
                })
                .collect(),
            faults: standings.faults(),
            mean_plies: standings.plies as f64 / standings.games.max(1) as f64,
            openings: standings.openings(),
            load: None,
            settings: &state.settings,
            record: record.map(|record| record.state_path().display().to_string()),
            pgn: record.map(|record| record.pgn_path().display().to_string()),
            missing,
        }
    }
}

/// The likelihoods of superiority. Two engines have theirs from pairs.
fn superiority(standings: &Standings) -> Vec<Vec<Option<f64>>> {
    let of_two = (standings.names.len() == 2).then(|| standings.tally.figures());
    if let Some(figures) = of_two {
        let los = figures.and_then(|figures| figures.los);
        return vec![vec![None, los], vec![los.map(|los| 1.0 - los), None]];
    }
    let los = |games: &GameCounts| {
        let tally = Tally::from_counts(*games, GameCounts::default(), [0; 5]);
        tally.figures()?.los
    };
    let rows = standings.crosstable.iter();
    rows.map(|row| row.iter().map(los).collect()).collect()
}

fn as_map<S: Serializer>(openings: &[(&str, &Tally)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(openings.iter().copied())
}

impl<'a> Engine<'a> {
    fn new(name: &'a str, figures: &'a EngineFigures) -> Engine<'a> {
        let (median_delay_ms, longest_delay_ms) = figures.delays().unzip();
        let late = figures.checks.get(&Check::LateAnswer);
        let checks = figures.checks.iter();
        let checks = checks.filter(|(check, _)| **check != Check::LateAnswer);
        Engine {
            name,
            moves: figures.moves,
            answers: figures.answers,
            seconds: figures.seconds,
            nodes: figures.nodes,
            nodes_per_second: figures.nodes_per_second(),
            mean_depth: figures.mean_depth(),
            median_delay_ms,
            longest_delay_ms,
            time_share: figures.time_share(),
            least_left_ms: figures.least_left.map(|seconds| 1e3 * seconds),
            withdrawn: figures.withdrawn,
            late: late.map_or(0, |(count, _)| *count),
            checks: checks
                .map(|(&check, (count, example))| FailedCheck {
                    check,
                    count: *count,
                    example,
                })
                .collect(),
        }
    }
}

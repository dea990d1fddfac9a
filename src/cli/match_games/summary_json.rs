//! The result of a match as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use vato::arbiter::settings::MatchSettings;
use vato::arbiter::statistics::{Figures, SprtState, Tally};
use vato::arbiter::{Check, Ending, EngineFigures, Match, Termination};

/// The whole result. Everything is from the view of the first engine.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// `complete`, `decided` (by the sequential test) or `stopped`.
    ending: &'static str,
    engines: [EngineSummary<'a>; 2],
    tally: &'a Tally,
    figures: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtSummary>,
    terminations: Vec<TerminationSummary<'a>>,
    faults: u32,
    mean_plies: f64,
    openings: &'a BTreeMap<String, Tally>,
    settings: &'a MatchSettings,
    record: String,
    pgn: String,
}

#[derive(Serialize)]
struct EngineSummary<'a> {
    name: &'a str,
    moves: u64,
    seconds: f64,
    nodes: u64,
    mean_depth: Option<f64>,
    median_delay_ms: Option<f64>,
    longest_delay_ms: Option<f64>,
    checks: Vec<CheckSummary<'a>>,
}

#[derive(Serialize)]
struct CheckSummary<'a> {
    check: Check,
    count: u64,
    example: &'a str,
}

#[derive(Serialize)]
struct TerminationSummary<'a> {
    termination: Termination,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    games: u32,
}

#[derive(Serialize)]
struct SprtSummary {
    #[serde(flatten)]
    state: SprtState,
    sentence: String,
}

/// The result of a match.
pub fn summary(contest: &Match, ending: Ending) -> Summary<'_> {
    let standings = contest.standings();
    let played = standings.tally.games().games();
    let engine = |index: usize| {
        let figures: &EngineFigures = &standings.engines[index];
        EngineSummary {
            name: &standings.names[index],
            moves: figures.moves,
            seconds: figures.seconds,
            nodes: figures.nodes,
            mean_depth: figures.mean_depth(),
            median_delay_ms: figures.delays().map(|(median, _)| median),
            longest_delay_ms: figures.delays().map(|(_, longest)| longest),
            checks: checks(figures),
        }
    };
    let sprt = contest.settings().sprt.map(|sprt| {
        let state = sprt.state(&standings.tally);
        let [first, second] = &standings.names;
        SprtSummary {
            sentence: sprt.explain(&state, first, second),
            state,
        }
    });
    let terminations = standings.terminations.iter();
    Summary {
        ending: match ending {
            Ending::Complete => "complete",
            Ending::Decided => "decided",
            Ending::Stopped => "stopped",
        },
        engines: [engine(0), engine(1)],
        tally: &standings.tally,
        figures: standings.tally.figures(),
        sprt,
        terminations: terminations
            .map(|((termination, engine), games)| TerminationSummary {
                termination: *termination,
                engine: engine.map(|index| standings.names[index].as_str()),
                games: *games,
            })
            .collect(),
        faults: standings.faults(),
        mean_plies: standings.plies as f64 / played.max(1) as f64,
        openings: &standings.by_opening,
        settings: contest.settings(),
        record: contest.record().state_path().display().to_string(),
        pgn: contest.record().pgn_path().display().to_string(),
    }
}

fn checks(figures: &EngineFigures) -> Vec<CheckSummary<'_>> {
    figures
        .checks
        .iter()
        .map(|(check, (count, example))| CheckSummary {
            check: *check,
            count: *count,
            example,
        })
        .collect()
}

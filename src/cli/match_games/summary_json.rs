//! The result of a match as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use vato::notation::pgn::Termination;
use vato::tournament::settings::MatchSettings;
use vato::tournament::statistics::{Figures, GameCounts, Ratings, SprtState, Tally};
use vato::tournament::{Check, Ending, EngineFigures, Extent, Missing, Ranking};

use super::outcome::Outcome;

/// The whole result. What is about two engines is from the view of the first.
#[derive(Serialize)]
pub struct Summary<'a> {
    /// `complete`, `decided` (by the sequential test) or `stopped`.
    ending: &'static str,
    /// The system by which engines are paired.
    format: &'static str,
    /// How much of it has been played.
    extent: Extent,
    /// Games that have been played.
    games: u64,
    engines: Vec<EngineSummary<'a>>,
    /// Of two engines: games (in a vela, rounds) and pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    tally: Option<&'a Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures>,
    /// The engines in their order.
    ranking: Ranking,
    /// The games (in a vela, rounds) of each engine against each, from the view of the first; engines as
    /// in `engines`.
    crosstable: &'a [Vec<GameCounts>],
    /// Of three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<Ratings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtSummary>,
    terminations: Vec<TerminationSummary<'a>>,
    faults: u32,
    mean_plies: f64,
    openings: &'a BTreeMap<String, Tally>,
    settings: &'a MatchSettings,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<String>,
    /// What joined parts lack.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a Missing>,
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
    /// Games that were given to others without trying it.
    withdrawn: u32,
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
pub fn summary<'a>(outcome: &'a Outcome<'a>) -> Summary<'a> {
    let state = outcome.state;
    let standings = state.standings();
    let engine = |(name, figures): (&'a String, &'a EngineFigures)| EngineSummary {
        name,
        moves: figures.moves,
        seconds: figures.seconds,
        nodes: figures.nodes,
        mean_depth: figures.mean_depth(),
        median_delay_ms: figures.delays().map(|(median, _)| median),
        longest_delay_ms: figures.delays().map(|(_, longest)| longest),
        withdrawn: figures.withdrawn,
        checks: checks(figures),
    };
    let two = <&[String; 2]>::try_from(standings.names.as_slice()).ok();
    let sprt = state
        .settings()
        .sprt
        .zip(two)
        .map(|(sprt, [first, second])| {
            let state = sprt.state(&standings.tally);
            SprtSummary {
                sentence: sprt.explain(&state, first, second),
                state,
            }
        });
    let terminations = standings.terminations.iter();
    Summary {
        ending: match outcome.ending {
            Ending::Complete => "complete",
            Ending::Decided => "decided",
            Ending::Stopped => "stopped",
        },
        format: state.settings().format().name(),
        extent: state.extent(),
        games: standings.games,
        engines: standings
            .names
            .iter()
            .zip(&standings.engines)
            .map(engine)
            .collect(),
        tally: two.map(|_| &standings.tally),
        figures: two.and_then(|_| standings.tally.figures()),
        ranking: state.ranking(),
        crosstable: standings.crosstable(),
        ratings: state.ratings(),
        sprt,
        terminations: terminations
            .map(|((termination, engine), games)| TerminationSummary {
                termination: *termination,
                engine: engine.map(|index| standings.names[index].as_str()),
                games: *games,
            })
            .collect(),
        faults: standings.faults(),
        mean_plies: standings.plies as f64 / standings.games.max(1) as f64,
        openings: &standings.by_opening,
        settings: state.settings(),
        record: outcome
            .record
            .map(|record| record.state_path().display().to_string()),
        pgn: outcome
            .record
            .map(|record| record.pgn_path().display().to_string()),
        missing: outcome.missing.as_ref(),
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

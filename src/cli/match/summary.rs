//! The result of a match: as JSON, the data of its text, and its tables.

use std::fs;
use std::path::Path;
use std::time::Duration;

use comfy_table::Table;
use humantime::format_duration;
use serde::Serialize;
use sysinfo::System;
use vato_tools::tournament::record::Record;
use vato_tools::tournament::settings::MatchSettings;
use vato_tools::tournament::statistics::{Estimate, Figures, Ratings, SprtState, Tally};
use vato_tools::tournament::{Ending, Extent, MatchState, Missing, Part, Ranking, Standings};

use super::text::unit;
use crate::cli::support::arguments::processors;
use crate::cli::support::failure::Failure;
use crate::cli::support::present::{csv, table};

/// The whole result. What is about two engines is from the view of the first.
#[derive(Serialize)]
pub struct Summary<'a> {
    pub ending: Ending,
    pub format: &'static str,
    pub extent: Extent,
    #[serde(flatten)]
    pub standings: &'a Standings,
    /// Of two engines: games (in a vela, rounds) and pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<&'a Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    pub ranking: Ranking,
    /// Of three or more engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Ratings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
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
    /// What each of several machines plays.
    #[serde(skip)]
    pub machines: &'a [Part],
}

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
        let is_known = averages.iter().any(|&average| average > 0.0);
        is_known.then_some(Load {
            averages,
            processors: processors(),
        })
    }
}

#[derive(Serialize)]
pub struct Sprt {
    #[serde(flatten)]
    pub state: SprtState,
    pub sentence: String,
}

impl<'a> Summary<'a> {
    /// The result of a match, played here or merged; `record` is where it is recorded, if anywhere.
    pub fn new(
        state: &'a MatchState,
        ending: Ending,
        record: Option<&Record>,
        missing: Option<Missing>,
    ) -> Summary<'a> {
        let standings = &state.standings;
        // Another program may have removed a file.
        let found = |path: &Path| path.exists().then(|| path.display().to_string());
        let sprt = match (state.settings.sprt, state.test(), &standings.names()[..]) {
            (Some(sprt), Some(state), [first, second]) => {
                let sentence = sprt.explain(&state, first, second);
                Some(Sprt { state, sentence })
            }
            _ => None,
        };
        let tally = (standings.engines.len() == 2).then_some(&standings.tally);
        Summary {
            ending,
            format: state.settings.format().name(),
            extent: state.extent(),
            standings,
            tally,
            figures: tally.and_then(Tally::figures),
            ranking: state.ranking(),
            ratings: state.ratings(),
            sprt,
            load: None,
            settings: &state.settings,
            record: record.map(Record::state_path).and_then(found),
            pgn: record.map(Record::pgn_path).and_then(found),
            missing,
            machines: &[],
        }
    }
}

/// A row for each machine.
pub fn machines(parts: &[Part]) -> Table {
    let headings = "machine|shard|games|faults|left out|late|score|nodes/s|last game";
    let rows = parts.iter().map(|part| {
        let standings = &part.state.standings;
        let (tally, engines) = (&standings.tally, &standings.engines);
        let name = part.path.file_stem().unwrap_or_default();
        let shard = part.state.settings.shard.map(|shard| shard.to_string());
        let late: u64 = engines.iter().map(|engine| engine.late).sum();
        let score = tally.games().score();
        let score = score.map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score));
        let speed = engines[0].nodes_per_second().unwrap_or_default();
        let changed = fs::metadata(&part.path).and_then(|file| file.modified());
        let idle = changed.ok().and_then(|time| time.elapsed().ok());
        let idle = Duration::from_secs(idle.unwrap_or_default().as_secs());
        vec![
            name.display().to_string(),
            shard.unwrap_or_default(),
            standings.games.to_string(),
            standings.faults.to_string(),
            tally.left_out.to_string(),
            late.to_string(),
            score,
            format!("{speed:.0}"),
            match standings.games {
                0 => "-".to_owned(),
                _ => format!("{} ago", format_duration(idle)),
            },
        ]
    });
    table(headings.split('|'), rows, 2..)
}

pub fn by_opening(summary: &Summary<'_>) -> Table {
    let headings = "opening|games|points|score|won|drawn|lost|White";
    let score = |tally: &Tally| tally.games().score().unwrap_or_default();
    let mut openings = summary.standings.openings();
    openings.sort_by(|(_, one), (_, other)| score(one).total_cmp(&score(other)));
    let rows = openings.into_iter().map(|(name, tally)| {
        let games = tally.games();
        let counts = [games.wins, games.draws, games.losses].map(|count| count.to_string());
        let first = [
            name.to_owned(),
            games.games().to_string(),
            games.points().to_string(),
            format!("{:.1} %", 100.0 * score(tally)),
        ];
        let white = tally.games_of_white().score().unwrap_or_default();
        let last = format!("{:.1} %", 100.0 * white);
        first.into_iter().chain(counts).chain([last]).collect()
    });
    table(headings.split('|'), rows, 1..)
}

/// A row for each engine, in the order of the ranking.
pub fn standings(summary: &Summary<'_>) -> Result<String, Failure> {
    let tie_breaks = summary.ranking.tie_breaks.iter();
    let unit = unit(summary.settings);
    let first = ["place", "engine", "points", unit, "wins", "draws", "losses"].into_iter();
    let headings = first.chain(tie_breaks.map(|tie_break| tie_break.name()));
    // Of a Swiss, whose points may be those of byes.
    let byes = (!summary.ranking.tie_breaks.is_empty()).then_some("byes");
    let elo = ["elo", "elo_lower", "elo_upper"];
    let headings = headings.chain(byes).chain(elo);
    let mut rows: Vec<Vec<String>> = vec![headings.map(str::to_owned).collect()];
    for (number, place) in (1..).zip(&summary.ranking.places) {
        let games = summary.standings.total(place.engine);
        let elo = match (&summary.figures, &summary.ratings) {
            (Some(figures), _) if place.engine == 0 => Some(figures.elo),
            (Some(figures), _) => Some(reversed(figures.elo)),
            (None, Some(ratings)) => ratings.engines[place.engine].elo,
            (None, None) => None,
        };
        let mut row = vec![
            number.to_string(),
            place.name.clone(),
            place.points.to_string(),
        ];
        let counts = [place.games, games.wins, games.draws, games.losses];
        row.extend(counts.map(|count| count.to_string()));
        row.extend(place.tie_breaks.iter().map(f64::to_string));
        row.extend(byes.map(|_| place.bye_points.to_string()));
        row.extend(match elo {
            // Without a sign of nothing.
            Some(elo) => [elo.value, elo.lower, elo.upper]
                .map(|elo| format!("{:.1}", (10.0 * elo).round() / 10.0 + 0.0)),
            None => [const { String::new() }; 3],
        });
        rows.push(row);
    }
    csv(rows)
}

fn reversed(elo: Estimate) -> Estimate {
    Estimate {
        value: -elo.value,
        lower: -elo.upper,
        upper: -elo.lower,
    }
}

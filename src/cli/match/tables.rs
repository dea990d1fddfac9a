//! Tables of a match: its openings, the machines, and its standings as CSV.

use std::fs;
use std::time::Duration;

use comfy_table::Table;
use humantime::format_duration;
use vato_tools::{
    tournament::Part,
    tournament::statistics::{Estimate, Tally},
};

use super::arguments::ResultArguments;
use super::summary::Summary;
use super::text;
use crate::cli::support::failure::Failure;
use crate::cli::support::present::{csv, table};

/// The table that the arguments want, in the text.
pub fn wanted(summary: &Summary<'_>, arguments: &ResultArguments) -> String {
    match arguments.by_opening {
        true => format!("\n{}\n", by_opening(summary)),
        false => String::new(),
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
        let score = 100.0 * tally.games().score().unwrap_or_default();
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
            format!("{score:.1} %"),
            format!("{speed:.0}"),
            format!("{} ago", format_duration(idle)),
        ]
    });
    table(headings.split('|'), rows, 2..)
}

pub fn by_opening(summary: &Summary<'_>) -> Table {
    let headings = [
        "opening", "games", "points", "score", "won", "drawn", "lost", "White",
    ];
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
    table(headings, rows, 1..)
}

/// A row for each engine, in the order of the ranking.
pub fn standings(summary: &Summary<'_>) -> Result<String, Failure> {
    let tie_breaks = summary.ranking.tie_breaks.iter();
    let unit = text::unit(summary.settings);
    let first = ["place", "engine", "points", unit, "wins", "draws", "losses"].into_iter();
    let headings = first.chain(tie_breaks.map(|tie_break| tie_break.name()));
    let headings = headings.chain(["elo", "elo_lower", "elo_upper"]);
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
        row.extend(match elo {
            Some(elo) => [elo.value, elo.lower, elo.upper].map(|elo| format!("{elo:.1}")),
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

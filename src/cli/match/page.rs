//! The report of a match as a web page.

use serde_json::{Value, json};
use vato_tools::notation::pgn::Termination;
use vato_tools::pages::{Report, ReportGame};
use vato_tools::tournament::record::{GameEntry, game_record};
use vato_tools::tournament::settings::MatchSettings;
use vato_tools::tournament::{EngineFigures, MatchState};

use super::summary::Summary;
use super::text::{conditions, players};
use crate::cli::support::failure::{Context, Failure};

const POINTS: usize = 200;

/// What the page does not show of a result: how this machine is set up.
const NOT_SHOWN: [&str; 4] = ["settings", "load", "record", "pgn"];

/// The report of a match; `entries` are its games, in an order in which they can have been played.
pub fn report(
    summary: &Summary<'_>,
    state: &MatchState,
    entries: &[GameEntry],
) -> Result<Report, Failure> {
    let settings = summary.settings;
    let engines = summary.standings.engines.iter();
    let speeds = engines.map(EngineFigures::nodes_per_second);
    let mut contest = serde_json::to_value(summary)?;
    if let Value::Object(contest) = &mut contest {
        contest.retain(|key, _| !NOT_SHOWN.contains(&key.as_str()));
    }
    contest["event"] = json!(settings.event);
    contest["conditions"] = json!(conditions(summary));
    contest["speeds"] = speeds.collect();
    contest["openings"] = openings(summary)?;
    contest["progress"] = serde_json::to_value(state.progress(entries, POINTS)?)?;
    let mut games = entries
        .iter()
        .map(|entry| game(settings, entry).context(format_args!("game {}", entry.game)))
        .collect::<Result<Vec<_>, _>>()?;
    games.sort_by_key(|game| game.number);
    Ok(Report {
        title: players(&summary.standings.names(), settings.format()),
        games,
        contest: Some(contest),
        ..Report::default()
    })
}

/// The results of each opening as a list: an object would not keep their order.
fn openings(summary: &Summary<'_>) -> serde_json::Result<Value> {
    let openings = summary.standings.openings().into_iter();
    let opening = openings.map(|(name, tally)| (name, tally.games(), tally.games_of_white()));
    opening.map(serde_json::to_value).collect()
}

/// A game, with what the engines thought of their moves.
fn game(settings: &MatchSettings, entry: &GameEntry) -> Result<ReportGame, String> {
    let mut record = game_record(settings, entry).map_err(|error| error.to_string())?;
    let game = record.replay().map_err(|fault| fault.to_string())?;
    // These are the columns of the page.
    for mv in record.moves_mut() {
        mv.set_comment("");
    }
    if entry.termination == Termination::Normal {
        record.set_final_comment("");
    }
    let mut page = ReportGame::new(u64::from(entry.game), &record, &game);
    page.add_thoughts(&entry.moves, game.start().side());
    page.termination = serde_json::to_value(entry.termination)
        .ok()
        .and_then(|name| name.as_str().map(str::to_owned));
    page.fault = entry.termination.is_fault();
    Ok(page)
}

//! `vato match --dry-run`: what a match would be.

use std::path::PathBuf;
use std::time::Duration;

use humantime::format_duration;
use vato_engine::counted;
use vato_tools::tournament::settings::{EngineSettings, TournamentFormat};
use vato_tools::tournament::{Ending, Extent, Match};

use super::summary::Summary;
use super::text::{Lines, head};

const MOST_GAMES: usize = 10;

/// Plies of a game, for the length of a match: as between equal engines from the built-in openings.
const PLIES: u32 = 80;

/// The plan of a match; `files` are those that it would write.
pub fn text(contest: &Match, files: &[PathBuf]) -> String {
    let (state, settings) = (&contest.state, &contest.state.settings);
    let summary = Summary::new(state, Ending::Stopped, None, None);
    let mut lines = Lines(String::new());
    head(&summary, &mut lines);
    lines.0 = lines.0.replace(" (stopped)", "");
    for (engine, name) in settings.engines.iter().zip(state.standings.names()) {
        let mut text = format!("{name}: started");
        let options = engine.options.iter();
        text.extend(options.map(|(name, value)| format!(", {name}={value}")));
        lines.add("engine", text);
    }
    let Extent { total, unit, .. } = state.extent();
    let (most, bound) = match unit {
        "games" => (total, ""),
        _ => {
            let [games, .., pairs] = settings.lengths().map(u64::from);
            let is_extended = settings.format() == TournamentFormat::Knockout;
            let most = games + if is_extended { 2 * pairs } else { 0 };
            (total.saturating_mul(most), "at most ")
        }
    };
    let games = contest.known_games(MOST_GAMES);
    games.iter().for_each(|game| lines.add("game", game));
    if most > games.len() as u64 {
        lines.add("game", format_args!("… of {bound}{most}"));
    }
    let at_once = contest.games_at_a_time();
    lines.add("length", length(contest, most, at_once as u64));
    let games = counted(at_once, "game", "games");
    let memory = format!("enough for the Hash of {games} at a time");
    lines.add("memory", memory);
    let files = files.iter().map(|path| path.display().to_string());
    lines.add("files", files.collect::<Vec<_>>().join(", "));
    lines.0
}

/// How long the match takes if all time is used, in each game by the two engines with the most of it.
fn length(contest: &Match, most: u64, at_once: u64) -> String {
    let settings = &contest.state.settings;
    let plies = settings.ply_cap().map_or(PLIES, |most| most.min(PLIES));
    let engines = settings.engines.iter();
    let times = engines.map(|engine| time(engine, plies.div_ceil(2)));
    let Some(mut times) = times.collect::<Option<Vec<f64>>>() else {
        return "not known: not every engine has a limit in time".to_owned();
    };
    times.sort_by(|one, other| other.total_cmp(one));
    let tally = &contest.state.standings.tally;
    let expected = settings.sprt.map(|sprt| sprt.expected_games(tally) as u64);
    let own = |games| settings.shard.map_or(games, |shard| shard.share_of(games));
    let (games, test) = match expected.map(own) {
        Some(games) if games < most => (games, ", as the test is expected to take,"),
        _ => (most, ""),
    };
    let seconds = times[..2].iter().sum::<f64>() * games.div_ceil(at_once.max(1)) as f64;
    let time = format_duration(Duration::from_secs(seconds.ceil() as u64));
    let games = counted(games, "game", "games");
    format!("{time} if {games} of {plies} plies{test} use all their time")
}

/// The seconds that an engine has for so many moves.
fn time(engine: &EngineSettings, moves: u32) -> Option<f64> {
    let Some(control) = engine.tc else {
        return Some(engine.st? * f64::from(moves));
    };
    let periods = control.moves.map_or(1, |count| moves.div_ceil(count));
    let time = control.time.as_secs_f64() * f64::from(periods);
    Some(time + control.increment.as_secs_f64() * f64::from(moves))
}

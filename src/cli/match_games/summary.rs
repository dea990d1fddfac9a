//! The result of a match as text.

use std::fmt::Write;

use vato::board::Side;
use vato::counted;
use vato::openings::{OpeningOrder, OpeningSettings, OpeningSource};
use vato::tournament::settings::{MatchSettings, TournamentFormat};
use vato::tournament::statistics::{Estimate, Figures, GameCounts, Ratings};
use vato::tournament::{Ending, EngineFigures, Extent, MatchState, Standings, VelaFigures};

use super::crosstable::crosstable;
use super::missing::missing;
use super::outcome::Outcome;
use super::progress::{counted_units, players};
use crate::cli::text::signed;

/// More openings than this are not listed one by one.
const MOST_OPENINGS: usize = 12;

/// The result as text, some twenty lines.
pub fn summary(outcome: &Outcome<'_>) -> String {
    let state = outcome.state;
    let standings = state.standings();
    let mut lines = Lines(String::new());
    head(state, outcome.ending, &mut lines);
    if standings.names.len() > 2 {
        tournament(state, &mut lines);
    } else {
        if let Some(figures) = standings.tally.figures() {
            score(standings, &figures, unit(state), &mut lines);
        }
        let ranking = state.ranking();
        // What the second has done is the same from the other side.
        let first = ranking.places.iter().filter(|place| place.engine == 0);
        for figures in first.filter_map(|place| place.vela) {
            lines.add("games", &velas(&figures));
        }
        for remark in &ranking.remarks {
            lines.add("remark", remark);
        }
    }
    if standings.games > 0 {
        ends(standings, &mut lines);
        if standings.by_opening.len() <= MOST_OPENINGS && standings.by_opening.len() > 1 {
            openings(standings, &mut lines);
        }
        for index in 0..standings.names.len() {
            engine(standings, index, &mut lines);
        }
    }
    sequential_test(state, &mut lines);
    if let Some(parts) = &outcome.missing {
        for text in missing(parts) {
            lines.add("missing", &text);
        }
    }
    if let Some(record) = outcome.record {
        lines.add(
            "record",
            &format!(
                "{}, {}",
                record.state_path().display(),
                record.pgn_path().display()
            ),
        );
    }
    lines.0
}

/// What the score counts.
fn unit(state: &MatchState) -> &'static str {
    match state.settings().format() {
        TournamentFormat::Vela => "rounds",
        _ => "games",
    }
}

/// Lines with a heading of fixed width.
struct Lines(String);

impl Lines {
    fn add(&mut self, heading: &str, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{heading:<12} {text}");
    }
}

fn head(state: &MatchState, ending: Ending, lines: &mut Lines) {
    let settings = state.settings();
    let names = &state.standings().names;
    let played = state.standings().games;
    let Extent { done, total, unit } = state.extent();
    let games = counted(played, "game", "games");
    let units = counted_units(done, unit);
    let length = match (unit, ending) {
        ("games", Ending::Complete) => games,
        ("games", Ending::Decided) => format!("{games} (the test is decided)"),
        ("games", Ending::Stopped) => format!("{games} of {total} (stopped)"),
        (_, Ending::Stopped) => format!("{units} of {total} (stopped), {games}"),
        _ => format!("{units}, {games}"),
    };
    let part = settings
        .shard
        .map_or_else(String::new, |shard| format!(", shard {shard}"));
    lines.add(
        "match",
        &format!("{}, {length}{part}", players(names, settings.format())),
    );
    let limit = limits(settings, names);
    let rules = settings.rules_text();
    lines.add(
        "conditions",
        &format!(
            "{limit}; openings {}; rules {rules}",
            openings_name(settings)
        ),
    );
}

/// What limits the engines' searches.
fn limits(settings: &MatchSettings, names: &[String]) -> String {
    let limits: Vec<String> = settings
        .engines
        .iter()
        .map(|engine| engine.limit_text())
        .collect();
    match limits.as_slice() {
        [first, rest @ ..] if rest.iter().all(|limit| limit == first) => first.clone(),
        [first, second] => format!("{first} against {second}"),
        limits => {
            let named = names.iter().zip(limits);
            let named = named.map(|(name, limit)| format!("{name} {limit}"));
            named.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The table of three or more engines.
fn tournament(state: &MatchState, lines: &mut Lines) {
    let ranking = state.ranking();
    let ratings = state.ratings();
    let table = crosstable(state.standings(), &ranking, ratings.as_ref(), unit(state));
    let _ = writeln!(lines.0, "\n{table}\n");
    if let Some(ratings) = &ratings {
        lines.add("ratings", &how_rated(state, ratings));
    }
    for place in &ranking.places {
        if let Some(figures) = &place.vela {
            lines.add("games", &format!("{}: {}", place.name, velas(figures)));
        }
    }
    for remark in &ranking.remarks {
        lines.add("remark", remark);
    }
}

/// The single games of an engine's rounds of the vela.
fn velas(figures: &VelaFigures) -> String {
    format!(
        "normal {}; velas as giver {}, as eater {}",
        counts(&figures.normal),
        counts(&figures.as_giver),
        counts(&figures.as_eater)
    )
}

/// What the ratings are measured from, and how.
fn how_rated(state: &MatchState, ratings: &Ratings) -> String {
    let anchor = &state.standings().names[ratings.anchor];
    let elo = state
        .settings()
        .anchor
        .as_ref()
        // Adding zero turns a negative zero into zero.
        .map_or(0.0, |anchor| anchor.elo + 0.0);
    let mut text = format!(
        "Elo from {anchor} at {elo}, with 95 % bounds; equals draw {:.0} % of their {}",
        100.0 * ratings.draw_rate,
        unit(state)
    );
    if ratings.with_added_games {
        text += "; too few losses to tell: rated with a game more, half won and half lost, for every \
                 two that have met";
    }
    text
}

/// Where the openings come from.
fn openings_name(settings: &MatchSettings) -> String {
    if settings.format() == TournamentFormat::Riatra {
        return OpeningSource::Riatra.to_string();
    }
    let OpeningSettings { source, order, .. } = &settings.openings;
    let source = source
        .clone()
        .unwrap_or_else(|| OpeningSource::default_for(&settings.rules));
    match order {
        OpeningOrder::Sequential => source.to_string(),
        OpeningOrder::Random => format!("{source} in random order"),
    }
}

fn score(standings: &Standings, figures: &Figures, unit: &str, lines: &mut Lines) {
    let tally = &standings.tally;
    let games = tally.games();
    let count = games.games() as f64;
    lines.add(
        "score",
        &format!(
            "{} of {count}{} ({:.1} %): {}",
            games.points(),
            if unit == "games" {
                String::new()
            } else {
                format!(" {unit}")
            },
            100.0 * games.points() / count,
            counts(&games)
        ),
    );
    lines.add("Elo", &estimate(&figures.elo));
    let los = figures.los.map_or_else(
        || "unknown".to_owned(),
        |los| format!("{:.1} %", 100.0 * los),
    );
    lines.add(
        "normalised",
        &format!("{}, LOS {los}", estimate(&figures.normalized_elo)),
    );
    let pairs = tally.pairs();
    let ratio = tally.pairs_ratio().map_or_else(String::new, |ratio| {
        format!(", ratio won to lost {ratio:.2}")
    });
    lines.add(
        "pairs",
        &format!("{pairs:?} of 0, ½, 1, 1½, 2 points{ratio}"),
    );
    lines.add(
        "colours",
        &format!(
            "as White {}; as Black {}",
            counts(&tally.games_as(Side::White)),
            counts(&tally.games_as(Side::Black))
        ),
    );
    let even = tally.even_pairs_ratio().map_or_else(String::new, |even| {
        format!("; pairs 1-1: {:.1} %", 100.0 * even)
    });
    lines.add(
        "draws",
        &format!(
            "{:.1} % of the {unit}{even}",
            100.0 * games.draws as f64 / count
        ),
    );
}

fn counts(games: &GameCounts) -> String {
    format!("+{} ={} -{}", games.wins, games.draws, games.losses)
}

fn estimate(estimate: &Estimate) -> String {
    let Estimate {
        value,
        lower,
        upper,
    } = *estimate;
    let is_known = value.is_finite();
    let value = signed(value, 1);
    if lower.is_finite() && upper.is_finite() && is_known {
        format!(
            "{value} ± {:.1} (95 %: {} to {})",
            estimate.margin(),
            signed(lower, 1),
            signed(upper, 1)
        )
    } else if is_known {
        format!("{value}, bounds not known yet")
    } else {
        "not known: all results are alike".to_owned()
    }
}

fn ends(standings: &Standings, lines: &mut Lines) {
    let games = standings.games.max(1);
    let ends: Vec<String> = standings
        .terminations
        .iter()
        .map(|((termination, blamed), count)| match blamed {
            None => format!("{termination} {count}"),
            Some(engine) => format!("{termination} of {} {count}", standings.names[*engine]),
        })
        .collect();
    lines.add(
        "ends",
        &format!(
            "{}; {} a game",
            ends.join(", "),
            counted(
                (standings.plies as f64 / games as f64).round(),
                "ply",
                "plies"
            )
        ),
    );
    let mut faults = match standings.faults() {
        0 => "none".to_owned(),
        count => counted(count, "game", "games") + " lost by faults",
    };
    let engines = standings.names.iter().zip(&standings.engines);
    let withdrawn = engines.filter(|(_, figures)| figures.withdrawn > 0);
    let withdrawn: Vec<&str> = withdrawn.map(|(name, _)| name.as_str()).collect();
    if !withdrawn.is_empty() {
        faults += &format!("; withdrawn, as not starting: {}", withdrawn.join(", "));
    }
    lines.add("faults", &faults);
}

fn openings(standings: &Standings, lines: &mut Lines) {
    for (name, tally) in &standings.by_opening {
        let white = tally.games_of_white();
        lines.add(
            "opening",
            &format!(
                "{name}: {}; White {}",
                counts(&tally.games()),
                counts(&white)
            ),
        );
    }
}

fn engine(standings: &Standings, index: usize, lines: &mut Lines) {
    let figures: &EngineFigures = &standings.engines[index];
    let moves = counted(figures.moves, "move", "moves");
    let mut text = format!("{}: {moves}", standings.names[index]);
    if let Some(depth) = figures.mean_depth() {
        text += &format!(", depth {depth:.1}");
    }
    if let Some(speed) = figures.nodes_per_second() {
        text += &format!(", {speed:.0} nodes/s");
    }
    if figures.moves > 0 {
        text += &format!(
            ", {:.1} ms a move",
            1e3 * figures.seconds / figures.moves as f64
        );
    }
    if let Some((median, most)) = figures.delays() {
        text += &format!(", delay {median:.1} ms (most {most:.1})");
    }
    lines.add("engine", &text);
    for (check, (count, example)) in &figures.checks {
        let times = counted(*count, "time", "times");
        lines.add("check", &format!("{check}, {times} ({example})"));
    }
}

fn sequential_test(state: &MatchState, lines: &mut Lines) {
    let (Some(sprt), [first, second]) = (state.settings().sprt, state.standings().names.as_slice())
    else {
        return;
    };
    let test = sprt.state(&state.standings().tally);
    lines.add("test", &sprt.explain(&test, first, second));
}

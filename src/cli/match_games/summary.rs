//! The result of a match as text.

use std::fmt::Write;

use vato::arbiter::settings::MatchSettings;
use vato::arbiter::statistics::{Estimate, Figures, GameCounts};
use vato::arbiter::{Ending, EngineFigures, Match, Standings};
use vato::board::Side;
use vato::book::{BookOrder, BookSettings, BookSource};

/// More openings than this are not listed one by one.
const MOST_OPENINGS: usize = 12;

/// The result as text, some twenty lines.
pub fn summary(contest: &Match, ending: Ending) -> String {
    let standings = contest.standings();
    let mut lines = Lines(String::new());
    head(contest, ending, &mut lines);
    if let Some(figures) = standings.tally.figures() {
        score(standings, &figures, &mut lines);
        ends(standings, &mut lines);
        if standings.by_opening.len() <= MOST_OPENINGS && standings.by_opening.len() > 1 {
            openings(standings, &mut lines);
        }
        for index in 0..2 {
            engine(standings, index, &mut lines);
        }
    }
    sequential_test(contest, &mut lines);
    let record = contest.record();
    lines.add(
        "record",
        &format!(
            "{}, {}",
            record.state_path().display(),
            record.pgn_path().display()
        ),
    );
    lines.0
}

/// Lines with a heading of fixed width.
struct Lines(String);

impl Lines {
    fn add(&mut self, heading: &str, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{heading:<12} {text}");
    }
}

fn head(contest: &Match, ending: Ending, lines: &mut Lines) {
    let settings = contest.settings();
    let [first, second] = &contest.standings().names;
    let played = contest.standings().tally.games().games();
    let end = match ending {
        Ending::Complete => String::new(),
        Ending::Decided => " (the test is decided)".to_owned(),
        Ending::Stopped => format!(" of {} (stopped)", settings.games),
    };
    lines.add(
        "match",
        &format!("{first} against {second}, {played} games{end}"),
    );
    let limits: Vec<String> = settings
        .engines
        .iter()
        .map(|engine| engine.limit_text())
        .collect();
    let limit = if limits[0] == limits[1] {
        limits[0].clone()
    } else {
        limits.join(" against ")
    };
    let rules = settings.rules_text();
    lines.add(
        "conditions",
        &format!(
            "{limit}; openings {}; rules {rules}",
            openings_name(settings)
        ),
    );
}

/// Where the openings come from.
fn openings_name(settings: &MatchSettings) -> String {
    let BookSettings { source, order, .. } = &settings.openings;
    let source = source
        .clone()
        .unwrap_or_else(|| BookSource::default_for(&settings.rules));
    match order {
        BookOrder::Sequential => source.to_string(),
        BookOrder::Random => format!("{source} in random order"),
    }
}

fn score(standings: &Standings, figures: &Figures, lines: &mut Lines) {
    let tally = &standings.tally;
    let games = tally.games();
    let count = games.games() as f64;
    lines.add(
        "score",
        &format!(
            "{} of {count} ({:.1} %): {}",
            games.points(),
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
            "{:.1} % of the games{even}",
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
    if lower.is_finite() && upper.is_finite() && value.is_finite() {
        format!(
            "{value:+.1} ± {:.1} (95 %: {lower:+.1} to {upper:+.1})",
            estimate.margin()
        )
    } else if value.is_finite() {
        format!("{value:+.1}, bounds not known yet")
    } else {
        "not known: all results are alike".to_owned()
    }
}

fn ends(standings: &Standings, lines: &mut Lines) {
    let games = standings.tally.games().games().max(1);
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
            "{}; {:.0} plies a game",
            ends.join(", "),
            standings.plies as f64 / games as f64
        ),
    );
    let faults = match standings.faults() {
        0 => "none".to_owned(),
        count => format!("{count} games lost by faults"),
    };
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
    let mut text = format!("{}: {} moves", standings.names[index], figures.moves);
    if let Some(depth) = figures.mean_depth() {
        text += &format!(", depth {depth:.1}");
    }
    if let Some(speed) = figures.nodes_per_second() {
        text += &format!(", {:.0} nodes/s", speed);
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
        lines.add("check", &format!("{check}, {count} times ({example})"));
    }
}

fn sequential_test(contest: &Match, lines: &mut Lines) {
    let Some(sprt) = contest.settings().sprt else {
        return;
    };
    let [first, second] = &contest.standings().names;
    let state = sprt.state(&contest.standings().tally);
    lines.add("test", &sprt.explain(&state, first, second));
}

//! The result of a match as text.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::iter;

use comfy_table::CellAlignment;
use console::{measure_text_width, truncate_str};
use vato_engine::rules::Preset;
use vato_engine::{counted, plural};
use vato_tools::openings::{OpeningOrder, OpeningSource};
use vato_tools::tournament::settings::{MatchSettings, TournamentFormat};
use vato_tools::tournament::statistics::{Bounds, Estimate, Figures, Rating, Ratings, Tally};
use vato_tools::tournament::{
    Ending, EngineFigures, Extent, FailedCheck, Missing, NumberRanges, Place, VelaFigures,
};

use super::summary::{self, Summary, machines};
use crate::cli::support::present::{signed, table};

/// More openings than this are not listed one by one.
const MOST_OPENINGS: usize = 12;

/// Against more opponents than this the single results are left out of the crosstable.
const MOST_OPPONENTS: usize = 16;

/// Tables are no wider than this, as far as names allow.
const TABLE_WIDTH: usize = 80;

/// Longer names are cut in tables.
const LONGEST_NAME: usize = 30;

/// More ranges of missing games, or shards, than this are not listed.
const MOST_MISSING: usize = 12;

/// The whole result, with the table of all openings if it is wanted `by_opening`.
pub fn text(summary: &Summary<'_>, by_opening: bool) -> String {
    let unit = unit(summary.settings);
    let mut lines = Lines(String::new());
    head(summary, &mut lines);
    if let Some(tally) = summary.tally {
        if tally.games().games() > 0 {
            score(tally, summary.figures.as_ref(), unit, &mut lines);
        }
    } else {
        lines.0 += &format!("\n{}\n\n", crosstable(summary, unit));
        if let Some(ratings) = &summary.ratings {
            lines.add("ratings", how_rated(summary, ratings, unit));
        }
    }
    for place in &summary.ranking.places {
        let figures = place.vela.as_ref().map(velas);
        match (figures, summary.tally) {
            (Some(figures), None) => lines.add("games", format_args!("{}: {figures}", place.name)),
            // What the second has done is the same from the other side.
            (Some(figures), Some(_)) if place.engine == 0 => lines.add("games", figures),
            _ => {}
        }
    }
    for remark in &summary.ranking.remarks {
        lines.add("remark", remark);
    }
    let standings = summary.standings;
    if standings.games > 0 {
        ends(summary, &mut lines);
        let openings = standings.openings();
        if (2..=MOST_OPENINGS).contains(&openings.len()) {
            for (name, tally) in openings {
                let (games, white) = (tally.games(), tally.games_of_white());
                lines.add("opening", format_args!("{name}: {games}; White {white}"));
            }
        }
        late(summary, &mut lines);
        for figures in &standings.engines {
            engine(figures, &mut lines);
        }
    }
    if let Some(sprt) = &summary.sprt {
        lines.add("test", &sprt.sentence);
    }
    if let Some(parts) = &summary.missing {
        missing(parts, summary.extent.unit, &mut lines);
    }
    let files: Vec<_> = summary.record.iter().chain(&summary.pgn).cloned().collect();
    if !files.is_empty() {
        lines.add("record", files.join(", "));
    }
    if !summary.machines.is_empty() {
        lines.0 += &format!("\n{}\n", machines(summary.machines));
    }
    if by_opening {
        lines.0 += &format!("\n{}\n", summary::by_opening(summary));
    }
    lines.0
}

/// Lines with a heading of fixed width.
pub struct Lines(pub String);

impl Lines {
    pub fn add(&mut self, heading: &str, text: impl Display) {
        self.0 += &format!("{heading:<12} {text}\n");
    }
}

pub(super) fn unit(settings: &MatchSettings) -> &'static str {
    match settings.format() {
        TournamentFormat::Vela => "rounds",
        _ => "games",
    }
}

/// A count with a unit given in the plural, such as `games`.
pub fn counted_units(count: u64, units: &str) -> String {
    counted(count, units.strip_suffix('s').unwrap_or(units), units)
}

pub fn players(names: &[impl Display], format: TournamentFormat) -> String {
    match (names, format) {
        ([first, second], TournamentFormat::Pairs) => format!("{first} against {second}"),
        ([first, second], format) => format!("{first} against {second}, {format}"),
        (names, format) => format!("{} engines, {format}", names.len()),
    }
}

pub fn head(summary: &Summary<'_>, lines: &mut Lines) {
    let settings = summary.settings;
    let Extent { done, total, unit } = summary.extent;
    let games = counted(summary.standings.games, "game", "games");
    let units = counted_units(done, unit);
    let length = match (unit, summary.ending) {
        ("games", Ending::Complete) => games,
        ("games", Ending::Decided) => format!("{games} (the test is decided)"),
        ("games", _) if summary.machines.is_empty() => format!("{games} of {total} (stopped)"),
        ("games", _) => format!("{games} of {total} so far"),
        (_, Ending::Stopped) => format!("{units} of {total} (stopped), {games}"),
        _ => format!("{units}, {games}"),
    };
    let shard = settings.shard.map(|shard| format!(", shard {shard}"));
    let players = players(&summary.standings.names(), settings.format());
    let shard = shard.unwrap_or_default();
    lines.add("match", format_args!("{players}, {length}{shard}"));
    lines.add("conditions", conditions(summary));
}

/// Limits, openings and rules.
pub fn conditions(summary: &Summary<'_>) -> String {
    let settings = summary.settings;
    let names = summary.standings.names();
    let engines = settings.engines.iter();
    let limits: Vec<String> = engines.map(|engine| engine.limit_text()).collect();
    let limit = match limits.as_slice() {
        [first, rest @ ..] if rest.iter().all(|limit| limit == first) => first.clone(),
        [first, second] => format!("{first} against {second}"),
        limits => {
            let named = names.into_iter().zip(limits);
            let named = named.map(|(name, limit)| format!("{name} {limit}"));
            named.collect::<Vec<_>>().join(", ")
        }
    };
    let (openings, rules) = (openings(settings), Preset::name_of(&settings.rules));
    format!("{limit}; openings {openings}; rules {rules}")
}

fn openings(settings: &MatchSettings) -> String {
    if settings.format() == TournamentFormat::Riatra {
        return OpeningSource::Riatra.to_string();
    }
    let wanted = &settings.openings;
    let default = || OpeningSource::default_for(&settings.game_rules(false));
    let source = wanted.source.clone().unwrap_or_else(default);
    let name = match &source {
        // The folder is in the settings.
        OpeningSource::File(path) => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.display().to_string()
        }
        source => source.to_string(),
    };
    match (source, wanted.order) {
        (OpeningSource::Start, _) => name,
        (OpeningSource::Random, _) | (_, OpeningOrder::Random) => {
            format!("{name} (seed {})", wanted.seed)
        }
        (_, OpeningOrder::Sequential) => format!("{name} (sequential)"),
    }
}

fn score(tally: &Tally, figures: Option<&Figures>, unit: &str, lines: &mut Lines) {
    let games = tally.games();
    let (points, count) = (games.points(), games.games());
    let percent = |part: f64| 100.0 * part / count as f64;
    let units = match unit {
        "games" => count.to_string(),
        unit => counted_units(count, unit),
    };
    let share = percent(points);
    let text = format!("{points} of {units} ({share:.1} %): {games}");
    lines.add("score", text);
    // None where all pairs are left out.
    let Some(figures) = figures else {
        return;
    };
    let prior = match figures.with_prior {
        true => "; too few results: one more assumed, half won and half lost",
        false => "",
    };
    lines.add("Elo", estimate(&figures.elo) + prior);
    let los = figures.los.map(|los| format!("{:.1} %", 100.0 * los));
    let los = los.as_deref().unwrap_or("unknown");
    let normalized = estimate(&figures.normalized_elo);
    lines.add("normalised", format_args!("{normalized}, LOS {los}"));
    let mut pairs = format!("{:?} of 0, ½, 1, 1½, 2 points", tally.pairs);
    if let Some(ratio) = figures.pairs_ratio {
        pairs += &format!(", ratio won to lost {ratio:.2}");
    }
    if figures.unpaired > 0 {
        let games = counted_units(figures.unpaired, unit);
        pairs += &format!("; Elo and LOS leave out {games} whose pair is unfinished");
    }
    lines.add("pairs", pairs);
    let text = format!("as White {}; as Black {}", tally.white, tally.black);
    lines.add("colours", text);
    let even = figures.even_pairs_ratio;
    let even = even.map(|even| format!("; pairs 1-1: {:.1} %", 100.0 * even));
    let (draws, even) = (percent(games.draws as f64), even.unwrap_or_default());
    lines.add("draws", format_args!("{draws:.1} % of the {unit}{even}"));
}

fn estimate(estimate: &Estimate) -> String {
    let [value, lower, upper] =
        [estimate.value, estimate.lower, estimate.upper].map(|elo| signed(elo, 1));
    let margin = estimate.margin();
    format!("{value} ± {margin:.1} (95 %: {lower} to {upper})")
}

/// The table of a tournament, its rows in the order of the ranking; `unit` is what is counted.
fn crosstable(summary: &Summary<'_>, unit: &str) -> String {
    let (ranking, places) = (&summary.ranking, &summary.ranking.places);
    let has_notes = places.iter().any(|place| place.note.is_some());
    // Text that ends no cell of a Markdown table.
    let text = |text: &str| text.replace('|', "\\|");
    let names = short_names(places.iter().map(|place| &*place.name), LONGEST_NAME);
    let column = |heading: &str, cell: &dyn Fn(usize, &Place) -> String| -> Vec<String> {
        let cells = places.iter().enumerate();
        let cells = cells.map(|(at, place)| cell(at, place));
        iter::once(heading.to_owned()).chain(cells).collect()
    };
    let mut columns = vec![
        column("", &|at, _| format!("{}", at + 1)),
        column("engine", &|at, _| text(&names[at])),
        column("points", &|_, place| place.points.to_string()),
        column(unit, &|_, place| place.games.to_string()),
    ];
    if places.iter().any(|place| place.bye_points > 0.0) {
        columns.push(column("bye", &|_, place| place.bye_points.to_string()));
    }
    for (index, tie_break) in ranking.tie_breaks.iter().enumerate() {
        // Halves are rounded up, as in the report.
        let value =
            |_, place: &Place| format!("{:.2}", (100.0 * place.tie_breaks[index]).round() / 100.0);
        columns.push(column(tie_break.name(), &value));
    }
    if let Some(ratings) = &summary.ratings {
        let elo = |_, place: &Place| rating(&ratings.engines[place.engine]);
        columns.push(column("Elo", &elo));
    }
    let first_result = columns.len();
    if places.len() <= MOST_OPPONENTS {
        for (number, other) in (1..).zip(places) {
            let result = |_, place: &Place| {
                let counts = summary.standings.crosstable[place.engine][other.engine];
                match counts.games() {
                    _ if place.engine == other.engine => "·".to_owned(),
                    0 => String::new(),
                    games => format!("{}/{games}", counts.points()),
                }
            };
            columns.push(column(&format!("{number}"), &result));
        }
    }
    if has_notes {
        let note = |_, place: &Place| text(place.note.as_deref().unwrap_or_default());
        columns.push(column("result", &note));
    }
    let tables = blocks(&columns, first_result).into_iter().map(|block| {
        let row = |row: usize| block.iter().map(|&at| columns[at][row].clone()).collect();
        let headings = block.iter().map(|&at| &*columns[at][0]);
        let mut table = table(headings, (1..=places.len()).map(row), ..);
        for (&column, cells) in block.iter().zip(table.column_iter_mut()) {
            if column == 1 || has_notes && column + 1 == columns.len() {
                cells.set_cell_alignment(CellAlignment::Left);
            }
        }
        table.to_string()
    });
    tables.collect::<Vec<_>>().join("\n\n")
}

/// The names, none wider than `width` columns, and no two alike: of longer ones the middle is left out, or so much
/// before the end that they differ; where that does not help, all are numbered.
pub fn short_names<'a>(names: impl IntoIterator<Item = &'a str>, width: usize) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    let cut = |name: &str, end: usize| {
        let mut ends = name.char_indices().map(|(place, _)| &name[place..]);
        match ends.find(|text| measure_text_width(text) <= end) {
            Some(text) if measure_text_width(name) > width => {
                truncate_str(name, width - 1 - end, "").into_owned() + "…" + text
            }
            _ => name.to_owned(),
        }
    };
    let mut all = (width / 2..width).map(|end| names.iter().map(|name| cut(name, end)).collect());
    let differ = |all: &Vec<String>| all.iter().collect::<BTreeSet<_>>().len() == all.len();
    all.find(differ).unwrap_or_else(|| {
        let numbered = |(name, number): (&&str, usize)| {
            truncate_str(name, width, &format!("…{number}")).into_owned()
        };
        names.iter().zip(1..).map(numbered).collect()
    })
}

/// The columns of tables that fit terminals of 80 columns; each has the first two. What does not fit is
/// divided before `first_result`.
fn blocks(columns: &[Vec<String>], first_result: usize) -> Vec<Vec<usize>> {
    let width = |column: usize| {
        let cells = columns[column].iter().map(|cell| measure_text_width(cell));
        cells.max().unwrap_or(0) + 3
    };
    let first = 1 + width(0) + width(1);
    let (mut blocks, mut taken) = (vec![vec![0, 1]], first);
    let total = first + (2..columns.len()).map(width).sum::<usize>();
    for column in 2..columns.len() {
        taken += width(column);
        let divides = total > TABLE_WIDTH && column == first_result;
        match blocks.last_mut() {
            Some(block) if taken <= TABLE_WIDTH && !divides || block.len() == 2 => {
                block.push(column);
            }
            _ => {
                blocks.push(vec![0, 1, column]);
                taken = first + width(column);
            }
        }
    }
    blocks
}

fn rating(rating: &Rating) -> String {
    let Some(elo) = rating.elo else {
        return "unknown".to_owned();
    };
    let value = signed(elo.value, 0);
    match rating.bounds {
        Bounds::Known | Bounds::Prior => format!("{value} ± {:.0}", elo.margin()),
        Bounds::Given => value,
        Bounds::Unknown | Bounds::Unconnected => format!("{value}, no bounds"),
    }
}

fn how_rated(summary: &Summary<'_>, ratings: &Ratings, unit: &str) -> String {
    let name = &summary.standings.engines[ratings.anchor].name;
    let anchor = summary.settings.anchor.as_ref();
    // Adding zero turns a negative zero into zero.
    let elo = anchor.map_or(0.0, |anchor| anchor.elo + 0.0);
    let draws = 100.0 * ratings.draw_rate;
    let mut text = format!(
        "Elo from {name} at {elo}, with 95 % bounds; equal engines draw {draws:.0} % of their {unit}"
    );
    if ratings.with_added_games {
        text += "; too few losses: one more assumed for each pairing, half won and half lost";
    }
    text
}

fn velas(figures: &VelaFigures) -> String {
    format!(
        "normal {}; velas as giver {}, as eater {}",
        figures.normal, figures.as_giver, figures.as_eater
    )
}

fn ends(summary: &Summary<'_>, lines: &mut Lines) {
    let standings = summary.standings;
    let ends = standings.ends.values().map(|end| match &end.engine {
        None => format!("{} {}", end.termination, end.games),
        Some(engine) => format!("{} of {engine} {}", end.termination, end.games),
    });
    let ends = ends.collect::<Vec<_>>().join(", ");
    let plies = counted(standings.mean_plies.round(), "ply", "plies");
    lines.add("ends", format_args!("{ends}; {plies} a game"));
    let mut faults = match standings.faults {
        0 => "none".to_owned(),
        count => counted(count, "game", "games") + " lost by faults",
    };
    let engines = standings.engines.iter();
    let withdrawn = engines.filter(|engine| engine.withdrawn > 0);
    let withdrawn: Vec<&str> = withdrawn.map(|engine| &*engine.name).collect();
    if !withdrawn.is_empty() {
        faults += &format!("; withdrawn, as not starting: {}", withdrawn.join(", "));
    }
    let left_out = summary.tally.map_or(0, |tally| tally.left_out);
    if left_out > 0 {
        let pairs = counted(left_out, "pair", "pairs");
        faults +=
            &format!("; {pairs} left out of the test, as an engine crashed, hung or did not start");
    }
    lines.add("faults", faults);
}

/// Late answers of each engine and the load, where time limits moves: a busy machine loses games too.
fn late(summary: &Summary<'_>, lines: &mut Lines) {
    let mut engines = summary.settings.engines.iter();
    if !engines.any(|engine| engine.tc.is_some() || engine.st.is_some()) {
        return;
    }
    let engines = summary.standings.engines.iter();
    let late = engines.filter(|engine| engine.late > 0);
    let late = late.map(|of| format!("{} of {} of {}", of.late, of.answers, of.name));
    let mut text = late.collect::<Vec<_>>().join(", ");
    if text.is_empty() {
        text = "none".to_owned();
    }
    if let Some(load) = &summary.load {
        let [one, five, fifteen] = load.averages;
        let processors = counted(load.processors, "processor", "processors");
        text += &format!("; load {one:.1}, {five:.1}, {fifteen:.1} (1, 5, 15 min), {processors}");
    }
    lines.add("late", text);
}

fn engine(engine: &EngineFigures, lines: &mut Lines) {
    let (name, moves) = (&engine.name, counted(engine.moves, "move", "moves"));
    let per_move = (engine.moves > 0).then(|| 1e3 * engine.seconds / engine.moves as f64);
    let time = engine.time_share.zip(engine.least_left_ms);
    let delays = engine.median_delay_ms.zip(engine.longest_delay_ms);
    let parts = [
        (engine.mean_depth).map(|depth| format!("depth {depth:.1}")),
        (engine.nodes_per_second()).map(|speed| format!("{speed:.0} nodes/s")),
        per_move.map(|milliseconds| format!("{milliseconds:.1} ms a move")),
        time.map(|(share, least)| {
            let (share, least) = (100.0 * share, least / 1e3);
            format!("{share:.0} % of its time used, least left {least:.2} s")
        }),
        delays.map(|(median, most)| format!("delay {median:.1} ms (most {most:.1})")),
    ];
    let parts = parts.into_iter().flatten();
    let parts: String = parts.map(|part| format!(", {part}")).collect();
    lines.add("engine", format_args!("{name}: {moves}{parts}"));
    for failed in engine.checks.values() {
        let FailedCheck { check, example, .. } = failed;
        let times = counted(failed.count, "time", "times");
        let text = format!("{check} (missed {times}; {example})");
        lines.add("advice", text);
    }
}

fn missing(missing: &Missing, unit: &str, lines: &mut Lines) {
    let shards = &missing.shards;
    if let Some(count) = missing.shard_count.filter(|_| shards.count > 0) {
        let shown = ranges(shards, |number| format!("{number}/{count}"));
        let word = plural(shards.count, "shard", "shards");
        lines.add("missing", format_args!("{word} {shown}"));
    }
    let games = counted(missing.games.count, "game", "games");
    let shown = ranges(&missing.games, |number| number.to_string());
    let later = match (unit, missing.later) {
        ("games", 0) => String::new(),
        (unit, 0) => format!("; and those that may follow in these {unit}"),
        (_, later) => {
            let [one, more] = ["encounter that depends", "encounters that depend"];
            format!("; and {} on them", counted(later, one, more))
        }
    };
    lines.add("missing", format_args!("{games}: {shown}{later}"));
}

/// The first numbers, in order, neighbours as `1-5`.
fn ranges(numbers: &NumberRanges, written: impl Fn(u32) -> String) -> String {
    let shown = numbers.ranges.iter().take(MOST_MISSING);
    let shown = shown.map(|&[first, last]| match last - first {
        0 => written(first),
        _ => format!("{}-{}", written(first), written(last)),
    });
    let mut shown: Vec<String> = shown.collect();
    if numbers.cut || numbers.ranges.len() > shown.len() {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the names are: random ones over few letters, wide and combining ones among them, that share a
    /// beginning, an end, or both.
    #[test]
    fn short_names_fit_and_differ() {
        let mut state = 1_u64;
        let mut below = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for _ in 0..40 {
            let letters: Vec<char> = "ab1…é漢e\u{301}"
                .chars()
                .take(1 + below(8) as usize)
                .collect();
            let mut word = |most: u64| -> String {
                let length = below(most);
                let letter = |_| letters[below(letters.len() as u64) as usize];
                (0..length).map(letter).collect()
            };
            let (first, last) = (word(40), word(40));
            let names = (0..12).map(|_| format!("{first}{}{last}", word(6)));
            let names: BTreeSet<String> = names.collect();
            for width in [12, 20, 30] {
                let short = short_names(names.iter().map(|name| &**name), width);
                let different: BTreeSet<&String> = short.iter().collect();
                assert_eq!(different.len(), names.len(), "{names:?} {short:?}");
                for short in &short {
                    assert!(measure_text_width(short) <= width, "{short}");
                }
            }
        }
        let long = ["new", "old"].map(|which| format!("Vato 0.1.0 (net e8cb5bae41a6) [{which}]"));
        let short = ["new", "old"].map(|which| format!("Vato 0.1.0 (ne…5bae41a6) [{which}]"));
        assert_eq!(short_names(long.iter().map(String::as_str), 30), short);
    }

    #[test]
    fn tables_fit_a_terminal() {
        let column = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let mut all = vec![column(["1", "1"]), column(["An engine"; 2])];
        all.resize(14, column(["12", "3.5/100"]));
        let in_blocks = |first_result| blocks(&all, first_result);
        // 1 + 4 + 12 for the first two columns, 10 for each other.
        let columns = |range| [0, 1].into_iter().chain(range).collect::<Vec<usize>>();
        assert_eq!(in_blocks(2), [columns(2..8), columns(8..14)]);
        let divided = [columns(2..5), columns(5..11), columns(11..14)];
        assert_eq!(in_blocks(5), divided);
    }
}

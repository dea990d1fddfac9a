//! `vato suite`: positions with known answers.

use std::fmt::{self, Display};
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::sync_channel;

use clap::Args;
use serde::{Serialize, Serializer};
use vato_engine::counted;
use vato_engine::rules::{Rules, parse_rules};
use vato_records::pgn::require_text;
use vato_tools::stop::StopSignal;
use vato_tools::tournament::MatchError;
use vato_tools::tournament::settings::{EngineSettings, read_engine};
use vato_tools::tournament::suite::{
    Examiner, Question, Solution, Verdict, built_in_suite, parse_suite,
};

use super::support::arguments::{LimitArguments, number, processors};
use super::support::failure::{Failure, stdout, this_program};
use super::support::in_order::in_order;
use super::support::present::progress_bar;
use super::support::signals;

/// Test an engine on positions with known answers
///
/// A suite is a text file with a position on each line: a FEN, then operations, each ended by a semicolon: bm and am (best
/// moves, moves to avoid), ce (score), dm (win), id, tags and rules (docs/measuring.md).
/// Two suites are built in: in each position of `winning` only one move wins, in each of `holding` only one does not
/// lose. They are meant for tablebases of at most six stones, as the program has them.
///
/// An engine has solved a position if its answer is right; it solved it with the first `info` line from which
/// it kept a right answer.
#[derive(Args, Debug)]
#[command(mut_arg("movetime", |time| time.help("Milliseconds of each search [default: 1000]")))]
#[command(after_help = "Examples:
  vato suite winning --nodes 10000
  vato suite holding --movetime 500 --engine cmd=./other,proto=uci,option.Hash=64
  vato suite my.epd --rules dimy --depth 8 --require 90% --quiet

Exit codes: 0 done, 1 failed, a fault of the engine or fewer solved than --require says, 2 wrong usage, 3 stopped \
before the end")]
pub struct Arguments {
    /// winning, holding, or a file of positions
    #[arg(value_name = "FILE")]
    suite: String,

    /// The engine, as for `vato match`; without cmd this program [default: this program]
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = read_engine)]
    engine: Option<EngineSettings>,

    /// Rules of positions without the operation rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    #[command(flatten)]
    limit: LimitArguments,

    /// Positions at a time [default: processors / threads of the engine]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..))]
    concurrency: Option<u16>,

    /// Fail if fewer are solved: a number, or a percentage such as 60%
    #[arg(long, value_name = "N", value_parser = required)]
    require: Option<Required>,

    /// Print the lines of the suite instead
    #[arg(long, conflicts_with_all = ["json", "require"])]
    print: bool,

    /// Only the summary
    #[arg(long, short)]
    quiet: bool,

    /// Print the result as one JSON object (docs/schema/suite.json)
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn engine(&self) -> Result<EngineSettings, Failure> {
        let limits = EngineSettings {
            depth: self.limit.effort.depth,
            nodes: self.limit.effort.nodes,
            st: self.limit.movetime.map(|time| time.as_secs_f64()),
            ..EngineSettings::default()
        };
        let named = self.engine.clone().unwrap_or_default();
        let is_limited = [&limits, &named].map(EngineSettings::has_limit);
        if is_limited == [true, true] {
            let what = "a limit in --engine, and another one beside it";
            return Err(Failure::Usage(what.to_owned()));
        }
        let default = EngineSettings {
            cmd: Some(this_program()?),
            st: (is_limited == [false, false]).then_some(1.0),
            ..EngineSettings::default()
        };
        Ok(named.or(&limits).or(&default))
    }
}

#[derive(Clone, Copy, Debug)]
enum Required {
    Positions(usize),
    Percent(f64),
}

fn required(text: &str) -> Result<Required, &'static str> {
    let read = match text.strip_suffix('%').map(|part| part.trim().parse()) {
        Some(Ok(part)) if (0.0..=100.0).contains(&part) => Some(Required::Percent(part)),
        Some(_) => None,
        None => text.parse().ok().map(Required::Positions),
    };
    read.ok_or("expected a number of positions, or a part from 0% to 100%")
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Count {
    solved: usize,
    positions: usize,
}

impl Count {
    fn add(&mut self, is_solved: bool) {
        self.positions += 1;
        self.solved += usize::from(is_solved);
    }

    fn percent(self) -> f64 {
        100.0 * self.solved as f64 / self.positions.max(1) as f64
    }
}

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (solved, positions) = (self.solved, self.positions);
        write!(f, "{solved} of {positions} ({:.1} %)", self.percent())
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    suite: &'a str,
    engine: &'a str,
    limit: String,
    #[serde(flatten)]
    count: Count,
    #[serde(serialize_with = "as_map")]
    tags: Vec<(&'a str, Count)>,
    results: Vec<Verdict>,
}

impl Summary<'_> {
    fn faults(&self) -> usize {
        let rows = self.results.iter();
        rows.filter(|row| row.fault.is_some()).count()
    }
}

/// In the order of the suite.
fn as_map<S: Serializer>(tags: &[(&str, Count)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter().copied())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = &arguments.suite;
    let text = match built_in_suite(name) {
        Some(text) => text.to_owned(),
        None => {
            let unreadable = Failure::cannot_read(name);
            let bytes = vato_engine::files::read(Path::new(name)).map_err(&unreadable)?;
            require_text(&bytes).map_err(unreadable)?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let suite = parse_suite(&text, &arguments.rules).map_err(|error| {
        let lines = error.lines().map(|line| format!("{name}, {line}"));
        Failure::Error(lines.collect::<Vec<_>>().join("\n"))
    })?;
    if arguments.print {
        return Ok(stdout().write_all(text.as_bytes())?);
    }
    let engine = arguments.engine()?;
    let (limit, threads) = (engine.limit_text(), engine.threads());
    let stop = signals::watch("searches")?;
    let examiner = Examiner::new(&suite, engine, &stop).map_err(|error| match error {
        MatchError::Stopped => Failure::Stopped(None),
        error => error.into(),
    })?;
    let mut summary = Summary {
        suite: name,
        engine: &examiner.name,
        limit,
        count: Count::default(),
        tags: Vec::new(),
        results: Vec::new(),
    };
    let given = arguments.concurrency.map(usize::from);
    let at_a_time = given.unwrap_or(processors() / threads);
    let with_rows = !arguments.quiet && !arguments.json;
    let asked = ask(&suite, &examiner, &stop, at_a_time, with_rows, &mut summary);
    // What is known is reported even if the rest has failed.
    let printed = print(&summary, arguments.json);
    let is_all = asked?;
    let count = summary.count;
    let failure = if !is_all {
        let all = suite.len();
        let what = format!("stopped after {} of {all} positions", count.positions);
        Failure::Stopped(Some(what))
    } else if let faults @ 1.. = summary.faults() {
        let positions = counted(faults, "position", "positions");
        Failure::Error(format!("faults of the engine in {positions}"))
    } else {
        let (is_enough, required) = match arguments.require {
            None => return printed,
            Some(Required::Positions(wanted)) => (count.solved >= wanted, wanted.to_string()),
            Some(Required::Percent(part)) => (count.percent() >= part, format!("{part} %")),
        };
        if is_enough {
            return printed;
        }
        Failure::new(format_args!("solved {count}, expected at least {required}"))
    };
    Err(Failure::after(printed, failure))
}

/// Asks all questions; whether none is left. Shows a row for each, if that is wanted.
fn ask<'a>(
    questions: &'a [Question],
    examiner: &Examiner,
    stop: &StopSignal,
    at_a_time: usize,
    with_rows: bool,
    summary: &mut Summary<'a>,
) -> Result<bool, Failure> {
    let widths = questions.iter().map(|question| question.id.chars().count());
    let width = widths.max().unwrap_or(0);
    let (sender, items) = sync_channel(questions.len());
    // There is room for all.
    let mut all = questions.iter();
    let _ = all.try_for_each(|question| sender.send(question));
    drop(sender);
    let bar = progress_bar(questions.len() as u64, "positions");
    let mut shown = Ok(());
    let is_all = in_order(
        items,
        at_a_time,
        stop,
        &|question: &Question, _| Some((question, examiner.ask(question)?)),
        &mut |answered| {
            let Some((question, verdict)) = answered else {
                return;
            };
            summary.count.add(verdict.solved);
            for tag in &question.tags {
                let known = summary.tags.iter().position(|(name, _)| name == tag);
                let place = known.unwrap_or(summary.tags.len());
                if known.is_none() {
                    summary.tags.push((tag, Count::default()));
                }
                summary.tags[place].1.add(verdict.solved);
            }
            bar.inc(1);
            if with_rows && shown.is_ok() {
                shown = bar.suspend(|| writeln!(stdout(), "{}", row(&verdict, width)));
                if shown.is_err() {
                    stop.now();
                }
            }
            summary.results.push(verdict);
        },
    );
    bar.finish_and_clear();
    shown?;
    // A search that was broken off has no row.
    Ok(is_all? && summary.results.len() == questions.len())
}

fn row(verdict: &Verdict, width: usize) -> String {
    let mark = if verdict.solved { "solved" } else { "missed" };
    let mv = verdict.mv.as_deref().unwrap_or("-");
    let what = match (&verdict.solution, &verdict.fault) {
        (Some(solution), _) => solution.to_string(),
        (None, Some(fault)) => format!("the engine {fault}"),
        (None, None) => format!("expected {}", verdict.expected),
    };
    format!("{:<width$}  {mark}  {mv:<16}  {what}", verdict.id)
}

fn print(summary: &Summary<'_>, json: bool) -> Result<(), Failure> {
    let mut out = stdout();
    if json {
        return Ok(writeln!(out, "{}", serde_json::to_string(summary)?)?);
    }
    let positions = counted(summary.count.positions, "position", "positions");
    let tags = summary.tags.iter();
    let suite = format!("{}, {positions}, {}", summary.suite, summary.limit);
    let mut rows = vec![
        ("suite", suite),
        ("engine", summary.engine.to_owned()),
        ("solved", summary.count.to_string()),
    ];
    rows.extend(tags.map(|(tag, count)| (*tag, count.to_string())));
    rows.extend(median(summary).map(|median| ("median", median)));
    let faults = summary.faults();
    if faults > 0 {
        rows.push(("faults", counted(faults, "position", "positions")));
    }
    let widths = rows.iter().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or(0);
    for (name, text) in rows {
        writeln!(out, "{name:<width$}  {text}")?;
    }
    Ok(())
}

/// The middle one of the solutions by nodes, and by time.
fn median(summary: &Summary<'_>) -> Option<String> {
    let solutions = summary.results.iter().filter_map(|row| row.solution);
    let mut nodes: Vec<u64> = solutions.clone().filter_map(|found| found.nodes).collect();
    let mut seconds: Vec<f64> = solutions.map(|found| found.seconds).collect();
    nodes.sort_unstable();
    seconds.sort_by(f64::total_cmp);
    let middle = Solution {
        depth: None,
        nodes: nodes.get(nodes.len() / 2).copied(),
        seconds: *seconds.get(seconds.len() / 2)?,
    };
    Some(format!("{middle} to the solution"))
}

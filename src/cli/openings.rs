//! `vato openings`: opening suites.

use std::io::{Read, Write};
use std::path::PathBuf;

use clap::Args;
use vato_engine::counted;
use vato_engine::notation::{format_fen, parse_fen};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::SearchLimit;
use vato_solver::files::AppendFile;
use vato_tools::openings::{
    GenerateSettings, Generator, OpeningSource, ScoredPosition, without_comment,
};
use vato_tools::stop::StopSignal;

use super::support::arguments::{Effort, EvaluationArguments};
use super::support::failure::{Failure, stdout};
use super::support::present::{progress_bar, signed};
use super::support::signals;
use super::tell;

/// Make a suite of openings, or print a built-in one
///
/// Draws lines of random turns from the start position, searches their final positions, and prints those
/// whose score lies between --min-score and --max-score, each as a FEN. Scores are those of the evaluation,
/// from White's view: +1.00 is `cp 100`. No two positions are equal, mirror images and rotations included;
/// positions that are finished, decided, or in the built-in tablebases, or have only one move, are left out.
///
/// The same options give the same suite, whatever the number of threads. Tournament managers, `vato
/// match --openings FILE` among them, take the suite as it is; each opening should be played twice
/// with colours swapped.
#[derive(Args, Debug)]
#[command(mut_arg("depth", |depth| depth.help("Search each position to this depth, in plies [default: 12]")))]
#[command(after_help = "Examples:
  vato openings --plies 8 --count 200 --seed 7 --out my-openings.fen
  vato openings --plies 6 --min-score 0.8 --max-score 1.6 --both-sides --scores
  vato openings --rules \"board=5x5 chain=full\" --plies 4 --count 50 --nodes 20000 --threads 2
  vato openings --builtin sharp --scores

Progress and a summary go to standard error. It is an error if there are not as many positions as \
requested; those found have been printed.")]
pub struct Arguments {
    #[command(flatten)]
    settings: GenerateSettings,

    #[command(flatten)]
    effort: Effort,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// Print a built-in suite instead
    #[arg(
        long,
        value_name = "SUITE",
        value_parser = ["balanced", "sharp"],
        conflicts_with_all = [
            "plies", "count", "min_score", "max_score", "both_sides", "seed", "depth", "nodes",
            "rules", "threads", "evaluation", "eval_file",
        ],
    )]
    builtin: Option<String>,

    /// Append the score after a `;` (some tournament managers send it to the engines)
    #[arg(long)]
    scores: bool,

    /// File for the positions instead of standard output; the same command continues it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(name) = &arguments.builtin {
        let mut out = Output::new(arguments)?;
        let Ok(source) = name.parse::<OpeningSource>();
        for line in source.built_in().unwrap_or_default().lines() {
            out.line(match arguments.scores {
                true => line,
                false => without_comment(line),
            })?;
        }
        return out.end();
    }
    let rules = arguments.rules;
    let limit = SearchLimit::of(arguments.effort.depth, arguments.effort.nodes, None);
    let settings = GenerateSettings {
        limit: limit.unwrap_or(arguments.settings.limit),
        evaluation: arguments.evaluation.evaluation()?,
        ..arguments.settings.clone()
    };
    let mut generator = Generator::new(settings, rules)?;
    let mut out = Output::new(arguments)?;
    // A file of something else is found out before the searches.
    let lines = String::from_utf8_lossy(&out.known);
    let (whole, _) = lines.rsplit_once('\n').unwrap_or_default();
    let mut fens = whole.lines().filter_map(|line| line.split(';').next());
    if fens.any(|fen| parse_fen(fen, rules.board).is_err()) {
        return out.end();
    }
    let stop = signals::watch("searches")?;
    generator.stop = stop.clone();
    generate(&mut generator, arguments, &mut out, &stop)
}

/// The destination of the positions: standard output, or a file, which has some of them already.
#[derive(Default)]
struct Output {
    file: Option<AppendFile>,
    /// What was in the file, and how much of it has come again.
    known: Vec<u8>,
    seen: usize,
}

impl Output {
    fn new(arguments: &Arguments) -> Result<Output, Failure> {
        let mut out = Output::default();
        if let Some(path) = &arguments.out {
            let mut file = AppendFile::open(path, true)?;
            (file.read_from(0)?.read_to_end(&mut out.known))
                .map_err(Failure::cannot_read(path.display()))?;
            out.file = Some(file);
        }
        Ok(out)
    }

    /// Writes a line at once, so that an interruption loses nothing found; or finds it in the file.
    fn line(&mut self, text: &str) -> Result<(), Failure> {
        let line = format!("{text}\n").into_bytes();
        let Some(file) = &mut self.file else {
            return Ok(stdout().write_all(&line)?);
        };
        let rest = &self.known[self.seen..];
        if rest.starts_with(&line) {
            self.seen += line.len();
            return Ok(());
        }
        // A part of a line was left by a command that was killed.
        if !line.starts_with(rest) {
            return self.end();
        }
        file.cut(file.length() - rest.len() as u64)?;
        self.known.clear();
        self.seen = 0;
        Ok(file.append(&line)?)
    }

    /// At the end: nothing else may be in the file.
    fn end(&self) -> Result<(), Failure> {
        let rest = String::from_utf8_lossy(&self.known[self.seen..]);
        match (rest.lines().next(), &self.file) {
            (Some(line), Some(file)) => Err(Failure::new(format_args!(
                "{} has other positions than this command makes: '{line}'; remove it, or choose another name",
                file.path().display()
            ))),
            _ => Ok(()),
        }
    }
}

fn generate(
    generator: &mut Generator,
    arguments: &Arguments,
    out: &mut Output,
    stop: &StopSignal,
) -> Result<(), Failure> {
    let bar = progress_bar(arguments.settings.count as u64, "positions");
    let mut scores = Vec::new();
    let mut failure = None;
    for result in generator.by_ref() {
        let ScoredPosition { position, score } = match result {
            Ok(found) => found,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };
        let mut line = format_fen(&position, arguments.rules.board);
        if arguments.scores {
            line += &format!(" ; {:+.2}", stones(score));
        }
        bar.suspend(|| out.line(&line))?;
        scores.push(score);
        bar.inc(1);
        if stop.is_given() {
            break;
        }
    }
    bar.finish_and_clear();
    tell(summary(generator, &scores));
    match failure {
        Some(error) => Err(error.into()),
        None if scores.len() < arguments.settings.count => Err(match arguments.out {
            Some(_) => Failure::to_go_on(false),
            None => Failure::Stopped(Some("stopped".to_owned())),
        }),
        None => out.end(),
    }
}

fn summary(generator: &Generator, scores: &[i32]) -> String {
    let mut text = format!(
        "{}, {} searched, {} kept",
        counted(generator.tried, "random line", "random lines"),
        counted(generator.searched, "position", "positions"),
        scores.len()
    );
    if let (Some(&least), Some(&most)) = (scores.iter().min(), scores.iter().max()) {
        let sum: i64 = scores.iter().map(|&score| i64::from(score)).sum();
        let mean = signed(sum as f64 / scores.len() as f64 / 100.0, 2);
        let [least, most] = [least, most].map(stones);
        text += &format!("; scores from {least:+.2} to {most:+.2}, mean {mean}");
    }
    text
}

fn stones(centi_stones: i32) -> f64 {
    f64::from(centi_stones) / 100.0
}

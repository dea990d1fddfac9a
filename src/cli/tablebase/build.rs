//! `vato tablebase build`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::{ArgGroup, Args};
use indicatif::{HumanCount, ProgressBar};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::tablebase::{MAX_STONES, Slice, TableRules, TablebaseError};
use vato_engine::text::binary_bytes;
use vato_engine::{counted, plural};
use vato_solver::tables::{BuildReport, BuildSettings, Plan, build};

use super::sum;
use crate::cli::support::arguments::{bytes, number, threads, threads_or_all};
use crate::cli::support::failure::{Failure, stdout};
use crate::cli::support::present::bar_with_rate;
use crate::cli::support::signals;

/// Solve all positions with few stones and write them to files
///
/// Prints the memory and disk space needed and stops if they are not available. Intact files in the
/// folder are kept: an interrupted build resumes at the unfinished slice. Only one build at a time works in a folder.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").args(["stones", "slice"]).required(true))]
#[command(after_help = "Examples:
  vato tablebase build --stones 5
  vato tablebase build --stones 6 --threads 2 --out /data/vato-tablebases
  vato tablebase build --stones 14 --rules board=5x3 --out 5x3

Rules: opening, repeat and limit make no difference to a tablebase, but under a limit shorter than its distances it is used \
for fewer stones; capture=opening is taken as capture=free. There are none for tie=count, blocked=pass, repeat=1 or a vela.

Exit codes: 0 complete, 1 failed, 2 wrong usage, 3 stopped")]
pub struct Arguments {
    /// Solve all positions with at most this many stones
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=u64::from(MAX_STONES)))]
    stones: Option<u32>,

    /// Solve only one slice, such as 3v4, the colour-swapped one, and those that captures lead to: the share of one
    /// of several machines (docs/many-machines.md)
    #[arg(long, value_name = "SLICE")]
    slice: Option<Slice>,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    /// The output folder [default: the one in the user's data folder where the engine finds it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = threads())]
    threads: Option<u64>,

    /// Memory limit, such as 800M or 12G [default: the available memory]
    #[arg(long, value_name = "LIMIT", value_parser = memory)]
    memory: Option<u64>,

    /// Level of compression (zstd): a higher one takes more time and less disk space
    #[arg(long, value_name = "N", default_value_t = BuildSettings::DEFAULT_LEVEL as u32, value_parser = number::<u32>(1..=22))]
    level: u32,
}

fn memory(text: &str) -> Result<u64, String> {
    bytes(text, "").ok_or_else(|| "expected a size such as 800M or 12G".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    // Rules without tables are refused in words of their own.
    TableRules::of(&arguments.rules).map_err(TablebaseError::from)?;
    let settings = BuildSettings {
        rules: arguments.rules,
        stones: arguments
            .slice
            .map_or(arguments.stones.unwrap_or(0), Slice::stones),
        slice: arguments.slice,
        folder: super::folder(arguments.out.as_deref(), &arguments.rules)?,
        threads: threads_or_all(arguments.threads),
        memory: arguments.memory,
        level: arguments.level as i32,
    };
    let bar = progress_bar();
    // What is told goes to standard output; only the first failure there counts.
    let failure = Mutex::new(None);
    let say = |text: String| {
        let said = bar.suspend(|| writeln!(stdout(), "{text}"));
        if let Err(error) = said
            && let Ok(mut failure) = failure.lock()
        {
            failure.get_or_insert(error);
        }
    };
    let stop = signals::watch("")?;
    let built = build(&settings, &|| !stop.is_given(), &|report| match report {
        BuildReport::Planned(plan) if plan.slices.is_empty() => {
            say(format!("{}: already complete", settings.folder.display()));
        }
        BuildReport::Planned(plan) => {
            bar.set_length(plan.work);
            say(format!(
                "{}: {} {} to solve (symmetric ones once), {} of memory, up to {} of disk, {}",
                settings.folder.display(),
                HumanCount(plan.entries),
                plural(plan.entries, "position", "positions"),
                binary_bytes(plan.memory),
                binary_bytes(plan.disk),
                counted(settings.threads, "thread", "threads")
            ));
        }
        BuildReport::Damaged(error) => say(format!("{error}; to be solved again")),
        BuildReport::Solving(slice) => bar.set_message(slice.to_string()),
        BuildReport::Worked(work) => bar.inc(work),
        BuildReport::Written(entry) => {
            let longest = entry.longest.map_or(String::new(), |plies| {
                format!(", longest {}", counted(plies, "ply", "plies"))
            });
            say(format!(
                "{}: {} won, {} drawn, {} lost{longest}, {}",
                entry.slice,
                HumanCount(entry.wins),
                HumanCount(entry.draws),
                HumanCount(entry.losses),
                binary_bytes(entry.bytes)
            ));
        }
    });
    bar.finish_and_clear();
    let manifest = built?;
    if let Ok(Some(error)) = failure.into_inner() {
        return Err(error.into());
    }
    let slices = &manifest.slices;
    let positions = sum(slices, |slice| {
        sum(&[slice.wins, slice.draws, slice.losses], |&count| count)
    });
    Ok(writeln!(
        stdout(),
        "{} {} in {}",
        HumanCount(positions),
        plural(positions, "position", "positions"),
        binary_bytes(sum(slices, |slice| slice.bytes))
    )?)
}

/// A progress bar with positions a second, if standard error is a terminal.
fn progress_bar() -> ProgressBar {
    let template = "{elapsed_precise} [{wide_bar}] {msg} {percent} %, {rate}{eta}";
    bar_with_rate(Some(0), template, |rate| {
        let positions = rate / Plan::WORK as f64;
        format!("{} positions/s", HumanCount(positions as u64))
    })
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn numbers_of_bytes() {
        assert_eq!(memory("12G"), Ok(12 << 30));
        assert_eq!(memory("800m"), Ok(800 << 20));
        assert_eq!(memory("7"), Ok(7));
        for wrong in ["", "G", "+5M", "5X", "99999999999999G", "-1", "é"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}

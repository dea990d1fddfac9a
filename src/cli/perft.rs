//! `vato perft`: counting turns.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use vato_engine::notation::format_path;
use vato_engine::protocol::MAX_PERFT_DEPTH;
use vato_engine::rules::Perft;

use super::support::arguments::{PositionArguments, mebibytes, number, threads};
use super::support::failure::{Failure, stdout};

/// Count the turns that are DEPTH plies away
///
/// Every path is a different turn, and so is stopping earlier. Repetition and the
/// no-capture limit are ignored. The last line is `Nodes searched: N`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato perft 6
  vato perft 4 --divide --rules dimy
  vato perft 7 --threads 2 --hash 512
  vato perft 3 --rules \"chain=full direction=any\" --fen \"9/3b5/2w1b4/9/9 w 0 2\"")]
pub struct Arguments {
    /// Depth in plies, from 0
    #[arg(value_parser = number::<u32>(0..=u64::from(MAX_PERFT_DEPTH)))]
    depth: u32,

    #[command(flatten)]
    position: PositionArguments,

    /// Show the count below each turn
    #[arg(long)]
    divide: bool,

    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    threads: u64,

    /// Hash size for counts of repeated positions, in MiB; 0: no hash
    #[arg(long, value_name = "MB", default_value_t = 0, value_parser = mebibytes(0))]
    hash: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (rules, position) = arguments.position.read()?;
    let perft = Perft::new(rules, arguments.threads as usize, arguments.hash as usize)?;
    let never = AtomicBool::new(false);
    let began = Instant::now();
    let mut out = stdout();

    // The count cannot be stopped, so there is always a result.
    let (turns, total) = if arguments.divide && arguments.depth > 0 {
        let turns = perft.divide(&position, arguments.depth, &never);
        let turns = turns.unwrap_or_default();
        let sum = (turns.iter()).fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        (turns, sum)
    } else {
        let total = perft.count(&position, arguments.depth, &never);
        (Vec::new(), total.unwrap_or_default())
    };
    if total == u64::MAX {
        return Err(Failure::new(format_args!(
            "there are more than {total} turns"
        )));
    }
    for (path, count) in &turns {
        writeln!(out, "{}: {count}", format_path(path, rules.board))?;
    }
    let seconds = began.elapsed().as_secs_f64();
    log::info!("{:.0} turns a second", total as f64 / seconds.max(1e-9));
    writeln!(out, "Time: {seconds:.3} s")?;
    writeln!(out, "Nodes searched: {total}")?;
    Ok(())
}

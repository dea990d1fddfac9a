//! `vato bench`: the search's speed and signature.

use std::io::Write;

use clap::Args;
use vato_engine::engine::Bench;
use vato_engine::search::{Control, MAX_DEPTH};

use super::support::arguments::{SearchArguments, number};
use super::support::failure::{Failure, stdout};

/// Search fixed positions to a fixed depth
///
/// Positions from every phase of the game are searched one after the other. With the default
/// arguments the number of nodes is the signature of the search: it changes only when the search or
/// the evaluation does. The last line is `N nodes M nps`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato bench
  vato bench --depth 10 --threads 2 --hash 64")]
pub struct Arguments {
    /// Depth of each search, in plies
    #[arg(
        long,
        value_name = "D",
        default_value_t = Bench::default().depth,
        value_parser = number::<u32>(1..=u64::from(MAX_DEPTH)),
    )]
    depth: u32,

    #[command(flatten)]
    search: SearchArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let bench = Bench {
        depth: arguments.depth,
        search: arguments.search.settings()?,
    };
    let control = Control::new();
    let mut out = stdout();
    let mut written = Ok(());
    let total = bench.run(&control, &mut |number, count, fen, total| {
        if written.is_ok() {
            written = writeln!(out, "{number:>3}/{count} {:>12} nodes  {fen}", total.nodes);
        }
        if written.is_err() {
            control.stop();
        }
    })?;
    written?;
    log::info!("{:.3} s", total.time.as_secs_f64());
    let (nodes, nps) = (total.nodes, total.nodes_per_second());
    Ok(writeln!(out, "{nodes} nodes {nps} nps")?)
}

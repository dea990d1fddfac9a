//! `vato tablebase verify`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use rayon::ThreadPoolBuilder;
use vato_engine::counted;
use vato_engine::rules::Rules;
use vato_engine::tablebase::{TablebaseError, verify};

use crate::cli::failure::{Failure, stdout};
use crate::cli::progress::progress_bar;
use crate::cli::resources::{threads, threads_or_all};

/// Check every value of a folder of tables
///
/// Each stored value must follow from the values of the positions after all legal moves. Symmetric
/// images must have equal values; counts and checksums must match. Exit
/// code 1 if anything is wrong, with a list of the first differences.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase verify tablebases
  vato tablebase verify tablebases --threads 4")]
pub struct Arguments {
    /// The folder [default: where `vato tablebase build` writes the standard game's]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = threads())]
    threads: Option<u64>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let threads = threads_or_all(arguments.threads);
    vato_engine::memory::require_space(threads).map_err(Failure::Error)?;
    let (tables, manifest) = super::open(&super::folder(
        arguments.folder.as_deref(),
        &Rules::STANDARD,
    )?)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TablebaseError::Threads { threads, error })?;
    let values = tables.info().iter().map(|slice| slice.entries).sum();
    let bar = progress_bar(values, "values");
    let verification = pool.install(|| verify(&tables, manifest.as_ref(), &|count| bar.inc(count)));
    bar.finish_and_clear();
    let mut out = stdout();
    for difference in &verification.differences {
        writeln!(out, "{}: {}", difference.slice, difference.what)?;
    }
    for complaint in tables.complaints() {
        writeln!(out, "{complaint}")?;
    }
    if verification.wrong > 0 {
        return Err(Failure::new(format_args!(
            "{} in {}",
            counted(verification.wrong, "difference", "differences"),
            counted(verification.values, "value", "values")
        )));
    }
    writeln!(out, "{} values, all right", verification.values)?;
    Ok(())
}

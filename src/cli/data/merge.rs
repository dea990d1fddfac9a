//! `vato data merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;
use vato::plural;
use vato::training::data;

use crate::cli::failure::Failure;

/// Join files of the same rules
#[derive(Args, Debug)]
pub struct Arguments {
    /// The files, in the order in which their records are wanted
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file that they make
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Joins them.
///
/// # Errors
///
/// If a file does not read, is not right, or does not belong to the others, or the result cannot be
/// written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let count = data::merge(&arguments.files, &arguments.out)?;
    let noun = plural(count, "position", "positions");
    let (out, shown) = (arguments.out.display(), HumanCount(count));
    writeln!(io::stdout(), "{out}: {shown} {noun}")?;
    Ok(())
}

//! `vato data shuffle`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use indicatif::HumanCount;
use vato::plural;
use vato::training::data;

use crate::cli::failure::Failure;

/// Bring the records of a file into random order
///
/// Training shuffles by itself; this is for readers of files who do not want neighbours to be alike.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The file that its records go to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// What the order derives from
    #[arg(long, value_name = "X", default_value_t = 0)]
    seed: u64,
}

/// Shuffles them.
///
/// # Errors
///
/// If the file does not read or is not right, or the result cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let count = data::shuffle(&arguments.file, &arguments.out, arguments.seed)?;
    let noun = plural(count, "position", "positions");
    let (out, shown) = (arguments.out.display(), HumanCount(count));
    writeln!(io::stdout(), "{out}: {shown} {noun}")?;
    Ok(())
}

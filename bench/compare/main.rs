//! Two builds, or two settings, of an engine compared in one run, as ratios.
//!
//! Searching the same positions to the same depths tells what a change is worth in speed (nodes a
//! second), in the size of the tree (nodes to depth) and in both (time to depth). How it is used:
//! `cargo bench --bench compare -- --help`.

mod arguments;
mod arithmetic;
mod engine;
mod failure;
mod measurement;
mod positions;
mod report;

use std::io;
use std::process::ExitCode;

use arguments::{Arguments, USAGE};
use failure::Failure;

fn main() -> ExitCode {
    let Some(arguments) = Arguments::from_command_line() else {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let tasks = match &arguments.positions {
        Some(path) => positions::of_file(path)?,
        None => positions::of_benchmark(),
    };
    let measurement = measurement::measure(arguments, &tasks)?;
    report::write(&mut io::stdout().lock(), arguments, &measurement)?;
    Ok(())
}

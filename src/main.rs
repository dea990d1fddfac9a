//! The command line starts here, nothing else.

// The tools share much with the engine: without them some of it is unused.
#![cfg_attr(not(feature = "tools"), allow(dead_code, unused_imports))]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}

//! The command line starts here, nothing else.

#![deny(missing_docs, clippy::undocumented_unsafe_blocks)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}

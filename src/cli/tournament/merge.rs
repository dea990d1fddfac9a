//! `vato match merge`.

use std::path::PathBuf;

use clap::Args;
use vato::tournament::settings::Anchor;
use vato::tournament::{Ending, Merged};

use super::super::failure::Failure;
use super::outcome::Outcome;

/// Join parts of a match that were played by --shard, and print the whole result
///
/// Parts have to be of the same match: the same engines, limits, rules, openings and format. Only the
/// folders of programs and files, and the number of games at a time, may differ. If games are missing the
/// result says which, and the exit code is 3; with --out, `vato match --resume` plays them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato match merge part-1.jsonl part-2.jsonl
  vato match merge part-*.jsonl --out whole

Exit codes: 0 the match is whole, 1 failed, 2 wrong usage, 3 games are missing")]
pub struct Arguments {
    /// The .jsonl files of the parts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Also write the whole as the record of one match: NAME.toml, NAME.jsonl, NAME.pgn
    #[arg(long, value_name = "NAME")]
    out: Option<PathBuf>,

    /// The engine that the ratings of three or more engines are measured from
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<Anchor>,

    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Joins the parts.
///
/// # Errors
///
/// If a part does not read, the parts do not belong together, or output fails.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let merged = Merged::read(&arguments.files, arguments.anchor.as_ref())?;
    let record = match &arguments.out {
        None => None,
        Some(name) => Some(
            merged
                .write(name)
                .map_err(vato::tournament::MergeError::from)?,
        ),
    };
    let state = merged.state();
    let ending = if state.decision().is_some() {
        Ending::Decided
    } else if state.is_complete() {
        Ending::Complete
    } else {
        Ending::Stopped
    };
    let outcome = Outcome {
        state,
        ending,
        record: record.as_ref(),
        missing: (ending == Ending::Stopped).then(|| merged.missing()),
    };
    outcome.print(arguments.json)?;
    match ending {
        Ending::Complete | Ending::Decided => Ok(()),
        Ending::Stopped => Err(Failure::Stopped(None)),
    }
}

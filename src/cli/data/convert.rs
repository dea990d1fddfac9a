//! `vato data convert`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use vato_engine::container::ContainerError;
use vato_engine::files;
use vato_engine::rules::{ParseRulesError, Rules, parse_rules};
use vato_engine::stop::StopSignal;
use vato_tools::training::data::{self, DataFile, Header, Sample, format_record, parse_record};

use crate::cli::failure::Failure;

/// Turn a file into text, or text into a file
///
/// The input format is detected. Text has one line for each record, six fields with
/// tabs between them: the position as FEN; the score in centi-stones, for the side to move; the
/// result, 1-0, 1/2-1/2 or 0-1, or * for an aside (a position off the game); the ply; the game's
/// number; 1 for the last position of a game, else 0.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The input file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The output file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Rules of the games of a text: a preset's name or key=value pairs [default: tsivy]
    #[arg(long, value_name = "RULES", value_parser = rules)]
    rules: Option<Rules>,
}

fn rules(text: &str) -> Result<Rules, ParseRulesError> {
    parse_rules(text)
}

/// Converts, and returns the number of positions.
///
/// # Errors
///
/// If the input cannot be read or is invalid, or the output cannot be written.
pub fn run(arguments: &Arguments, stop: &StopSignal) -> Result<u64, Failure> {
    let (file, out) = (&arguments.file, &arguments.out);
    files::require_new(out).map_err(Failure::cannot_write(out))?;
    match (is_data(file)?, arguments.rules) {
        (true, None) => to_text(file, out, stop),
        (true, Some(_)) => {
            let what = format!("--rules is for a text: {} has its own", file.display());
            Err(Failure::Usage(what))
        }
        (false, rules) => from_text(file, out, &rules.unwrap_or(Rules::STANDARD), stop),
    }
}

/// Whether a file is one of training data, not text.
fn is_data(path: &Path) -> Result<bool, Failure> {
    let mut start = Vec::new();
    files::open(path)
        .and_then(|file| file.take(8).read_to_end(&mut start))
        .map_err(Failure::cannot_read(path.display()))?;
    Ok(start == b"VATODATA")
}

fn to_text(path: &Path, out: &Path, stop: &StopSignal) -> Result<u64, Failure> {
    // All input is checked before anything is written.
    let data = DataFile::read_until(path, stop)?;
    let rules = data.header.parsed_rules()?;
    files::create(out, |file| {
        (data.records.iter()).try_for_each(|record| match stop.is_given() {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => writeln!(file, "{}", format_record(&rules, record)),
        })
    })
    .map_err(Failure::cannot_write(out))?;
    Ok(data.records.len() as u64)
}

fn from_text(path: &Path, out: &Path, rules: &Rules, stop: &StopSignal) -> Result<u64, Failure> {
    let failed = |error| ContainerError::Read {
        path: path.to_owned(),
        error,
    };
    let file = files::open(path).map_err(failed)?;
    let header = Header {
        rules: rules.to_string(),
        origins: Vec::new(),
        shuffled: false,
    };
    // The game's result so far.
    let mut one_result = None;
    let records = (1..).zip(BufReader::new(file).lines()).map(|(line, text)| {
        let text = text.map_err(failed)?;
        let mark = '\u{feff}';
        let text = text
            .strip_prefix(mark)
            .filter(|_| line == 1)
            .unwrap_or(&text);
        let wrong = |what: String| ContainerError::content(path)(format!("line {line}: {what}"));
        let record = parse_record(rules, text).map_err(wrong)?;
        let Sample {
            result, is_last, ..
        } = record.sample();
        // An aside has none.
        if result.is_some() && one_result.is_some_and(|before| Some(before) != result) {
            return Err(wrong(
                "another result than in the lines of the game before it".to_owned(),
            ));
        }
        one_result = result.or(one_result).filter(|_| !is_last);
        Ok(record)
    });
    Ok(data::write(out, &header, records, stop)?)
}

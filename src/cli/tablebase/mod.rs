//! `vato tablebase`: perfect play with few stones.

mod build;
mod probe;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use comfy_table::Table;
use serde::Serialize;
use vato_engine::counted;
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::tablebase::{Slice, TableFolders, TablebaseError, Tablebases};
use vato_solver::tables::{Manifest, SliceInfo};

use super::support::arguments::{processors, start_threads, tables, threads, threads_or_all};
use super::support::failure::{Context, Failure, print, stdout};
use super::support::present::{self, Format, FormatArguments, csv_of, progress_bar};

/// Build, check and read endgame tablebases
///
/// A tablebase holds the outcome of every position with few stones (win, draw or loss for the side to
/// move) and the plies to the next conversion: a capture or the end of the game. The option TablebasePath makes
/// the engine use it.
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(build::Arguments),
    Verify(VerifyArguments),
    Info(InfoArguments),
    Dump(DumpArguments),
    Probe(probe::Arguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Verify(arguments) => verify(arguments),
        Command::Info(arguments) => info(arguments),
        Command::Dump(arguments) => dump(arguments),
        Command::Probe(arguments) => probe::run(arguments),
    }
}

/// The folder named, or the one in the user's data folder.
fn folder(named: Option<&Path>, rules: &Rules) -> Result<PathBuf, Failure> {
    let folder = named.map(Path::to_owned);
    folder
        .or_else(|| TableFolders::of_the_user(rules))
        .ok_or_else(|| {
            Failure::Usage("the user has no data folder: name the folder of tables".to_owned())
        })
}

/// The tables of the folder named, whatever their rules are, or of the user's, and the manifest.
fn open(named: Option<&Path>) -> Result<(Tablebases, Option<Manifest>), Failure> {
    let folder = folder(named, &Rules::STANDARD)?;
    if named.is_none() && !folder.exists() {
        return Err(TablebaseError::NoTables(folder).into());
    }
    let manifest = Manifest::read(&folder)?;
    let rules = match &manifest {
        Some(manifest) => {
            (manifest.rules.parse()).context(folder.join(Manifest::NAME).display())?
        }
        None => Rules::STANDARD,
    };
    let open = |rules| Tablebases::open(&[&folder], rules, Tablebases::DEFAULT_CACHE_BYTES);
    let tables = match open(&rules) {
        // Every file has its rules as well.
        Err(TablebaseError::OtherRules { found, .. }) if manifest.is_none() => {
            open(&found.parse().map_err(Failure::Error)?)?
        }
        tables => tables?,
    };
    Ok((tables, manifest))
}

/// Check every value in a folder of tablebases
///
/// Each stored value must follow from the values of the positions after all legal moves. Symmetric
/// images must have equal values; counts and checksums must match. Exit
/// code 1 if anything is wrong, with a list of the first differences.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase verify tablebases
  vato tablebase verify tablebases --threads 4")]
pub struct VerifyArguments {
    /// The folder [default: where `vato tablebase build` writes the standard game's]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = threads())]
    threads: Option<u64>,
}

fn verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let threads = threads_or_all(arguments.threads);
    vato_engine::memory::require_space(threads).map_err(Failure::Error)?;
    let (tables, manifest) = open(arguments.folder.as_deref())?;
    let pool = vato_engine::memory::thread_pool(threads, "verify", None)?;
    let values = vato_solver::tables::info(&tables)
        .iter()
        .map(|slice| slice.entries)
        .sum();
    let bar = progress_bar(values, "values");
    let verification = pool.install(|| {
        vato_solver::tables::verify(&tables, manifest.as_ref(), &|count| bar.inc(count))
    });
    bar.finish_and_clear();
    let mut out = stdout();
    for difference in &verification.differences {
        writeln!(out, "{difference}")?;
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
    writeln!(out, "{} values, valid", verification.values)?;
    Ok(())
}

/// Show statistics of a folder of tablebases
///
/// Positions include symmetric ones, for the side to move; bits are the size in the file per position, for
/// outcomes and distances separately.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase info tablebases
  vato tablebase info tablebases --json")]
#[command(mut_arg("json", |json| json.help("All figures as one JSON object")))]
#[command(mut_arg("csv", |csv| csv.help("The table of slices as CSV")))]
pub struct InfoArguments {
    /// The folder [default: where `vato tablebase build` writes the standard game's]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    data: FormatArguments,
}

/// Write every value of a slice to standard output, for other programs
///
/// A byte for each position, symmetric ones too: 0 for a draw, the plies to the next conversion for a win, 128 more for a
/// loss. docs/tablebases.md has the order, and the digests of the built-in tables.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato tablebase dump --slice 3v2 | sha256sum
  vato tablebase dump --rules dimy --dir dimy6 --slice 3v3 > 3v3")]
pub struct DumpArguments {
    /// The slice: stones of the side to move, v, stones of the other side
    #[arg(long, value_name = "SLICE")]
    slice: Slice,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    /// Folder of tablebases, may be given several times; auto: where `vato tablebase build` writes; or none
    #[arg(long, value_name = "DIR", default_value = TableFolders::NONE)]
    dir: Vec<PathBuf>,
}

fn dump(arguments: &DumpArguments) -> Result<(), Failure> {
    let (rules, slice) = (&arguments.rules, arguments.slice);
    let tables = tables(rules, &TableFolders::of(arguments.dir.clone()))?;
    let all = tables.slices().collect::<Vec<_>>();
    if !all.contains(&slice) {
        let stones = tables.stones();
        let what = format!("no slice {slice}: the tables have up to {stones} stones");
        return Err(Failure::Error(what));
    }
    start_threads(processors())?;
    let mut out = BufWriter::new(stdout());
    Ok(vato_solver::tables::dump(&tables, slice, &mut out).and_then(|()| out.flush())?)
}

#[derive(Serialize)]
struct Summary {
    rules: String,
    positions: u64,
    bytes: u64,
    outcome_bits: f64,
    distance_bits: f64,
    slices: Vec<SliceInfo>,
}

fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let (tables, _) = open(arguments.folder.as_deref())?;
    let slices = vato_solver::tables::info(&tables);
    let sum = |of: fn(&SliceInfo) -> u64| sum(&slices, of);
    let positions = sum(|slice| slice.positions);
    let summary = Summary {
        rules: tables.rules().to_string(),
        positions,
        bytes: sum(|slice| slice.bytes),
        outcome_bits: bits(sum(|slice| slice.outcome_bytes), positions),
        distance_bits: bits(sum(|slice| slice.distance_bytes), positions),
        slices,
    };
    let table = slice_table(&summary);
    print(match arguments.data.format() {
        Format::Json => serde_json::to_string(&summary)? + "\n",
        Format::Csv => csv_of(&table)?,
        _ => format!(
            "{}\n\n{table}\n\n{} in {} bytes: {:.3} bits for an outcome, {:.3} bits for a distance\n",
            summary.rules,
            counted(summary.positions, "position", "positions"),
            summary.bytes,
            summary.outcome_bits,
            summary.distance_bits
        ),
    })
}

/// The sum of a figure. File contents are untrusted.
fn sum<T>(slices: &[T], of: fn(&T) -> u64) -> u64 {
    slices.iter().map(of).fold(0, u64::saturating_add)
}

fn bits(bytes: u64, positions: u64) -> f64 {
    8.0 * bytes as f64 / positions.max(1) as f64
}

fn slice_table(summary: &Summary) -> Table {
    let headings = "slice,positions,win,draw,loss,win %,draw %,loss %,longest,bytes,outcome bits,\
                    distance bits,a position that takes longest";
    let rows = summary.slices.iter().map(|slice| {
        let share = |count: u64| format!("{:.2}", 100.0 * count as f64 / slice.positions as f64);
        let bits = |bytes| format!("{:.3}", bits(bytes, slice.positions));
        let counts = [slice.wins, slice.draws, slice.losses];
        let longest = slice.longest.as_ref();
        let longest = longest.map(|longest| (longest.plies.to_string(), longest.fen.clone()));
        let (plies, fen) = longest.unwrap_or_default();
        let mut row = vec![slice.slice.to_string(), slice.positions.to_string()];
        row.extend(counts.map(|count| count.to_string()));
        row.extend(counts.map(share));
        row.extend([plies, slice.bytes.to_string()]);
        row.extend([slice.outcome_bytes, slice.distance_bytes].map(bits));
        row.push(fen);
        row
    });
    present::table(headings.split(','), rows, ..12)
}

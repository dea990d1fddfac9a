//! `vato book build`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::HumanCount;
use vato_engine::book::{
    Book, BookSide, BuildEnding, BuildSettings, Built, MOST_MARGIN, MOST_MOVES, MOST_PLIES,
    MOST_POSITIONS, build,
};
use vato_engine::rules::{Rules, parse_rules};
use vato_engine::search::SearchSettings;
use vato_engine::{counted, plural};

use crate::cli::support::arguments::{
    EvaluationArguments, LimitArguments, hundredths, mebibytes, number,
};
use crate::cli::support::failure::{Failure, print};
use crate::cli::support::progress::progress_bar;
use crate::cli::support::resources::{threads, threads_or_all};
use crate::cli::support::signals;

/// Build an opening book by searches from the start position on
///
/// Searches the start position, then repeatedly the positions that games are most likely to reach: by moves of
/// the side that the book is for, within --margin of the best, and by replies within --reply-margin. The
/// main line comes first, other lines later the more they give away. Scores are backed up to the start.
///
/// The book is written every few seconds. The same command resumes an interrupted
/// build and gives the same book; with more --plies or --positions a finished book
/// grows, and keeps its positions.
#[derive(Args, Debug)]
#[command(mut_arg("nodes", |nodes| nodes.help("Nodes of each search [default: 1000000]")))]
#[command(after_help = "Examples:
  vato book build --out my.book
  vato book build --out my.book --nodes 20000000 --positions 5000 --threads 8
  vato book build --out black.book --side black --margin 0.1 --depth 20
  vato book build --out small.book --rules \"board=5x5 chain=full\" --plies 6 --nodes 10000

Unless searches end by --movetime, the same settings give the same book, whatever the number of \
threads.")]
pub struct Arguments {
    /// The book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,

    /// Depth of the book, in plies from the start
    #[arg(
        long,
        value_name = "N",
        default_value_t = BuildSettings::default().plies,
        value_parser = number::<u32>(1..=u64::from(MOST_PLIES)),
    )]
    plies: u32,

    /// Maximum number of positions, including those already in the book
    #[arg(
        long,
        value_name = "N",
        default_value_t = BuildSettings::default().positions as u64,
        value_parser = number::<u64>(1..=MOST_POSITIONS as u64),
    )]
    positions: u64,

    #[command(flatten)]
    limit: LimitArguments,

    /// Maximum number of moves searched in a position
    #[arg(
        long,
        value_name = "N",
        default_value_t = BuildSettings::default().moves,
        value_parser = number::<u32>(1..=u64::from(MOST_MOVES)),
    )]
    moves: u32,

    /// The side that the book is for
    #[arg(long, value_name = "SIDE", default_value = "both", value_parser = side())]
    side: BookSide,

    /// How much worse than the best a move of that side may be, in stones (1.00 is `cp 100`)
    #[arg(long, value_name = "S", default_value = "0.20", value_parser = margin())]
    margin: i32,

    /// How much worse than the best a reply of the other side may be
    #[arg(long, value_name = "S", default_value = "0.60", value_parser = margin())]
    reply_margin: i32,

    #[command(flatten)]
    evaluation: EvaluationArguments,

    /// Positions searched at a time [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = threads())]
    threads: Option<u64>,

    /// Size of the transposition table of each search, in MiB
    #[arg(
        long,
        value_name = "MB",
        default_value_t = SearchSettings::DEFAULT_HASH_MIB as u64,
        value_parser = mebibytes(1),
    )]
    hash: u64,
}

fn side() -> impl TypedValueParser<Value = BookSide> {
    let names = ["white", "black", "both"];
    PossibleValuesParser::new(names).map(|name| BookSide::from_name(&name).unwrap_or_default())
}

fn margin() -> impl Fn(&str) -> Result<i32, String> + Clone {
    hundredths("a distance of scores", 0, MOST_MARGIN / 100)
}

impl Arguments {
    fn settings(&self) -> Result<BuildSettings, Failure> {
        Ok(BuildSettings {
            rules: self.rules,
            limit: self.limit.given().unwrap_or(BuildSettings::default().limit),
            search: SearchSettings {
                evaluation: self.evaluation.evaluation()?,
                hash_mib: self.hash as usize,
                ..SearchSettings::default()
            },
            moves: self.moves,
            side: self.side,
            margin: self.margin,
            reply_margin: self.reply_margin,
            plies: self.plies,
            positions: self.positions as usize,
            threads: threads_or_all(self.threads),
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let settings = arguments.settings()?;
    let stop = signals::watch("searches")?;
    let bar = progress_bar(arguments.positions, "positions");
    let mut is_first = true;
    let built = build(&settings, &arguments.out, &stop, &mut |positions| {
        bar.set_position(positions as u64);
        if std::mem::take(&mut is_first) {
            // Earlier positions would distort the rate.
            bar.reset_eta();
        }
    });
    bar.finish_and_clear();
    let built = built?;
    print(summary(arguments, &built)?)?;
    match built.ending {
        BuildEnding::Stopped => Err(Failure::to_go_on(false)),
        _ => Ok(()),
    }
}

fn summary(arguments: &Arguments, built: &Built) -> Result<String, Failure> {
    if built.positions == 0 {
        return Ok(String::new());
    }
    let book = Book::read(&arguments.out)?;
    let ending = match built.ending {
        BuildEnding::Enough => "as many as requested".to_owned(),
        BuildEnding::Exhausted => format!(
            "all within the margins of the first {}",
            counted(arguments.plies, "ply", "plies")
        ),
        BuildEnding::Stopped => "stopped".to_owned(),
    };
    Ok(format!(
        "{}: {} {}, {} of them new: {ending}\n{}\n",
        arguments.out.display(),
        HumanCount(built.positions as u64),
        plural(built.positions, "position", "positions"),
        HumanCount(built.new as u64),
        super::main_line(&book),
    ))
}

#[cfg(test)]
mod tests {
    use super::margin;

    #[test]
    fn margins_are_hundredths() {
        assert_eq!(margin()("0.2"), Ok(20));
        assert_eq!(margin()("10"), Ok(1_000));
        assert_eq!(margin()("0"), Ok(0));
        for wrong in ["-0.1", "10.1", "x", "NaN", "inf", ""] {
            assert!(margin()(wrong).is_err(), "{wrong}");
        }
    }
}

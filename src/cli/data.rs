//! `vato data`: files of training data.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use comfy_table::Table;
use indicatif::HumanCount;
use vato_engine::container::ContainerError;
use vato_engine::notation::diagram;
use vato_engine::rules::{Preset, Rules, parse_rules};
use vato_engine::{counted, files, plural};
use vato_lab::data::{self, Header, Records, Survey, format_record, parse_record};
use vato_records::pgn::RecordResult;
use vato_tools::stop::StopSignal;

use super::support::arguments::number;
use super::support::failure::{Failure, stdout};
use super::support::present::{self, charset, csv_of};
use super::support::signals;

/// Describe, show, join and make files of training data
///
/// Such files are written by vato selfplay and read by vato train: positions, each with the score of a
/// search, the result of its game, and its ply.
#[derive(Debug, Subcommand)]
pub enum Command {
    Info(InfoArguments),
    Show(ShowArguments),
    /// Join files of the same rules
    Merge {
        /// The files, in the order of their records in the output
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// The output file
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    Convert(ConvertArguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    type Write<'a> = &'a dyn Fn(&StopSignal) -> Result<u64, Failure>;
    let (out, write): (_, Write<'_>) = match command {
        Command::Info(arguments) => return info(arguments),
        Command::Show(arguments) => return show(arguments),
        Command::Merge { files, out } => (out, &|stop| Ok(data::merge(files, out, stop)?)),
        Command::Convert(arguments) => (&arguments.out, &|stop| convert(arguments, stop)),
    };
    let stop = signals::watch("")?;
    let count = write(&stop).map_err(|failure| match stop.is_given() {
        true => Failure::Stopped(Some(format!("stopped; {} is not written", out.display()))),
        false => failure,
    })?;
    let noun = plural(count, "position", "positions");
    let (out, shown) = (out.display(), HumanCount(count));
    writeln!(stdout(), "{out}: {shown} {noun}")?;
    Ok(())
}

/// Describe files, and check every record
#[derive(Args, Debug)]
pub struct InfoArguments {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print the table of positions by stones of one file as CSV
    #[arg(long)]
    csv: bool,
}

fn info(arguments: &InfoArguments) -> Result<(), Failure> {
    let mut out = stdout();
    if arguments.csv && arguments.files.len() > 1 {
        return Err(Failure::Usage("--csv takes one file".to_owned()));
    }
    for path in &arguments.files {
        let mut records = Records::open(path)?;
        let mut survey = Survey::default();
        for record in &mut records {
            survey.add(&record?.sample());
        }
        if arguments.csv {
            out.write_all(csv_of(&table(&survey))?.as_bytes())?;
            return Ok(());
        }
        let header = &records.header;
        let rules = parse_rules(&header.rules).map_err(Failure::Error)?;
        writeln!(out, "{}", path.display())?;
        writeln!(out, "rules        {}", Preset::name_of(&rules))?;
        for origin in &header.origins {
            let Some(origin) = origin else {
                writeln!(out, "made by      unknown")?;
                continue;
            };
            writeln!(
                out,
                "made by      {}, {} evaluation, {} a move, {} to {} random plies, openings \
                 within ±{:.2}, {}, seed {}, games over at {} stones",
                origin.program,
                origin.evaluation,
                counted(origin.nodes, "node", "nodes"),
                origin.random_plies[0],
                origin.random_plies[1],
                f64::from(origin.opening_score) / 100.0,
                counted(origin.asides, "aside", "asides"),
                origin.seed,
                origin.adjudicated_stones
            )?;
        }
        let order = match header.shuffled {
            true => "shuffled",
            false => "game by game",
        };
        writeln!(out, "order        {order}")?;
        out.write_all(figures(&survey).as_bytes())?;
    }
    Ok(())
}

fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

fn figures(survey: &Survey) -> String {
    let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
    let games = survey.games;
    let [white, drawn, black] = survey.results.map(|won| share(won, games));
    format!(
        "positions    {}, {} of them asides, {} decided
games        {}: White won {white}, drawn {drawn}, Black won {black}
means        {:.1} positions a game without asides, last ply {:.1}, |score| {:.2}
{}\n",
        HumanCount(survey.positions),
        HumanCount(survey.asides),
        HumanCount(survey.decided),
        HumanCount(games),
        mean(survey.positions - survey.asides, games),
        mean(survey.plies, games),
        mean(survey.scores, survey.positions - survey.decided) / 100.0,
        table(survey),
    )
}

fn table(survey: &Survey) -> Table {
    let headings = "stones,positions,share,cannot capture,asides,won,lost";
    let mut least = 2;
    let rows = survey
        .classes
        .iter()
        .zip(Survey::MOST_STONES)
        .map(|(class, most)| {
            let stones = format!("{least}-{most}");
            least = most + 1;
            vec![
                stones,
                HumanCount(class.positions).to_string(),
                share(class.positions, survey.positions),
                share(class.quiet, class.positions),
                share(class.asides, class.positions),
                share(class.won, class.positions - class.asides),
                share(class.lost, class.positions - class.asides),
            ]
        });
    present::table(headings.split(','), rows, ..)
}

/// Show records of a file as diagrams
#[derive(Args, Debug)]
pub struct ShowArguments {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The first record shown, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(1..))]
    from: u64,

    /// Number of records shown [default: 5, with --lines all]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    count: Option<u64>,

    /// One line per record, as vato data convert reads them
    #[arg(long)]
    lines: bool,

    /// Draw the diagrams in plain ASCII (the default where the locale is not UTF-8)
    #[arg(long)]
    ascii: bool,
}

fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let mut out = stdout();
    let records = Records::open(&arguments.file)?;
    let rules = parse_rules(&records.header.rules).map_err(Failure::Error)?;
    let from = arguments.from;
    let count = arguments
        .count
        .unwrap_or(if arguments.lines { u64::MAX } else { 5 });
    let mut last = 0;
    for (number, record) in (1..).zip(records) {
        let record = record?;
        last = number;
        if number < from {
            continue;
        }
        if number - from >= count {
            break;
        }
        let line = format_record(&rules, &record);
        if arguments.lines {
            writeln!(out, "{line}")?;
            continue;
        }
        let sample = record.sample();
        let fen = line.split('\t').next().unwrap_or_default();
        writeln!(out, "record {number}: {fen}")?;
        let board = diagram(&sample.position(), rules.board, charset(arguments.ascii));
        let score = match sample.is_decided() {
            true if sample.score > 0 => "won".to_owned(),
            true => "lost".to_owned(),
            false => format!("{:+.2}", f64::from(sample.score) / 100.0),
        };
        let result = match sample.result {
            RecordResult::WhiteWins => "White won",
            RecordResult::Draw => "drawn",
            RecordResult::BlackWins => "Black won",
            RecordResult::Unfinished => "an aside",
        };
        let last = if sample.is_last { ", its last" } else { "" };
        writeln!(
            out,
            "{board}score {score} for {}, {result}, ply {} of game {}{last}\n",
            sample.side, sample.ply, sample.game
        )?;
    }
    match from > last.max(1) {
        true => Err(Failure::new(format_args!(
            "{}: --from {from} is behind its last record, {last}",
            arguments.file.display()
        ))),
        false => Ok(()),
    }
}

/// Make a file of a text, such as vato data show --lines prints
///
/// The text has a line for each record, six fields with tabs between them: the position as FEN; the score in centi-stones,
/// for the side to move; the result, 1-0, 1/2-1/2 or 0-1, or * for an aside (a position off the game); the ply; the game's
/// number; 1 for the last position of a game, else 0.
#[derive(Args, Debug)]
pub struct ConvertArguments {
    /// The text
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Rules of the games: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,
}

fn convert(arguments: &ConvertArguments, stop: &StopSignal) -> Result<u64, Failure> {
    let ConvertArguments {
        file: path,
        out,
        rules,
    } = arguments;
    vato_solver::files::require_new(out).map_err(Failure::cannot_write(out))?;
    let failed = ContainerError::read(path);
    let file = files::open(path).map_err(&failed)?;
    let header = Header {
        rules: rules.to_string(),
        origins: vec![None],
        shuffled: false,
    };
    // The game's result so far.
    let mut one_result = None;
    let records = (1..).zip(BufReader::new(file).lines()).map(|(line, text)| {
        let text = text.map_err(&failed)?;
        let marked = text.strip_prefix('\u{feff}').filter(|_| line == 1);
        let text = marked.unwrap_or(&text);
        let wrong = |what: String| ContainerError::content(path)(format!("line {line}: {what}"));
        let record = parse_record(rules, text).map_err(wrong)?;
        let sample = record.sample();
        // An aside has none.
        let of_game = Some(sample.result).filter(|&result| result != RecordResult::Unfinished);
        let result = of_game.or(one_result);
        if one_result.is_some() && one_result != result {
            let what = "another result than in the lines of the game before it";
            return Err(wrong(what.to_owned()));
        }
        one_result = result.filter(|_| !sample.is_last);
        Ok(record)
    });
    Ok(data::write(out, &header, records, stop)?)
}

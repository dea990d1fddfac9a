//! `vato data info`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use indicatif::HumanCount;
use vato_engine::counted;
use vato_engine::rules::Preset;
use vato_tools::training::data::{Records, Survey};

use crate::cli::csv::csv_of;
use crate::cli::failure::{Failure, stdout};

/// Tell what files hold, and check every record
#[derive(Args, Debug)]
pub struct Arguments {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The table of positions by stones as CSV, of one file
    #[arg(long)]
    csv: bool,
}

/// Tells it, file by file.
///
/// # Errors
///
/// If a file does not read or is not right.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
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
        let header = records.header();
        let rules = header.parsed_rules()?;
        writeln!(out, "{}", path.display())?;
        writeln!(out, "rules        {}", Preset::name_of(&rules))?;
        for origin in &header.origins {
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
    let mut text = format!(
        "positions    {}, {} of them asides, {} decided\ngames        {}: White won {}, drawn {}, Black won {}\n",
        HumanCount(survey.positions),
        HumanCount(survey.asides),
        HumanCount(survey.decided),
        HumanCount(games),
        share(survey.results[0], games),
        share(survey.results[1], games),
        share(survey.results[2], games),
    );
    text += &format!(
        "means        {:.1} positions a game without asides, last ply {:.1}, |score| {:.2}\n",
        mean(survey.positions - survey.asides, games),
        mean(survey.plies, games),
        mean(survey.scores, survey.positions - survey.decided) / 100.0,
    );
    text + &table(survey).to_string() + "\n"
}

/// The positions by stones.
fn table(survey: &Survey) -> Table {
    let mut table = Table::new();
    let headings = "stones,positions,share,cannot capture,asides,won,lost";
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(headings.split(','));
    let mut least = 2;
    for class in &survey.classes {
        table.add_row([
            format!("{least}-{}", class.most),
            HumanCount(class.positions).to_string(),
            share(class.positions, survey.positions),
            share(class.quiet, class.positions),
            share(class.asides, class.positions),
            share(class.won, class.positions - class.asides),
            share(class.lost, class.positions - class.asides),
        ]);
        least = class.most + 1;
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

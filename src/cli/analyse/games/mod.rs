//! `vato analyse --pgn`: whole games, several at a time.

mod annotate;
mod report;
mod results;
mod selection;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;
use indicatif::ProgressBar;
use vato_engine::engine::{Engine, Settings};
use vato_engine::memory::lock;
use vato_engine::rules::Rules;
use vato_engine::search::{Control, Limits, SearchLimit, SearchSettings};
use vato_engine::tablebase::{TableFolders, TablebaseError, Tablebases};
use vato_records::pgn::{PgnError, RecordFault};
use vato_tools::pages::ReportGame;
use vato_tools::review::{NODES, review};
use vato_tools::stop::StopSignal;

use self::annotate::{annotate, annotator, mark};
use self::report::{AnalysedGame, Players};
use self::results::Results;
use self::selection::{Item, Numbers, Selection, count_positions, read_games};
use crate::cli::pgn::GameRecords;
use crate::cli::support::arguments::named_file;
use crate::cli::support::failure::Failure;
use crate::cli::support::in_order::{Missing, in_order};
use crate::cli::support::present::{self, Format, progress_bar, progress_counter};
use crate::cli::support::signals;

/// The options for games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Games")]
pub struct GameArguments {
    /// Analyse the games of a file of game records (PGN); - is standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["fen", "rules", "moves", "searchmoves", "multipv", "ascii"],
    )]
    pub pgn: Option<PathBuf>,

    /// New file for the annotated games, in addition to standard output; -: they are the output
    #[arg(long, value_name = "FILE", requires = "record")]
    pgn_out: Option<PathBuf>,

    /// New file for a report of the games as a web page, in addition to standard output
    #[arg(long, value_name = "FILE", requires = "record", value_parser = named_file())]
    html: Option<PathBuf>,

    /// Only the games with these numbers, from 1: 3,5-7,20-
    #[arg(long, value_name = "NUMBERS", requires = "record")]
    games: Option<Numbers>,

    /// Only games of a player whose name contains this, ignoring case
    #[arg(long, value_name = "NAME", requires = "record")]
    player: Option<String>,
}

pub fn run(arguments: &super::Arguments, path: &Path) -> Result<(), Failure> {
    let games = &arguments.games;
    // `-` is no file.
    let pgn_out = games.pgn_out.as_ref();
    let file = pgn_out.filter(|path| path.as_os_str() != "-");
    let shown = match (arguments.format(), pgn_out.is_some() && file.is_none()) {
        (format, false) => format,
        (Format::Text, true) => Format::Pgn,
        (_, true) => {
            let what = "--pgn-out -: --json and --csv print to standard output, too; name a file";
            return Err(Failure::Usage(what.to_owned()));
        }
    };
    let analysis = Analysis {
        options: games,
        settings: arguments.search.settings()?,
        limit: arguments.limit.given().unwrap_or(SearchLimit::Nodes(NODES)),
        folders: TableFolders::of(arguments.tablebases.clone()),
        tables: Mutex::default(),
        shown,
    };
    let stop = signals::watch("games")?;
    let GameRecords { input, name } = GameRecords::open(path)?;
    let files = [file, games.html.as_ref()];
    if files[0].is_some() && files[0] == files[1] {
        let what = "--html: --pgn-out goes to the same file; choose another name";
        return Err(Failure::Usage(what.to_owned()));
    }
    let selection = Selection::new(games.games.clone(), games.player.as_deref());
    let mut results = Results::new(&name, analysis.shown, files, &stop, selection.clone())?;
    let items = read_games(input, name.clone(), selection.clone())?;
    let bar = progress(path, &selection, &stop)?;
    results.batch.bar = bar.clone();
    let is_all = in_order(
        items,
        arguments.at_a_time(),
        &stop,
        &|item: Item, control| (item.0, analysis.analyse(item, &name, control, &bar)),
        &mut |(number, analysed)| results.take(number, analysed),
    )?;
    results.finish(is_all)
}

/// A progress bar over the positions of the file; a counter for input that can be read only once.
fn progress(path: &Path, selection: &Selection, stop: &StopSignal) -> Result<ProgressBar, Failure> {
    if !path.is_file() {
        return Ok(progress_counter("positions"));
    }
    let bar = progress_bar(0, "positions");
    // Nothing is counted for a hidden bar.
    if !bar.is_hidden() {
        let GameRecords { input, .. } = GameRecords::open(path)?;
        bar.set_length(count_positions(input, selection, &|| !stop.is_given()));
        bar.reset_eta();
    }
    Ok(bar)
}

struct Analysis<'a> {
    options: &'a GameArguments,
    settings: SearchSettings,
    limit: SearchLimit,
    folders: TableFolders,
    /// Tables by rules, opened (or solved) when the first game needs them.
    tables: Mutex<HashMap<Rules, Option<Arc<Tablebases>>>>,
    /// The format of standard output.
    shown: Format,
}

#[derive(Default)]
struct Analysed {
    shown: String,
    /// For the file of annotated games.
    filed: String,
    page: Option<ReportGame>,
    players: Players,
}

impl Analysis<'_> {
    /// `bar` counts positions.
    fn analyse(
        &self,
        (number, record): Item,
        name: &str,
        control: &Control,
        bar: &ProgressBar,
    ) -> Result<Analysed, Missing> {
        let invalid = |damage: PgnError| Missing::Invalid(damage.of_game(name, number));
        let mut record = record.map_err(|error| match error.is_input {
            true => Failure::cannot_read(name)(error.input()).into(),
            false => invalid(error),
        })?;
        let game = record.replay();
        let game = game.map_err(|fault| invalid(PgnError::of(&record, fault)))?;
        // A new engine for each game: a used hash table would make results depend on the order.
        let mut engine = Engine::new(Settings::from(SearchSettings {
            tablebases: self.tables(game.rules())?,
            ..self.settings.clone()
        }));
        engine.prepare()?;
        let limits = Limits::from(self.limit);
        let reviewed = review(&game, &mut engine, &limits, control, &mut || bar.inc(1))?;
        let mut reviewed = reviewed.ok_or(Missing::BrokenOff)?;
        reviewed.name_moves(&record, game.rules().board);
        let told = AnalysedGame::new(number, &record, &game, &reviewed);
        let mut shown = match self.shown {
            Format::Text => told.table(&record, &game),
            Format::Pgn => String::new(),
            format => present::record(format, &told, AnalysedGame::ROWS)?,
        };
        let page = self.options.html.is_some().then(|| {
            let mut marked = record.clone();
            mark(&mut marked, &reviewed);
            let mut page = ReportGame::new(number, &marked, &game);
            page.add_review(&reviewed, game.rules());
            page
        });
        let mut filed = String::new();
        if self.options.pgn_out.is_some() {
            let evaluation = self.settings.evaluation.name_for(game.rules());
            let annotator = annotator(&evaluation, self.limit);
            if let Err(error) = annotate(&mut record, &reviewed, &annotator) {
                let (line, problem) = (None, format!("cannot be annotated: {error}"));
                return Err(invalid(PgnError::of(
                    &record,
                    RecordFault { line, problem },
                )));
            }
            match self.shown {
                Format::Pgn => shown = record.to_string(),
                _ => filed = record.to_string(),
            }
        }
        Ok(Analysed {
            shown,
            filed,
            page,
            players: report::players(&record, &reviewed),
        })
    }

    /// The tables for games under these rules; `None` if there are none. A folder for other rules is logged
    /// and is no error: a file may have games under several rules.
    fn tables(&self, rules: &Rules) -> Result<Option<Arc<Tablebases>>, TablebaseError> {
        let mut known = lock(&self.tables);
        if let Some(tables) = known.get(rules) {
            return Ok(tables.clone());
        }
        let cache = Tablebases::DEFAULT_CACHE_BYTES;
        let tables = match Tablebases::for_play(rules, &self.folders, cache, 1, &|| true) {
            Ok((tables, None)) => Some(Arc::new(tables)),
            Ok((tables, Some(error)))
                if matches!(error, TablebaseError::OtherRules { .. })
                    || !self.folders.are_named() =>
            {
                log::warn!("{error}");
                Some(Arc::new(tables))
            }
            Err(error @ TablebaseError::Rules(_)) => {
                if self.folders.are_named() {
                    log::warn!("{error}");
                }
                None
            }
            Ok((_, Some(error))) | Err(error) => return Err(error),
        };
        known.insert(*rules, tables.clone());
        Ok(tables)
    }
}

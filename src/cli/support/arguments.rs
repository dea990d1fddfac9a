//! Options common to several commands, and what they stand for: threads, tables, evaluations.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::de::DeserializeOwned;
use vato_engine::board::{Move, Position};
use vato_engine::container::ContainerError;
use vato_engine::eval::{Evaluation, EvaluationKind};
pub use vato_engine::memory::processors;
use vato_engine::network::Network;
#[cfg(not(feature = "tools"))]
use vato_engine::notation::parse_turn;
use vato_engine::notation::read_position;
use vato_engine::rules::{Game, Path as Turn, Rules, parse_rules};
use vato_engine::search::{MAX_DEPTH, MAX_HASH_MIB, MAX_THREADS, SearchLimit, SearchSettings};
use vato_engine::tablebase::{TableFolders, TablebaseError, Tablebases};
pub use vato_engine::text::number;
use vato_engine::text::{MOST_TIME, quantity, time};
#[cfg(feature = "tools")]
use vato_records::{pgn::PgnReader, read_first_turn};

use super::failure::{Context, Failure};

/// Parses the path of a file that cannot be standard output: `-` is refused.
pub fn named_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new("-") {
        true => Err("expected the name of a file"),
        false => Ok(path),
    })
}

/// Parses a path that endings are put behind: one that names a folder, or has such an ending, is refused.
pub fn stem() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let last = path.as_os_str().as_encoded_bytes().last();
        let is_folder = last.is_some_and(|&last| std::path::is_separator(last.into()));
        let ends = |ending: &&str| path.extension().is_some_and(|own| own == *ending);
        let is_file = ["jsonl", "pgn", "toml"].iter().any(ends);
        match path.file_name() {
            Some(_) if !is_folder && !is_file => Ok(path),
            _ => Err("expected the name of a file without its ending"),
        }
    })
}

/// Settings of which some are given on the command line, and others, under the same names, in a TOML file.
#[derive(Debug)]
pub struct Given<S> {
    matches: ArgMatches,
    settings: PhantomData<S>,
}

impl<S: Args + Default + DeserializeOwned> Given<S> {
    /// The settings in a file, if there is one, else the default ones.
    #[cfg(feature = "tools")]
    pub fn read(path: Option<&Path>) -> Result<S, Failure> {
        let Some(path) = path else {
            return Ok(S::default());
        };
        let text =
            vato_engine::files::read_text(path).map_err(Failure::cannot_read(path.display()))?;
        toml::from_str(&text).map_err(|error| {
            let told = Self::with_place(&text, &error).unwrap_or(error.to_string());
            Failure::Usage(format!("{}: {told}", path.display()))
        })
    }

    /// An error of which serde does not know the place, as it does not in what is flattened: the wrong key is the one that
    /// alone gives the same error.
    #[cfg(feature = "tools")]
    fn with_place(text: &str, error: &toml::de::Error) -> Option<String> {
        let table: toml::Table = text.parse().ok()?;
        let is_wrong = |(key, value): &(&String, &toml::Value)| {
            let alone = toml::Table::from_iter([((*key).clone(), (*value).clone())]);
            let alone = alone.try_into::<S>();
            alone.is_err_and(|alone| alone.message() == error.message())
        };
        let (key, _) = table.iter().find(is_wrong)?;
        let line = text
            .lines()
            .position(|line| line.trim_start().starts_with(key))?;
        let is_unknown = line > 0 && error.span().is_none_or(|span| span.start == 0);
        is_unknown.then(|| format!("line {}: {key}: {}", line + 1, error.message()))
    }

    /// Puts what the command line says into these settings.
    pub fn put_into(&self, mut settings: S) -> Result<S, Failure> {
        let updated = settings.update_from_arg_matches(&self.matches);
        updated.map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(settings)
    }
}

impl<S: Args> Args for Given<S> {
    fn augment_args(command: Command) -> Command {
        // None of them has to be given, and none has a default here.
        S::augment_args_for_update(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        S::augment_args_for_update(command)
    }
}

impl<S> FromArgMatches for Given<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given<S>, clap::Error> {
        Ok(Given {
            matches: matches.clone(),
            settings: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.matches = matches.clone();
        Ok(())
    }
}

/// Parses a time as people type it: `500`, `500ms`, `1.5s`, `2min`; a bare number is of milliseconds.
pub fn milliseconds(text: &str) -> Result<Duration, String> {
    time(text, "ms").ok_or_else(|| {
        let most = MOST_TIME.as_millis();
        format!("expected milliseconds from 1 to {most}, or a time such as 500ms, 2s or 1.5min")
    })
}

/// Parses a size of at least so many MiB as people type it: `64`, `64M`, `64MB`, `1G`, `1GiB`.
pub fn mebibytes(least: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let size = bytes(text, "m")
            .filter(|size| size % (1 << 20) == 0)
            .map(|size| size >> 20);
        let most = MAX_HASH_MIB as u64;
        size.filter(|size| (least..=most).contains(size))
            .ok_or_else(|| {
                format!("expected MiB from {least} to {most}, or a size such as 64MB or 1G")
            })
    }
}

/// Reads a size in bytes, with binary multiples; a bare number is of the unit `bare`.
pub fn bytes(text: &str, bare: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 4] = [("", 1), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30)];
    let text = text.trim().to_ascii_lowercase();
    let short = text.strip_suffix("ib").or(text.strip_suffix('b'));
    quantity(short.unwrap_or(&text), &UNITS, bare)
}

#[derive(Args, Clone, Debug)]
pub struct PositionArguments {
    /// Start position: a FEN, which comments or EPD operations may follow, or startpos [default: the start of the
    /// game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Rules: a preset's name or key=value pairs
    #[arg(long, value_name = "RULES", default_value = "tsivy", value_parser = parse_rules)]
    rules: Rules,
}

impl PositionArguments {
    pub fn read(&self) -> Result<(Rules, Position), Failure> {
        let rules = self.rules;
        let position = match &self.fen {
            Some(fen) => {
                let position = read_position(fen, rules.board);
                position.map_err(|error| Failure::Usage(format!("--fen: {error}")))?
            }
            None => rules.start(),
        };
        log::debug!("rules '{rules:#}', position {position:?}");
        Ok((rules, position))
    }
}

#[derive(Args, Clone, Debug)]
pub struct MovesArgument {
    #[cfg_attr(
        feature = "tools",
        doc = "Moves to play first, in any notation; may include move numbers, {comments} and a result, as in PGN"
    )]
    #[cfg_attr(
        not(feature = "tools"),
        doc = "Moves to play first, such as 'f2-e3A d5-d4A'"
    )]
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

impl MovesArgument {
    pub fn game(&self, rules: Rules, start: Position) -> Result<Game, Failure> {
        Ok(self.game_and_last(rules, start)?.0)
    }

    /// The game from `start` with these moves, and the last one.
    pub fn game_and_last(
        &self,
        rules: Rules,
        start: Position,
    ) -> Result<(Game, Option<(Turn, Move)>), Failure> {
        let (mut last, mut game) = (None, Game::from_position(rules, start));
        let words = words(self.moves.as_deref())
            .map_err(|error| Failure::Usage(format!("--moves: {error}")))?;
        let mut words = &words[..];
        for number in 1.. {
            if words.is_empty() {
                break;
            }
            let wrong = |error| Failure::Usage(format!("--moves, number {number}: {error}"));
            let (path, mv) = turn(&mut words, &rules, game.position()).map_err(wrong)?;
            game.play(mv).map_err(|error| wrong(error.to_string()))?;
            last = Some((path, mv));
        }
        Ok((game, last))
    }
}

/// The moves of a text: those of the main line of a game, also with `,` or `;` between them.
#[cfg(feature = "tools")]
fn words(text: Option<&str>) -> Result<Vec<String>, String> {
    let text = text.unwrap_or_default().replace([',', ';'], " ");
    let mut games = PgnReader::new(text.as_bytes());
    let game = games
        .next()
        .transpose()
        .map_err(|error| error.problem.to_string())?;
    let moves = game.iter().flat_map(|game| game.moves());
    let moves = moves.map(|mv| mv.text().to_owned()).collect();
    // What stands in brackets would be a tag, or a comment.
    let has_tag = text.lines().any(|line| line.trim_start().starts_with('['));
    match games.next().is_some() || has_tag {
        true => Err("expected the moves of one game without its tags".to_owned()),
        false => Ok(moves),
    }
}

#[cfg(not(feature = "tools"))]
fn words(text: Option<&str>) -> Result<Vec<String>, String> {
    let words = text.unwrap_or_default().split([' ', ',', ';']);
    let words = words.filter(|word| !word.is_empty());
    Ok(words.map(str::to_owned).collect())
}

/// Takes the next turn off the words of a list.
fn turn(words: &mut &[String], rules: &Rules, position: &Position) -> Result<(Turn, Move), String> {
    #[cfg(feature = "tools")]
    let found = read_first_turn(words.iter().map(String::as_str), rules, position);
    #[cfg(not(feature = "tools"))]
    let found = parse_turn(&words[0], rules, position).map(|turn| (1, turn));
    let (count, turn) = found.map_err(|error| error.to_string())?;
    *words = &words[count..];
    Ok(turn)
}

/// The turns of a text that are all legal at the same position; `option` is where it was given.
pub fn turns(
    option: &str,
    text: Option<&str>,
    rules: &Rules,
    position: &Position,
) -> Result<Vec<(Turn, Move)>, Failure> {
    let turns = words(text).and_then(|words| {
        let (mut words, mut turns) = (&words[..], Vec::new());
        while !words.is_empty() {
            turns.push(turn(&mut words, rules, position)?);
        }
        Ok(turns)
    });
    turns.map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

/// At most one of the two.
#[derive(Args, Clone, Copy, Debug)]
#[group(multiple = false)]
pub struct Effort {
    /// Depth of each search, in plies
    #[arg(long, value_name = "D", value_parser = number::<u32>(1..=u64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,

    /// Nodes of each search
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    pub nodes: Option<u64>,
}

/// At most one of the limits.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArguments {
    #[command(flatten)]
    pub effort: Effort,

    /// Milliseconds of each search, or a time such as 2s or 1.5min
    #[arg(long, value_name = "MS", value_parser = milliseconds, conflicts_with_all = ["depth", "nodes"])]
    pub movetime: Option<Duration>,
}

impl LimitArguments {
    pub fn given(self) -> Option<SearchLimit> {
        SearchLimit::of(self.effort.depth, self.effort.nodes, self.movetime)
    }
}

#[derive(Args, Debug)]
pub struct EvaluationArguments {
    /// Evaluation: network (if one suits the rules) or classical (hand-written)
    #[arg(long, value_name = "KIND", default_value = EvaluationKind::default().name())]
    evaluation: EvaluationKind,

    /// Network file to use in place of the built-in network
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArguments {
    pub fn evaluation(&self) -> Result<Evaluation, ContainerError> {
        let network = match &self.eval_file {
            Some(path) => Arc::new(Network::read(path)?),
            None => Network::standard(),
        };
        Ok(Evaluation {
            kind: self.evaluation,
            network,
        })
    }
}

#[derive(Args, Debug)]
pub struct SearchArguments {
    /// Number of threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = threads())]
    pub threads: u64,

    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = SearchSettings::DEFAULT_HASH_MIB as u64, value_parser = mebibytes(1))]
    pub hash: u64,

    #[command(flatten)]
    evaluation: EvaluationArguments,
}

pub fn threads() -> impl Fn(&str) -> Result<u64, String> + Clone {
    number::<u64>(1..=MAX_THREADS as u64)
}

/// The threads of work for which none but all processors make sense, if no number is given.
pub fn threads_or_all(given: Option<u64>) -> usize {
    given.map_or_else(processors, |threads| threads as usize)
}

/// Starts the threads that share work: one for each processor, or as many as there is address space for, at least so
/// many. Started by the work itself they would end the process where the system has none.
pub fn start_threads(least: usize) -> Result<(), Failure> {
    vato_engine::memory::require_space(least).map_err(Failure::Error)?;
    let fits = |&threads: &usize| vato_engine::memory::require_space(threads).is_ok();
    let threads = (1..=processors()).rev().find(fits).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().context("cannot start threads")
}

/// The built-in tables and those of the folders. What is wrong with folders that nobody named is logged, and no error.
pub fn tables(rules: &Rules, folders: &TableFolders) -> Result<Tablebases, TablebaseError> {
    match Tablebases::for_play(rules, folders, Tablebases::DEFAULT_CACHE_BYTES, 1, &|| true)? {
        (_, Some(error)) if folders.are_named() => Err(error),
        (tables, error) => {
            error.iter().for_each(|error| log::warn!("{error}"));
            Ok(tables)
        }
    }
}

/// [`tables`] for searches: `None` if no folder is named and the rules have none.
pub fn tables_if_any(
    rules: &Rules,
    folders: &TableFolders,
) -> Result<Option<Arc<Tablebases>>, TablebaseError> {
    match tables(rules, folders) {
        Err(TablebaseError::Rules(_)) if !folders.are_named() => Ok(None),
        found => found.map(|tables| Some(Arc::new(tables))),
    }
}

impl SearchArguments {
    pub fn settings(&self) -> Result<SearchSettings, ContainerError> {
        Ok(SearchSettings {
            threads: self.threads as usize,
            hash_mib: self.hash as usize,
            evaluation: self.evaluation.evaluation()?,
            ..SearchSettings::default()
        })
    }
}

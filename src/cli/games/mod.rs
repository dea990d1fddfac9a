//! `vato games`: collections of games.

mod arguments;
mod output;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use vato_engine::board::Side;
use vato_engine::counted;
use vato_engine::rules::Game;
use vato_records::pgn::{GameRecord, PgnError, RecordedMove};
use vato_solver::files::AppendFile;
use vato_tools::game_formats::GameFormat;
use vato_tools::games::{Field, Index, Subject, compare, is_unknown, scan, sort_order, tree};

pub use self::arguments::GamesCommand;
use self::arguments::{Collection, FilterArguments, FindArguments, TreeArguments};
use self::output::{Output, game_text};
use super::pgn::{self, GameRecords, tell_latin1};
use super::support::arguments::start_threads;
use super::support::failure::{Failure, print};

/// Runs the subcommand. Games that were left out are a failure after all work is done.
pub fn run(command: &GamesCommand) -> Result<(), Failure> {
    start_threads(1)?;
    let left_out = &mut LeftOut::default();
    match command {
        GamesCommand::Check(arguments) => pgn::check(arguments),
        GamesCommand::Filter(arguments) => filter(arguments, left_out),
        GamesCommand::Import { from, input } => import(from.as_deref(), input, left_out),
        GamesCommand::Stats(input) => stats(input, left_out),
        GamesCommand::Tree(arguments) => show_tree(arguments, left_out),
        GamesCommand::Find(arguments) => find(arguments, left_out),
    }?;
    match left_out.0 {
        0 => Ok(()),
        games => Err(Failure::new(format_args!(
            "{} left out",
            counted(games, "game", "games")
        ))),
    }
}

#[derive(Default)]
struct LeftOut(u64);

impl LeftOut {
    fn name(&mut self, name: &str, number: u64, damage: &PgnError) {
        log::warn!("{}; left out", damage.of_game(name, number));
        self.0 += 1;
    }
}

/// Calls `map` for each game of the files, on all processors, and `each` for what it returns, in order. Without a format
/// it is known by the beginning of each file.
fn for_each<T: Send>(
    format: Option<GameFormat>,
    files: &[PathBuf],
    left_out: &mut LeftOut,
    map: impl Fn(Subject) -> Result<T, PgnError> + Sync,
    mut each: impl FnMut(&str, u64, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for path in files {
        let GameRecords { input, name } = GameRecords::open(path)?;
        let mut is_told = false;
        let map = |lines, record: GameRecord| {
            let line = record.latin1_line().map(|line| lines + line);
            Ok((line, map(Subject::new(record))?))
        };
        let scanned = scan(input, format, map, |number, item| match item {
            Ok((line, mapped)) => {
                tell_latin1(&name, line, &mut is_told);
                each(&name, number, mapped)
            }
            Err(damage) => {
                left_out.name(&name, number, &damage);
                Ok(())
            }
        });
        scanned.map_err(Failure::cannot_read(&name))??;
    }
    Ok(())
}

/// A game that is to be written.
struct Selected {
    /// What it is ordered by; `None` is unknown.
    keys: Vec<Option<String>>,
    /// The parts that it belongs to.
    parts: BTreeSet<String>,
    /// What it has in common with the same game elsewhere.
    digest: Option<[u8; 32]>,
    text: String,
}

impl Selected {
    fn of(subject: &Subject, arguments: &FilterArguments) -> Result<Selected, PgnError> {
        let mut keys = Vec::new();
        for (field, _) in &arguments.sort {
            let mut found = subject.values(field)?;
            found.retain(|value| !is_unknown(value));
            // Of two players the first, of two ratings the higher one.
            let best = match field {
                Field::Player => found.first(),
                _ => found.iter().max_by(|a, b| compare(a, b)),
            };
            keys.push(best.map(ToString::to_string));
        }
        let parts = arguments.split.as_ref().map(|field| subject.values(field));
        let parts = parts.transpose()?.unwrap_or_default().into_iter();
        let known = parts.filter(|value| !is_unknown(value));
        Ok(Selected {
            keys,
            parts: known.map(Cow::into_owned).collect(),
            digest: arguments.once.then(|| digest(subject)),
            text: game_text(arguments.input.games(), subject),
        })
    }
}

/// The games for which the condition holds, as they are asked for: once, in order, in parts.
fn filter(arguments: &FilterArguments, left_out: &mut LeftOut) -> Result<(), Failure> {
    let FilterArguments { input, sort, .. } = arguments;
    let output = (arguments.out.is_none()).then(|| Output::begin(input.games(), false));
    let mut output = output.transpose()?;
    let mut seen = HashSet::new();
    let mut repeated = 0_u64;
    // Those of which the order is not that of the files, or that are written in parts.
    let mut kept: Vec<(String, u64, Selected)> = Vec::new();
    let map = |subject: Subject| match arguments.condition.holds(&subject)? {
        true => Selected::of(&subject, arguments).map(Some),
        false => Ok(None),
    };
    let each = |name: &str, number, game: Option<Selected>| {
        let Some(game) = game else {
            return Ok(());
        };
        if game.digest.is_some_and(|digest| !seen.insert(digest)) {
            repeated += 1;
            return Ok(());
        }
        match &mut output {
            Some(output) if sort.is_empty() => output.game(name, number, None, &game.text),
            _ => {
                kept.push((name.to_owned(), number, game));
                Ok(())
            }
        }
    };
    for_each(None, &input.files, left_out, map, each)?;
    if repeated > 0 {
        let games = counted(repeated, "repeated game", "repeated games");
        log::warn!("{games} not written again");
    }
    kept.sort_by(|(.., first), (.., second)| {
        let keys = sort.iter().zip(first.keys.iter().zip(&second.keys));
        let orders = keys.map(|((_, descending), (first, second))| {
            sort_order(first.as_deref(), second.as_deref(), *descending)
        });
        orders.fold(Ordering::Equal, Ordering::then)
    });
    if let Some(out) = &arguments.out {
        return write_parts(out, kept.into_iter().map(|(.., game)| game));
    }
    let Some(mut output) = output else {
        return Ok(());
    };
    for (name, number, game) in &kept {
        output.game(name, *number, None, &game.text)?;
    }
    output.end()
}

fn digest(subject: &Subject) -> [u8; 32] {
    let record = &subject.record;
    let mut digest = Sha256::new();
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        let value = record.tag_value(name).filter(|value| !is_unknown(value));
        digest.update(format!("{value:?} "));
    }
    digest.update(record.result().name());
    match subject.game() {
        Ok(game) => {
            digest.update(format!(" {:#} {:?} ", game.rules(), game.start()));
            for mv in game.moves() {
                digest.update(mv.bits().to_le_bytes());
            }
        }
        // A game that cannot be replayed is the same if its texts are.
        Err(_) => {
            let tags = ["Variant", "Rules", "Vela", "FEN"].map(|name| record.tag_value(name));
            let moves: Vec<&str> = record.moves().iter().map(RecordedMove::text).collect();
            digest.update(format!(" {tags:?} {moves:?}"));
        }
    }
    digest.finalize().into()
}

const MAX_FILES: usize = 1000;

/// Writes a new file for each part, or none at all.
fn write_parts(out: &Path, games: impl Iterator<Item = Selected>) -> Result<(), Failure> {
    // What is unknown is without a value.
    let mut parts: BTreeMap<Option<String>, String> = BTreeMap::new();
    for game in games {
        let unknown = game.parts.is_empty().then_some(None);
        for value in game.parts.into_iter().map(Some).chain(unknown) {
            parts.entry(value).or_default().push_str(&game.text);
        }
    }
    if parts.len() > MAX_FILES {
        let files = parts.len();
        return Err(Failure::new(format_args!(
            "{files} files, expected at most {MAX_FILES}; none is written"
        )));
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut taken = HashSet::new();
    for value in parts.keys() {
        let name = file_name(value.as_deref().unwrap_or("unknown"));
        // Some file systems take large and small letters for the same.
        let mut names = (1..).map(|count| match count {
            1 => name.clone(),
            _ => format!("{name}-{count}"),
        });
        let own = names.find(|name| taken.insert(name.to_lowercase()));
        let mut path = out.as_os_str().to_owned();
        path.push(format!("-{}.pgn", own.unwrap_or_default()));
        let path = PathBuf::from(path);
        vato_solver::files::require_new(&path).map_err(Failure::cannot_write(&path))?;
        paths.push(path);
    }
    for (done, (path, text)) in paths.iter().zip(parts.values()).enumerate() {
        let created = AppendFile::create(path);
        let written = created.and_then(|mut file| file.append(text.as_bytes()));
        written.inspect_err(|_| {
            // Those that are whole go too; what cannot be removed stays.
            let whole = paths[..done].iter();
            whole.for_each(|path| drop(fs::remove_file(path)));
        })?;
    }
    let mut paths = paths.iter();
    paths.try_for_each(|path| print(format_args!("{}\n", path.display())))
}

/// A value as a part of a file's name: other characters than letters, digits, - and . become _.
fn file_name(value: &str) -> String {
    let safe = |character: char| character.is_alphanumeric() || "-.".contains(character);
    let mut room = 100;
    let name = value.chars().take_while(|character| {
        room -= character.len_utf8() as i32;
        room >= 0
    });
    name.map(|character| if safe(character) { character } else { '_' })
        .collect()
}

/// The games that reach a shape, each with the first place.
fn find(arguments: &FindArguments, left_out: &mut LeftOut) -> Result<(), Failure> {
    let FindArguments { shape, input } = arguments;
    // One of them is given.
    let shapes = [&shape.fen, &shape.material, &shape.pattern];
    let Some(shape) = shapes.into_iter().flatten().next() else {
        return Ok(());
    };
    let mut output = Output::begin(input.data.format(), true)?;
    let map = |subject: Subject| {
        let ply = subject.reaches(shape)?;
        Ok(ply.map(|ply| (ply, game_text(input.data.format(), &subject))))
    };
    let each = |name: &str, number, found: Option<(usize, String)>| match found {
        Some((ply, text)) => output.game(name, number, Some(ply), &text),
        None => Ok(()),
    };
    for_each(None, &input.files, left_out, map, each)?;
    output.end()
}

fn import(from: Option<&str>, input: &Collection, left_out: &mut LeftOut) -> Result<(), Failure> {
    let mut output = Output::begin(input.games(), false)?;
    let map = |subject: Subject| {
        subject.game()?;
        Ok(game_text(input.games(), &subject))
    };
    let each = |name: &str, number, text: String| output.game(name, number, None, &text);
    let from = from.and_then(GameFormat::from_name);
    for_each(from, &input.files, left_out, map, each)?;
    output.end()
}

fn stats(input: &Collection, left_out: &mut LeftOut) -> Result<(), Failure> {
    let mut groups: [HashMap<String, [u64; 4]>; 6] = Default::default();
    let map = |subject: Subject| {
        let first = |field| -> Result<String, PgnError> {
            let values = subject.values(&field)?;
            let known = values.iter().find(|value| !is_unknown(value));
            Ok(known.map_or("unknown", |value| value).to_owned())
        };
        let decade = subject.game()?.moves().len() / 20 * 20;
        let names = [
            "all".to_owned(),
            first(Field::Rules)?,
            first(Field::Opening)?,
            Some(subject.first_moves(2)?)
                .filter(|moves| !moves.is_empty())
                .unwrap_or_else(|| "unknown".to_owned()),
            format!("{decade} to {}", decade + 19),
            first(Field::Ending)?,
        ];
        Ok((names, subject.record.result()))
    };
    for_each(
        None,
        &input.files,
        left_out,
        map,
        |_, _, (names, result)| {
            let place = match (result.name(), result.winner()) {
                ("*", _) => 3,
                (_, Some(Side::White)) => 0,
                (_, Some(Side::Black)) => 2,
                (_, None) => 1,
            };
            for (group, name) in groups.iter_mut().zip(names) {
                group.entry(name).or_default()[place] += 1;
            }
            Ok(())
        },
    )?;
    output::stats(input.data.format(), groups)
}

/// The indices of files. What is left out is told, and no failure.
#[cfg(feature = "gui")]
pub(super) fn open_indices(files: &[PathBuf]) -> Result<Vec<Index>, Failure> {
    start_threads(1)?;
    indices(files, &mut LeftOut::default())
}

fn indices(files: &[PathBuf], left_out: &mut LeftOut) -> Result<Vec<Index>, Failure> {
    let index = |path: &PathBuf| {
        let GameRecords { input, name } = GameRecords::open(path)?;
        let index = Index::of(input).map_err(Failure::cannot_read(&name))?;
        for (number, damage) in &index.left_out {
            left_out.name(&name, *number, damage);
        }
        Ok(index)
    };
    files.iter().map(index).collect()
}

fn show_tree(arguments: &TreeArguments, left_out: &mut LeftOut) -> Result<(), Failure> {
    let (rules, position) = arguments.position.read()?;
    let indices = indices(&arguments.input.files, left_out)?;
    let (games, mut branches) = tree(&indices, &rules, &position, arguments.plies);
    prune(&mut branches, arguments.min_games);
    if games == 0 {
        let all: usize = indices.iter().map(Index::games).sum();
        let all = counted(all as u64, "game", "games");
        crate::cli::tell(format_args!(
            "none of {all} has this position under these rules; --fen and --rules name another"
        ));
    }
    let game = Game::from_position(rules, position);
    let format = arguments.input.data.format();
    output::tree(format, &game, games, &branches, arguments.nodes)
}

fn prune(branches: &mut Vec<vato_tools::games::Branch>, least: u64) {
    branches.retain(|branch| branch.games >= least);
    let rest = branches.iter_mut();
    rest.for_each(|branch| prune(&mut branch.next, least));
}

//! `vato games`: collections of games.

mod arguments;
mod output;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use vato::board::Side;
use vato::files::{self, AppendFile};
use vato::games::{
    Damage, Field, Index, IndexError, Place, ScanError, Shape, Subject, compare, read_games, scan,
    tree,
};
use vato::notation::pgn::GameRecord;
use vato::{counted, plural};

pub use self::arguments::Arguments;
use self::arguments::{
    FilterArguments, FindArguments, GamesCommand, IndexArguments, Input, SortArguments,
    SplitArguments, StatsArguments, TreeArguments,
};
use self::output::{Format, Output};
use super::failure::{Context, Failure};
use super::pgn;

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        GamesCommand::Check(arguments) => pgn::check(arguments),
        GamesCommand::Filter(arguments) => filter(arguments),
        GamesCommand::Sort(arguments) => sort(arguments),
        GamesCommand::Merge(input) => write_games(input, |_| Ok(Some(())), |_| true),
        GamesCommand::Dedupe(input) => dedupe(input),
        GamesCommand::Split(arguments) => split(arguments),
        GamesCommand::Stats(arguments) => stats(arguments),
        GamesCommand::Index(arguments) => index(arguments),
        GamesCommand::Tree(arguments) => show_tree(arguments),
        GamesCommand::Find(arguments) => find(arguments),
    }
}

/// Opens a file for reading; `-` is standard input.
fn open(path: &Path) -> Result<(Box<dyn Read>, String), Failure> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), "standard input".to_owned()));
    }
    let name = path.display().to_string();
    let file = files::open(path).map_err(Failure::cannot_read(&name))?;
    Ok((Box::new(file), name))
}

/// Names a game that is left out.
fn name_damage(name: &str, number: u64, damage: &Damage) {
    let Damage {
        line,
        players,
        problem,
    } = damage;
    log::warn!("{name}:{line}: game {number} ({players}): {problem}; left out");
}

/// Calls `map` for each game of the files, on all processors, and `each` for what it returns, in order.
fn for_each<T: Send>(
    files: &[PathBuf],
    map: impl Fn(GameRecord) -> Result<T, Damage> + Sync,
    mut each: impl FnMut(&str, u64, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for path in files {
        let (input, name) = open(path)?;
        let scanned = scan(
            input,
            |_, record| map(record),
            |number, item| match item {
                Ok(mapped) => each(&name, number, mapped),
                Err(damage) => {
                    name_damage(&name, number, &damage);
                    Ok(())
                }
            },
        );
        scanned.map_err(|error| match error {
            ScanError::Input(error) => Failure::cannot_read(&name)(error),
            ScanError::Caller(failure) => failure,
        })?;
    }
    Ok(())
}

/// Writes the games for which `map` returns something, on all processors, that `keep` keeps, in order.
fn write_games<T: Send>(
    input: &Input,
    map: impl Fn(&Subject) -> Result<Option<T>, Damage> + Sync,
    mut keep: impl FnMut(&T) -> bool,
) -> Result<(), Failure> {
    let mut output = Output::begin(input.format)?;
    let format = input.format;
    let line = |record| {
        let subject = Subject::new(record);
        let mapped = map(&subject)?;
        Ok(mapped.map(|mapped| (mapped, format.game(&subject))))
    };
    for_each(&input.files, line, |name, number, item| match item {
        Some((mapped, text)) if keep(&mapped) => output.game(name, number, None, &text),
        _ => Ok(()),
    })?;
    output.end()
}

fn filter(arguments: &FilterArguments) -> Result<(), Failure> {
    let condition = &arguments.condition;
    let mut shapes = Vec::new();
    condition.shapes(&mut shapes);
    let input = &arguments.input;
    let holds = |subject: &Subject| Ok(condition.holds(subject)?.then_some(()));
    let is_indexed = |path: &PathBuf| Index::path(path).exists();
    if shapes.is_empty() || !input.files.iter().any(is_indexed) {
        return write_games(input, holds, |_| true);
    }
    let mut output = Output::begin(input.format)?;
    for path in &input.files {
        let mut index = open_index(path)?;
        let name = path.display().to_string();
        let mut reached = Vec::new();
        for shape in &shapes {
            let found = index.find(shape).context(&name)?;
            reached.push(
                found
                    .iter()
                    .map(|found| found.game)
                    .collect::<HashSet<u32>>(),
            );
        }
        // Whether the condition can hold, by what the index knows.
        let reaches = |game: u32, shape: &Shape| {
            let at = shapes.iter().position(|other| *other == shape);
            Ok::<_, Damage>(at.map(|at| reached[at].contains(&game)))
        };
        let candidates = (0..index.games().len() as u32).filter(|&game| {
            let known =
                condition.evaluate(&mut |shape| reaches(game, shape), &mut |_, _, _| Ok(None));
            !matches!(known, Ok(Some(false)))
        });
        let games = candidates.map(|game| (game, index.games()[game as usize]));
        let (indices, places): (Vec<_>, Vec<_>) =
            games.map(|(at, game)| ((at, game), game.place())).unzip();
        for ((at, game), record) in indices.iter().zip(games_of(path, places)?) {
            let subject = Subject::new(record.map_err(Failure::cannot_read(&name))?);
            let holds = condition.evaluate(
                &mut |shape| reaches(*at, shape),
                &mut |field, sign, text| sign.holds(&subject, field, text).map(Some),
            );
            if holds.map_err(Failure::new)? == Some(true) {
                let text = input.format.game(&subject);
                output.game(&name, game.number.into(), None, &text)?;
            }
        }
    }
    output.end()
}

/// Reads games of a file.
fn games_of(
    path: &Path,
    places: Vec<Place>,
) -> Result<impl Iterator<Item = io::Result<GameRecord>>, Failure> {
    let file = files::open(path).map_err(Failure::cannot_read(path.display()))?;
    Ok(read_games(BufReader::new(file), places))
}

fn sort(arguments: &SortArguments) -> Result<(), Failure> {
    let input = &arguments.input;
    let mut games: Vec<(Vec<String>, String, u64, String)> = Vec::new();
    let map = |record| {
        let subject = Subject::new(record);
        let mut values = Vec::new();
        for key in &arguments.by {
            let found = subject.values(&key.field)?;
            // Of two players the first, of two ratings the higher one.
            let best = match key.field {
                Field::Player => found.first(),
                _ => found.iter().max_by(|a, b| compare(a, b)),
            };
            values.push(best.map(|value| value.to_string()).unwrap_or_default());
        }
        Ok((values, input.format.game(&subject)))
    };
    for_each(&input.files, map, |name, number, (values, text)| {
        games.push((values, name.to_owned(), number, text));
        Ok(())
    })?;
    games.sort_by(|(first, ..), (second, ..)| {
        let keys = arguments.by.iter().zip(first.iter().zip(second));
        let orders = keys.map(|(key, (first, second))| {
            let order = compare(first, second);
            if key.descending {
                order.reverse()
            } else {
                order
            }
        });
        orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let mut output = Output::begin(input.format)?;
    for (_, name, number, text) in &games {
        output.game(name, *number, None, text)?;
    }
    output.end()
}

fn dedupe(input: &Input) -> Result<(), Failure> {
    let mut seen: HashSet<[u8; 32]> = HashSet::new();
    let mut repeated = 0_u64;
    let digest = |subject: &Subject| {
        let game = subject.game()?;
        let mut digest = Sha256::new();
        digest.update(format!("{:#} {:?}", game.rules(), game.start()));
        for mv in game.moves() {
            digest.update(mv.bits().to_le_bytes());
        }
        Ok(Some(digest.finalize().into()))
    };
    write_games(input, digest, |digest| {
        let is_new = seen.insert(*digest);
        repeated += u64::from(!is_new);
        is_new
    })?;
    if repeated > 0 {
        log::warn!(
            "{} left out",
            counted(repeated, "repeated game", "repeated games")
        );
    }
    Ok(())
}

/// The maximum number of files of `split`.
const MAX_FILES: usize = 1000;

fn split(arguments: &SplitArguments) -> Result<(), Failure> {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut games = 0;
    let map = |record| {
        let subject = Subject::new(record);
        let values = match &arguments.by {
            Some(field) => subject
                .values(field)?
                .iter()
                .map(ToString::to_string)
                .collect(),
            None => Vec::new(),
        };
        Ok((values, Format::Pgn.game(&subject)))
    };
    for_each(&arguments.files, map, |_, _, (mut values, text)| {
        if let Some(each) = arguments.games {
            values = vec![format!("{:04}", games / each + 1)];
        } else if values.is_empty() {
            values.push("unknown".to_owned());
        }
        games += 1;
        for value in values {
            parts.entry(file_name(&value)).or_default().push_str(&text);
        }
        match parts.len() > MAX_FILES {
            true => Err(Failure::new(format_args!(
                "more than {MAX_FILES} files; none is written"
            ))),
            false => Ok(()),
        }
    })?;
    for (value, text) in &parts {
        let mut path = arguments.out.clone().into_os_string();
        path.push(format!("-{value}.pgn"));
        let path = PathBuf::from(path);
        AppendFile::create(&path)?.append(text.as_bytes())?;
        output::line(format_args!("{}", path.display()))?;
    }
    Ok(())
}

/// A value as a part of a file's name: other characters than letters, digits, - and . become _.
fn file_name(value: &str) -> String {
    let safe = |character: char| character.is_alphanumeric() || "-.".contains(character);
    let name = value
        .chars()
        .take(80)
        .map(|character| if safe(character) { character } else { '_' });
    name.collect()
}

fn stats(arguments: &StatsArguments) -> Result<(), Failure> {
    let mut groups: [HashMap<String, [u64; 4]>; 6] = Default::default();
    let map = |record: GameRecord| {
        let subject = Subject::new(record);
        let first = |field| {
            let values = subject.values(&field)?;
            Ok::<_, Damage>(
                values
                    .first()
                    .map_or("unknown".to_owned(), ToString::to_string),
            )
        };
        let plies = subject.game()?.moves().len();
        let decade = plies / 20 * 20;
        let names = [
            "all".to_owned(),
            first(Field::Rules)?,
            first(Field::Opening)?,
            subject.first_moves(2)?,
            format!("{decade:3} to {}", decade + 19),
            first(Field::Ending)?,
        ];
        Ok((names, subject.record().result()))
    };
    for_each(&arguments.files, map, |_, _, (names, result)| {
        let place = match (result.text(), result.winner()) {
            ("*", _) => 3,
            (_, Some(Side::White)) => 0,
            (_, Some(Side::Black)) => 2,
            (_, None) => 1,
        };
        for (group, name) in groups.iter_mut().zip(names) {
            group.entry(name).or_default()[place] += 1;
        }
        Ok(())
    })?;
    output::stats(arguments.format, groups)
}

fn index(arguments: &IndexArguments) -> Result<(), Failure> {
    for path in &arguments.files {
        let index = make_index(path)?;
        output::line(format_args!(
            "{}: {}, {}",
            Index::path(path).display(),
            counted(index.games().len() as u64, "game", "games"),
            counted(index.positions(), "position", "positions")
        ))?;
    }
    Ok(())
}

/// Makes the index of a file and writes it.
fn make_index(path: &Path) -> Result<Index, Failure> {
    let name = path.display().to_string();
    let index = Index::write(path, |number, damage| name_damage(&name, number, &damage));
    index.map_err(Failure::new)
}

/// The index of a file: that beside it, made anew if it is stale or damaged; in memory if there is none.
fn open_index(path: &Path) -> Result<Index, Failure> {
    let is_file = path != Path::new("-");
    if is_file {
        match Index::open(path) {
            Ok(None) => {}
            Ok(Some(index)) => {
                let damaged = index.damaged();
                if damaged > 0 {
                    let (games, are) = (
                        counted(damaged, "game", "games"),
                        plural(damaged, "is", "are"),
                    );
                    log::warn!(
                        "{}: {games} {are} left out: see vato games check",
                        path.display()
                    );
                }
                return Ok(index);
            }
            Err(error @ IndexError::Stale) => {
                log::warn!("{}: {error}: making it anew", Index::path(path).display());
                return make_index(path);
            }
            Err(error) => {
                return Err(Failure::new(format_args!(
                    "{error} (vato games index makes it anew)"
                )));
            }
        }
    }
    let (input, name) = open(path)?;
    let index = Index::of(input, |number, damage| name_damage(&name, number, &damage));
    index.map_err(Failure::cannot_read(&name))
}

fn show_tree(arguments: &TreeArguments) -> Result<(), Failure> {
    let (rules, position) = arguments.position.read()?;
    let files = &arguments.input.files;
    let mut indices = files
        .iter()
        .map(|path| open_index(path))
        .collect::<Result<Vec<_>, _>>()?;
    let (games, mut branches) =
        tree(&mut indices, &rules, &position, arguments.plies).map_err(Failure::new)?;
    prune(&mut branches, arguments.min_games);
    let mut scores = output::Scores::new(&rules, arguments.nodes, arguments.book.as_deref())?;
    output::tree(
        arguments.input.format,
        &rules,
        &position,
        games,
        &branches,
        &mut scores,
    )
}

fn prune(branches: &mut Vec<vato::games::Branch>, least: u64) {
    branches.retain(|branch| branch.games >= least);
    branches
        .iter_mut()
        .for_each(|branch| prune(&mut branch.next, least));
}

fn find(arguments: &FindArguments) -> Result<(), Failure> {
    let shapes = &arguments.shape;
    let shape = shapes
        .fen
        .as_ref()
        .or(shapes.material.as_ref())
        .or(shapes.pattern.as_ref());
    let shape = shape
        .ok_or_else(|| Failure::Usage("expected --fen, --material or --pattern".to_owned()))?;
    let mut output = Output::begin_found(arguments.format)?;
    for path in &arguments.files {
        if path == Path::new("-") || !Index::path(path).exists() {
            let map = |record| {
                let subject = Subject::new(record);
                let ply = subject.reaches(shape)?;
                Ok(ply.map(|ply| (ply, arguments.format.game(&subject))))
            };
            for_each(
                std::slice::from_ref(path),
                map,
                |name, number, item| match item {
                    Some((ply, text)) => output.game(name, number, Some(ply), &text),
                    None => Ok(()),
                },
            )?;
            continue;
        }
        let mut index = open_index(path)?;
        let name = path.display().to_string();
        let found = index.find(shape).context(&name)?;
        let games = found.iter().map(|found| index.games()[found.game as usize]);
        let (games, places): (Vec<_>, Vec<_>) = games.map(|game| (game, game.place())).unzip();
        for ((found, game), record) in found.iter().zip(games).zip(games_of(path, places)?) {
            let subject = Subject::new(record.map_err(Failure::cannot_read(&name))?);
            let text = arguments.format.game(&subject);
            output.game(&name, game.number.into(), Some(found.ply as usize), &text)?;
        }
    }
    output.end()
}

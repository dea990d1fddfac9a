//! Game records for several commands, and `vato games check`.

#[cfg(unix)]
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::os::{fd::AsFd, fd::BorrowedFd, unix::fs::MetadataExt};
use std::path::{Path, PathBuf};

use clap::Args;
use vato_engine::files;
use vato_engine::{counted, plural};
use vato_records::pgn::{GameRecord, PgnError};
use vato_tools::game_formats;

use super::support::failure::{Failure, stdout};

/// Check game records against the rules
///
/// Replays every game of the file under its own rules (the tag Rules, else Variant, else tsivy) from
/// its own start (the tag FEN) and checks that every move is legal, that no move follows the end of
/// the game, that the result is the one that the rules give, and that the tags agree. A game that
/// the rules did not end needs a tag Termination that says what did: any value but `normal` and
/// `unterminated`, unless its result is `*`.
///
/// Prints a line for each problem, FILE:LINE: game NUMBER (WHITE – BLACK): PROBLEM, and a summary.
/// Of each game only the first wrong move is named. Files of any size are read game by game.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  vato games check games.pgn
  vato games check < games.pgn

Exit codes: 0 all games are right, 1 a game is wrong or the file cannot be read, 2 wrong usage")]
pub struct CheckArguments {
    /// File of game records; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let GameRecords { input, name } = GameRecords::open(&arguments.file)?;
    let mut out = stdout();
    let (mut games, mut wrong) = (0_u64, 0_u64);
    let mut is_told = false;
    for item in game_formats::read(input, None) {
        games += 1;
        let damages: Vec<PgnError> = match item {
            Ok(record) => {
                tell_latin1(&name, record.latin1_line(), &mut is_told);
                let faults = record.check().into_iter();
                faults.map(|fault| PgnError::of(&record, fault)).collect()
            }
            Err(error) if error.is_input => {
                return Err(Failure::cannot_read(&name)(error.input()));
            }
            Err(error) => vec![error],
        };
        for damage in &damages {
            writeln!(out, "{}", damage.of_game(&name, games))?;
        }
        wrong += u64::from(!damages.is_empty());
    }
    let right = games - wrong;
    let counted = counted(games, "game", "games");
    writeln!(out, "{counted}, {right} right, {wrong} wrong")?;
    match wrong {
        0 => Ok(()),
        _ => Err(invalid_games(wrong, games)),
    }
}

pub fn invalid_games(wrong: u64, games: u64) -> Failure {
    let verb = plural(games, "is", "are");
    let games = counted(games, "game record", "game records");
    Failure::new(format_args!("{wrong} of {games} {verb} invalid"))
}

/// Tells once where a file with this name is not UTF-8, if it is so on this line.
pub fn tell_latin1(name: &str, line: Option<u64>, is_told: &mut bool) {
    if let Some(line) = line.filter(|_| !std::mem::replace(is_told, *is_told || line.is_some())) {
        log::warn!("{name}:{line}: this is not UTF-8; read as Latin-1");
    }
}

/// An open input of game records with its name.
pub struct GameRecords {
    pub input: Box<dyn BufRead + Send>,
    /// The file's name as it was given, or `standard input`.
    pub name: String,
}

impl GameRecords {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<GameRecords, Failure> {
        let is_standard = path == Path::new("-");
        let name = match is_standard {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        let input: Box<dyn Read + Send> = match is_standard {
            true => Box::new(apart(io::stdin(), &name)?),
            false => {
                let file = files::open(path).map_err(Failure::cannot_read(&name))?;
                Box::new(apart(file, &name)?)
            }
        };
        let input = Box::new(BufReader::with_capacity(1 << 16, input));
        Ok(GameRecords { input, name })
    }
}

/// Refuses a file that standard output goes to.
#[cfg(unix)]
fn apart<T: AsFd>(input: T, name: &str) -> Result<T, Failure> {
    let place = |file: BorrowedFd<'_>| {
        let metadata = fs::File::from(file.try_clone_to_owned().ok()?).metadata();
        let metadata = metadata.ok().filter(fs::Metadata::is_file)?;
        Some((metadata.dev(), metadata.ino()))
    };
    let own = place(input.as_fd());
    if own.is_some() && own == place(io::stdout().as_fd()) {
        let what = "the output goes to this file, and would be read again";
        return Err(Failure::new(format_args!("{name}: {what}")));
    }
    Ok(input)
}

/// Other systems do not tell.
#[cfg(not(unix))]
fn apart<T>(input: T, _: &str) -> Result<T, Failure> {
    Ok(input)
}

/// The file and the number of a game: the first one, or game N if no file has this path and it ends in `#N`.
pub fn numbered(path: &Path) -> (PathBuf, u64) {
    let parts = || {
        let (file, number) = path.to_str()?.rsplit_once('#')?;
        let number = number.parse::<u64>().ok().filter(|&number| number > 0)?;
        Some((PathBuf::from(file), number))
    };
    let whole = path.exists().then_some((path.to_owned(), 1));
    whole.or_else(parts).unwrap_or((path.to_owned(), 1))
}

/// A game of a file.
pub struct FoundGame {
    pub path: PathBuf,
    pub record: GameRecord,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The number of games in the file.
    pub games: u64,
}

/// Reads a game from a file: the first, or game N if no file has this path and it ends in `#N`.
pub fn read_game(path: &Path) -> Result<FoundGame, String> {
    let (path, number) = numbered(path);
    let shown = path.display();
    let unreadable = |error| format!("cannot read {shown}: {error}");
    let file = files::open(&path).map_err(unreadable)?;
    let mut games = game_formats::read(BufReader::new(file), None);
    let before = games.by_ref().take((number - 1) as usize).count() as u64;
    let record = match games.next() {
        Some(Ok(record)) => {
            tell_latin1(&shown.to_string(), record.latin1_line(), &mut false);
            record
        }
        None if before > 0 => {
            let games = counted(before, "game", "games");
            return Err(format!("{shown} has {games}, so there is no game {number}"));
        }
        None => return Err(format!("{shown} has no game")),
        Some(Err(error)) if error.is_input => {
            return Err(unreadable(error.input()));
        }
        Some(Err(error)) => return Err(format!("{shown}: {error}")),
    };
    let games = number + games.count() as u64;
    Ok(FoundGame {
        path,
        record,
        number,
        games,
    })
}

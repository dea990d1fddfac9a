//! Games in the formats of other programs.
//!
//! Each format makes records of words (`Draft`), which are read as turns by the rules that it is played by. What is
//! no game is an error, and reading goes on.

mod abstract_play;
mod boardspace;
mod draft;
mod lists;
mod ludii;
mod parts;
mod vchess;

use std::io::{self, BufRead};
use std::str::FromStr;

use vato_engine::notation::pgn::{GameRecord, PgnError, PgnProblem, PgnReader, RecordResult};
use vato_engine::text::{named_enum, printable};

use draft::Draft;
use parts::parts;

/// A game, or why it cannot be read.
pub type Item = Result<GameRecord, PgnError>;

/// The most characters of a message.
const LONGEST: usize = 300;

named_enum! {
    /// A format of games.
    pub enum GameFormat {
        /// PGN, also FGN; without tags in any notation.
        Pgn = "pgn",
        /// Records of AbstractPlay: JSON, one or many.
        AbstractPlay = "abstractplay",
        /// Records of boardspace.net, like SGF.
        Boardspace = "boardspace",
        /// Trials of Ludii.
        Ludii = "ludii",
        /// PGN of vchess, with its list of squares.
        Vchess = "vchess",
        /// A list of turns by the rules of SuperDuperGames, AbstractPlay and its AI: `a3a4+,a4b4-.`, `xa1-b2`.
        SuperDuperGames = "superdupergames",
        /// A saved game of jeriks31's program.
        Jeriks31 = "jeriks31",
        /// A list of turns in any notation, of the standard game.
        Moves = "moves",
    }
}

impl FromStr for GameFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<GameFormat, String> {
        GameFormat::from_name(name).ok_or_else(|| {
            format!(
                "expected {}",
                GameFormat::ALL.map(GameFormat::name).join(", ")
            )
        })
    }
}

impl GameFormat {
    /// The format of a text that begins so.
    fn of(head: &str) -> GameFormat {
        let head =
            head.trim_start_matches(|first: char| first.is_whitespace() || first == '\u{feff}');
        let is_bracket = |text: &str| text.trim_start().starts_with(['{', '[', ']']);
        match head.as_bytes() {
            // A brace is a comment of PGN as well.
            [b'{', ..] if head[1..].trim_start().starts_with(['"', '}']) => {
                GameFormat::AbstractPlay
            }
            [b'[', ..] if is_bracket(&head[1..]) => GameFormat::AbstractPlay,
            _ if head.starts_with("(;") => GameFormat::Boardspace,
            _ if head.starts_with("game=") => GameFormat::Ludii,
            _ if head.contains("[Variant \"Fanorona\"]") && head.contains("[Fen \"") => {
                GameFormat::Vchess
            }
            _ => lists::format(head),
        }
    }
}

/// The format of a text that begins as what can be read at once.
pub(super) fn format(input: &mut impl BufRead) -> io::Result<GameFormat> {
    Ok(GameFormat::of(&String::from_utf8_lossy(input.fill_buf()?)))
}

/// Reads the games of a text one by one. Without a format it is known by the beginning.
///
/// A game of PGN without tags is read in any notation; one with tags has to be PGN.
pub fn read_as<'a>(
    mut input: impl BufRead + Send + 'a,
    known: Option<GameFormat>,
) -> Box<dyn Iterator<Item = Item> + Send + 'a> {
    // An input that cannot be read is an error of the reader.
    match known
        .or_else(|| format(&mut input).ok())
        .unwrap_or(GameFormat::Pgn)
    {
        GameFormat::Pgn => Box::new(PgnReader::new(input).map(respelled)),
        GameFormat::AbstractPlay => Box::new(abstract_play::Records::new(input)),
        GameFormat::Boardspace => Box::new(parts(input, "(;", boardspace::read).into_iter()),
        GameFormat::Ludii => Box::new(parts(input, "game=", ludii::read).into_iter()),
        GameFormat::Vchess => Box::new(PgnReader::new(input).map(|item| vchess::read(&item?))),
        GameFormat::Jeriks31 => Box::new(parts(input, "Engine:", lists::jeriks31).into_iter()),
        GameFormat::SuperDuperGames => lists::read(input, abstract_play::RULES),
        GameFormat::Moves => lists::read(input, ""),
    }
}

/// Reads the games of a text one by one ([`read_as`]), in the format that it is in.
pub fn read<'a>(input: impl BufRead + Send + 'a) -> Box<dyn Iterator<Item = Item> + Send + 'a> {
    read_as(input, None)
}

/// The games of a text in another format than PGN as PGN, and what is wrong with the others; `None` if it is PGN.
pub fn as_pgn(text: &str) -> Option<(String, Vec<PgnError>)> {
    let format = GameFormat::of(text);
    if format == GameFormat::Pgn {
        return None;
    }
    let (mut pgn, mut damaged) = (String::new(), Vec::new());
    for item in read_as(text.as_bytes(), Some(format)) {
        match item {
            Ok(record) => pgn.push_str(&record.to_string()),
            Err(error) => damaged.push(error),
        }
    }
    Some((pgn, damaged))
}

/// A game of PGN. One without tags is read in any notation, and need not tell its result.
pub(crate) fn respelled(item: Item) -> Item {
    let mut record = item?;
    if record.tags().iter().all(|tag| tag.line().is_none()) {
        let game = record.replay().or_else(|_| record.respell());
        // A turn at fault is named where it is played.
        if let Ok(game) = game
            && record.result() == RecordResult::Unfinished
        {
            record.set_result(game.outcome().into());
        }
    }
    Ok(record)
}

/// Something that is no game, of players that are not known.
fn damage(line: u64, problem: PgnProblem) -> PgnError {
    PgnError {
        line,
        players: "? – ?".to_owned(),
        problem: match problem {
            PgnProblem::Text(text) => PgnProblem::Text(printable(&text, LONGEST)),
            input => input,
        },
    }
}

//! Games in the formats of other programs.
//!
//! Each format makes records of words (`Draft`), which are read as turns by the rules that it is played by. What is
//! no game is an error, and reading goes on.

mod abstract_play;
mod boardspace;
mod draft;
mod lists;
mod ludii;

use std::io::{self, BufRead};
use std::iter;

use vato_engine::notation::pgn::{
    GameRecord, MAX_GAME_BYTES, PgnError, PgnProblem, PgnReader, RecordResult, Source,
};
use vato_engine::text::named_enum;

pub use abstract_play::write as write_abstract_play;
use draft::Draft;

/// A game, or why it cannot be read.
pub type Item = Result<GameRecord, PgnError>;

named_enum! {
    /// A format of games.
    pub enum GameFormat {
        /// PGN, also FGN; without tags a list of turns in any notation.
        Pgn = "pgn",
        /// Records of AbstractPlay: JSON, one or many.
        AbstractPlay = "abstractplay",
        /// Records of boardspace.net, like SGF.
        Boardspace = "boardspace",
        /// Trials of Ludii.
        Ludii = "ludii",
        /// PGN of vchess, with its list of squares.
        Vchess = "vchess",
        /// Games of The Garden Gate: `0H.f2-e3A;0G.d5-d4A;`.
        GardenGate = "gardengate",
        /// A list of turns by the rules of SuperDuperGames, AbstractPlay and its AI: `a3a4+,a4b4-.`, `xa1-b2`.
        SuperDuperGames = "superdupergames",
        /// A saved game of jeriks31's program.
        Jeriks31 = "jeriks31",
    }
}

impl GameFormat {
    /// The format of a text that begins so.
    fn of(head: &str) -> GameFormat {
        let head =
            head.trim_start_matches(|first: char| first.is_whitespace() || first == '\u{feff}');
        let behind = head.get(1..).unwrap_or_default().trim_start();
        match head.trim_end().as_bytes() {
            // All that a pipe has so far: PGN would have the rest of its line.
            [b'{' | b'['] => GameFormat::AbstractPlay,
            // A brace is a comment of PGN as well.
            [b'{', ..] if behind.starts_with(['"', '}']) => GameFormat::AbstractPlay,
            [b'[', ..] if behind.starts_with(['{', '[', ']']) => GameFormat::AbstractPlay,
            _ if head.starts_with(boardspace::BEGIN) => GameFormat::Boardspace,
            _ if head.starts_with(ludii::BEGIN) => GameFormat::Ludii,
            _ if head.starts_with(lists::GARDEN_GATE) => GameFormat::GardenGate,
            _ if head.starts_with(lists::JERIKS31) => GameFormat::Jeriks31,
            [b'[' | b'%', ..]
                if head.contains("[Variant \"Fanorona\"]") && head.contains("[Fen \"") =>
            {
                GameFormat::Vchess
            }
            [b'[' | b'%', ..] => GameFormat::Pgn,
            _ if lists::is_signed(head) => GameFormat::SuperDuperGames,
            _ => GameFormat::Pgn,
        }
    }
}

/// The format of an input, by its first bytes, which are not consumed.
pub(super) fn format(input: &mut impl BufRead) -> io::Result<GameFormat> {
    Ok(GameFormat::of(&String::from_utf8_lossy(input.fill_buf()?)))
}

/// Games, read one by one.
pub type Games<'a> = Box<dyn Iterator<Item = Item> + Send + 'a>;

/// Reads the games of a text. Without a format it is known by the beginning.
///
/// A game of PGN without tags is read in any notation; one with tags has to be PGN.
pub fn read<'a>(mut input: impl BufRead + Send + 'a, known: Option<GameFormat>) -> Games<'a> {
    // An input that cannot be read is an error of the reader.
    let known = known.or_else(|| format(&mut input).ok());
    match known.unwrap_or(GameFormat::Pgn) {
        GameFormat::Pgn => Box::new(PgnReader::new(input).map(respelled)),
        GameFormat::AbstractPlay => abstract_play::read(input),
        GameFormat::Boardspace => parts(input, boardspace::BEGIN, boardspace::read),
        GameFormat::Ludii => parts(input, ludii::BEGIN, ludii::read),
        GameFormat::Vchess => Box::new(PgnReader::new(input).map(lists::vchess)),
        GameFormat::GardenGate => parts(input, lists::GARDEN_GATE, lists::garden_gate),
        GameFormat::Jeriks31 => parts(input, lists::JERIKS31, lists::jeriks31),
        GameFormat::SuperDuperGames => Box::new(PgnReader::new(input).map(lists::signed)),
    }
}

/// The games of a text, each from a line on that begins with these characters; `read` reads one by its line and text.
fn parts<'a>(
    input: impl BufRead + Send + 'a,
    begin: &'static str,
    read: fn(u64, &str) -> Draft,
) -> Games<'a> {
    let (mut lines, mut part, mut first) = (Source::new(input), String::new(), 0);
    let mut is_over = false;
    Box::new(iter::from_fn(move || {
        while !is_over {
            match lines.advance() {
                Ok(goes_on) => is_over = !goes_on,
                Err(error) => {
                    is_over = true;
                    return Some(Err(damage(first, PgnProblem::Input(error))));
                }
            }
            lines.skip_mark();
            let text = lines.rest();
            let begins = is_over || text.trim_start().starts_with(begin);
            let whole = begins.then(|| std::mem::take(&mut part));
            let line = first;
            if part.trim_start().is_empty() {
                (part, first) = (String::new(), lines.number);
            }
            if part.len() <= MAX_GAME_BYTES {
                part.extend([text, "\n"]);
            }
            match whole.filter(|whole| !whole.trim().is_empty()) {
                None => {}
                Some(whole) if whole.len() > MAX_GAME_BYTES => {
                    let problem = "the game has more than 16 MiB of text".to_owned();
                    return Some(Err(damage(line, PgnProblem::Text(problem))));
                }
                Some(whole) => return Some(read(line, &whole).finish()),
            }
        }
        None
    }))
}

/// The games of a text in another format than PGN as PGN, and what is wrong with the others; `None` if it is PGN.
pub fn as_pgn(text: &str) -> Option<(String, Vec<PgnError>)> {
    let format = GameFormat::of(text);
    if format == GameFormat::Pgn {
        return None;
    }
    let (mut pgn, mut damaged) = (String::new(), Vec::new());
    for item in read(text.as_bytes(), Some(format)) {
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
    // A turn at fault is named where it is played.
    if record.tags().iter().all(|tag| tag.line().is_none())
        && let Ok(game) = record.respell()
        && record.result() == RecordResult::Unfinished
    {
        record.set_result(game.outcome().into());
    }
    Ok(record)
}

/// Something that is no game, of players that are not known.
fn damage(line: u64, problem: PgnProblem) -> PgnError {
    let players = "? – ?".to_owned();
    PgnError {
        line,
        players,
        problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_alone_begins_records() {
        for (head, format) in [
            ("[\n", GameFormat::AbstractPlay),
            ("\u{feff} { ", GameFormat::AbstractPlay),
            ("[Event \"a\"]\n", GameFormat::Pgn),
            ("{a game}\n", GameFormat::Pgn),
            ("", GameFormat::Pgn),
        ] {
            assert_eq!(GameFormat::of(head), format, "{head}");
        }
    }
}

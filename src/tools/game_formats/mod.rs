//! Games in the formats of other programs.
//!
//! Each format makes records of words (`Draft`), which are read as turns by the rules that it is played by. What is
//! no game is an error, and reading goes on.

mod abstract_play;
mod boardspace;
mod draft;
mod lists;
mod ludii;

use std::io::{self, BufRead, Cursor, Read};
use std::iter;

use serde_json::Value;
use vato_engine::text::named_enum;

use vato_records::pgn::{GameRecord, MAX_GAME_BYTES, PgnError, PgnReader, RecordResult, Source};

use draft::Draft;

/// A game, or why it cannot be read.
pub type Item = Result<GameRecord, PgnError>;

/// Why words are not read.
pub const NO_GAME: &str = "no game of Fanorona in this text";

/// The most bytes of a text that tell its format.
const HEAD: usize = 1 << 16;

named_enum! {
    /// A format of games.
    pub enum GameFormat {
        /// PGN, also FGN and vchess; without tags a list of turns in any notation.
        Pgn = "pgn",
        /// Records of AbstractPlay: JSON, one or many.
        AbstractPlay = "abstractplay",
        /// Records of boardspace.net, like SGF.
        Boardspace = "boardspace",
        /// Trials of Ludii.
        Ludii = "ludii",
        /// A list of turns by the rules of SuperDuperGames, AbstractPlay and its AI: `a3a4+,a4b4-.`, `xa1-b2`.
        SuperDuperGames = "superdupergames",
    }
}

impl GameFormat {
    /// The format of a text that begins so; `None` if what follows tells it.
    fn of(head: &str) -> Option<GameFormat> {
        let head =
            head.trim_start_matches(|first: char| first.is_whitespace() || first == '\u{feff}');
        let behind = head.get(1..).unwrap_or_default().trim_start();
        // A brace or a bracket begins a comment or a tag of PGN as well.
        let key = behind.strip_prefix('"').and_then(|key| key.split_once('"'));
        let is_object = key.is_some_and(|(_, value)| value.trim_start().starts_with(':'));
        let inner = head.trim_start_matches(|first: char| first.is_whitespace() || first == '[');
        let value = inner.split([',', ']']).next().unwrap_or_default();
        let is_list = inner.starts_with(['{', ']']) || serde_json::from_str::<Value>(value).is_ok();
        Some(match head.as_bytes() {
            [b'{', ..] if is_object => GameFormat::AbstractPlay,
            [b'[', ..] if is_list => GameFormat::AbstractPlay,
            _ if head.starts_with(boardspace::BEGIN) => GameFormat::Boardspace,
            _ if head.starts_with(ludii::BEGIN) => GameFormat::Ludii,
            [b'[' | b'%', ..] if !inner.is_empty() => GameFormat::Pgn,
            _ => return lists::format(head),
        })
    }
}

/// The format of an input, if it is not known by its beginning, and all of the input. Of a pipe only the lines that tell it are
/// waited for: of a list those up to its first turn.
pub(super) fn format<'a>(
    mut input: impl BufRead + Send + 'a,
    known: Option<GameFormat>,
) -> io::Result<(GameFormat, impl BufRead + Send + 'a)> {
    let (mut head, mut rest, mut format) = (Vec::new(), u64::MAX, known);
    while format.is_none() && rest > 0 && head.len() < HEAD {
        let begin = head.len();
        let left = (HEAD - begin) as u64;
        // What a terminal ends once is not read again.
        rest *= u64::from(input.by_ref().take(left).read_until(b'\n', &mut head)? > 0);
        if !head[begin..].trim_ascii().is_empty() {
            format = GameFormat::of(&String::from_utf8_lossy(&head));
        }
    }
    let format = format.unwrap_or(GameFormat::Pgn);
    Ok((format, Cursor::new(head).chain(input.take(rest))))
}

/// Games, read one by one.
pub type Games<'a> = Box<dyn Iterator<Item = Item> + Send + 'a>;

/// Reads the games of a text. Without a format it is known by the beginning.
///
/// A game of PGN without tags is read in any notation; one with tags has to be PGN.
pub fn read<'a>(input: impl BufRead + Send + 'a, known: Option<GameFormat>) -> Games<'a> {
    let (format, input) = match format(input, known) {
        Ok(begun) => begun,
        Err(error) => return Box::new(iter::once(Err(PgnError::of_input(0, &error)))),
    };
    match format {
        GameFormat::Pgn => Box::new(PgnReader::new(input).map(respelled)),
        GameFormat::AbstractPlay => abstract_play::read(input),
        GameFormat::Boardspace => parts(input, boardspace::BEGIN, boardspace::read),
        GameFormat::Ludii => parts(input, ludii::BEGIN, ludii::read),
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
                    return Some(Err(PgnError::of_input(first, &error)));
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
                    let problem = "the game has more than 16 MiB of text";
                    return Some(Err(PgnError::no_game(line, problem)));
                }
                Some(whole) => {
                    let mut draft = read(line, &whole);
                    draft.latin1 = lines.latin1.take();
                    return Some(draft.finish());
                }
            }
        }
        None
    }))
}

/// The games of a text in another format than PGN as PGN, and what is wrong with the others, each with the number of games before it;
/// `None` if it is PGN.
pub fn as_pgn(text: &str) -> Option<(String, Vec<(usize, PgnError)>)> {
    let format = GameFormat::of(text).filter(|format| *format != GameFormat::Pgn)?;
    let (mut pgn, mut damaged) = (String::new(), Vec::new());
    for (before, item) in (0..).zip(read(text.as_bytes(), Some(format))) {
        match item {
            Ok(record) => pgn.push_str(&record.to_string()),
            Err(error) => damaged.push((before, error)),
        }
    }
    Some((pgn, damaged))
}

/// Whether a game is from another format, or a list of turns without tags, in any notation.
pub(crate) fn is_foreign(record: &GameRecord) -> bool {
    record.tags().iter().all(|tag| tag.line().is_none())
}

/// A game of PGN. One without tags is read in any notation, and need not tell its result.
pub(crate) fn respelled(item: Item) -> Item {
    let mut record = item?;
    if lists::is_vchess(&record) {
        return lists::vchess(&record);
    }
    // A turn at fault is named where it is played.
    if is_foreign(&record) {
        // All turns but a pass have the name of a point, which may also be in an address or a path.
        let is_point = |pair: &[u8]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
        let has_point = |text: &str| text.as_bytes().windows(2).any(is_point);
        let is_turn = |text: &str| text == "pass" || has_point(text) && !text.contains(['/', '\\']);
        if !record.moves().is_empty() && !record.moves().iter().any(|turn| is_turn(turn.text())) {
            let line = record.line().unwrap_or_default();
            return Err(PgnError::no_game(line, NO_GAME));
        }
        if let Ok(game) = record.respell(usize::MAX)
            && record.result() == RecordResult::Unfinished
        {
            record.set_result(game.outcome().into());
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_the_beginning() {
        for (head, format) in [
            ("[\n {", Some(GameFormat::AbstractPlay)),
            ("\u{feff} { \"header\" : ", Some(GameFormat::AbstractPlay)),
            ("[Event \"a\"]\n", Some(GameFormat::Pgn)),
            ("[[Event \"a\"]\n", Some(GameFormat::Pgn)),
            ("[]\n", Some(GameFormat::AbstractPlay)),
            ("[\n[ {", Some(GameFormat::AbstractPlay)),
            ("[[\n", None),
            ("[ null ]", Some(GameFormat::AbstractPlay)),
            ("{\"Great\" game} f2e3", Some(GameFormat::Pgn)),
            ("; x\n{}\n1.\nf2e3+", Some(GameFormat::SuperDuperGames)),
            ("%\n1. f2e3+", Some(GameFormat::Pgn)),
            ("{}\n[White \"a\"]\n\nf2e3+", Some(GameFormat::Pgn)),
            ("[\n", None),
            ("{a", None),
            ("1.\n", None),
            ("", None),
        ] {
            assert_eq!(GameFormat::of(head), format, "{head}");
        }
        // What a pipe has so far is not all.
        let parts = b"[\n".chain(&b"{}]"[..]);
        let known = format(parts, None).map(|(format, _)| format);
        assert_eq!(known.ok(), Some(GameFormat::AbstractPlay));
    }
}

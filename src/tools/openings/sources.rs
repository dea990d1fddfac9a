//! The finite sources of openings: named ones, the built-in suites, files.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use rustc_hash::FxHashSet;

use crate::game_formats;
use vato_records::OPENING_NAMES;
use vato_records::pgn::{GameRecord, RecordFault, require_text};

use super::{OpeningLine, OpeningSource, OpeningSuiteError};
use vato_engine::board::BoardSize;
use vato_engine::files;
use vato_engine::notation::{parse_turn, read_position, without_operations};
use vato_engine::rules::{Game, Preset, Rules};
use vato_engine::text::{counted, plural, printable};

/// The maximum length of a path in an error message, in characters.
const SHOWN: usize = 200;

impl OpeningSource {
    /// The positions of a built-in suite, a line each: a FEN and, after a `;`, the score in stones from White's view.
    /// `None` for other sources.
    pub fn built_in(&self) -> Option<&'static str> {
        match self {
            OpeningSource::Balanced => Some(include_str!("balanced.fen")),
            OpeningSource::Sharp => Some(include_str!("sharp.fen")),
            _ => None,
        }
    }

    /// The openings of a source that is not random, at least one, all legal under these rules.
    pub(super) fn lines(
        &self,
        rules: &Rules,
        plies: u32,
    ) -> Result<Vec<OpeningLine>, OpeningSuiteError> {
        if let OpeningSource::File(path) = self {
            return from_file(path, rules, plies);
        }
        let name = self.name().unwrap_or_default();
        let board = rules.board;
        if *self == OpeningSource::Start {
            return Ok(vec![named(name, rules, None)?]);
        }
        if board != BoardSize::STANDARD {
            return Err(OpeningSuiteError::Settings(format!(
                "the openings '{name}' are for the board 9x5, not for {board}"
            )));
        }
        if let Some(text) = self.built_in() {
            let lines = read_fen_lines(text.as_bytes(), rules, name);
            return lines.map_err(|problem| {
                OpeningSuiteError::File(format!("the suite '{name}', {problem}"))
            });
        }
        let first_moves = OPENING_NAMES.into_iter();
        first_moves
            .map(|(name, first)| named(name, rules, Some(first)))
            .collect()
    }
}

/// The opening of this name: a first move, if it has one, from the start position.
fn named(
    name: &'static str,
    rules: &Rules,
    first: Option<&str>,
) -> Result<OpeningLine, OpeningSuiteError> {
    let start = rules.start();
    let failed = |error: String| {
        let what = format!("the opening '{name}' cannot be played under these rules: {error}");
        OpeningSuiteError::Settings(what)
    };
    let first = first.map(|first| parse_turn(first, rules, &start));
    let first = first.transpose();
    let first = first.map_err(|_| failed("move 1 of the opening is illegal".to_owned()))?;
    let opening = OpeningLine {
        name: name.to_owned(),
        start,
        moves: first.into_iter().map(|(_, mv)| mv).collect(),
    };
    opening.game(rules).map_err(failed)?;
    Ok(opening)
}

/// Whether a file has game records, by its name.
pub fn is_pgn(path: &Path) -> bool {
    let mut names = ["pgn", "json", "sgf", "trl"].iter();
    path.extension()
        .is_some_and(|own| names.any(|name| own.eq_ignore_ascii_case(name)))
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy(), SHOWN)
}

fn from_file(
    path: &Path,
    rules: &Rules,
    plies: u32,
) -> Result<Vec<OpeningLine>, OpeningSuiteError> {
    let file = shown(path);
    let unreadable = |error: io::Error| {
        OpeningSuiteError::File(format!("cannot read the openings of {file}: {error}"))
    };
    let name = path.file_name().map(Path::new);
    let name = name.map_or_else(String::new, shown);
    let openings = if is_pgn(path) {
        let input = BufReader::new(files::open(path).map_err(unreadable)?);
        read_game_records(input, rules, plies as usize, &name)
    } else {
        let bytes = files::read(path).map_err(unreadable)?;
        require_text(&bytes).map_err(unreadable)?;
        read_fen_lines(&bytes, rules, &name)
    };
    let openings =
        openings.map_err(|problem| OpeningSuiteError::File(format!("{file}, {problem}")))?;
    if openings.is_empty() {
        return Err(OpeningSuiteError::File(format!("{file} has no openings")));
    }
    let repeated = count_repeated(&openings, rules);
    if repeated > 0 {
        log::warn!(
            "{file}: {repeated} of {} {} in the same position as one before",
            counted(openings.len(), "opening", "openings"),
            plural(repeated, "ends", "end")
        );
    }
    Ok(openings)
}

/// The number of openings that end in the position of an earlier one.
fn count_repeated(openings: &[OpeningLine], rules: &Rules) -> usize {
    let mut known = FxHashSet::default();
    let game = |opening: &OpeningLine| opening.game(rules).ok();
    let games = openings.iter().filter_map(game);
    let keys = games.map(|game| game.position().key());
    keys.filter(|key| !known.insert(*key)).count()
}

/// The openings of a text: one FEN per line. Blank lines, lines that begin with `#`, and text after a `;`
/// (which may be invalid UTF-8) are skipped, and so is a byte order mark at the beginning.
///
/// Openings are named by `suite` and their number. An error begins with its line, from 1.
fn read_fen_lines(bytes: &[u8], rules: &Rules, suite: &str) -> Result<Vec<OpeningLine>, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let fen = without_comment(text);
        if fen.is_empty() {
            continue;
        }
        let wrong = |problem: String| format!("line {line}: {problem}");
        let start = read_position(fen, rules.board).map_err(|error| wrong(error.to_string()))?;
        let opening = OpeningLine {
            name: format!("{suite} {}", openings.len() + 1),
            start,
            moves: Vec::new(),
        };
        opening.game(rules).map_err(wrong)?;
        openings.push(opening);
    }
    Ok(openings)
}

/// The FEN of a line of a file of positions, empty if it has none: without a comment behind a `;` and operations of EPD, and without a
/// line that begins with `#`.
pub fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('#') {
        return "";
    }
    without_operations(line).trim_end()
}

/// The openings of game records: the first `plies` plies of each game, or the whole game if shorter, under
/// `rules`. Openings are named by `suite` and their number. An error begins with its line, if known, and
/// the number of the game.
fn read_game_records(
    input: impl BufRead + Send,
    rules: &Rules,
    plies: usize,
    suite: &str,
) -> Result<Vec<OpeningLine>, String> {
    let mut openings = Vec::new();
    for (number, record) in (1..).zip(game_formats::read(input, None)) {
        let wrong = |RecordFault { line, problem }| {
            let line = line.map_or_else(String::new, |line: u64| format!("line {line}, "));
            format!("{line}game {number}: {problem}")
        };
        let record = record.map_err(|error| {
            let (line, problem) = (Some(error.line), error.problem);
            wrong(RecordFault { line, problem })
        })?;
        let line = record.line();
        let game = replay(record, rules, plies).map_err(wrong)?;
        let opening = OpeningLine {
            name: format!("{suite} {number}"),
            start: *game.start(),
            moves: game.moves().to_vec(),
        };
        opening.game(rules).map_err(|error| {
            let plies = counted(opening.moves.len(), "ply", "plies");
            let problem = format!("{error} after {plies}: choose fewer plies");
            wrong(RecordFault { line, problem })
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

/// Replays the beginning of a game under these rules, whatever its tags say.
fn replay(mut record: GameRecord, rules: &Rules, plies: usize) -> Result<Game, RecordFault> {
    let line = record.line();
    let tags = ["Rules", "Variant"].iter();
    let own = match tags.filter_map(|name| record.tag_value(name)).next() {
        Some(_) => record.rules()?,
        None => *rules,
    };
    if own.board != rules.board {
        let [own, wanted] = [own.board, rules.board];
        let problem = format!("played on the board {own}, but that of the rules is {wanted}");
        return Err(RecordFault { line, problem });
    }
    let set = record.set_tag("Rules", &format!("{rules:#}"));
    set.map_err(|problem| RecordFault { line, problem })?;
    record.replay_plies(plies).map_err(|mut fault| {
        if own != *rules {
            let [own, wanted] = [&own, rules].map(Preset::name_of);
            fault.problem += &format!("; the rules of the game are {own}, not {wanted}");
        }
        fault
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::rules::parse_rules;

    #[test]
    fn repeated_positions_are_counted() {
        let text = b"9/9/3w1b3/9/9 w\n9/9/3w1b3/9/9 b\n9/9/3w1b3/9/9 w 3 9\n9/9/3b1w3/9/9 w\n9/9/3w1b3/9/9 w";
        let openings = fens(text).expect("good");
        assert_eq!(count_repeated(&openings, &Rules::STANDARD), 2);
    }

    #[test]
    fn records_are_told_by_their_name() {
        let is_record = |path: &&str| is_pgn(Path::new(path));
        assert!(["a.pgn", "a.b/C.PGN", "a.json"].iter().all(is_record));
        assert!(!["pgn", "a.pgn.txt", ""].iter().any(is_record));
    }

    fn fens(bytes: &[u8]) -> Result<Vec<OpeningLine>, String> {
        read_fen_lines(bytes, &Rules::STANDARD, "x")
    }

    #[test]
    fn everything_but_positions_is_skipped() {
        let text = b"\xef\xbb\xbf# caf\xe9\r\n\r\n9/9/3w1b3/9/9 w ; +0.35 \xff\r\n \t\n;\n  # x\n\
                     9/9/3w1b3/9/9 b 0 7;";
        let openings = fens(text).expect("good");
        let names: Vec<&str> = openings.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names, ["x 1", "x 2"]);
        assert_eq!(openings[0].start.move_number(), 2);
        assert_eq!(openings[1].start.move_number(), 7);
        assert_eq!(fens(b"\n#\n"), Ok(Vec::new()));
    }

    #[test]
    fn errors_come_with_their_line() {
        for (text, told) in [
            ("#\n\n9/9/9/9 w\n", ["line 3: ", "4 rows"]),
            ("9/9/4w4/9/9 b", ["line 1: ", "White wins"]),
            ("9/9/3w1b3/9/9 w 100 60", ["", "no capture for too long"]),
            ("9/9/\u{e9}\u{1b}/9/9 w", ["", "'\u{e9}'"]),
        ] {
            let problem = fens(text.as_bytes()).expect_err("an error");
            assert!(told.iter().all(|told| problem.contains(told)), "{problem}");
        }
    }

    const GAME: &str = "[White \"A\"]\n[Result \"*\"]\n\n1. f2-e3A d5-d4A 2. e1-d2A {x} *\n\n";

    fn read(text: &str, rules: &str, plies: usize) -> Result<Vec<OpeningLine>, String> {
        let rules = parse_rules(rules).expect("good rules");
        read_game_records(text.as_bytes(), &rules, plies, "x.pgn")
    }

    #[test]
    fn games_are_cut() {
        for (plies, expected) in [(0, 0), (2, 2), (3, 3), (8, 3)] {
            let openings = read(&GAME.repeat(2), "tsivy", plies).expect("good");
            assert_eq!(openings.len(), 2);
            assert_eq!(openings[1].name, "x.pgn 2");
            assert_eq!(openings[1].moves.len(), expected);
        }
    }

    #[test]
    fn errors_name_game_and_line() {
        let ended = "[FEN \"9/9/3w1b3/9/9 w\"]\n\n1. d3-e3A 1-0";
        let chain = "[Variant \"tsivy\"]\n\n1. f2-e3A c3-d4W-c5W *";
        let [illegal, open] = ["1. f2-e3W *", "1. f2-e3A { *"].map(|end| format!("{GAME}{end}"));
        for (text, rules, plies, told) in [
            (&*illegal, "tsivy", 8, "line 6, game 2: move 1, White"),
            (&open, "tsivy", 8, "line 6, game 2: the comment"),
            (ended, "tsivy", 8, "after 1 ply: choose fewer plies"),
            (chain, "chain=single", 2, "line 3, game 1: move 1, Black"),
            (
                chain,
                "chain=single",
                2,
                "the rules of the game are tsivy, not chain=single",
            ),
            (chain, "dimy", 1, "9x5"),
        ] {
            let error = read(text, rules, plies).expect_err(told);
            assert!(error.contains(told), "{error}");
        }
        // A record that names no rules is taken to have those of the match.
        for (text, rules, plies) in [
            (ended, "tsivy", 0),
            (chain, "tsivy", 2),
            (chain, "chain=single", 1),
            ("1. c2-c3A *", "dimy", 8),
        ] {
            assert!(read(text, rules, plies).is_ok(), "{text}");
        }
    }
}

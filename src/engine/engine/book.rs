//! A book of openings as a text: positions, and the moves that are played there without a search.
//!
//! ```text
//! # Lines that begin with # are left out.
//! rules dimy
//! bbbbb/bbbbb/bw1bw/wwwww/wwwww w ; b2-c3A
//! bbbb1/bbb1b/bwwbw/w1www/wwwww b ; e4-e5W-d4A 3, e4-e5W, d3-d4W 0
//! ```
//!
//! A line has a FEN, `;`, and moves, each with its weight: a number to 65535, 1 where it is left out. A move is drawn with
//! a probability in proportion to its weight; one of weight 0 is never played. The line `rules` stands before the
//! positions; without it they are of the standard game. The text is UTF-8.
//!
//! Of a FEN count the stones, the side to move and, where the rules have first turns of their own, whether it is one:
//! nothing of the history. Positions that are images of one another under a symmetry of the board are the same.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::io::Read;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::board::{Canonical, Move};
use crate::container::ContainerError;
use crate::files;
use crate::notation::{parse_turn, read_position};
use crate::rules::{Game, Reason, Rules, parse_rules};
use crate::search::MAX_DEPTH;
use crate::text::{excerpt, number};

/// The largest file, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// A move, and its weight.
pub type BookMove = (Move, u16);

/// A book in memory.
#[derive(Debug)]
pub struct Book {
    /// The rules that it is for.
    pub rules: Rules,
    /// The line that each position stands in, and its moves that are played, those of the largest weight first.
    positions: FxHashMap<Canonical, (usize, Vec<BookMove>)>,
}

impl Book {
    /// Reads a file of at most 16 MiB.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is too large, or as [`Book::parse`].
    pub fn read(path: &Path) -> Result<Book, ContainerError> {
        let mut bytes = Vec::new();
        files::open(path)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
            .map_err(ContainerError::read(path))?;
        let text = match bytes.len() as u64 > MOST_BYTES {
            true => Err("a book of more than 16 MiB".to_owned()),
            false => String::from_utf8(bytes)
                .map_err(|_| "neither a book, which is a UTF-8 text, nor a proof".to_owned()),
        };
        let book = text.and_then(|text| Book::parse(&text));
        book.map_err(ContainerError::content(path))
    }

    /// Parses the text of a book.
    ///
    /// # Errors
    ///
    /// Names the line, what is wrong there, and what was expected: if it is not of the form above, the game is over at its
    /// position, a move is illegal, or a position or a move comes twice. Also if there is no position.
    pub fn parse(text: &str) -> Result<Book, String> {
        let (mut rules, mut positions) = (None, FxHashMap::default());
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            let wrong = |what: String| format!("line {line}: {what}");
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            if first == "rules" {
                if rules.is_some() || !positions.is_empty() {
                    let what =
                        "rules again, or behind a position: expected once before all of them";
                    return Err(wrong(what.to_owned()));
                }
                rules = Some(parse_rules(rest).map_err(wrong)?);
                continue;
            }
            let rules = rules.unwrap_or(Rules::STANDARD);
            let (key, moves) = entry(text, &rules).map_err(wrong)?;
            match positions.entry(key) {
                Entry::Vacant(place) => drop(place.insert((line, moves))),
                Entry::Occupied(there) => {
                    let before = there.get().0;
                    let what = "the position, or an image of it by symmetry, is already in line";
                    return Err(wrong(format!(
                        "{what} {before}: expected all its moves there"
                    )));
                }
            }
        }
        match positions.is_empty() {
            true => Err("no position: expected lines such as FEN ; MOVE WEIGHT, MOVE".to_owned()),
            false => Ok(Book {
                rules: rules.unwrap_or(Rules::STANDARD),
                positions,
            }),
        }
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// The moves that are played at the position of a game, those of the largest weight first; none under other rules.
    ///
    /// None where the history, which the book does not know, could matter: at a repeated position, when half of the plies
    /// to the no-capture limit have passed, or when the game has ended. A move that would repeat a position, or end the game
    /// by the limit, is left out; if it is the first, all are.
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        let (rules, position) = (&self.rules, game.position());
        let is_late = rules.limit != 0 && position.halfmove_clock() >= rules.limit.div_ceil(2);
        if game.rules() != rules || game.outcome().is_some() || is_late || game.occurrences() > 1 {
            return Vec::new();
        }
        let (key, symmetry) = rules.canonical(position);
        let Some((_, known)) = self.positions.get(&key) else {
            return Vec::new();
        };
        let back = symmetry.inverse();
        let moves = known.iter();
        let moves = moves.map(|&(mv, weight)| (back.apply_to_move(rules.board, mv), weight));
        let mut moves: Vec<BookMove> = moves.collect();
        let best = moves.first().copied();
        moves.retain(|&(mv, _)| !brings_back_the_past(game, mv));
        if moves.first().copied() != best {
            moves.clear();
        }
        moves
    }

    /// A move, then the first moves of the book as long as it has some.
    pub fn line(&self, game: &Game, first: Move) -> Vec<Move> {
        let (mut game, mut line, mut next) = (game.clone(), Vec::new(), Some(first));
        while let Some(mv) = next
            && line.len() < MAX_DEPTH as usize
            && game.play(mv).is_ok()
        {
            line.push(mv);
            next = self.moves(&game).first().map(|&(mv, _)| mv);
        }
        line
    }
}

/// The move drawn by a random number; `None` if there is none.
pub(super) fn choose(moves: &[BookMove], random: u64) -> Option<Move> {
    let sum = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let mut rest = random.checked_rem(sum)?;
    let drawn = moves.iter().find(|&&(_, weight)| {
        let is_drawn = rest < u64::from(weight);
        rest = rest.saturating_sub(weight.into());
        is_drawn
    });
    drawn.map(|&(mv, _)| mv)
}

/// The position and the moves of a line.
fn entry(text: &str, rules: &Rules) -> Result<(Canonical, Vec<BookMove>), String> {
    let form = || format!("'{}': expected FEN ; MOVE WEIGHT, MOVE", excerpt(text));
    let (fen, moves) = text.split_once(';').ok_or_else(form)?;
    let position = read_position(fen, rules.board)?;
    let (key, symmetry) = rules.canonical(&position);
    if let Some(outcome) = Game::from_position(*rules, key.position()).outcome() {
        return Err(format!("the game is over at this position: {outcome}"));
    }
    let mut known: Vec<BookMove> = Vec::new();
    for text in moves.split(',') {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (turn, weight) = match words[..] {
            [turn] => (turn, 1),
            [turn, weight] => (
                turn,
                number(..)(weight)
                    .map_err(|what| format!("weight '{}': {what}", excerpt(weight)))?,
            ),
            _ => {
                let what = "expected a move, or a move and its weight";
                return Err(format!("'{}': {what}", excerpt(text.trim())));
            }
        };
        let (_, mv) = parse_turn(turn, rules, &position).map_err(|error| error.to_string())?;
        let mv = symmetry.apply_to_move(rules.board, mv);
        if known.iter().any(|&(other, _)| other == mv) {
            return Err(format!("move '{turn}' comes twice"));
        }
        known.push((mv, weight));
    }
    known.retain(|&(_, weight)| weight > 0);
    known.sort_by_key(|&(_, weight)| Reverse(weight));
    Ok((key, known))
}

/// Whether the history matters after this move: the position has occurred before, or the game ends by the limit.
fn brings_back_the_past(game: &Game, mv: Move) -> bool {
    let mut game = game.clone();
    if game.play(mv).is_err() {
        return true;
    }
    let ends = |reason| matches!(reason, Reason::Repetition | Reason::Limit);
    game.occurrences() > 1 || game.outcome().is_some_and(|outcome| ends(outcome.reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::notation::{format_fen, format_move, parse_fen};
    use crate::rules::legal_moves;

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        const START: &str = "startpos ; d3-e3A, f2-e3A 3\n";
        let none = "no position: expected lines such as";
        let again = "rules again, or behind a position";
        let known = "the position, or an image of it by symmetry, is already in line";
        // Upside down, and later in a game.
        let image = "wwwwwwwww/wwwwwwwww/bwbw1bwbw/bbbbbbbbb/bbbbbbbbb w 7 9 ; d3-e3A";
        let texts = format!(
            "=>{none}
            # x||=>{none}
            rules dimy|=>{none}
            |hello=>line 2: 'hello': expected FEN ;
            9/9/9/9 w ; a1-a2=>line 1: fen: 4 rows, but
            9/9/4w4/9/9 b ; a1-a2=>line 1: the game is over at this position: White
            startpos ;=>line 1: '': expected a move, or
            startpos ; d3-e3A,=>line 1: '': expected a move, or
            startpos ; d3-e3A 1 2=>line 1: 'd3-e3A 1 2': expected a move, or
            startpos ; d3-e3A -1=>line 1: weight '-1': expected a whole number
            startpos ; d3-e3A 65536=>line 1: weight '65536': expected a whole number
            startpos ; d3-e3=>line 1: move 'd3-e3' is illegal: step 1: captures
            startpos ; d3-e3A, d3-e3A 0=>line 1: move 'd3-e3A' comes twice
            rules no=1=>line 1: rules, word 1: unknown key 'no'
            rules dimy|rules dimy=>line 2: {again}
            START|rules tsivy=>line 2: {again}
            |START|startpos ; d3-e3A=>line 3: {known} 2
            START|{image}=>line 2: {known} 1"
        );
        for line in texts.lines() {
            let (text, error) = line.trim_start().split_once("=>").expect("both");
            let text = text.replace("START", START.trim_end()).replace('|', "\n");
            let said = Book::parse(&text).expect_err(&text);
            assert!(said.starts_with(error), "{text}: {said}");
        }
        let book = Book::parse(&format!("\u{feff}# one\r\n\r\n {START}")).expect("a book");
        assert_eq!((book.rules, book.positions()), (Rules::STANDARD, 1));
    }

    #[test]
    fn files_are_texts_of_a_limited_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let text = "startpos ; d3-e3A\n#".to_owned();
        let largest = text.clone() + &"x".repeat(MOST_BYTES as usize - text.len());
        let larger = largest.clone() + "x";
        for (bytes, told) in [
            (largest.as_bytes(), ""),
            (larger.as_bytes(), "a book of more than 16 MiB"),
            (
                b"# \xff",
                "neither a book, which is a UTF-8 text, nor a proof",
            ),
            (b"#", "no position"),
        ] {
            std::fs::write(&path, bytes).expect("there is room");
            let said = Book::read(&path).err().map(|error| error.to_string());
            assert_eq!(said.is_none(), told.is_empty());
            let is_told = |said: String| said.contains(&format!("a.book: {told}"));
            assert!(said.is_none_or(is_told), "{told}");
        }
    }

    #[test]
    fn images_of_a_position_have_the_images_of_its_moves() {
        for name in ["tsivy", "dimy", "first-turns", "vela", "board=3x7"] {
            let rules = parse_rules(name).expect("rules");
            let start = rules.start();
            let legal = legal_moves(&rules, &start);
            let texts = legal[..2].iter().map(|&mv| format_move(&rules, &start, mv));
            let texts: Vec<String> = texts.map(|text| text.expect("legal")).collect();
            let fen = format_fen(&start, rules.board);
            let text = format!("rules {name}\n{fen} ; {}, {} 7", texts[0], texts[1]);
            let book = Book::parse(&text).expect("a book");
            let after = |game: &Game, mv| {
                let mut game = game.clone();
                game.play(mv).expect("legal");
                rules.canonical(game.position()).0
            };
            let game = Game::new(rules);
            let wanted = [1, 0].map(|place: usize| after(&game, legal[place]));
            for &symmetry in Symmetry::of(rules.board) {
                let image = symmetry.position(rules.board, &start);
                let game = Game::from_position(rules, image);
                let moves = book.moves(&game);
                let found: Vec<_> = moves.iter().map(|&(mv, _)| after(&game, mv)).collect();
                assert_eq!(found, wanted, "{name}, {symmetry:?}");
                assert_eq!((moves[0].1, moves[1].1), (7, 1));
            }
            // The same stones later are another position where first turns are special.
            let later = parse_fen(&fen.replace("w 0 1", "w 0 2"), rules.board).expect("a position");
            let known = !book.moves(&Game::from_position(rules, later)).is_empty();
            assert_eq!(known, !rules.is_special_first_turn(&start), "{name}");
        }
    }

    /// Known are the positions, not how a game came there.
    #[test]
    fn no_move_is_played_where_the_history_matters() {
        let book = |back: u16, rules: &str| {
            let text = format!(
                "rules {rules}\n\
                 w8/9/9/9/8b w ; a5-b5, a5-a4 2\n\
                 9/w8/9/9/8b b ; i1-i2\n\
                 9/w8/9/8b/9 w ; a4-a5\n\
                 w8/9/9/8b/9 b ; i2-i3 2, i2-i1 {back}, i2-h2 0\n"
            );
            Book::parse(&text).expect("a book")
        };
        let start = |fen: &str, rules: &Rules| {
            let position = parse_fen(fen, rules.board).expect("a position");
            Game::from_position(*rules, position)
        };
        let shown = |book: &Book, game: &Game| -> Vec<String> {
            let text = |&(mv, weight): &BookMove| {
                let text = format_move(game.rules(), game.position(), mv).expect("legal");
                format!("{text} {weight}")
            };
            book.moves(game).iter().map(text).collect()
        };
        for (back, wanted) in [(1, &["i2-i3 2"][..]), (3, &[])] {
            let book = book(back, "tsivy");
            let mut game = start("w8/9/9/9/8b w", &book.rules);
            let first = book.moves(&game)[0].0;
            assert_eq!(shown(&book, &game), ["a5-a4 2", "a5-b5 1"]);
            let line = book.line(&game, first);
            for &mv in &line[..3] {
                game.play(mv).expect("legal");
            }
            // The way back to the start is left out; if it is the best, all are.
            assert_eq!(shown(&book, &game), wanted);
            assert_eq!(line.len(), 3 + wanted.len());
            let back = legal_moves(&book.rules, game.position());
            let back_to_start = parse_turn("i2-i1", &book.rules, game.position());
            let (_, back_to_start) = back_to_start.expect("legal");
            assert!(back.contains(&back_to_start));
            game.play(back_to_start).expect("legal");
            assert_eq!(shown(&book, &game), [""; 0], "the second time");
        }
        let known = book(1, "tsivy");
        for (quiet, count) in [(49, 2), (50, 0)] {
            let game = start(&format!("w8/9/9/9/8b w {quiet} 40"), &known.rules);
            assert_eq!(known.moves(&game).len(), count, "{quiet}");
        }
        let mut other = known.rules;
        other.limit = 50;
        assert_eq!(known.moves(&start("w8/9/9/9/8b w", &other)), []);
        // The next move ends the game.
        let last = book(1, "limit=1");
        assert_eq!(last.moves(&start("w8/9/9/9/8b w", &last.rules)), []);
    }

    #[test]
    fn every_move_has_its_share() {
        let start = Rules::STANDARD.start();
        let moves = legal_moves(&Rules::STANDARD, &start);
        let book = [(moves[0], 5), (moves[1], 3)];
        let drawn = (0..8_000).map(|random| choose(&book, random).expect("a move"));
        assert_eq!(drawn.filter(|&mv| mv == moves[0]).count(), 5_000);
        assert_eq!(choose(&[], 7), None);
    }
}

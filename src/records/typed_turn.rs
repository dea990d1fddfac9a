//! Turns as people and other programs write them.
//!
//! The steps are points or directions (`ne`), joined by `-` `,` `.` `;` `|` `/`, by blanks or by nothing; before each
//! the point that the stone comes from may be repeated, and letters are of either case. The capture of a step is told by
//!
//! | written | capture |
//! |---|---|
//! | `A` `F` `+` `x` behind the step | approach |
//! | `W` `B` `-` behind it, `x` before the point that it comes from | withdrawal |
//! | `X` behind it, `x` before the landing point | one of the two |
//! | nothing | whichever is legal |
//!
//! A pass is `pass`, `0000` or `--`.

use arrayvec::ArrayVec;

use vato_engine::board::{Move, Point, Position};
use vato_engine::notation::{MoveReader, MoveTextError, PASS, SHOWN, format_path, parse_turn};
use vato_engine::rules::{Capture, MAX_STEPS, Path, Rules, Step, follow};
use vato_engine::text::printable;

use crate::TurnUnderWay;

/// What a step may capture by.
type Captures = &'static [Option<Capture>];

const APPROACH: Captures = &[Some(Capture::Approach)];
const WITHDRAWAL: Captures = &[Some(Capture::Withdrawal)];
const EITHER: Captures = &[Some(Capture::Approach), Some(Capture::Withdrawal)];
const ANY: Captures = &[None, Some(Capture::Approach), Some(Capture::Withdrawal)];

/// Directions, those first that begin like another one.
const DIRECTIONS: [&str; 8] = ["ne", "nw", "se", "sw", "n", "e", "s", "w"];

const SEPARATORS: [char; 8] = ['-', ',', '.', ';', '|', '/', ' ', '\t'];

/// What programs write where a turn ends that could go on.
const ENDS: [&str; 5] = ["", "x", "pass", "stop", "done"];

/// The most bytes of a turn in several words: a step has at most its two points, two marks and separators.
const LONGEST: usize = 12 * MAX_STEPS;

/// How programs write a pass.
const PASSES: [&str; 3] = [PASS, "0000", "--"];

/// The legal turns that a text may mean; of those with the same outcome the first.
///
/// ```
/// use vato_engine::notation::format_path;
/// use vato_engine::rules::Rules;
/// use vato_records::read_turn;
///
/// let rules = Rules::STANDARD;
/// for text in ["f2-e3A", "F2E3", "f2e3+", "F2NWF"] {
///     let turns = read_turn(text, &rules, &rules.start())?;
///     assert_eq!(format_path(&turns[0].0, rules.board), "f2-e3A");
/// }
/// assert_eq!(read_turn("d3e3", &rules, &rules.start())?.len(), 2);
/// # Ok::<(), vato_engine::notation::MoveTextError>(())
/// ```
///
/// # Errors
///
/// If there is none: names the first invalid character, or the first illegal step and the reason.
pub fn read_turn(
    text: &str,
    rules: &Rules,
    position: &Position,
) -> Result<Vec<(Path, Move)>, MoveTextError> {
    if is_pass(text) {
        return Ok(vec![parse_turn(PASS, rules, position)?]);
    }
    ended(text, &begun(text, rules, position)?, rules, position)
}

fn is_pass(text: &str) -> bool {
    let text = text.trim();
    PASSES.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The turn that the first words of a list are (`d2d1-, e1+` is two), and their number.
///
/// # Errors
///
/// As [`read_turn`], and if there are several: names them.
pub fn read_first_turn<'a>(
    words: impl IntoIterator<Item = &'a str>,
    rules: &Rules,
    position: &Position,
) -> Result<(usize, (Path, Move)), MoveTextError> {
    let (mut text, mut end) = (String::new(), 0);
    let mut found: Result<(usize, Vec<(Path, Move)>), _> =
        Err(MoveReader::new("", rules.board).error(" is empty"));
    for (count, word) in (1..).zip(words) {
        // What follows a whole turn belongs to the next one if it can begin it, or does not continue this one.
        let is_next = |(_, mv): &(Path, Move)| {
            let next = position.play(*mv);
            let passes = || is_pass(word) && parse_turn(PASS, rules, &next).is_ok();
            begun(word, rules, &next).is_ok() || passes()
        };
        let whole = found.as_ref().map_or(&[][..], |(_, turns)| turns);
        if whole.iter().any(is_next) {
            break;
        }
        if is_pass(word) && text.is_empty() {
            return Ok((1, parse_turn(PASS, rules, position)?));
        }
        text.push_str(word);
        let turns = begun(&text, rules, position);
        // The origin may be a word of its own, and so may be what stands behind it.
        let goes_on = turns.is_ok() || text.trim_end_matches(SEPARATORS).len() < 4;
        let read = turns.and_then(|turns| ended(&text, &turns, rules, position));
        if read.is_ok() || found.is_err() && (goes_on || count < 3) {
            found = read.map(|turns| (count, turns));
            end = text.len();
        }
        if !goes_on || text.len() > LONGEST {
            break;
        }
        text.push(' ');
    }
    let (count, turns) = found?;
    Ok((count, only(&text[..end], turns, rules)?))
}

/// The turn of this text, as PGN has it.
///
/// # Errors
///
/// As [`read_first_turn`], and if it is written in another way: names the turn.
pub fn read_exact_turn(
    text: &str,
    rules: &Rules,
    position: &Position,
) -> Result<(Path, Move), MoveTextError> {
    let meant = |_| match read_first_turn([text], rules, position) {
        Ok((_, (path, _))) => {
            let name = format_path(&path, rules.board);
            let problem = format!(" is not written as in PGN: expected {name}");
            MoveReader::new(text, rules.board).error(&problem)
        }
        Err(error) => error,
    };
    parse_turn(text, rules, position).map_err(meant)
}

/// The turn that a text may mean, which need not end there.
///
/// # Errors
///
/// As [`read_first_turn`].
pub fn read_begun_turn(
    text: &str,
    rules: &Rules,
    position: &Position,
) -> Result<TurnUnderWay, MoveTextError> {
    if is_pass(text) {
        parse_turn(PASS, rules, position)?;
    }
    let turns = begun(text, rules, position)?;
    let named = turns.into_iter().map(|turn| (turn.path().clone(), turn));
    Ok(only(text, named.collect(), rules)?.1)
}

/// The only one of several turns.
fn only<T>(
    text: &str,
    mut turns: Vec<(Path, T)>,
    rules: &Rules,
) -> Result<(Path, T), MoveTextError> {
    if turns.len() == 1 {
        return Ok(turns.remove(0));
    }
    let names = turns.iter().map(|(path, _)| format_path(path, rules.board));
    let names = names.collect::<Vec<_>>().join(", ");
    Err(MoveReader::new(text, rules.board).error(&format!(" may be {names}")))
}

/// The turns that a text may mean, each with other captures. They have a step, and need not end.
fn begun(
    text: &str,
    rules: &Rules,
    position: &Position,
) -> Result<Vec<TurnUnderWay>, MoveTextError> {
    let text = text.trim();
    let text = text.replace(['\u{2010}', '\u{2011}', '–', '—', '−'], "-");
    let (from, steps) = Typed(MoveReader::new(&text, rules.board)).turn()?;
    let begin = TurnUnderWay::begin(rules, position, from);
    let mut turns: Vec<TurnUnderWay> = begin.into_iter().collect();
    let none = ArrayVec::new();
    let mut path = Path { from, steps: none };
    for (to, captures) in steps {
        let mut next: Vec<TurnUnderWay> = Vec::new();
        for turn in &turns {
            for &capture in captures {
                let mut turn = turn.clone();
                let is_new = turn.play(Step { to, capture })
                    && next.iter().all(|other| other.captured() != turn.captured());
                next.extend(is_new.then_some(turn));
            }
        }
        let Some(turn) = next.first() else {
            let capture = captures[0];
            path.steps.push(Step { to, capture });
            return Err(illegal(&text, &path, rules, position));
        };
        path = turn.path().clone();
        turns = next;
    }
    Ok(turns)
}

/// Those turns that may end where they are.
fn ended(
    text: &str,
    turns: &[TurnUnderWay],
    rules: &Rules,
    position: &Position,
) -> Result<Vec<(Path, Move)>, MoveTextError> {
    let ended: Vec<(Path, Move)> = turns.iter().filter_map(TurnUnderWay::end).collect();
    match turns {
        _ if !ended.is_empty() => Ok(ended),
        [turn, ..] if !turn.path().steps.is_empty() => {
            Err(illegal(text, turn.path(), rules, position))
        }
        _ => Err(MoveReader::new(text, rules.board).error(" ends after its origin")),
    }
}

/// Why a path cannot be played.
fn illegal(text: &str, path: &Path, rules: &Rules, position: &Position) -> MoveTextError {
    match follow(rules, position, path) {
        Err(why) => MoveTextError::Illegal(printable(text, SHOWN), why),
        Ok(_) => MoveReader::new(text, rules.board).error(" is not legal here"),
    }
}

/// The text of a turn as people write it, and what is left to read of it.
#[derive(Clone)]
struct Typed<'a>(MoveReader<'a>);

impl Typed<'_> {
    /// The origin of a turn, its landing points, and what each step may capture by.
    fn turn(&mut self) -> Result<(Point, ArrayVec<(Point, Captures), MAX_STEPS>), MoveTextError> {
        let mut ahead = self.clone();
        ahead.take_x();
        let from = ahead.0.point()?;
        let (mut at, mut steps) = (from, ArrayVec::new());
        while !self.ends() {
            let is_marked = self.take_x();
            let mut captures = if is_marked { EITHER } else { ANY };
            let (mut next, mut takes_w) = self.target(at)?;
            if next == at {
                if is_marked {
                    captures = WITHDRAWAL;
                }
                if self.ends() {
                    return Err(self.0.error(" ends after its origin"));
                }
                if self.take_x() {
                    captures = EITHER;
                }
                (next, takes_w) = self.target(at)?;
            }
            let is_marked = captures != ANY;
            captures = self.mark(takes_w, is_marked).unwrap_or(captures);
            let added = steps.try_push((next, captures));
            added.map_err(|_| self.0.error(" has more steps than a turn can have"))?;
            at = next;
        }
        Ok((from, steps))
    }

    /// Whether nothing is left but the word for the end.
    fn ends(&mut self) -> bool {
        self.0.rest = self.0.rest.trim_start_matches(SEPARATORS);
        let end = self.0.rest.trim_end_matches(SEPARATORS);
        ENDS.iter().any(|word| end.eq_ignore_ascii_case(word))
    }

    fn take_x(&mut self) -> bool {
        let behind = self.0.rest.strip_prefix(['x', 'X']);
        self.0.rest = behind.unwrap_or(self.0.rest);
        behind.is_some()
    }

    /// A point, by its name or by the direction in which it is, and whether a `W` behind it is its capture.
    fn target(&mut self, at: Point) -> Result<(Point, bool), MoveTextError> {
        let begins = |name: &str| {
            let begin = self.0.rest.get(..name.len());
            let is_it = |begin: &str| begin.eq_ignore_ascii_case(name);
            begin.is_some_and(|begin| is_it(begin) && !matches!(begin, "nW" | "sW"))
        };
        let is_named = self
            .0
            .rest
            .as_bytes()
            .get(1)
            .is_some_and(u8::is_ascii_digit);
        let direction = DIRECTIONS.iter().find(|name| begins(name));
        let Some(name) = direction.filter(|_| !is_named) else {
            return Ok((self.0.point()?, true));
        };
        let toward = |plus, minus| i8::from(name.contains(plus)) - i8::from(name.contains(minus));
        let (file, rank) = self.0.board.file_and_rank(at);
        let file = file.checked_add_signed(toward('e', 'w'));
        let rank = rank.checked_add_signed(toward('n', 's'));
        let next = file.zip(rank);
        let next = next.and_then(|(file, rank)| self.0.board.point(file, rank));
        let next = next.ok_or_else(|| self.0.error_here("no point in this direction"))?;
        let is_small = self.0.rest.starts_with(name);
        self.0.rest = &self.0.rest[name.len()..];
        let takes_w = is_small && self.0.rest.trim_start_matches(' ').starts_with('W');
        Ok((next, takes_w))
    }

    /// What the sign behind a step says of it.
    fn mark(&mut self, takes_w: bool, is_marked: bool) -> Option<Captures> {
        let rest = self.0.rest.trim_start_matches(' ');
        let (is_attached, mut signs) = (rest.len() == self.0.rest.len(), rest.chars());
        let sign = signs.next()?;
        let next = signs.next().unwrap_or(' ');
        let captures = match sign.to_ascii_lowercase() {
            '+' => APPROACH,
            // Else it is a separator.
            '-' if is_attached && !next.is_alphanumeric() => WITHDRAWAL,
            // Behind a step that has one it is that of the next step.
            'x' if is_attached && !(is_marked && next.is_alphanumeric()) => match sign {
                'x' => APPROACH,
                _ => EITHER,
            },
            // Behind a direction it is the next one, but for a capital one behind a small one.
            'w' if takes_w => WITHDRAWAL,
            // Else it is the file of the next point.
            'a' | 'f' if !next.is_ascii_digit() => APPROACH,
            'b' if !next.is_ascii_digit() => WITHDRAWAL,
            _ => return None,
        };
        self.0.rest = &rest[1..];
        Some(captures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vato_engine::notation::parse_fen;

    fn read(text: &str) -> Vec<String> {
        read_at(text, &Rules::STANDARD.start())
    }

    fn read_at(text: &str, position: &Position) -> Vec<String> {
        let rules = Rules::STANDARD;
        let turns = read_turn(text, &rules, position).unwrap_or_default();
        let names = turns.iter();
        names
            .map(|(path, _)| format_path(path, rules.board))
            .collect()
    }

    #[test]
    fn a_sign_between_steps_that_both_have_one_tells_nothing_of_the_first() {
        let fen = "3b5/9/1bw1b4/9/8b w 0 1";
        let position = parse_fen(fen, Rules::STANDARD.board).expect("a position");
        let both = ["c3-d3A-d4A", "c3-d3W-d4A"];
        assert_eq!(read_at("c3xd3xd4", &position), both);
        assert_eq!(read_at("xc3-d3xd3-d4x", &position), both[1..]);
        assert_eq!(read_at("c3-d3xd3-d4x", &position), both[..1]);
    }

    #[test]
    fn a_capital_w_behind_a_small_direction_is_its_capture() {
        let read = |fen: &str, text: &str| {
            let position = parse_fen(fen, Rules::STANDARD.board).expect("a position");
            read_at(text, &position)
        };
        let fen = "9/9/b8/1w7/b7b w 0 1";
        assert_eq!(read(fen, "b2 neW"), ["b2-c3W"]);
        assert_eq!(read(fen, "b2 new"), ["b2-c3W-b3A"]);
        let fen = "9/9/9/1w7/1b6b w 0 1";
        assert_eq!(read(fen, "b2 nW"), ["b2-b3W"]);
        assert_eq!(read(fen, "b2 NW"), [""; 0]);
    }

    #[test]
    fn what_stands_between_points_may_be_a_word_of_its_own() {
        let rules = Rules::STANDARD;
        let turn = read_first_turn("f2 - e3 d5 - d4".split(' '), &rules, &rules.start());
        assert_eq!(turn.map(|(count, _)| count), Ok(3));
    }

    #[test]
    fn separators_without_end_do_not_belong_to_the_turn() {
        let rules = Rules::STANDARD;
        let words = ["f2-e3A"].into_iter().chain([","; 1_000]);
        let (count, (path, _)) = read_first_turn(words, &rules, &rules.start()).expect("a turn");
        assert_eq!(format_path(&path, rules.board), "f2-e3A");
        assert!(count <= LONGEST, "{count}");
    }

    #[test]
    fn turns_as_people_write_them() {
        for (texts, wanted) in [
            (
                "f2e3|f2–e3| F2 - E3A |f2e3 +|f2xe3|f2 nw.|f2,e3x;|F2NWF X",
                &["f2-e3A"][..],
            ),
            ("d3e3|d3xe3|D3E3X|d3 e", &["d3-e3A", "d3-e3W"]),
            (
                "d3e3w|d3e3-|xd3-e3|D3EB|d3 e3 W|d3e3-, stop|d3 eW|d3 e W.",
                &["d3-e3W"],
            ),
            ("|f2|f2e3p|f2e3w|f2e3e4|f2ene|a1w|f2-e3-", &[]),
        ] {
            for text in texts.split('|') {
                assert_eq!(read(text), wanted, "{text}");
            }
        }
    }
}

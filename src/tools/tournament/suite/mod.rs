//! Suites of positions with known answers, and how many of them an engine finds.
//!
//! [`parse_suite`] reads the positions, [`Examiner`] asks an engine for its move in each.
//!
//! # The built-in suites
//!
//! In each position of `winning` one move wins, in each of `holding` one move does not lose; all others are proved
//! not to. `bench/suites.rs` makes them, and says how.

mod examiner;
mod question;

use rustc_hash::FxHashMap;

pub use examiner::{Examiner, Solution, Verdict};
use question::NOTHING_ASKED;
pub use question::Question;

use vato_engine::rules::Rules;

/// The most bad lines that an error names.
const MOST_NAMED: usize = 10;

/// The built-in suites, by their names.
const BUILT_IN: [(&str, &str); 2] = [
    ("winning", include_str!("winning.epd")),
    ("holding", include_str!("holding.epd")),
];

/// The text of a built-in suite; `None` if no suite has this name.
pub fn built_in_suite(name: &str) -> Option<&'static str> {
    let mut suites = BUILT_IN.iter();
    suites.find(|suite| suite.0 == name).map(|&(_, text)| text)
}

/// Reads a suite, at least one position, all with ids of their own: a position a line, as [`Question::parse`] reads it.
/// Blank lines and lines that begin with `#` are skipped, and so are, with a warning, positions of which nothing is
/// asked. Lines without rules of their own are played under `rules`; those without an id are named by their number.
///
/// # Errors
///
/// The bad lines with their numbers, one on each line of the error; ids that are there twice; a text without
/// positions.
pub fn parse_suite(text: &str, rules: &Rules) -> Result<Vec<Question>, String> {
    let mut questions = Vec::new();
    let mut lines_of = FxHashMap::default();
    let mut errors = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = Question::parse(line, number, rules).and_then(|question| {
            match lines_of.insert(question.id.clone(), number) {
                Some(first) => Err(format!("the id '{}' is that of line {first}", question.id)),
                None => Ok(question),
            }
        });
        match read {
            Ok(question) => questions.push(question),
            Err(error) if error == NOTHING_ASKED => {
                log::warn!("line {number}: {error}; left out");
            }
            Err(error) => errors.push(format!("line {number}: {error}")),
        }
    }
    let more = errors.len().saturating_sub(MOST_NAMED);
    errors.truncate(MOST_NAMED);
    if more > 0 {
        errors.push(format!("and {more} more"));
    }
    match (errors.is_empty(), questions.is_empty()) {
        (false, _) => Err(errors.join("\n")),
        (_, true) => Err("no positions".to_owned()),
        _ => Ok(questions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        let good = "9/9/3w1b3/9/9 w bm d3-e3A; id a;";
        let text = format!("\u{feff}# all\n\n{good}\n9/9 w bm d3-e3A;\n{good}\n9/9/3w1b3/9/9 w;");
        let error = parse_suite(&text, &Rules::STANDARD).expect_err("two bad lines");
        let lines: Vec<&str> = error.lines().collect();
        assert!(lines[0].starts_with("line 4: fen: "), "{error}");
        assert_eq!(lines[1], "line 5: the id 'a' is that of line 3");
        assert_eq!(lines.len(), 2, "{error}");
        // A position of which nothing is asked is left out; commas may stand between moves.
        let text = "9/9/3w1b3/9/9 w;\n9/9/3w1b3/9/9 w bm d3-e3A, d3-e3A;\n";
        let suite = parse_suite(text, &Rules::STANDARD).expect("a suite");
        assert_eq!((suite.len(), suite[0].best().len()), (1, 2));
        let error = parse_suite(&"x\n".repeat(100), &Rules::STANDARD).expect_err("no position");
        assert_eq!(error.lines().count(), MOST_NAMED + 1);
        assert!(error.ends_with("\nand 90 more"), "{error}");
        let error = parse_suite("\n#\n", &Rules::STANDARD).expect_err("nothing");
        assert_eq!(error, "no positions");
    }

    #[test]
    fn built_in_suites_are_large_and_right() {
        for (name, text) in BUILT_IN {
            assert_eq!(built_in_suite(name), Some(text));
            let suite = parse_suite(text, &Rules::STANDARD).expect(name);
            assert!(suite.len() >= 200, "{name}");
        }
        assert!(built_in_suite("drawing").is_none());
    }
}

//! A text in parts, each of which is a game.

use std::io::{BufRead, Read};

use vato_engine::notation::pgn::{PgnProblem, push_text};

use super::{Draft, Item, damage};

/// The largest text that is read, in bytes.
const LARGEST: usize = 256 << 20;

/// The games of a text, each from a line on that begins with the same characters; `read` reads one by the line and its text.
pub(super) fn parts(
    input: impl BufRead,
    begin: &'static str,
    read: fn(u64, &str) -> Draft,
) -> Vec<Item> {
    let (mut bytes, mut text) = (Vec::new(), String::new());
    if let Err(error) = input.take(LARGEST as u64 + 1).read_to_end(&mut bytes) {
        return vec![Err(damage(1, PgnProblem::Input(error)))];
    }
    if bytes.len() > LARGEST {
        let problem = format!("more than {} MiB: split the file", LARGEST >> 20);
        return vec![Err(damage(1, PgnProblem::Text(problem)))];
    }
    push_text(&mut text, &bytes);
    let mut parts: Vec<(u64, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let begins = line
            .trim_start_matches(['\u{feff}', ' ', '\t'])
            .starts_with(begin);
        match parts.last_mut().filter(|_| !begins) {
            Some((_, part)) => part.extend([line, "\n"]),
            None if line.trim().is_empty() => {}
            None => parts.push((number, format!("{line}\n"))),
        }
    }
    parts
        .iter()
        .map(|(line, part)| read(*line, part).finish())
        .collect()
}

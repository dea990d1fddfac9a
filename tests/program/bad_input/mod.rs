//! Input that an engine has to survive, given to the built binary.
//!
//! Managers send more than their protocols promise, people mistype, programs
//! die in the middle of a line. Whatever comes, the engine answers each `go`
//! with exactly one `bestmove`, says at most one line about what it cannot use,
//! and obeys the next command. Each module here takes up one kind of input;
//! limits on time that are tighter than "at once" are tested apart, in
//! `tests/promptness`, where nothing else runs beside them.

mod answers;
mod busy;
mod compliance;
mod dialects;
mod endings;
mod garbage;
mod leaving;
mod limits;
mod options;
mod people;
mod positions;

use std::time::Duration;

use crate::support::{Engine, Search};

/// The five first moves of the standard game.
const FIRST_MOVES: [&str; 5] = ["d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"];

/// Two lone stones far apart; `a1-a2 i5-i4 a2-a1 i4-i5` repeats the position.
const LONE_STONES: &str = "8b/9/9/9/w8";

/// Long enough to notice an answer that should not come.
const A_MOMENT: Duration = Duration::from_millis(250);

/// Runs a test in a UGI and in a UCI session, each of which must end well.
fn in_both_dialects(test: impl Fn(&mut Engine)) {
    for word in ["ugi", "uci"] {
        let mut engine = Engine::opened_by(word);
        test(&mut engine);
        engine.finish();
    }
}

/// Sends something and requires that at most one line is said about it, an
/// `info string`. Returns that line.
fn tolerated(engine: &mut Engine, bytes: &[u8]) -> Option<String> {
    engine.send_bytes(bytes);
    let mut lines = engine.sync();
    if lines.len() > 1 || !lines.iter().all(|line| line.starts_with("info string")) {
        let input = bytes[..bytes.len().min(80)].escape_ascii();
        engine.fail(&format!(
            "`{input}` got more than one info string: {lines:?}"
        ));
    }
    lines.pop()
}

/// Sends a command that is wrong and requires exactly one line, an error that
/// contains each of `named`.
fn refused(engine: &mut Engine, command: &str, named: &[&str]) -> String {
    let lines = engine.ask(command);
    let told = match &lines[..] {
        [line] => line.strip_prefix("info string error").map(str::trim),
        _ => None,
    };
    match told {
        Some(text) if !text.is_empty() && named.iter().all(|word| text.contains(word)) => {
            text.to_owned()
        }
        _ => engine.fail(&format!(
            "`{command}` needs one `info string error …` that names {named:?}, not {lines:?}"
        )),
    }
}

/// Sends a command that must be accepted without a word.
fn accepted(engine: &mut Engine, command: &str) {
    let mut lines = engine.ask(command);
    // Said of more threads than this machine has processors.
    lines.retain(|line| !line.contains(" threads on "));
    if !lines.is_empty() {
        engine.fail(&format!("`{command}` was answered by {lines:?}"));
    }
}

/// Searches and checks what every answer must be; the move must be a legal one.
fn searched(engine: &mut Engine, go: &str) -> Search {
    let legal = engine.legal();
    engine.send(go);
    read_checked(engine, &legal)
}

/// Reads the answer to a `go` and checks it; the move must be one of `legal`,
/// or `0000` if there are none.
fn read_checked(engine: &mut Engine, legal: &[String]) -> Search {
    let search = engine.read_search();
    if let Err(message) = search.check() {
        engine.fail(&message);
    }
    let best = &search.best.turn;
    let fits = legal.contains(best) || legal.is_empty() && best == "0000";
    if !fits {
        engine.fail(&format!("bestmove {best} is none of {legal:?}"));
    }
    search
}

/// Requires that the engine plays on from the start position as if nothing had
/// happened.
fn works_as_usual(engine: &mut Engine) {
    accepted(engine, "position startpos");
    if engine.legal() != FIRST_MOVES {
        engine.fail("the start position has other moves");
    }
    searched(engine, "go depth 2");
}

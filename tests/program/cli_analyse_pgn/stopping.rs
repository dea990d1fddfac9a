//! Analyses that are ended early.

#[cfg(unix)]
use std::io::Read;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{ANALYSE, SEVERAL, analyse, folder, games, objects};
use crate::support::command_line::Run;
#[cfg(unix)]
use crate::support::command_line::{interrupt, start, vato};

/// A reader that has seen enough ends the analysis, however long the input.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = folder(&SEVERAL.repeat(100));
    let mut child = folder.start(&format!("{ANALYSE} --json"));
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
    reader.read_line(&mut line).expect("a first line");
    drop(reader);
    assert_eq!(Run::end_of(child).success().err, "");
}

/// Nobody reads on, but the file is to have all of the games.
#[test]
fn a_closed_pipe_does_not_cut_the_file_short() {
    let folder = folder(&SEVERAL.repeat(20));
    let whole = analyse(&folder, "--pgn-out -");
    for format in ["", "--json", "--csv"] {
        let line = format!("{ANALYSE} --pgn-out b.pgn {format}");
        let mut child = folder.start(&line);
        drop(child.stdout.take());
        assert_eq!(Run::end_of(child).success().err, "");
        assert_eq!(folder.read("b.pgn"), whole, "{format}");
        folder.remove("b.pgn");
    }
}

/// However often Ctrl-C comes, what is in the file has no gaps, and the work can go on behind it.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_file_without_gaps() {
    let few = analyse(&folder(SEVERAL), "--pgn-out -");
    // So many that it cannot be done before it is interrupted.
    let folder = folder(&SEVERAL.repeat(20_000));
    for interrupts in [1, 2] {
        let name = format!("{interrupts}.pgn");
        let line = format!("{ANALYSE} --pgn-out {name} --concurrency 4 --json");
        let mut child = folder.start(&line);
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut text = String::new();
        reader.read_line(&mut text).expect("a first line");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut told = String::new();
        interrupt(&child);
        if interrupts == 2 {
            // Its answer is an empty line and another one.
            errors.read_line(&mut told).expect("a line");
            errors.read_line(&mut told).expect("a line");
            interrupt(&child);
        }
        reader.read_to_string(&mut text).expect("more lines");
        errors.read_to_string(&mut told).expect("more lines");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(3), "{told}");
        let written = folder.read(&name);
        let count = games(&written).len();
        let begin = few.repeat(count / games(&few).len() + 1);
        assert!(begin.starts_with(&written), "{written}");
        assert_eq!(objects(&text).len(), count);
        let noun = if count == 1 { "game" } else { "games" };
        let next = count + 1;
        let message = format!("stopped after {count} {noun}; continue with --games {next}-\n");
        assert!(told.ends_with(&message), "{message}{told}");
    }
}

/// What is in the file is done, though nobody could be told.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_a_file_to_go_on_from() {
    let folder = folder(SEVERAL);
    let full = std::fs::File::create("/dev/full").expect("a full disk");
    let mut command = folder.vato(&format!("{ANALYSE} --pgn-out b.pgn --json"));
    let message = Run::of(command.stdout(full)).stderr(1);
    let begin = "error: cannot write to standard output: ";
    assert!(message.starts_with(begin), "{message}");
    assert!(
        message.ends_with("; continue with --games 2-\n"),
        "{message}"
    );
    assert_eq!(games(&folder.read("b.pgn")).len(), 1);
}

/// An analysis that waits for more input ends with Ctrl-C; what it has done is there.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    use std::io::Write;

    use super::summary;

    let line = ANALYSE.replace("a.pgn", "-");
    let mut command = vato(&format!("{line} --json"));
    let mut child = start(command.stdin(Stdio::piped()));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(SEVERAL.as_bytes()).expect("it reads");
    input.flush().expect("it reads");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    reader.read_line(&mut text).expect("a first line");
    interrupt(&child);
    reader.read_to_string(&mut text).expect("more lines");
    let run = Run::end_of(child);
    assert_eq!(run.code, Some(3), "{run:?}");
    // What was done is summed up all the same.
    let summary = summary(&text);
    assert_eq!(summary["stopped"], true);
    assert_eq!(summary["games"], objects(&text).len());
    assert!(run.err.contains("stopped after "), "{run:?}");
    drop(input);
}

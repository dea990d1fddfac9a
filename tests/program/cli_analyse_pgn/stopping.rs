//! Analyses that are ended early.

#[cfg(unix)]
use std::io::Read;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Folder, SEVERAL, arguments, games, objects};
use crate::support::command_line::{interrupt, stdout, vato};

/// A reader that has seen enough ends the analysis, however long the input.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", &SEVERAL.repeat(100));
    let mut child = vato(&arguments(&file, &["--json"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
    reader.read_line(&mut line).expect("a first line");
    drop(reader);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// Nobody reads on, but the file is to have all of the games.
#[test]
fn a_closed_pipe_does_not_cut_the_file_short() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", &SEVERAL.repeat(20));
    let out = folder.path("b.pgn");
    let out = out.to_str().expect("UTF-8");
    for format in ["text", "json", "pgn"] {
        let whole = stdout(&arguments(&file, &["--format", "pgn"]));
        let mut child = vato(&arguments(&file, &["--pgn-out", out, "--format", format]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert_eq!(folder.read("b.pgn"), whole, "{format}");
        std::fs::remove_file(out).expect("it is there");
    }
}

/// However often Ctrl-C comes, what is in the file has no gaps, and the work can go on behind it.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_file_without_gaps() {
    let folder = Folder::new();
    let few = folder.write("few.pgn", SEVERAL);
    let few = stdout(&arguments(&few, &["--format", "pgn"]));
    // So many that it cannot be done before it is interrupted.
    let many = folder.write("many.pgn", &SEVERAL.repeat(20_000));
    for interrupts in [1, 2] {
        let name = format!("{interrupts}.pgn");
        let out = folder.path(&name);
        let out = out.to_str().expect("UTF-8");
        let extra = ["--pgn-out", out, "--concurrency", "4", "--json"];
        let mut child = vato(&arguments(&many, &extra))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
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
        let message = format!("stopped after {count} {noun}; go on with --games {next}-\n");
        assert!(told.ends_with(&message), "{message}{told}");
    }
}

/// What is in the file is done, though nobody could be told.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_a_file_to_go_on_from() {
    let folder = Folder::new();
    let file = folder.write("a.pgn", SEVERAL);
    let out = folder.path("b.pgn");
    let extra = ["--pgn-out", out.to_str().expect("UTF-8"), "--json"];
    let full = std::fs::File::create("/dev/full").expect("a full disk");
    let output = vato(&arguments(&file, &extra))
        .stdout(full)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    let begin = "error: cannot write to standard output: ";
    assert!(message.starts_with(begin), "{message}");
    assert!(message.ends_with("; go on with --games 2-\n"), "{message}");
    assert_eq!(games(&folder.read("b.pgn")).len(), 1);
}

/// An analysis that waits for more input ends with Ctrl-C; what it has done is there.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    use std::io::Write;

    use super::summary;

    let mut child = vato(&arguments("-", &["--json"]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(SEVERAL.as_bytes()).expect("it reads");
    input.flush().expect("it reads");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    reader.read_line(&mut text).expect("a first line");
    interrupt(&child);
    reader.read_to_string(&mut text).expect("more lines");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    // What was done is summed up all the same.
    let summary = summary(&text);
    assert_eq!(summary["stopped"], true);
    assert_eq!(summary["games"], objects(&text).len());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("stopped after "), "{message}");
    drop(input);
}

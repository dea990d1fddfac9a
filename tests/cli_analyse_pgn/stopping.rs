//! Analyses that are ended early.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::support::command_line::{interrupt, vato};
use super::{Folder, SEVERAL, arguments};

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

/// An analysis that waits for more input ends with Ctrl-C; what it has done is there.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    use std::io::{Read, Write};

    use super::{objects, summary};

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

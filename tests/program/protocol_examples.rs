//! The sessions in `protocol.md`, run against the built binary.
//!
//! In a block marked `session`, a line that begins with `> ` is sent and a line that begins with
//! `< ` must be received, in this order. `…` matches any text; a received line that is nothing but
//! `…` matches any number of lines, none included. A block marked `text NAME` is a file of that name.

use crate::support::command_line::Folder;
use crate::support::documents::{blocks, read};
use crate::support::patterns::matches;
use crate::support::{Engine, WAIT};

/// A session of the reference: the line of the file where it begins, and its lines.
struct Example {
    line: usize,
    steps: Vec<Step>,
}

enum Step {
    Send(String),
    Receive(String),
}

fn examples() -> Vec<Example> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol.md");
    let text = std::fs::read_to_string(path).expect("the reference is there");
    let mut examples = Vec::new();
    let mut current: Option<Example> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut current {
            None if line == "```session" => {
                current = Some(Example {
                    line: index + 1,
                    steps: Vec::new(),
                });
            }
            None => {}
            Some(_) if line == "```" => examples.extend(current.take()),
            Some(example) => example.steps.push(match line.split_at_checked(2) {
                Some(("> ", text)) => Step::Send(text.to_owned()),
                Some(("< ", text)) => Step::Receive(text.to_owned()),
                _ => panic!("line {}: neither sent nor received: {line}", index + 1),
            }),
        }
    }
    assert!(current.is_none(), "the last session has no end");
    examples
}

fn run(example: &Example, replace: impl Fn(&str) -> String) {
    let mut engine = Engine::start();
    let mut skipping = false;
    for step in &example.steps {
        match step {
            Step::Send(text) => engine.send(&replace(text)),
            Step::Receive(pattern) if pattern == "…" => skipping = true,
            Step::Receive(pattern) => {
                let wanted = format!("`{pattern}` (protocol.md, line {})", example.line);
                let lines =
                    engine.expect_line(WAIT, &wanted, |line| !skipping || matches(pattern, line));
                if !lines.last().is_some_and(|line| matches(pattern, line)) {
                    engine.fail(&format!("want {wanted}, got {lines:?}"));
                }
                skipping = false;
            }
        }
    }
    if matches!(example.steps.last(), Some(Step::Send(text)) if text == "quit") {
        assert!(engine.wait_exit(WAIT).success());
        assert_eq!(
            engine.rest(),
            [""; 0],
            "after the session of line {}",
            example.line
        );
    } else {
        let rest = engine.sync();
        assert_eq!(rest, [""; 0], "after the session of line {}", example.line);
        engine.finish();
    }
}

#[test]
fn the_sessions_of_the_reference_are_true() {
    let (examples, folder) = (examples(), Folder::new());
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let mut files = Vec::new();
    for block in blocks(&read(&page)) {
        if let Some(name) = block.info.strip_prefix("text ") {
            folder.write(name, block.text);
            files.push(name.to_owned());
        }
    }
    assert!(!files.is_empty());
    let named = |text: &str| {
        let names = files.iter();
        names.fold(text.to_owned(), |text, name| {
            text.replace(name, &folder.name(name))
        })
    };
    assert!(examples.len() >= 10, "only {} sessions", examples.len());
    for example in &examples {
        run(example, named);
    }
}

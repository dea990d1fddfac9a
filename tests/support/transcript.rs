//! Commands and what comes of them, as they stand in the files of `tests/program/transcripts`.
//!
//! A line `$ vato …` is a command, in which `VATO` is the program's path. Below it stand standard output, standard
//! error with `! ` before each line, and the exit code in brackets if it is not 0. `…` is any text of a line; a line of
//! it alone is any number of lines. Of wrong usage the reminder of the usage is left out. With `VATO_TRANSCRIPTS=write` in
//! the environment what differs is written anew.

use std::fmt::Write;
use std::path::Path;

use super::command_line::{Folder, Run, VATO};
use super::patterns::{matches, matches_lines};

/// Runs the commands of the file `name` in a folder, and requires that each does what stands below it.
pub fn check(folder: &Folder, name: &str) {
    compare(name, "$ vato ", |line| {
        told(folder.run(&line.replace("VATO", VATO)))
    });
}

/// Requires of each line of the file `name` that begins with `sign` that what stands below it is the answer to the
/// rest of the line.
pub fn compare(name: &str, sign: &str, answer: impl Fn(&str) -> String) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/program/transcripts/{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut blocks: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match blocks.last_mut() {
            Some(block) if !line.starts_with(sign) => block.push_str(line),
            _ => blocks.push(line.to_owned()),
        }
    }
    let (mut written, mut faults) = (String::new(), String::new());
    for block in blocks {
        let (first, wanted) = block.split_once('\n').unwrap_or((&block, ""));
        let wanted = wanted.trim_end();
        let line = first.strip_prefix(sign).expect("a sign at the beginning");
        let found = answer(line);
        if matches_lines(wanted, &found) {
            written += &block;
            continue;
        }
        let _ = write!(written, "{first}\n{found}\n\n");
        let pairs = wanted.lines().zip(found.lines());
        let same = pairs.take_while(|(one, other)| matches(one, other)).count();
        let [wanted, found] =
            [wanted, &found].map(|text| text.lines().nth(same).unwrap_or("nothing more"));
        let _ = write!(faults, "{first}\nexpected: {wanted}\nfound:    {found}\n");
    }
    if !faults.is_empty() && std::env::var("VATO_TRANSCRIPTS").as_deref() == Ok("write") {
        std::fs::write(&path, written.trim_end().to_owned() + "\n").expect("there is room");
    } else {
        assert!(faults.is_empty(), "{name}.txt:\n{faults}");
    }
}

/// What a run has told, as it stands in a file.
fn told(run: Run) -> String {
    let usage = ["\n\nUsage: ", "\n\nFor more information"];
    let end = usage.iter().filter_map(|text| run.err.find(text)).min();
    let err = &run.err[..end.unwrap_or(run.err.len())];
    let err = err
        .lines()
        .map(|line| format!("! {line}").trim_end().to_owned());
    let mut lines: Vec<String> = run.out.lines().map(str::to_owned).chain(err).collect();
    if run.code != Some(0) {
        lines.push(format!(
            "[{}]",
            run.code
                .map_or("killed".to_owned(), |code| code.to_string())
        ));
    }
    lines.join("\n").replace(VATO, "VATO").trim_end().to_owned()
}

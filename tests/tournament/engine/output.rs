//! What the engine says, in good order or too much of it.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

/// Nobody listens any more.
#[derive(Debug)]
pub(super) struct Deaf;

/// Says whole lines, in one piece.
pub(super) fn say(lines: &str) -> Result<(), Deaf> {
    let mut output = io::stdout().lock();
    let said = output
        .write_all(format!("{lines}\n").as_bytes())
        .and_then(|()| output.flush());
    said.map_err(|_| Deaf)
}

/// Says lines that are no text.
pub(super) fn say_bytes() -> Result<(), Deaf> {
    let mut output = io::stdout().lock();
    let said = output.write_all(b"\0\xff\xfe\n\r\n\ninfo string \xc3\x28 \x1b[31m\0\n");
    said.map_err(|_| Deaf)
}

/// Says `info` lines until nobody listens.
pub(super) fn say_too_much() -> Deaf {
    while say(&flood()).is_ok() {}
    Deaf
}

/// Says a line that has no end until nobody listens.
pub(super) fn say_an_endless_line() -> Deaf {
    let piece = [b'x'; 1 << 16];
    let mut output = io::stdout().lock();
    while output
        .write_all(&piece)
        .and_then(|()| output.flush())
        .is_ok()
    {}
    Deaf
}

/// Says `info` lines for as long as the process lives, and lets others speak in between.
pub(super) fn flood_beside() {
    thread::spawn(|| {
        while say(&flood()).is_ok() {
            thread::sleep(Duration::from_micros(200));
        }
    });
}

/// Some thousand lines that mean little.
fn flood() -> String {
    let lines: Vec<String> = (0..1000)
        .map(|number| format!("info depth 1 currmove a1-a2 currmovenumber {number} nodes {number}"))
        .collect();
    lines.join("\n")
}

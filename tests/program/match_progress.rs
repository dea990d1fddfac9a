//! The progress of a match on terminals of all widths.

use std::io::Read;
use std::num::NonZero;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use vt100::Parser;

/// Games of the match: what marks a line of progress.
const GAMES: &str = "/6 ";

/// The line of progress fits, and nothing of it stays, whatever the engines are called.
#[test]
fn the_progress_of_a_match_is_one_line() {
    let vato = env!("CARGO_BIN_EXE_vato");
    let name = "an engine with a name that goes on and on, number";
    for columns in [20, 40, 80, 120] {
        for engines in [2, 3] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut command = CommandBuilder::new(vato);
            command.cwd(folder.path());
            command.env("TERM", "xterm");
            command.env_remove("RUST_LOG");
            command.args([
                "match",
                "--out",
                "m",
                "--games",
                if engines == 2 { "6" } else { "2" },
            ]);
            command.args(["--each", "nodes=60", "--concurrency", "1", "--rules", "5x5"]);
            for number in 1..=engines {
                command.args(["--engine", &format!("cmd={vato},name=\"{name} {number}\"")]);
            }
            let (screen, seen) = run(command, columns);
            assert!(seen > 0, "no progress on {columns} columns");
            // What remains are whole lines of text, that of the record among them.
            assert!(!screen.contains(GAMES), "{columns} columns:\n{screen}");
        }
    }
}

/// Runs the command to its end, checking the line of progress at all times; its last screen, and how often there was
/// such a line.
fn run(command: CommandBuilder, columns: u16) -> (String, u32) {
    let size = PtySize {
        rows: 200,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    };
    let pair = native_pty_system()
        .openpty(size)
        .expect("a pseudo-terminal");
    let mut child = pair
        .slave
        .spawn_command(command)
        .expect("the program starts");
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().expect("its output");
    let side = |length| NonZero::new(length).expect("more than nothing");
    let mut parser = Parser::new(side(size.rows), side(columns), 0);
    let (mut bytes, mut seen) = ([0; 256], 0);
    // At the end of the program some systems say so with an error.
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        for &byte in &bytes[..count] {
            if byte == 0x1b || byte == b'\r' {
                seen += check(&parser, columns);
            }
            parser.process(&[byte]);
        }
    }
    assert!(child.wait().expect("its end").success());
    (parser.screen().contents(), seen)
}

/// Whether there is a line of progress: one at most, and it ends where the screen does.
fn check(parser: &Parser, columns: u16) -> u32 {
    let screen = parser.screen();
    let rows = screen.rows(0, columns).enumerate();
    let lines: Vec<u16> = rows
        .filter(|(_, row)| row.contains(GAMES))
        .map(|(row, _)| row as u16)
        .collect();
    assert!(lines.len() <= 1, "{}", screen.contents());
    for &row in &lines {
        assert!(!screen.row_wrapped(row), "{}", screen.contents());
    }
    lines.len() as u32
}

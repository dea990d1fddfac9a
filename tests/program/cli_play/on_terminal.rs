//! On a terminal a person is asked before a game or a file is lost.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

use crate::support::command_line::no_data;

/// The longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program on its terminal.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    /// What has come since the last text that was waited for.
    shown: String,
    _master: Box<dyn MasterPty + Send>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that has failed leaves nobody behind.
        let _ = self.child.kill();
    }
}

impl Terminal {
    fn run(arguments: &str) -> Terminal {
        let size = PtySize {
            rows: 24,
            cols: 200,
            ..PtySize::default()
        };
        let pair = native_pty_system()
            .openpty(size)
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_vato"));
        command.args(arguments.split_whitespace());
        command.env("LC_ALL", "C.UTF-8");
        command.env("XDG_DATA_HOME", no_data());
        command.env_remove("RUST_LOG");
        let child = pair
            .slave
            .spawn_command(command)
            .expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end of the program some systems say so with an error.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal {
            child,
            input: pair.master.take_writer().expect("its input"),
            output,
            shown: String::new(),
            _master: pair.master,
        }
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.shown.find(text) {
                self.shown.drain(..at + text.len());
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.shown += &String::from_utf8_lossy(&bytes),
                Err(error) => panic!("{error}: expected '{text}' in '{}'", self.shown),
            }
        }
    }

    fn end(mut self) {
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status:?}");
    }
}

#[test]
fn an_unsaved_game_is_not_left_without_a_question() {
    let mut terminal = Terminal::run("play --as both --rules telo");
    terminal.wait_for("White to move");
    terminal.send("b1b2a\r");
    terminal.wait_for("Black to move");
    terminal.send("quit\r");
    terminal.wait_for("The game is not saved. Give it up? (y/n)");
    terminal.send("n\rmoves\r");
    terminal.wait_for("a3-b3");
    terminal.send("quit\r");
    terminal.wait_for("Give it up? (y/n)");
    terminal.send("y\r");
    terminal.end();

    // Nothing is lost, nothing is asked.
    let mut terminal = Terminal::run("play --as both");
    terminal.wait_for("White to move");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_file_is_not_replaced_without_a_question() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, "before").expect("written");
    let save = format!("save {}\r", path.display());
    let mut terminal = Terminal::run("play --as both --rules telo");
    terminal.wait_for("White to move");
    terminal.send("b1b2a\r");
    terminal.wait_for("Black to move");
    terminal.send(&save);
    terminal.wait_for("Replace it? (y/n)");
    terminal.send("n\r");
    terminal.wait_for("not saved");
    assert_eq!(std::fs::read(&path).expect("it is there"), b"before");
    terminal.send(&save);
    terminal.wait_for("Replace it? (y/n)");
    terminal.send("y\r");
    terminal.wait_for("saved in ");
    let saved = std::fs::read_to_string(&path).expect("it is there");
    assert!(saved.contains("1. b1-b2A"), "{saved}");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_session_on_a_terminal_begins_with_a_greeting() {
    let mut terminal = Terminal::run("");
    terminal.wait_for("A game: vato play.");
    terminal.send("quit\r");
    terminal.end();
}

//! The protocol: UGI and UCI in one session, and the words of both as types.
//!
//! [`run`] holds a session: commands in, answers out. [`Command`] and [`Answer`] read and write
//! every line of it, so that the other side of the conversation can be built from the same types.
//! What is asked for is done by an [`Engine`]; everything that is said to managers is said here.
//!
//! # Threads
//!
//! The *input* thread turns bytes into lines; the engine works on a thread of its own; both send events
//! to the *session*, on the thread that called [`run`], which is the only one that prints. It never waits
//! for anything but the next event, so that a command is obeyed at once whatever the engine does.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod answer;
mod command;
mod dialect;
mod go;
mod info;
mod lines;
mod session;
mod words;

use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::sync_channel;

use crate::engine::{Engine, Settings, TablebaseSource};

pub use crate::engine::{EMPTY, OptionDeclaration, OptionError, OptionKind, OptionValue};
pub use answer::{Answer, BestMove, GameResult, Response};
pub use command::{BenchCommand, Command, PositionBase, PositionCommand, Query, SetOption};
pub use dialect::Dialect;
pub use go::{GoCommand, PerPlayer};
pub use info::{Info, InfoScore, ScoreValue};
pub(crate) use lines::{Direction as TrafficDirection, TrafficLog, read_line};
pub use words::ParseError;

/// The deepest perft that is taken on; none so deep ever ends.
pub const MAX_PERFT_DEPTH: u32 = 99;

/// Events that may wait for the session. An input that is faster than the session can answer is
/// slowed down by this.
const WAITING_EVENTS: usize = 4096;

/// Holds a session until `quit` or the end of the input. Every answer is flushed at once.
///
/// Returns when the session has ended, with the last search answered. The thread that reads `input`
/// may then still wait for a line that never comes.
///
/// # Errors
///
/// If threads cannot be started or the output cannot be written. A reader of the output that is
/// gone is no error: the session ends.
///
/// # Examples
///
/// ```
/// let mut output = Vec::new();
/// let input = "position startpos\ngo depth 2\nwait\nquit\n";
/// vato::protocol::run(input.as_bytes(), &mut output).expect("a vector can be written to");
/// let output = String::from_utf8(output).expect("answers are text");
/// assert!(output.lines().last().expect("an answer").starts_with("bestmove "));
/// ```
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (events, inbox) = sync_channel(WAITING_EVENTS);
    let mut engine = Engine::new(Settings {
        tablebases: TablebaseSource::built_in(),
        ..Settings::default()
    });
    engine.spawn()?;
    lines::spawn_reader(input, events.clone())?;
    match session::Session::new(output, engine, events).run(&inbox) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        end => end,
    }
}

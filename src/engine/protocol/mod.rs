//! The protocol: a session that accepts UGI and UCI, and types for the lines of both.
//!
//! [`run`] runs a session: commands in, answers out. [`Command`] and [`Answer`] parse and write every line, so
//! a manager can be built from the same types. The work is done by an [`Engine`]; all output is made here.
//!
//! # Threads
//!
//! The *input* thread splits the input into lines; the engine has a thread of its own; both send events
//! to the *session*, on the thread that called [`run`], which does all the printing. It only ever waits
//! for the next event, so a command is handled at once whatever the engine does.

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

use crate::engine::{Engine, Settings, TableFiles};
use crate::memory;
use crate::search::STACK_BYTES;
use crate::tablebase::TableFolders;

pub use crate::engine::{EMPTY, OptionDeclaration, OptionKind};
pub use answer::{Answer, BestMove, GameResult, Response};
pub use command::{BenchCommand, Command, PositionCommand, Query, SetOption};
pub use dialect::Dialect;
pub use go::GoCommand;
pub use info::{Info, InfoScore, ScoreValue};
pub use lines::{TrafficDirection, TrafficLog, read_line};
pub use words::{ParseError, Words};

/// Maximum depth of perft; a greater one would never end.
pub const MAX_PERFT_DEPTH: u32 = 99;

/// Capacity of the event queue. Slows down input that is faster than the session.
const WAITING_EVENTS: usize = 4096;

/// Runs a session until `quit` or the end of the input. Every answer is flushed at once.
///
/// Returns after the last search has been answered. The thread that reads `input` may then still be
/// waiting for a line.
///
/// # Errors
///
/// If threads cannot be started or the output cannot be written. A closed pipe is not an error: it ends
/// the session.
///
/// # Examples
///
/// ```
/// let mut output = Vec::new();
/// let input = "position startpos\ngo depth 2\nwait\nquit\n";
/// vato_engine::protocol::run(input.as_bytes(), &mut output).expect("a vector can be written to");
/// let output = String::from_utf8(output).expect("answers are text");
/// assert!(output.lines().last().expect("an answer").starts_with("bestmove "));
/// ```
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (events, inbox) = sync_channel(WAITING_EVENTS);
    let mut engine = Engine::new(Settings {
        tables: Some(TableFiles::of(TableFolders::auto())),
        ..Settings::default()
    });
    // Better no session than one that a failed allocation ends.
    if memory::address_space() < 2 * (STACK_BYTES as u64 + memory::ARENA) {
        let why = "too little address space (ulimit -v)";
        return Err(std::io::Error::new(ErrorKind::OutOfMemory, why));
    }
    let to_session = events.clone();
    // Ignored if the session has ended.
    engine.spawn(move |event| drop(to_session.send(lines::Incoming::Engine(event))))?;
    lines::spawn_reader(input, events)?;
    match session::Session::new(output, engine).run(&inbox) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        end => end,
    }
}

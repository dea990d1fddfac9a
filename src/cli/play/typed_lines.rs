//! The lines that a person types, read on a thread of its own: a clock runs while nothing is typed.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The most bytes of a line; what is beyond is another line.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that are read before somebody wants them.
const READ_AHEAD: usize = 1;

/// What came of waiting for a line.
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// The time is over and there was none.
    Nothing,
    /// There are no more.
    End,
}

/// The lines of standard input.
#[derive(Default)]
pub struct TypedLines {
    /// Where they come from, once one was wanted: a program that reads from a terminal without need
    /// cannot run in the background.
    lines: Option<Receiver<io::Result<String>>>,
}

impl TypedLines {
    /// The next line, if it comes within this time; with [`Duration::MAX`] however long it takes.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read, or the thread for it not be started.
    pub fn next(&mut self, within: Duration) -> io::Result<Typed> {
        let lines = match &self.lines {
            Some(lines) => lines,
            None => self.lines.insert(listen()?),
        };
        match lines.recv_timeout(within) {
            Ok(line) => line.map(Typed::Line),
            Err(RecvTimeoutError::Timeout) => Ok(Typed::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Typed::End),
        }
    }
}

/// Starts the thread.
fn listen() -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = sync_channel(READ_AHEAD);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(&sender, &mut io::stdin().lock()))?;
    Ok(lines)
}

/// Sends all lines, and ends with the input or when nobody listens any more.
fn read(lines: &SyncSender<io::Result<String>>, input: &mut impl BufRead) {
    loop {
        let mut line = Vec::new();
        let said = match input.take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Err(error) => Err(error),
        };
        let goes_on = said.is_ok();
        if lines.send(said).is_err() || !goes_on {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        let (sender, lines) = sync_channel(100);
        read(&sender, &mut bytes);
        drop(sender);
        lines.iter().map(|line| line.expect("a line")).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n moves \r\nquit"), ["", " moves", "quit"]);
        assert_eq!(lines(b"a\xff\n"), ["a\u{fffd}"]);
        let long = lines(&vec![b'a'; 3 * LONGEST_LINE as usize / 2]);
        assert_eq!(long.len(), 2);
    }
}

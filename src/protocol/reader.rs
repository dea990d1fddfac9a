//! The thread that reads the input, so that the session never waits for it.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::SyncSender;
use std::thread;

use super::session::Event;

/// The longest line that is taken; of longer ones the rest is dropped.
const LONGEST_LINE: usize = 64 << 20;

/// Starts the thread. It sends every line and then the end of the input, and ends itself when the
/// session is gone.
pub(super) fn spawn(
    input: impl Read + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        while let Some(line) = read_line(&mut input, LONGEST_LINE) {
            if events.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // A session that is gone does not need to know.
        let _ = events.send(Event::EndOfInput);
    };
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(read)
        .map(drop)
}

/// The next line without its end, `None` at the end of the input; of a line of more than `longest`
/// bytes the rest is dropped. Bytes that are not UTF-8 become replacement characters; an error of
/// the system is an end like any other.
pub(crate) fn read_line(input: &mut impl BufRead, longest: usize) -> Option<String> {
    let mut line = Vec::new();
    let mut at_end = true;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if buffer.is_empty() {
            break;
        }
        at_end = false;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(buffer.len());
        let room = longest - line.len();
        line.extend(buffer.iter().take(length.min(room)));
        input.consume(length + usize::from(end.is_some()));
        if end.is_some() {
            break;
        }
    }
    if at_end {
        return None;
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(match String::from_utf8(line) {
        Ok(line) => line,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A small buffer, so that lines lie across its end.
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input, LONGEST_LINE)).collect()
    }

    #[test]
    fn lines_of_all_kinds() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(
            lines(b"ugi\r\n\nisready\nquit"),
            ["ugi", "", "isready", "quit"]
        );
        assert_eq!(read_line(&mut &b"abcd\ne"[..], 3).as_deref(), Some("abc"));
        assert_eq!(lines(b"a\xffb\n\xc3\xa9"), ["a\u{fffd}b", "é"]);
    }
}

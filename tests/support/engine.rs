//! A child process that speaks the protocol, with a time limit on every wait.
//!
//! A test that hangs tells nothing. Here one thread reads the child's output and
//! another writes its input, so that neither a silent child nor one that has
//! stopped reading can block a test: every wait ends with what was asked for, or
//! with a panic that carries the transcript so far.
//!
//! The calls come in two layers. `poll_line` and `wait_for` return a [`Silence`],
//! for drivers that must go on when an engine fails; everything else panics, for
//! plain tests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::answers::{Search, looks_like_move};
use super::command_line::engine;

/// How long a test waits for something that should come at once. Only a hang
/// uses it up, so it is long enough for a machine that is busy with other work.
pub const WAIT: Duration = Duration::from_secs(30);

/// The last entries of the transcript that are kept.
const KEPT: usize = 20_000;

/// Why no line came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// Nothing arrived in time.
    Timeout,
    /// The process closed its output.
    Closed,
}

/// A line that the engine printed.
#[derive(Debug, Clone)]
pub struct Line {
    /// The text without its line ending.
    pub text: String,
    /// When it arrived.
    pub at: Instant,
}

/// A running engine; killed when dropped.
pub struct Engine {
    child: Child,
    /// `None` once the input is closed.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Line>,
    errors: Arc<Mutex<Vec<u8>>>,
    error_reader: Option<JoinHandle<()>>,
    /// The `go` commands that have no `bestmove` yet.
    searches: usize,
    /// What has been read since the search under way began.
    answer: Vec<String>,
    /// The whole answer of the last search that has ended.
    finished: Vec<String>,
    transcript: VecDeque<String>,
    started: Instant,
}

impl Engine {
    /// Starts the binary under test; nothing is sent.
    pub fn start() -> Self {
        Self::spawn(Path::new(&engine()), &[])
    }

    /// Starts the binary under test and opens a UGI session.
    pub fn ugi() -> Self {
        Self::opened_by("ugi")
    }

    /// Starts the binary under test and opens a UCI session.
    pub fn uci() -> Self {
        Self::opened_by("uci")
    }

    /// Starts the binary under test and opens a session with `ugi` or `uci`.
    pub fn opened_by(word: &str) -> Self {
        let mut engine = Self::start();
        engine.send(word);
        engine.expect(&format!("{word}ok"));
        engine
    }

    /// Starts any program. It runs in the directory for temporary test files, so
    /// that a file it makes by mistake lands there.
    pub fn spawn(path: &Path, arguments: &[&str]) -> Self {
        let started = Instant::now();
        let mut child = Command::new(path)
            .args(arguments)
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", path.display()));
        let stdin = child.stdin.take().expect("the input is piped");
        let stdout = child.stdout.take().expect("the output is piped");
        let stderr = child.stderr.take().expect("the error output is piped");
        let errors = Arc::default();
        Self {
            child,
            input: Some(write_in_background(stdin)),
            output: read_in_background(stdout),
            error_reader: Some(collect_in_background(stderr, Arc::clone(&errors))),
            errors,
            searches: 0,
            answer: Vec::new(),
            finished: Vec::new(),
            transcript: VecDeque::new(),
            started,
        }
    }

    // ---- writing -----------------------------------------------------------

    /// Sends a line (or several, separated by line ends).
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are, without a line end.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let at = self.started.elapsed();
        for line in shown.split(|&byte| byte == b'\n') {
            self.note(at, '>', &line.escape_ascii().to_string());
            let mut words = line.split(u8::is_ascii_whitespace);
            if words.find(|word| !word.is_empty()) == Some(b"go") {
                if self.searches == 0 {
                    self.answer.clear();
                }
                self.searches += 1;
            }
        }
        if let Some(input) = &self.input {
            // An engine that has ended shows itself in the next wait.
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes the engine's input, as a manager does that ends or dies.
    pub fn close_stdin(&mut self) {
        self.note(self.started.elapsed(), '>', "(end of input)");
        self.input = None;
    }

    // ---- reading -----------------------------------------------------------

    /// The next line, or why there is none.
    pub fn poll_line(&mut self, timeout: Duration) -> Result<Line, Silence> {
        match self.output.recv_timeout(timeout) {
            Ok(line) => {
                self.note(line.at.duration_since(self.started), '<', &line.text);
                if self.searches > 0 {
                    self.answer.push(line.text.clone());
                    if line.text.starts_with("bestmove") {
                        self.searches -= 1;
                        self.finished = std::mem::take(&mut self.answer);
                    }
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Closed),
        }
    }

    /// The lines up to and including the first that is `wanted`.
    pub fn wait_for(
        &mut self,
        timeout: Duration,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Line>, Silence> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.poll_line(left)?;
            let found = wanted(&line.text);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }

    /// The next line.
    pub fn read_line(&mut self, timeout: Duration) -> String {
        match self.poll_line(timeout) {
            Ok(line) => line.text,
            Err(why) => self.fail(&format!("no line within {timeout:?} ({why:?})")),
        }
    }

    /// The lines up to and including the first that is `wanted`; `what` says in
    /// words what is waited for.
    pub fn expect_line(
        &mut self,
        timeout: Duration,
        what: &str,
        wanted: impl FnMut(&str) -> bool,
    ) -> Vec<String> {
        match self.wait_for(timeout, wanted) {
            Ok(lines) => lines.into_iter().map(|line| line.text).collect(),
            Err(why) => self.fail(&format!("no {what} within {timeout:?} ({why:?})")),
        }
    }

    /// The lines before the first that is exactly `line`.
    pub fn expect(&mut self, line: &str) -> Vec<String> {
        let mut lines = self.expect_line(WAIT, &format!("`{line}`"), |text| text == line);
        lines.pop();
        lines
    }

    /// What arrives during the whole of `time`.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let mut lines = Vec::new();
        let end = self.wait_for(time, |text| {
            lines.push(text.to_owned());
            false
        });
        if end.is_err_and(|why| why == Silence::Closed) {
            self.fail("the engine closed its output");
        }
        lines
    }

    // ---- exchanges ---------------------------------------------------------

    /// Sends `isready`; the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.expect("readyok")
    }

    /// Sends a command that is not a `go`; everything printed in answer.
    pub fn ask(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.sync()
    }

    /// The word in the answer to `query what`.
    pub fn query(&mut self, what: &str) -> String {
        self.send(&format!("query {what}"));
        let lines = self.expect_line(WAIT, "response", |line| line.starts_with("response"));
        let answer = lines.last().map_or("", String::as_str);
        match answer.split_whitespace().collect::<Vec<_>>()[..] {
            ["response", word] => word.to_owned(),
            _ => self.fail(&format!("not a response of two words: `{answer}`")),
        }
    }

    /// The turns that the command `legal` lists, sorted.
    pub fn legal(&mut self) -> Vec<String> {
        let lines = self.ask("legal");
        // A search that is under way tells lines of play in between.
        let own = lines.iter().filter(|line| !line.starts_with("info "));
        let words = own.flat_map(|line| line.split_whitespace());
        let mut turns: Vec<String> = words
            .filter(|word| looks_like_move(word))
            .map(str::to_owned)
            .collect();
        turns.sort();
        turns
    }

    /// Sends a `go` command and reads up to its `bestmove`.
    pub fn search(&mut self, go: &str) -> Search {
        self.send(go);
        self.read_search()
    }

    /// Reads up to the `bestmove` of a search that is under way. Lines of it that
    /// have been read before are part of the answer.
    pub fn read_search(&mut self) -> Search {
        self.expect_line(WAIT, "bestmove", |line| line.starts_with("bestmove"));
        match Search::parse(std::mem::take(&mut self.finished)) {
            Ok(search) => search,
            Err(message) => self.fail(&message),
        }
    }

    /// Fails if a `bestmove` arrives during `time`.
    pub fn expect_no_bestmove(&mut self, time: Duration) -> Vec<String> {
        let lines = self.listen(time);
        if let Some(line) = lines.iter().find(|line| line.starts_with("bestmove")) {
            self.fail(&format!("`{line}` came too early"));
        }
        lines
    }

    // ---- the end -----------------------------------------------------------

    /// Waits for the process to end by itself.
    pub fn wait_exit(&mut self, timeout: Duration) -> ExitStatus {
        match self.poll_exit(timeout) {
            Some(status) => status,
            None => self.fail(&format!("the process did not end within {timeout:?}")),
        }
    }

    /// The exit status, or `None` if the process is still running at the end.
    pub fn poll_exit(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// What an engine that has ended, or is about to, still had to say.
    pub fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.poll_line(WAIT) {
                Ok(line) => lines.push(line.text),
                Err(Silence::Closed) => return lines,
                Err(Silence::Timeout) => self.fail("the output stays open"),
            }
        }
    }

    /// Ends a test: the engine is alive, has nothing more to say, quits with
    /// status 0, and has not panicked in any of its threads.
    pub fn finish(mut self) {
        let late = self.sync();
        if let Some(line) = late.iter().find(|line| line.starts_with("bestmove")) {
            self.fail(&format!("`{line}` without a `go`"));
        }
        self.send("quit");
        let status = self.wait_exit(WAIT);
        let rest = self.rest();
        if !status.success() || !rest.is_empty() {
            self.fail(&format!("`quit` ended with {status}, printing {rest:?}"));
        }
        self.expect_no_panic();
    }

    /// Fails if the engine reported a panic on its error output.
    pub fn expect_no_panic(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_some())
            && let Some(reader) = self.error_reader.take()
        {
            let _ = reader.join();
        }
        if self.error_output().contains("panicked") {
            self.fail("the engine panicked");
        }
    }

    /// What the engine has written to its error output.
    pub fn error_output(&self) -> String {
        String::from_utf8_lossy(&lock(&self.errors)).into_owned()
    }

    /// Everything said so far by both sides, with the time in seconds.
    pub fn transcript(&mut self) -> String {
        while self.poll_line(Duration::ZERO).is_ok() {}
        let mut text = String::new();
        for entry in &self.transcript {
            text.push_str(entry);
            text.push('\n');
        }
        let errors = self.error_output();
        if !errors.is_empty() {
            text.push_str("on the error output:\n");
            text.push_str(&errors);
        }
        text
    }

    /// Panics with a message and the transcript, long lines shortened.
    pub fn fail(&mut self, message: &str) -> ! {
        let transcript = self.transcript();
        let lines: Vec<&str> = transcript.lines().collect();
        let shown = &lines[lines.len().saturating_sub(200)..];
        let shown: Vec<String> = shown.iter().map(|line| shorten(line, 300)).collect();
        panic!("{message}\ntranscript:\n{}", shown.join("\n"));
    }

    fn note(&mut self, at: Duration, direction: char, text: &str) {
        if self.transcript.len() >= KEPT {
            self.transcript.pop_front();
        }
        let seconds = at.as_secs_f64();
        self.transcript
            .push_back(format!("{seconds:9.3} {direction} {text}"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `text`, cut after `limit` characters.
fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
        None => text.to_owned(),
    }
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that writes what it is sent, and closes the pipe when the sender is
/// dropped.
fn write_in_background(mut pipe: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// A thread that stamps and passes on every line.
fn read_in_background(pipe: impl Read + Send + 'static) -> Receiver<Line> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while matches!(pipe.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end_matches(['\r', '\n']).to_owned();
            let at = Instant::now();
            if sender.send(Line { text, at }).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    receiver
}

/// A thread that gathers everything.
fn collect_in_background(
    mut pipe: impl Read + Send + 'static,
    sink: Arc<Mutex<Vec<u8>>>,
) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = pipe.read(&mut buffer) {
            lock(&sink).extend_from_slice(&buffer[..read]);
        }
    })
}

//! Runs a script against the engine and watches what comes back.

use std::thread;
use std::time::{Duration, Instant};

use super::grammar::Book;
use super::script::{Leave, Script, Step};
use crate::support::{BestMove, Engine, Info, Silence};

/// An answer that takes longer will not come.
const HANG: Duration = Duration::from_secs(30);

/// How often `stop` is repeated while an answer is awaited: each one may end
/// only one of the searches that are queued.
const BETWEEN_STOPS: Duration = Duration::from_millis(50);

/// A session that went wrong.
pub struct Failure {
    pub what: String,
    pub script: String,
    pub transcript: String,
}

/// Runs the session of a seed; the number of its searches.
pub fn run(seed: u64, book: &Book) -> Result<usize, Box<Failure>> {
    let script = Script::new(seed, book);
    let mut session = Session {
        engine: Engine::start(),
        searches: 0,
        answers: 0,
    };
    match session.play(&script) {
        Ok(()) => Ok(session.searches),
        Err(what) => Err(Box::new(Failure {
            what,
            script: script.to_string(),
            transcript: session.engine.transcript(),
        })),
    }
}

struct Session {
    engine: Engine,
    /// The `go` commands sent.
    searches: usize,
    /// The `bestmove` lines received.
    answers: usize,
}

impl Session {
    fn play(&mut self, script: &Script) -> Result<(), String> {
        for step in &script.steps {
            match step {
                Step::Send(line) => self.send(line),
                Step::Pause(time) => thread::sleep(*time),
                Step::Finish => self.await_answers(false)?,
                Step::Stop => self.await_answers(true)?,
                Step::Sync => self.sync()?,
            }
        }
        match script.leave {
            Leave::Quit => self.send(b"quit"),
            Leave::EndOfInput => self.engine.close_stdin(),
        }
        self.leave()
    }

    fn send(&mut self, line: &[u8]) {
        let mut words = line.split(u8::is_ascii_whitespace);
        if words.find(|word| !word.is_empty()) == Some(b"go") {
            self.searches += 1;
        }
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        self.engine.send_bytes(&bytes);
    }

    /// Reads a line and checks its form.
    fn read(&mut self, timeout: Duration) -> Result<Option<String>, String> {
        let line = match self.engine.poll_line(timeout) {
            Ok(line) => line.text,
            Err(Silence::Timeout) => return Ok(None),
            Err(Silence::Closed) => return Err("the engine has ended".to_owned()),
        };
        if line.starts_with("bestmove") {
            self.answers += 1;
            BestMove::parse(&line)?;
            if self.answers > self.searches {
                return Err("a bestmove too many".to_owned());
            }
        }
        Info::parse(&line)?;
        Ok(Some(line))
    }

    fn await_answers(&mut self, stop: bool) -> Result<(), String> {
        let deadline = Instant::now() + HANG;
        let mut next_stop = Instant::now();
        while self.answers < self.searches {
            let now = Instant::now();
            if now >= deadline {
                let missing = self.searches - self.answers;
                return Err(format!("{missing} bestmove missing, stop sent: {stop}"));
            }
            if stop && now >= next_stop {
                self.engine.send("stop");
                next_stop = now + BETWEEN_STOPS;
            }
            self.read(BETWEEN_STOPS)?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), String> {
        self.engine.send("isready");
        let deadline = Instant::now() + HANG;
        while Instant::now() < deadline {
            if self.read(BETWEEN_STOPS)?.as_deref() == Some("readyok") {
                return Ok(());
            }
        }
        Err("no readyok".to_owned())
    }

    /// Waits for the end of the process; everything must have been answered.
    fn leave(&mut self) -> Result<(), String> {
        let Some(status) = self.engine.poll_exit(HANG) else {
            return Err("the process does not end".to_owned());
        };
        loop {
            match self.read(HANG) {
                Ok(Some(_)) => {}
                Ok(None) => return Err("the output stays open".to_owned()),
                Err(_) if self.answers <= self.searches => break,
                Err(what) => return Err(what),
            }
        }
        if !status.success() {
            return Err(format!("the process ended with {status}"));
        }
        if self.engine.error_output().contains("panicked") {
            return Err("the engine panicked".to_owned());
        }
        if self.answers != self.searches {
            return Err(format!(
                "{} bestmove for {} go",
                self.answers, self.searches
            ));
        }
        Ok(())
    }
}

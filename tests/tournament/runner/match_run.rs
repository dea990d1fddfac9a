//! A run of `vato match`, which cannot hang.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::contender::Contender;
use super::files::MatchFiles;
use super::record::{Game, Record};

/// No run may last longer, however slow the machine is.
const LIMIT: Duration = Duration::from_secs(120);

/// How often something that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// A command line of `vato match` or `vato fastchess`, the folder that it is run in, and what a shell says before.
#[derive(Clone, Debug)]
pub struct MatchRun(Vec<OsString>, PathBuf, String);

impl MatchRun {
    /// A new match between these engines, recorded in `files`.
    pub fn new<'a>(
        files: &MatchFiles,
        engines: impl IntoIterator<Item = &'a Contender>,
    ) -> MatchRun {
        let run = engines
            .into_iter()
            .fold(MatchRun::with(&[]), |run, engine| {
                run.arg("--engine").arg(engine.text())
            });
        run.arg("--out").arg(files.name())
    }

    /// The match that `config` describes, recorded in `files`.
    pub fn from_config(config: &Path, files: &MatchFiles) -> MatchRun {
        let run = MatchRun::with(&["--config"]).arg(config);
        run.arg("--out").arg(files.name())
    }

    /// A match that goes on.
    pub fn resume(state: &Path) -> MatchRun {
        MatchRun::with(&["--resume"]).arg(state)
    }

    /// Parts that are joined.
    pub fn merge() -> MatchRun {
        MatchRun::with(&["merge"])
    }

    /// The same between engines by the command line of fastchess.
    pub fn fastchess<'a>(engines: impl IntoIterator<Item = &'a Contender>) -> MatchRun {
        let run = MatchRun(
            vec!["fastchess".into()],
            std::env::temp_dir(),
            String::new(),
        );
        engines.into_iter().fold(run, |run, engine| {
            let words = engine.words();
            words.iter().fold(run.arg("-engine"), MatchRun::arg)
        })
    }

    /// These words behind `match`, in a folder for nothing.
    pub fn with(words: &[&str]) -> MatchRun {
        // Should an engine leave a core dump, then not here.
        let folder = std::env::temp_dir();
        let words = ["match"].iter().chain(words).map(OsString::from).collect();
        MatchRun(words, folder, String::new())
    }

    /// The same in this folder.
    pub fn within(mut self, folder: &Path) -> MatchRun {
        self.1 = folder.to_owned();
        self
    }

    /// The same under this limit of the system, in the words of the shell.
    pub fn under(mut self, limit: &str) -> MatchRun {
        self.2 = format!("{limit} && ");
        self
    }

    /// One more argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> MatchRun {
        self.0.push(argument.as_ref().to_owned());
        self
    }

    /// More arguments, separated by spaces.
    pub fn args(self, arguments: &str) -> MatchRun {
        arguments.split_whitespace().fold(self, MatchRun::arg)
    }

    /// Starts it.
    pub fn start(&self) -> Running {
        let MatchRun(_, _, before) = self;
        let vato = env!("CARGO_BIN_EXE_vato");
        let mut command = Command::new(if before.is_empty() { vato } else { "sh" });
        if !before.is_empty() {
            let script = format!("{before}exec \"$0\" \"$@\"");
            command.arg("-c").arg(script).arg(vato);
        }
        let mut child = command
            .args(&self.0)
            .current_dir(&self.1)
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("vato can be run");
        Running {
            stdout: Some(collect(child.stdout.take().expect("piped"))),
            stderr: Some(collect(child.stderr.take().expect("piped"))),
            child,
            started: Instant::now(),
        }
    }

    /// Runs it to its end.
    pub fn play(&self) -> Ended {
        self.start().finish()
    }

    /// Runs it to its end, which has to be an error with these words.
    pub fn fails(&self, words: &[&str]) -> Ended {
        let ended = self.play();
        ended.assert_code(1);
        ended.assert_error(words);
        ended
    }

    /// Runs it to its end, which has to be a good one.
    pub fn play_well(&self) -> Ended {
        let ended = self.play();
        ended.assert_code(0);
        ended
    }
}

fn collect(mut output: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // An error means an end as well.
        let _ = output.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A run under way; it is killed when it is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    started: Instant,
}

impl Running {
    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end.
    pub fn finish(mut self) -> Ended {
        while self.is_running() {
            thread::sleep(LOOK);
        }
        self.into_ended()
    }

    /// Whether it still runs, for whoever waits for its end.
    pub fn is_running(&mut self) -> bool {
        let status = self.child.try_wait().expect("our own child");
        let is_late = status.is_none() && self.started.elapsed() > LIMIT;
        assert!(!is_late, "a match that does not end");
        status.is_none()
    }

    /// Waits until `condition` holds.
    pub fn wait_until(&mut self, what: &str, mut condition: impl FnMut() -> bool) {
        while !condition() {
            assert!(self.is_running(), "the match ended before {what}");
            thread::sleep(LOOK);
        }
    }

    /// Kills it, as nothing can prevent.
    pub fn kill(mut self) -> Ended {
        self.child.kill().expect("our own child");
        self.into_ended()
    }

    /// Sends a signal, by its name without SIG.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.id().to_string()])
            .status();
        assert!(status.expect("kill can be run").success());
    }

    fn into_ended(mut self) -> Ended {
        let status = self.child.wait().expect("our own child");
        let text = |thread: &mut Option<JoinHandle<String>>| {
            let thread = thread.take().expect("taken once");
            thread.join().expect("reading does not panic")
        };
        Ended {
            status,
            time: self.started.elapsed(),
            stdout: text(&mut self.stdout),
            stderr: text(&mut self.stderr),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub time: Duration,
    pub stdout: String,
    pub stderr: String,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} after {:?}\nstandard output:\n{}standard error:\n{}",
            self.status, self.time, self.stdout, self.stderr
        )
    }
}

impl Ended {
    pub fn assert_code(&self, code: i32) {
        assert_eq!(self.status.code(), Some(code), "{self}");
    }

    /// Requires words on standard error.
    pub fn assert_error(&self, words: &[&str]) {
        self.assert_words(&self.stderr, words);
    }

    /// Requires words in the summary on standard output.
    pub fn assert_summary(&self, words: &[&str]) {
        self.assert_words(&self.stdout, words);
    }

    fn assert_words(&self, text: &str, words: &[&str]) {
        for word in words {
            assert!(text.contains(word), "no '{word}'\n{self}");
        }
    }

    /// Requires that the summary counts the games of the record, from `first`'s view.
    pub fn assert_score(&self, record: &Record, first: &str) {
        let count = |won: Option<bool>| {
            let is_it = |game: &&Game| game.winner.as_ref().map(|name| name == first) == won;
            record.games.iter().filter(is_it).count()
        };
        let [wins, draws, losses] = [Some(true), None, Some(false)].map(count);
        let score = self.stdout.lines().find(|line| line.starts_with("score"));
        let wanted = format!(": +{wins} ={draws} -{losses}");
        let right = score.is_some_and(|line| line.ends_with(&wanted));
        assert!(right, "score {score:?}, wanted {wanted}");
    }

    /// Standard output of a run with `--json`.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }
}

//! The built program's commands, run to their end.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The program that was built with the tests.
pub const VATO: &str = env!("CARGO_BIN_EXE_vato");

/// The program that is tested as an engine: `VATO_ENGINE`, or the one that was built with the tests.
/// `.ci/run` names a build without the feature `tools` in it.
pub fn engine() -> OsString {
    env::var_os("VATO_ENGINE").unwrap_or_else(|| VATO.into())
}

/// A data folder of the user in which there is nothing.
pub fn no_data() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-data")
}

/// The arguments of a command: a line of them, as a shell takes it, or a list.
pub trait Words {
    fn words(&self) -> Vec<String>;
}

impl Words for str {
    fn words(&self) -> Vec<String> {
        split(self)
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        split(self)
    }
}

impl<S: AsRef<str>> Words for [S] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<str>, const COUNT: usize> Words for [S; COUNT] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<S: AsRef<str>> Words for Vec<S> {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

/// Splits a line at its spaces; between quotes they are kept.
pub fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match character {
            '"' | '\'' if quote.is_none() => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            _ if quote == Some(character) => quote = None,
            ' ' if quote.is_none() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Whether the program that was built with the tests has the command of these words.
pub fn is_there(words: &str) -> bool {
    let is_of_lab =
        ["data", "selfplay", "train"].contains(&words.split(' ').next().unwrap_or_default());
    cfg!(feature = "lab") || !is_of_lab
}

/// The program with these arguments, in a UTF-8 locale, without tables of the user and with no log wanted. What every build can do
/// is done by [`engine`].
pub fn vato(arguments: &(impl Words + ?Sized)) -> Command {
    let arguments = arguments.words();
    // Moves in any notation, and games, are of the tools.
    let of_tools = |word: &String| ["--pgn", "--fens", "--csv", "--moves"].contains(&word.as_str());
    let mut command = match arguments.first().map(String::as_str) {
        None | Some("analyse" | "perft" | "bench") if !arguments.iter().any(of_tools) => {
            Command::new(engine())
        }
        _ => Command::new(VATO),
    };
    command
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env("XDG_DATA_HOME", no_data())
        .env_remove("RUST_LOG")
        .stdin(Stdio::null());
    command
}

/// What has come of a run.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Run {
        Run::from(command.output().expect("the program starts"))
    }

    /// Runs a command with this text at its standard input, for two minutes at most.
    pub fn with_input(command: &mut Command, input: &str) -> Run {
        let mut child = start(command.stdin(Stdio::piped()));
        let mut pipe = child.stdin.take().expect("a pipe");
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let deadline = Instant::now() + Duration::from_secs(120);
        thread::scope(|scope| {
            // The program may want to be read before it reads on, and one that has enough reads no more.
            scope.spawn(move || {
                let _ = pipe.write_all(input.as_bytes());
            });
            let out = scope.spawn(|| read_all(out));
            let err = scope.spawn(|| read_all(err));
            let status = loop {
                if let Some(status) = child.try_wait().expect("it can be asked") {
                    break status;
                }
                if Instant::now() > deadline {
                    let _ = child.kill();
                    panic!("no end with the input {}", &input[..input.len().min(2_000)]);
                }
                thread::sleep(Duration::from_millis(1));
            };
            let [stdout, stderr] = [out, err].map(|pipe| pipe.join().expect("it can be read"));
            Run::from(Output {
                status,
                stdout,
                stderr,
            })
        })
    }

    /// Waits for the end of a run.
    pub fn end_of(child: Child) -> Run {
        Run::from(child.wait_with_output().expect("it ends"))
    }

    /// Standard output of a run that has succeeded and has nothing to complain about.
    pub fn stdout(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        self.out
    }

    /// Standard error of a run that has ended with `code` and has put nothing out.
    pub fn stderr(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        self.err
    }

    /// Both of a run that has succeeded.
    pub fn success(self) -> Run {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let [out, err] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        Run {
            code: output.status.code(),
            out,
            err,
        }
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    pipe.expect("a pipe")
        .read_to_end(&mut bytes)
        .expect("it can be read");
    bytes
}

/// Starts a command whose output is read later.
pub fn start(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// What comes of the program with these arguments.
pub fn run(arguments: &(impl Words + ?Sized)) -> Run {
    Run::of(&mut vato(arguments))
}

/// Standard output of a run that succeeds and has nothing to complain about.
pub fn stdout(arguments: &(impl Words + ?Sized)) -> String {
    run(arguments).stdout()
}

/// Standard error of a run that ends with `code` and has put nothing out.
pub fn stderr(arguments: &(impl Words + ?Sized), code: i32) -> String {
    run(arguments).stderr(code)
}

/// A folder for a test, in which the program is run.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// The path of a file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The same as text.
    pub fn name(&self, name: &str) -> String {
        self.path(name)
            .into_os_string()
            .into_string()
            .expect("UTF-8")
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).expect("there is room");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The JSON objects in the lines of a file.
    pub fn objects(&self, name: &str) -> Vec<Value> {
        objects(&self.read(name))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("it is there");
    }

    /// The names of all that is in it, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    /// The program in this folder.
    pub fn vato(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = vato(arguments);
        command.current_dir(&self.0);
        command
    }

    pub fn run(&self, arguments: &(impl Words + ?Sized)) -> Run {
        Run::of(&mut self.vato(arguments))
    }

    /// Standard output of a run that succeeds and has nothing to complain about.
    pub fn stdout(&self, arguments: &(impl Words + ?Sized)) -> String {
        self.run(arguments).stdout()
    }

    /// Standard error of a run that ends with `code` and has put nothing out.
    pub fn stderr(&self, arguments: &(impl Words + ?Sized), code: i32) -> String {
        self.run(arguments).stderr(code)
    }

    /// Starts the program; what it puts out is read later.
    pub fn start(&self, arguments: &(impl Words + ?Sized)) -> Child {
        start(&mut self.vato(arguments))
    }

    /// Waits until a run has begun to write a file.
    pub fn wait_for(&self, running: &mut Child, name: &str) {
        let started = Instant::now();
        let is_written = || fs::metadata(self.path(name)).is_ok_and(|file| file.len() > 0);
        while !is_written() {
            assert!(started.elapsed() < Duration::from_secs(60), "no {name}");
            let ended = running.try_wait().expect("it can be asked").is_some();
            assert!(!ended || is_written(), "it has ended without {name}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The JSON object that a text is.
pub fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The JSON objects in the lines of a text.
pub fn objects(text: &str) -> Vec<Value> {
    text.lines().map(object).collect()
}

/// Sends Ctrl-C to a run.
#[cfg(unix)]
pub fn interrupt(running: &Child) {
    signal(running, "-INT");
}

/// Sends a signal to a run, such as `-TERM`.
#[cfg(unix)]
pub fn signal(running: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &running.id().to_string()])
        .status();
    assert!(sent.expect("there is kill").success());
}

//! Errors of commands, and their exit codes.

use std::env;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use vato_engine::tablebase::TablebaseError;
#[cfg(feature = "lab")]
use vato_lab::TrainingError;
#[cfg(feature = "tools")]
use vato_tools::{
    openings::GenerateError,
    tournament::{MatchError, settings::SettingsError},
};

/// The exit code of a match or other long work stopped before its end.
pub const STOPPED: u8 = 3;

pub const WRONG_USAGE: u8 = 2;

/// The error of a command; [`run`](crate::cli::run) turns it into an exit code.
#[derive(Debug)]
pub enum Failure {
    Error(String),
    /// Wrong arguments (exit code 2, as for those that do not parse); the message.
    Usage(String),
    /// Stopped before the end; the message for standard error, if any.
    Stopped(Option<String>),
    /// The reader of standard output has closed it; not an error.
    ClosedPipe,
}

pub fn print(text: impl Display) -> Result<(), Failure> {
    let mut out = stdout();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// What a command prints. Its errors say that they are about standard output, so that errors of files which
/// were given no context are not taken for them.
pub struct Stdout(io::Stdout);

pub fn stdout() -> Stdout {
    Stdout(io::stdout())
}

fn of_output(error: io::Error) -> io::Error {
    let message = format!("cannot write to standard output: {error}");
    io::Error::new(error.kind(), message)
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_output)
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        let any: &(dyn Error + 'static) = &error;
        let output = any.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = any.downcast_ref::<serde_json::Error>();
        match output.or(json.and_then(serde_json::Error::io_error_kind)) {
            Some(io::ErrorKind::BrokenPipe) => Failure::ClosedPipe,
            _ => kind_of(any)(error.to_string()),
        }
    }
}

/// What kind of failure an error is: settings are at fault that no file or machine could make good, or work was told to
/// stop, or something else.
fn kind_of(error: &(dyn Error + 'static)) -> fn(String) -> Failure {
    let mut is_stop = matches!(error.downcast_ref(), Some(TablebaseError::Stopped));
    #[cfg(feature = "lab")]
    if let Some(TrainingError::Setting(_)) = error.downcast_ref() {
        return Failure::Usage;
    }
    #[cfg(feature = "tools")]
    if error.is::<SettingsError>()
        || matches!(error.downcast_ref(), Some(MatchError::Settings(_)))
        || matches!(error.downcast_ref(), Some(GenerateError::Setting(_)))
    {
        return Failure::Usage;
    } else if let Some(MatchError::Stopped) = error.downcast_ref() {
        is_stop = true;
    }
    match is_stop {
        true => |message| Failure::Stopped(Some(message)),
        false => Failure::Error,
    }
}

impl Failure {
    pub fn new(message: impl Display) -> Failure {
        Failure::Error(message.to_string())
    }

    /// What is told of a failure behind which a result was printed: that the result could not be, unless its reader
    /// has gone, which hides nothing.
    pub fn after(printed: Result<(), Failure>, failure: Failure) -> Failure {
        match printed {
            Ok(()) | Err(Failure::ClosedPipe) => failure,
            Err(unprinted) => unprinted,
        }
    }

    /// Stopped before the end of work that the same command completes; with `--restart` it would begin anew.
    pub fn to_go_on(restarted: bool) -> Failure {
        let without = if restarted { " without --restart" } else { "" };
        let message = format!("stopped; to continue, run the same command again{without}");
        Failure::Stopped(Some(message))
    }

    pub fn cannot_read(name: impl Display) -> impl Fn(io::Error) -> Failure {
        move |error| Failure::Error(format!("cannot read {name}: {error}"))
    }

    pub fn cannot_write(path: &Path) -> impl Fn(io::Error) -> Failure {
        move |error| Failure::Error(format!("cannot write {}: {error}", path.display()))
    }
}

pub trait Context<T> {
    /// Turns the error into `WHAT: ERROR`.
    fn context(self, what: impl Display) -> Result<T, Failure>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::Error(format!("{what}: {error}")))
    }
}

pub fn this_program() -> Result<PathBuf, Failure> {
    env::current_exe().context("cannot find this program's own file")
}

//! The built program's commands, run to their end.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The program that is tested as an engine: `VATO_ENGINE`, or the one that was built with the tests.
/// `.ci/run` names a build without the feature `tools` in it.
pub fn engine() -> OsString {
    env::var_os("VATO_ENGINE").unwrap_or_else(|| env!("CARGO_BIN_EXE_vato").into())
}

/// A data folder of the user in which there is nothing.
pub fn no_data() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-data")
}

/// The program with these arguments, in a UTF-8 locale, without tables of the user and with no log wanted. What every build can do
/// is done by [`engine`].
pub fn vato(arguments: &[&str]) -> Command {
    let mut command = match arguments.first() {
        None | Some(&("analyse" | "perft" | "bench"))
            if !["--pgn", "--fens", "--csv"]
                .iter()
                .any(|tool| arguments.contains(tool)) =>
        {
            Command::new(engine())
        }
        _ => Command::new(env!("CARGO_BIN_EXE_vato")),
    };
    command
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env("XDG_DATA_HOME", no_data())
        .env_remove("RUST_LOG")
        .stdin(Stdio::null());
    command
}

/// What comes of it.
pub fn run(arguments: &[&str]) -> Output {
    vato(arguments).output().expect("the program starts")
}

/// Standard output of a run that succeeds and has nothing to complain about.
pub fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Standard error of a run that ends with `code` and has put nothing out.
pub fn stderr(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
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

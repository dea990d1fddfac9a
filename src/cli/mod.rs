//! The command line: a file or folder for each subcommand, and code shared by them.
//!
//! Arguments in, calls to the library, text out. Standard output carries results only; errors and the log
//! go to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped before the end.

mod analyse;
mod bench;
#[cfg(feature = "lab")]
mod data;
#[cfg(feature = "tools")]
mod diagram;
#[cfg(feature = "tools")]
mod fastchess;
#[cfg(feature = "tools")]
mod games;
#[cfg(feature = "gui")]
mod gui;
mod habits;
#[cfg(feature = "tools")]
mod r#match;
#[cfg(feature = "tools")]
mod openings;
mod perft;
#[cfg(feature = "tools")]
mod pgn;
#[cfg(feature = "tools")]
mod play;
#[cfg(feature = "tools")]
mod proofs;
#[cfg(feature = "lab")]
mod selfplay;
#[cfg(feature = "tools")]
mod solve;
#[cfg(feature = "tools")]
mod suite;
#[cfg_attr(not(feature = "tools"), allow(unused, reason = "shared by tools"))]
mod support;
#[cfg(feature = "tools")]
mod tablebase;
#[cfg(feature = "tools")]
mod tools;
#[cfg(feature = "lab")]
mod train;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{self, ExitCode};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use once_cell::sync::Lazy;
use vato_engine::network::Network;
use vato_engine::protocol;
use vato_engine::rules::{Preset, Rules};

use self::habits::{with_hint, with_option};
use self::support::failure::{Failure, STOPPED, WRONG_USAGE};

/// A Fanorona engine: every rule set, every board.
///
/// Without a command it speaks UGI and UCI on standard input and output, the way tournament
/// managers and graphical interfaces drive it. The commands below serve people and scripts.
#[derive(Debug, Parser)]
#[command(name = "vato", version = VERSION.as_str(), max_term_width = 100, after_long_help = after_help())]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The version of the program and of its built-in network.
static VERSION: Lazy<String> = Lazy::new(|| {
    let network = Network::standard();
    format!("{} (net {})", env!("CARGO_PKG_VERSION"), network.name())
});

#[derive(Debug, Subcommand)]
enum Command {
    #[command(alias = "analyze")]
    Analyse(Box<analyse::Arguments>),
    Perft(perft::Arguments),
    Bench(bench::Arguments),
    #[cfg(feature = "tools")]
    #[command(flatten)]
    Tool(tools::Command),
}

pub fn run() -> ExitCode {
    let command_line = command_line();
    start_log();
    // A file that may not grow is an error where it is written, not the end.
    #[cfg(all(unix, feature = "tools"))]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let ended = match &command_line.command {
        None => {
            // A program that drives this one through a pipe gets no greeting.
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                tell(
                    "Vato speaks UGI and UCI here: 'help' lists the commands, 'quit' ends. \
                     A game: vato play. Everything else: vato --help",
                );
            }
            let ended = protocol::run(io::stdin(), io::stdout());
            ended.map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
                _ => Failure::Error(format!("the session failed: {error}")),
            })
        }
        Some(Command::Analyse(arguments)) => analyse::run(arguments),
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        #[cfg(feature = "tools")]
        Some(Command::Tool(command)) => command.run(),
    };
    let (message, code) = match ended {
        Ok(()) | Err(Failure::ClosedPipe) => (None, 0),
        Err(Failure::Stopped(message)) => (message, STOPPED),
        Err(Failure::Error(message)) => (Some(format!("error: {message}")), 1),
        Err(Failure::Usage(message)) => (Some(format!("error: {message}")), WRONG_USAGE),
    };
    if let Some(message) = message {
        tell(message);
    }
    code.into()
}

/// Writes a line to standard error. Errors are ignored: with standard error closed there is no other place
/// for them. Messages may quote files: what would control the terminal is escaped.
fn tell(text: impl Display) {
    let lines: Vec<String> = text.to_string().split('\n').map(visible).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

fn visible(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(shown).collect()
}

fn command() -> clap::Command {
    with_short_help(with_negative_numbers(CommandLine::command()))
}

/// The options listed by `-h` for commands with many options; `--help` lists all.
const SHORT_HELP: [(&str, &str); 3] = [
    (
        "analyse",
        "fen rules moves depth movetime multipv threads json pgn pgn_out html fens out",
    ),
    (
        "match",
        "engine each games openings rules format concurrency sprt out html resume config",
    ),
    (
        "train",
        "data out epochs batch threads config untrained hidden",
    ),
];

/// Hides all other options of these commands from `-h`.
fn with_short_help(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        let name = command.get_name();
        let Some((_, shown)) = SHORT_HELP.iter().find(|(known, _)| *known == name) else {
            return command;
        };
        let command = command.mut_args(|argument| {
            let id = argument.get_id().as_str();
            let is_shown = shown.split(' ').any(|name| name == id);
            argument.hide_short_help(!is_shown)
        });
        let command = command.before_help("The options that matter most; --help shows all.");
        command.before_long_help("")
    })
}

/// Parses the process arguments; ends the process on errors and on requests for help.
fn command_line() -> CommandLine {
    let mut command = command();
    let words = words(env::args_os().collect());
    let parsed = command.try_get_matches_from_mut(&words);
    let parsed = parsed.or_else(|error| match with_option(&command, &error, &words) {
        Some(words) => command.try_get_matches_from_mut(words),
        None => Err(with_hint(&command, error, &words)),
    });
    let matches = parsed.unwrap_or_else(|error| end_with(&error));
    CommandLine::from_arg_matches(&matches)
        .unwrap_or_else(|error| end_with(&error.format(&mut command)))
}

/// The words of the command line, with `fastchess` as the command where the program has the name of a match runner.
fn words(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|path| Path::new(path).file_stem());
    let name = name.and_then(OsStr::to_str).unwrap_or_default();
    let own: &[&str] = match name {
        "cutechess-cli" => &["fastchess", "-output", "format=cutechess"],
        name if name.starts_with("fastchess") => &["fastchess"],
        _ => return words,
    };
    // What usage shows before the command.
    words[0] = "vato".into();
    let (taken, own) = match words.get(1).and_then(|word| word.to_str()) {
        Some("-version" | "--version" | "-v") => (1, &["--version"][..]),
        Some("-help" | "--help" | "-h") => (1, &["fastchess", "--help"][..]),
        _ => (0, own),
    };
    words
        .splice(1..1 + taken, own.iter().map(OsString::from))
        .for_each(drop);
    words
}

/// Shows an error of the command line, or the help or version that was asked for, and ends the process.
fn end_with(error: &clap::Error) -> ! {
    let shown = error.print().and_then(|()| io::stdout().flush());
    match shown {
        Err(failed) if !error.use_stderr() && failed.kind() != io::ErrorKind::BrokenPipe => {
            tell(format_args!(
                "error: cannot write to standard output: {failed}"
            ));
            process::exit(1)
        }
        _ => process::exit(error.exit_code()),
    }
}

/// Makes negative numbers values, not options, in this command and its subcommands, so that errors name the
/// value.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            // A flag that a file may set too takes none.
            let takes_values = takes_values && argument.get_num_args() != Some(0.into());
            argument.allow_negative_numbers(takes_values)
        })
        .mut_subcommands(with_negative_numbers)
}

/// Logs to standard error by the filter in `RUST_LOG`; by default warnings, formatted like the errors.
fn start_log() {
    let environment = env_logger::Env::default().default_filter_or("warn");
    let mut log = env_logger::Builder::from_env(environment);
    if env::var_os("RUST_LOG").is_none() {
        log.format(|out, record| {
            let level = match record.level() {
                log::Level::Error => "error",
                log::Level::Warn => "warning",
                log::Level::Info | log::Level::Debug | log::Level::Trace => "note",
            };
            writeln!(out, "{level}: {}", record.args())
        });
    }
    // Fails only if a logger is installed already; that one is kept.
    let _ = log.try_init();
}

const EXAMPLES_OF_TOOLS: &str = "  vato analyse --pgn games.pgn
  vato play
  vato gui games.pgn
  vato match
";

fn after_help() -> String {
    let of_tools = if cfg!(feature = "tools") {
        EXAMPLES_OF_TOOLS
    } else {
        ""
    };
    let mut text = format!(
        "Examples:
  vato analyse --depth 12
  vato analyse --moves \"f2-e3A d5-d4A\" --multipv 3
{of_tools}  vato perft 5 --divide
  vato bench
  printf 'uci\\nposition startpos\\ngo depth 10\\nwait\\nquit\\n' | vato

RULES, for any option, is the name of a preset or a string of key=value pairs, such \
         as \"board=5x5 chain=full\". Keys left out are as in tsivy. The presets:
",
    );
    for preset in Preset::ALL {
        let meaning = match preset.rules() {
            Some(Rules::STANDARD) => "(the standard game)".to_owned(),
            Some(rules) => rules.to_string(),
            None => continue,
        };
        text.push_str(&format!("  {:<13} {meaning}\n", preset.name()));
    }
    text.push_str(
        "
Environment:
  RUST_LOG      what is logged to standard error: error, warn (default), info, debug, trace

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped before the end (commands that \
         cannot be stopped early, such as a single search, are ended by the signal)",
    );
    text
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    /// Every command without subcommands, with the words that lead to it.
    fn commands() -> Vec<(Vec<String>, clap::Command)> {
        type Commands = Vec<(Vec<String>, clap::Command)>;
        fn add(words: &[String], command: &clap::Command, all: &mut Commands) {
            let words = [words, &[command.get_name().to_owned()]].concat();
            for below in command.get_subcommands() {
                add(&words, below, all);
            }
            all.push((words, command.clone()));
        }
        let (mut all, mut command) = (Vec::new(), command());
        command.build();
        add(&[], &command, &mut all);
        all.retain(|(words, _)| !words.contains(&"help".to_owned()));
        all
    }

    /// What is wrong with this value of an argument; `None` if nothing is.
    fn complaint(words: &[String], argument: &clap::Arg, value: &str) -> Option<String> {
        let option = argument.get_long().map(|name| format!("--{name}={value}"));
        let more = option.unwrap_or_else(|| value.to_owned());
        let parsed = command().try_get_matches_from(words.iter().cloned().chain([more]));
        let wrong = [ErrorKind::ValueValidation, ErrorKind::InvalidValue];
        let error = parsed.err().filter(|error| wrong.contains(&error.kind()))?;
        Some(error.to_string())
    }

    /// All arguments that take numbers, times or sizes take the same forms, and their errors say what is expected.
    #[test]
    fn values_of_a_kind_have_the_same_forms() {
        let mut kinds = [0; 3];
        for (words, command) in commands() {
            for argument in command.get_arguments() {
                let takes = |value: &str| complaint(&words, argument, value).is_none();
                let shown = format!("{} {argument}", words.join(" "));
                let is_first = argument.get_index().is_none_or(|index| index == 1);
                if !is_first || !argument.get_action().takes_values() || takes("x") {
                    continue;
                }
                let said = complaint(&words, argument, "x").unwrap_or_default();
                let name = argument.to_string();
                let is_named = said.contains("'x'") && said.contains(name.trim_end_matches("..."));
                assert!(is_named, "{shown}: {said}");
                let is_quantity = ["1", "2", "5", "50"].into_iter().any(takes);
                let says_what = said.contains("expected") || said.contains("neither");
                assert!(!is_quantity || says_what, "{shown}: {said}");
                let alike = |value: &str, form: &str| {
                    assert_eq!(takes(value), takes(form), "{shown}: '{value}' and '{form}'");
                };
                // A number is one by its forms, whatever its range.
                if is_quantity && !takes("5-7") && !takes("5..7") && !takes("0.5") && !takes("50%")
                {
                    kinds[0] += 1;
                    for forms in
                        "5 0.005k|1000 1_000|1000 1k|1000000 1,000,000|2000000000 2G".split('|')
                    {
                        let (value, form) = forms.split_once(' ').expect("two");
                        // Of times and sizes k, M and G are others.
                        if !takes("5s") && !takes("5MB") || !form.ends_with(['k', 'G']) {
                            alike(value, form);
                        }
                    }
                }
                if takes("5s") {
                    kinds[1] += 1;
                    for form in ["5000ms", "5 s", "0.1min", "0.1m", "1h", "5_000ms"] {
                        alike("5s", form);
                    }
                    assert!(!["0", "-1", "5x", "1e9h"].into_iter().any(takes), "{shown}");
                }
                if takes("64MB") {
                    kinds[2] += 1;
                    for form in ["64M", "64MiB", "64 mb", "65_536KB", "0.0625G"] {
                        alike("64MB", form);
                    }
                    assert!(!takes("64X") && !takes("-1"), "{shown}");
                }
            }
        }
        assert!(kinds[0] > 40 && kinds[1] > 4 && kinds[2] > 5, "{kinds:?}");
    }

    /// Times and sizes are known by the names of their values.
    #[test]
    fn names_of_values_say_their_kind() {
        for (words, command) in commands() {
            for argument in command.get_arguments() {
                let names = argument.get_value_names().unwrap_or_default();
                let [time, size] = [("MS", "2s"), ("MB", "64MB")];
                for (name, value) in [
                    time,
                    size,
                    ("T", "0.002k"),
                    ("D", "0.002k"),
                    ("FEN", "startpos"),
                ] {
                    if names.iter().any(|known| known == name) {
                        let said = complaint(&words, argument, value);
                        assert_eq!(said, None, "{} {argument}", words.join(" "));
                    }
                }
            }
        }
    }
}

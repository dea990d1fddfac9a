//! The command line: a file or folder for each subcommand, and code shared by them.
//!
//! Arguments in, calls to the library, text out. Standard output carries results only; errors and the log
//! go to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped before the end.

mod analyse;
mod arguments;
mod bench;
#[cfg(feature = "tools")]
mod book;
#[cfg(feature = "tools")]
mod chart;
#[cfg(feature = "tools")]
mod csv;
#[cfg(feature = "tools")]
mod data;
#[cfg(feature = "tools")]
mod diagram;
mod failure;
#[cfg(feature = "tools")]
mod games;
#[cfg(feature = "gui")]
mod gui;
#[cfg(feature = "tools")]
mod in_order;
#[cfg(feature = "tools")]
#[cfg(feature = "tools")]
mod openings;
mod perft;
#[cfg(feature = "tools")]
mod pgn;
#[cfg(feature = "tools")]
mod play;
#[cfg(feature = "tools")]
mod progress;
mod resources;
#[cfg(feature = "tools")]
mod self_play;
#[cfg(feature = "tools")]
mod signals;
mod solve;
#[cfg(feature = "tools")]
mod stats;
#[cfg(feature = "tools")]
mod suite;
#[cfg(feature = "tools")]
mod tablebase;
mod text;
#[cfg(feature = "tools")]
mod tools;
#[cfg(feature = "tools")]
mod tournament;
#[cfg(feature = "tools")]
mod train;
#[cfg(feature = "tools")]
mod tune;

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use once_cell::sync::Lazy;
use vato::network::Network;
use vato::rules::Preset;

use self::failure::{Failure, STOPPED, WRONG_USAGE};

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
    Analyse(Box<analyse::Arguments>),
    Perft(perft::Arguments),
    Bench(bench::Arguments),
    Solve(Box<solve::Arguments>),
    #[cfg(feature = "tools")]
    #[command(flatten)]
    Tool(tools::Command),
}

/// Runs the command given by the process arguments.
pub fn run() -> ExitCode {
    let command_line = command_line();
    start_log();
    let ended = match &command_line.command {
        None => {
            // A program that drives this one through a pipe gets no greeting.
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                tell(GREETING);
            }
            vato::protocol::run(io::stdin(), io::stdout()).map_err(Failure::of_session)
        }
        Some(Command::Analyse(arguments)) => analyse::run(arguments),
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Solve(arguments)) => solve::run(arguments),
        #[cfg(feature = "tools")]
        Some(Command::Tool(command)) => command.run(),
    };
    match ended {
        Ok(()) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Stopped(message)) => {
            if let Some(message) = message {
                tell(message);
            }
            ExitCode::from(STOPPED)
        }
        Err(Failure::Error(message)) => {
            tell(format_args!("error: {message}"));
            ExitCode::FAILURE
        }
        Err(Failure::Usage(message)) => {
            tell(format_args!("error: {message}"));
            ExitCode::from(WRONG_USAGE)
        }
    }
}

/// Printed when a person starts the program without a command.
const GREETING: &str = "Vato speaks UGI and UCI here: 'help' lists the commands, 'quit' ends. A game: vato play. \
                        Everything else: vato --help";

/// Writes a line to standard error. Errors are ignored: with standard error closed there is no other place
/// for them. Messages may quote files: what would control the terminal is escaped.
fn tell(text: impl Display) {
    let mut shown = String::new();
    for character in text.to_string().chars() {
        match character.is_control() && character != '\n' {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    let _ = writeln!(io::stderr(), "{shown}");
}

/// The whole command line.
fn command() -> clap::Command {
    with_short_help(with_negative_numbers(CommandLine::command()))
}

/// The options listed by `-h` for commands with many options; `--help` lists all.
const SHORT_HELP: [(&str, &[&str]); 3] = [
    (
        "analyse",
        &[
            "fen", "rules", "moves", "depth", "movetime", "multipv", "threads", "json", "pgn",
            "pgn_out", "html", "fens", "out",
        ],
    ),
    (
        "match",
        &[
            "engine",
            "each",
            "games",
            "openings",
            "rules",
            "format",
            "concurrency",
            "sprt",
            "out",
            "html",
            "resume",
            "config",
        ],
    ),
    (
        "train",
        &[
            "data",
            "out",
            "epochs",
            "batch",
            "threads",
            "config",
            "untrained",
            "hidden",
        ],
    ),
];

/// Hides all other options of these commands from `-h`.
fn with_short_help(command: clap::Command) -> clap::Command {
    SHORT_HELP.iter().fold(command, |command, (name, shown)| {
        if command.find_subcommand(name).is_none() {
            return command;
        }
        command.mut_subcommand(name, |command| {
            command
                .mut_args(|argument| {
                    let is_shown = shown.contains(&argument.get_id().as_str());
                    argument.hide_short_help(!is_shown)
                })
                .before_help("The options that matter most; --help shows all.")
                .before_long_help("")
        })
    })
}

/// Parses the process arguments; ends the process on errors and on requests for help.
fn command_line() -> CommandLine {
    let mut command = command();
    let matches = command.get_matches_mut();
    CommandLine::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.format(&mut command).exit())
}

/// Makes negative numbers values, not options, in this command and its subcommands, so that errors name the
/// value.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
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

#[cfg(feature = "tools")]
const EXAMPLES_OF_TOOLS: &str = "  vato analyse --pgn games.pgn
  vato play
  vato gui games.pgn
  vato match
  vato games stats games.pgn
  vato openings --plies 8 --count 200 --out my-openings.fen
  vato book build --out my.book
  vato stats --games 20
  vato suite winning --nodes 10000
  vato selfplay --games 1000 --out games.data
  vato data info games.data
  vato train --data games.data --out my.net
  vato tablebase build --stones 5
  vato tune --iterations 2000 --out my-numbers
";
#[cfg(not(feature = "tools"))]
const EXAMPLES_OF_TOOLS: &str = "";

fn after_help() -> String {
    let mut text = format!(
        "Examples:
  vato analyse --depth 12
  vato analyse --moves \"f2-e3A d5-d4A\" --multipv 3
{EXAMPLES_OF_TOOLS}  vato perft 5 --divide
  vato bench
  printf 'uci\\nposition startpos\\ngo depth 10\\nwait\\nquit\\n' | vato

RULES, wherever an option wants them, is the name of a preset or a string of key=value pairs, such \
         as \"board=5x5 chain=full\". What a string leaves out is as in tsivy. The presets:
",
    );
    for preset in Preset::ALL {
        if let Some(rules) = preset.rules() {
            let string = rules.to_string();
            let meaning = if string.is_empty() {
                "(the standard game)"
            } else {
                &string
            };
            text.push_str(&format!("  {:<13} {meaning}\n", preset.name()));
        }
    }
    text.push_str(
        "
Environment:
  RUST_LOG      what is logged to standard error: error, warn (default), info, debug, trace

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped before the end",
    );
    text
}

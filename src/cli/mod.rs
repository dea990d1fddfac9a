//! The command line: one file for each subcommand, and what they share.
//!
//! Thin on purpose: arguments in, calls to the library, text out. Standard output carries results
//! only; errors and the log go to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped
//! before the end.

mod analyse;
mod bench;
mod book;
mod charset;
mod data;
mod evaluation;
mod failure;
mod game_records;
mod match_games;
mod openings;
mod perft;
mod pgn;
mod play;
mod position;
mod progress;
mod resources;
mod score;
mod self_play;
mod signals;
mod signed;
mod stats;
mod tablebase;
mod train;
mod tune;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use once_cell::sync::Lazy;
use vato::network::Network;
use vato::rules::Preset;

use self::failure::Failure;

/// The exit code of a match, or other long work, that was stopped before its end.
const STOPPED: u8 = 3;

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

/// The version of the program, and which network is in it.
static VERSION: Lazy<String> = Lazy::new(|| {
    let network = Network::standard();
    format!("{} (net {})", env!("CARGO_PKG_VERSION"), network.name())
});

#[derive(Debug, Subcommand)]
enum Command {
    Analyse(Box<analyse::Arguments>),
    Perft(perft::Arguments),
    Bench(bench::Arguments),
    Match(Box<match_games::Arguments>),
    Play(Box<play::Arguments>),
    Openings(openings::Arguments),
    Book(book::Arguments),
    Pgn(pgn::Arguments),
    Stats(stats::Arguments),
    #[command(name = "selfplay")]
    SelfPlay(self_play::Arguments),
    Data(data::Arguments),
    Tablebase(tablebase::Arguments),
    Train(Box<train::Arguments>),
    Tune(Box<tune::Arguments>),
}

/// Runs what the process was asked to do.
pub fn run() -> ExitCode {
    let command_line = command_line();
    start_log();
    let outcome = match &command_line.command {
        None => vato::protocol::run(io::stdin(), io::stdout()).map_err(Failure::Session),
        Some(Command::Analyse(arguments)) => match analyse::run(arguments) {
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Match(arguments)) => match match_games::run(arguments) {
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
        Some(Command::Play(arguments)) => play::run(arguments),
        Some(Command::Openings(arguments)) => openings::run(arguments),
        Some(Command::Book(arguments)) => match book::run(arguments) {
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
        Some(Command::Pgn(arguments)) => pgn::run(arguments),
        Some(Command::Stats(arguments)) => stats::run(arguments),
        Some(Command::SelfPlay(arguments)) => self_play::run(arguments),
        Some(Command::Data(arguments)) => data::run(arguments),
        Some(Command::Tablebase(arguments)) => tablebase::run(arguments),
        Some(Command::Train(arguments)) => train::run(arguments),
        Some(Command::Tune(arguments)) => match tune::run(arguments) {
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // With standard error closed too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of the process. Ends it if they cannot be, or ask for help.
fn command_line() -> CommandLine {
    let mut command = with_negative_numbers(CommandLine::command());
    let matches = command.get_matches_mut();
    CommandLine::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.format(&mut command).exit())
}

/// A number below zero is a value like any other, for this command and those below it: whoever reads the
/// value says what is wrong with it, and nobody takes it for an option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let takes_values = argument.get_action().takes_values();
            argument.allow_negative_numbers(takes_values)
        })
        .mut_subcommands(with_negative_numbers)
}

/// The log goes to standard error; `RUST_LOG` chooses what is told. Unless it is set, warnings are told
/// in the form of the errors.
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
    // Fails only if a log was started before; then that one serves.
    let _ = log.try_init();
}

fn after_help() -> String {
    let mut text = String::from(
        "Examples:
  vato analyse --depth 12
  vato analyse --moves \"f2-e3A d5-d4A\" --multipv 3
  vato analyse --pgn games.pgn
  vato perft 5 --divide
  vato bench
  vato play
  vato match
  vato openings --plies 8 --count 200 --out my-openings.fen
  vato book build --out my.book
  vato stats --games 20
  vato selfplay --games 1000 --out games.data
  vato data info games.data
  vato train --data games.data --out my.net
  vato tablebase build --stones 5
  vato tune --iterations 2000 --out my-numbers
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

//! Subcommands that are not part of the engine: matches, tools, data and training.

use std::io::Write;

use clap::Subcommand;
use clap_complete::Shell;

#[cfg(feature = "gui")]
use super::gui;
use super::support::failure::{Failure, stdout};
#[cfg(feature = "lab")]
use super::{data, selfplay, train};
use super::{diagram, fastchess, games, r#match, openings, play, solve, suite, tablebase};

#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(Box<solve::Arguments>),
    Match(Box<r#match::Arguments>),
    #[command(name = "fastchess")]
    FastChess(fastchess::Arguments),
    Play(Box<play::Arguments>),
    #[cfg(feature = "gui")]
    Gui(Box<gui::Arguments>),
    Openings(openings::Arguments),
    // `vato pgn check` is the older name of `vato games check`.
    #[command(subcommand, alias = "pgn")]
    Games(Box<games::GamesCommand>),
    Diagram(Box<diagram::Arguments>),
    Suite(Box<suite::Arguments>),
    #[cfg(feature = "lab")]
    #[command(name = "selfplay")]
    SelfPlay(selfplay::Arguments),
    #[cfg(feature = "lab")]
    #[command(subcommand)]
    Data(data::Command),
    #[command(subcommand)]
    Tablebase(tablebase::Command),
    #[cfg(feature = "lab")]
    Train(Box<train::Arguments>),
    /// Print shell completions
    ///
    /// bash: `vato completions bash > ~/.local/share/bash-completion/completions/vato`; fish:
    /// `vato completions fish > ~/.config/fish/completions/vato.fish`; zsh: a file `_vato` in a folder of
    /// `fpath`.
    Completions {
        /// The shell
        shell: Shell,
    },
}

impl Command {
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Solve(arguments) => solve::run(arguments),
            Command::Match(arguments) => r#match::run(arguments),
            Command::FastChess(arguments) => fastchess::run(arguments),
            Command::Play(arguments) => play::run(arguments),
            #[cfg(feature = "gui")]
            Command::Gui(arguments) => gui::run(arguments),
            Command::Openings(arguments) => openings::run(arguments),
            Command::Games(command) => games::run(command),
            Command::Diagram(arguments) => diagram::run(arguments),
            Command::Suite(arguments) => suite::run(arguments),
            #[cfg(feature = "lab")]
            Command::SelfPlay(arguments) => selfplay::run(arguments),
            #[cfg(feature = "lab")]
            Command::Data(command) => data::run(command),
            Command::Tablebase(command) => tablebase::run(command),
            #[cfg(feature = "lab")]
            Command::Train(arguments) => train::run(arguments),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut super::command(), "vato", &mut script);
                Ok(stdout().write_all(&script)?)
            }
        }
    }
}

//! Subcommands that are not part of the engine: matches, tools, data and training.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use clap_complete::Shell;
use vato_solver::files::{replace, replaceable};

#[cfg(feature = "gui")]
use super::gui;
use super::support::failure::{Failure, stdout};
use super::{
    data, diagram, fastchess, games, r#match, openings, play, selfplay, solve, suite, tablebase,
    train,
};

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
    #[command(name = "selfplay")]
    SelfPlay(selfplay::Arguments),
    #[command(subcommand)]
    Data(data::Command),
    #[command(subcommand)]
    Tablebase(tablebase::Command),
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
    /// Write the manual pages, one for each command
    Man {
        /// Output folder, such as ~/.local/share/man/man1
        #[arg(value_name = "DIR")]
        folder: PathBuf,
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
            Command::SelfPlay(arguments) => selfplay::run(arguments),
            Command::Data(command) => data::run(command),
            Command::Tablebase(command) => tablebase::run(command),
            Command::Train(arguments) => train::run(arguments),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut super::command(), "vato", &mut script);
                Ok(stdout().write_all(&script)?)
            }
            Command::Man { folder } => {
                fs::create_dir_all(folder).map_err(Failure::cannot_write(folder))?;
                let mut command = super::command().disable_help_subcommand(true);
                command.build();
                write_pages(&command, folder)
            }
        }
    }
}

fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        write_pages(below, folder)?;
    }
    let page = clap_mangen::Man::new(command.clone());
    let path = folder.join(page.get_filename());
    let written =
        replaceable(&path, b".ie \\n(.g").and_then(|()| replace(&path, |file| page.render(file)));
    written.map_err(Failure::cannot_write(&path))
}

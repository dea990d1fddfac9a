//! Tools around the Fanorona engine: matches, openings, collections of games, the board in the browser.
//!
//! From the ground up: each uses only those that come before it, the engine and the solver.
//!
//! - [`answers`]: what engines answer.
//! - [`game_formats`]: games in the formats of other programs.
//! - [`picture`]: a position as a picture.
//! - [`openings`]: openings that games of a match begin with: built in, from files, generated.
//! - [`review`]: what the moves of a game were worth: losses, marks, accuracy.
//! - [`tournament`]: engine against engine: processes, clocks, games, records, statistics.
//! - [`pages`]: pages for browsers: reports of games and matches, the analysis board.
//! - [`games`]: collections of games: conditions, an index of positions, trees of moves.
//! - [`play`]: the searches of a game against the engine, and of its analysis: levels, engines on a thread of their own.
//! - [`service`]: what a page of the analysis board asks for: positions, games, lessons, what is to be searched.
//! - [`gui`]: the analysis board in the browser: the server.
//!
//! Small things that any of them may use: [`clock`], [`stop`].
//!
//! The program's command line (`src/cli`) uses this crate from outside, like any other program. Nothing here reads
//! standard input or prints.

#![cfg_attr(
    not(test),
    deny(clippy::exit, clippy::print_stderr, clippy::print_stdout)
)]

pub mod answers;
pub mod clock;
pub mod game_formats;
pub mod games;
#[cfg(feature = "gui")]
pub mod gui;
pub mod openings;
pub mod pages;
pub mod picture;
pub mod play;
pub mod review;
#[cfg(feature = "board")]
pub mod service;
pub mod stop;
pub mod tournament;

//! The analysis board and the reports, in Chromium.
//!
//! Needs the program: the one that `cargo test` has built, or the one named in `VATO_PROGRAM`. With `VATO_SITE`, the folder of
//! the site, the board there is tested.

mod browser;
mod files;
mod games;
mod hunt;
mod keyboard;
mod lessons;
mod looks;
mod opening;
mod playing;
mod puzzles;
mod reports;
mod rulebook;
mod sharing;
mod site;
mod speed;
mod state;
mod trust;
mod turns;
mod vato;
mod web;
mod windows;

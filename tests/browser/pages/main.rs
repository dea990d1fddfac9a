//! The analysis board and the reports, in Chromium.
//!
//! Needs the program: the one that `cargo test` has built, or the one named in `VATO_PROGRAM`.

mod browser;
mod files;
mod games;
mod hunt;
mod keyboard;
mod lessons;
mod looks;
mod playing;
mod reports;
mod rulebook;
mod sharing;
mod speed;
mod trust;
mod vato;

//! The slow tests: `cargo test` leaves them out, `cargo test --test slow` runs them, as `.ci/run` does.

#[path = "../support/mod.rs"]
mod support;

mod documents;
mod fuzz;
mod proof;
mod suites;

//! `vato play`, seen from outside: over a pipe, and on a pseudo-terminal.

mod lines;
#[cfg(unix)]
mod on_terminal;

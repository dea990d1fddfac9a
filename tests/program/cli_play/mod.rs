//! `vato play`, seen from outside: on a pseudo-terminal, and over a pipe.

#[cfg(unix)]
mod on_terminal;
mod plain;
#[cfg(unix)]
mod screen;

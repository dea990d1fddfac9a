//! The analysis board: a page in the browser, and the server on this machine that it asks.
//!
//! The page ([`pages::analysis_board`](crate::pages::analysis_board)) knows no rules. It keeps the game that a
//! person looks at, and asks for the rest: which steps are legal in a position, what the engine and the
//! tablebases know of it, what a PGN file holds. The answers depend on the request alone, so any number of pages
//! may ask. What they are is the [`service`](crate::service)'s; here are the connections, and the threads that search. A page
//! that searches has an engine of its own, and its search ends with its request.
//!
//! The server does no more than it must: see [`Server`] for what it refuses.

mod guard;
mod server;
mod session;

pub use server::{Server, ServerError};

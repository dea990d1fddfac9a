//! The evaluation, behind one interface: what a quiet position is worth.
//!
//! Knows the board and, for what a side may do there, the rules.

mod win_rate;

pub use win_rate::{WinRate, win_rate};

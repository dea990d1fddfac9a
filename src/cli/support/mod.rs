//! What commands share.

pub mod arguments;
#[cfg(feature = "tools")]
pub mod chart;
pub mod failure;
#[cfg(feature = "tools")]
pub mod in_order;
pub mod present;
#[cfg(feature = "tools")]
pub mod progress;
pub mod resources;
#[cfg(feature = "tools")]
pub mod signals;
pub mod text;

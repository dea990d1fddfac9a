//! What commands share.

pub mod arguments;
pub mod failure;
#[cfg(feature = "tools")]
pub mod in_order;
pub mod present;
#[cfg(feature = "tools")]
pub mod signals;

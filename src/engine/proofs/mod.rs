//! Proofs of values: certificates and strategies, as the engine plays by them.
//!
//! A [`CertificateFile`] is a closed set of positions in which a side can, or cannot, force a win; a [`Strategy`] has a
//! reply for each position that its own play leads to; [`Proven`] is what is known of a game. The crate `vato-solver`
//! makes them and checks them.

mod certificate;
mod file;
mod solved;
pub mod strategy;

pub use self::certificate::{
    CERTIFICATE, CertificateHeader, Claim, Node, RECORD_BYTES, Record, require_rules,
    require_tables,
};
pub use self::file::CertificateFile;
pub use self::solved::Proven;
pub use self::strategy::{Root, Strategy, StrategyHeader};

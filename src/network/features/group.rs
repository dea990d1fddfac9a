//! Features that exclude each other.

/// Features of which at most one is on at a time.
///
/// What a position can add to a sum of the first layer follows from these: the largest weight of each
/// group, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The features.
    pub features: Vec<u16>,
    /// Whether all of them can be off.
    pub can_be_off: bool,
}

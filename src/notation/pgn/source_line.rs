//! Where something stood in the text that it was read from.

use std::num::NonZeroU64;

/// The number of a line, from 1; none for what was not read from text. It says where a thing came
/// from, not what the thing is: so all compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceLine(Option<NonZeroU64>);

impl SourceLine {
    /// The line with this number; 0 is none.
    pub(super) fn new(number: u64) -> SourceLine {
        SourceLine(NonZeroU64::new(number))
    }

    pub(super) fn number(self) -> Option<u64> {
        self.0.map(NonZeroU64::get)
    }
}

impl PartialEq for SourceLine {
    fn eq(&self, _: &SourceLine) -> bool {
        true
    }
}

impl Eq for SourceLine {}

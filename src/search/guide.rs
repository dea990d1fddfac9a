//! What guides a search.

use super::Parameters;
use super::reductions::Reductions;

/// The numbers, and what is computed from them once.
pub(super) struct Guide {
    pub(super) parameters: Parameters,
    pub(super) reductions: Reductions,
}

impl Guide {
    /// The guide that these numbers make.
    pub(super) fn new(parameters: Parameters) -> Guide {
        Guide {
            reductions: Reductions::new(&parameters),
            parameters,
        }
    }
}

//! What is different between two positions, as lists of features.

/// Room in a list: more than the most features that there can be in one ([`MOST_ACTIVE`]), and a power of
/// two, so that a place can be held inside without a branch.
///
/// [`MOST_ACTIVE`]: super::MOST_ACTIVE
const ROOM: usize = 256;

const _: () = assert!(ROOM.is_power_of_two() && ROOM > super::MOST_ACTIVE);

/// Features, one after the other.
#[derive(Debug)]
struct List {
    features: [u16; ROOM],
    length: usize,
}

impl List {
    const EMPTY: List = List {
        features: [0; ROOM],
        length: 0,
    };

    fn as_slice(&self) -> &[u16] {
        &self.features[..self.length.min(ROOM)]
    }
}

/// Features that go off and come on: at most [`MOST_ACTIVE`](super::MOST_ACTIVE) of each.
#[derive(Debug)]
pub(crate) struct Changes {
    off: List,
    on: List,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes {
            off: List::EMPTY,
            on: List::EMPTY,
        }
    }
}

impl Changes {
    /// Whether nothing changes.
    #[inline(always)]
    pub(in crate::network) fn is_empty(&self) -> bool {
        self.off.length == 0 && self.on.length == 0
    }

    /// Forgets all.
    #[inline(always)]
    pub(in crate::network) fn clear(&mut self) {
        self.off.length = 0;
        self.on.length = 0;
    }

    /// Adds a feature to one of the lists.
    ///
    /// Which of them is as good as random, and a branch would be mispredicted half the time: so it is
    /// written to both, and only one grows.
    #[inline(always)]
    pub(in crate::network) fn push(&mut self, feature: u16, is_on: bool) {
        debug_assert!(self.off.length.max(self.on.length) < ROOM);
        self.off.features[self.off.length % ROOM] = feature;
        self.on.features[self.on.length % ROOM] = feature;
        self.off.length += usize::from(!is_on);
        self.on.length += usize::from(is_on);
    }

    /// The features that go off.
    #[inline(always)]
    pub(in crate::network) fn off(&self) -> &[u16] {
        self.off.as_slice()
    }

    /// The features that come on.
    #[inline(always)]
    pub(in crate::network) fn on(&self) -> &[u16] {
        self.on.as_slice()
    }

    /// Replaces every feature by another.
    #[inline(always)]
    pub(in crate::network) fn map(&mut self, other: impl Fn(u16) -> u16) {
        for list in [&mut self.off, &mut self.on] {
            let length = list.length.min(ROOM);
            for feature in &mut list.features[..length] {
                *feature = other(*feature);
            }
        }
    }
}

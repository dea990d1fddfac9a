//! Unpacked blocks, as many as memory allows.
//!
//! Blocks that are read first stay for good, until three quarters of the memory are used: those are
//! found without a lock. What is left of the memory holds whatever was used last of the others.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use rustc_hash::FxBuildHasher;

use crate::tablebase::file::Section;
use crate::tablebase::slice::Slice;

/// Which block: slice, section, number.
type Key = (Slice, Section, u64);

#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Arc<[u8]>> for Bytes {
    fn weight(&self, _: &Key, block: &Arc<[u8]>) -> u64 {
        // A block costs something even if it is empty.
        block.len() as u64 + 64
    }
}

/// Memory for blocks that several threads share.
#[derive(Debug)]
pub(super) struct BlockCache {
    /// Bytes that blocks may still take for good.
    lasting: AtomicU64,
    passing: Cache<Key, Arc<[u8]>, Bytes, FxBuildHasher>,
}

/// The blocks of one section that are there for good.
#[derive(Debug)]
pub(super) struct Blocks {
    slice: Slice,
    section: Section,
    lasting: Box<[OnceLock<Box<[u8]>>]>,
}

/// The bytes of a block.
pub(super) enum BlockBytes<'a> {
    Lasting(&'a [u8]),
    Passing(Arc<[u8]>),
}

impl Deref for BlockBytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            BlockBytes::Lasting(bytes) => bytes,
            BlockBytes::Passing(bytes) => bytes,
        }
    }
}

/// Bytes of a typical block.
const TYPICAL: u64 = 1 << 14;

impl BlockCache {
    /// A cache of so many bytes.
    pub(super) fn new(bytes: u64) -> BlockCache {
        let passing = bytes / 4;
        let blocks = usize::try_from(passing / TYPICAL).unwrap_or(usize::MAX);
        BlockCache {
            lasting: AtomicU64::new(bytes - passing),
            passing: Cache::with(
                blocks.clamp(16, 1 << 20),
                passing,
                Bytes,
                FxBuildHasher,
                DefaultLifecycle::default(),
            ),
        }
    }

    /// Takes memory for good, if there is so much left.
    fn reserve(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        self.lasting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }
}

impl Blocks {
    /// For a section of so many blocks.
    pub(super) fn new(slice: Slice, section: Section, blocks: u64) -> Blocks {
        Blocks {
            slice,
            section,
            lasting: (0..blocks).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The bytes of a block, if they are at hand; `load` gets them if they are not.
    #[inline]
    pub(super) fn get(
        &self,
        cache: &BlockCache,
        block: u64,
        load: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<BlockBytes<'_>> {
        let place = self.lasting.get(block as usize)?;
        match place.get() {
            Some(bytes) => Some(BlockBytes::Lasting(bytes)),
            None => self.get_passing(cache, place, block, load),
        }
    }

    #[cold]
    fn get_passing<'a>(
        &'a self,
        cache: &BlockCache,
        place: &'a OnceLock<Box<[u8]>>,
        block: u64,
        load: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<BlockBytes<'a>> {
        let key = (self.slice, self.section, block);
        if let Some(bytes) = cache.passing.get(&key) {
            return Some(BlockBytes::Passing(bytes));
        }
        let bytes = load()?;
        let length = bytes.len() as u64;
        if cache.reserve(length) {
            if place.set(bytes.into()).is_err() {
                // Another thread has come first, with the same bytes.
                cache.lasting.fetch_add(length, Ordering::Relaxed);
            }
            return place.get().map(|bytes| BlockBytes::Lasting(bytes));
        }
        let bytes: Arc<[u8]> = bytes.into();
        cache.passing.insert(key, Arc::clone(&bytes));
        Some(BlockBytes::Passing(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_for_good_is_loaded_again_at_most() {
        let slice = Slice::new(1, 1).expect("a slice");
        let cache = BlockCache::new(1_000);
        let blocks = Blocks::new(slice, Section::Outcomes, 10);
        let mut loads = 0;
        for round in 0..3 {
            for block in 0..10 {
                let load = || {
                    loads += 1;
                    Some(vec![block as u8; 100])
                };
                let bytes = blocks.get(&cache, block, load).expect("loaded");
                assert_eq!(*bytes, [block as u8; 100], "round {round}");
            }
        }
        assert!((10..=20).contains(&loads), "{loads}");
        let lasting = blocks.lasting.iter().filter(|block| block.get().is_some());
        assert_eq!(lasting.count(), 7);
        assert!(blocks.get(&cache, 10, || Some(Vec::new())).is_none());
    }
}

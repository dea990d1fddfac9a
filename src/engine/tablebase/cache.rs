//! A cache of unpacked blocks.
//!
//! The first blocks read are pinned until they fill three quarters of the memory; pinned blocks are
//! read without a lock. The last quarter caches recently used blocks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use rustc_hash::FxBuildHasher;

use super::slice::Slice;
use super::value::Section;

type BlockKey = (Slice, Section, u64);

#[derive(Clone, Debug)]
struct ByBytes;

impl Weighter<BlockKey, Arc<[u8]>> for ByBytes {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        // An entry takes memory besides its block.
        block.len() as u64 + 64
    }
}

/// The memory for blocks, shared by threads and slices.
#[derive(Debug)]
pub(super) struct BlockCache {
    /// Bytes left for pinned blocks.
    free: AtomicU64,
    recent: Cache<BlockKey, Arc<[u8]>, ByBytes, FxBuildHasher>,
}

/// The pinned blocks of one section.
#[derive(Debug)]
pub(super) struct SectionCache {
    slice: Slice,
    section: Section,
    pinned: Box<[OnceLock<Box<[u8]>>]>,
}

const TYPICAL: u64 = 1 << 14;

impl BlockCache {
    /// A cache of this size in bytes.
    pub(super) fn new(bytes: u64) -> BlockCache {
        let recent = bytes / 4;
        let blocks = usize::try_from(recent / TYPICAL).unwrap_or(usize::MAX);
        BlockCache {
            free: AtomicU64::new(bytes - recent),
            recent: Cache::with(
                blocks.clamp(16, 1 << 20),
                recent,
                ByBytes,
                FxBuildHasher,
                DefaultLifecycle::default(),
            ),
        }
    }
}

impl SectionCache {
    pub(super) fn new(slice: Slice, section: Section, blocks: u64) -> SectionCache {
        SectionCache {
            slice,
            section,
            pinned: (0..blocks).map(|_| OnceLock::new()).collect(),
        }
    }

    /// What `read` finds in the bytes of a block; `load` reads these if they are not in the cache.
    #[inline]
    pub(super) fn get<T>(
        &self,
        cache: &BlockCache,
        block: u64,
        load: impl FnOnce() -> Option<Vec<u8>>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Option<T> {
        let place = self.pinned.get(block as usize)?;
        match place.get() {
            Some(bytes) => Some(read(bytes)),
            None => self.get_recent(cache, place, block, load, read),
        }
    }

    #[cold]
    fn get_recent<T>(
        &self,
        cache: &BlockCache,
        place: &OnceLock<Box<[u8]>>,
        block: u64,
        load: impl FnOnce() -> Option<Vec<u8>>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Option<T> {
        let key = (self.slice, self.section, block);
        if let Some(bytes) = cache.recent.get(&key) {
            return Some(read(&bytes));
        }
        let bytes = load()?;
        let value = read(&bytes);
        let length = bytes.len() as u64;
        let less = |free: u64| free.checked_sub(length);
        let reserved = (cache.free).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if reserved.is_err() {
            cache.recent.insert(key, bytes.into());
        } else if place.set(bytes.into()).is_err() {
            // Another thread has pinned the same block meanwhile.
            cache.free.fetch_add(length, Ordering::Relaxed);
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_not_pinned_are_loaded_again() {
        let slice = Slice::new(1, 1).expect("a slice");
        let cache = BlockCache::new(1_000);
        let blocks = SectionCache::new(slice, Section::Outcomes, 10);
        let mut loads = 0;
        for round in 0..3 {
            for block in 0..10 {
                let load = || {
                    loads += 1;
                    Some(vec![block as u8; 100])
                };
                let bytes = blocks.get(&cache, block, load, <[u8]>::to_vec);
                assert_eq!(bytes, Some(vec![block as u8; 100]), "round {round}");
            }
        }
        assert!((10..=20).contains(&loads), "{loads}");
        let pinned = blocks.pinned.iter().filter(|block| block.get().is_some());
        assert_eq!(pinned.count(), 7);
        assert_eq!(
            blocks.get(&cache, 10, || Some(Vec::new()), <[u8]>::len),
            None
        );
    }
}

//! The memory of hash tables.

use bytemuck::Zeroable;
#[cfg(not(target_arch = "wasm32"))]
use memmap2::{MmapMut, MmapRaw};

use crate::memory::{RESERVE, available_here};
use crate::sync::atomic::{AtomicU64, Ordering};

/// An entry of a hash table shared by threads without locks: the first word is the key *xor* the second, so that words
/// of two different writes give a key that does not match. Relaxed ordering: nothing else is published through it.
#[derive(Debug, Zeroable)]
#[repr(C)]
pub struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The key, or any number after a torn write, and the data.
    #[inline(always)]
    pub fn read(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.key_xor_data.load(Ordering::Relaxed) ^ data, data)
    }

    /// Replaces key and data.
    #[inline(always)]
    pub fn write(&self, key: u64, data: u64) {
        self.data.store(data, Ordering::Relaxed);
        self.key_xor_data.store(key ^ data, Ordering::Relaxed);
    }
}

/// Four entries in a cache line.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub struct Bucket(pub [Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory of a hash table shared by threads: buckets, initially all zeros. Allocated in large pages where
/// available: accesses are random, and with small pages a TLB miss costs as much as the read itself.
#[derive(Debug)]
pub struct Buckets {
    #[cfg(not(target_arch = "wasm32"))]
    memory: MmapRaw,
    #[cfg(target_arch = "wasm32")]
    memory: Box<[Bucket]>,
    count: usize,
}

impl Buckets {
    /// Whether [`Buckets::prefetch`] has an effect on this machine.
    pub const PREFETCHES: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// As many as fit in `mib` MiB, at least one; `None` if there is not the memory, and some to spare.
    pub fn new(mib: usize) -> Option<Buckets> {
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        // The least is tried in any case: the figures are not exact.
        if mib > 1 && bytes as u64 + RESERVE > available_here() {
            return None;
        }
        let count = bytes / size_of::<Bucket>();
        #[cfg(target_arch = "wasm32")]
        let memory = bytemuck::try_zeroed_slice_box(count).ok()?;
        #[cfg(not(target_arch = "wasm32"))]
        let memory = MmapRaw::from(MmapMut::map_anon(bytes).ok()?);
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages for the table: {error}");
        }
        Some(Buckets { memory, count })
    }

    /// All buckets.
    #[inline(always)]
    pub fn all(&self) -> &[Bucket] {
        #[cfg(target_arch = "wasm32")]
        let all = &self.memory;
        // SAFETY: the memory has the length of this many buckets, is page-aligned, lives as long as `self`,
        // and is accessed only here. Zeros are valid buckets, and later writes go through references to `Bucket`.
        #[cfg(not(target_arch = "wasm32"))]
        let all =
            unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.count) };
        all
    }

    /// The bucket of a key, by its high bits (multiply-shift).
    #[inline]
    pub fn at(&self, key: u64) -> &[Slot; 4] {
        let index = match usize::BITS {
            64 => ((u128::from(key) * self.count as u128) >> 64) as u64,
            // The same in two multiplications that there are: the count is less than 2^32.
            _ => {
                let [low, high] =
                    [key & 0xffff_ffff, key >> 32].map(|half| half * self.count as u64);
                (high + (low >> 32)) >> 32
            }
        };
        &self.all()[index as usize].0
    }

    /// Prefetches the bucket of a key that will be read soon. Speeds up the search by a tenth or more.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let bucket: *const [Slot; 4] = self.at(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch does not read, and the bucket exists.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{}]", in(reg) bucket, options(nostack, preserves_flags, readonly));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = bucket;
    }
}

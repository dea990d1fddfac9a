//! Available memory, and the memory of hash tables.

use std::marker::PhantomData;

use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapRaw};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Available memory in bytes.
pub(crate) fn available() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let available = system.available_memory();
    let available = match system.cgroup_limits() {
        Some(limits) => available.min(limits.free_memory),
        None => available,
    };
    // If the system gives no figure, the allocation itself may fail.
    if available == 0 { u64::MAX } else { available }
}

/// The memory of a hash table shared by threads: buckets, initially all zeros. Allocated in large pages where
/// available: accesses are random, and with small pages a TLB miss costs as much as the read itself.
#[derive(Debug)]
pub(crate) struct Buckets<B> {
    memory: MmapRaw,
    count: usize,
    buckets: PhantomData<B>,
}

impl<B: Zeroable + Sync> Buckets<B> {
    /// Whether [`Buckets::prefetch`] has an effect on this machine.
    pub(crate) const PREFETCHES: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// As many as fit in `mib` MiB, at least one; `None` if the allocation fails.
    pub(crate) fn new(mib: usize) -> Option<Buckets<B>> {
        const { assert!(align_of::<B>() <= 4096 && size_of::<B>() <= 1 << 20) };
        let bytes = mib.max(1).checked_mul(1 << 20)?;
        if bytes as u64 > available() {
            return None;
        }
        let memory = MmapRaw::from(MmapMut::map_anon(bytes).ok()?);
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages for the table: {error}");
        }
        Some(Buckets {
            memory,
            count: bytes / size_of::<B>(),
            buckets: PhantomData,
        })
    }

    /// All of them.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[B] {
        // SAFETY: the memory has the length of this many buckets, is page-aligned, lives as long as `self`,
        // and is accessed only here. Zeros are valid buckets, and later writes go through references to `B`.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.count) }
    }

    /// The bucket of a key, by its high bits (multiply-shift).
    #[inline]
    pub(crate) fn at(&self, key: u64) -> &B {
        let index = (u128::from(key) * self.count as u128) >> 64;
        &self.all()[index as usize]
    }

    /// Prefetches the bucket of a key that will be read soon. Speeds up the search by a tenth or more.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        let bucket: *const B = self.at(key);
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

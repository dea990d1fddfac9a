//! The memory of the transposition table.

use memmap2::{MmapMut, MmapRaw};

use super::table::Bucket;

/// Zeroed memory for buckets, in large pages where the system has them: the search reads from all over
/// the table, and where pages are small, finding the page takes as long as the read.
pub(super) struct Buckets {
    memory: MmapRaw,
    count: usize,
}

impl Buckets {
    /// Memory for `count` buckets, none of them used; `None` if there is no memory.
    pub(super) fn new(count: usize) -> Option<Buckets> {
        let bytes = count.checked_mul(size_of::<Bucket>())?;
        let memory = MmapRaw::from(MmapMut::map_anon(bytes).ok()?);
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages for the table: {error}");
        }
        Some(Buckets { memory, count })
    }

    /// The buckets.
    #[inline(always)]
    pub(super) fn as_ref(&self) -> &[Bucket] {
        // SAFETY: the memory is as long as so many buckets, lies at the beginning of a page, lives as
        // long as `self`, and is reached in this way only; all bits that it can hold are buckets. Other
        // ways to have large pages need unsafe code as well, and they make the search faster by a
        // tenth.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.count) }
    }
}

//! The largest piece of memory that a thread takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's memory, with an eye on the pieces that are taken.
struct Watched;

#[global_allocator]
static MEMORY: Watched = Watched;

thread_local! {
    /// The largest piece that this thread has taken since it was last watched.
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    // At its end a thread has no such variable any more.
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

/// Does something; with what comes of it, the bytes of the largest piece of memory that it took on
/// this thread.
pub fn watch<T>(something: impl FnOnce() -> T) -> (T, usize) {
    LARGEST.set(0);
    let result = something();
    (result, LARGEST.get())
}

// SAFETY: all calls are handed to the system's allocator as they are.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is the one that is wanted.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

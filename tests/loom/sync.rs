//! The atomics and locks of the models: those of loom.

pub use loom::sync::{Condvar, Mutex, MutexGuard};

/// Atomics.
pub mod atomic {
    use std::fmt;
    use std::ptr::null_mut;
    use std::sync::atomic::AtomicPtr;

    use bytemuck::Zeroable;
    pub use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    /// An atomic of loom that is made when it is first used, so that memory of zeros holds atomics with the value 0,
    /// as the tables need them. A model uses each before it starts threads: loom wants it to be made before.
    pub struct AtomicU64(AtomicPtr<loom::sync::atomic::AtomicU64>);

    // SAFETY: zeros are a null pointer, which stands for an atomic that has not been made.
    unsafe impl Zeroable for AtomicU64 {}

    impl AtomicU64 {
        /// An atomic with this value.
        pub fn new(value: u64) -> AtomicU64 {
            let atomic = AtomicU64(AtomicPtr::new(null_mut()));
            atomic.store(value, Ordering::Relaxed);
            atomic
        }

        fn made(&self) -> &loom::sync::atomic::AtomicU64 {
            // In a model one thread runs at a time.
            let mut atomic = self.0.load(Ordering::Acquire);
            if atomic.is_null() {
                atomic = Box::into_raw(Box::new(loom::sync::atomic::AtomicU64::new(0)));
                self.0.store(atomic, Ordering::Release);
            }
            // SAFETY: a pointer that is not null is of a box, which lives as long as `self`.
            unsafe { &*atomic }
        }

        /// The value.
        pub fn load(&self, ordering: Ordering) -> u64 {
            self.made().load(ordering)
        }

        /// Sets the value.
        pub fn store(&self, value: u64, ordering: Ordering) {
            self.made().store(value, ordering);
        }
    }

    impl Drop for AtomicU64 {
        fn drop(&mut self) {
            let atomic = *self.0.get_mut();
            if !atomic.is_null() {
                // SAFETY: it is of a box, and nobody else has it any longer.
                drop(unsafe { Box::from_raw(atomic) });
            }
        }
    }

    impl fmt::Debug for AtomicU64 {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("AtomicU64")
        }
    }
}

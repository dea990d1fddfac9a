//! The engine as a WebAssembly module, for one thread.
//!
//! It imports `env.now`, a clock in milliseconds. Numbers are returned as they are; bytes are passed in memory of
//! [`alloc`].

use std::ptr;
use std::sync::{Mutex, PoisonError};

use vato_engine::engine::Bench;
use vato_engine::rules::Rules;
use vato_engine::search::Control;
use vato_engine::tablebase::Tablebases;

/// The files of [`add_table`].
static FILES: Mutex<Vec<&'static [u8]>> = Mutex::new(Vec::new());

/// So many bytes of memory, all zeros; null if there are not as many.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return ptr::null_mut();
    }
    bytes.resize(length, 0);
    Box::leak(bytes.into_boxed_slice()).as_mut_ptr()
}

/// Frees memory of [`alloc`].
///
/// # Safety
///
/// It is `length` bytes of [`alloc`], and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(memory: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(memory, length)) });
}

/// Adds the file of a slice to the tables for the standard rules. Returns how many stones these have then, or 0 if the
/// file is damaged, or for other rules.
///
/// # Safety
///
/// The file is `length` bytes in memory of [`alloc`], which are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add_table(file: *const u8, length: usize) -> u32 {
    // SAFETY: as the caller says.
    let file: &'static [u8] = unsafe { std::slice::from_raw_parts(file, length) };
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.push(file);
    match tables(&Rules::STANDARD, &files) {
        Some(tables) => tables.stones(),
        None => {
            files.pop();
            0
        }
    }
}

/// The tables for these rules, with the files if they are for them.
fn tables(rules: &Rules, files: &[&'static [u8]]) -> Option<Tablebases> {
    let mut tables = Tablebases::built_in(rules, Tablebases::DEFAULT_CACHE_BYTES, 1).ok()?;
    if tables.fit(&Rules::STANDARD) {
        files
            .iter()
            .try_for_each(|file| tables.add("a table", file))
            .ok()?;
    }
    Some(tables)
}

/// Runs the benchmark. Returns the number of nodes, which is the signature of the search, or 0 if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn bench() -> u64 {
    let total = Bench::default().run(&Control::new(), &mut |_, _, _, _| {});
    total.map_or(0, |total| total.nodes)
}

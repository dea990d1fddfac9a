//! The engine as a WebAssembly module: what the worker of a page calls ([`answer`]).
//!
//! It imports from `env`: `now`, a clock in milliseconds; `random`, a random number of 64 bits; `processors`, the number of
//! threads that there can be; and `report`, which is told bytes by their place and length. With threads it imports its
//! `memory`, too, and others with the same memory lend it their threads (`lend_thread`). Numbers are returned as they are;
//! bytes are passed in memory of [`alloc`].

use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex};

use vato_engine::engine::{Bench, Settings, TableFiles};
use vato_engine::memory::lock;
use vato_engine::proofs::Strategy;
use vato_engine::rules::{Preset, Rules};
use vato_engine::search::{Control, STACK_BYTES};
use vato_engine::tablebase::{TableFolders, Tablebases};
use vato_tools::play::Engines;
use vato_tools::service::{Opening, Reply, Service};

/// What answers; it begins with the first request.
static STATE: Mutex<State> = Mutex::new(State {
    shell: None,
    answer: Vec::new(),
});

/// Of all searches: one that is stopped is the last, as its worker ends.
static CONTROL: LazyLock<Control> = LazyLock::new(Control::new);

struct State {
    shell: Option<(Service, Option<Engines>)>,
    /// The last answer.
    answer: Vec<u8>,
}

#[link(wasm_import_module = "env")]
// SAFETY: whoever instantiates the module provides this function, of this type.
unsafe extern "C" {
    /// Hears so many bytes at an address, which are there until it returns.
    safe fn report(bytes: *const u8, length: usize);
}

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

/// [`STACK_BYTES`] of memory for the stack of a thread, which it keeps; null if there are not as many.
#[unsafe(no_mangle)]
pub extern "C" fn stack() -> *mut u8 {
    let mut bytes = Vec::new();
    match bytes.try_reserve_exact(STACK_BYTES) {
        Ok(()) => bytes.leak().as_mut_ptr(),
        Err(_) => ptr::null_mut(),
    }
}

/// Lends the calling thread, which has a stack of its own, to the searches, for ever.
#[cfg(target_feature = "atomics")]
#[unsafe(no_mangle)]
pub extern "C" fn lend_thread() -> ! {
    vato_engine::search::lend_thread()
}

/// A byte that others, with whom the memory is shared, set to 1 to stop the search before they end its worker.
#[unsafe(no_mangle)]
pub extern "C" fn stop_flag() -> *const AtomicBool {
    CONTROL.stop_flag()
}

/// Memory of [`alloc`], which is not used elsewhere any longer.
///
/// # Safety
///
/// It is `length` bytes of [`alloc`], taken once.
unsafe fn take(memory: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: as the caller says.
    unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(memory, length)) }
}

/// Adds the file of a slice to the tables for the standard rules. Returns how many stones these have then, or 0 if the
/// file is damaged, or for other rules.
///
/// # Safety
///
/// The file is `length` bytes in memory of [`alloc`], which are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add_table(file: *mut u8, length: usize) -> u32 {
    // SAFETY: as the caller says.
    let file = Box::leak(unsafe { take(file, length) });
    let stones = Tablebases::add_built_in(file).unwrap_or_default();
    let mut state = lock(&STATE);
    // What has been opened does not have it.
    state.shell = state
        .shell
        .take()
        .map(|(service, _)| (begin(service.settings()), None));
    stones
}

/// Makes the file of a strategy the proof in the program. Returns whether it is one.
///
/// # Safety
///
/// As for [`add_table`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add_proof(file: *mut u8, length: usize) -> bool {
    // SAFETY: as the caller says.
    let file = unsafe { take(file, length) };
    Strategy::provide(&file).is_ok()
}

/// Answers a request of a page (see [`Service::answer`]). Returns the status: 200, 400 for a request that is wrong, 404 if
/// there is no such route. The answer is [`answer_length`] bytes at [`answer_text`]: JSON; for a search, what it finds has been
/// told to `report` before, and nothing is left.
///
/// # Safety
///
/// Route and body are so many bytes in memory of [`alloc`], which are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(
    route: *mut u8,
    route_length: usize,
    body: *mut u8,
    body_length: usize,
) -> u32 {
    // SAFETY: as the caller says.
    let (route, body) = unsafe { (take(route, route_length), take(body, body_length)) };
    let state = &mut *lock(&STATE);
    let (service, engines) = state.shell.get_or_insert_with(|| {
        let mut settings = Settings {
            tables: Some(TableFiles::of(TableFolders::auto())),
            ..Settings::default()
        };
        settings.search.threads = 1;
        (begin(settings), None)
    });
    let failed = |error: &str| {
        serde_json::json!({ "error": error })
            .to_string()
            .into_bytes()
    };
    let (status, text) = match service.answer(&String::from_utf8_lossy(&route), &body) {
        Ok(Some(Reply::Json(json))) => (200, json),
        Ok(Some(Reply::Search(_, request))) => {
            let engines = engines.get_or_insert_with(|| Engines::new(service.settings()));
            engines.search(&request, &CONTROL, |event| {
                if let Some(line) = service.report(&request.game, &event) {
                    report(line.as_ptr(), line.len());
                }
            });
            (200, Vec::new())
        }
        Ok(None) => (404, failed("no such page")),
        Err(error) => (400, failed(&error)),
    };
    state.answer = text;
    status
}

fn begin(settings: Settings) -> Service {
    let opening = Opening {
        rules: Preset::name_of(&Rules::STANDARD),
        number: 1,
        ..Opening::default()
    };
    Service::new(settings, opening)
}

/// Where the last answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer_text() -> *const u8 {
    lock(&STATE).answer.as_ptr()
}

/// The number of its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    lock(&STATE).answer.len()
}

/// Runs the benchmark. Returns the number of nodes, which is the signature of the search, or 0 if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn bench() -> u64 {
    let total = Bench::default().run(&Control::new(), &mut |_, _, _, _| {});
    total.map_or(0, |total| total.nodes)
}

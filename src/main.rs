//! The program: a thread with a large stack for the command line, and the allocator's settings.

// The tools share much with the engine: without them some of it is unused.
#![cfg_attr(not(feature = "tools"), allow(dead_code, unused_imports))]

mod cli;

use std::process::ExitCode;
use std::thread;

use vato_engine::memory;
use vato_engine::search::STACK_BYTES;

/// The least address space in which a thread more is no loss.
const AMPLE: u64 = 1 << 29;

/// Where there is less address space the threads share what the allocator reserves, which is 64 MiB for each of them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const AMPLE_FOR_ARENAS: u64 = 1 << 33;

/// The stack of the first thread is as large as the system says (`ulimit -s`), which may be too little.
fn main() -> ExitCode {
    let space = memory::address_space();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if space < AMPLE_FOR_ARENAS {
        // SAFETY: it sets a number of the allocator, and there is no other thread yet.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
    if space < AMPLE {
        return cli::run();
    }
    let program = thread::Builder::new()
        .name("main".to_owned())
        .stack_size(STACK_BYTES);
    match program.spawn(cli::run) {
        // What a panic had to say is said.
        Ok(program) => program.join().unwrap_or(ExitCode::from(101)),
        Err(_) => cli::run(),
    }
}

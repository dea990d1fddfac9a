//! Which processes of a test are alive.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::PLAY_AS;

/// How long engines may outlive their runner: until the machine has found the time to end them.
const GRACE: Duration = Duration::from_secs(5);

/// A word that no other test has on its command lines, nor another attempt of the same one.
pub fn unique_tag(test: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{test}-{}-{number}", std::process::id())
}

/// The processes whose own arguments carry the tag, as number and command line. The runner, which
/// has it within an argument, is not one of them; neither is a process that has ended and whose
/// parent has not asked how.
pub fn alive(tag: &str) -> Vec<String> {
    let wanted = format!("tag={tag}");
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("Linux has /proc").flatten() {
        // Processes end at any time.
        let Ok(command) = fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        let words: Vec<String> = command
            .split(|&byte| byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        if words.contains(&wanted) && words.iter().any(|word| word == PLAY_AS) {
            found.push(format!("{:?} {}", entry.file_name(), words.join(" ")));
        }
    }
    found
}

/// Requires that all of them are gone soon.
pub fn assert_none_left(tag: &str) {
    let until = Instant::now() + GRACE;
    loop {
        let left = alive(tag);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "left over: {left:#?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The memory that a process has at most had so far, in MiB; `None` once it has ended.
pub fn peak_memory(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

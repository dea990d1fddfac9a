//! The fuzzer: one program for all targets, of which `VATO_FUZZ_TARGET` names one.

#![no_main]

mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

use targets::TARGETS;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("VATO_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    let names = TARGETS.map(|(target, _)| target).join(", ");
    found
        .unwrap_or_else(|| panic!("VATO_FUZZ_TARGET is '{name}', expected one of {names}"))
        .1
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));

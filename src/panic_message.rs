//! The words of a panic that was caught.

use std::any::Any;

/// What a panic has said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, panic_any};

    use super::*;

    #[test]
    fn all_kinds_of_panics_are_understood() {
        let said = |panicking: fn()| {
            let panic = catch_unwind(panicking).expect_err("it panics");
            panic_message(&*panic).to_owned()
        };
        assert_eq!(said(|| panic!("plain")), "plain");
        assert_eq!(said(|| panic!("number {}", 1 + 1)), "number 2");
        assert_eq!(said(|| panic_any(7)), "no message");
    }
}

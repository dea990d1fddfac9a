//! The command line starts here.
fn main() {}

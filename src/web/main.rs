//! Writes the page of the web to standard output. The argument is the address of the worker's script.

use std::env::args;

fn main() {
    let worker = args().nth(1).unwrap_or_else(|| "worker.js".to_owned());
    print!("{}", vato_tools::pages::web_board(&worker));
}

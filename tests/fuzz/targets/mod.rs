//! What reads bytes, each as a function of any bytes that must hold its properties: no panic, messages that can be
//! shown on a line, and what is read and written is read as the same again.
//!
//! The fuzzer calls them (`tests/fuzz/fuzzer.rs`), and so does `cargo test`, with the inputs in `tests/fuzz/corpus`.

mod files;
mod grammar;
mod sessions;
pub mod tables;
mod texts;

/// A target: its name, which is also that of its folder in the corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 23] = [
    ("fen", texts::position),
    ("rules", texts::rules),
    ("turns", texts::turns),
    ("pgn", texts::pgn),
    ("games", texts::games),
    ("epd", texts::epd),
    ("condition", texts::condition),
    ("toml", texts::toml),
    ("pairs", texts::pairs),
    ("record", texts::record),
    ("command", texts::command),
    ("answer", texts::answer),
    ("network", files::network),
    ("table", tables::table),
    ("book", texts::book),
    ("certificate", files::certificate),
    ("proofs", files::proofs),
    ("training", files::training),
    ("data", files::data),
    ("match", files::match_record),
    ("session", sessions::session),
    ("script", sessions::script),
    ("board", sessions::board),
];

/// The longest message; a list of names that were expected is the most of it.
const LONGEST_MESSAGE: usize = 1_000;

/// A message is short. (One about a file may quote characters of it as they are: the command line escapes them.)
fn check_length(message: &impl ToString) {
    let message = message.to_string();
    assert!(
        message.len() <= LONGEST_MESSAGE,
        "a long message: {message}"
    );
}

/// A message is short and has one line.
fn check_message(message: &impl ToString) {
    check_length(message);
    let message = message.to_string();
    assert!(
        !message.contains(char::is_control),
        "control characters: {message:?}"
    );
}

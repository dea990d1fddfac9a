//! The engine that the tests let play: this binary itself, started as
//! `--play-as BEHAVIOUR[:N][+BEHAVIOUR[:N]…] [KEY=VALUE…]`.
//!
//! It speaks UGI and UCI, answers at once with a legal move, and misbehaves as
//! it is told ([`settings::BEHAVIOURS`]). It also watches its manager: a command that does
//! not belong where it comes ends it with the status [`OFFENDED`] and a message,
//! which every test sees as a crash.

mod board;
mod conduct;
mod output;
mod searching;
mod session;
mod settings;

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use session::Session;
use settings::Settings;

/// The word that makes this binary an engine.
pub const PLAY_AS: &str = "--play-as";

/// What the engine says on standard error when it crashes as it was told to. Braces and quotation
/// marks have a meaning in game records.
pub const LAST_WORDS: &str = r#"the engine {breaks} on "purpose""#;

/// The status with which it crashes as it was told to.
pub const CRASHED: u8 = 3;

/// The status with which it leaves a manager that breaks the protocol.
pub const OFFENDED: u8 = 9;

/// Plays as `words` (what follows [`PLAY_AS`]) say, until it is told to quit.
pub fn play_as(words: impl Iterator<Item = String>) -> ExitCode {
    let settings = Settings::read(words);
    if settings.behaves("sleeper") {
        sleep_for_ever();
    }
    Session::new(settings).run()
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(600));
    }
}

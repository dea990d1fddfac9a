//! What the engine's command line says, and a file of what the engine is told.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the engine does, a line for each way to behave. "From move N on" counts its own moves in a game; N is 1 unless it
/// is said.
pub(super) const BEHAVIOURS: &str = "\
honest: nothing wrong, a legal move at once

crash-at-start: ends with an error before it has said anything
crash-from-start: the same at its N-th start and after it; starts are counted by files in the folder `starts`
no-handshake: never answers the handshake
slow-start: answers the handshake N milliseconds late
flood-at-start: says nonsense without end instead of answering the handshake
crash-at-newgame: ends with an error at the N-th new game of the process, and after it
hang-at-newgame: is silent from the N-th new game of the process on
odd-name: has a name that is hard to write down
complain: says that it cannot do what an option says
complain-at-start: says so before it has said what it is
no-options: declares no options
tsivy-only: declares `UCI_Variant` with tsivy alone, and no `Rules`
tsivy-and-vela: declares `UCI_Variant` with these alone
rules-only: declares `Rules` and no `UCI_Variant`
own-rules: has the rules from options of its own and writes moves without hyphens, as the program `fanorona`

From move N on it answers in a way that loses:
crash: ends with an error in place of an answer
abort: ends by a signal in place of an answer
close-output: closes its output and lives on
hang: neither answers nor listens any more
wait-for-stop: searches until it is told to stop
late-after-stop: the same, and answers a while later
slow: answers when its clock has run out, whatever it is told meanwhile
garbage: answers with a word that is no move
bare: answers `bestmove` without a move
illegal: answers with a well-formed move that is illegal
no-move: answers that there is no move
resign: resigns
endless-info: says `info` lines without end, as fast as they are taken, and no more
endless-line: says a line without end
flood-at-ready: says `info` lines without end in place of the `readyok` before move N
crash-pondering: ends with an error when it is to think on the opponent's time
ignore-stop: does not obey `stop` while it thinks on the opponent's time

From move N on it answers in a way that loses nothing:
flood: says `info` lines without end beside everything else, also between games
false-win: announces a win, whatever the position
bad-pv: a line of play with an illegal move
pv-not-best: a line of play that begins with another move than the one played
other-path: plays a move that has several paths, if there is one, by another path than that in its line of play
no-info: no `info` line
bad-info: an `info` line that does not read
binary: bytes that are no text before everything that it says
twice: answers twice
delay: takes N milliseconds for each move
ponder: thinks on the opponent's time, if the option `Ponder` says so; expects the first legal move as the reply

leave: ends in good order when it has answered at move N
ignore-quit: lives on after `quit` and after the end of its input
spawn-child: starts a process of its own, which shares its output
sleeper: what the former starts, no engine, a process that does nothing
";

/// How an engine is to behave.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Each with its N.
    behaviours: Vec<(String, Option<u32>)>,
    /// Moves are drawn by this; without it the first legal one is played.
    pub(super) seed: Option<u64>,
    /// Tells this test's processes from all others.
    pub(super) tag: Option<String>,
    /// Starts are counted by files in this folder.
    pub(super) starts: Option<PathBuf>,
    /// Every process writes what it is told to a file in this folder.
    pub(super) transcripts: Option<PathBuf>,
}

/// Panics if no engine behaves like this.
fn check(behaviour: &str) {
    let mut known = BEHAVIOURS.lines().filter_map(|line| line.split_once(": "));
    assert!(
        known.any(|(name, _)| name == behaviour),
        "no behaviour '{behaviour}'"
    );
}

impl Settings {
    /// Reads `BEHAVIOUR[:N][+…]` and then `KEY=VALUE`, a word each.
    pub(super) fn read(mut words: impl Iterator<Item = String>) -> Settings {
        let mut settings = Settings::default();
        let behaviours = words.next().expect("a behaviour");
        for behaviour in behaviours.split('+') {
            let (name, number) = behaviour.split_once(':').unwrap_or((behaviour, ""));
            check(name);
            let from = (!number.is_empty()).then(|| number.parse().expect("a number"));
            settings.behaviours.push((name.to_owned(), from));
        }
        for word in words {
            match word.split_once('=') {
                Some(("seed", value)) => settings.seed = Some(value.parse().expect("a number")),
                Some(("tag", value)) => settings.tag = Some(value.to_owned()),
                Some(("starts", value)) => settings.starts = Some(value.into()),
                Some(("transcripts", value)) => settings.transcripts = Some(value.into()),
                _ => panic!("'{word}' means nothing"),
            }
        }
        settings
    }

    /// A behaviour that was named, with its N.
    fn find(&self, behaviour: &str) -> Option<Option<u32>> {
        check(behaviour);
        let mut behaviours = self.behaviours.iter();
        behaviours
            .find(|(name, _)| name == behaviour)
            .map(|(_, number)| *number)
    }

    /// Whether this behaviour was named.
    pub(super) fn behaves(&self, behaviour: &str) -> bool {
        self.find(behaviour).is_some()
    }

    /// Whether this behaviour was named, and `number` (a move, a game) has reached its N.
    pub(super) fn is_due(&self, behaviour: &str, number: u32) -> bool {
        self.find(behaviour)
            .is_some_and(|from| number >= from.unwrap_or(1))
    }

    /// The N of a behaviour that needs one; 0 if the behaviour was not named.
    pub(super) fn number(&self, behaviour: &str) -> u64 {
        self.find(behaviour).flatten().unwrap_or(0).into()
    }
}

/// A file that commands are written to as they come.
#[derive(Debug)]
pub(super) struct Transcript(File);

impl Transcript {
    /// A new file in `folder`, named after this process.
    pub(super) fn create(folder: &Path) -> Transcript {
        let path = folder.join(format!("{}.txt", std::process::id()));
        Transcript(File::create_new(&path).expect("a new file in the test's folder"))
    }

    pub(super) fn add(&mut self, line: &str) {
        // One write for a line, so that a killed process leaves whole ones.
        let written = self.0.write_all(format!("{line}\n").as_bytes());
        written.expect("the test's folder can be written to");
    }
}

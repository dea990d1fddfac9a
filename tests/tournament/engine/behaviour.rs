//! The names of everything that the engine can do wrong.

use std::str::FromStr;

/// Lists the behaviours once: the type, the names, the meanings.
macro_rules! behaviours {
    ($($(#[$meaning:meta])* $behaviour:ident = $name:literal,)*) => {
        /// A way to behave. "From move N on" counts the engine's own moves in a
        /// game; N is 1 unless it is said.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Behaviour {
            $($(#[$meaning])* $behaviour,)*
        }

        impl Behaviour {
            /// As the command line has it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Behaviour::$behaviour => $name,)*
                }
            }
        }

        impl FromStr for Behaviour {
            type Err = String;

            fn from_str(text: &str) -> Result<Behaviour, String> {
                match text {
                    $($name => Ok(Behaviour::$behaviour),)*
                    _ => Err(format!("no behaviour '{text}'")),
                }
            }
        }
    };
}

behaviours! {
    /// Nothing wrong: a legal move at once.
    Honest = "honest",

    // Starting.
    /// Ends with an error before it has said anything.
    CrashAtStart = "crash-at-start",
    /// Ends with an error at its N-th start, and after it; starts are counted by files in the folder
    /// `starts`.
    CrashFromStart = "crash-from-start",
    /// Never answers the handshake.
    NoHandshake = "no-handshake",
    /// Answers the handshake N milliseconds late.
    SlowStart = "slow-start",
    /// Says nonsense without end instead of answering the handshake.
    FloodAtStart = "flood-at-start",
    /// Ends with an error at the N-th new game of the process, and after it.
    CrashAtNewGame = "crash-at-newgame",
    /// Is silent from the N-th new game of the process on.
    HangAtNewGame = "hang-at-newgame",
    /// Has a name that is hard to write down.
    OddName = "odd-name",
    /// Says that it cannot do what an option says.
    Complain = "complain",
    /// Declares no options.
    NoOptions = "no-options",
    /// Declares `UCI_Variant` with `tsivy` alone, and no `Rules`.
    TsivyOnly = "tsivy-only",
    /// Declares `UCI_Variant` with tsivy and vela alone.
    TsivyAndVela = "tsivy-and-vela",
    /// Declares `Rules` and no `UCI_Variant`.
    RulesOnly = "rules-only",
    /// Has the rules from options of its own, as the program `fanorona` has: `Variant`,
    /// `MandatoryContinuation`, `NoCaptureLimit`. Like that program it reads any path and writes moves
    /// without hyphens.
    OwnRules = "own-rules",

    // Answers that lose, from move N on.
    /// Ends with an error in place of an answer.
    Crash = "crash",
    /// Ends by a signal in place of an answer.
    Abort = "abort",
    /// Closes its output and lives on.
    CloseOutput = "close-output",
    /// Neither answers nor listens any more.
    Hang = "hang",
    /// Searches until it is told to stop.
    WaitForStop = "wait-for-stop",
    /// Searches until it is told to stop, and answers a while later.
    LateAfterStop = "late-after-stop",
    /// Answers when its clock has run out, whatever it is told meanwhile.
    Slow = "slow",
    /// Answers with a word that is no move.
    Garbage = "garbage",
    /// Answers `bestmove` without a move.
    Bare = "bare",
    /// Answers with a well-formed move that is illegal.
    Illegal = "illegal",
    /// Answers that there is no move.
    NoMove = "no-move",
    /// Resigns.
    Resign = "resign",
    /// Says `info` lines without end, as fast as they are taken, and no more.
    EndlessInfo = "endless-info",
    /// Says a line without end.
    EndlessLine = "endless-line",
    /// Says `info` lines without end in place of the `readyok` before move N.
    FloodAtReady = "flood-at-ready",
    /// Ends with an error when it is to think on the opponent's time.
    CrashPondering = "crash-pondering",

    // Answers that lose nothing, from move N on.
    /// Says `info` lines without end beside everything else, also between games.
    Flood = "flood",
    /// Announces a win, whatever the position.
    FalseWin = "false-win",
    /// A line of play with an illegal move.
    BadPv = "bad-pv",
    /// A line of play that begins with another move than the one played.
    PvNotBest = "pv-not-best",
    /// Plays a move that has several paths, if there is one, by another path than that in its line of
    /// play.
    OtherPath = "other-path",
    /// No `info` line.
    NoInfo = "no-info",
    /// An `info` line that does not read.
    BadInfo = "bad-info",
    /// Bytes that are no text before everything that it says.
    Binary = "binary",
    /// Answers twice.
    Twice = "twice",
    /// Takes N milliseconds for each move.
    Delay = "delay",
    /// Declares the option `Ponder` and thinks on the opponent's time. Expects
    /// the first legal move as the reply.
    Ponder = "ponder",

    // Leaving.
    /// Ends in good order when it has answered at move N.
    Leave = "leave",
    /// Lives on after `quit` and after the end of its input.
    IgnoreQuit = "ignore-quit",
    /// Starts a process of its own, which shares its output.
    SpawnChild = "spawn-child",
    /// What the former starts: no engine, a process that does nothing.
    Sleeper = "sleeper",
}

//! What costs an engine the game, and nothing else.

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, MatchFiles, MatchRun, Proto, assert_pgn_agrees};
use crate::timed_trial;

/// The moves that engines play before they misbehave: all of them do so at move 3.
const BEFORE: usize = 2;

/// Games of each match.
const GAMES: u32 = 4;

/// Something that an engine does, and what is to come of it.
#[derive(Clone, Copy, Debug)]
struct Fault {
    behaviour: &'static str,
    /// What the faulty engine is told about time.
    limit: &'static str,
    /// How long the match runner waits, where it waits in vain.
    patience: &'static str,
    termination: &'static str,
    /// Words of the reason.
    reason: &'static [&'static str],
    /// Words of the line that shows it; `None`: there is no such line.
    line: Option<&'static str>,
}

impl Fault {
    const fn new(
        behaviour: &'static str,
        limit: &'static str,
        termination: &'static str,
        reason: &'static [&'static str],
        line: Option<&'static str>,
    ) -> Fault {
        Fault {
            behaviour,
            limit,
            patience: "",
            termination,
            reason,
            line,
        }
    }

    /// The match runner waits no longer than that.
    const fn with_patience(self, patience: &'static str) -> Fault {
        Fault { patience, ..self }
    }

    /// Whether the engine is started anew after it.
    fn costs_the_process(&self) -> bool {
        !["time-loss", "illegal-move"].contains(&self.termination)
    }
}

/// No time limits the move but `--move-timeout`.
const NODES: &str = "nodes=100";

/// A clock that is soon over. An honest move fits in, unless the machine stands still.
const CLOCK: &str = "tc=1+1";

/// A fixed time of that kind.
const FIXED: &str = "st=1";

/// The line of a late answer.
const LATE: Option<&str> = Some("bestmove ");

const CRASH: Fault = Fault::new(
    "crash:3",
    NODES,
    "crash",
    &["crashed", "exit", "3", LAST_WORDS],
    None,
);

#[cfg(unix)]
const UNIX_CRASHES: [Fault; 3] = [
    // Its output stays open: the child has it.
    Fault {
        behaviour: "crash:3+spawn-child",
        ..CRASH
    },
    Fault::new("abort:3", NODES, "crash", &["crashed", "signal"], None),
    Fault::new(
        "close-output:3",
        NODES,
        "crash",
        &["closed its output"],
        None,
    ),
];

#[cfg(not(unix))]
const UNIX_CRASHES: [Fault; 0] = [];

const SILENCES: [Fault; 8] = [
    Fault::new("hang:3", NODES, "hang", &["no bestmove"], None)
        .with_patience("--move-timeout 1 --hang-timeout 1.5"),
    Fault::new("hang:3", CLOCK, "hang", &["no bestmove"], None).with_patience("--hang-timeout 1.5"),
    Fault::new(
        "wait-for-stop:3",
        NODES,
        "time-loss",
        &["more than 1.000 s"],
        LATE,
    )
    .with_patience("--move-timeout 1"),
    Fault::new(
        "wait-for-stop:3",
        CLOCK,
        "time-loss",
        &["on time", " of "],
        LATE,
    ),
    Fault::new(
        "wait-for-stop:3",
        FIXED,
        "time-loss",
        &["on time", "of 1.000 s"],
        LATE,
    ),
    Fault::new(
        "late-after-stop:3",
        CLOCK,
        "time-loss",
        &["on time", " of "],
        LATE,
    ),
    Fault::new(
        "slow:3",
        FIXED,
        "time-loss",
        &["on time", "of 1.000 s"],
        LATE,
    ),
    Fault::new(
        "slow:3",
        "tc=9/1.5",
        "time-loss",
        &["on time", " of "],
        LATE,
    ),
];

const WORDS: [Fault; 4] = [
    Fault::new(
        "garbage:3",
        NODES,
        "unparsable-answer",
        &["no move", "pass"],
        Some("bestmove pass"),
    ),
    Fault::new(
        "bare:3",
        NODES,
        "unparsable-answer",
        &["bestmove", "missing"],
        Some("bestmove"),
    ),
    Fault::new(
        "illegal:3",
        NODES,
        "illegal-move",
        &["illegal move", "; position "],
        Some("bestmove "),
    ),
    Fault::new(
        "no-move:3",
        NODES,
        "illegal-move",
        &["no move"],
        Some("bestmove 0000"),
    ),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for fault in [CRASH].into_iter().chain(UNIX_CRASHES).chain(WORDS) {
        for proto in Proto::BOTH {
            trials.push(losing(fault, proto));
        }
    }
    // These take their time, so that each is tried in one language only.
    for (fault, proto) in SILENCES.into_iter().zip(Proto::BOTH.into_iter().cycle()) {
        trials.push(losing(fault, proto));
    }
    trials
}

fn losing(fault: Fault, proto: Proto) -> Trial {
    let Fault {
        behaviour, limit, ..
    } = fault;
    let name = format!("losing: {behaviour} with {limit} in {}", proto.name());
    timed_trial(name, move || lose(&fault, proto))
}

fn lose(fault: &Fault, proto: Proto) {
    let files = MatchFiles::new();
    let told = files.subfolder("told");
    let faulty = Contender::new("Faulty", fault.behaviour)
        .transcripts(&told)
        .proto(proto)
        .with(fault.limit);
    let steady = Contender::new("Steady", "honest").seed(1).with("tc=60+1");
    let ended = MatchRun::new(&files, [&faulty, &steady])
        .args("--openings riatra --concurrency 2")
        .args(&format!("--games {GAMES}"))
        .args(fault.patience)
        .play_well();

    let record = files.record();
    record.assert_games(GAMES);
    for game in &record.games {
        assert_eq!(game.termination, fault.termination, "{}", game.reason);
        assert_eq!(game.moves_of("Faulty").count(), BEFORE, "{}", game.reason);
        assert_eq!(game.winner.as_deref(), Some("Steady"));
        let result = if game.white == "Steady" { "1-0" } else { "0-1" };
        assert_eq!(game.result, result);
        for word in ["Faulty"].iter().chain(fault.reason) {
            assert!(
                game.reason.contains(word),
                "no '{word}' in: {}",
                game.reason
            );
        }
        if let Some(words) = fault.line {
            let line = game.line.as_deref().expect("the line that shows it");
            assert!(line.starts_with(words), "{line}");
        } else {
            assert_eq!(game.line, None);
        }
    }
    assert_pgn_agrees(&files);
    ended.assert_score(&record, "Faulty");
    let words = format!("{GAMES} games lost by faults");
    ended.assert_summary(&[&words]);

    let processes = files.transcripts(&told).len();
    if fault.costs_the_process() {
        assert_eq!(processes, GAMES as usize, "a process for each game");
    } else {
        assert!(
            processes <= 2,
            "{processes} processes for 2 games at a time"
        );
    }
}

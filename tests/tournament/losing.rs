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
    /// Words of the reason, with commas between them.
    reason: &'static str,
    /// How the line that shows it begins; `none`: there is no such line.
    line: &'static str,
}

impl Fault {
    /// A row of a table below, whose cells are the fields; `_` is a space at an end of words.
    fn of(row: &'static str) -> Fault {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [behaviour, limit, patience, termination, reason, line] = cells[..] else {
            panic!("{row}");
        };
        Fault {
            behaviour,
            limit,
            patience,
            termination,
            reason,
            line,
        }
    }

    /// Whether the engine is started anew after it.
    fn costs_the_process(&self) -> bool {
        !["time-loss", "illegal-move"].contains(&self.termination)
    }
}

// With `nodes` no time limits the move but `--move-timeout`; with `tc` it is a clock that is soon over, and with
// `st` a fixed time of that kind. An honest move fits in, unless the machine stands still.

const CRASHES_AND_WORDS: &str = "\
    crash:3      | nodes=100 | | crash             | crashed,exit,3,LAST_WORDS   | none
    garbage:3    | nodes=100 | | unparsable-answer | no move,skip                | bestmove skip
    bare:3       | nodes=100 | | unparsable-answer | bestmove,missing            | bestmove
    illegal:3    | nodes=100 | | illegal-move      | illegal move,;_position_    | bestmove_
    no-move:3    | nodes=100 | | illegal-move      | no move                     | bestmove 0000";

/// After the first its output stays open: the child has it.
#[cfg(unix)]
const UNIX_CRASHES: &str = "\
    crash:3+spawn-child | nodes=100 | | crash | crashed,exit,3,LAST_WORDS | none
    abort:3             | nodes=100 | | crash | crashed,signal            | none
    close-output:3      | nodes=100 | | crash | closed its output         | none";

#[cfg(not(unix))]
const UNIX_CRASHES: &str = "";

const SILENCES: &str = "\
    hang:3            | nodes=100 | --move-timeout 1 --hang-timeout 1.5 | hang | no bestmove | none
    hang:3            | tc=1+1    | --hang-timeout 1.5 | hang      | no bestmove          | none
    wait-for-stop:3   | nodes=100 | --move-timeout 1   | time-loss | more than 1.000 s    | bestmove_
    wait-for-stop:3   | tc=1+1    |                    | time-loss | on time,_of_         | bestmove_
    wait-for-stop:3   | st=1      |                    | time-loss | on time,of 1.000 s   | bestmove_
    late-after-stop:3 | tc=1+1    |                    | time-loss | on time,_of_         | bestmove_
    slow:3            | st=1      |                    | time-loss | on time,of 1.000 s   | bestmove_
    slow:3            | tc=9/1.5  |                    | time-loss | on time,_of_         | bestmove_";

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for fault in CRASHES_AND_WORDS.lines().chain(UNIX_CRASHES.lines()) {
        for proto in Proto::BOTH {
            trials.push(losing(Fault::of(fault), proto));
        }
    }
    // These take their time, so that each is tried in one language only.
    for (fault, proto) in SILENCES.lines().zip(Proto::BOTH.into_iter().cycle()) {
        trials.push(losing(Fault::of(fault), proto));
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
        let spaced = |word: &str| word.replace('_', " ").replace("LAST WORDS", LAST_WORDS);
        for word in fault
            .reason
            .split(',')
            .map(spaced)
            .chain(["Faulty".to_owned()])
        {
            assert!(
                game.reason.contains(&word),
                "no '{word}' in: {}",
                game.reason
            );
        }
        let line = game.line.as_deref().unwrap_or("none");
        assert!(line.starts_with(&spaced(fault.line)), "{line}");
        assert!(fault.line != "none" || game.line.is_none(), "{line}");
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

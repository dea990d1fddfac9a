//! What costs an engine the game, and nothing else.

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, MatchFiles, Proto};
use crate::timed_trial;

/// The moves that engines play before they misbehave: all of them do so at move 3.
const BEFORE: usize = 2;

/// Games of each match.
const GAMES: u32 = 4;

/// A behaviour, what the engine is told about time, how long the runner waits where it waits in vain, the termination,
/// words of the reason with commas between them, how the line that shows it begins (`none`: there is no such line).
/// `_` is a space at an end of words.
///
/// With `nodes` no time limits the move but `--move-timeout`; with `tc` it is a clock that is soon over, and with `st`
/// a fixed time of that kind. An honest move fits in, unless the machine stands still.
const FAULTS: &str = "\
    crash:3           | nodes=100 | | crash             | crashed,exit,3,LAST_WORDS   | none
    garbage:3         | nodes=100 | | unparsable-answer | no move,skip                | bestmove skip
    bare:3            | nodes=100 | | unparsable-answer | bestmove,missing            | bestmove
    illegal:3         | nodes=100 | | illegal-move      | illegal move,;_position_    | bestmove_
    no-move:3         | nodes=100 | | illegal-move      | no move                     | bestmove 0000
    resign:3          | nodes=100 | | resignation       | resigns                     | none
    hang:3            | nodes=100 | --move-timeout 1 --hang-timeout 1.5 | hang | no bestmove | none
    hang:3            | tc=1+1    | --hang-timeout 1.5 | hang      | no bestmove          | none
    wait-for-stop:3   | nodes=100 | --move-timeout 1   | time-loss | more than 1.000 s    | bestmove_
    wait-for-stop:3   | tc=1+1    |                    | time-loss | on time,_of_         | bestmove_
    wait-for-stop:3   | st=1      |                    | time-loss | on time,of 1.000 s   | bestmove_
    late-after-stop:3 | tc=1+1    |                    | time-loss | on time,_of_         | bestmove_
    slow:3            | st=1      |                    | time-loss | on time,of 1.000 s   | bestmove_
    slow:3            | tc=9/1.5  |                    | time-loss | on time,_of_         | bestmove_";

/// After the first its output stays open: the child has it. When the second thinks on the opponent's time it has
/// played two moves, too.
const CRASHES: &str = "\
    crash:3+spawn-child      | nodes=100             | | crash | crashed,exit,3,LAST_WORDS | none
    ponder+crash-pondering:3 | tc=60+1,ponder=true   | | crash | crashed,LAST_WORDS        | none
    abort:3                  | nodes=100             | | crash | crashed,signal            | none
    close-output:3           | nodes=100             | | crash | closed its output         | none";

pub fn trials() -> Vec<Trial> {
    let crashes = if cfg!(unix) { CRASHES } else { "" };
    let faults = FAULTS.lines().chain(crashes.lines());
    let protos = Proto::BOTH.into_iter().cycle();
    faults
        .zip(protos)
        .map(|(row, proto)| losing(row, proto))
        .collect()
}

fn losing(row: &'static str, proto: Proto) -> Trial {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let [behaviour, limit, patience, termination, reason, line] = cells[..] else {
        panic!("{row}");
    };
    let name = format!("losing: {behaviour} with {limit} in {}", proto.name());
    timed_trial(name, move || {
        let files = MatchFiles::new();
        let told = files.subfolder("told");
        let faulty = Contender::new("Faulty", behaviour)
            .transcripts(&told)
            .proto(proto)
            .with(limit);
        let steady = Contender::new("Steady", "honest").seed(1).with("tc=60+1");
        let options = format!("--openings riatra --concurrency 2 --games {GAMES} {patience}");
        let (record, ended) = files.play([&faulty, &steady], &options);
        record.assert_games(GAMES);
        let spaced = |word: &str| word.replace('_', " ").replace("LAST WORDS", LAST_WORDS);
        for game in &record.games {
            assert_eq!(game.termination, termination, "{}", game.reason);
            assert_eq!(game.moves_of("Faulty").count(), BEFORE, "{}", game.reason);
            assert_eq!(game.winner.as_deref(), Some("Steady"));
            for word in reason.split(',').map(spaced).chain(["Faulty".to_owned()]) {
                assert!(
                    game.reason.contains(&word),
                    "no '{word}' in: {}",
                    game.reason
                );
            }
            let shown = game.line.as_deref().unwrap_or("none");
            assert!(shown.starts_with(&spaced(line)), "{shown}");
        }
        ended.assert_score(&record, "Faulty");
        let is_fault = termination != "resignation";
        let faults = format!("{GAMES} games lost by faults");
        ended.assert_summary(&[if is_fault {
            &*faults
        } else {
            "faults       none"
        }]);

        let processes = files.transcripts(&told).len();
        if ["time-loss", "illegal-move", "resignation"].contains(&termination) {
            assert!(
                processes <= 2,
                "{processes} processes for 2 games at a time"
            );
        } else {
            assert_eq!(processes, GAMES as usize, "a process for each game");
        }
    })
}

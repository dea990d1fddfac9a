//! Thinking on the opponent's time.
//!
//! The engines check that what they are told comes in a legal order; one that is
//! told `position` while it thinks, or `ponderhit` while it does not, ends.

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, MatchFiles, MatchRun, Proto, Record, assert_pgn_agrees};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for proto in Proto::BOTH {
        let mut add = |what: &str, test: fn(Proto)| {
            let name = format!("pondering: {what} in {}", proto.name());
            trials.push(timed_trial(name, move || test(proto)));
        };
        add("every reply is expected", every_reply_expected);
        add("most replies are not expected", most_replies_unexpected);
        add("engines that are not asked to do not", not_asked);
        add("a crash meanwhile loses", crash_meanwhile);
    }
    trials
}

/// Plays two games with a thinker that expects the first legal reply, and returns what it was told.
fn play(proto: Proto, opponent: &Contender, keys: &str) -> (Record, Vec<String>) {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let thinker = Contender::new("Thinker", "ponder")
        .seed(1)
        .proto(proto)
        .transcripts(&folder)
        .with(keys);
    MatchRun::new(&files, [&thinker, opponent])
        .args("--each tc=60+1 --games 2 --openings riatra --concurrency 1")
        .play_well();
    let record = files.record();
    record.assert_games(2);
    record.assert_faultless();
    assert_pgn_agrees(&files);
    let mut transcripts = files.transcripts(&folder);
    assert_eq!(transcripts.len(), 1);
    (record, transcripts.remove(0))
}

fn count(commands: &[String], begins: &str) -> usize {
    let mut lines = commands.iter().filter(|line| line.starts_with(begins));
    lines.by_ref().count()
}

fn pondered(record: &Record) -> usize {
    let of_thinker = |game| crate::runner::Game::moves_of(game, "Thinker");
    let moves = record.games.iter().flat_map(of_thinker);
    moves.filter(|mv| mv.pondered).count()
}

fn every_reply_expected(proto: Proto) {
    let obvious = Contender::new("Obvious", "honest");
    let (record, commands) = play(proto, &obvious, "ponder=true");
    assert_eq!(count(&commands, "setoption name Ponder value true"), 1);
    let moves: usize = record
        .games
        .iter()
        .map(|game| game.moves_of("Thinker").count())
        .sum();
    // Nobody has thought before the first move of a game, and every other was expected.
    let hits = moves - 2;
    assert!(hits > 10, "games that are long enough");
    assert_eq!(count(&commands, "ponderhit"), hits);
    assert_eq!(pondered(&record), hits);
    assert_eq!(count(&commands, "go "), count(&commands, "go ponder ") + 2);
    // At the end of a game it may have been thinking about a move that never came.
    assert!(count(&commands, "stop") <= 2);
}

fn most_replies_unexpected(proto: Proto) {
    let random = Contender::new("Random", "honest").seed(3);
    let (record, commands) = play(proto, &random, "ponder=true");
    let begun = count(&commands, "go ponder ");
    let hits = count(&commands, "ponderhit");
    assert!(begun > 10 && hits > 0 && hits < begun, "{hits} of {begun}");
    // Every one of them is ended once.
    assert_eq!(count(&commands, "stop"), begun - hits);
    assert_eq!(pondered(&record), hits);
    // The position is that after the reply that is expected: one move more than was played.
    let words = |line: &String| line.split_whitespace().count();
    let told: Vec<&String> = commands
        .iter()
        .filter(|line| line.starts_with("position") || line.starts_with("go"))
        .collect();
    for pair in told.chunks(4) {
        if let [own, search, ahead, ponder] = pair
            && !search.contains("ponder")
            && ponder.contains("ponder")
        {
            assert_eq!(words(ahead), words(own) + 2, "{own} and then {ahead}");
        }
    }
}

fn not_asked(proto: Proto) {
    let random = Contender::new("Random", "honest").seed(3);
    let (_, commands) = play(proto, &random, "ponder=false");
    for words in ["setoption name Ponder", "go ponder", "ponderhit", "stop"] {
        assert_eq!(count(&commands, words), 0, "{words}");
    }
}

fn crash_meanwhile(proto: Proto) {
    let files = MatchFiles::new();
    let thinker = Contender::new("Thinker", "ponder+crash-pondering:3")
        .seed(1)
        .proto(proto)
        .with("ponder=true");
    let plain = Contender::new("Plain", "honest").seed(2);
    MatchRun::new(&files, [&thinker, &plain])
        .args("--each tc=60+1 --games 2 --openings riatra --concurrency 1")
        .play_well();
    let record = files.record();
    record.assert_games(2);
    for game in &record.games {
        assert_eq!(game.termination, "crash", "{}", game.reason);
        assert_eq!(game.winner.as_deref(), Some("Plain"));
        assert!(game.reason.contains(LAST_WORDS), "{}", game.reason);
        assert_eq!(game.moves_of("Thinker").count(), 2);
    }
    assert_pgn_agrees(&files);
}

//! Thinking on the opponent's time.
//!
//! The engines check that what they are told comes in a legal order; one that is
//! told `position` while it thinks, or `ponderhit` while it does not, ends.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, Proto, Record};
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
        add("stop is not obeyed", stop_not_obeyed);
    }
    trials
}

/// Two games of a thinker that expects the first legal reply, and what it was told.
struct Played {
    record: Record,
    commands: Vec<String>,
}

impl Played {
    fn new(proto: Proto, opponent: &Contender, keys: &str) -> Played {
        let files = MatchFiles::new();
        let folder = files.subfolder("told");
        let thinker = Contender::new("Thinker", "ponder")
            .seed(1)
            .proto(proto)
            .with(keys);
        let options = "--each tc=60+1 --games 2 --openings riatra --concurrency 1";
        let (record, _) = files.play([&thinker.transcripts(&folder), opponent], options);
        record.assert_games(2);
        record.assert_faultless();
        let mut transcripts = files.transcripts(&folder);
        assert_eq!(transcripts.len(), 1);
        Played {
            record,
            commands: transcripts.remove(0),
        }
    }

    /// Commands that begin with these words.
    fn count(&self, begins: &str) -> usize {
        self.commands
            .iter()
            .filter(|line| line.starts_with(begins))
            .count()
    }

    /// Moves of the thinker, and those of them that it has thought about before.
    fn moves(&self) -> [usize; 2] {
        let moves = || {
            self.record
                .games
                .iter()
                .flat_map(|game| game.moves_of("Thinker"))
        };
        [moves().count(), moves().filter(|mv| mv.pondered).count()]
    }
}

fn every_reply_expected(proto: Proto) {
    let played = Played::new(proto, &Contender::new("Obvious", "honest"), "ponder=true");
    assert_eq!(played.count("setoption name Ponder value true"), 1);
    // Nobody has thought before the first move of a game, and every other was expected.
    let [moves, hits] = played.moves();
    assert!(hits > 10 && hits == moves - 2, "{hits} of {moves}");
    assert_eq!(played.count("ponderhit"), hits);
    assert_eq!(played.count("go "), played.count("go ponder ") + 2);
    // At the end of a game it may have been thinking about a move that never came.
    assert!(played.count("stop") <= 2);
}

fn most_replies_unexpected(proto: Proto) {
    let played = Played::new(
        proto,
        &Contender::new("Random", "honest").seed(3),
        "ponder=true",
    );
    let [begun, hits] = ["go ponder ", "ponderhit"].map(|words| played.count(words));
    assert!(begun > 10 && hits > 0 && hits < begun, "{hits} of {begun}");
    // Every one of them is ended once.
    assert_eq!(played.count("stop"), begun - hits);
    assert_eq!(played.moves()[1], hits);
    // The position is that after the reply that is expected: one move more than was played.
    let words = |line: &String| line.split_whitespace().count();
    let is_told = |line: &&String| line.starts_with("position") || line.starts_with("go");
    let told: Vec<&String> = played.commands.iter().filter(is_told).collect();
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
    let played = Played::new(
        proto,
        &Contender::new("Random", "honest").seed(3),
        "ponder=false",
    );
    for words in ["setoption name Ponder", "go ponder", "ponderhit", "stop"] {
        assert_eq!(played.count(words), 0, "{words}");
    }
}

/// It is told once, and has one timeout.
fn stop_not_obeyed(proto: Proto) {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let deaf = Contender::new("Deaf", "ponder+ignore-stop")
        .proto(proto)
        .with("ponder=true");
    let random = Contender::new("Random", "honest").seed(3);
    let options = "--each tc=60+1 --games 2 --openings riatra --hang-timeout 1.5";
    let (record, _) = files.play([&deaf.transcripts(&folder), &random], options);
    for game in &record.games {
        assert_eq!(game.termination, "hang", "{}", game.reason);
        let is_told = game.reason.contains("no bestmove after 1.5 s");
        assert!(is_told, "{}", game.reason);
    }
    let told = files.transcripts(&folder).concat();
    let stops = told.iter().filter(|line| *line == "stop").count();
    assert_eq!((record.games.len(), stops), (2, 2));
}

//! What engines are told about their time, word by word.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun, Proto};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for proto in Proto::BOTH {
        let mut add = |what: &str, test: fn(Proto)| {
            let name = format!("time controls: {what} in {}", proto.name());
            trials.push(timed_trial(name, move || test(proto)));
        };
        add("a clock with increment", clock_with_increment);
        add("moves in a time", moves_in_a_time);
        add("a fixed time", fixed_time);
        add("nodes and depth", nodes_and_depth);
        add("a clock and a depth", clock_and_depth);
        add("each its own", each_its_own);
        add("the order of commands", order_of_commands);
    }
    trials
}

/// Plays two games and returns the commands of the engine whose `keys` they are, for both.
fn commands(proto: Proto, keys: &str) -> Vec<String> {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let told = Contender::new("Told", "honest")
        .seed(1)
        .proto(proto)
        .transcripts(&folder)
        .with(keys);
    let plain = Contender::new("Plain", "honest").seed(2).with("tc=30+1");
    MatchRun::new(&files, [&told, &plain])
        .args("--games 2 --openings riatra --order sequential --concurrency 1 --max-plies 15")
        .play_well();
    files.record().assert_games(2);
    for game in &files.record().games {
        assert_eq!(game.termination, "adjudicated-length", "{}", game.reason);
    }
    let mut transcripts = files.transcripts(&folder);
    assert_eq!(transcripts.len(), 1);
    transcripts.remove(0)
}

/// The `go` lines, without that word.
fn searches(commands: &[String]) -> Vec<Search> {
    let searches: Vec<Search> = commands
        .iter()
        .filter_map(|line| line.strip_prefix("go"))
        .map(Search::read)
        .collect();
    // Black has seven moves of its own in 15 plies, White as many: one is the book's.
    assert_eq!(searches.len(), 14);
    searches
}

/// `go`, as pairs of a word and a number.
#[derive(Debug)]
struct Search(Vec<(String, i64)>);

impl Search {
    fn read(text: &str) -> Search {
        let words: Vec<&str> = text.split_whitespace().collect();
        let pair = |pair: &[&str]| match *pair {
            [word, number] => (word.to_owned(), number.parse().expect("a number")),
            _ => panic!("a word without a number in '{text}'"),
        };
        Search(words.chunks(2).map(pair).collect())
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(word, _)| word.as_str()).collect()
    }

    fn number(&self, name: &str) -> i64 {
        let pair = self.0.iter().find(|(word, _)| word == name);
        pair.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }
}

/// White's time, Black's time, White's increment, Black's increment.
fn clock_words(proto: Proto) -> [&'static str; 4] {
    match proto {
        Proto::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        Proto::Uci => ["wtime", "btime", "winc", "binc"],
    }
}

fn clock_with_increment(proto: Proto) {
    let commands = commands(proto, "tc=30+1");
    let [white, black, white_increment, black_increment] = clock_words(proto);
    let searches = searches(&commands);
    for search in &searches {
        assert_eq!(
            search.names(),
            [white, black, white_increment, black_increment]
        );
        assert_eq!(search.number(white_increment), 1000);
        assert_eq!(search.number(black_increment), 1000);
        // What was used is far less than what was added.
        for time in [white, black] {
            assert!(
                (25_000..=30_000 + 8 * 1000).contains(&search.number(time)),
                "{search:?}"
            );
        }
    }
    // The first search of each game; White has played a move of the book in no time.
    for search in [&searches[0], &searches[7]] {
        assert_eq!(search.number(white), 30_000, "{search:?}");
    }
}

fn moves_in_a_time(proto: Proto) {
    let commands = commands(proto, "tc=3/20");
    let searches = searches(&commands);
    let to_go: Vec<i64> = searches
        .iter()
        .map(|search| search.number("movestogo"))
        .collect();
    let of_a_game = [3, 2, 1, 3, 2, 1, 3];
    assert_eq!(to_go, of_a_game.repeat(2));
    let [white, ..] = clock_words(proto);
    // As White in the first game: the time comes again with every third move.
    let given = [20_000, 20_000, 20_000, 40_000, 40_000, 40_000, 60_000];
    for (search, given) in searches.iter().zip(given) {
        let time = search.number(white);
        assert!((given - 5_000..=given).contains(&time), "{search:?}");
    }
}

fn fixed_time(proto: Proto) {
    for search in searches(&commands(proto, "st=25.5")) {
        assert_eq!(search.0, [("movetime".to_owned(), 25_500)]);
    }
}

fn nodes_and_depth(proto: Proto) {
    for search in searches(&commands(proto, "nodes=5000,depth=7")) {
        assert_eq!(search.0.len(), 2);
        assert_eq!((search.number("nodes"), search.number("depth")), (5000, 7));
    }
}

fn clock_and_depth(proto: Proto) {
    let [white, black, white_increment, black_increment] = clock_words(proto);
    for search in searches(&commands(proto, "tc=30+1,depth=7")) {
        let names = [white, black, white_increment, black_increment, "depth"];
        assert_eq!(search.names(), names);
        assert_eq!(search.number("depth"), 7);
    }
}

/// An engine with a clock is told that of the other too; one without is told of none.
fn each_its_own(proto: Proto) {
    let files = MatchFiles::new();
    let [clock, depth] = ["clock", "depth"].map(|name| files.subfolder(name));
    let timed = Contender::new("Timed", "honest")
        .proto(proto)
        .transcripts(&clock)
        .with("tc=40+2");
    let deep = Contender::new("Deep", "honest")
        .proto(proto)
        .transcripts(&depth)
        .with("depth=3");
    MatchRun::new(&files, [&timed, &deep])
        .args("--games 2 --openings riatra --order sequential --concurrency 1 --max-plies 15")
        .play_well();
    let [timed, deep] = [clock, depth].map(|folder| searches(&files.transcripts(&folder)[0]));
    let [white, black, white_increment, black_increment] = clock_words(proto);
    for (index, search) in timed.iter().enumerate() {
        // It is White in the first game.
        let (time, increment) = if index < 7 {
            (white, white_increment)
        } else {
            (black, black_increment)
        };
        assert_eq!(search.names(), [time, increment]);
        assert!(
            (35_000..=60_000).contains(&search.number(time)),
            "{search:?}"
        );
        assert_eq!(search.number(increment), 2000);
    }
    for search in deep {
        assert_eq!(search.names(), ["depth"]);
    }
}

/// The engine checks at every command that it belongs where it comes; here they are counted.
fn order_of_commands(proto: Proto) {
    let commands = commands(proto, "nodes=1,option.Hash=32");
    assert_eq!(commands[0], proto.name());
    let new_game = format!("{}newgame", proto.name());
    let count = |line: &str| commands.iter().filter(|other| *other == line).count();
    assert_eq!(count(&new_game), 2);
    assert_eq!(count("setoption name Hash value 32"), 1);
    assert_eq!(count("go nodes 1"), 14);
    assert_eq!(commands.last().map(String::as_str), Some("quit"));
    let first = commands.iter().find(|line| line.starts_with("position"));
    let first = first.expect("a position");
    assert!(
        first.starts_with("position startpos moves e2-e3A "),
        "{first}"
    );
}

//! What engines are told about their time, word by word.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, Proto};
use crate::timed_trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for proto in Proto::BOTH {
        // What was used is far less than what was added.
        let [white, black, white_inc, black_inc] = clock_words(proto);
        let clock =
            format!("go {white} 25000-38000 {black} 25000-38000 {white_inc} 1000 {black_inc} 1000");
        for (keys, other, wanted) in [
            ("tc=30+1", "tc=30+1", clock.clone()),
            ("tc=30+1,depth=7", "tc=30+1", format!("{clock} depth 7")),
            ("st=25.5", "tc=30+1", "go movetime 25500".to_owned()),
            (
                "nodes=5000,depth=7",
                "tc=30+1",
                "go depth 7 nodes 5000".to_owned(),
            ),
            ("depth=3", "tc=30+1", "go depth 3".to_owned()),
        ] {
            let name = format!("time controls: {keys} in {}", proto.name());
            trials.push(timed_trial(name, move || {
                let commands = commands(proto, keys, other);
                let searches = searches(&commands);
                searches.iter().for_each(|told| assert_is(told, &wanted));
            }));
        }
        let mut add = |what: &str, test: fn(Proto)| {
            let name = format!("time controls: {what} in {}", proto.name());
            trials.push(timed_trial(name, move || test(proto)));
        };
        add("the first moves", first_moves);
        add("moves in a time", moves_in_a_time);
        add("a clock of one side", clock_of_one_side);
        add("the order of commands", order_of_commands);
    }
    trials
}

/// Plays two games and returns the commands of the engine whose `keys` they are, for both.
fn commands(proto: Proto, keys: &str, other: &str) -> Vec<String> {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let told = Contender::new("Told", "honest")
        .seed(1)
        .proto(proto)
        .with(keys);
    let plain = Contender::new("Plain", "honest").seed(2).with(other);
    let options = "--games 2 --openings riatra --order sequential --concurrency 1 --max-plies 15";
    let (record, _) = files.play([&told.transcripts(&folder), &plain], options);
    record.assert_games(2);
    for game in &record.games {
        assert_eq!(game.termination, "adjudicated-length", "{}", game.reason);
    }
    let mut transcripts = files.transcripts(&folder);
    assert_eq!(transcripts.len(), 1);
    transcripts.remove(0)
}

/// The `go` lines: Black has seven moves of its own in 15 plies, White as many, as one is the book's.
fn searches(commands: &[String]) -> Vec<&str> {
    let searches = commands.iter().filter(|line| line.starts_with("go"));
    let searches: Vec<&str> = searches.map(String::as_str).collect();
    assert_eq!(searches.len(), 14);
    searches
}

/// Requires these words; `A-B` is a number from A to B.
fn assert_is(told: &str, wanted: &str) {
    let is = |(told, wanted): (&str, &str)| match wanted.split_once('-') {
        Some((least, most)) => {
            let [number, least, most] = [told, least, most].map(|text| text.parse::<i64>().ok());
            number.is_some() && (least..=most).contains(&number)
        }
        None => told == wanted,
    };
    let count = |text: &str| text.split(' ').count();
    let same = told.split(' ').zip(wanted.split(' ')).all(is) && count(told) == count(wanted);
    assert!(same, "{told}, wanted {wanted}");
}

/// White's time, Black's time, White's increment, Black's increment.
fn clock_words(proto: Proto) -> [&'static str; 4] {
    match proto {
        Proto::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        Proto::Uci => ["wtime", "btime", "winc", "binc"],
    }
}

/// White has played a move of the book in no time.
fn first_moves(proto: Proto) {
    let commands = commands(proto, "tc=30+1", "tc=30+1");
    let searches = searches(&commands);
    let wanted = format!("go {} 30000 ", clock_words(proto)[0]);
    for search in [searches[0], searches[7]] {
        assert!(search.starts_with(&wanted), "{search}");
    }
}

/// The time comes again with every third move; the engine is White in the first game.
fn moves_in_a_time(proto: Proto) {
    let commands = commands(proto, "tc=3/20", "nodes=1");
    let [white, black, white_inc, black_inc] = clock_words(proto);
    for (number, search) in searches(&commands).iter().enumerate() {
        let (time, increment) = if number < 7 {
            (white, white_inc)
        } else {
            (black, black_inc)
        };
        let (before, to_go) = (number % 7 / 3, 3 - number % 7 % 3);
        let given = 20_000 * (1 + before);
        let least = given - 5_000;
        assert_is(
            search,
            &format!("go {time} {least}-{given} {increment} 0 movestogo {to_go}"),
        );
    }
}

/// An engine with a clock is told its own, and none of an engine that has none.
fn clock_of_one_side(proto: Proto) {
    let commands = commands(proto, "tc=40+2", "depth=3");
    let [white, black, white_inc, black_inc] = clock_words(proto);
    for (index, search) in searches(&commands).iter().enumerate() {
        // It is White in the first game.
        let [time, increment] = if index < 7 {
            [white, white_inc]
        } else {
            [black, black_inc]
        };
        assert_is(search, &format!("go {time} 35000-60000 {increment} 2000"));
    }
}

/// The engine checks at every command that it belongs where it comes; here they are counted.
fn order_of_commands(proto: Proto) {
    let commands = commands(proto, "nodes=1,option.Hash=32", "nodes=1");
    assert_eq!(commands[0], proto.name());
    let new_game = format!("{}newgame", proto.name());
    for (line, wanted) in [
        (&*new_game, 2),
        ("setoption name Hash value 32", 1),
        ("go nodes 1", 14),
    ] {
        assert_eq!(
            commands.iter().filter(|other| *other == line).count(),
            wanted,
            "{line}"
        );
    }
    assert_eq!(commands.last().map(String::as_str), Some("quit"));
    let first = commands
        .iter()
        .find(|line| line.starts_with("position"))
        .expect("a position");
    assert!(
        first.starts_with("position startpos moves e2-e3A "),
        "{first}"
    );
}

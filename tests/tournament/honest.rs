//! Matches in which nothing goes wrong.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun, Proto};
use crate::{timed_trial, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("honest: all games are played in pairs", all_games_in_pairs),
        timed_trial("honest: no time is lost on the way", no_time_losses),
        trial("honest: odd names, and bytes that are no text", odd_names),
    ]
}

fn all_games_in_pairs() {
    let files = MatchFiles::new();
    let first = Contender::new("First", "honest").seed(1);
    let second = Contender::new("Second", "honest").seed(2).proto(Proto::Uci);
    let options = "--each nodes=1 --games 12 --openings riatra --order sequential --concurrency 2";
    let (record, ended) = files.play([&first, &second], options);
    record.assert_games(12);
    record.assert_faultless();
    let riatra = ["vakiloha", "havanana", "havia", "fohy", "kobaka"];
    for (number, game) in record.by_number() {
        let names = match number % 2 {
            1 => ["First", "Second"],
            _ => ["Second", "First"],
        };
        assert_eq!([&game.white, &game.black], names, "game {number}");
        assert_eq!(game.pair, number.div_ceil(2));
        assert_eq!(game.opening.name, riatra[(game.pair as usize - 1) % 5]);
        assert_eq!(game.checks.len(), 0, "{:?}", game.checks);
        let timed = game.moves.iter().all(|mv| mv.book != mv.time_ms.is_some());
        assert!(
            timed,
            "moves of engines have their time, those of the book have none"
        );
    }
    ended.assert_score(&record, "First");
}

/// The engines answer at once: whatever time is lost here is lost by the match runner.
fn no_time_losses() {
    let files = MatchFiles::new();
    let [first, second] =
        [3, 4].map(|seed| Contender::new(&format!("E{seed}"), "honest").seed(seed));
    let options = "--each tc=1+0.1 --games 10 --openings start --concurrency 1";
    let (record, _) = files.play([&first, &second], options);
    record.assert_faultless();
}

fn odd_names() {
    let files = MatchFiles::new();
    let [first, second] = [1, 2].map(|seed| Contender::nameless("odd-name+binary").seed(seed));
    let options = "--each nodes=1 --games 4 --openings start --concurrency 1 --rules dimy";
    let (record, ended) = files.play([&first, &second.proto(Proto::Uci)], options);
    record.assert_games(4);
    record.assert_faultless();
    let names = [&record.games[0].white, &record.games[0].black];
    assert_ne!(names[0], names[1]);
    for name in names {
        assert!(name.starts_with("The \"odd\" "), "{name}");
        assert!(!name.contains(char::is_control), "{name:?}");
    }
    let harmless = |text: &str| !text.contains('\u{1b}');
    assert!(
        harmless(&ended.stdout) && harmless(&ended.stderr),
        "{ended}"
    );
    // What was written can be read again.
    MatchRun::resume(&files.state()).play_well();
}

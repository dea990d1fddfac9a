//! Matches in which nothing goes wrong.

use libtest_mimic::Trial;

use crate::runner::{Contender, MatchFiles, MatchRun, Proto, assert_pgn_agrees};
use crate::{timed_trial, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("honest: all games are played in pairs", all_games_in_pairs),
        timed_trial("honest: no time is lost on the way", no_time_losses),
        trial(
            "honest: a match is the same every time",
            the_same_every_time,
        ),
        timed_trial(
            "honest: engines are started anew if that is wanted",
            restarted_engines,
        ),
        trial("honest: engines with the same odd name", odd_names),
        trial("honest: bytes that are no text do no harm", binary_output),
    ]
}

fn all_games_in_pairs() {
    let files = MatchFiles::new();
    let first = Contender::new("First", "honest").seed(1);
    let second = Contender::new("Second", "honest").seed(2).proto(Proto::Uci);
    let ended = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 12 --openings riatra --order sequential --concurrency 2")
        .play_well();

    let record = files.record();
    record.assert_games(12);
    record.assert_faultless();
    for game in record.games.iter() {
        assert_eq!(game.pair, game.game.div_ceil(2));
        let white = if game.game % 2 == 1 {
            "First"
        } else {
            "Second"
        };
        assert_eq!(game.white, white, "game {}", game.game);
        assert_ne!(game.white, game.black);
        assert_eq!(game.checks.len(), 0, "{:?}", game.checks);
        let timed = game.moves.iter().all(|mv| mv.book != mv.time_ms.is_some());
        assert!(
            timed,
            "the engines' moves have their time, those of the book have none"
        );
    }
    let openings: Vec<&str> = record
        .by_number()
        .values()
        .map(|game| game.opening.name.as_str())
        .collect();
    let riatra = [
        "vakiloha", "havanana", "havia", "fohy", "kobaka", "vakiloha",
    ];
    let wanted: Vec<&str> = riatra.into_iter().flat_map(|name| [name; 2]).collect();
    assert_eq!(openings, wanted);
    assert_pgn_agrees(&files);
    ended.assert_score(&record, "First");
}

fn no_time_losses() {
    let files = MatchFiles::new();
    // Instant answers: whatever time is lost here is lost by the match runner.
    let first = Contender::new("First", "honest").seed(3);
    let second = Contender::new("Second", "honest").seed(4);
    MatchRun::new(&files, [&first, &second])
        .args("--each tc=1+0.1 --games 10 --openings start --concurrency 1")
        .play_well();
    files.record().assert_faultless();
}

fn the_same_every_time() {
    let play = |concurrency: u32| {
        let files = MatchFiles::new();
        let first = Contender::new("First", "honest").seed(5);
        let second = Contender::new("Second", "honest").seed(6);
        MatchRun::new(&files, [&first, &second])
            .args("--each nodes=1 --games 6 --openings random --order random --seed 7")
            .args(&format!("--concurrency {concurrency}"))
            .play_well();
        files.record()
    };
    let [one, three] = [1, 3].map(play);
    three.assert_games(6);
    let same = one
        .by_number()
        .into_values()
        .map(|game| format!("{:?}", game.essence()))
        .eq(three
            .by_number()
            .into_values()
            .map(|game| format!("{:?}", game.essence())));
    assert!(same, "openings and games depend on the seed alone");
}

fn restarted_engines() {
    let files = MatchFiles::new();
    let [once, anew] = ["once", "anew"].map(|name| files.subfolder(name));
    let first = Contender::new("First", "honest").transcripts(&once);
    let second = Contender::new("Second", "honest")
        .transcripts(&anew)
        .with("restart=true");
    MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 3 --openings start --concurrency 1")
        .play_well();
    for (folder, wanted) in [(&once, 1), (&anew, 3)] {
        let transcripts = files.transcripts(folder);
        assert_eq!(transcripts.len(), wanted);
        for lines in transcripts {
            assert_eq!(
                lines.last().map(String::as_str),
                Some("quit"),
                "asked to leave"
            );
        }
    }
}

fn odd_names() {
    let files = MatchFiles::new();
    let [first, second] = [1, 2].map(|seed| Contender::nameless("odd-name").seed(seed));
    let ended = MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1 --rules dimy")
        .play_well();
    let record = files.record();
    record.assert_games(4);
    record.assert_faultless();
    let names = [&record.games[0].white, &record.games[0].black];
    assert_ne!(names[0], names[1]);
    for name in names {
        assert!(name.starts_with("The \"odd\" "), "{name}");
        assert!(!name.contains(char::is_control), "{name:?}");
    }
    assert_pgn_agrees(&files);
    let harmless = |text: &str| !text.contains('\u{1b}');
    assert!(
        harmless(&ended.stdout) && harmless(&ended.stderr),
        "{ended}"
    );
    // What was written can be read again.
    MatchRun::resume(&files.state()).play_well();
}

fn binary_output() {
    let files = MatchFiles::new();
    let first = Contender::new("First", "binary").seed(1);
    let second = Contender::new("Second", "honest").seed(2).proto(Proto::Uci);
    MatchRun::new(&files, [&first, &second])
        .args("--each nodes=1 --games 2 --openings start --concurrency 1 --rules dimy")
        .play_well();
    files.record().assert_games(2);
    files.record().assert_faultless();
    assert_pgn_agrees(&files);
}

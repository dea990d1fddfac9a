//! What is noted about an engine without costing it a game.

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, Proto, Record};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = trials!(
        trial,
        "checks",
        a_broken_promise_of_a_win,
        answers_that_nobody_has_asked_for,
        paths_with_the_same_result_are_one_move,
        late_answers_within_the_margin,
    );
    for (behaviour, check, words, proto) in [
        ("bad-pv", "illegal-pv", "pv ", Proto::Ugi),
        (
            "pv-not-best",
            "pv-without-bestmove",
            "bestmove ",
            Proto::Uci,
        ),
        ("no-info", "missing-info", "bestmove ", Proto::Ugi),
        ("bad-info", "unreadable-info", "info depth x", Proto::Uci),
    ] {
        trials.push(trial(format!("checks: {behaviour}"), move || {
            at_each_move(behaviour, check, words, proto);
        }));
    }
    trials
}

/// Plays a match of four games that are all decided by the rules.
fn play(odd: &Contender) -> (Record, Ended) {
    let plain = Contender::new("Plain", "honest").seed(2);
    let options = "--each nodes=1 --games 4 --openings start --concurrency 1 --rules dimy";
    let files = MatchFiles::new();
    let (record, ended) = files.play([odd, &plain], options);
    record.assert_games(4);
    record.assert_faultless();
    // What the games have is summed up for each engine.
    let json = MatchRun::resume(&files.state())
        .args("--json")
        .play_well()
        .json();
    let checks = json["engines"][0]["checks"].as_array().expect("checks");
    assert_eq!(checks.len(), 1);
    let check = checks[0]["check"].as_str().expect("a name");
    assert_eq!(checks[0]["count"], record.check_count("Odd", check));
    assert_eq!(json["engines"][1]["checks"], serde_json::json!([]));
    (record, ended)
}

fn at_each_move(behaviour: &str, check: &str, words: &str, proto: Proto) {
    let odd = Contender::new("Odd", &format!("{behaviour}:2"))
        .seed(1)
        .proto(proto);
    let (record, ended) = play(&odd);
    for game in &record.games {
        let moves = game.moves_of("Odd").count();
        let count = game.check_count("Odd", check);
        if behaviour == "pv-not-best" {
            // Where only one move is legal there is no other to begin with.
            assert!((1..moves).contains(&count), "{count} of {moves}");
        } else {
            assert_eq!(count, moves - 1, "all moves but the first");
        }
        assert_eq!(game.checks.len(), 1, "{:?}", game.checks);
        assert!(game.checks[0].example.contains(words), "{:?}", game.checks);
    }
    let count = format!("{} times", record.check_count("Odd", check));
    ended.assert_summary(&["advice ", &count, "game 1: "]);
}

fn a_broken_promise_of_a_win() {
    let (record, ended) = play(&Contender::new("Odd", "false-win").seed(2));
    for game in &record.games {
        let kept = game.winner.as_deref() == Some("Odd");
        let count = game.check_count("Odd", "broken-win-claim");
        assert_eq!(count, usize::from(!kept), "{}", game.reason);
    }
    // The seeds are such that it does not always win.
    let broken = record.check_count("Odd", "broken-win-claim");
    assert!(broken > 0);
    ended.assert_summary(&["advice ", &format!("{broken} times"), "mate 3"]);
}

fn answers_that_nobody_has_asked_for() {
    let (record, ended) = play(&Contender::new("Odd", "twice").seed(1));
    let moves = record.games.iter().map(|game| game.moves_of("Odd").count());
    // The one after its last move is never heard.
    let heard = moves.sum::<usize>() - 1;
    assert_eq!(record.check_count("Odd", "stray-answer"), heard);
    ended.assert_summary(&["advice ", &format!("{heard} times")]);
}

/// The record and the opponent have the path that was played.
fn paths_with_the_same_result_are_one_move() {
    let files = MatchFiles::new();
    let book = files.folder().join("book.fen");
    std::fs::write(&book, "bb2b4/1w7/3b5/3b5/8b w\n").expect("a file");
    let folder = files.subfolder("told");
    let odd = Contender::new("Odd", "other-path").seed(1);
    let plain = Contender::new("Plain", "honest").transcripts(&folder);
    let options = format!(
        "--each nodes=1 --games 2 --max-plies 4 --openings {}",
        book.display()
    );
    let (record, _) = files.play([&odd, &plain], &options);
    record.assert_games(2);
    assert!(record.games.iter().all(|game| game.checks.is_empty()));
    let mut games = record.games.iter();
    let of_odd = games
        .find(|game| game.white == "Odd")
        .expect("both colours");
    let played = &of_odd.moves[0].text;
    let paths = ["b4-c3A-d4A-d5W-c5A", "b4-c3W-d4A-d5W-c5A"];
    assert!(paths.contains(&played.as_str()), "{played}");
    let told = files.transcripts(&folder).concat();
    let ending = format!("moves {played}");
    assert!(told.iter().any(|line| line.ends_with(&ending)));
}

fn late_answers_within_the_margin() {
    let late = Contender::new("Late", "delay:5").with("st=0.001,timemargin=60000");
    let plain = Contender::new("Plain", "honest").with("st=60");
    let options = "--games 2 --openings start --max-plies 6";
    let (record, ended) = MatchFiles::new().play([&late, &plain], options);
    assert_eq!(record.check_count("Late", "late-answer"), 6);
    assert_eq!(record.check_count("Plain", "late-answer"), 0);
    ended.assert_summary(&["late         6 of 6 of Late", "adjudicated by length 2"]);
    assert!(!ended.stdout.contains("\nadvice"), "{ended}");
}

//! What is noted about an engine without costing it a game.

use libtest_mimic::Trial;

use crate::runner::{Contender, Ended, MatchFiles, MatchRun, Proto, Record};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("checks: a broken promise of a win", broken_win_claims),
        trial("checks: answers that nobody has asked for", stray_answers),
        trial("checks: options that are not declared", undeclared_options),
        trial("checks: an engine resigns", resigning),
        trial(
            "checks: paths with the same result are one move",
            other_path,
        ),
        trial("checks: late answers within the margin", late_answers),
        trial(
            "checks: the result as JSON has faults and checks",
            result_as_json,
        ),
    ];
    for (behaviour, check, words) in [
        ("bad-pv", "illegal-pv", "pv "),
        ("pv-not-best", "pv-without-bestmove", "bestmove "),
        ("no-info", "missing-info", "bestmove "),
        ("bad-info", "unreadable-info", "info depth x"),
    ] {
        for proto in Proto::BOTH {
            let name = format!("checks: {behaviour} in {}", proto.name());
            trials.push(trial(name, move || {
                at_each_move(behaviour, check, words, proto)
            }));
        }
    }
    trials
}

/// Plays a match of four games that are all decided by the rules.
fn play(files: &MatchFiles, odd: &Contender) -> (Record, Ended) {
    let plain = Contender::new("Plain", "honest").seed(2);
    let ended = MatchRun::new(files, [odd, &plain])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1 --rules dimy")
        .play_well();
    let record = files.record();
    record.assert_games(4);
    record.assert_faultless();
    for game in &record.games {
        let of_plain = game.checks.iter().find(|finding| finding.engine == "Plain");
        assert!(of_plain.is_none(), "{of_plain:?}");
    }
    (record, ended)
}

fn at_each_move(behaviour: &str, check: &str, words: &str, proto: Proto) {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", &format!("{behaviour}:2"))
        .seed(1)
        .proto(proto);
    let (record, ended) = play(&files, &odd);
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

fn broken_win_claims() {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", "false-win").seed(2);
    let (record, ended) = play(&files, &odd);
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

fn stray_answers() {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", "twice").seed(1);
    let (record, ended) = play(&files, &odd);
    let moves: usize = record
        .games
        .iter()
        .map(|game| game.moves_of("Odd").count())
        .sum();
    // The one after its last move is never heard.
    assert_eq!(record.check_count("Odd", "stray-answer"), moves - 1);
    ended.assert_summary(&["advice ", &format!("{} times", moves - 1)]);
}

fn undeclared_options() {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", "honest").seed(1);
    let own = odd.clone().with("option.SyzygyPath=x");
    let plain = Contender::new("Plain", "honest").seed(2);
    let ended = MatchRun::new(&files, [&own, &plain])
        .args("--each nodes=1,option.Contempt=7,option.Hash=2 --games 2 --openings start")
        .play_well();
    for left_out in ["Odd: …: Contempt, SyzygyPath", "Plain: …: Contempt"] {
        let warning = left_out.replace('…', "options that it does not declare are left out");
        assert_eq!(ended.stderr.matches(&warning).count(), 1, "{ended}");
    }
    let settings = std::fs::read_to_string(files.toml()).expect("settings");
    assert!(
        settings.contains("Hash") && !settings.contains("Contempt"),
        "{settings}"
    );
}

fn resigning() {
    let files = MatchFiles::new();
    let meek = Contender::new("Meek", "resign:3").seed(1);
    let plain = Contender::new("Plain", "honest").seed(2);
    let ended = MatchRun::new(&files, [&meek, &plain])
        .args("--each nodes=1 --games 2 --openings start")
        .play_well();
    let record = files.record();
    for game in &record.games {
        assert_eq!(game.termination, "resignation");
        assert_eq!(game.winner.as_deref(), Some("Plain"));
        assert!(game.reason.starts_with("Meek (") && game.reason.ends_with(" resigns"));
        assert_eq!(game.moves_of("Meek").count(), 2);
    }
    crate::runner::assert_pgn_agrees(&files);
    ended.assert_summary(&["resignation 2", "faults       none"]);
}

/// The record and the opponent have the path that was played.
fn other_path() {
    let files = MatchFiles::new();
    let book = files.folder().join("book.fen");
    std::fs::write(&book, "bb2b4/1w7/3b5/3b5/8b w\n").expect("a file");
    let folder = files.subfolder("told");
    let odd = Contender::new("Odd", "other-path").seed(1);
    let plain = Contender::new("Plain", "honest").transcripts(&folder);
    MatchRun::new(&files, [&odd, &plain])
        .args("--each nodes=1 --games 2 --max-plies 4 --openings")
        .arg(&book)
        .play_well();
    let record = files.record();
    record.assert_games(2);
    assert!(record.games.iter().all(|game| game.checks.is_empty()));
    let paths = ["b4-c3A-d4A-d5W-c5A", "b4-c3W-d4A-d5W-c5A"];
    let mut games = record.games.iter();
    let of_odd = games
        .find(|game| game.white == "Odd")
        .expect("both colours");
    let played = &of_odd.moves[0].text;
    assert!(paths.contains(&played.as_str()), "{played}");
    let told = files.transcripts(&folder).concat();
    assert!(
        told.iter()
            .any(|line| line.ends_with(&format!("moves {played}")))
    );
}

fn late_answers() {
    let files = MatchFiles::new();
    let late = Contender::new("Late", "delay:5").with("st=0.001,timemargin=60000");
    let plain = Contender::new("Plain", "honest").with("st=60");
    let ended = MatchRun::new(&files, [&late, &plain])
        .args("--games 2 --openings start --max-plies 6")
        .play_well();
    let record = files.record();
    assert_eq!(record.check_count("Late", "late-answer"), 6);
    assert_eq!(record.check_count("Plain", "late-answer"), 0);
    ended.assert_summary(&["late         6 of 6 of Late", "adjudicated by length 2"]);
    assert!(!ended.stdout.contains("\nadvice"), "{ended}");
}

fn result_as_json() {
    let files = MatchFiles::new();
    let odd = Contender::new("Odd", "bad-pv").seed(1);
    let faulty = Contender::new("Faulty", "garbage:4").seed(2);
    let ended = MatchRun::new(&files, [&odd, &faulty])
        .args("--each nodes=1 --games 4 --openings start --concurrency 1 --json")
        .play_well();
    let record = files.record();
    record.assert_games(4);
    let json = ended.json();
    assert_eq!(json["ending"], "complete");
    assert_eq!(json["faults"], 4);
    let terminations = serde_json::json!([
        {"termination": "unparsable-answer", "engine": "Faulty", "games": 4}
    ]);
    assert_eq!(json["terminations"], terminations);
    let [engine, other] = [&json["engines"][0], &json["engines"][1]];
    assert_eq!(
        (&engine["name"], &other["name"]),
        (&"Odd".into(), &"Faulty".into())
    );
    let check = &engine["checks"][0];
    assert_eq!(check["check"], "illegal-pv");
    assert_eq!(check["count"], record.check_count("Odd", "illegal-pv"));
    assert_eq!(other["checks"], serde_json::json!([]));
}

//! Tournaments of several engines, in every format: to their end, in spite of engines that crash, and of such as stop
//! starting.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::engine::LAST_WORDS;
use crate::runner::{Contender, Game, MatchFiles, MatchRun, Record, assert_pgn_agrees};
use crate::trial;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (format, options) in [
        ("roundrobin", "--games 4"),
        ("gauntlet", "--games 6"),
        ("swiss", "--games 4 --rounds 3"),
        ("knockout", "--games 8"),
        ("riatra", "--rounds 1"),
        ("vela", "--rounds 3 --round-games 6"),
    ] {
        let name = format!("tournaments: the others play their {format} to its end");
        trials.push(trial(name, move || to_its_end(format, options)));
    }
    trials.extend(trials!(
        trial,
        "tournaments",
        a_bye_and_a_final_are_told_of,
        no_more_than_two_engines_of_a_slot_run,
        nobody_wins_where_nobody_comes,
        one_that_is_withdrawn_is_tried_when_it_goes_on,
        no_match_without_one_of_two_or_of_its_gauntlet,
    ));
    trials
}

/// Engines that play at random, each in its own way.
pub fn field(count: u64) -> Vec<Contender> {
    let engine = |seed| Contender::new(&format!("E{seed}"), "honest").seed(seed);
    (1..=count).map(engine).collect()
}

/// A tournament in this format, with further options.
pub fn run(files: &MatchFiles, engines: &[Contender], format: &str, options: &str) -> MatchRun {
    // On the small board games are short; riatra wants the large one.
    let rules = if format == "riatra" { "tsivy" } else { "dimy" };
    MatchRun::new(files, engines)
        .args(&format!("--format {format} --rules {rules} --each nodes=1"))
        .args(options)
}

/// An engine that is started for every game, and from its `number`-th start (the trial before the match is
/// the first) in vain.
fn failing(name: &str, number: u32, starts: &Path) -> Contender {
    Contender::new(name, &format!("crash-from-start:{number}"))
        .seed(9)
        .starts(starts)
        .with("restart=true")
}

fn games_of<'a>(record: &'a Record, name: &str) -> Vec<&'a Game> {
    let is_its = |game: &&Game| game.white == name || game.black == name;
    record.games.iter().filter(is_its).collect()
}

fn count(record: &Record, termination: &str) -> usize {
    let games = record.games.iter();
    games.filter(|game| game.termination == termination).count()
}

/// Requires that the engine has lost all games that nobody has played, and tells how many these are.
fn assert_missed_by(record: &Record, name: &str) -> usize {
    let is_missed = |game: &&Game| ["no-start", "withdrawn"].contains(&&*game.termination);
    let missed: Vec<&Game> = record.games.iter().filter(is_missed).collect();
    for game in &missed {
        assert!(game.moves.is_empty());
        assert!([&game.white, &game.black].contains(&&name.to_owned()));
        assert!(game.winner.as_deref().is_some_and(|winner| winner != name));
        assert!(game.reason.starts_with(name), "{}", game.reason);
    }
    missed.len()
}

/// One engine crashes in all games, another stops starting.
fn to_its_end(format: &str, options: &str) {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let mut engines = field(4);
    engines[1] = Contender::new("Broken", "crash:4").seed(3);
    engines[2] = failing("Absent", 3, &starts);
    let ended = run(&files, &engines, format, options)
        .args("--concurrency 2")
        .play_well();
    let record = files.record();
    assert_pgn_agrees(&files);
    for game in &record.games {
        if game.termination == "crash" {
            assert_ne!(game.winner.as_deref(), Some("Broken"), "who crashes loses");
            assert!(game.reason.contains("Broken"), "{}", game.reason);
        }
    }
    let missed = assert_missed_by(&record, "Absent");
    let [crashes, tried] = ["crash", "no-start"].map(|end| count(&record, end));
    assert_eq!(
        crashes + missed + count(&record, "normal"),
        record.games.len()
    );
    assert_eq!(
        games_of(&record, "Absent").len(),
        missed + 1,
        "one start was the trial"
    );
    assert!(crashes > 0 && missed >= 4, "{missed} games");
    // Three attempts for each game that it was tried for; while one place is at it, the other may
    // still play with it, or be at it, too.
    assert!((3..=5).contains(&tried), "{tried} games");
    let begun = fs::read_dir(&starts).expect("the folder is there").count();
    assert!(begun <= 2 + 5 * 3, "{begun} starts");
    ended.assert_error(&["Absent is withdrawn", LAST_WORDS]);
    ended.assert_summary(&[
        &format!("crash of Broken {crashes}"),
        &format!(
            "no start of Absent {tried}, absence of Absent {}",
            missed - tried
        ),
        &format!(
            "{} games lost by faults; withdrawn, as not starting: Absent\n",
            crashes + missed
        ),
    ]);
    let json = MatchRun::resume(&files.state())
        .args("--json")
        .play_well()
        .json();
    assert_eq!([&json["ending"], &json["format"]], ["complete", format]);
    assert_eq!(json["faults"], crashes + missed);
    let crash = serde_json::json!({"termination": "crash", "engine": "Broken", "games": crashes});
    assert!(
        json["terminations"]
            .as_array()
            .is_some_and(|all| all.contains(&crash))
    );
    for list in [
        "/ranking/places",
        "/ratings/engines",
        "/crosstable",
        "/engines",
    ] {
        let found = json.pointer(list).and_then(|list| list.as_array());
        assert_eq!(found.map(Vec::len), Some(4), "{list}");
    }
    assert_eq!(json["engines"][2]["withdrawn"], missed - tried);
}

fn a_bye_and_a_final_are_told_of() {
    let files = MatchFiles::new();
    let ended = run(&files, &field(5), "swiss", "--rounds 5").play_well();
    files.record().assert_games(20);
    for engine in 1..=5 {
        ended.assert_summary(&[&format!("E{engine} had a bye in round")]);
    }
    let files = MatchFiles::new();
    let ended = run(&files, &field(7), "knockout", "--extra-pairs 0").play_well();
    assert_eq!(files.record().games.len(), 12);
    ended.assert_summary(&["6 encounters, 12 games", "winner", "out in the final"]);
}

fn no_more_than_two_engines_of_a_slot_run() {
    let files = MatchFiles::new();
    let folder = files.subfolder("told");
    let engines = field(4)
        .into_iter()
        .map(|engine| engine.transcripts(&folder));
    let engines: Vec<Contender> = engines.collect();
    run(&files, &engines, "gauntlet", "--games 6 --concurrency 1").play_well();
    // Whoever runs plays on: besides the trial before the first game each engine is started once.
    let transcripts = files.transcripts(&folder);
    let new_games = |lines: &Vec<String>| {
        let new = lines.iter().filter(|line| line.ends_with("newgame"));
        new.count()
    };
    let mut games: Vec<usize> = transcripts.iter().map(new_games).collect();
    games.sort_unstable();
    assert_eq!(games, [6, 6, 6, 18]);
    for lines in transcripts {
        assert_eq!(
            lines.last().map(String::as_str),
            Some("quit"),
            "asked to leave"
        );
    }
}

fn nobody_wins_where_nobody_comes() {
    let files = MatchFiles::new();
    let mut engines = field(2);
    for name in ["Away", "Gone"] {
        engines.push(failing(name, 2, &files.subfolder(name)));
    }
    let ended = run(&files, &engines, "roundrobin", "--games 4 --rounds 2")
        .args("--concurrency 1")
        .play_well();
    let record = files.record();
    record.assert_games(48);
    assert_pgn_agrees(&files);
    let is_draw = |game: &&&Game| game.termination == "withdrawn" && game.winner.is_none();
    let missed = [games_of(&record, "Away"), games_of(&record, "Gone")].concat();
    let drawn: Vec<&&Game> = missed.iter().filter(is_draw).collect();
    assert!(drawn.len() >= 8, "as both had them");
    for game in drawn {
        assert_eq!(game.result, "1/2-1/2");
        assert!(game.reason.starts_with("draw: neither"), "{}", game.reason);
    }
    ended.assert_summary(&["withdrawn, as not starting: Away, Gone\n"]);
    for game in games_of(&record, "E1") {
        let with_other = [&*game.white, &*game.black].contains(&"E2");
        assert_eq!(game.termination == "normal", with_other);
    }
}

fn one_that_is_withdrawn_is_tried_when_it_goes_on() {
    let files = MatchFiles::new();
    let starts = files.subfolder("starts");
    let mut engines = field(4);
    engines[2] = failing("Absent", 3, &starts);
    let options = "--games 4 --concurrency 1";
    run(&files, &engines, "roundrobin", options).play_well();
    // What a kill would have left in the middle.
    let text = fs::read_to_string(files.state()).expect("the state is there");
    let torn: String = text.split_inclusive('\n').take(13).collect();
    fs::write(files.state(), &torn).expect("it can be written");
    fs::write(files.pgn(), "").expect("it can be written");
    let well = files.copy();

    let ended = MatchRun::resume(&files.state()).play_well();
    ended.assert_error(&["Absent does not start", "it is tried again"]);
    ended.assert_summary(&["withdrawn, as not starting: Absent"]);
    files.record().assert_games(24);
    assert_pgn_agrees(&files);
    assert_missed_by(&files.record(), "Absent");

    // It is well again: its other games are played.
    let healthy = torn.replace("crash-from-start:3", "crash-from-start:99");
    fs::write(well.state(), healthy).expect("it can be written");
    let ended = MatchRun::resume(&well.state()).play_well();
    let record = well.record();
    record.assert_games(24);
    assert_pgn_agrees(&well);
    assert!(
        record.games[12..]
            .iter()
            .all(|game| game.termination == "normal")
    );
    assert!(!ended.stdout.contains("withdrawn"), "{ended}");
}

/// The game of another place is finished, and recorded.
fn no_match_without_one_of_two_or_of_its_gauntlet() {
    // Of two it is the second: when one place starts it in vain, the other is about to play with it.
    for (count, place, start, options) in [
        (2, 1, 3, "--games 4 --concurrency 2"),
        (4, 0, 4, "--games 2 --concurrency 1"),
    ] {
        let files = MatchFiles::new();
        let mut engines = field(count);
        engines[1 - place] = Contender::new("Slow", "delay:30").seed(1);
        engines[place] = failing("Absent", start, &files.subfolder("starts"));
        let format = if count == 2 { "pairs" } else { "gauntlet" };
        let words = ["error", "Absent", "3 attempts", "--resume"];
        let ended = run(&files, &engines, format, options).fails(&words);
        let played = if count == 2 {
            "1 game of 4"
        } else {
            "2 games of 6"
        };
        ended.assert_summary(&[&format!("{played} (stopped)")]);
        files.record().assert_faultless();
        MatchRun::resume(&files.state()).fails(&words[..3]);
    }
}
